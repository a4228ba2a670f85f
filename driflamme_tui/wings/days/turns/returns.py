"""Stores a player's tables: the last events and chat that they saw there, and the last news."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from driflamme_tui.preferences.remembered import MOST_COUNTED, StoredValue, WayBack, with_latest
from driflamme_tui.preferences.visits import place_of
from driflamme_tui.seat.seat_keys import stored_key
from engine.events import Event
from engine.views import View
from netcode.wings.days.messages import Turn

MOST_PLACES: Final = 50
"""Maximum number of stored seats; the oldest are dropped."""

_Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]


class KnownSeat(WayBack, frozen=True):
    """A seat of the player, and the way to it."""

    prefix: str
    """The prefix of the table's code, by which its server finds the table; "" if the server sends
    no code.
    """


class StoredTurn(Struct, frozen=True):
    """A server's news about the player's seat."""

    received_at: float
    """The Unix time of the answer."""
    turn: Turn
    """The answer. Its `left_s` counts from `received_at`."""
    is_seen: bool = False
    """True once the player has been at the table in the phase of the answer."""
    is_absent: bool = False
    """True if the server has answered since, but does not have the table now."""

    def left_at(self, now: float) -> int | None:
        """Return the seconds that are left at a Unix time; None without a clock."""
        if self.turn.left_s is None:
            return None
        return max(0, round(self.turn.left_s - (now - self.received_at)))


class LastSeen(Struct, frozen=True):
    """The stored data about a player's seat: last answer, received chat, way back, and news."""

    game: str = ""
    """The mark of the game up to the last answer; "" if the player has not answered."""
    events: _Count = 0
    """The number of the game's events before the last answer."""
    lines: _Count | None = None
    """The number of chat lines so far, as the host counts them; None if it is unknown."""
    seat: KnownSeat | None = None
    """The player's seat; None if its table has no code, or if the seat is gone."""
    news: StoredTurn | None = None
    """The server's last news about the seat; None before the first answer, and for a new seat."""

    def answered_in(self, view: View, events: Sequence[Event]) -> int | None:
        """Return the number of events before the last answer; None if it was in another game."""
        count = self.events
        if not self.game or not 0 < count <= len(events):
            return None
        return count if self.game == game_mark(view, events[:count]) else None


def game_mark(view: View, events: Sequence[Event]) -> str:
    """Return a mark that differs between games, also if they have begun with the same events."""
    aside = [view.aside[seat] for seat in view.viewers]
    known = view.edition, view.families, view.viewers, aside, [tuple(each) for each in events]
    return sha256(repr(known).encode()).hexdigest()[:32]


_RETURNS: Final = StoredValue("returns.json", dict[str, LastSeen], {})


def seat_name(place: str, name: str) -> str:
    """Return the name of a seat. It contains the player, because several may share an account.

    >>> seat_name("10.0.0.7", "Ada")
    'Ada @ 10.0.0.7'
    """
    return f"{name} @ {place}"


def last_seen(seat: str) -> LastSeen:
    """Return the stored data about a player's seat at a table; empty data for an unknown seat."""
    return _RETURNS.recall().get(seat, LastSeen())


def store_answer(seat: str, view: View, events: Sequence[Event]) -> None:
    """Store the game and the number of events that the player has seen before an answer."""
    # Before the first line of chat, the host has sent no number, so store 0.
    lines = last_seen(seat).lines or 0
    _store(seat, game=game_mark(view, events), events=len(events), lines=lines)


def store_lines(seat: str, lines: int) -> None:
    """Store the number of chat lines that the player has received."""
    _store(seat, lines=lines)


def store_seat(seat: str, known: KnownSeat | None) -> None:
    """Store the way to the player's seat; None removes it. A change drops the seat's old news.

    The way is then removed from other names of the same seat, which the player may have had before.
    """
    if last_seen(seat).seat == known:
        return
    _store(seat, seat=known, news=None)
    if known is None:
        return
    for other, there in known_seats().items():
        if other != seat and there.seat is not None and _are_same(there.seat, known):
            _store(other, seat=None, news=None)


def _are_same(one: KnownSeat, other: KnownSeat) -> bool:
    """Return True if the same key opens both seats, or if place and player are the same.

    The player's name and the invitation may differ, since both can change during an evening.
    """
    if (one.place, one.name) == (other.place, other.name):
        return True
    key = stored_key(one.place, one.name)
    return (
        key is not None
        and place_of(one.place) == place_of(other.place)
        and key == stored_key(other.place, other.name)
    )


def move_seat(before: str, now: str) -> None:
    """Store the data about a seat under another name, since the player or the invitation has one.

    Data under that name are replaced, because they are about an earlier seat.
    """

    def changed(kept: dict[str, LastSeen]) -> dict[str, LastSeen]:
        seen = kept.get(before)
        others = with_latest(kept, before, None, MOST_PLACES)
        return kept if seen is None else with_latest(others, now, seen, MOST_PLACES)

    _RETURNS.change(changed)


def store_turn(seat: str, turn: StoredTurn) -> None:
    """Store the news that the player's program has itself received at the table."""
    _store(seat, news=turn)


def store_news(before: Mapping[str, LastSeen], found: Mapping[str, StoredTurn | None]) -> None:
    """Store the servers' news by the names of seats; None for a seat that is gone.

    `before` has the data from before the servers were asked. If they have changed since, the player
    has been at the table, or later news have come, so these news are dropped.
    """

    def changed(kept: dict[str, LastSeen]) -> dict[str, LastSeen]:
        for seat, news in found.items():
            seen = kept.get(seat)
            if seen is not None and seen == before.get(seat):
                known = None if news is None else seen.seat
                kept[seat] = replace(seen, seat=known, news=news)
        return kept

    if found:
        _RETURNS.change(changed)


def known_seats() -> dict[str, LastSeen]:
    """Return the seats that players of this account have taken, by name, the latest first."""
    return {
        seat: seen for seat, seen in reversed([*_RETURNS.recall().items()]) if seen.seat is not None
    }


def _store(name: str, **changes: object) -> None:
    def changed(kept: dict[str, LastSeen]) -> dict[str, LastSeen]:
        seen = replace(kept.get(name, LastSeen()), **changes)
        return with_latest(kept, name, seen, MOST_PLACES)

    _RETURNS.change(changed)
