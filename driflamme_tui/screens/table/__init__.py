"""Shows the table on a screen, and accepts answers by keys and mouse.

The package `answers` interprets keys and clicks, and `widgets.table` draws.
"""
