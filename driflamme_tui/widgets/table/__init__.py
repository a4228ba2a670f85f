"""The widgets that draw one moment of the table, or of a replay.

`drawing` draws their contents.
"""
