"""Draws without widgets: the table as one value, and its layout, cells and colours.

Textual's widgets are in `widgets`. Only `textual_internals` uses Textual's private parts, to write
fewer bytes.
"""
