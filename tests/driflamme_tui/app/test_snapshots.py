"""Pictures of every screen and every question, for eyes to judge and for tests to hold.

They are made anew with `pytest tests/driflamme_tui/app/test_snapshots.py --snapshot-update`; look
at them before they are kept. The picture of `test_readme_picture` is what the front page shows.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.model.lost_connection import LostLine
from driflamme_tui.preferences.last_evening import WayBack
from driflamme_tui.text.signs import ASCII, UNICODE
from netcode.client.session import Session
from netcode.joining.discovery import FoundTable
from netcode.protocol.fields import checked
from netcode.protocol.messages import PROTOCOL, SeatInfo
from netcode.transport.address import Address
from tests.driflamme_tui.albums import Album, Scene, show
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
    RECORD,
    SIZES,
    Hands,
    SeatedApp,
    asked_at,
    evening_session,
    gathered,
    seats,
)

SMALL, WIDE = SIZES


class Compare(Protocol):
    """What the fixture of pytest-textual-snapshot does."""

    def __call__(
        self,
        app: App[None],
        *,
        terminal_size: tuple[int, int],
        run_before: Callable[[Pilot[None]], Awaitable[None]],
    ) -> bool: ...


def matches(
    compare: Compare, app: DriflammeApp, keys: str = "", size: tuple[int, int] = SMALL
) -> bool:
    """Compare what the app shows after some keys with the picture that is kept."""

    async def press(pilot: Pilot[None]) -> None:
        hands = Hands(pilot.app)
        await hands.pause()
        await hands.type(keys)

    return compare(app, terminal_size=size, run_before=press)


each_size = pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])

QUESTIONS = {
    "first-card": (0, "h"),
    "card": (52, ""),
    "spot": (52, "f enter ^"),
    "end": (38, "m >"),
    "leave-or-reveal": (62, "!"),
    "archer": (60, "1"),
    "soldier": (43, ""),
    "assassination": (85, "8"),
    "spy": (83, "g"),
    "shapeshifter": (45, "6"),
    "decree-card": (17, "5"),
    "decree-place": (17, "4 enter 7"),
}
"""By name: a step of the evening's game, and what whoever is asked then presses."""


TABLES = {
    "three-players": ("2 3 b* rS,bh2/bP,gA,gp1,rl *r3,b5,g2", "s ^"),
    "fourteen-stacks": (
        "2 4 bA8 rS,rf1,vL,vh,ya2,yP,gm2/gs,bA,bh3/bm,gL,rl,yx1,vp,vc4 *r3,b15,g2,y8,v4",
        "1",
    ),
    "twenty-stacks": (
        "2 4 b?6 rS,rf1,rL,rh,bF,bc2,bs,bL,gA,gp1,gH,gm,yS,ya3,yL,yx,vP,vd1,vF,vl"
        " *r13,b9,g22,y8,v0",
        "!",
    ),
    "thirty-stacks": (
        "2 6 b?10 rS,rf1,rL,rh,rp2,rA,bF,bS,bH,bc2,bl,bP,gA,gp1,gH,gm,gl,gF"
        ",yS,ya3,yL,yx,yp,yH,vP,vd1,vF,vl,vh1,vA *r3,b9,g2,y8,v4",
        "+",
    ),
    "six-high": (
        "2 6 bF5 rS/ra1/rp,vL,bP/bh1/ba2,yL,bF/bl/bd3,gS/gl1/gd/gP/gh/gm1,yx,ys/yA,vp/vH"
        " *r3,b9,g2,y8,v14",
        "6",
    ),
}
"""By name: a position and keys, all from Blue's seat."""

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


def hosting(**fields: object) -> Session:
    return gathered(
        "rbg",
        "b",
        **{
            "seats": seats("rbg", bots="g", ready="r", host="b"),
            "host": True,
            "invitation": "driflamme join 192.168.1.20",
            **fields,
        },
    )


def ended() -> Session:
    people = seats("rbgyv", ready="r", bots="yv", host="b")
    session = evening_session(EVENING_STEPS, "b", host=True, seats=people)
    session.record = RECORD
    return session


def step(number: int, viewer: str | None = None, keys: str = "", **fields: object) -> Scene:
    """Return the scene after so many steps of the evening."""
    return Scene(lambda: evening_session(number, viewer, **fields), keys)


def table(name: str) -> Scene:
    line, keys = TABLES[name]
    return Scene(lambda: asked_at(line), keys)


