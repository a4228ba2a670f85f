"""The screen of the table: how it looks, and how it is answered by keys and mouse.

Drawing is left to `widgets.table`.
"""
