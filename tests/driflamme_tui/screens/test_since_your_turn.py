"""Tests that events since the reader's last answer are highlighted and can be shown again."""

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import DARK
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.motion_frames import SURPRISE_S, Weight
from driflamme_tui.screens.table.animation import SINCE_S
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.info_panels import Events
from engine.actions import ACTIONS
from engine.events import Eliminated, Event
from engine.notation import parse_position
from engine.views import project, view
from netcode.protocol.messages import State
from tests.engine.lines import whole
from tests.support.by_hand import ARCHER
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    chat_message,
    evening_session,
    in_app,
    run_app,
    seen,
    session_at_line,
    state,
    state_of,
)


def sprung(viewer: str = "b") -> tuple[str, State]:
    """Return a position, and the host's message when Red's Soldier eliminates Green's Ambush."""
    line = whole("2 4 rS2 gm,rS,rh1,bL *r3,b2,g3")
    game, events = parse_position(line), list[Event]()
    seat = game.seat_of(viewer)
    after = game.play(ACTIONS["x1"], events)
    return line, state(view(after, seat), 2, [project(event, seat) for event in events])


def table_app() -> SeatedApp:
    app = SeatedApp(session_at_line(sprung()[0]))
    app.animation_level = "full"
    return app


def moment_of(app: SeatedApp) -> TableState:
    return app.table.state()


def weight_of(app: SeatedApp) -> Weight | None:
    """Return the weight of the event on the screen; None if none is shown."""
    frame = moment_of(app).frame
    return None if frame is None else frame.weight


def go_on(app: SeatedApp, seconds: float) -> None:
    app.now += seconds
    app.table.tick()


@in_app(table_app, (60, 20))
async def test_a_sprung_ambush_stands_on_the_prompts_own_row_and_stays_in_sight(
    app: SeatedApp, hands: Hands
) -> None:
    app.receive(sprung()[1])
    while weight_of(app) is not Weight.AMBUSH:
        go_on(app, 0.05)
    assert app.shows("An Ambush!")
    assert app.shows("Gaspard takes the lead.")
    go_on(app, SURPRISE_S[Weight.AMBUSH] - 0.1)
    assert weight_of(app) is Weight.AMBUSH
    while moment_of(app).is_animated:
        go_on(app, 0.1)
    stays = moment_of(app).stays
    assert stays is not None
    assert "Ambush" in stays[1]
    assert not any(map(str.isdigit, stays[1].replace("gains 4", ""))), "they moved up"
    assert stays in moment_of(app).log
    assert app.shows("An Ambush!")
    assert list(moment_of(app).change) == [1, 0, 4]


@in_app(table_app)
async def test_the_event_that_stays_in_sight_says_that_the_time_was_up(
    app: SeatedApp, hands: Hands
) -> None:
    sent = sprung()[1]
    app.receive(replace(sent, overdue=tuple(range(len(sent.events)))))
    while moment_of(app).is_animated:
        go_on(app, 0.1)
    stays = moment_of(app).stays
    assert stays is not None
    assert stays[1].endswith("(time was up)")
    assert stays in moment_of(app).log


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
@pytest.mark.parametrize("spoken", [False, True])
def test_what_stays_in_sight_is_never_told_as_the_newest(rows: int, spoken: bool) -> None:
    log = [(0, f"event {number}") for number in range(9)]
    at = replace(state_of(seen(ARCHER), log=log), stays=log[0], spoken=spoken)
    talk = chat_message("r: Hello!").lines
    canvas = Canvas(60, rows, "table", UNICODE, DARK)
    Events().draw_state(canvas, replace(at, talk=talk))
    drawn = ["".join(cell.text for cell in strip).strip() for strip in canvas.strips()]
    assert drawn[-1].endswith("event 8")
    assert drawn[-1].startswith(UNICODE.turn)
    assert any("event 0" in row for row in drawn) == (rows > 1)
    assert any("Hello!" in row for row in drawn) == (spoken and rows > 2)


