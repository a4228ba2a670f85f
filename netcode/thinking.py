"""Bots at work: they think after a pause, one at a time, in a thread that holds nobody up.

A bot gets the view of its seat and nothing else. One that fails is replaced for the rest of its
game, so that a table never waits for it.
"""

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import Protocol

from engine.actions import Action
from engine.bots import Bot, make_bot
from engine.notation import format_position, parse_view
from netcode.away import AWAY_BOT
from netcode.effects import Think

_log = logging.getLogger(__name__)


class Thinks(Protocol):
    """What a server has its tables' Thinks answered by."""

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Have somebody choose; as `Thinker.think`."""

    def forget(self, table: int) -> None:
        """Let those who answer for a table go."""

    def stop(self) -> None:
        """Have no question answered any more."""


class Thinker:
    """Answers the questions of tables' Thinks."""

    def __init__(self, rng: Random) -> None:
        """Begin without any bot; `rng` is what they leave to chance."""
        self._rng = rng
        self._asked: dict[int, asyncio.TimerHandle] = {}
        """By table, its last question, until the pause before it is over."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_thought = asyncio.Lock()
        self._bots: dict[int, tuple[int, dict[tuple[int, str], Bot]]] = {}
        """By table: the number of its game, and its bots by seat and by the name asked for."""

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        """Have a bot choose, instead of what the table asked before, unless that is begun.

        A table has one question at a time, but may ask it anew as often as its host pauses it.

        Args:
            table: The number of the table; its bots serve one game.
            think: What is asked.
            is_pointless: Whether nobody needs the answer any more; asked after the pause.
            answer: Takes the choice.
        """

        def begin() -> None:
            del self._asked[table]
            task = loop.create_task(self._think(table, think, is_pointless, answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        loop = asyncio.get_running_loop()
        self._take_back(table)
        self._asked[table] = loop.call_later(think.delay_s, begin)

    def forget(self, table: int) -> None:
        """Let the bots of a table go."""
        self._take_back(table)
        self._bots.pop(table, None)

    def stop(self) -> None:
        """Have no question answered any more."""
        for table in list(self._asked):
            self._take_back(table)
        for task in self._tasks:
            task.cancel()

    def _take_back(self, table: int) -> None:
        asked = self._asked.pop(table, None)
        if asked is not None:
            asked.cancel()

    async def _think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
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
                _log.error("the bot %s failed with %s", bot.name, type(error).__name__)
            else:
                if action in legal:
                    return action
                _log.error("the bot %s chose what is not legal", bot.name)
            del bots[mine]
        return legal[0]
