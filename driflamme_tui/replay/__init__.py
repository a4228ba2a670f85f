"""Looking back at a game: records in files, the game told as text, and moving through it."""
