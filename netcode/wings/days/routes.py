"""Answers a player's request for their turns at a server's tables, without waking a table."""

from collections.abc import Callable
from typing import Final

from netcode.server.peers import Peer
from netcode.server.routes import Handlers, RouteMaker
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import Runner
from netcode.wings.days.messages import AskTurns, SeatProof, Turn, Turns
from netcode.wings.days.settings import NAME
from netcode.wings.days.turn_notes import TurnNote, note_of_present


class TurnRoutes:
    """Answers the requests for turns that one server receives."""

    def __init__(self, registry: TableRegistry, unix_time: Callable[[], float]) -> None:
        self._registry = registry
        self._unix_time = unix_time

    async def send_turns(self, peer: Peer, message: AskTurns, now: float) -> None:
        """Send a peer the turns at the seats whose keys it has proven to own.

        A network that asks too often is refused.
        """
        if not await peer.has_turn(now, "asked_turns_often"):
            return
        rows = [self._turn(each) for each in message.seats]
        peer.answer(Turns(rows=tuple([each for each in rows if each is not None])))

    def _turn(self, seat: SeatProof) -> Turn | None:
        """Return the description of a table for the owner of a seat; None for a wrong proof."""
        registry = self._registry
        entry = registry.only_entry if seat.prefix is None else registry.by_prefix(seat.prefix)
        note = None if entry is None else note_of_entry(entry)
        return None if note is None else note.turn_of(seat.proof, self._unix_time())


def note_of_entry(entry: TableEntry) -> TurnNote | None:
    """Return the note of a table, which may sleep.

    Returns None before the table is stored, and if the wing could make no note.
    """
    if entry.table is not None:
        return note_of_present(entry.table)
    stored = entry.notes.get(NAME)
    value = None if stored is None else stored.value
    return value if isinstance(value, TurnNote) else None


def _routes(
    registry: TableRegistry,
    runner: Runner,
    certificate: bytes,
    unix_time: Callable[[], float],
) -> Handlers:
    return {AskTurns: TurnRoutes(registry, unix_time).send_turns}


SEAM: Final = RouteMaker(_routes)