IN_BOTH_SIZES = {
    **{name: step(number, keys=keys) for name, (number, keys) in QUESTIONS.items()},
    "waiting": step(41, "b"),
    "watching": step(43, "-", spectators=("Zoe", "Max")),
    "over": step(EVENING_STEPS, "b"),
    "long-and-wide-names": step(83, keys="g", seats=LONG_NAMES),
    "twenty-stacks": table("twenty-stacks"),
    "six-high": table("six-high"),
    "lobby-of-the-host": Scene(hosting, "down down"),
}


@each_size
def test_scene(album: Album, size: tuple[int, int]) -> None:
    show(album, size, IN_BOTH_SIZES)


def test_readme_picture(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "3", WIDE)


IN_THE_SMALL_ONE = {
    "three-players": table("three-players"),
    "fourteen-stacks": table("fourteen-stacks"),
    "thirty-stacks": table("thirty-stacks"),
    "away": step(44, "b", seats=seats("rbgyv", bots="yv", away="r")),
    "line-lost": Scene(lambda: evening_session(43), has={"lost": LostLine(3, 1004.0)}),
    "choice-refused": step(43, keys="9"),
    "answer-on-its-way": step(43, keys="3 enter"),
    "looking-into-a-stack": step(43, keys="i right right down down"),
    "row-from-right-to-left": step(43, keys="3", settings={"direction": "left"}),
    "rows-from-right-to-left": step(52, keys="f >", settings={"direction": "left"}),
    "card-reference": step(62, keys="k"),
    "events": step(62, keys="e"),
    "help": step(62, keys="?"),
    "leaving": step(62, keys="q"),
    "lobby-of-the-host-who-waits": Scene(
        lambda: hosting(
            missing={"code": "not_ready", "values": {"names": ("Rosalind",)}},
            seats=seats("rbg", bots="g", host="b"),
        )
    ),
    "lobby-of-a-guest": Scene(
        lambda: gathered(
            "rbgyv",
            "b",
            seats=LONG_NAMES,
            invitation="driflamme join [2001:db8:1234:5678:9abc:def0:1234:5678]:65535",
            spectators=("Zoe", "Max"),
            settings={"edition": 1, "first": "r", "direction": "left", "pace_ms": 1500},
        )
    ),
}


def test_scene_on_a_small_screen(album: Album) -> None:
    show(album, SMALL, IN_THE_SMALL_ONE)


SMALLEST, LARGE = (60, 20), (160, 50)

IN_OTHER_SIZES = {
    SMALLEST: {
        "soldier": step(43, keys="3"),
        "twenty-stacks": table("twenty-stacks"),
        "thirty-stacks": table("thirty-stacks"),
        "watching": step(43, "-", keys="i"),
    },
    (60, 50): {"spot": step(52, keys="f enter ^")},
    LARGE: {"soldier": step(43, keys="3")},
    (200, 20): {"soldier": step(43, keys="3")},
    (200, 60): {"spot": step(52, keys="f enter ^")},
    (50, 16): {"too-small": step(43)},
}


def name_of(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", IN_OTHER_SIZES, ids=name_of)
def test_scene_in_another_size(album: Album, size: tuple[int, int]) -> None:
    show(album, size, IN_OTHER_SIZES[size])


def test_scene_in_ascii(album: Album) -> None:
    scenes = {
        "soldier": step(43, keys="3"),
        "shared-victory": Scene(
            lambda: asked_at("1 6 - rH,bL/bs,gS/gm3/gA,ba2 *r3,b9,g9", "g"),
            has={"_saw_result": True},
        ),
    }
    show(album, SMALL, scenes, ASCII)


# Before a table


class StartedApp(DriflammeApp):
    """The app before any table."""

    CSS_PATH = SeatedApp.CSS_PATH


class BackApp(StartedApp):
    """The same with a seat to go back to, and tables to be found."""

    def way_back(self) -> WayBack:
        return WayBack("Blaise", "Rosalind", "", "")

    def watch_for_tables(self) -> None:
        place = Address("192.168.1.20")
        self.found_tables = [
            FoundTable("Rosalind", place, "K7Q", PROTOCOL, 3, 5, playing=True),
            FoundTable("Yvette", place, "B2C", PROTOCOL, 2, 5),
        ]


@each_size
def test_start_with_a_table_to_go_back_to(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, BackApp(None, "Blaise", UNICODE), "", size)


def test_start_after_something_went_wrong(snap_compare: Compare) -> None:
    app = StartedApp(None, "Blaise", ASCII)

    async def join(pilot: Pilot[None]) -> None:
        app.join("no address")
        await Hands(app).pause()

    assert snap_compare(app, terminal_size=SMALL, run_before=join)
