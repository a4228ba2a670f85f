"""Sealed play: games in which no machine but its owner's holds a hidden card."""
