"""Workers without processes: a test or chance decides bots' answers and their times."""

import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Final

from engine.bots import make_bot
from engine.notation import parse_view
from netcode.workers.questions import BotAnswer, BotQuestion
from netcode.workers.worker_pool import OnAnswer, WorkerPool

TROUBLE: Final = 0.1
"""The probability of a missing or illegal answer."""


class PretendWorkers(WorkerPool):
    def __init__(self, rng: Random | None = None) -> None:
        """Without `rng`, only a test answers questions.

        With `rng`, each is answered at a random time.
        """
        self.questions: dict[int, tuple[BotQuestion, OnAnswer]] = {}
        self.budgets: list[float] = []
        """The time budgets of all questions."""
        self.warmed = 0
        self.closed = False
        self._numbers = count(1)
        self._rng = rng

    def warm(self) -> None:
        self.warmed += 1

    def ask(
        self, question: BotQuestion, budget: float, on_answer: OnAnswer, pause: float = 0.0
    ) -> int:
        assert not self.closed
        assert budget > 0
        number = next(self._numbers)
        self.questions[number] = question, on_answer
        self.budgets.append(budget)
        if self._rng is not None:
            loop = asyncio.get_running_loop()
            chance = self._rng.random()
            answer = BotAnswer(trouble="chance") if chance < TROUBLE else _steadily(question)
            if chance > 1 - TROUBLE:
                answer = BotAnswer(token="X^20")
            loop.call_later(budget * self._rng.random(), self._answer, number, answer)
        return number

    def drop(self, number: int) -> None:
        self.questions.pop(number, None)

    async def close(self) -> None:
        self.closed = True
        self.questions.clear()

    def answer(self, think: Callable[[BotQuestion], BotAnswer]) -> None:
        """Answer the open question; there must be exactly one."""
        (number,) = self.questions
        self._answer(number, think(self.questions[number][0]))

    def _answer(self, number: int, answer: BotAnswer) -> None:
        if number in self.questions:
            _question, on_answer = self.questions.pop(number)
            on_answer(answer)


def _steadily(question: BotQuestion) -> BotAnswer:
    bot = make_bot("steady", Random(question.seed))
    return BotAnswer(token=bot.choose(parse_view(question.view, question.eyes)).token)
