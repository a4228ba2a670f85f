"""The basis of all texts: the player's language, the signs on the screen, and widths in cells.

`wording` has the sentences.
"""
