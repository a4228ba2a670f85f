"""Laughs at the table: the table counts them, and tells all other players."""
