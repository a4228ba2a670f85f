"""The version of this program, as the package has it too: `pyproject.toml` reads it here.

Asking for that of the installed package would take a tenth of the time to the first table.
"""

VERSION = "1.0.0"
