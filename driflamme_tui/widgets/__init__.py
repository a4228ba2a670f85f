"""Textual widgets that draw a model: each draws itself whole and knows no rule.

What they draw is made by `drawing`; when they are shown is left to `screens`.
"""
