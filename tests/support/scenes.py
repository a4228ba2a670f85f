"""Every screen and question of the program, as scenes: for pictures, and for what holds of all.

A scene at a table is a session and keys. Starting an app takes much longer than drawing it, so they
are shown one after the other in one app. A scene elsewhere is an app of its own.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from textual.screen import Screen

from driflamme_tui.alone.guided_game import Progress
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.screens.overlays.lesson_end import LessonEnd
from driflamme_tui.screens.overlays.replay_overlays import shared_overlay
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.judged_screens import BoardScreen
from driflamme_tui.seat.sitting import LostConnection
from netcode.client.session import Session
from netcode.joining.discovery import FoundTable
from netcode.protocol.fields import Message, checked
from netcode.protocol.messages import PROTOCOL, SeatInfo
from netcode.transport.address import Address
from netcode.wings.sealed.news import Notice
from tests.driflamme_tui.lessons import LearningApp, learning_at, lesson_from
from tests.driflamme_tui.past_games import keep_evenings
from tests.driflamme_tui.screens.test_board_screen import PLACE as BOARD
from tests.driflamme_tui.screens.test_board_screen import AtBoard, shown
from tests.driflamme_tui.screens.test_club_screen import ClubApp, a_table
from tests.driflamme_tui.screens.test_history_screens import PastApp, settled
from tests.driflamme_tui.screens.test_league_screen import LeagueApp
from tests.driflamme_tui.screens.test_lesson_screen import ready
from tests.driflamme_tui.screens.test_puzzle_screen import LORD, SolvingApp, asked
from tests.driflamme_tui.screens.test_replay_screen import LookingBack
from tests.driflamme_tui.screens.test_start_screen import (
    OPEN,
    ROSALINDS,
    YVETTES,
    StartedApp,
    leave_a_seat,
)
from tests.driflamme_tui.screens.test_two_at_the_table import (
    gathered_two,
    step_asking,
    told,
)
from tests.driflamme_tui.widgets.test_chat_panel import RUDE
from tests.support.tables import (
    EVENING_STEPS,
    RECORD,
    SEALED,
    Hands,
    SeatedApp,
    asked_at,
    clock,
    evening_session,
    gathered,
    said,
    sealed_news,
    seats,
    table_of,
)

# At a table


@dataclass(frozen=True)
class Scene:
    """A table to sit at, the keys that are pressed there, and what app and sitting have then."""

    session: Callable[[], Session]
    keys: str = ""
    has: Mapping[str, object] = field(default_factory=dict)
    over: Callable[[], Screen[Any]] | None = None
    """What is laid over it besides."""


USUAL: Mapping[str, object] = {
    "lost": None,
    "latency_ms": None,
    "secure": None,
    "saw_result": False,
}
"""Attributes of the place at a table in a scene that says nothing else."""


async def enter(app: SeatedApp, hands: Hands, scene: Scene) -> None:
    """Go to a scene as if one came from elsewhere."""
    for attribute, value in {**USUAL, **scene.has}.items():
        of = app.place if attribute == "saw_result" else app.sitting
        assert hasattr(of, attribute)
        setattr(of, attribute, value)
    app.enter(scene.session())
    await hands.pause()
    await hands.type(scene.keys)
    if scene.over is not None:
        await app.push_screen(scene.over())
        await hands.pause()


LINK = "driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"

TALK = said(
    "y: brave.",
    "r: I would not touch 7",
    "-Zoe: what a stack, I have never seen one so high and so full of influence",
    "v: hurry :)",
)

AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})

LONG_NAMES = tuple(
    checked({"family": family, "name": name, "present": family != "g"}, SeatInfo)
    for family, name in (
        ("r", "Wolfram Eschenbacher"),
        ("b", "Maximiliane Sturmhub"),
        ("g", "漢字名前漢字名前漢字名前漢字名前漢字"),
        ("y", "Ada"),
        ("v", "Bartholomew the 2nd."),
    )
)

NOT_READY = {"code": "not_ready", "values": {"names": ("Rosalind",)}}
VOTED = Notice(code="voted_default", name="Gaspard", values={"names": ("Rosalind", "Vasco")})
FORKED = Notice(code="two_contents", name="Gaspard")
VERDICTS = ("proven", "unproven", "proven", "cheated", "proven")


def heard(session: Session, *messages: Message) -> Session:
    """Return a session that has received messages."""
    for message in messages:
        session.receive(message)
    return session


def ended(*messages: Message) -> Session:
    """Return the session of the host after the evening's last game."""
    people = seats("rbgyv", ready="r", bots="yv", host="b")
    session = evening_session(EVENING_STEPS, "b", host=True, seats=people)
    session.record = RECORD
    return heard(session, *messages)


