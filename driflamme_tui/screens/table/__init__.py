"""Shows the table on a screen, and handles answers by keys and mouse.

The package `answers` handles keys and clicks, and `widgets.table` draws.
"""
