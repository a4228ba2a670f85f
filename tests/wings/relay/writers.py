"""The files that a relay stores for a player."""

from driflamme_tui.wings.relay import open_relay

WRITERS = [lambda: open_relay._secret(fresh=False), lambda: open_relay._secret(fresh=True)]

ELSEWHERE: set[tuple[str, str]] = set()
"""Modules that may create files with other functions than the program's own, each with its call."""
