"""Tests requests by phase and role: a refused one is answered, and changes nothing."""

from itertools import starmap

import pytest

from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    Absent,
    Act,
    AddBot,
    AnswerWish,
    AskSeat,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    EndGame,
    Here,
    MoveSeat,
    Mute,
    NewCode,
    NewInvitation,
    Pause,
    Refused,
    Remove,
    Rename,
    SendAway,
    SetReady,
    ShuffleSeats,
    Silence,
    Start,
    StopCount,
    TableMessage,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Alarm, Send
from tests.support.pretend import Network, Participant, hello, known_game, play_on, playing, seated

SETTINGS = ChangeSettings(settings=TableSettings(pace_ms=0))
ABSENT = Absent(family="b", choice="bot")
ANSWER = AnswerWish(name="w", family="b", granted=True)
OF_THE_HOST: tuple[TableMessage, ...] = (
    *(AddBot(bot="steady"), ChangeBot(family="y", bot="master"), Remove(family="r"), SETTINGS),
    *(MoveSeat(family="b", place=0), ShuffleSeats()),
    *(Start(), StopCount(), BackToLobby(), EndGame(), Pause(paused=True), ABSENT, ANSWER),
    *(
        Mute(name="w", muted=True),
        Silence(silenced=True),
        SendAway(name="a"),
        NewInvitation(),
        NewCode(),
    ),
)
IN_THE_LOBBY: tuple[TableMessage, ...] = (
    *(AddBot(bot="steady"), Remove(family="b"), SETTINGS, Rename(name="x")),
    *(ChooseFamily(family="v"), MoveSeat(family="b", place=0), ShuffleSeats()),
)


def act(action: str, revision: int = 1, number: int = 1) -> Act:
    return Act(number=number, revision=revision, action=action)


REFUSED: list[tuple[str, str, TableMessage, str]] = [
    *(("lobby", who, each, "not_the_host") for who in "bw" for each in OF_THE_HOST),
    *(("playing", "a", each, "not_in_lobby") for each in IN_THE_LOBBY),
    *(("result", "a", each, "not_in_lobby") for each in IN_THE_LOBBY),
    *(("lobby", "s", each, "say_hello") for each in (Start(), Chat(text="psst"))),
    *(("lobby", "w", each, "not_seated") for each in (SetReady(True), Here(), Rename("x"))),
    *(("lobby", "a", each, "no_game") for each in (Pause(True), EndGame(), ABSENT, ANSWER)),
    *(("result", "a", each, "no_game") for each in (Pause(True), EndGame(), ABSENT, ANSWER)),
    *((phase, "w", AskSeat("b"), "no_game") for phase in ("lobby", "result")),
    ("playing", "w", AskSeat("b"), "persons_seat"),
    ("playing", "w", AskSeat("v"), "no_such_seat"),
    ("playing", "b", AskSeat("b"), "seated"),
    ("playing", "a", ANSWER, "no_wish"),
    ("lobby", "b", hello("b"), "already_greeted"),
    ("lobby", "a", AddBot(bot="genius"), "unknown_bot"),
    ("lobby", "a", ChangeBot(family="b", bot="master"), "not_a_bot"),
    ("lobby", "a", ChangeBot(family="v", bot="master"), "no_such_seat"),
    ("lobby", "a", Remove(family="v"), "no_such_seat"),
    ("lobby", "a", MoveSeat(family="v", place=0), "no_such_seat"),
    ("lobby", "a", Remove(family="r"), "not_yourself"),
    ("lobby", "a", SendAway(name="a"), "not_yourself"),
    ("lobby", "a", SendAway(name="x"), "nobody_called"),
    ("lobby", "a", Mute(name="x", muted=True), "nobody_called"),
    ("lobby", "a", Mute(name="x", muted=False), "nobody_called"),
    ("lobby", "b", ChooseFamily(family="r"), "family_taken"),
    ("lobby", "w", ChooseFamily(family="r"), "family_taken"),
    ("lobby", "b", Rename(name="A"), "name_taken"),
    ("lobby", "b", Rename(name="W"), "name_taken"),
    ("lobby", "a", NewInvitation(), "no_secret"),
    ("lobby", "a", NewCode(), "no_secret"),
    ("lobby", "a", Start(), "not_ready"),
    ("lobby", "b", SetReady(True, game_key=bytes(32)), "game_key_unasked"),
    ("lobby", "a", act("S>", 0), "no_game"),
    ("playing", "w", act("S>"), "not_seated"),
    ("playing", "a", act("D>"), "rules.not_in_hand {'card': 'D'}"),
    ("playing", "a", act("S<"), "rules.empty_queue"),
    ("playing", "a", act("!"), "rules.asked_to_place"),
    *(("playing", "a", act(each), "no_action") for each in ("x0", "boo", "S>1", " S>", "S>\0")),
    *(("playing", "b", act(each), "not_your_turn {'family': 'r'}") for each in ("S>", "!", "boo")),
    *(("playing", "a", act("S>", revision), "late") for revision in (0, 2, 4)),
    ("playing", "w", ChooseFamily(family="v"), "not_in_lobby"),
    ("playing", "a", ChangeBot(family="b", bot="master"), "not_in_lobby"),
    ("playing", "b", SetReady(True), "not_ready_now"),
    ("playing", "a", Start(), "game_under_way"),
    ("playing", "a", BackToLobby(), "not_after_game"),
    ("playing", "a", ABSENT, "not_away"),
    ("playing", "a", Absent(family="v", choice="bot"), "no_such_seat"),
    ("result", "a", Start(), "not_ready"),
    ("result", "a", act("S>", 1, 99), "late"),
]
"""Phase, sender, request, and the refusal with the values of its sentence."""


