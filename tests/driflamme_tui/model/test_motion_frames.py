"""Tests that events are shown in short frames, and that nobody has to wait for them."""

from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.motion_frames import (
    LONGEST_BACKLOG,
    LONGEST_CHAIN,
    READ_S,
    Effect,
    Frame,
    Reel,
    Weight,
    frames_of,
)
from engine.actions import ACTIONS
from engine.events import Event
from engine.game import Game
from engine.notation import parse_position
from engine.views import View, Viewer, project, view
from netcode.protocol.messages import State
from tests.engine.lines import whole
from tests.engine.random_games import Played, examples, moments, viewers
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening,
    evening_session,
    in_app,
    state,
)

MOST_S = 0.32
"""Maximum seconds for the frames of one ordinary event."""
SURPRISE_S = 1.5
"""Maximum seconds for the frames of one event with a surprise."""


def sentences_after(line: str, token: str, viewer: str | None = "b") -> list[tuple[str, str]]:
    """Return a pair for each frame of an action: the highlight, and the Queue."""
    game = parse_position(whole(line))
    seat = None if viewer is None else game.seat_of(viewer)
    events: list[Event] = []
    game.play(ACTIONS[token], events)
    frames = pictures_of(game, events, seat)
    return [(_effect(frame.effect), _queue(frame.view)) for frame in frames]


def pictures_of(game: Game, events: list[Event], viewer: Viewer) -> list[Frame]:
    return frames_of(view(game, viewer), [project(event, viewer) for event in events])


def weights(line: str, token: str) -> list[str]:
    """Return a line for each event and weight in an action, with the seconds on the screen."""
    game = parse_position(whole(line))
    events: list[Event] = []
    game.play(ACTIONS[token], events)
    found: dict[tuple[int, Weight], float] = {}
    for frame in pictures_of(game, events, None):
        at = frame.event_count - 1, frame.weight
        found[at] = found.get(at, 0) + frame.seconds
    return [
        f"{type(events[event]).__name__} {weight.name.lower()} {seconds:.2f}"
        for (event, weight), seconds in found.items()
    ]


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
"""Red's Soldier at 2 must eliminate a neighbour: Green's card at 1, or Red's Ambush at 3."""


def test_a_card_that_is_left_lights_up() -> None:
    assert sentences_after("2 3 b?1 bh1,rS,gx *r4,b4,g4", "+") == [("lit 1", "bh rS g?")]


def test_a_card_is_turned_over_by_its_edge() -> None:
    assert sentences_after("2 3 b?1 bh1,rS,gx *r4,b4,g4", "!")[:3] == [
        ("lit 1", "bh rS g?"),
        ("edge 1", "bh rS g?"),
        ("lit 1, counted 1", "bH rS g?"),
    ]


def test_an_eliminated_card_is_seen_crossed_out_before_it_goes() -> None:
    assert sentences_after(LINE, "x1", None) == [
        ("struck 1", "gC rS r? bL"),
        ("gap 1, counted 0", "gC rS r? bL"),
    ]
    game = parse_position(whole(LINE))
    before, events = view(game, None), list[Event]()
    game.play(ACTIONS["x1"], events)
    assert {frame.view.turn for frame in frames_of(before, events)} == {before.turn}


def test_of_a_stack_only_the_top_card_goes_and_leaves_no_gap() -> None:
    line, events = "2 4 rS2 gc2/ga,rS,bL *r3,b2,g3", list[Event]()
    assert sentences_after(line, "x1", None) == [
        ("struck 1", "gC rS bL"),
        ("lit 1, counted 0", "g? rS bL"),
        ("counted 1", "g? rS bL"),
    ]
    game = parse_position(whole(line))
    game.play(ACTIONS["x1"], events)
    assert [frame.view.at for frame in pictures_of(game, events, None)] == [1, 1, 2]


def test_a_moved_card_is_lifted_and_set_down() -> None:
    assert sentences_after("2 3 bD1 bD,rS,gx *r4,b4,g4", "2>3", "r")[:2] == [
        ("lit 2", "bD rS g?"),
        ("lit 3", "bD g? rS"),
    ]


def test_surprises_stand_longer_than_what_is_ordinary() -> None:
    assert weights("2 4 rS2 gc4,rS,bl,rL *r3,b2,g2", "x1") == ["Eliminated loss 1.12"]
    assert weights("2 4 rS2 gm,rS,bl *r3,b2,g2", "x1") == [
        "Eliminated ordinary 0.28",
        "AmbushSprung ambush 1.20",
        "Discarded ordinary 0.12",
    ]


def test_who_takes_the_lead_alone_surprises_but_not_who_is_the_first_to_have_any() -> None:
    ahead, first = "2 3 b?1 bh,rS,gx *r4,b4,g3", "2 3 b?1 bh2,rS,gx *r0,b0,g0"
    assert weights(ahead, "!") == ["Revealed ordinary 0.24", "Gained lead 0.90"]
    assert weights(first, "!") == ["Revealed ordinary 0.24", "Gained ordinary 0.20"]