def hosting(*messages: Message, **fields: object) -> Session:
    """Return the session of a host in the lobby."""
    given = {
        "seats": seats("rbg", bots="g", ready="r", host="b"),
        "host": True,
        "invitation": LINK,
        "code": "K7QF2MXR",
        **fields,
    }
    return heard(gathered("rbg", "b", **given), *messages)


def step(number: int, viewer: str | None = None, keys: str = "", **fields: object) -> Scene:
    """Return the scene after so many steps of the evening, of whoever is asked or a family."""
    return Scene(lambda: evening_session(number, viewer, **fields), keys)


def table(keys: str = "", *messages: Message, step: int = 43, **fields: object) -> Scene:
    """Return Blaise's scene there, after hearing messages."""
    return Scene(
        lambda: heard(evening_session(step, "b", **fields), *messages), keys, {"latency_ms": 38}
    )


def lobby_of_host(
    keys: str = "",
    *messages: Message,
    secure: bool | None = True,
    lost: LostConnection | None = None,
    **fields: object,
) -> Scene:
    """Return a host's scene in the lobby."""
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
"""By name: a position and keys, all from Blue's seat."""

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
"""Each question of the evening's game, with what whoever is asked then presses."""


AT_A_TABLE: Mapping[str, Scene] = {
    **QUESTIONS,
    **{
        name: Scene(lambda line=line: asked_at(line), keys)  # type: ignore[misc]
        for name, (line, keys) in POSITIONS.items()
    },
    "chosen": step(43, keys="3"),
    "waiting": step(41, "b"),
    "watching": Scene(
        lambda: heard(evening_session(43, "-", spectators=("Zoe", "Max")), TALK, clock(9))
    ),
    "over": step(EVENING_STEPS, "b"),
    "long names": step(83, keys="g", seats=LONG_NAMES),
    "refused": step(43, keys="9"),
    "on its way": step(43, keys="3 enter"),
    "looking": step(43, keys="i right right down down"),
    "from right to left": step(43, keys="3", settings={"direction": "left"}),
    "rows from right to left": step(52, keys="f >", settings={"direction": "left"}),
    "ambush": Scene(lambda: asked_at("2 4 rS2 gm,rS,rh1,bL *r3,b2,g3", "r"), "1 enter"),
    "away": table("", TALK, clock(41), seats=AWAY, step=44),
    "stood in": table(seats=seats("rbgyv", how={"b": "bot"})),
    "clock": table("3", TALK, clock(41), code="K7QF2MXR"),
    "last seconds": table("3", clock(4)),
    "paused": table("3", TALK, clock(41, running=False), paused=True),
    "paused by oneself": table("", clock(41, running=False), host=True, paused=True),
    "tried in a pause": table("enter", paused=True),
    "line lost": Scene(
        lambda: heard(evening_session(43), TALK), has={"lost": LostConnection(3, 1004)}
    ),
    "tried without a line": Scene(
        lambda: evening_session(43), "enter", {"lost": LostConnection(3, 1000.0)}
    ),
    "talking": table("t w e l l", TALK),
    "rude chat": table("t", said(*(f"y: {text[:60]}" for text in RUDE))),
    "muted": table("t", TALK, muted=("Blaise",)),
    "no room for chat": Scene(lambda: heard(asked_at(THIRTY), TALK)),
    "writing without room": Scene(lambda: heard(asked_at(THIRTY), TALK), "t"),
    "sealed, first card": table("", sealed_news(), step=0, settings=SEALED),
    "sealed, vote": table(
        "", sealed_news(vote_about="Rosalind", is_vote_wanted=True), step=44, settings=SEALED
    ),
    "sealed, away": table("", sealed_news(away=("Rosalind",)), step=44, settings=SEALED),
    "sealed, frozen": table("", sealed_news(stage="frozen", notices=(FORKED,)), settings=SEALED),
    "two, table": Scene(lambda: told(step_asking(3, "?")), "!"),
    # Laid over the table
    "help": step(62, keys="?"),
    "help of a card": step(62, keys="? a"),
    "card reference": step(62, keys="k"),
    "events": step(62, keys="e"),
    "options": step(62, keys="o"),
    "commands": step(62, keys=":"),
    "phrases": step(62, keys="."),
    "leaving": step(62, keys="q"),
    "rename": Scene(
        lambda: evening_session(62),
        over=lambda: NameOverlay("Rosalind", done="Be called so ({key})"),
    ),
    "another name": Scene(
        lambda: evening_session(62),
        over=lambda: NameOverlay("Rosalind", "Somebody here is called Rosalind already."),
    ),
    "people": table(
        "w",
        TALK,
        seats=AWAY,
        host=True,
        spectators=("Zoe", "Max"),
        muted=("Vasco", "Max"),
        secret=bytes(12),
    ),
    "giving a seat away": table("w g", seats=AWAY, host=True),
    "ending": table("w e", seats=AWAY, host=True),
    "inviting anew": table("w r", seats=AWAY, host=True, secret=bytes(12)),
    "people of a guest": table("w", seats=AWAY, spectators=("Zoe",)),
    "people with long names": table(
        "w up",
        seats=LONG_NAMES,
        host=True,
        spectators=tuple(f"Wolfram Eschenbach {n}" for n in range(10)),
    ),
    "somebody silent": table(
        "w", step=44, seats=seats("rbgyv", host="b"), host=True, silenced=True
    ),
    "sealed, people": table("w", sealed_news(notices=(VOTED,)), settings=SEALED, seats=AWAY),
    # The lobby
    "lobby": lobby_of_host(),
    "lobby, option chosen": lobby_of_host("down down"),
    "lobby, not ready": lobby_of_host(missing=NOT_READY, seats=seats("rbg", bots="g", host="b")),
    "lobby, not encrypted": lobby_of_host(
        "",
        TALK,
        secure=False,
        settings={"clock_s": 60},
        spectators=("Zoe",),
        muted=("Rosalind",),
    ),
    "lobby of a guest": Scene(
        lambda: gathered(
            "rbgyv",
            "b",
            seats=LONG_NAMES,
            invitation="driflamme join [2001:db8:1234:5678:9abc:def0:1234:5678]:65535",
            spectators=("Zoe", "Max"),
            settings={"edition": 1, "first": "r", "direction": "left", "pace_ms": 1500},
        )
    ),
    "lobby, line lost": lobby_of_host(lost=LostConnection(2, 1007.0)),
    "lobby, long invitation": lobby_of_host(
        "", TALK, invitation="driflamme://" + "x" * 188, code="N" * 8
    ),
    "lobby, copied": lobby_of_host("c"),
    "lobby after the end": lobby_of_host(ended_by="Rosalind"),
    "sealed, lobby": lobby_of_host("", settings=SEALED, seats=seats("rbgy", bots="g", host="b")),
    "sealed, lobby with bots": lobby_of_host("", settings=SEALED, seats=AWAY),
    "sealed, deal": lobby_of_host(
        "",
        sealed_news(stage="dealing", digits=None, waiting_for=("Rosalind",)),
        settings=SEALED,
        phase="playing",
        dealing=("Rosalind", "Gaspard"),
    ),
    "two, lobby": Scene(gathered_two, has={"secure": True, "latency_ms": 38}),
    "invitation": lobby_of_host("i"),
    "invitation copied": lobby_of_host("i c"),
    "invitation too long": lobby_of_host("i", invitation="driflamme://" + "x" * 188),
    "invitation as a command": lobby_of_host(
        "i", invitation="driflamme join 10.0.0.1", code=None, secure=False
    ),
    # The result
    "result": result(TALK),
    "chart": result(keys="c"),
    "shared victory": Scene(
        lambda: asked_at("1 6 - rH,bL/bs,gS/gm3/gA,ba2 *r3,b9,g9", "g"), has={"saw_result": True}
    ),
    "sealed, result": result(sealed_news(stage="over", verdicts=VERDICTS)),
    "sealed, broken": result(sealed_news(verdicts=VERDICTS, broken=2)),
    "two, result": Scene(lambda: told(-1), has={"saw_result": True}),
    "shared": Scene(
        ended, has={"saw_result": True}, over=lambda: shared_overlay(["driflamme replay 1"])
    ),
    "end of the lesson": Scene(ended, has={"saw_result": True}, over=LessonEnd),
}