def test_what_was_done_to_the_reader_stays_in_sight_before_a_greater_surprise() -> None:
    line = whole("2 4 rX2 gm,rX,bh1,bL *r3,b2,g3")
    game, happened = parse_position(line), list[Event]()
    seat = game.seat_of("b")
    after = game.play(ACTIONS["x3"], happened)
    projected = [project(event, seat) for event in happened]

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.receive(state(view(after, seat), 2, projected))
        struck = next(n for n, event in enumerate(projected, 1) if isinstance(event, Eliminated))
        app.table.animation.surprises = {len(projected): Weight.AMBUSH}
        while moment_of(app).is_animated:
            go_on(app, 0.5)
        stays = moment_of(app).stays
        assert stays is not None
        assert struck < len(projected)
        assert "your face-down Heir" in stays[1]

    run_app(SeatedApp(session_at_line(line)), steps)


@in_app(table_app)
async def test_one_key_tells_again_what_happened_and_any_key_ends_it(
    app: SeatedApp, hands: Hands
) -> None:
    def offered() -> bool:
        keys = app.table.query_one(Keys).keys
        return any(key.command == TableCommands.since for key in keys)

    await hands.press("n")
    assert app.shows("Nothing has happened since your last answer.")
    assert not offered()
    app.receive(sprung()[1])
    await hands.press("i", "i")
    assert not moment_of(app).is_animated
    assert offered()
    await hands.press("n")
    assert moment_of(app).again
    assert app.shows("n: next. Any other key: end.")
    shown = []
    while moment_of(app).is_animated:
        shown.append(moment_of(app).log[-1][1])
        go_on(app, SINCE_S / 4)
    assert len(dict.fromkeys(shown)) >= 3
    await hands.press("n")
    stepped = []
    while moment_of(app).is_animated:
        stepped.append(moment_of(app).log[-1][1])
        await hands.press("n")
    assert stepped == list(dict.fromkeys(shown)), "the same key goes on to the next event"
    await hands.press("n", "i")
    assert not moment_of(app).is_animated
    await hands.press("n", "=")
    assert not moment_of(app).is_animated
    assert not app.shows("does nothing here"), "any key ends it"
    assert not moment_of(app).looking


def test_what_others_reach_of_yours_is_marked_on_the_rail() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.table.state().reached() == {1, 2, 4}
        assert app.shows("4!")

    line = "2 3 b?1 bl,bH,gS,bs,rA *r4,b4,g4"
    run_app(SeatedApp(session_at_line(line)), steps)
    assert state_of(seen(line, "g")).reached() == frozenset()
    assert state_of(seen("2 3 b?4 gS,bl,rA,bh *r4,b4,g4")).reached() == frozenset()


def test_who_begins_next_round_is_told_when_it_matters() -> None:
    at_the_end, before = (seen(f"2 3 b?{at} gS,bl,bh *r4,b4,g4") for at in (3, 2))
    assert state_of(at_the_end).first_next == 1
    assert state_of(before).first_next == -1
    assert state_of(before, size=SIZES[1]).first_next == 1


def test_who_comes_back_to_a_game_is_not_told_that_nothing_happened_since_their_answer() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("n")
        assert not app.shows("since your last answer")
        assert app.shows("a bot gave for you")

    session = session_at_line(sprung()[0])
    session.receive(sprung()[1])
    run_app(SeatedApp(session), steps)


@in_app(lambda: SeatedApp(evening_session(16, "b")), (80, 24))
async def test_who_comes_back_sees_again_what_happened_since_their_last_answer(
    app: SeatedApp, hands: Hands
) -> None:
    app.animation_level = "full"
    app.player_seat.answered = 6
    app.enter(evening_session(16, "b"))
    await hands.pause()
    await hands.press(TableCommands.since.keys)
    shown = moment_of(app)
    assert shown.again
    assert shown.frame is not None
    assert shown.frame.event_count == 7


def test_missed_chat_is_new_until_a_screen_has_shown_it() -> None:
    session = evening_session(16, "b")
    session.receive(chat_message("r: old news", "g: are you there?", "g: hello?"))
    app = SeatedApp(session)
    app.player_seat.missed_from = 1

    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("chat (2 new)")
        assert not app.player_seat.has_read_missed
        await app.run_action("simulate_key('t')")
        await hands.pause()
        assert app.shows("while you were away")
        assert app.player_seat.has_read_missed

    run_app(app, steps)
