"""Defines scenes and their helpers; `every_scene.py` lists all scenes.

A scene at a table is a session with keys. Starting an app is slow, so these scenes share one app. A
scene without a table has an app of its own.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from textual.screen import Screen

from driflamme_tui import local_date
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences.visits import TABLES, Visit
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.study.guided_game import Progress
from driflamme_tui.study.puzzle_screens import BoardScreen
from netcode.client.session import Session
from netcode.joining.discovery import FoundTable
from netcode.protocol.fields import Message, checked_struct
from netcode.protocol.messages import PROTOCOL, SeatInfo
from netcode.transport.address import Address
from tests.driflamme_tui.lessons import LearningApp, learning_at, lesson_from
from tests.driflamme_tui.past_games import keep_evenings
from tests.driflamme_tui.screens.test_board_screen import AtBoard, shown
from tests.driflamme_tui.screens.test_history_screens import PastApp
from tests.driflamme_tui.screens.test_start_screen import (
    OPEN,
    ROSALINDS,
    YVETTES,
    StartedApp,
    leave_a_seat,
)
from tests.support.tables import (
    EVENING_STEPS,
    RECORD,
    Hands,
    SeatedApp,
    chat_message,
    evening_session,
    gathered,
    seats,
    table_of,
)

# At a table


@dataclass(frozen=True)
class Scene:
    """A scene at a table: its session, the keys to press, and attributes of app and seat."""

    session: Callable[[], Session]
    keys: str = ""
    has: Mapping[str, object] = field(default_factory=dict)
    over: Callable[[], Screen[Any]] | None = None
    """Creates the overlay over the table; None for no overlay."""


USUAL: Mapping[str, object] = {
    "lost": None,
    "latency_ms": None,
    "secure": None,
    "saw_result": False,
}
"""Default attributes of the seat and the place in a scene."""


async def enter(app: SeatedApp, hands: Hands, scene: Scene) -> None:
    """Show a scene on a new screen."""
    for attribute, value in {**USUAL, **scene.has}.items():
        of = app.place if attribute == "saw_result" else app.player_seat
        assert hasattr(of, attribute)
        setattr(of, attribute, value)
    app.enter(scene.session())
    await hands.pause()
    await hands.type(scene.keys)
    if scene.over is not None:
        await app.push_screen(scene.over())
        await hands.pause()


LINK = "driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"

TALK = chat_message(
    "y: brave.",
    "r: I would not touch 7",
    "-Zoe: what a stack, I have never seen one so high and so full of influence",
    "v: hurry :)",
)

AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})

LONG_NAMES = tuple(
    checked_struct({"family": family, "name": name, "present": family != "g"}, SeatInfo)
    for family, name in (
        ("r", "Wolfram Eschenbacher"),
        ("b", "Maximiliane Sturmhub"),
        ("g", "漢字名前漢字名前漢字名前漢字名前漢字"),
        ("y", "Ada"),
        ("v", "Bartholomew the 2nd."),
    )
)

BOTS = tuple(
    checked_struct({"family": family, "name": name, "bot": bot}, SeatInfo)
    for family, name, bot in (
        ("r", "Enguerrand", "grandmaster"),
        ("b", "Blaise", None),
        ("g", "Aubin", "sharp"),
        ("y", "Berthe", "learner"),
        ("v", "Corentin", "steady"),
    )
)
"""The seats of a game against bots."""

NOT_READY = {"code": "not_ready", "values": {"names": ("Rosalind",)}}


def receive_all(session: Session, *messages: Message) -> Session:
    """Let a session receive messages; return the session."""
    for message in messages:
        session.receive(message)
    return session


def ended(*messages: Message) -> Session:
    """Return the host's session after the evening's last game."""
    people = seats("rbgyv", ready="r", bots="yv", host="b")
    session = evening_session(EVENING_STEPS, "b", host=True, seats=people)
    session.record = RECORD
    return receive_all(session, *messages)


def hosting(*messages: Message, **fields: object) -> Session:
    given = {
        "seats": seats("rbg", bots="g", ready="r", host="b"),
        "host": True,
        "invitation": LINK,
        "code": "K7QF2MXR",
        **fields,
    }
    return receive_all(gathered("rbg", "b", **given), *messages)


def step(number: int, viewer: str | None = None, keys: str = "", **fields: object) -> Scene:
    """Return the scene after this many actions of the evening, seen as by `evening_session`."""
    return Scene(lambda: evening_session(number, viewer, **fields), keys)


def table(keys: str = "", *messages: Message, step: int = 43, **fields: object) -> Scene:
    """Return Blaise's scene at the table, after these messages."""
    return Scene(
        lambda: receive_all(evening_session(step, "b", **fields), *messages),
        keys,
        {"latency_ms": 38},
    )


def lobby_of_host(
    keys: str = "",
    *messages: Message,
    secure: bool | None = True,
    lost: LostConnection | None = None,
    **fields: object,
) -> Scene:
    has = {"secure": secure, "latency_ms": 38, "lost": lost}
    return Scene(lambda: hosting(*messages, **fields), keys, has)


def result(*messages: Message, keys: str = "") -> Scene:
    """Return the scene after a game."""
    return Scene(lambda: ended(*messages), keys, {"saw_result": True})


