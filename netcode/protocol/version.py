"""Defines the version of this program. `pyproject.toml` reads it from here.

Reading the version of the installed package would take a tenth of the time to the first table.
"""

VERSION = "1.0.0"
