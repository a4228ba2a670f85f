"""Defines positions, apps that show a position, and bots that give one answer at once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import cast

from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.line_shell import play_lines
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.targets import Study
from driflamme_tui.study.local_table import LocalTable, board_at
from driflamme_tui.text.signs import UNICODE
from engine.notation import parse_view
from netcode.client.session import Session
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool
from tests.engine.lines import whole
from tests.support.tables import WatchedApp

LINE = whole("2 4 rS2 gc2,rS,rm1,bL *r3,b2,g4")
"""A position in which Red's Soldier eliminates Green's Conspiracy or Red's own Ambush."""

VIEW = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
"""Blue's view at Blue's decision."""


class PretendWorkers:
    """Answers each question in the next turn of the loop; later actions have lower shares."""

    def __init__(self) -> None:
        self.pending: list[BotQuestion] = []
        self.trouble = False
        self.closed = False

    def ask(
        self, question: BotQuestion, _budget: float, on_answer: Callable[[BotAnswer], None]
    ) -> int:
        """Answer with the first legal action, or with an error if `trouble` is set.

        Return the number of questions so far.
        """
        self.pending.append(question)
        legal = parse_view(question.view, question.eyes).legal
        weights = tuple((str(each), 0.6 - 0.05 * at, 100) for at, each in enumerate(legal))
        answer = BotAnswer(weights[0][0], weights)
        if self.trouble:
            answer = BotAnswer(trouble="it has died")
        asyncio.get_running_loop().call_soon(on_answer, answer)
        return len(self.pending)

    def drop(self, _number: int) -> None:
        pass

    async def close(self) -> None:
        self.closed = True


def board(line: str = LINE, seat: str = "") -> tuple[LocalTable, PretendWorkers]:
    """Return a board with pretended bots, seen by one family if `seat` names one."""
    table, workers = board_at(line), PretendWorkers()
    table.workers = cast("WorkerPool", workers)
    if seat:
        table.seat = table.game.seat_of(seat)
    return table, workers


class AtPosition(WatchedApp):
    """An app that shows a position, and accepts keys immediately."""

    def __init__(
        self, screen_of: Callable[[], TableScreen], settings: Settings | None = None
    ) -> None:
        super().__init__(screen_of, glyphs=UNICODE, settings=settings)
        self.terminal.guard_s = self.terminal.second_click_s = 0.0


def lines_of(
    table: LocalTable, player_of: Callable[[Session], LinePlayer], *typed: str
) -> list[str]:
    """Return the printed lines for typed lines; type each after the output of the previous one."""
    sentences: list[str] = []

    async def lines() -> AsyncIterator[str]:
        heard = 0
        for line in typed:
            while len(sentences) == heard:
                await asyncio.sleep(0)
            for _ in range(20):
                await asyncio.sleep(0)
            heard = len(sentences)
            yield line

    assert not asyncio.run(play_lines(Study(table), "Blaise", player_of, lines(), sentences.append))
    return sentences
