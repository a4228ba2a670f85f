"""What holds for every test of sealed play: a good signature is verified once and not again."""

from collections.abc import Iterator
from functools import lru_cache

import pytest

from netcode.wings.sealed.game.parcels import Parcel


@pytest.fixture(scope="session", autouse=True)
def _signatures_are_verified_once() -> Iterator[None]:
    """Everybody at a sealed table verifies everything, and here they are in one process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parcel, "is_signed_by", lru_cache(maxsize=2**14)(Parcel.is_signed_by))
        yield
