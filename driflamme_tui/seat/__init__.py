"""A player's place at a table: the way there, the connection, and keys to seats.

The packages `screens` and `plain` show it.
"""
