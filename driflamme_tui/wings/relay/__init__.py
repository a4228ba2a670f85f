"""A relay on this machine, and the connection of a table to a relay."""
