"""Laughs at the table, which everybody is told of and the table counts."""
