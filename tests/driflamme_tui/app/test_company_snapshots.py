"""Pictures of what keeps people together: chat, clocks, pauses, absences, invitations, clubs.

Made anew with `pytest tests/driflamme_tui/app/test_company_snapshots.py --snapshot-update`; look at
them before they are kept.
"""

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from driflamme_tui.model.lost_line import LostLine
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from netcode.client.session import Session
from netcode.protocol.messages import HostMessage
from tests.driflamme_tui.app.test_snapshots import LONG_NAMES, Compare, each_size, matches
from tests.driflamme_tui.screens.test_club_screen import TABLES as CLUB_TABLES
from tests.driflamme_tui.screens.test_club_screen import ClubApp, a_table
from tests.driflamme_tui.screens.test_start_screen import (
    OPEN,
    ROSALINDS,
    YVETTES,
    StartedApp,
    asks_for_code,
    rows,
)
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
    SIZES,
    Hands,
    SeatedApp,
    asked_at,
    clock,
    evening_session,
    gathered,
    said,
    seats,
)
from tests.driflamme_tui.widgets.test_chat_panel import RUDE, THIRTY

SMALL, WIDE = SIZES

LINK = "driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"

TALK = said(
    "y: brave.",
    "r: I would not touch 7",
    "-Zoe: what a stack, I have never seen one so high and so full of influence",
    "v: hurry :)",
)

AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})


def heard(session: Session, *messages: HostMessage) -> Session:
    for message in messages:
        session.receive(message)
    return session


def seated(session: Session, glyphs: Glyphs = UNICODE, **options: object) -> SeatedApp:
    """Return the app at a table; options are its attributes."""
    app = SeatedApp(session, glyphs)
    for name, value in options.items():
        assert hasattr(app, name)
        setattr(app, name, value)
    return app


def table(
    *messages: HostMessage, glyphs: Glyphs = UNICODE, step: int = 43, **fields: object
) -> SeatedApp:
    session = heard(evening_session(step, "b", **fields), *messages)
    return seated(session, glyphs, latency_ms=38)


def lobby_of_host(
    *messages: HostMessage,
    glyphs: Glyphs = UNICODE,
    secure: bool | None = True,
    lost: LostLine | None = None,
    **fields: object,
) -> SeatedApp:
    given = {
        "seats": seats("rbg", bots="g", ready="r", host="b"),
        "invitation": LINK,
        "code": "K7QF2MXR",
        **fields,
    }
    session = heard(gathered("rbg", "b", host=True, **given), *messages)
    return seated(session, glyphs, secure=secure, latency_ms=38, lost=lost)


EVERY_SIZE: dict[str, tuple[Callable[[], SeatedApp], str]] = {
    "talk": (lambda: table(TALK), ""),
    "talking": (lambda: table(TALK), "t w e l l"),
    "clock": (lambda: table(TALK, clock(41), code="K7QF2MXR"), "3"),
    "last-seconds": (lambda: table(clock(4)), "3"),
    "watching": (
        lambda: seated(heard(evening_session(43, "-", spectators=("Zoe",)), TALK, clock(9))),
        "",
    ),
    "paused": (lambda: table(TALK, clock(41, running=False), paused=True), "3"),
    "lost": (lambda: seated(heard(evening_session(43), TALK), lost=LostLine(3, 1004.0)), ""),
    "stood-in": (lambda: table(seats=seats("rbgyv", how={"b": "bot"})), ""),
    "away": (lambda: table(seats=AWAY, step=44), ""),
    "people": (
        lambda: table(
            seats=AWAY,
            host=True,
            spectators=("Zoe", "Max"),
            muted=("Vasco", "Max"),
            secret=bytes(12),
        ),
        "w",
    ),
    "lobby": (lambda: lobby_of_host(), ""),
    "lobby-not-encrypted": (
        lambda: lobby_of_host(
            TALK,
            secure=False,
            settings={"clock_s": 60},
            spectators=("Zoe",),
            muted=("Rosalind",),
        ),
        "",
    ),
    "invitation": (lambda: lobby_of_host(), "i"),
}
"""By name: an app, and keys."""


