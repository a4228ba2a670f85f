"""Relays in the user interface: running one, and connecting a table to one."""
