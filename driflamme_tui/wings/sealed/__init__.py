"""What a player's own program does at a sealed table, between host and screen."""
