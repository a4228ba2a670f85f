"""Drawing without widgets: the table as one value, shared out into sizes, cells and colours.

Textual is left to `widgets`; only `textual_internals` goes around it, for what a frame costs.
"""
