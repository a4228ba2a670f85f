"""What has just happened is told in short pictures, which nobody has to wait for."""

from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.drawing.table_state import NO_EFFECT, TableState
from driflamme_tui.model.motion_frames import (
    LONGEST_BACKLOG,
    LONGEST_CHAIN,
    Effect,
    Frame,
    Reel,
    frames_of,
)
from engine.actions import ACTIONS
from engine.events import Event
from engine.notation import parse_position
from engine.view import View, project, view
from netcode.protocol.messages import State
from tests.driflamme_tui.tables import Hands, SeatedApp, evening, evening_session, run_app, state
from tests.engine.lines import whole
from tests.engine.random_games import Played, examples, moments, viewers

MOST_S = 0.32
"""For one event, as the design has it."""


def told(line: str, token: str, viewer: str | None = "b") -> list[tuple[str, str]]:
    """Return what the pictures of an action set apart, and the Queue that they show."""
    game = parse_position(whole(line))
    seat = None if viewer is None else game.seat_of(viewer)
    events: list[Event] = []
    game.play(ACTIONS[token], events)
    frames = frames_of(view(game, seat), [project(event, seat) for event in events])
    return [(_effect(frame.effect), _queue(frame.view)) for frame in frames]


def _effect(effect: Effect) -> str:
    parts = [
        f"{name} {getattr(effect, name)}"
        for name in ("lit", "struck", "edge", "gap")
        if getattr(effect, name)
    ]
    return ", ".join([*parts, *(f"counted {seat}" for seat in sorted(effect.counted))])


def _queue(seen: View) -> str:
    return " ".join(
        seen.families[seat] + (card if face_up else card.lower())
        for seat, card, face_up, _, _ in seen.queue
    )


LINE = "2 4 rS2 gc2,rS,rm1,bL *r3,b2,g4"
"""Red's Soldier at 2 is to eliminate a neighbour: Green's at 1, or Red's own Ambush at 3."""


def test_a_card_that_is_left_lights_up() -> None:
    assert told("2 3 b?1 bh1,rS,gx *r4,b4,g4", "+") == [("lit 1", "bh rS g?")]


def test_a_card_is_turned_over_by_its_edge() -> None:
    assert told("2 3 b?1 bh1,rS,gx *r4,b4,g4", "!")[:3] == [
        ("lit 1", "bh rS g?"),
        ("edge 1", "bh rS g?"),
        ("lit 1, counted 1", "bH rS g?"),
    ]


def test_an_eliminated_card_is_seen_crossed_out_before_it_goes() -> None:
    assert told(LINE, "x1", None) == [
        ("struck 1", "gC rS r? bL"),
        ("gap 1, counted 0", "gC rS r? bL"),
    ]


def test_a_moved_card_is_lifted_and_set_down() -> None:
    assert told("2 3 bD1 bD,rS,gx *r4,b4,g4", "2>3", "r")[:2] == [
        ("lit 2", "bD rS g?"),
        ("lit 3", "bD g? rS"),
    ]


@examples(200)
@given(moments(), st.data())
def test_pictures_end_at_the_view_and_last_as_long_for_everybody(
    moment: tuple[Played, int], data: st.DataObject
) -> None:
    """No pause betrays a card: two readers who see different cards wait equally long."""
    played, index = moment
    now = played.games[index]
    lengths = set()
    for viewer in viewers(now):
        events = [project(event, viewer) for event in played.events[index]]
        frames = frames_of(view(now, viewer), events)
        lengths.add(tuple((frame.told, frame.seconds) for frame in frames))
        for number in range(1, len(events) + 1):
            assert sum(frame.seconds for frame in frames if frame.told == number) <= MOST_S
    assert len(lengths) == 1


@examples(200)
@given(moments())
def test_others_are_given_the_pace_and_oneself_is_not(moment: tuple[Played, int]) -> None:
    played, index = moment
    now = played.games[index]
    actor = now.turn
    for viewer in viewers(now):
        events = [project(event, viewer) for event in played.events[index]]
        frames = frames_of(view(now, viewer), events, pace_s=9)
        held = {frame.told for frame in frames if frame.seconds == 9}
        if viewer == actor:
            assert all(getattr(events[number - 1], "seat", None) != actor for number in held)
        else:
            assert held >= {
                frame.told
                for frame in frames
                if getattr(events[frame.told - 1], "seat", None) == actor
            }


def pictures(number: int, seconds: float = 0.25) -> list[Frame]:
    return [Frame(View(), Effect(lit=told), seconds, told) for told in range(1, number + 1)]


def lit(reel: Reel) -> int | None:
    return None if reel.frame is None else reel.frame.effect.lit


def test_pictures_follow_each_other_in_their_time() -> None:
    reel = Reel()
    reel.feed(pictures(2), 10)
    assert lit(reel) == 1
    assert reel.next_change(10) == 0.25
    assert reel.advance(10.2)
    assert lit(reel) == 1
    assert reel.advance(10.25)
    assert lit(reel) == 2
    assert not reel.advance(10.5)
    assert lit(reel) is None
    assert reel.next_change(10.5) is None


def test_who_is_behind_sees_how_things_stand() -> None:
    reel = Reel()
    reel.feed(pictures(2), 10)
    reel.feed(pictures(LONGEST_BACKLOG + 1), 10.1)
    assert reel.frame is None


def test_after_an_absence_nothing_is_told_in_pictures() -> None:
    reel = Reel()
    reel.feed(pictures(LONGEST_CHAIN + 1), 10)
    assert reel.frame is None


# On the screen


def table_app(animated: bool) -> SeatedApp:
    app = SeatedApp(evening_session(BEFORE, "r"))
    app.animation_level = "full" if animated else "none"
    return app


BEFORE = 11
"""Answers that Red has seen when the table appears; the next two are others'."""


def news(step: int) -> State:
    """Return what the host tells Red after so many answers of that evening."""
    (_, known), (game, events) = evening(step - 1), evening(step)
    seat = game.seat_of("r")
    fresh = [project(event, seat) for event in events[len(known) :]]
    return state(view(game, seat), step, fresh, len(known))


def moment_of(app: SeatedApp) -> TableState:
    shown = app.table.state()
    assert shown is not None
    return shown


def test_the_table_tells_what_happened_and_then_asks() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.receive(news(BEFORE + 1))
        assert moment_of(app).telling
        assert moment_of(app).effect != NO_EFFECT
        while moment_of(app).telling:
            app.now += 0.4
            app.table.tick()
        assert moment_of(app).view is app.session.view
        assert len(moment_of(app).log) == len(app.session.events)

    run_app(table_app(True), steps)


def test_any_key_ends_the_pictures_and_confirms_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.guard_s = 0.4
        for token in ("+", "enter"):
            app.receive(news(BEFORE + 1))
            await hands.press(token)
            assert not moment_of(app).telling
        assert not app.answers

    run_app(table_app(True), steps)


def test_without_animation_the_table_is_there_at_once() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.receive(news(BEFORE + 1))
        assert not moment_of(app).telling
        assert moment_of(app).view is app.session.view

    run_app(table_app(False), steps)
