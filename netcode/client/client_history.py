"""Writes the games of a client into the history of its user, once they are over.

It talks to no host; of who hosts the journal does the same (`store.py`).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.cards import Seat
from engine.record import Record
from engine.words import ExplainedError
from netcode.client.interpreted import MadeRecord
from netcode.client.left_game import left_game
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import GameRecord, Goodbye, State
from netcode.table.finished_game import Exit, Origin, Outcome
from netcode.tracebacks import described

if TYPE_CHECKING:
    from netcode.storage.history import History

MAXIMUM_GAMES: Final = 500
"""Most games that are kept of one sitting: a host that means harm can make games up."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class ClientHistory:
    """Sees what a session is told, and keeps the games that come to their end."""

    _origin: Origin
    _failed: Callable[[ExplainedError], None] = lambda error: None
    """Told why a game is not kept."""
    _path: Path | None = None
    """Of the database; this user's, unless given."""
    _clock: Callable[[], float] = time.time
    _began: int | None = field(default=None, init=False)
    """When the present game did, if that was seen."""
    _is_witness: bool = field(default=False, init=False)
    """Whether any of the present game was seen before it was over."""
    _kept: Record | None = field(default=None, init=False)
    """The last game, as the session had it."""
    _writing: set[asyncio.Future[None]] = field(default_factory=set, init=False)
    _games: int = field(default=0, init=False)
    """How many have been kept."""

    def see(self, session: Session, message: Message) -> None:
        """Take note of a message, once the session has taken it in."""
        if isinstance(message, State) and not session.fresh:
            # All of a game is news: it has just begun, or one has come to it in the middle.
            self._began = int(self._clock()) if len(session.events) == 1 else None
            self._is_witness = False
        if isinstance(message, State) and session.view is not None and not session.view.over:
            self._is_witness = True
        elif isinstance(message, GameRecord | MadeRecord) and session.record is not None:
            self._see_end(session, session.record)
        elif isinstance(message, Goodbye) and message.code == "removed":
            self.leave(session, "removed")

    def leave(self, session: Session, exit: Exit) -> None:
        """Store the game that goes on without this user, if they play one."""
        game = left_game(session, exit, self._began, int(self._clock()))
        if game is not None and self._games < MAXIMUM_GAMES:
            self._games += 1
            self._write_soon(lambda history: history.add_left(game))

    def abandon(self, record: Record, own: Sequence[Seat]) -> None:
        """Keep a game of one's own table that nobody will go on with, if anything was played."""
        if record.actions:
            ended = replace(record, began=self._began, ended=int(self._clock()))
            self._keep(ended, own, "abandoned")

    async def settled(self) -> None:
        """Wait until all games are kept that are to be."""
        while self._writing:
            await asyncio.wait(self._writing)

    def _see_end(self, session: Session, record: Record) -> None:
        """Keep a game, once, unless it is one of others' that was over when one came."""
        if (
            record is self._kept
            or not (self._is_witness or session.own_seats)
            or self._games >= MAXIMUM_GAMES
        ):
            return
        self._kept = record
        self._games += 1
        if not record.has_proof:
            record = replace(record, began=self._began, ended=int(self._clock()))
        # A record that carries a proof says when the game was, and how it ended.
        self._keep(record, session.own_seats, None)

    def _keep(self, record: Record, own: Sequence[Seat], outcome: Outcome | None) -> None:
        self._write_soon(lambda history: history.add(record, own, outcome, self._origin))

    def _write_soon(self, write: "Callable[[History], int]") -> None:
        # In a thread, so that nothing at the table waits for the disk. It begins at once, and comes
        # to its end also if nobody waits for it.
        loop = asyncio.get_running_loop()
        writing = loop.run_in_executor(None, self._write, write)
        self._writing.add(writing)
        writing.add_done_callback(self._written)

    def _written(self, writing: "asyncio.Future[None]") -> None:
        self._writing.discard(writing)
        error = None if writing.cancelled() else writing.exception()
        if error is not None:
            _log.error("a game is not kept: %s", described(error))
        if isinstance(error, ExplainedError):
            self._failed(error)

    def _write(self, write: "Callable[[History], int]") -> None:
        # A game that is played needs the database only when it is over.
        from netcode.storage.history import History

        with History.open(self._path) as history:
            write(history)
