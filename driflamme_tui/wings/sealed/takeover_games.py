"""Stores data about running sealed games, by which this machine can continue them.

Signed parcels and the deal are in the logs of `netcode/wings/sealed/stored_logs.py`. This module
stores the addresses of the others, and the evening's results.
"""

import time
from contextlib import closing, suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct, field

from driflamme_tui.preferences.remembered import StoredValue, with_latest
from netcode.protocol.evening import Evening
from netcode.protocol.table_settings import SettingName, SettingValue

if TYPE_CHECKING:
    from netcode.wings.sealed.game.sealed_person import SealedPerson

MOST: Final = 8
"""Maximum number of stored games; the oldest are dropped."""

MOST_SECONDS: Final = 2**53
"""The latest valid time in a file. Floats represent all whole numbers up to it."""

RESUMED_S: Final = 24 * 3600
"""Seconds for which `resume` prefers a stored sealed game to the player's own table."""


class TakeoverGame(Struct, frozen=True):
    """A sealed game that was running when it was stored."""

    at: Annotated[int, Meta(ge=0, le=MOST_SECONDS)]
    """The time at which the game was stored, in Unix seconds."""
    kept: bool
    """True if the table is in this machine's journal."""
    evening: Evening
    """The results of the evening before this game."""
    port: Annotated[int, Meta(ge=0, le=65535)] | None
    """The port where others will look for the table; None if this machine was not listening."""
    addresses: tuple[tuple[bytes, bytes], ...] = field(name="relays")
    """The parcels with the addresses of the other persons' programs."""
    is_announced: bool = True
    """True if the table may be announced on the local network."""
    added: dict[SettingName, SettingValue] = field(default_factory=dict)
    """The settings of other wings at the table."""


_Key = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]

_GAMES: Final = StoredValue("takeovers.json", dict[_Key, TakeoverGame], {})


def remember(key: bytes, game: TakeoverGame | None) -> None:
    """Store the game of a public key; None removes it."""
    _GAMES.change(lambda games: with_latest(games, key.hex(), game, MOST))


def recall(key: bytes) -> TakeoverGame | None:
    """Return the stored game of a public key; None if it was removed or never stored."""
    return _GAMES.recall().get(key.hex())


def can_take_over() -> bool:
    """Return True if `unfinished_persons` will probably find a game of another host."""
    return any(not game.kept and _is_fresh(game) for game in _GAMES.recall().values())


def unfinished_persons(name: str) -> "list[tuple[TakeoverGame, SealedPerson]]":
    """Return the player's part in each running game that no program has open, most likely first.

    Games in which the player has this name come first, because friends may share an account. Other
    things equal, the latest game comes first.
    """
    games = {key: game for key, game in reversed(_GAMES.recall().items()) if _is_fresh(game)}
    if not games:
        # Return early: most players have no such game, so the imports below are not needed.
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
