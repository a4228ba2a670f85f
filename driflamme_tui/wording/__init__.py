"""What the program says about the game, in words of its own and in the player's language."""
