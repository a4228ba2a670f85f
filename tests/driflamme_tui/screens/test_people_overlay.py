"""Tests the list of people, and the host's decisions about them."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from driflamme_tui.screens.overlays.people_overlay import PeopleOverlay
from netcode.client.session import Session
from netcode.protocol.fields import MAXIMUM_SPECTATORS, Message, checked_struct
from netcode.protocol.messages import (
    Absent,
    EndGame,
    Mute,
    NewInvitation,
    Pause,
    Refused,
    SendAway,
    Silence,
)
from tests.support.by_hand import click
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    gathered,
    in_app,
    lobby,
    run_app,
    run_cases,
    seats,
)

AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})
"""Red has just left, the host waits for Green, a bot plays for Violet, and Yellow is a bot."""

SPECTATORS = ("Zoe", "Max")


def table(*, host: bool = True, **fields: object) -> Session:
    given = {"seats": AWAY, "spectators": SPECTATORS, "secret": bytes(12), **fields}
    return evening_session(43, "b", host=host, **given)


def selected(app: SeatedApp) -> str | None:
    """Return the name of the selected person; None without a selection."""
    assert isinstance(app.screen, PeopleOverlay)
    person = app.screen.chosen
    return None if person is None else person.name


def on_top(app: SeatedApp) -> str:
    """Return the class name of the uppermost screen."""
    return type(app.screen).__name__


async def click_text(app: SeatedApp, hands: Hands, text: str) -> None:
    """Click the first place of a text in the overlay; fail if the text is not there."""
    region = app.screen.query_one("#overlay").region
    for y, row in enumerate(app.rows()[region.y : region.bottom]):
        if text in row[region.x : region.right]:
            await hands.click_at("#overlay", row.index(text, region.x) - region.x, y)
            return
    raise AssertionError(f"{text} is not there")


def test_everybody_sees_who_is_here() -> None:
    async def steps(app: SeatedApp, hands: Hands, host: bool) -> None:
        await click(app, hands, "key w")
        assert on_top(app) == "PeopleOverlay"
        rows = "\n".join(" ".join(row.split()) for row in app.rows())
        for line in (
            "▲r Rosalind away; a bot takes over after 20 s",
            "●b Blaise you, host",
            "◆g Gaspard away; everybody waits for them",
            "★y Yvette bot: Steady",
            "■v Vasco away; a bot plays for them, muted",
            "Zoe watching",
            "Max watching, muted",
        ):
            assert line in rows, line
        for choice in (
            "send them away",
            "pause the game",
            "end the game, unfinished",
            "let only players write",
            "make a new invitation",
        ):
            assert app.shows(choice) == host

    run_cases((True, False), lambda host: table(host=host, muted=("Vasco", "Max")), steps)


def absent(family: str, choice: str) -> Absent:
    return checked_struct({"family": family, "choice": choice}, Absent)


BY_KEYS: tuple[tuple[str, Message, Mapping[str, Any]], ...] = (
    ("h", absent("r", "wait"), {}),
    ("b", absent("r", "bot"), {}),
    ("g y", SendAway(name="Rosalind"), {}),
    ("up g y", SendAway(name="Max"), {}),
    ("down down h", absent("g", "wait"), {}),
    ("up up up b", absent("v", "bot"), {}),
    ("l", absent("r", "admit"), {}),
    ("up up m", Mute(name="Zoe", muted=True), {}),
    ("up m", Mute(name="Max", muted=False), {}),
    ("space", Pause(paused=True), {}),
    ("s", Silence(silenced=True), {}),
    ("e y", EndGame(), {}),
    ("r y", NewInvitation(), {}),
    ("space", Pause(paused=False), {"paused": True}),
    ("s", Silence(silenced=False), {"silenced": True}),
)
"""Keys pressed with Rosalind selected, the first absent person; the message that the app sends; and
conditions of the lobby.
"""


def test_the_host_decides_by_keys() -> None:
    async def steps(
        app: SeatedApp, hands: Hands, case: tuple[str, Message, Mapping[str, Any]]
    ) -> None:
        keys, message, _fields = case
        await hands.type("w")
        await hands.type(keys)
        assert app.sent == [message]
        assert on_top(app) == "PeopleOverlay"

    run_cases(BY_KEYS, lambda case: table(muted=("Max",), **case[2]), steps)


@in_app(lambda: SeatedApp(table(muted=("Max",))))
async def test_the_host_decides_by_mouse(app: SeatedApp, hands: Hands) -> None:
    await hands.type("w")
    for clicks, message in (
        ("wait for them", absent("r", "wait")),
        ("send them away, Remove (y)", SendAway(name="Rosalind")),
        ("end the game, End it (y)", EndGame()),
        ("Gaspard, let a bot play until", absent("g", "bot")),
        ("Max, let them write again", Mute(name="Max", muted=False)),
        ("pause the game", Pause(paused=True)),
    ):
        app.sent.clear()
        for text in clicks.split(", "):
            await (hands.click_on(text) if "(y)" in text else click_text(app, hands, text))
        assert app.sent == [message], clicks


def test_enter_offers_what_the_host_can_do_with_somebody_and_does_not_close() -> None:
    async def steps(app: SeatedApp, hands: Hands, host: bool) -> None:
        await hands.type("w enter")
        assert on_top(app) == ("CommandMenu" if host else "PeopleOverlay")
        if host:
            assert app.shows("wait for the chosen person")
            await hands.press("down", "enter")
            assert app.sent == [absent("r", "wait")]
            assert on_top(app) == "PeopleOverlay"

    run_cases((True, False), lambda host: table(host=host), steps)


def test_of_whom_all_are_silenced_nobody_is_muted() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("w")
        await click_text(app, hands, "Zoe")
        assert not app.shows("mute in the chat")
        await click_text(app, hands, "Rosalind")
        assert app.shows("mute in the chat")

    everybody = seats("rbgyv", bots="y", host="b")
    run_app(SeatedApp(table(silenced=True, seats=everybody)), steps)


def test_a_seat_is_given_away_only_after_a_yes() -> None:
    async def steps(app: SeatedApp, hands: Hands, no: str) -> None:
        await hands.type("w y g")
        assert app.shows("Remove Rosalind, and give the seat to a bot for good?")
        assert app.shows("They could watch with the invitation")
        await (hands.click_on("Cancel") if no == "click" else hands.type(no))
        assert app.shows("send them away")
        await hands.type("y")
        assert app.sent == []
        assert on_top(app) == "PeopleOverlay"

    run_cases(("n", "click"), lambda _no: table(), steps)


@in_app(lambda: SeatedApp(table()))
async def test_what_is_decided_now_is_marked_and_who_comes_back_keeps_the_seat(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w")
    assert not app.shows("(now)")
    await hands.type("down down")
    assert app.shows("h wait for them (now)")
    await hands.type("down down")
    assert app.shows("b let a bot play until they are back (now)")
    await hands.type("up up up up g")
    back = seats("rbgyv", away="gv", bots="y", host="b", how={"g": "wait", "v": "bot"})
    app.receive(lobby("rbgyv", "b", host=True, seats=back))
    await hands.type("y h b")
    assert app.sent == []
    assert app.shows("send them away")
    assert not app.shows("takes over after"), "the list follows the table"


@in_app(lambda: SeatedApp(table()))
async def test_who_is_away_from_a_result_can_be_let_in(app: SeatedApp, hands: Hands) -> None:
    app.receive(lobby("rbg", "b", phase="result", host=True, seats=seats("rbg", away="g")))
    await hands.type("w l")
    assert app.sent == [absent("g", "admit")]
    assert not app.shows("a bot takes over"), "nothing is played"
    let_in = tuple(replace(seat, admits=seat.family == "g") for seat in seats("rbg", away="g"))
    await hands.receive(lobby("rbg", "b", phase="result", host=True, seats=let_in))
    assert app.shows("let them in from another machine (now)")


@in_app(lambda: SeatedApp(table()))
async def test_there_is_nothing_to_decide_about_oneself_a_bot_or_somebody_present(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w down")
    assert app.shows("This is you: others see your name")
    await hands.type("h b g y m")
    await hands.type("down down h b g y m")
    assert app.shows("A bot decides here by itself. Steady weighs gains")
    assert app.sent == []


@in_app(lambda: SeatedApp(table(host=False)))
async def test_a_guest_decides_nothing(app: SeatedApp, hands: Hands) -> None:
    await hands.type("w h b g y m space s e y r y")
    assert app.sent == []


@in_app(lambda: SeatedApp(evening_session(44, "b", host=True, seats=seats("rbgyv", host="b"))))
async def test_whoever_is_asked_and_silent_can_be_answered_for_by_a_bot(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w")
    await click_text(app, hands, "Gaspard")
    assert not app.shows("let a bot answer")
    await click_text(app, hands, "Rosalind")
    assert app.shows("b let a bot answer if they do not within a minute")
    await hands.type("b")
    assert app.sent == [absent("r", "bot")]


@in_app(lambda: SeatedApp(gathered("rbg", "b")))
async def test_everybody_reads_in_the_lobby_who_has_ended_the_game(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(lobby("rbg", "b", phase="lobby", ended_by="Rosalind"))
    assert app.shows("Rosalind has ended the game: it stays unfinished.")


@in_app(lambda: SeatedApp(table(invitation="driflamme join 10.0.0.1")))
async def test_a_refusal_is_told_in_the_list_and_the_invitation_is_a_key_away(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("w h")
    await hands.receive(Refused(code="not_away", values={"family": "r"}))
    assert app.shows("▲r Rosalind is not away: there is nothing to decide.")
    await hands.type("i")
    assert on_top(app) == "InvitationOverlay"
    await hands.type("escape escape")
    assert on_top(app) == "LiveScreen"


SPECTATORS_AT_MOST = tuple(f"Spectator {n}" for n in range(MAXIMUM_SPECTATORS))


@in_app(lambda: SeatedApp(table(spectators=SPECTATORS_AT_MOST)))
async def test_the_longest_list_is_gone_through(app: SeatedApp, hands: Hands) -> None:
    await hands.type("w")
    for name in (SPECTATORS_AT_MOST[0], SPECTATORS_AT_MOST[-1], "Rosalind"):
        while selected(app) != name:
            await hands.type("down")
        assert app.shows(name), name
        assert app.shows("Space pause the game")


@in_app(lambda: SeatedApp(evening_session(43, "-", spectators=SPECTATORS)))
async def test_a_spectator_is_told_which_one_they_are(app: SeatedApp, hands: Hands) -> None:
    app.session.name = "Zoe"
    await hands.type("w")
    assert app.shows("Zoe watching, you")


# In the lobby and after a game


def test_outside_a_game_there_is_nobody_to_wait_for_and_nothing_to_pause() -> None:
    given = {"host": True, "seats": AWAY, "spectators": SPECTATORS}
    sessions = {
        "lobby": gathered("rbgyv", "b", **given),
        "result": evening_session(86, "b", **given),
    }

    async def steps(app: SeatedApp, hands: Hands, _where: str) -> None:
        await click(app, hands, "key w")
        assert on_top(app) == "PeopleOverlay"
        await hands.type("h b e y space r y")
        assert app.sent == []
        await hands.type("up m")
        assert app.sent == [Mute(name="Max", muted=True)]

    run_cases(sessions, sessions.__getitem__, steps, result=True)