# Elsewhere


class BackApp(StartedApp):
    """The start screen with a seat to go back to, and tables that are found."""

    def __init__(self) -> None:
        leave_a_seat()
        super().__init__()

    async def on_ready(self) -> None:
        """Find two."""
        place = Address("192.168.1.20")
        assert isinstance(self.screen, StartScreen)
        self.screen.take_found(
            [
                FoundTable("Rosalind", place, "K7Q", PROTOCOL, 3, 5, playing=True),
                FoundTable("Yvette", place, "B2C", PROTOCOL, 2, 5),
            ]
        )


def learner(step: int, *unread: str) -> LearningApp:
    """Return the lesson after so many answers, with some topics yet to be read."""
    kept = learning_at(step)
    return LearningApp(
        lesson_from(Progress(kept.tokens, tuple(each for each in kept.told if each not in unread)))
    )


async def at_once(app: Any, hands: Hands) -> None:
    """Wait for nothing in particular."""
    await hands.pause()


async def found(app: StartedApp, hands: Hands) -> None:
    """Let tables be found."""
    await hands.pause()
    await app.find(hands, ROSALINDS, YVETTES, OPEN)


async def thought(app: AtBoard, hands: Hands) -> None:
    """Wait until the board is shown, and have the bots say what they think."""
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
    """Waits until it is there, also after each key."""