@each_size
@pytest.mark.parametrize("name", EVERY_SIZE)
def test_state(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    app, keys = EVERY_SIZE[name]
    assert matches(snap_compare, app(), keys, size)


SMALL_ONES: dict[str, tuple[Callable[[], SeatedApp], str]] = {
    "no-room-for-chat": (lambda: seated(heard(asked_at(THIRTY))), ""),
    "writing-without-room": (lambda: seated(heard(asked_at(THIRTY), TALK)), "t"),
    "rude-chat": (lambda: table(said(*(f"y: {text[:60]}" for text in RUDE))), "t"),
    "muted": (lambda: table(TALK, muted=("Blaise",)), "t"),
    "paused-by-oneself": (lambda: table(clock(41, running=False), host=True, paused=True), ""),
    "tried-in-a-pause": (lambda: table(paused=True), "enter"),
    "tried-without-a-line": (
        lambda: seated(evening_session(43), lost=LostLine(3, 1000.0)),
        "enter",
    ),
    "giving-a-seat-away": (lambda: table(seats=AWAY, host=True), "w g"),
    "people-of-a-guest": (lambda: table(seats=AWAY, spectators=("Zoe",)), "w"),
    "people-with-long-names": (
        lambda: table(
            seats=LONG_NAMES,
            host=True,
            spectators=tuple(f"Wolfram Eschenbach {n}" for n in range(10)),
        ),
        "w up",
    ),
    "lobby-line-lost": (lambda: lobby_of_host(lost=LostLine(2, 1007.0)), ""),
    "lobby-longest": (
        lambda: lobby_of_host(TALK, invitation="driflamme://" + "x" * 188, code="N" * 8),
        "",
    ),
    "copied": (lambda: lobby_of_host(), "c"),
    "invitation-copied": (lambda: lobby_of_host(), "i c"),
    "invitation-too-long": (lambda: lobby_of_host(invitation="driflamme://" + "x" * 188), "i"),
    "invitation-command": (
        lambda: lobby_of_host(invitation="driflamme join 10.0.0.1", code=None, secure=False),
        "i",
    ),
}


@pytest.mark.parametrize("name", SMALL_ONES)
def test_state_on_a_small_screen(snap_compare: Compare, name: str) -> None:
    app, keys = SMALL_ONES[name]
    assert matches(snap_compare, app(), keys)


def test_new_lines_that_do_not_show(snap_compare: Compare) -> None:
    app = seated(asked_at(THIRTY))

    async def talk(pilot: Pilot[None]) -> None:
        hands = Hands(app)
        await hands.pause()
        app.receive(TALK)
        await hands.pause()

    assert snap_compare(app, terminal_size=(60, 20), run_before=talk)


IN_ASCII: dict[str, tuple[Callable[[], SeatedApp], str]] = {
    "table": (lambda: table(TALK, clock(41), glyphs=ASCII, seats=AWAY), ""),
    "paused": (lambda: table(clock(41, running=False), glyphs=ASCII, paused=True), "t h i"),
    "people": (lambda: table(glyphs=ASCII, seats=AWAY, host=True), "w"),
    "lobby": (lambda: lobby_of_host(TALK, glyphs=ASCII), ""),
    "invitation": (lambda: lobby_of_host(glyphs=ASCII), "i"),
    "club": (lambda: ClubApp(CLUB_TABLES, ASCII), "down"),
}


@pytest.mark.parametrize("name", IN_ASCII)
def test_state_in_ascii(snap_compare: Compare, name: str) -> None:
    app, keys = IN_ASCII[name]
    assert matches(snap_compare, app(), keys)


@each_size
def test_result_with_chat(snap_compare: Compare, size: tuple[int, int]) -> None:
    people = seats("rbgyv", ready="r", bots="yv", host="b")
    session = evening_session(EVENING_STEPS, "b", host=True, seats=people)
    assert matches(snap_compare, SeatedApp(heard(session, TALK), result=True), "", size)


# Before a table


async def find(app: StartedApp) -> Hands:
    hands = Hands(app)
    await app.find(hands, ROSALINDS, YVETTES, OPEN)
    await hands.type("right down down")
    return hands


@each_size
def test_tables_of_this_network(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = StartedApp()
    app.glyphs = UNICODE

    async def choose(pilot: Pilot[None]) -> None:
        await find(app)

    assert snap_compare(app, terminal_size=size, run_before=choose)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_asking_for_a_code(snap_compare: Compare, glyphs: Glyphs) -> None:
    app = StartedApp()
    app.glyphs = glyphs

    async def type_too_little(pilot: Pilot[None]) -> None:
        hands = await find(app)
        await hands.type("enter")
        await hands.until(lambda: asks_for_code(app))
        await hands.type("x y enter")
        await hands.until(lambda: "Type the five signs" in "\n".join(rows(app)))
        # A button that was pressed is lit for a moment.
        await hands.until(lambda: not app.screen_stack[1].query(".-active"))

    assert snap_compare(app, terminal_size=SMALL, run_before=type_too_little)


@each_size
def test_club(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert matches(snap_compare, ClubApp(), "down", size)


def test_club_without_tables(snap_compare: Compare) -> None:
    assert matches(snap_compare, ClubApp(()))


def test_club_with_many_tables(snap_compare: Compare) -> None:
    tables = tuple(a_table(f"{n:02}X", ("Ada", "Bo"), phase="playing") for n in range(99))
    assert matches(snap_compare, ClubApp(tables), "down pagedown", WIDE)
