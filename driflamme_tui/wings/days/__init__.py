"""Games that last for days: what waits for a player, calls, and the story of missed rounds."""