@pytest.fixture(scope="module")
def tables() -> dict[str, list[Participant]]:
    """Return, for each phase, the participants of a table in this phase."""
    found = {"lobby": seated(Network(), "abc"), "playing": known_game(), "result": playing()}
    play_on(found["result"])
    for phase, guests in found.items():
        network = guests[0].network
        guests.append(Participant(network, "w", spectator=True))
        guests.append(Participant(network, "s", greet=False))
        assert guests[0].phase() == phase
    return found


def shown(phase: str, who: str, message: TableMessage, code: str) -> str:
    return f"{phase}-{who}-{type(message).__name__}-{code}"


@pytest.mark.parametrize(("phase", "who", "message", "code"), REFUSED, ids=starmap(shown, REFUSED))
def test_whoever_may_not_is_told_why_and_nobody_else_hears_of_it(
    tables: dict[str, list[Participant]], phase: str, who: str, message: TableMessage, code: str
) -> None:
    guests = tables[phase]
    (asks,) = (each for each in guests if each.name == who)
    kept = len(asks.network.kept)
    # Reset the count of invalid messages, because a connection may send only a few.
    asks.network.strikes.clear()
    heard = [len(each.received) for each in guests if each is not asks]
    (answer,) = asks.send(message)
    assert isinstance(answer, Refused)
    name, _, values = code.partition(" ")
    assert answer.code == name
    assert not values or str(answer.values) == values
    assert answer.number == (message.number if isinstance(message, Act) else None)
    assert [len(each.received) for each in guests if each is not asks] == heard
    assert len(asks.network.kept) == kept


class OfNoWing(Message, frozen=True):
    """A message that no wing of this program handles."""


@pytest.mark.parametrize("who", "abw")
def test_a_message_that_no_wing_handles_is_unknown_to_everybody(
    tables: dict[str, list[Participant]], who: str
) -> None:
    (asks,) = (each for each in tables["lobby"] if each.name == who)
    effects = asks.network.table.receive(asks.connection, OfNoWing(), asks.network.now)
    assert [each for each in effects if not isinstance(each, Alarm)] == [
        Send(asks.connection, Refused(code="unknown_message"))
    ]
