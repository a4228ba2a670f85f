"""Shows the table on a screen, and handles answers by keys and mouse.

`widgets.table` does the drawing.
"""
