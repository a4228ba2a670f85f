"""Runs bots for tables: quick ones in this process, searching ones in processes of their own.

A quick bot chooses after the pause that lets people follow the game. A searching bot searches
during that pause. Its answer is played only when the whole time is over, so that players do not
learn the difficulty of the choice. If a bot fails, another bot answers, so that a table never
waits.
"""

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.bots import make_bot
from engine.notation import format_position
from netcode.protocol.wire_events import to_wire
from netcode.table.effects import Think
from netcode.table.people.absence import AWAY_BOT
from netcode.tracebacks import error_line
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer

_log = logging.getLogger(__name__)


class BotRunner:
    """Executes the `Think` effects of tables."""

    def __init__(self, rng: Random, workers: WorkerPool, clock: RunningClock) -> None:
        """Begin without bots. Bots use `rng`, and searching bots use the processes of `workers`."""
        self._rng = rng
        self._workers = workers
        self._clock = clock
        self._answering: dict[int, asyncio.Task[None]] = {}
        """For each table, the task that answers its last question."""
        self.searches: dict[int, Callable[[], bool]] = {}
        """For each table with a running search, a function that returns True if the answer is no
        longer needed.
        """

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Let a bot answer a table's question; this replaces the table's earlier question.

        `is_pointless` must return True if the answer is no longer needed. `answer` receives the
        action.
        """
        self.drop(table)
        if think.budget_s:
            self.searches[table] = is_pointless
        answering = asyncio.create_task(self._answer(table, think, is_pointless, answer))
        self._answering[table] = answering

    def warm(self) -> None:
        """Start a worker early, so that the first question to a bot does not wait for it."""
        self._workers.warm()

    def drop_if_pointless(self, table: int) -> None:
        """Stop a table's running search if its answer is no longer needed."""
        if self.searches[table]():
            self.drop(table)

    def stop(self) -> None:
        """Stop the questions of all tables."""
        for table in [*self._answering]:
            self.drop(table)

    def drop(self, table: int) -> None:
        """Stop answering the question of a table."""
        self.searches.pop(table, None)
        answering = self._answering.pop(table, None)
        if answering is not None:
            answering.cancel()

    async def _answer(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Answer a question after its pause or its search time, whichever is longer."""
        due = self._clock.now() + max(think.delay_s, think.budget_s)
        action = None
        if think.budget_s:
            action = await self._searched(think)
            del self.searches[table]
            if action is None:
                think = replace(think, bot=AWAY_BOT)
        await self._clock.sleep_until(due)
        # Delete the task first: `answer` may bring the table's next question.
        del self._answering[table]
        if not is_pointless():
            answer(action or self._choose(think))

    async def _searched(self, think: Think) -> Action | None:
        """Return the answer of a search.

        If the search fails or its answer is illegal, log this and return None.
        """
        from netcode.workers.questions import BotQuestion

        view, seed = think.view, self._rng.getrandbits(64)
        events = tuple(map(to_wire, think.events))
        search = BotQuestion(think.bot, format_position(view), view.viewers, seed, "choose", events)
        answered: asyncio.Future[BotAnswer] = asyncio.get_running_loop().create_future()

        def take(answer: "BotAnswer") -> None:
            if not answered.done():
                answered.set_result(answer)

        number = self._workers.ask(search, think.budget_s, take, think.delay_s)
        try:
            found = await answered
        finally:
            self._workers.drop(number)
        action = ACTIONS.get(found.token)
        if action in view.legal:
            return action
        why = found.trouble or "it chose what is not legal"
        _log.error("the bot %s is replaced for a decision: %s", think.bot, why)
        return None

    def _choose(self, think: Think) -> Action:
        """Return the choice of a quick bot.

        If the bot fails, return the choice of `AWAY_BOT`, or else the first legal answer.
        """
        legal = think.view.legal
        for name in (think.bot, AWAY_BOT):
            try:
                bot = make_bot(name, Random(self._rng.getrandbits(64)))
                bot.observe(think.events)
                # A bot may change its view, so make a new one for each bot.
                action = bot.choose(think.view.copy())
            except Exception as error:
                _log.error("the bot %s failed with %s", name, error_line(error))
            else:
                if action in legal:
                    return action
                _log.error("the bot %s chose what is not legal", name)
        return legal[0]
