"""The version of this program, which `pyproject.toml` reads here.

Asking for the version of the installed package would take a tenth of the time to the first table.
"""

VERSION = "1.0.0"
