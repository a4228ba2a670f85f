"""The player's conditional answers: prepared for later questions of a long game."""
