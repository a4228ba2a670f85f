"""A place at a table: how one comes to it, what is said there, and the keys to one's seats.

What is shown of it is left to `screens` and `plain`.
"""
