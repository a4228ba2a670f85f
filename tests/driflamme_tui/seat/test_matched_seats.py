"""Tests that bots as strong as the player change their level from game to game."""

import asyncio

import pytest
from msgspec.structs import replace

from driflamme_tui.preferences import matched_bots
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.seat.matched_seats import MatchedSeats
from driflamme_tui.seat.seat_session import SeatSession
from netcode.client.connection import ConnectError, Connection
from netcode.client.reconnection import ConnectionLost
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import AddBot, ChangeBot, Lobby, SetReady, Start
from netcode.transport.channel import Channel, memory_channel
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    lobby,
    seats,
)

READY = SetReady(ready=True)


def table(*bots: str, host: bool = True) -> Lobby:
    """Return the lobby after a game of the player with bots of these levels."""
    you, *others = seats("rbgyv"[: 1 + len(bots)], bots="bgyv")
    playing = (replace(seat, bot=bot) for seat, bot in zip(others, bots, strict=True))
    return lobby("r", "r", host=host, phase="result", seats=(you, *playing))


async def nowhere() -> Channel:
    raise ConnectError("There is no network.")


def to_send(even: MatchedSeats, message: Message, at: Lobby) -> list[Message]:
    return asyncio.run(even.to_send(message, at))


@pytest.fixture
def level(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    now = {"level": 2.0}
    monkeypatch.setattr(matched_bots, "level_of", lambda games: now["level"])
    return now


def test_before_a_game_those_change_who_are_even_and_of_another_level(
    level: dict[str, float],
) -> None:
    even = MatchedSeats((EVEN_BOT, "steady", EVEN_BOT))
    at = table("steady", "steady", "steady")
    even.see(at)
    for message in (READY, Start()):
        assert to_send(even, message, at) == [message]
    level["level"] = 2.5
    for message in (READY, Start()):
        assert to_send(even, message, at) == [ChangeBot(family="y", bot="sharp"), message]
    assert to_send(even, SetReady(ready=False), at) == [SetReady(ready=False)]
    assert not even.is_about(READY, table("steady", "steady", "steady", host=False))


def test_one_that_is_added_follows_until_it_is_changed_by_hand(level: dict[str, float]) -> None:
    even = MatchedSeats(())
    before = table("novice")
    even.see(before)
    assert to_send(even, AddBot(bot=EVEN_BOT), before) == [AddBot(bot="steady")]
    assert to_send(even, AddBot(bot="master"), before) == [AddBot(bot="master")]
    at = table("novice", "steady", "master")
    even.see(at)
    level["level"] = 5.0
    assert to_send(even, READY, at) == [ChangeBot(family="g", bot="grandmaster"), READY]
    by_hand = ChangeBot(family="g", bot="learner")
    assert to_send(even, by_hand, at) == [by_hand]
    assert to_send(even, READY, table("novice", "learner", "master")) == [READY]
    level["level"] = 3.0
    again = ChangeBot(family="y", bot=EVEN_BOT)
    assert to_send(even, again, at) == [ChangeBot(family="y", bot="sharp")]
    assert to_send(even, READY, at) == [ChangeBot(family="y", bot="sharp"), READY]


async def test_what_was_never_sent_or_was_lost_is_no_bot_that_is_added_later(
    level: dict[str, float],
) -> None:
    session, at = Session(), table("steady")
    session.lobby = table()
    seat_session = SeatSession("Blaise", session, connect=nowhere)
    assert not seat_session.send(AddBot(bot=EVEN_BOT))
    assert seat_session._even.pending == []
    seat_session._even.pending.append(EVEN_BOT)
    seat_session._receive(ConnectionLost(1, 0.5))
    seat_session._receive(at)
    level["level"] = 5.0
    assert await seat_session._even.to_send(READY, at) == [READY]


async def test_what_waits_for_past_games_is_said_in_order(
    level: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, said = Session(), list[Message]()
    session.lobby = table()
    seat_session = SeatSession("Blaise", session, connect=nowhere)
    seat_session._connection = Connection(memory_channel()[0])
    monkeypatch.setattr(seat_session._interpreter, "send", said.append)
    for message in (AddBot(bot=EVEN_BOT), AddBot(bot="sharp"), Start()):
        assert seat_session.send(message)
    await asyncio.gather(*seat_session._sending)
    assert said == [AddBot(bot="steady"), AddBot(bot="sharp"), Start()]


async def test_who_leaves_says_nothing_that_still_waits_for_past_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def forever(*_what: object) -> list[Message]:
        await asyncio.Event().wait()
        return []

    session = Session()
    session.lobby = table()
    seat_session = SeatSession("Blaise", session, connect=nowhere)
    seat_session._connection = Connection(memory_channel()[0])
    monkeypatch.setattr(seat_session._even, "to_send", forever)
    for _ in range(2):
        assert seat_session.send(Start())
    await seat_session.leave(leaves=False)
    assert asyncio.all_tasks() == {asyncio.current_task()}


@in_app(lambda: SeatedApp(evening_session(999)))
async def test_the_new_levels_are_said_at_the_table_in_one_sentence(
    app: SeatedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences: list[str] = []
    monkeypatch.setattr(app, "notify", lambda sentence, **_how: sentences.append(sentence))
    for bots in (("steady", "steady"), ("sharp", "grandmaster"), ("sharp", "grandmaster")):
        app.receive(table(*bots))
    app.receive(replace(table("novice", "novice"), phase="lobby"))
    assert sentences == [
        "Bots now play at the level of your past games: Blaise (Sharp), Gaspard (Grandmaster)."
    ]
    await hands.pause()
