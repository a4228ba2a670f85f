"""What is remembered of sealed games that are under way, so that they can be carried on from here.

What was signed and dealt is in the logs of `netcode/wings/sealed/stored_logs.py`; here is where the
others can be called, and how the evening stood.
"""

import time
from contextlib import closing, suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct, field

from driflamme_tui.preferences.remembered import Kept, with_latest
from netcode.protocol.evening import Evening

if TYPE_CHECKING:
    from netcode.wings.sealed.game.sealed_person import SealedPerson

MOST: Final = 8
"""Most games that are remembered; the oldest are dropped."""

RESUMED_S: Final = 24 * 3600
"""Seconds for which a game that was left is resumed before a table of one's own."""


class TakeoverGame(Struct, frozen=True):
    """A sealed game that was under way when it was last heard of."""

    at: int
    """When that was, in Unix seconds."""
    kept: bool
    """Whether this machine's journal has its table."""
    evening: Evening
    """The games before it at that table."""
    port: Annotated[int, Meta(ge=0, le=65535)] | None
    """Where this machine listened, and others will look for it; None if it did not."""
    addresses: tuple[tuple[bytes, bytes], ...] = field(name="relays")
    """The parcels that tell where the others can be called."""
    is_announced: bool = True
    """Whether the local network may be told of the table."""


_Key = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]

_GAMES: Final = Kept("carried.json", dict[_Key, TakeoverGame], {})


def remember(key: bytes, game: TakeoverGame | None) -> None:
    """Remember the game of a public key, or with None no more."""
    _GAMES.change(lambda games: with_latest(games, key.hex(), game, MOST))


def recall(key: bytes) -> TakeoverGame | None:
    """Return what is remembered of the game of a public key."""
    return _GAMES.recall().get(key.hex())


def can_take_over() -> bool:
    """Whether there is a game of which `unfinished_persons` would probably return one's part."""
    return any(not game.kept and _is_fresh(game) for game in _GAMES.recall().values())


def unfinished_persons(name: str) -> "list[tuple[TakeoverGame, SealedPerson]]":
    """Return one's part in each game that is under way and in no program, the likeliest first.

    Friends who share an account play under names of their own; else it is the latest.
    """
    games = {key: game for key, game in reversed(_GAMES.recall().items()) if _is_fresh(game)}
    if not games:
        # Most tables need nothing of all that.
        return []
    from netcode.table.errors import StoreError
    from netcode.wings.sealed.game.encoding import SealedError
    from netcode.wings.sealed.game.sealed_person import SealedPerson
    from netcode.wings.sealed.stored_logs import StoredLogs

    found = []
    with closing(StoredLogs()) as logs, suppress(StoreError):
        for key, game in games.items():
            kept = logs.open(bytes.fromhex(key))
            if kept is not None:
                with suppress(SealedError):
                    person = SealedPerson.restore(SystemRandom(), kept.records)
                    if person.state in ("dealing", "playing"):
                        found.append((game, person))
    return sorted(found, key=lambda each: not _is_called(each[1], name))


def _is_called(person: "SealedPerson", name: str) -> bool:
    sealing, me = person.sealing, person.me
    return sealing is not None and me is not None and sealing.names[me] == name


def _is_fresh(game: TakeoverGame) -> bool:
    return time.time() - game.at < RESUMED_S
