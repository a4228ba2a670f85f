"""Strategies of Hypothesis for messages of clubs."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from netcode.protocol.fields import Message
from netcode.wings.clubs.messages import League, LeagueRow

LONG: list[type[Message]] = []
"""Messages too long for an ordinary table."""


def types(
    build: Callable[..., st.SearchStrategy[Any]], numbers: st.SearchStrategy[int]
) -> Mapping[type, st.SearchStrategy[Any]]:
    """Return strategies for messages whose fields depend on each other."""
    row = st.integers(0, 2)
    return {
        League: build(
            League,
            rows=st.lists(build(LeagueRow), min_size=3, max_size=4).map(tuple),
            duels=st.lists(st.tuples(row, row, numbers, numbers), max_size=4).map(tuple),
        ),
    }
