"""The game part of sealed play: a deal that nobody controls, and a signed log on sealed cards.

A leaf is a number that stands for a hidden card. A body is anything that a program signs; a parcel
is a body with its signature. A sealing lists a game's seats and keys. Its hash, the `gid`,
identifies the game. The tip of a log is the hash of its last step.
"""
