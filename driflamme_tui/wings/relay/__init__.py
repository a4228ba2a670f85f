"""A relay on this machine, and a table's line to a relay."""