POSITIONS = {
    "three players": ("2 3 b* rS,bh2/bP,gA,gp1,rl *r3,b5,g2", "s ^"),
    "fourteen stacks": (
        "2 4 bA8 rS,rf1,vL,vh,ya2,yP,gm2/gs,bA,bh3/bm,gL,rl,yx1,vp,vc4 *r3,b15,g2,y8,v4",
        "1",
    ),
    "twenty stacks": (
        "2 4 b?6 rS,rf1,rL,rh,bF,bc2,bs,bL,gA,gp1,gH,gm,yS,ya3,yL,yx,vP,vd1,vF,vl"
        " *r13,b9,g22,y8,v0",
        "!",
    ),
    "thirty stacks": (
        "2 6 b?10 rS,rf1,rL,rh,rp2,rA,bF,bS,bH,bc2,bl,bP,gA,gp1,gH,gm,gl,gF"
        ",yS,ya3,yL,yx,yp,yH,vP,vd1,vF,vl,vh1,vA *r3,b9,g2,y8,v4",
        "+",
    ),
    "six high": (
        "2 6 bF5 rS/ra1/rp,vL,bP/bh1/ba2,yL,bF/bl/bd3,gS/gl1/gd/gP/gh/gm1,yx,ys/yA,vp/vH"
        " *r3,b9,g2,y8,v14",
        "6",
    ),
}
"""Positions and keys by name, all for Blue."""

THIRTY = POSITIONS["thirty stacks"][0]

QUESTIONS = {
    "first card": step(0, keys="h"),
    "card": step(52),
    "spot": step(52, keys="f enter ^"),
    "end": step(38, keys="m >"),
    "leave or reveal": step(62, keys="!"),
    "archer": step(60, keys="1"),
    "soldier": step(43),
    "assassination": step(85, keys="8"),
    "spy": step(83, keys="g"),
    "shapeshifter": step(45, keys="6"),
    "decree, card": step(17, keys="5"),
    "decree, place": step(17, keys="4 enter 7"),
}
"""Each question of the evening's game, with the keys of the deciding player."""


# Without a table


class VisitedApp(StartedApp):
    """The start screen with tables that the player has visited."""

    def __init__(self) -> None:
        for number, host in enumerate(("Yvette", "", "Bartholomew the 2nd.", "Rosalind")):
            TABLES.remember(host, Visit(host, f"--insecure 10.0.0.{number}", local_date.today()))
        super().__init__()


async def visited(app: VisitedApp, hands: Hands) -> None:
    """Wait until the visited tables have been read."""
    await hands.until(lambda: app.screen.has_class("visited"))
    await hands.pause()


class BackApp(StartedApp):
    """The start screen with a seat to return to."""

    def __init__(self) -> None:
        leave_a_seat()
        super().__init__()


async def back(app: BackApp, hands: Hands) -> None:
    """Find two tables, and wait until they are shown."""
    place = Address("192.168.1.20")
    assert isinstance(app.screen, StartScreen)
    app.screen.take_found(
        [
            FoundTable("Rosalind", place, "K7Q", PROTOCOL, 3, 5, playing=True),
            FoundTable("Yvette", place, "B2C", PROTOCOL, 2, 5),
        ]
    )
    await hands.until(lambda: app.shows("Yvette"))
    await hands.pause()


def learner(step: int, *unread: str) -> LearningApp:
    """Return the app of a lesson after this many answers; the `unread` topics are unread."""
    kept = learning_at(step)
    return LearningApp(
        lesson_from(
            Progress(kept.tokens, tuple(each for each in kept.topics if each not in unread))
        )
    )


async def at_once(app: Any, hands: Hands) -> None:
    await hands.pause()


async def found(app: StartedApp, hands: Hands) -> None:
    """Announce three tables."""
    await hands.pause()
    await app.find(hands, ROSALINDS, YVETTES, OPEN)


async def thought(app: AtBoard, hands: Hands) -> None:
    """Wait until the board is shown, and let the bots judge."""
    await shown(app, hands)
    await hands.type("t m")
    await hands.until(lambda: bool(table_of(app, BoardScreen).answers()))
    await hands.pause()


@dataclass(frozen=True)
class Elsewhere:
    """An app before, after or without a table."""

    app: Callable[[], DriflammeApp]
    keys: str = ""
    arrive: Callable[[Any, Hands], Awaitable[object]] = at_once
    """Waits until the app is ready; called before the keys."""


@dataclass(frozen=True)
class Scenes:
    """The scenes of a wing, named `SCENES` in `tests/wings/NAME/scenes.py`."""

    at_a_table: Mapping[str, Scene] = field(default_factory=dict)
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    lobbies: Sequence[str] = ()
    """Scenes of a host in a lobby with lines to choose."""
    lists: Sequence[str] = ()
    """Scenes of screens other than a lobby with lines to choose."""
    taking: Sequence[type[Message]] = ()
    """Messages with which a host takes something from another player."""
    screens: Sequence[Callable[[], Screen[Any]]] = ()
    """Each screen of the wing, before it is composed."""
    apps: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    """Apps that begin with one of the wing's screens, so that tests can press its keys."""


def past() -> PastApp:
    """Store some evenings in the history; return the app."""
    keep_evenings()
    return PastApp()


async def arrive(app: DriflammeApp, hands: Hands, scene: Elsewhere) -> None:
    """Bring the app to a scene without a table, and press the scene's keys."""
    await scene.arrive(app, hands)
    for key in scene.keys.split():
        await hands.type(key)
    # A pressed button stays lit for a moment, also under a new screen: wait for its end.
    await hands.until(lambda: not any(each.query(".-active") for each in app.screen_stack))
