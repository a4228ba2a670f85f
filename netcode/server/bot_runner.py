"""Bots at work for tables: quick ones at once, those that search in processes of their own.

A quick bot is asked after the pause that lets people follow; one that searches thinks during that
pause, for as long as it may. Its answer is given when that time is over, however soon it was found:
a hard choice must not be told from an easy one by those who do not see its cards. One that fails is
replaced, so that a table never waits.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.bots import make_bot
from engine.notation import format_position, parse_view
from netcode.protocol.wire_events import to_wire
from netcode.table.effects import Think
from netcode.table.people.absence import AWAY_BOT
from netcode.tracebacks import described
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_main import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class BotRunner:
    """Answers the questions of tables' Thinks."""

    _rng: Random
    """What bots leave to chance."""
    _workers: WorkerPool
    """Where those that search think."""
    _clock: RunningClock
    _answering: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    """By table, what answers its last question."""
    searches: dict[int, Callable[[], bool]] = field(default_factory=dict)
    """By table, while workers are at its question, what says whether it is pointless."""

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Have a bot choose, instead of what the table asked before.

        After the pause `is_pointless` says whether nobody needs the answer any more.
        """
        self.drop(table)
        if think.budget_s:
            self.searches[table] = is_pointless
        answering = asyncio.create_task(self._answer(table, think, is_pointless, answer))
        self._answering[table] = answering

    def warm(self) -> None:
        """Be ready for bots that search."""
        self._workers.warm()

    def drop_if_pointless(self, table: int) -> None:
        """Stop the search for what a table asked, if it does not need an answer any more."""
        if self.searches[table]():
            self.drop(table)

    def stop(self) -> None:
        """Have no question answered any more."""
        for table in [*self._answering]:
            self.drop(table)

    def drop(self, table: int) -> None:
        """Have nothing answered that a table has asked."""
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
        """Answer a question when that is due."""
        due = self._clock.now() + max(think.delay_s, think.budget_s)
        action = None
        if think.budget_s:
            action = await self._searched(think)
            del self.searches[table]
            if action is None:
                think = replace(think, bot=AWAY_BOT)
        await self._clock.sleep_until(due)
        # What follows from an answer may be another question.
        del self._answering[table]
        if not is_pointless():
            answer(action or self._choose(think))

    async def _searched(self, think: Think) -> Action | None:
        """Return what a search finds; None if it fails."""
        view, seed = think.view, self._rng.getrandbits(64)
        events = tuple(map(to_wire, think.events))
        search = BotQuestion(think.bot, format_position(view), view.viewers, seed, "choose", events)
        answered: asyncio.Future[BotAnswer] = asyncio.get_running_loop().create_future()

        def take(answer: BotAnswer) -> None:
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
        """Return the choice of a bot that needs no time; one that fails is replaced."""
        legal, seen = think.view.legal, format_position(think.view)
        for name in (think.bot, AWAY_BOT):
            try:
                bot = make_bot(name, Random(self._rng.getrandbits(64)))
                bot.observe(think.events)
                # The view is the bot's to change, so each gets its own.
                action = bot.choose(parse_view(seen, think.view.viewers))
            except Exception as error:
                _log.error("the bot %s failed with %s", name, described(error))
            else:
                if action in legal:
                    return action
                _log.error("the bot %s chose what is not legal", name)
        return legal[0]
