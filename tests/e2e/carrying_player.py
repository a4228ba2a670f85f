"""A program that plays a sealed game by itself, and tells as JSON, a line each, what happens.

Run as a process of its own by `carrying_company.py`: one of them hosts on a loopback address, the
others join by the link that it prints.
"""

import asyncio
import json
import logging
import sys
from contextlib import aclosing
from random import Random

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import Join
from netcode.client.reconnection import Connected, Lost
from netcode.client.sealed_news import LeaveBe, SealedNews, SealedRecord, VoteMissing
from netcode.joining.invitation import parse_invitation
from netcode.protocol.messages import (
    Goodbye,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from tests.support.following import news_of

PACE_S = 0.05
"""Seconds before each answer."""


class Player:
    """Plays one seat at random."""

    def __init__(self, seat: SeatSession, players: int) -> None:
        self._seat = seat
        self._players = players
        self._rng = Random()
        self._told: object = None
        self._is_ready = False
        self._answers: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Play until the game is over and all have shown their cards."""
        async with aclosing(news_of(self._seat.stay)) as all_news:
            async for news in all_news:
                match news:
                    case Connected() | Lost():
                        tell(type(news).__name__.lower())
                    case Welcome():
                        tell("welcome")
                    case Lobby():
                        await self._see_lobby(news)
                    case State():
                        self._see_state(news)
                    case SealedNews():
                        await self._see_news(news)
                    case Refused() | Goodbye():
                        tell(type(news).__name__.lower(), code=news.code)
                    case SealedRecord():
                        tell("record", line=news.line)
                self._tell_log()

    async def _see_lobby(self, lobby: Lobby) -> None:
        present = [seat.name for seat in lobby.seats if seat.present]
        host = next((seat.name for seat in lobby.seats if seat.host), "")
        tell("lobby", present=present, host=host, link=lobby.invitation, carriers=lobby.carriers)
        if lobby.phase != "lobby":
            return
        if not self._is_ready:
            self._is_ready = True
            self._seat.say(SetReady(ready=True))
        all_carry = len(lobby.carriers) == len(lobby.seats) == self._players
        if lobby.host and all_carry and lobby.missing is None:
            self._seat.say(Start())

    def _see_state(self, state: State) -> None:
        view = self._seat.session.view
        if view is not None and view.legal:
            task = asyncio.create_task(self._answer(state.revision))
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)

    async def _answer(self, revision: int) -> None:
        while True:
            await asyncio.sleep(PACE_S)
            session = self._seat.session
            if session.view is None or not session.view.legal or session.revision != revision:
                return
            if self._seat.connected and session.pending is None:
                self._seat.say(session.act(self._rng.choice(session.view.legal)))
            await asyncio.sleep(1)

    async def _see_news(self, news: SealedNews) -> None:
        notices = [(each.code, each.name, each.values) for each in news.notices]
        tell("news", stage=news.stage, vote=news.vote_about, notices=notices)
        if news.is_vote_wanted:
            self._seat.say(VoteMissing())
        for name in set(news.away) - set(news.left_be):
            self._seat.say(LeaveBe(name, True))

    def _tell_log(self) -> None:
        """Tell which steps are sure to stay, and at the end all of them."""
        play = self._seat.carried_play
        person = None if play is None else play.person
        log = None if person is None else person.log
        if person is None or log is None:
            return
        ends = len(log.ends)
        if (log.height, log.locked, ends) != self._told:
            self._told = log.height, log.locked, ends
            tips = [entry.tip.hex()[:16] for entry in log.entries]
            size = sum(len(each.body) + len(each.signature) for each in person.parcels())
            tell("log", locked=log.locked, tips=tips, over=log.game.over, ends=ends, bytes=size)


def tell(what: str, **more: object) -> None:
    """Say what has happened."""
    print(json.dumps({"what": what, **more}), flush=True)


async def main(name: str, players: str, link: str = "") -> None:
    """Host, or join by a link, or resume."""
    settings = TableSettings(sealed=True)
    plan: Host | Join = Host(bind="127.0.0.1", port=0, announce=False, settings=settings)
    if link == "resume":
        plan = Host(bind="127.0.0.1", announce=False, resume=True)
    elif link:
        plan = Join(parse_invitation(link))
    seat = await sit_down(plan, name, lambda sentence: tell("trouble", sentence=sentence))
    await Player(seat, int(players)).play()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(relativeCreated)d %(name)s %(message)s")
    asyncio.run(main(*sys.argv[1:]))
