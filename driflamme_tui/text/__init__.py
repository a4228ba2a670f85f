"""The basis of all texts: the player's language, signs, and widths in cells.

`wording` has the sentences.
"""
