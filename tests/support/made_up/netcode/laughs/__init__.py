"""Laughs at the table: the table counts them, and notifies all other players."""
