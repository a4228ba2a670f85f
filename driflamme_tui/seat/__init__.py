"""A place at a table: plans, targets, opening a table or a club, and the keys to one's seats.

What is shown of it is left to `screens` and `plain`.
"""
