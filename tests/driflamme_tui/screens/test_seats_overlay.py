"""Tests a latecomer's request for a bot's seat on the screen, and the host's answers to it."""

from typing import Any

from msgspec.structs import replace

from driflamme_tui.screens.overlays.people_overlay import PeopleOverlay
from driflamme_tui.screens.overlays.seats_overlay import SeatsOverlay
from driflamme_tui.screens.table.table_screen import TableScreen
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import AnswerWish, AskSeat, Refused, SeatWish
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    run_cases,
    seats,
    welcome,
)

BOTS = seats("rbgyv", bots="gv", host="r")
"""Gaspard and Vasco are bots, and Rosalind is the host."""
WISHES = (SeatWish("Zoe", "v"), SeatWish("Max", "g"))


def watching(**fields: Any) -> Session:
    """Return the session of a spectator called Zoe."""
    session = evening_session(20, "-", **{"seats": BOTS, "spectators": ("Zoe", "Max"), **fields})
    session.name = "Zoe"
    return session


def hosting(**fields: Any) -> Session:
    given = {"seats": BOTS, "spectators": ("Zoe", "Max"), "wishes": WISHES, **fields}
    return evening_session(20, "r", host=True, **given)


def playing() -> Session:
    return evening_session(20, "b", seats=BOTS, spectators=("Zoe", "Max"), wishes=WISHES)


def answer(wish: SeatWish, *, granted: bool) -> AnswerWish:
    return AnswerWish(name=wish.name, family=wish.family, granted=granted)


BY_KEYS: tuple[tuple[str, list[Message], dict[str, Any]], ...] = (
    ("j enter", [AskSeat("g")], {}),
    ("j down enter", [AskSeat("v")], {}),
    ("j up enter", [AskSeat("v")], {}),
    ("j escape", [], {}),
    ("j minus", [], {}),
    ("j minus", [AskSeat(None)], {"wishes": WISHES}),
    ("j down enter", [], {"wishes": WISHES}),
    ("j enter", [AskSeat("g")], {"wishes": WISHES}),
    ("j enter", [], {"seats": seats("rbgyv", host="r")}),
    ("u", [], {"wishes": WISHES}),
)
"""The keys of a spectator, the messages that the app sends, and conditions of the lobby."""


def test_a_spectator_asks_for_the_seat_of_a_bot_by_keys() -> None:
    async def steps(
        app: SeatedApp, hands: Hands, case: tuple[str, list[Message], dict[str, Any]]
    ) -> None:
        keys, messages, _fields = case
        await hands.type(keys)
        assert app.sent == messages

    run_cases(BY_KEYS, lambda case: watching(**case[2]), steps)


@in_app(lambda: SeatedApp(watching()))
async def test_the_seats_say_whose_they_are_and_what_they_bring(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("j seat")
    await hands.type("j")
    assert isinstance(app.screen, SeatsOverlay)
    for text in ("A game is under way", "Gaspard", "Vasco", "bot: Steady", "influence"):
        assert app.shows(text)
    assert app.shows("If Rosalind agrees, you play Green in place of Gaspard")
    assert not app.shows("withdraw")
    await hands.type("enter")
    assert isinstance(app.screen, TableScreen)
    app.session.receive(replace(app.player_seat.lobby, wishes=(SeatWish("Zoe", "g"),)))
    app.base.session_changed()
    await hands.type("j")
    assert app.shows("Rosalind decides whether you get the seat of Gaspard.")
    assert app.shows("withdraw")
    assert not app.shows("this seat")


@in_app(lambda: SeatedApp(watching()))
async def test_the_seats_close_once_the_reader_has_one(app: SeatedApp, hands: Hands) -> None:
    await hands.type("j")
    seated = replace(BOTS[2], name="Zoe", bot=None)
    taken = (*BOTS[:2], seated, *BOTS[3:])
    app.session.receive(welcome("g"))
    app.session.receive(
        replace(app.player_seat.lobby, seats=taken, spectators=("Max",), you="g", host=False)
    )
    app.base.session_changed()
    await hands.pause()
    assert isinstance(app.screen, TableScreen)
    assert not app.shows("j seat")


REASONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("All seats belong to people", {"seats": seats("rbgyv", host="r")}),
    ("latecomers only watch a game that has begun", {"settings": {"latecomers": "watch"}}),
    ("You play Green at once in place of Gaspard", {"settings": {"latecomers": "sit"}}),
)


def test_a_spectator_reads_why_there_is_no_seat() -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[str, dict[str, Any]]) -> None:
        await hands.type("j")
        assert isinstance(app.screen, SeatsOverlay)
        assert app.shows(case[0])

    run_cases(REASONS, lambda case: watching(**case[1]), steps)


@in_app(lambda: SeatedApp(hosting()))
async def test_the_host_answers_the_oldest_wish_by_one_key(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("j give seat")
    assert app.shows("u refuse")
    await hands.type("j")
    await hands.type("u")
    assert app.sent == [answer(WISHES[0], granted=each) for each in (True, False)]


@in_app(lambda: SeatedApp(hosting(wishes=())))
async def test_without_a_wish_the_keys_of_the_answer_do_nothing(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("j u")
    assert app.sent == []
    assert not app.shows("j give seat")
    assert isinstance(app.screen, TableScreen)


@in_app(lambda: SeatedApp(hosting()))
async def test_the_host_answers_each_wish_in_the_list_of_people(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w up")
    assert isinstance(app.screen, PeopleOverlay)
    assert app.shows("watching, would like the seat of Gaspard")
    assert app.shows("j let them have the seat of Gaspard")
    await hands.type("j u")
    assert app.sent == [answer(WISHES[1], granted=each) for each in (True, False)]


@in_app(lambda: SeatedApp(playing()))
async def test_players_read_of_wishes_and_cannot_answer_them(app: SeatedApp, hands: Hands) -> None:
    await hands.type("j u w")
    assert app.sent == []
    assert app.shows("watching, would like the seat of Vasco")


@in_app(lambda: SeatedApp(watching()))
async def test_a_refusal_is_a_sentence_and_the_table_stays(app: SeatedApp, hands: Hands) -> None:
    refused = Refused(code="refused_lately", values={"seconds": 30})
    app.session.receive(refused)
    app.base.session_changed()
    await hands.type("j")
    assert app.shows("The host has just refused: ask again in 30 s.")


@in_app(lambda: SeatedApp(playing()))
async def test_players_read_who_has_got_the_seat_of_a_bot(app: SeatedApp, hands: Hands) -> None:
    app._disable_notifications = False
    before = app.player_seat.lobby
    taken = tuple(replace(each, name="Zoe", bot=None) if each.bot else each for each in BOTS[:3])
    await hands.receive(replace(before, seats=(*taken, *BOTS[3:]), spectators=("Max",), wishes=()))
    await hands.until(lambda: [*app._notifications])
    sentences = [each.message for each in app._notifications]
    assert "Zoe takes the seat of Gaspard." in sentences
