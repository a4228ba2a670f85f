"""Bots at work for tables: quick ones at once, those that search in processes of their own.

A quick bot is asked after the pause that lets people follow; one that searches thinks during that
pause, for as long as it may. Its answer is given when that time is over, however soon it was found:
a hard choice must not be told from an easy one by those who do not see its cards. One that fails is
replaced, so that a table never waits.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.bots import Bot, make_bot
from engine.notation import format_position, parse_view
from netcode.protocol.wire_events import to_wire
from netcode.table.effects import Think
from netcode.table.people.absence import AWAY_BOT
from netcode.tracebacks import described
from netcode.transport.running_clock import RunningClock, ScheduledCall
from netcode.workers.worker_main import BotAnswer, BotQuestion
from netcode.workers.worker_pool import WorkerPool

_log = logging.getLogger(__name__)


class _Question(Struct, frozen=True):
    """What a table has asked for."""

    table: int
    think: Think
    due: float
    """When the answer is to be given."""
    is_pointless: Callable[[], bool]
    answer: Callable[[Action], None]


@dataclass(eq=False)
class BotRunner:
    """Answers the questions of tables' Thinks."""

    _rng: Random
    """What bots leave to chance."""
    _workers: WorkerPool
    """Where those that search think."""
    _clock: RunningClock
    _scheduled: dict[int, ScheduledCall] = field(default_factory=dict)
    """By table, what is to be done when the answer to its last question is due."""
    searches: dict[int, tuple[int, _Question]] = field(default_factory=dict)
    """By table, the number that the workers know its question by, while they are at it."""
    _bots: dict[int, tuple[int, dict[tuple[int, str], tuple[Bot, int]]]] = field(
        default_factory=dict
    )
    """By table: the number of its game, and its bots by seat and by the name asked for, each with
    how many events it has been told."""

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
        self._drop(table)
        due = self._clock.now() + max(think.delay_s, think.budget_s)
        question = _Question(table, think, due, is_pointless, answer)
        if not think.budget_s:
            self._schedule(question, partial(self._answer_quickly, question))
            return
        view, seed = think.view, self._rng.getrandbits(64)
        events = tuple(map(to_wire, think.events))
        search = BotQuestion(think.bot, format_position(view), view.viewers, seed, "choose", events)
        searched = partial(self._searched, question)
        number = self._workers.ask(search, think.budget_s, searched, think.delay_s)
        self.searches[table] = number, question

    def warm(self) -> None:
        """Be ready for bots that search."""
        self._workers.warm()

    def drop_if_pointless(self, table: int) -> None:
        """Stop the search for what a table asked, if it does not need an answer any more."""
        if self.searches[table][1].is_pointless():
            self._drop(table)

    def forget(self, table: int) -> None:
        """Let the bots of a table go."""
        self._drop(table)
        self._bots.pop(table, None)

    def stop(self) -> None:
        """Have no question answered any more."""
        for table in [*self._scheduled, *self.searches]:
            self._drop(table)

    def _drop(self, table: int) -> None:
        """Forget what a table has asked."""
        scheduled = self._scheduled.pop(table, None)
        if scheduled is not None:
            scheduled.cancel()
        search = self.searches.pop(table, None)
        if search is not None:
            self._workers.drop(search[0])

    def _schedule(self, question: _Question, call: Callable[[], None]) -> None:
        """Do something when the answer to a question is due."""

        def done() -> None:
            del self._scheduled[question.table]
            call()

        self._scheduled[question.table] = self._clock.call_at(question.due, done)

    def _searched(self, question: _Question, found: BotAnswer) -> None:
        """Schedule what came of a search, or have a quick bot answer if nothing did."""
        del self.searches[question.table]
        think, action = question.think, ACTIONS.get(found.token)
        if action is None or action not in think.view.legal:
            why = found.trouble or "it chose what is not legal"
            _log.error("the bot %s is replaced for a decision: %s", think.bot, why)
            quick = replace(question, think=replace(think, bot=AWAY_BOT, budget_s=0.0))
            self._schedule(quick, partial(self._answer_quickly, quick))
        else:
            self._schedule(question, partial(self._give, question, action))

    def _give(self, question: _Question, action: Action) -> None:
        if not question.is_pointless():
            question.answer(action)

    def _answer_quickly(self, question: _Question) -> None:
        """Ask a bot that takes no time."""
        if not question.is_pointless():
            question.answer(self._choose(question.table, question.think))

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
            bot, told = bots.get(mine) or (make_bot(name, Random(self._rng.getrandbits(64))), 0)
            bots[mine] = bot, len(think.events)
            try:
                bot.observe(think.events[told:])
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
