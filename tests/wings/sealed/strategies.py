"""Strategies of Hypothesis for messages of sealed play."""

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from netcode.protocol.messages import PROTOCOL
from netcode.wings.sealed.messages import Call, Sealed

LONG = [Sealed]
"""Messages too long for an ordinary table."""

SIGNATURES = st.just(b"") | st.binary(min_size=64, max_size=64)


def parcels(bodies: int, bytes_each: int) -> st.SearchStrategy[Any]:
    """Return a strategy for up to `bodies` parcels, with bodies of up to `bytes_each` bytes."""
    one = st.tuples(st.binary(min_size=1, max_size=bytes_each), SIGNATURES)
    return st.lists(one, min_size=1, max_size=bodies).map(tuple)


def types(
    build: Callable[..., st.SearchStrategy[Any]], numbers: st.SearchStrategy[int]
) -> Mapping[type, st.SearchStrategy[Any]]:
    """Return strategies for messages whose fields have rules besides their types."""
    return {
        Call: build(Call, protocol=st.just(PROTOCOL)),
        # Few and small parcels, because an ordinary table accepts only shorter frames than a sealed
        # table.
        Sealed: build(Sealed, parcels=parcels(4, 100)),
    }
