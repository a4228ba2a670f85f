"""Tables of a player, some of which wait for the player."""

from typing import Any

from driflamme_tui.seat.seat_keys import LockedSeat
from driflamme_tui.wings.days.turns.returns import (
    KnownSeat,
    StoredTurn,
    known_seats,
    seat_name,
    store_news,
    store_seat,
)
from netcode.protocol.fields import KEY_BYTES
from netcode.wings.days.messages import Turn

NOW = 1_000_000.0
LINK = "driflamme://192.168.1.20/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw"


def turn(prefix: str, **fields: Any) -> Turn:
    """Return a row of a host's answer: the player's turn, unless fields say otherwise."""
    usual: dict[str, Any] = {
        "names": ("Rosalind", "Blaise"),
        "phase": "playing",
        "round": 3,
        "whose": "Blaise",
        "mine": True,
        "left_s": 100_000,
        "unread": 0,
    }
    return Turn(prefix=prefix, **{**usual, **fields})


def news(**fields: Any) -> StoredTurn:
    """Return the news of a game in which it is the player's turn, unless fields say otherwise."""
    return StoredTurn(NOW, turn("K7Q", **fields))


MINE = news()
THEIRS = news(whose="Rosalind", mine=False, unread=2)


def sit(
    place: str,
    prefix: str,
    host: str,
    *,
    said: StoredTurn | None = None,
    name: str = "Blaise",
    key: bytes = bytes(KEY_BYTES),
) -> None:
    """Store a player's seat, its key, and the news of the table."""
    known = seat_name(place, name)
    store_seat(known, KnownSeat(name, host, LINK, place, prefix))
    seat = LockedSeat(place, name)
    seat.remember(key)
    seat.release()
    if said is not None:
        store_news(known_seats(), {known: said})


def sit_at_two_tables() -> None:
    """Store seats at the tables of two hosts; at the second table, it is the player's turn."""
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind", said=THEIRS)
    sit("pin2/0123456789abcdef", "CZR", "Gaspard", said=MINE)
