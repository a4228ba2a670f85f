"""The screen of the table: its appearance, and answers by keys and mouse.

`widgets.table` does the drawing.
"""
