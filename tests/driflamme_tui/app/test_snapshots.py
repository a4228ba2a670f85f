"""Pictures of every screen and every question, for eyes to judge and for tests to hold.

They are made anew with `pytest tests/driflamme_tui/app/test_snapshots.py --snapshot-update`; look
at them before they are kept. The picture of `test_readme_picture` is what the front page shows.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.app import App
from textual.pilot import Pilot

from driflamme_tui.app.app import DriflammeApp
from driflamme_tui.model.lost_line import LostLine
from driflamme_tui.text.signs import ASCII, UNICODE
from netcode.client.session import Session
from netcode.protocol.fields import checked
from netcode.protocol.messages import SeatInfo
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
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


@each_size
@pytest.mark.parametrize("name", QUESTIONS)
def test_question(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    step, keys = QUESTIONS[name]
    assert matches(snap_compare, SeatedApp(evening_session(step)), keys, size)


def test_readme_picture(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "3", WIDE)


# Not asked


@each_size
def test_waiting(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(41, "b")), "", size)


@each_size
def test_watching(snap_compare: Compare, size: tuple[int, int]) -> None:
    session = evening_session(43, "-", spectators=("Zoe", "Max"))
    assert matches(snap_compare, SeatedApp(session), "", size)


@each_size
def test_the_end_of_the_game(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(EVENING_STEPS, "b")), "", size)


def test_somebody_is_away_and_bots_play(snap_compare: Compare) -> None:
    session = evening_session(44, "b", seats=seats("rbgyv", bots="yv", away="r"))
    assert matches(snap_compare, SeatedApp(session))


def test_the_line_is_lost(snap_compare: Compare) -> None:
    app = SeatedApp(evening_session(43), lost=LostLine(3, 1004.0))
    assert matches(snap_compare, app)


def test_a_refused_choice(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "9")


def test_an_answer_on_its_way(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "3 enter")


def test_looking_into_a_stack(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "i right right down down")


# Other tables

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


@pytest.mark.parametrize("name", TABLES)
def test_table(snap_compare: Compare, name: str) -> None:
    line, keys = TABLES[name]
    assert matches(snap_compare, SeatedApp(asked_at(line)), keys)


@pytest.mark.parametrize("name", ["twenty-stacks", "six-high"])
def test_table_on_a_wide_screen(snap_compare: Compare, name: str) -> None:
    line, keys = TABLES[name]
    assert matches(snap_compare, SeatedApp(asked_at(line)), keys, WIDE)


SMALLEST, LARGE = (60, 20), (160, 50)

OTHER_SIZES: dict[str, tuple[tuple[int, int], Callable[[], Session], str]] = {
    "soldier-60x20": (SMALLEST, lambda: evening_session(43), "3"),
    "rows-60x20": (SMALLEST, lambda: asked_at(TABLES["twenty-stacks"][0]), "!"),
    "thirty-60x20": (SMALLEST, lambda: asked_at(TABLES["thirty-stacks"][0]), "+"),
    "watching-60x20": (SMALLEST, lambda: evening_session(43, "-"), "i"),
    "rows-60x50": ((60, 50), lambda: evening_session(52), "f enter ^"),
    "soldier-160x50": (LARGE, lambda: evening_session(43), "3"),
    "low-200x20": ((200, 20), lambda: evening_session(43), "3"),
}
"""By name: a size, what is shown, and keys."""


@pytest.mark.parametrize("name", OTHER_SIZES)
def test_other_sizes(snap_compare: Compare, name: str) -> None:
    size, session, keys = OTHER_SIZES[name]
    assert matches(snap_compare, SeatedApp(session()), keys, size)


@pytest.mark.parametrize(("step", "keys"), [(43, "3"), (52, "f >")], ids=["row", "rows"])
def test_from_right_to_left(snap_compare: Compare, step: int, keys: str) -> None:
    session = evening_session(step, settings={"direction": "left"})
    assert matches(snap_compare, SeatedApp(session), keys)


@each_size
def test_ascii(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43), ASCII), "3", size)


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


@each_size
def test_long_and_wide_names(snap_compare: Compare, size: tuple[int, int]) -> None:
    session = evening_session(83, seats=LONG_NAMES)
    assert matches(snap_compare, SeatedApp(session), "g", size)


def test_a_terminal_that_is_too_small(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(43)), "", (50, 16))


# What is laid over the table


@pytest.mark.parametrize("key", ["k", "e", "?", "q"], ids=["known", "events", "help", "leave"])
def test_overlay(snap_compare: Compare, key: str) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(62)), key)


def test_overlay_in_ascii(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(evening_session(62), ASCII), "k", WIDE)


# The other screens


class StartedApp(DriflammeApp):
    """The app before any table."""

    CSS_PATH = SeatedApp.CSS_PATH


@each_size
def test_start(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, StartedApp(None, "Blaise", UNICODE), "", size)


def test_start_after_something_went_wrong(snap_compare: Compare) -> None:
    app = StartedApp(None, "Blaise", ASCII)

    async def join(pilot: Pilot[None]) -> None:
        app.join("no address")
        await Hands(app).pause()

    assert snap_compare(app, terminal_size=SMALL, run_before=join)


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


@each_size
def test_lobby_of_the_host(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, SeatedApp(hosting()), "down down", size)


def test_lobby_of_the_host_who_waits(snap_compare: Compare) -> None:
    missing = {"code": "not_ready", "values": {"names": ("Rosalind",)}}
    session = hosting(missing=missing, seats=seats("rbg", bots="g", host="b"))
    assert matches(snap_compare, SeatedApp(session))


def test_lobby_of_a_guest(snap_compare: Compare) -> None:
    session = gathered(
        "rbgyv",
        "b",
        seats=LONG_NAMES,
        invitation="driflamme join [2001:db8:1234:5678:9abc:def0:1234:5678]:65535",
        spectators=("Zoe", "Max"),
        settings={"edition": 1, "first": "r", "direction": "left", "pace_ms": 1500},
    )
    assert matches(snap_compare, SeatedApp(session))


def test_lobby_in_ascii(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(hosting(), ASCII))


@each_size
def test_result(snap_compare: Compare, size: tuple[int, int]) -> None:
    session = evening_session(
        EVENING_STEPS, "b", host=True, seats=seats("rbgyv", ready="r", bots="yv", host="b")
    )
    assert matches(snap_compare, SeatedApp(session, result=True), "", size)


def test_shared_victory(snap_compare: Compare) -> None:
    session = asked_at("1 6 - rH,bL/bs,gS/gm3/gA,ba2 *r3,b9,g9", "g")
    assert matches(snap_compare, SeatedApp(session, ASCII, result=True))