def test_events_are_told_again_slowly_and_all_of_them() -> None:
    game = parse_position(whole("2 4 rS2 gm,rS,bl *r3,b2,g2"))
    events: list[Event] = []
    game.play(ACTIONS["x1"], events)
    frames = frames_of(view(game, None), events, 7, 1, again=True)
    seconds_by_count = {
        count: sum(each.seconds for each in frames if each.event_count == count)
        for count in (8, 9, 10)
    }
    assert min(seconds_by_count.values()) >= 1
    assert [frame.event_count for frame in frames] == sorted(frame.event_count for frame in frames)
    reel = Reel()
    reel.show_again(frames, 10)
    reel.feed(pictures(LONGEST_CHAIN), 10.1)
    assert reel.again
    assert lit(reel) == frames[0].effect.lit
    assert not reel.advance(99)
    assert not reel.again


def test_who_is_behind_sees_every_surprise_long_enough_to_read_it() -> None:
    """In a cascade of six surprises, ordinary frames are left out, so each surprise is readable."""
    reel, now = Reel(), 10.0
    seen: dict[int, float] = {}
    reel.feed(pictures(1), now)
    cascade = [
        Frame(View(), Effect(), 1.2 if count % 2 else 0.3, count, weight)
        for count, weight in enumerate(6 * (Weight.AMBUSH, Weight.ORDINARY), 1)
    ]
    reel.feed(cascade, now)
    while (frame := reel.frame) is not None:
        now += 0.05
        seen[frame.event_count] = seen.get(frame.event_count, 0) + 0.05
        reel.advance(now)
    assert list(seen) == [1, 3, 5, 7, 9, 11]
    assert min(seen.values()) >= READ_S
    assert now - 10 < 5.5


@examples(200)
@given(moments(), st.data())
def test_pictures_end_at_the_view_and_last_as_long_for_everybody(
    moment: tuple[Played, int], data: st.DataObject
) -> None:
    """The length of a pause reveals no card: two readers with different views wait equally long."""
    played, index = moment
    now = played.games[index]
    lengths = set()
    for viewer in viewers(now):
        frames = pictures_of(now, played.events[index], viewer)
        lengths.add(tuple((frame.event_count, frame.seconds) for frame in frames))
        for number in range(1, len(played.events[index]) + 1):
            of_event = [frame for frame in frames if frame.event_count == number]
            surprising = any(frame.weight is not Weight.ORDINARY for frame in of_event)
            seconds = sum(frame.seconds for frame in of_event)
            assert seconds <= (SURPRISE_S if surprising else MOST_S)
            assert seconds >= (0.9 if surprising else 0)
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
        slow = {frame.event_count for frame in frames if frame.seconds >= 4.5}
        if viewer == actor:
            surprises = {
                frame.event_count for frame in frames if frame.weight is not Weight.ORDINARY
            }
            own = {n for n in slow if getattr(events[n - 1], "seat", None) == actor}
            assert own <= surprises
        else:
            assert slow >= {
                frame.event_count
                for frame in frames
                if getattr(events[frame.event_count - 1], "seat", None) == actor
            }


def pictures(number: int, seconds: float = 0.25) -> list[Frame]:
    return [
        Frame(View(), Effect(lit=sentences_after), seconds, sentences_after)
        for sentences_after in range(1, number + 1)
    ]


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


def table_app(animated: bool) -> SeatedApp:
    app = SeatedApp(evening_session(BEFORE, "r"))
    app.animation_level = "full" if animated else "none"
    return app


BEFORE = 11
"""Number of answers that Red has seen when the table appears; other players give the next two."""


def news(step: int) -> State:
    """Return the State that Red gets after this many answers of the evening."""
    (_, known), (game, events) = evening(step - 1), evening(step)
    seat = game.seat_of("r")
    fresh = [project(event, seat) for event in events[len(known) :]]
    return state(view(game, seat), step, fresh, len(known))


def moment_of(app: SeatedApp) -> TableState:
    shown = app.table.state()
    assert shown is not None
    return shown


@in_app(lambda: table_app(True))
async def test_any_key_ends_the_pictures_and_confirms_nothing(app: SeatedApp, hands: Hands) -> None:
    app.terminal.guard_s = 0.4
    for token in ("+", "enter"):
        app.receive(news(BEFORE + 1))
        await hands.press(token)
        assert not moment_of(app).is_animated
    assert not app.answers


@in_app(lambda: table_app(False))
async def test_without_animation_the_table_is_there_at_once(app: SeatedApp, hands: Hands) -> None:
    app.receive(news(BEFORE + 1))
    assert not moment_of(app).is_animated
    assert moment_of(app).view is app.session.view
