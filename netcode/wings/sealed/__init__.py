"""Sealed play: games in which only a player's own machine has their hidden cards."""
