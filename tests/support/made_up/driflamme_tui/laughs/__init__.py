"""Laughs at the table: their line in the lobby, their commands, their setting and option."""
