"""Lists the tables that a player has joined, with the turns and the chat that wait there."""
