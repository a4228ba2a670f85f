"""What this machine opens: a table, a club, doors, and the carrier of a table that goes on here.

Who sits down there is left to `seat`.
"""
