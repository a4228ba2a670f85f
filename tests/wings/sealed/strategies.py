"""Messages of sealed play that Hypothesis makes up."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from netcode.protocol.messages import PROTOCOL
from netcode.wings.sealed.messages import Call


def types(
    build: Callable[..., st.SearchStrategy[Any]], numbers: st.SearchStrategy[int]
) -> Mapping[type, st.SearchStrategy[Any]]:
    """Return how messages are built whose fields depend on each other."""
    return {Call: build(Call, protocol=st.just(PROTOCOL))}