def past() -> PastApp:
    """Return the app with some evenings in its history."""
    keep_evenings()
    return PastApp()


CROWD = tuple(a_table(f"{n:02}X", ("Ada", "Bo"), phase="playing") for n in range(99))

ELSEWHERE: Mapping[str, Elsewhere] = {
    "start": Elsewhere(StartedApp, arrive=found),
    "start, back": Elsewhere(BackApp),
    "code": Elsewhere(StartedApp, "right down down enter x y enter", found),
    "club": Elsewhere(ClubApp, "down"),
    "club without tables": Elsewhere(lambda: ClubApp(())),
    "club with many tables": Elsewhere(lambda: ClubApp(CROWD), "down pagedown"),
    "league": Elsewhere(LeagueApp, "l down"),
    "history": Elsewhere(past, "f4 down down", settled),
    "history, one kind": Elsewhere(past, "f4 f f", settled),
    "history, delete": Elsewhere(past, "f4 down d", settled),
    "statistics": Elsewhere(past, "f5", settled),
    "statistics, end": Elsewhere(past, "f5 end", settled),
    "lesson": Elsewhere(lambda: learner(23, "Ambush!"), arrive=ready),
    "lesson, task": Elsewhere(lambda: learner(25), "d enter ^", ready),
    "lesson, declined": Elsewhere(lambda: learner(6), "s enter", ready),
    "puzzle": Elsewhere(lambda: SolvingApp(LORD), "!", asked),
    "puzzle, answered": Elsewhere(lambda: SolvingApp(4), "a < enter", asked),
    "board": Elsewhere(lambda: AtBoard(BOARD), arrive=thought),
    "replay": Elsewhere(lambda: LookingBack(step=45)),
    "replay, chart": Elsewhere(lambda: LookingBack(step=45), "c"),
    "replay, position": Elsewhere(lambda: LookingBack(step=45), "p"),
    "replay, find": Elsewhere(lambda: LookingBack(step=45), "slash"),
}


async def arrive(app: DriflammeApp, hands: Hands, scene: Elsewhere) -> None:
    """Go through the keys of a scene elsewhere."""
    await scene.arrive(app, hands)
    for key in scene.keys.split():
        await hands.type(key)
        await (settled(app, hands) if isinstance(app, PastApp) else hands.pause())
    # A button that was pressed is lit for a moment, beneath what it opens too.
    await hands.until(lambda: not any(each.query(".-active") for each in app.screen_stack))
