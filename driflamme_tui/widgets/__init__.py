"""Contains Textual widgets that draw a model. Each draws itself whole and knows no rule.

`drawing` draws their contents, and `screens` decides when they are shown.
"""
