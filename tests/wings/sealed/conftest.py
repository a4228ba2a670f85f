"""Fixtures for all tests of sealed play: each signature is verified only once."""

from collections.abc import Iterator
from functools import lru_cache

import pytest

from netcode.wings.sealed.game.parcels import Parcel


@pytest.fixture(scope="session", autouse=True)
def _signatures_are_verified_once() -> Iterator[None]:
    """Cache verified signatures, since all players of a table are in one process here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parcel, "is_signed_by", lru_cache(maxsize=2**14)(Parcel.is_signed_by))
        yield
