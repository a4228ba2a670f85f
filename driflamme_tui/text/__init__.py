"""What every text needs: the player's language, the signs on the screen, widths in cells.

The sentences themselves are left to `wording`.
"""
