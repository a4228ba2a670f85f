"""The table of the lesson, with opponents who wait for the learner; it may begin in the middle."""

import asyncio
from collections.abc import Callable
from typing import Final

from driflamme_tui.lesson.guided_game import Lesson
from driflamme_tui.lesson.lesson_script import LEARNER, OPPONENTS
from driflamme_tui.seat.local_table import LocalTable
from driflamme_tui.text.i18n import _
from engine.bots import DEFAULT_BOT
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.record import Record, RecordedPlayer, replay
from netcode.protocol.fields import letters_of
from netcode.protocol.messages import SeatInfo

PACE_MS: Final = 900
"""Milliseconds that the opponents take once the learner has read all there is to read."""


def open_lesson(lesson: Lesson, name: str, pace_ms: int | None = None) -> LocalTable:
    """Open the table at which a lesson goes on, for a learner of that name."""
    if name in OPPONENTS.values():
        name = _("Player")
    deal, actions = lesson.record.deal, lesson.record.actions
    people = [
        SeatInfo(family=each, name=OPPONENTS[each], bot=DEFAULT_BOT)
        if each in OPPONENTS
        else SeatInfo(family=each, name=name, host=True)
        for each in letters_of(deal.families)
    ]
    game, events = Game.start(deal), list[Event]([RoundBegan(1, deal.first)])
    for step in replay(lesson.record):
        game = step.after
        events += step.events
    players = tuple(RecordedPlayer(each.family, each.name, each.bot) for each in people)
    opponents = PatientOpponents(lesson, PACE_MS if pace_ms is None else pace_ms)
    table = LocalTable(
        game,
        LEARNER,
        opponents,
        events=events,
        record=Record(deal, actions, players=players),
        people=people,
    )
    lesson.answers = lambda: table.tokens
    return table


class PatientOpponents:
    """Answers as the lesson says, but not while the learner reads."""

    def __init__(self, lesson: Lesson, pace_ms: int) -> None:
        """Take so many milliseconds for an answer."""
        self._lesson = lesson
        self._pace_s = pace_ms / 1000
        self._timer: asyncio.TimerHandle | None = None
        self._due: Callable[[], None] | None = None
        """What is to be done once the learner has read."""
        lesson.when_read = self._go_on

    def __call__(self, table: LocalTable, answer: Callable[[str], None]) -> Callable[[], None]:
        """Answer after a pause, and not before all that there is to read has been read."""
        # What has just happened may bring up something to read.
        self._lesson.follow()
        loop = asyncio.get_running_loop()

        def due() -> None:
            if self._lesson.reading:
                self._due = wait
            else:
                answer(str(self._lesson.opponents_answer(table.seen())))

        def wait() -> None:
            self._due = None
            self._timer = loop.call_later(self._pace_s, due)

        wait()
        return self._stop

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._due = None

    def _go_on(self) -> None:
        if self._due is not None:
            self._due()
