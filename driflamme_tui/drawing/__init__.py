"""Drawing without widgets: the table as one value, shared out into sizes, cells and colours.

Textual is left to `widgets`; only the difference between two frames goes around it here.
"""
