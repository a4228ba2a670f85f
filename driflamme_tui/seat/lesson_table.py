"""The table of the lesson: a real one on this machine, with opponents who wait for the learner.

It is brought back as a table that was kept would be, so that a lesson may begin in the middle. It
listens nowhere and has no journal: what there is to keep is in `lesson_progress.py`, and it is no
game of the learner's history.
"""

import asyncio
import secrets
from collections.abc import Callable
from random import SystemRandom
from typing import Final

from driflamme_tui.hosting.own_table import OpenTable, new_key
from driflamme_tui.lesson.guided_game import Lesson
from driflamme_tui.lesson.lesson_script import DEAL, OPPONENTS
from driflamme_tui.text.i18n import _
from engine.actions import Action
from engine.bots import DEFAULT_BOT
from engine.record import Record, RecordedPlayer
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import SECRET_BYTES, FamilyLetter
from netcode.protocol.messages import TableSettings
from netcode.server.bot_runner import BotRunner
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.effects import Think
from netcode.table.people.key_ring import key_hash
from netcode.table.snapshot import KeptGame, KeptSeat, KeptTable, Snapshot, new_number
from netcode.table.table import Table
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_pool import WorkerPool

FAMILIES: Final[tuple[FamilyLetter, ...]] = ("b", "r", "g")
"""The families of the deal, in its order."""

PACE_MS: Final = 900
"""Milliseconds that the opponents take once the learner has read all there is to read."""


def open_lesson(lesson: Lesson, name: str, pace_ms: int | None = None) -> OpenTable:
    """Open the table at which a lesson goes on, for a learner of that name."""
    owner_key = new_key()
    settings = TableSettings(
        edition=DEAL.edition.number, pace_ms=PACE_MS if pace_ms is None else pace_ms
    )
    kept = _kept(lesson.record, settings, name, key_hash(owner_key))
    rng = SystemRandom()
    table = Table.restore(kept, rng, new_key, owner_key)
    secret, code = secrets.token_bytes(SECRET_BYTES), new_code(secrets.token_bytes, ())
    entry = TableEntry(new_number(rng), secret, code, table)
    lesson.answers = lambda: _tokens(table)
    workers = WorkerPool()
    patient = PatientOpponents(lesson, workers)
    server = Server(TableRegistry([entry], is_open=True), workers=workers, bot_runner=patient)
    return OpenTable(server, entry, owner_key, lesson=lesson)


def _tokens(table: Table) -> tuple[str, ...]:
    record = table.record()
    return () if record is None else record.actions


def _kept(record: Record, settings: TableSettings, name: str, key: bytes) -> Snapshot:
    """Return what would have been kept of the table if it were one that is kept."""
    if name in OPPONENTS.values():
        name = _("Player")
    keys = key, key
    seats = tuple(
        KeptSeat(family, OPPONENTS[family], DEFAULT_BOT, None, False, False, "grace")
        if family in OPPONENTS
        else KeptSeat(family, name, None, keys, True, False, "grace")
        for family in FAMILIES
    )
    players = tuple(RecordedPlayer(seat.family, seat.name, seat.bot) for seat in seats)
    plain = settings.beside_edition()
    return Snapshot(
        KeptTable(settings, seats, key),
        KeptGame(
            begun=1,
            revision=1 + len(record.actions),
            phase="playing",
            acted=(0,) * len(seats),
            record=Record(record.deal, (), plain, players).to_json(),
            actions=record.actions,
        ),
    )


class PatientOpponents(BotRunner):
    """Answers the questions of the lesson's table, but not while the learner reads."""

    def __init__(self, lesson: Lesson, workers: WorkerPool) -> None:
        """Answer as the lesson says; nobody searches, so the workers have nothing to do."""
        super().__init__(SystemRandom(), workers, RunningClock())
        self._lesson = lesson
        self._timer: asyncio.TimerHandle | None = None
        self._due: Callable[[], None] | None = None
        """What is to be done once the learner has read."""
        lesson.when_read = self._go_on

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Answer after a pause, and not before all that there is to read has been read."""
        # What has just happened may bring up something to read.
        self._lesson.follow()
        self.stop()
        loop = asyncio.get_running_loop()

        def due() -> None:
            if self._lesson.reading:
                self._due = wait
            elif not is_pointless():
                answer(self._lesson.opponents_answer(think.view))

        def wait() -> None:
            self._due = None
            self._timer = loop.call_later(think.delay_s, due)

        wait()

    def warm(self) -> None:
        """There is nothing to be ready for."""

    def forget(self, table: int) -> None:
        """Answer no more."""
        self.stop()

    def stop(self) -> None:
        """Answer no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._due = None

    def _go_on(self) -> None:
        if self._due is not None:
            self._due()
