"""Tests the result of a game, and the way to the next game, in the app."""

import re
from pathlib import Path

import pytest

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.frame_diff import ConnectionSpeed
from driflamme_tui.screens.base.messages import LookBack
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.overlays.shared_overlay import PiecesOverlay
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from engine.record import Holder, RecordedPlayer
from netcode.client.session import Session
from netcode.protocol.evening import Evening, Standing
from netcode.protocol.messages import (
    BackToLobby,
    ChooseFamily,
    SetReady,
)
from tests.support.by_hand import (
    EMPTY,
    OVER,
    THEIRS,
    click,
    table_app,
)
from tests.support.scenes import BOTS, LONG_NAMES, ended
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    lobby,
    run_app,
    seats,
    seen,
    session_at,
    state,
)


def shows(app: SeatedApp, kind: type[object]) -> bool:
    return isinstance(app.screen, kind)


@in_app(lambda: SeatedApp(evening_session(86, "b")))
async def test_from_the_end_of_the_game_to_the_result_and_back(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("You win with 20!")
    for there in ("enter", "bar"):
        await (hands.type(there) if there == "enter" else click(app, hands, there))
        assert shows(app, ResultScreen)
        assert app.shows("1. ●b Blaise (you)")
        await hands.type("v")
        assert shows(app, TableScreen)
    await hands.type("v")
    assert shows(app, ResultScreen), "one key goes there and back"


@in_app(lambda: table_app(THEIRS))
async def test_enter_between_the_last_view_and_the_word_that_it_was_the_last_is_not_lost(
    app: SeatedApp, hands: Hands
) -> None:
    at = seen(OVER)
    app.receive(state(at, 2))
    await hands.type("enter")
    assert shows(app, TableScreen)
    await hands.receive(lobby("rbg", "b", phase="result"))
    assert shows(app, ResultScreen)
    await hands.receive(lobby("rbg", "b"), state(seen(EMPTY), 3))
    assert shows(app, TableScreen)
    await hands.receive(state(at, 4), lobby("rbg", "b", phase="result"))
    assert shows(app, TableScreen), "the end of another game is seen first"


@in_app(lambda: SeatedApp(evening_session(86, "b"), result=True))
async def test_another_game_with_the_same_people_is_counted_down(
    app: SeatedApp, hands: Hands
) -> None:
    async def ready(families: str, **fields: object) -> None:
        there = seats("rbgyv", ready=families, bots="yv")
        await hands.receive(lobby("rbgyv", "b", phase="result", seats=there, **fields))

    await hands.type("enter")
    assert app.sent == [SetReady(ready=True)]
    await ready("bg")
    assert app.shows("Blaise and Gaspard would like another game; 1 person has not answered")
    await ready("b")
    sentence = "Blaise would like another game; 2 people have not answered yet."
    assert app.shows(sentence)
    await hands.type("v")
    assert app.shows(f"-- {sentence}")
    await hands.type("v enter")
    assert app.sent[-1] == SetReady(ready=False)
    await ready("")
    await hands.click_on("Enter: another game")
    assert app.sent[-1] == SetReady(ready=True)
    app.sent.clear()
    await hands.type("v")
    assert app.table.is_current
    await ready("rbg", count_s=3)
    assert isinstance(app.screen, ResultScreen), "it is counted there"
    await hands.wait(1.5)
    assert app.shows("The game begins in 2: Enter stops it.")
    assert not app.shows("would like another game"), "nobody is waited for"
    await hands.type("enter")
    assert app.sent == [SetReady(ready=False)]
    await ready("rg")
    assert app.shows("The countdown has stopped.")


@in_app(lambda: SeatedApp(evening_session(86, "b"), result=True))
async def test_after_a_decided_evening_another_one_is_offered_and_a_guest_goes_nowhere_else(
    app: SeatedApp, hands: Hands
) -> None:
    standings = (Standing("Blaise", 2, 30), Standing("Rosalind", 0, 20))
    fields = {"settings": {"best_of": 3}, "evening": Evening(games=2, standings=standings)}
    await hands.receive(lobby("rbgyv", "b", phase="result", **fields))
    assert app.shows("Enter: another evening with the same people")
    assert not app.shows("back to the lobby")
    ready = seats("rbgyv", ready="b")
    await hands.receive(lobby("rbgyv", "b", phase="result", seats=ready, **fields))
    assert app.shows("Blaise would like another evening; 4 people have not answered yet.")


TIED = "2 6 - rH,bL,gS,gl,yA *r9,b8,g3,y3,v2"


@in_app(lambda: SeatedApp(session_at(seen(TIED)), result=True), (60, 20))
async def test_a_tie_is_explained_where_there_is_little_room(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("tie: 2 cards in the Queue against 1")


@in_app(lambda: SeatedApp(evening_session(86, "-"), result=True))
async def test_a_spectator_of_the_result_sits_down_for_the_next_game_where_a_seat_is_free(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("B L A I S E W I N S W I T H 2 0")
    assert not app.shows("another game with the same people")
    await hands.receive(lobby("rbgyv", None, phase="result"))
    await hands.type("enter")
    assert app.sent == []
    await hands.receive(lobby("rbg", None, phase="result", seats=seats("rbgy")))
    assert app.shows("Enter: sit down for the next game")
    await hands.type("enter")
    assert app.sent == [ChooseFamily(family="v")]
    await hands.receive(lobby("rbg", None, phase="result", seats=seats("rbgy"), count_s=3))
    assert app.shows("The game begins in 3.")
    await hands.type("enter")
    assert len(app.sent) == 1, "sitting down would stop the count"


def test_what_was_copied_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("h")
        assert isinstance(app.screen, PiecesOverlay)
        assert app.shows("Copied: ready to share")
        assert app.shows("Blaise wins with 20")
        assert not [*tmp_path.iterdir()], "no file was asked for"
        await hands.type("escape")
        assert isinstance(app.screen, ResultScreen)

    run_app(SeatedApp(ended(), result=True), steps)


@in_app(lambda: SeatedApp(evening_session(86, "b", host=True), result=True))
async def test_the_host_goes_back_to_the_lobby(app: SeatedApp, hands: Hands) -> None:
    await hands.type("l")
    assert app.sent == [BackToLobby()]
    await click(app, hands, "key l")
    assert app.sent == [BackToLobby()] * 2
    await hands.receive(lobby("rbgyv", "b", phase="lobby", host=True))
    assert isinstance(app.screen, LobbyScreen)


def ended_with_long_names() -> Session:
    session = ended()
    assert session.record is not None
    players = tuple(RecordedPlayer(seat.family, seat.name) for seat in LONG_NAMES)
    session.record = session.record._replace(players=players)
    return session


@in_app(lambda: SeatedApp(ended_with_long_names(), result=True), (120, 40))
async def test_names_are_as_long_as_they_like(app: SeatedApp, hands: Hands) -> None:
    await hands.receive(lobby("rbgyv", "b", phase="result", seats=LONG_NAMES))
    for seat in LONG_NAMES:
        assert all(map(app.shows, seat.name.split())), seat.name


def ended_after_a_change_of_holder() -> Session:
    session = ended()
    assert session.record is not None
    first, *others = session.record.players
    taken = first._replace(name="Rosalind").taken_by(Holder("Aubin", "steady", 30, 400))
    session.record = session.record._replace(players=(taken, *others))
    return session


@in_app(lambda: SeatedApp(ended_after_a_change_of_holder(), result=True), (120, 40))
async def test_the_result_says_who_held_a_seat_before(app: SeatedApp, hands: Hands) -> None:
    assert app.shows("After 30 decisions Aubin (Steady) took the seat of Rosalind.")
    assert app.shows("Aubin")


@pytest.mark.parametrize("size", [(60, 40), (80, 40), (120, 40)])
def test_the_result_shows_the_level_of_each_bot(size: tuple[int, int]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.place.saw_result = True
        app.enter(evening_session(EVENING_STEPS, "b", host=True, seats=BOTS))
        await hands.pause()
        words = " ".join(app.rows()).split()
        for name, level in ("Aubin", "Sharp"), ("Corentin", "Steady"), ("Enguerrand", "Grand"):
            assert level in words[words.index(name) : words.index(name) + 8]
        assert app.shows("Blaise (you)"), "in one row"
        assert "best" in words, "no column is cut off"

    run_app(SeatedApp(evening_session(0)), steps, size)


@in_app(lambda: SeatedApp(ended(), result=True))
async def test_the_decisive_moments_and_the_meaning_of_the_charts_signs_are_seen_at_once(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("DECISIVE MOMENTS")
    moments = app.screen.query_one("#moments")
    assert app.screen.query_one("#scroll").region.contains_region(moments.region)
    await hands.type("c")
    assert app.shows("1 to 6: rounds ✕: elimination !: decisive moment")


def test_keys_open_the_replay_at_its_beginning_at_a_moment_or_to_learn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[LookBack] = []
    monkeypatch.setattr(DriflammeApp, "on_look_back", lambda _app, message: looks.append(message))

    async def steps(app: SeatedApp, hands: Hands) -> None:
        screen = app.base
        assert isinstance(screen, ResultScreen)
        assert screen.playback is not None
        moments = [*screen.playback.turning_points]
        for key, step, learns in (
            *(("r", 0, False), ("m", 0, True)),
            *((str(number), step, False) for number, step in enumerate(moments, 1)),
        ):
            await hands.type(key)
            look = looks.pop()
            assert (look.step, look.learns, look.own) == (step, learns, (1,)), key
            assert look.replay.record is app.session.record
        await hands.type(str(len(moments) + 1))
        app.session.record = None
        app.place.show()
        for key in ("r", "m", "1", "s", "h"):
            await hands.type(key)
        assert looks == []
        screen.action_seek(3)
        assert looks == []
        assert app.shows("The table has not sent the record of this game")

    run_app(SeatedApp(ended(), result=True), steps)


@in_app(lambda: SeatedApp(ended(), result=True))
async def test_bars_and_their_numbers_grow_until_their_time_is_over_or_a_key_is_pressed(
    app: SeatedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = app.base
    assert isinstance(screen, ResultScreen)

    def arrive() -> None:
        """Begin as a screen does that the app shows now, but without its timer."""
        app.animation_level = "full"
        screen.on_mount()
        app.animation_level = "none"
        screen.sync()

    def influence() -> int:
        row = next(row for row in app.rows() if "Blaise (you)" in row)
        return int(re.findall(r" (\d+) ", row)[0])

    assert influence() == 20, "without animations nothing grows"
    arrive()
    assert influence() == 0
    assert screen.next_change(app.now) == pytest.approx(1 / 12)
    app.now += 0.4
    screen.sync()
    assert influence() == 10
    app.now += 0.41
    screen.sync()
    assert influence() == 20
    screen.tick()
    assert screen.next_change(app.now) is None
    arrive()
    assert influence() == 0
    await hands.type("f9")
    assert influence() == 20
    assert screen.next_change(app.now) is None
    monkeypatch.setattr(ConnectionSpeed, "is_slow", True)
    arrive()
    assert influence() == 20, "a slow connection shows the end at once"
