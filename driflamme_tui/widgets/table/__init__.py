"""The widgets that draw one moment of the table, or of a game that is looked back at.

What they draw is made by `drawing`.
"""
