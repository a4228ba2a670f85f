"""Lists what waits for a player at the tables that they have joined."""
