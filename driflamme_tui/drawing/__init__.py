"""Draws without widgets: the table as one value, and its layout, cells and colours.

Only `widgets` knows Textual. `textual_internals` alone goes around Textual, to make frames cheap.
"""
