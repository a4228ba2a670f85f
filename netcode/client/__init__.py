"""A player's side: finds a way to a table, stays connected, and knows what was told.

What is shown of it is left to the face.
"""
