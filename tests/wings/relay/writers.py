"""What a relay keeps of a player, as the program keeps it."""

from driflamme_tui.wings.relay import open_relay

WRITERS = [lambda: open_relay._secret(fresh=False), lambda: open_relay._secret(fresh=True)]

ELSEWHERE: set[tuple[str, str]] = set()
"""Modules that make files in another way, and by which call."""
