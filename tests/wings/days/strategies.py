"""Strategies of Hypothesis for messages of games that last for days."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from netcode.protocol.fields import Message
from netcode.wings.days.messages import SetCall, is_address

LONG: list[type[Message]] = []
"""Messages too long for an ordinary table."""


def types(
    build: Callable[..., st.SearchStrategy[Any]], _numbers: st.SearchStrategy[int]
) -> Mapping[type, st.SearchStrategy[Any]]:
    """Return strategies for messages whose fields have rules besides their types."""
    addresses = st.text(st.characters(categories=("L", "N", "P", "S")), max_size=100).filter(
        is_address
    )
    return {SetCall: build(SetCall, address=addresses)}
