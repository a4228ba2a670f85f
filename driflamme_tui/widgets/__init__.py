"""Textual widgets that draw a model. Each one draws itself as a whole and applies no rule.

`drawing` draws their contents, and `screens` decides when they are shown.
"""
