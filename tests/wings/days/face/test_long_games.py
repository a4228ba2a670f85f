"""Tests the texts and commands for a player at a table whose games may last for days."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import Input, Static

from driflamme_tui.cli.opening_options import Opening
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.screens.base.overlay import InputOverlay
from driflamme_tui.text import i18n
from driflamme_tui.wings.days import guide
from driflamme_tui.wings.days.ahead.ahead_overlay import AheadOverlay
from driflamme_tui.wings.days.ahead.confirmed_values import confirmed_values, parse_address
from driflamme_tui.wings.days.call_overlay import CallOverlay
from driflamme_tui.wings.days.settings import SETTINGS, DaysLobbyCommands, local_offset
from driflamme_tui.wings.days.table_options import LongGameOptions
from engine.texts import ExplainedError
from netcode.client.session import Session
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.messages import ChangeSettings
from netcode.wings.days.messages import (
    ADDRESS_LENGTH,
    CallSet,
    Condition,
    Conditions,
    SetCall,
    SetConditions,
)
from netcode.wings.days.pauses import EVENING_S, HOUR_S, MORNING_S
from netcode.wings.days.settings import offset_minutes
from tests.support.tables import Hands, SeatedApp, in_app, run_app, seats
from tests.wings.days.long_tables import (
    CALLS,
    CONDITION,
    NOW,
    PLACED,
    long_lobby,
    long_session,
)

WRONG_ADDRESSES: Final = ("/me", "-x", "|sh", "a\x1bb", "x" * (ADDRESS_LENGTH + 1))
ADDRESS_RULE: Final = (
    "Type an address of at most 100 letters, digits and signs, which begins with a letter, a digit"
    " or one of @ ! # +."
)


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: float(NOW))


def at_table(**fields: Any) -> SeatedApp:
    return SeatedApp(long_session(**fields))


# The lobby


@in_app(lambda: SeatedApp(long_lobby({})), (120, 40))
async def test_the_host_makes_a_game_long(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("Long game")
    assert not app.shows("Clock stops"), "it matters only in a long game"
    await hands.press("4")
    (message,) = app.sent
    assert isinstance(message, ChangeSettings)
    assert message.settings.value("days.hours") == 6
    assert offset_minutes(message.settings.value("days.offset")) is not None


@in_app(lambda: SeatedApp(long_lobby()), (120, 40))
async def test_a_long_games_lobby_says_that_people_may_leave(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("1 day per decision")
    assert app.shows("leave whenever you like, and your seat stays yours")
    for key, name, value in (("5", "days.bank", 24), ("6", "days.pauses", "nights")):
        await hands.press(key)
        message = app.sent[-1]
        assert isinstance(message, ChangeSettings)
        assert message.settings.value(name) == value


def test_the_offset_is_one_that_the_table_takes() -> None:
    (offset,) = local_offset().values()
    assert offset_minutes(offset) is not None


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({}, {}),
        ({"hours": 24}, {"days.hours": 24}),
        ({"bank": 48, "pauses": "both"}, {"days.bank": 48, "days.pauses": "nights_weekends"}),
        ({"pauses": "never"}, {"days.pauses": ""}),
    ],
)
def test_options_become_settings(given: dict[str, object], settings: dict[str, object]) -> None:
    opening = Opening()
    usual: dict[str, object] = {"hours": None, "bank": None, "pauses": None}
    LongGameOptions(**{**usual, **given}).add_to(opening)
    assert opening.settings == (settings and {**settings, **local_offset()})


# The list of people


@in_app(at_table)
async def test_the_list_of_people_tells_the_time_left_and_the_ways(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.press("w")
    assert app.shows("Gaspard has 2 hours left; then a bot answers once.")
    assert app.shows("c: get a call when it is your turn.")
    assert app.shows("f: leave a card face down without being asked.")


@in_app(at_table)
async def test_the_table_says_how_much_time_is_left(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("2 hours left")
    assert app.shows("Gaspard has 2 hours left; then a bot answers once.")


NIGHTLY: Final[dict[str, object]] = {"added": {"days.hours": 24, "days.pauses": "nights"}}
"""The settings of a table whose clock stands still at night."""


@in_app(lambda: at_table(settings=NIGHTLY, parts={"days": {"until": NOW + 42 * HOUR_S}}))
async def test_the_time_left_names_the_pauses_that_it_contains(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.press("w")
    assert app.shows("42 hours left")
    assert app.shows("Gaspard has 24 hours, 42 hours with pauses; then a bot answers once.")


def test_every_text_about_nights_names_their_hours() -> None:
    hours = f"from {EVENING_S // HOUR_S}:00 to {MORNING_S // HOUR_S}:00"
    texts = SETTINGS[DaysLobbyCommands.pauses].texts
    assert hours in texts["nights"].meaning
    assert hours in texts[None].meaning
    page = Path(guide.__file__).with_name("prose") / "days.md"
    assert hours in page.read_text("utf-8")


def test_lines_name_absent_players_and_the_time_of_the_player_who_must_answer() -> None:
    session = long_session(seats=seats("rbgyv", away="g"))
    player, lobby = PlainPlayer(session), session.lobby
    assert lobby is not None
    lines = player.news(lobby)
    assert "Gaspard has a seat as Green, and is away." in lines
    assert not any("Gaspard sits" in line for line in lines)
    assert "Gaspard has 2 hours left; then a bot answers once." in typed(player, "?")[0]


def test_the_button_of_each_window_that_asks_for_a_line_is_translated() -> None:
    catalogue = Path(i18n.__file__).parents[1] / "locale/fr/LC_MESSAGES/driflamme.po"
    known = catalogue.read_text("utf-8")
    kinds = [CallOverlay, *InputOverlay.__subclasses__()]
    for each in (kind for kind in kinds if hasattr(kind, "done")):
        assert f'msgid "{each.done}"' in known


@in_app(at_table, (60, 20))
async def test_a_narrow_table_shows_the_hours_before_the_delay(
    app: SeatedApp, hands: Hands
) -> None:
    app.player_seat.latency_ms = 2
    app.place.show()
    await hands.pause()
    assert "2 hours left" in app.rows()[0]


@pytest.mark.parametrize("fields", [{"settings": {}}, {"parts": {}}, {"parts": {"days": {}}}])
def test_an_ordinary_table_says_nothing_about_hours(fields: dict[str, Any]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert not app.shows("left")

    run_app(at_table(**fields), steps)


@in_app(at_table)
async def test_an_address_is_set_and_confirmed(app: SeatedApp, hands: Hands) -> None:
    await hands.press("w", "c")
    assert isinstance(app.screen, CallOverlay)
    app.screen.query_one(Input).value = " ann@example.org "
    await hands.press("enter")
    assert app.sent == [SetCall("ann@example.org")]
    confirmed_values(app.session).address = "ann@example.org"
    app.place.show()
    await hands.pause()
    assert app.shows("c: calls go to ann@example.org when it is your turn.")
    await hands.press("c")
    assert app.screen.query_one(Input).value == "ann@example.org"
    await hands.press("escape")
    assert len(app.sent) == 1


@pytest.mark.parametrize("wrong", WRONG_ADDRESSES)
def test_a_wrong_address_is_explained_and_not_sent(wrong: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("w", "c")
        app.screen.query_one(Input).value = wrong
        await hands.press("enter")
        assert isinstance(app.screen, CallOverlay)
        assert " ".join(str(app.screen.query_one("#dialog-notice", Static).content).split()) == (
            ADDRESS_RULE
        )
        assert not app.sent

    run_app(at_table(), steps)


@given(st.text() | st.text(st.sampled_from("a @!#+-/|\t\x1b"), max_size=ADDRESS_LENGTH + 1))
def test_a_typed_address_is_one_that_a_host_takes_or_is_explained(text: str) -> None:
    with suppress(ExplainedError):
        message = SetCall(parse_address(text))
        assert decode_client(encode(message)) == message


@pytest.mark.parametrize(
    "fields",
    [{"parts": {"days": {}}}, {"settings": {}}, {"parts": {}}, {"viewer": "-"}],
)
def test_nobody_is_asked_for_an_address_that_nobody_calls(fields: dict[str, Any]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("w", "c")
        assert not app.shows("get a call when it is your turn.")
        assert not isinstance(app.screen, CallOverlay)

    run_app(at_table(**fields), steps)


def test_everybody_reads_for_whom_a_bot_has_answered() -> None:
    session = long_session(parts={"days": {**CALLS, "until": 0, "late": "Gaspard"}})
    sentence = "The time of Gaspard was up, and a bot answered once."

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("w")
        assert app.shows(sentence)
        assert not app.shows("then a bot answers once"), "nobody's time runs"

    run_app(SeatedApp(session), steps)
    player = plain(long_session())
    assert session.lobby is not None
    player.session.receive(session.lobby)
    assert player.news(session.lobby) == [sentence]


# Answers for later questions


@in_app(at_table)
async def test_a_card_is_left_without_being_asked(app: SeatedApp, hands: Hands) -> None:
    await hands.press("w", "f")
    assert isinstance(app.screen, AheadOverlay)
    assert app.shows("3 ●b Heir")
    assert app.shows("ask me")
    await hands.press("right")
    first = app.sent[-1]
    assert first == SetConditions((Condition(card="bH", until_round=2),))
    confirmed_values(app.session).conditions = first.conditions
    app.place.show()
    await hands.pause()
    assert app.shows("leave until round 2")
    await hands.press("left")
    assert app.sent[-1] == SetConditions(())
    await hands.press("left")
    assert app.sent[-1] == SetConditions(())
    confirmed_values(app.session).conditions = ()
    await hands.press("left")
    assert app.sent[-1] == SetConditions((Condition(card="bH", until_round=6),))
    sent = len(app.sent)
    await hands.press("enter")
    assert app.table.is_current
    assert len(app.sent) == sent, "Enter confirms, and changes nothing"
    confirmed_values(app.session).conditions = (CONDITION,)
    app.place.show()
    await hands.pause()
    assert app.shows("f: 1 card is left without a question.")


OFFER: Final = "f: leave it until a later round"
AT_CARD: Final = 7
"""The step of the evening at which the table asks Blaise about a face-down card."""


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_the_question_itself_offers_to_leave_the_card_for_longer(
    size: tuple[int, int],
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows(OFFER)
        for answer in ("+ Leave", "! Reveal", "HAND 6"):
            assert app.shows(answer), "the offer hides nothing"
        await hands.press("f")
        assert isinstance(app.screen, AheadOverlay)
        assert app.screen.chosen == ("bH", 3)
        await hands.press("right")
        assert app.sent == [SetConditions((Condition(card="bH", until_round=2),))]
        await hands.press("escape")
        assert app.shows(OFFER), "the question is still open"

    run_app(at_table(step=AT_CARD), steps, size)


@pytest.mark.parametrize("fields", [{"settings": {}}, {"step": PLACED}, {"step": 9}, {"step": 0}])
def test_nothing_is_offered_where_no_card_can_be_left_for_days(fields: dict[str, Any]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert not app.shows("leave it until")
        await hands.press("f")
        assert not isinstance(app.screen, AheadOverlay)

    run_app(at_table(**{"step": AT_CARD, **fields}), steps)


def test_without_a_face_down_card_nothing_can_be_left() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("w", "f")
        assert app.shows("You have no face-down card in the Queue.")
        await hands.press("right")
        assert not app.sent

    run_app(at_table(step=9), steps)


# Line by line


def plain(session: Session) -> PlainPlayer:
    player = PlainPlayer(session)
    session_lines = player.news(session.lobby)  # type: ignore[arg-type]
    assert session_lines is not None
    return player


def typed(player: PlainPlayer, text: str) -> tuple[list[str], list[object]]:
    reply = player.line(text)
    return [*reply.lines], [*reply.messages]


def test_calls_and_answers_ahead_line_by_line() -> None:
    session = long_session()
    player = plain(session)
    assert typed(player, "call ann@example.org") == ([], [SetCall("ann@example.org")])
    assert typed(player, "no call") == ([], [SetCall("")])
    for wrong in WRONG_ADDRESSES:
        assert typed(player, f"call {wrong}") == ([ADDRESS_RULE], [])
    lines, _messages = typed(player, "ahead")
    assert lines[:3] == [
        "Card 1, your Heir at 3: ask me.",
        "Instruction 1: ask me.",
        "Instruction 2: leave until round 2 begins.",
    ]
    assert lines[-1] == (
        "Type ahead, the number of a card and that of an instruction, such as: ahead 1 2."
    )
    assert typed(player, "ahead 1 2")[1] == [SetConditions((Condition(card="bH", until_round=2),))]
    for wrong in ("ahead 2 1", "ahead 1 9", "ahead x", "ahead 0 1"):
        assert typed(player, wrong) == (lines, [])
    assert typed(plain(long_session(9)), "ahead") == (
        ["You have no face-down card in the Queue."],
        [],
    )


def test_the_hosts_confirmations_are_told_line_by_line() -> None:
    player = plain(long_session())
    assert player.news(CallSet("ann@example.org")) == ["Calls go to ann@example.org."]
    assert player.news(CallSet("")) == ["You get no calls."]
    assert player.news(Conditions(())) == [], "the host sends this on each arrival"
    assert player.news(Conditions((CONDITION,))) == ["Heir: leave until round 3 begins."]
    assert player.news(Conditions(())) == ["The table asks you about every card."]
    assert player.news(Conditions(())) == []


def test_settings_are_changed_by_their_words() -> None:
    session = long_lobby({})
    _lines, (message,) = typed(plain(session), "hours 24")
    assert isinstance(message, ChangeSettings)
    assert message.settings.value("days.hours") == 24


def test_the_lobby_names_the_way_to_be_called() -> None:
    session = long_lobby(parts=CALLS)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("your seat stays yours. w, c: get calls.")

    run_app(SeatedApp(session), steps, (60, 30))
    lines = plain(session).line("?").lines
    assert any("To get calls, type call and an address." in line for line in lines)
