"""Stores how far a player has seen each table, so that a return can begin there."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from driflamme_tui.preferences.remembered import MOST_COUNTED, Kept, with_latest
from engine.events import Event
from engine.views import View

MOST_PLACES: Final = 50
"""Maximum number of stored tables; the oldest are dropped."""

_Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]


class LastSeen(Struct, frozen=True):
    """The player's last answer at a table, and the chat that they have received."""

    game: str = ""
    """The mark of the game up to the last answer; "" if the player has not answered."""
    events: _Count = 0
    """The number of the game's events before the last answer."""
    lines: _Count = 0
    """The number of chat lines so far, as the host counts them."""

    def answered_in(self, view: View, events: Sequence[Event]) -> int | None:
        """Return the number of events before the last answer, if it was in this game; or None."""
        count = self.events
        if not self.game or not 0 < count <= len(events):
            return None
        return count if self.game == game_mark(view, events[:count]) else None


def game_mark(view: View, events: Sequence[Event]) -> str:
    """Return a mark that differs between games, also if they have begun with the same events."""
    aside = [view.aside[seat] for seat in view.viewers]
    known = view.edition, view.families, view.viewers, aside, [tuple(each) for each in events]
    return sha256(repr(known).encode()).hexdigest()[:32]


_RETURNS: Final = Kept("returns.json", dict[str, LastSeen], {})


def last_seen(place: str) -> LastSeen:
    """Return the stored data about a table."""
    return _RETURNS.recall().get(place, LastSeen())


def store_answer(place: str, view: View, events: Sequence[Event]) -> None:
    """Store that the player answers after these events."""
    _store(place, game=game_mark(view, events), events=len(events))


def store_lines(place: str, lines: int) -> None:
    """Store the number of chat lines that the player has received."""
    _store(place, lines=lines)


def _store(place: str, **changes: object) -> None:
    def changed(kept: dict[str, LastSeen]) -> dict[str, LastSeen]:
        seen = replace(kept.get(place, LastSeen()), **changes)
        return with_latest(kept, place, seen, MOST_PLACES)

    _RETURNS.change(changed)
