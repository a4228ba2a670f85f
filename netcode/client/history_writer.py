"""Stores the finished games of a client in its user's history.

`HistoryWriter` sends nothing to the host. If the user hosts the table, the journal stores the games
instead (`store.py`).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from engine.cards import Seat
from engine.record import Record
from engine.texts import ExplainedError
from netcode.client.interpreted import MadeRecord
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import GameRecord, Goodbye, State
from netcode.tracebacks import error_line

if TYPE_CHECKING:
    from netcode.storage.history import History
    from netcode.table.finished_game import Exit, Origin, Outcome

MAXIMUM_GAMES: Final = 500
"""Maximum number of games that are stored during one visit, since a malicious host can invent
games.
"""

MAXIMUM_AGE_S: Final = 90 * 24 * 3600
"""Maximum seconds from the beginning of a game to its end: as long as a host keeps a game to which
nobody returns.
"""

_log = logging.getLogger(__name__)


class HistoryWriter(Struct, eq=False):
    """Watches the messages of a session, and stores each game that ends."""

    _origin: "Origin"
    _failed: Callable[[ExplainedError], None] = lambda error: None
    """Receives the error if a game could not be stored."""
    _path: Path | None = None
    """The path of the database; None for the default path."""
    _clock: Callable[[], float] = time.time
    _began: int | None = None
    """The Unix time at which the present game began; None if this client did not see its
    beginning.
    """
    _is_witness: bool = False
    """True if this client saw a part of the present game before its end."""
    _kept: Record | None = None
    """The session's record of the last stored game; None before the first."""
    _writing: set[asyncio.Future[None]] = field(default_factory=set)
    _games: int = 0

    def see(self, session: Session, message: Message) -> None:
        """Store the game that a message ends, if there is one.

        Call this with every message, after the session has handled it. A Goodbye that removes the
        user also ends a game.
        """
        if isinstance(message, State) and not session.fresh:
            # All events are new, so the client saw the game begin only if there is just one event.
            self._began = int(self._clock()) if len(session.events) == 1 else None
            self._is_witness = False
        if isinstance(message, State) and session.view is not None and not session.view.over:
            self._is_witness = True
        elif isinstance(message, GameRecord | MadeRecord) and session.record is not None:
            self._see_end(session, session.record)
        elif isinstance(message, Goodbye) and message.code == "removed":
            self.leave(session, "removed")

    def leave(self, session: Session, exit: "Exit") -> None:
        """Store the present game as left early, if the user plays in it; `exit` is the outcome."""
        from netcode.client.left_game import left_game

        game = left_game(session, exit, self._began, int(self._clock()))
        if game is not None and self._games < MAXIMUM_GAMES:
            self._games += 1
            self._write_soon(lambda history: history.add_left(game))

    def abandon(self, record: Record, own: Sequence[Seat]) -> None:
        """Store an unfinished game of the user's own table, if it has at least one decision."""
        if record.actions:
            ended = record._replace(began=self._began, ended=int(self._clock()))
            self._keep(ended, own, "abandoned")

    async def settled(self) -> None:
        """Wait until all games are stored."""
        while self._writing:
            await asyncio.wait(self._writing)

    def _see_end(self, session: Session, record: Record) -> None:
        """Store a finished game once.

        A game between other players is skipped if this client saw only its end. After
        `MAXIMUM_GAMES` games, all are skipped.
        """
        if (
            record is self._kept
            or not (self._is_witness or session.player_seats)
            or self._games >= MAXIMUM_GAMES
        ):
            return
        self._kept = record
        self._games += 1
        if not record.has_proof:
            record = self._with_times(record)
        # A record with a proof contains the times of the beginning and the end.
        self._keep(record, session.player_seats, None)

    def _with_times(self, record: Record) -> Record:
        """Return a finished game with the times of its beginning and end.

        If this client has not seen the beginning, use the host's time, unless that is impossible.
        """
        now, began = int(self._clock()), self._began
        if began is None and record.began in range(now - MAXIMUM_AGE_S, now + 1):
            began = record.began
        return record._replace(began=began, ended=now)

    def _keep(self, record: Record, own: Sequence[Seat], outcome: "Outcome | None") -> None:
        self._write_soon(lambda history: history.add(record, own, outcome, self._origin))

    def _write_soon(self, write: "Callable[[History], int]") -> None:
        # Write in a thread, so that the table does not wait for the disk. The write starts at once,
        # and completes even if nobody waits for it.
        loop = asyncio.get_running_loop()
        writing = loop.run_in_executor(None, self._write, write)
        self._writing.add(writing)
        writing.add_done_callback(self._written)

    def _written(self, writing: "asyncio.Future[None]") -> None:
        self._writing.discard(writing)
        error = None if writing.cancelled() else writing.exception()
        if error is not None:
            _log.error("a game is not kept: %s", error_line(error))
        if isinstance(error, ExplainedError):
            self._failed(error)

    def _write(self, write: "Callable[[History], int]") -> None:
        # Import here, since a running game does not need the database.
        from netcode.storage.history import History

        with History.open(self._path) as history:
            write(history)
