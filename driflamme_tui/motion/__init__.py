"""Short pictures between two moments of the table; see `frames.py`."""
