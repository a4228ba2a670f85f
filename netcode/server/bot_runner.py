"""Bots at work for tables: quick ones in a thread, those that search in processes of their own.

A bot gets the view of its seat and nothing else. A quick one is asked after the pause that lets
people follow; one that searches thinks during that pause, for as long as it may. Its answer is
given when that time is over, however soon it was found: a hard choice must not be told from an easy
one by those who do not see its cards. One that fails is replaced, for the rest of its game or (in a
process) for this decision, so that a table never waits.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

from engine.actions import ACTIONS, Action
from engine.bots import Bot, make_bot
from engine.notation import format_position, parse_view
from netcode.table.absence import AWAY_BOT
from netcode.table.effects import Think
from netcode.tracebacks import described
from netcode.transport.running_clock import RunningClock, ScheduledCall
from netcode.workers.worker_main import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

_log = logging.getLogger(__name__)

TakeAction = Callable[[Action], None]


class BotRunner:
    """Answers the questions of tables' Thinks."""

    def __init__(self, rng: Random, workers: WorkerPool, clock: RunningClock) -> None:
        """Begin without any bot.

        Args:
            rng: What bots leave to chance.
            workers: Where those that search think.
            clock: By which answers are due, as their tables count time.
        """
        self._rng = rng
        self._workers = workers
        self._clock = clock
        self._asked: dict[int, ScheduledCall] = {}
        """By table, its last question, until the pause before it is over."""
        self._searches: dict[int, tuple[int, Callable[[], bool]]] = {}
        """By table, the question that is being thought about, and whether that has become
        pointless."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_thought = asyncio.Lock()
        self._bots: dict[int, tuple[int, dict[tuple[int, str], Bot]]] = {}
        """By table: the number of its game, and its bots by seat and by the name asked for."""

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: TakeAction,
    ) -> None:
        """Have a bot choose, instead of what the table asked before, unless that is begun.

        A table has one question at a time, but may ask it anew as often as its host pauses it.

        Args:
            table: The number of the table; its bots serve one game.
            think: What is asked.
            is_pointless: Whether nobody needs the answer any more; asked after the pause.
            answer: Takes the choice.
        """
        self._take_back(table)
        due = self._clock.now() + max(think.delay_s, think.budget_s)
        if not think.budget_s:
            self._ask_quick(table, think, due, is_pointless, answer)
            return
        question = BotQuestion(
            think.bot, format_position(think.view), think.view.viewers, self._rng.getrandbits(64)
        )
        searched = partial(self._searched, table, think, due, is_pointless, answer)
        number = self._workers.ask(question, think.budget_s, searched, think.delay_s)
        self._searches[table] = number, is_pointless

    def warm(self) -> None:
        """Be ready for bots that search."""
        self._workers.warm()

    def drop_if_pointless(self, table: int) -> None:
        """Stop thinking about what a table asked, if it does not need an answer any more."""
        search = self._searches.get(table)
        if search is not None and search[1]():
            self._take_back(table)

    def forget(self, table: int) -> None:
        """Let the bots of a table go."""
        self._take_back(table)
        self._bots.pop(table, None)

    def stop(self) -> None:
        """Have no question answered any more."""
        for table in [*self._asked, *self._searches]:
            self._take_back(table)
        for task in self._tasks:
            task.cancel()

    def _take_back(self, table: int) -> None:
        asked = self._asked.pop(table, None)
        if asked is not None:
            asked.cancel()
        search = self._searches.pop(table, None)
        if search is not None:
            self._workers.drop(search[0])

    # Bots that search

    def _searched(
        self,
        table: int,
        think: Think,
        due: float,
        is_pointless: Callable[[], bool],
        answer: TakeAction,
        thought: BotAnswer,
    ) -> None:
        """Take what came of a search: give it when it is due, or have another bot answer."""
        del self._searches[table]
        action = ACTIONS.get(thought.token)
        if action is None or action not in think.view.legal:
            why = thought.trouble or "it chose what is not legal"
            _log.error("the bot %s is replaced for a decision: %s", think.bot, why)
            stand_in = replace(think, bot=AWAY_BOT, budget_s=0.0)
            self._ask_quick(table, stand_in, due, is_pointless, answer)
            return

        def give() -> None:
            del self._asked[table]
            if not is_pointless():
                answer(action)

        self._asked[table] = self._clock.call_at(due, give)

    # Quick bots

    def _ask_quick(
        self,
        table: int,
        think: Think,
        due: float,
        is_pointless: Callable[[], bool],
        answer: TakeAction,
    ) -> None:
        def begin() -> None:
            del self._asked[table]
            task = asyncio.create_task(self._think(table, think, is_pointless, answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        self._asked[table] = self._clock.call_at(due, begin)

    async def _think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: TakeAction,
    ) -> None:
        # In turn, so that no bot is asked twice at a time; in a thread, so that one which takes
        # long holds up nobody's messages.
        async with self._one_thought:
            if not is_pointless():
                answer(await asyncio.to_thread(self._choose, table, think))

    def _choose(self, table: int, think: Think) -> Action:
        """Return the bot's choice; a bot that fails is replaced for the rest of the game."""
        legal = think.view.legal
        seen = format_position(think.view)
        game, bots = self._bots.get(table, (0, {}))
        if game != think.game:
            bots = {}
            self._bots[table] = think.game, bots
        mine = think.seat, think.bot
        for name in (think.bot, AWAY_BOT):
            bot = bots.get(mine)
            if bot is None:
                bot = bots[mine] = make_bot(name, Random(self._rng.getrandbits(64)))
            try:
                # The view is the bot's to change, so each gets its own.
                action = bot.choose(parse_view(seen, think.view.viewers))
            except Exception as error:
                _log.error("the bot %s failed with %s", bot.name, described(error))
            else:
                if action in legal:
                    return action
                _log.error("the bot %s chose what is not legal", bot.name)
            del bots[mine]
        return legal[0]
