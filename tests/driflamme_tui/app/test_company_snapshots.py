"""Pictures of what keeps people together: chat, clocks, pauses, absences, invitations, clubs.

Made anew with `pytest tests/driflamme_tui/app/test_company_snapshots.py --snapshot-update`; look at
them before they are kept.
"""

from collections.abc import Callable

import pytest
from tests.driflamme_tui.albums import Album, Scene, show
from textual.pilot import Pilot

from driflamme_tui.model.lost_connection import LostLine
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from netcode.client.sealed_news import Notice, Told
from netcode.client.session import Session
from tests.driflamme_tui.app.test_snapshots import LONG_NAMES, Compare, each_size, ended, matches
from tests.driflamme_tui.screens.test_club_screen import ClubApp
from tests.driflamme_tui.screens.test_league_screen import LeagueApp
from tests.driflamme_tui.screens.test_start_screen import (
    OPEN,
    ROSALINDS,
    YVETTES,
    StartedApp,
    asks_for_code,
    rows,
)
from tests.driflamme_tui.tables import (
    SEALED,
    SIZES,
    Hands,
    SeatedApp,
    asked_at,
    clock,
    evening_session,
    gathered,
    run_app,
    said,
    sealed_news,
    seats,
)
from tests.driflamme_tui.widgets.test_chat_panel import RUDE, THIRTY

SMALL, WIDE = SIZES

VOTED = Notice(code="voted_default", name="Gaspard", values={"names": ("Rosalind", "Vasco")})
FORKED = Notice(code="two_contents", name="Gaspard")

LINK = "driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"

TALK = said(
    "y: brave.",
    "r: I would not touch 7",
    "-Zoe: what a stack, I have never seen one so high and so full of influence",
    "v: hurry :)",
)

AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})


def heard(session: Session, *messages: Told) -> Session:
    for message in messages:
        session.receive(message)
    return session


def at(
    session: Callable[[], Session],
    keys: str = "",
    messages: tuple[Told, ...] = (),
    **has: object,
) -> Scene:
    """Return the scene of a session that hears messages; options are the app's attributes."""
    return Scene(lambda: heard(session(), *messages), keys, has)


def table(keys: str = "", *messages: Told, step: int = 43, **fields: object) -> Scene:
    return at(lambda: evening_session(step, "b", **fields), keys, messages, latency_ms=38)


def lobby_of_host(
    keys: str = "",
    *messages: Told,
    secure: bool | None = True,
    lost: LostLine | None = None,
    **fields: object,
) -> Scene:
    given = {
        "seats": seats("rbg", bots="g", ready="r", host="b"),
        "invitation": LINK,
        "code": "K7QF2MXR",
        **fields,
    }
    return at(
        lambda: gathered("rbg", "b", host=True, **given),
        keys,
        messages,
        secure=secure,
        latency_ms=38,
        lost=lost,
    )


IN_BOTH_SIZES = {
    "talk": table("", TALK),
    "talking": table("t w e l l", TALK),
    "clock": table("3", TALK, clock(41), code="K7QF2MXR"),
    "last-seconds": table("3", clock(4)),
    "watching": at(
        lambda: evening_session(43, "-", spectators=("Zoe",)), messages=(TALK, clock(9))
    ),
    "paused": table("3", TALK, clock(41, running=False), paused=True),
    "lost": at(lambda: evening_session(43), messages=(TALK,), lost=LostLine(3, 1004.0)),
    "stood-in": table(seats=seats("rbgyv", how={"b": "bot"})),
    "away": table(seats=AWAY, step=44),
    "people": table(
        "w",
        seats=AWAY,
        host=True,
        spectators=("Zoe", "Max"),
        muted=("Vasco", "Max"),
        secret=bytes(12),
    ),
    "lobby": lobby_of_host(),
    "lobby-not-encrypted": lobby_of_host(
        "",
        TALK,
        secure=False,
        settings={"clock_s": 60},
        spectators=("Zoe",),
        muted=("Rosalind",),
    ),
    "invitation": lobby_of_host("i"),
    "result": at(ended, messages=(TALK,), _saw_result=True),
    "sealed-lobby": lobby_of_host("", settings=SEALED, seats=seats("rbgy", bots="g", host="b")),
    "sealed-deal": lobby_of_host(
        "",
        sealed_news(stage="dealing", digits=None, waiting_for=("Rosalind",)),
        settings=SEALED,
        phase="playing",
        dealing=("Rosalind", "Gaspard"),
    ),
    "sealed-first-card": table("", sealed_news(), step=0, settings=SEALED),
    "sealed-vote": table(
        "", sealed_news(vote_about="Rosalind", is_vote_wanted=True), step=44, settings=SEALED
    ),
    "sealed-people": table("w", sealed_news(notices=(VOTED,)), settings=SEALED, seats=AWAY),
    "sealed-frozen": table("", sealed_news(stage="frozen", notices=(FORKED,)), settings=SEALED),
}


@each_size
def test_state(album: Album, size: tuple[int, int]) -> None:
    show(album, size, IN_BOTH_SIZES)


IN_THE_SMALL_ONE = {
    "no-room-for-chat": at(lambda: asked_at(THIRTY)),
    "writing-without-room": at(lambda: asked_at(THIRTY), "t", (TALK,)),
    "rude-chat": table("t", said(*(f"y: {text[:60]}" for text in RUDE))),
    "muted": table("t", TALK, muted=("Blaise",)),
    "paused-by-oneself": table("", clock(41, running=False), host=True, paused=True),
    "tried-in-a-pause": table("enter", paused=True),
    "tried-without-a-line": at(lambda: evening_session(43), "enter", lost=LostLine(3, 1000.0)),
    "giving-a-seat-away": table("w g", seats=AWAY, host=True),
    "people-of-a-guest": table("w", seats=AWAY, spectators=("Zoe",)),
    "people-with-long-names": table(
        "w up",
        seats=LONG_NAMES,
        host=True,
        spectators=tuple(f"Wolfram Eschenbach {n}" for n in range(10)),
    ),
    "lobby-line-lost": lobby_of_host(lost=LostLine(2, 1007.0)),
    "lobby-longest": lobby_of_host("", TALK, invitation="driflamme://" + "x" * 188, code="N" * 8),
    "copied": lobby_of_host("c"),
    "invitation-copied": lobby_of_host("i c"),
    "invitation-too-long": lobby_of_host("i", invitation="driflamme://" + "x" * 188),
    "invitation-command": lobby_of_host(
        "i", invitation="driflamme join 10.0.0.1", code=None, secure=False
    ),
}


def test_state_on_a_small_screen(album: Album) -> None:
    show(album, SMALL, IN_THE_SMALL_ONE)


def test_new_lines_that_do_not_show(album: Album) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.receive(TALK)
        await hands.pause()
        album.add(app, "60x20")

    run_app(SeatedApp(asked_at(THIRTY)), steps, (60, 20))


IN_ASCII = {
    "table": table("", TALK, clock(41), seats=AWAY),
    "paused": table("t h i", clock(41, running=False), paused=True),
    "people": table("w", seats=AWAY, host=True),
    "lobby": lobby_of_host("", TALK),
    "invitation": lobby_of_host("i"),
}


def test_state_in_ascii(album: Album) -> None:
    show(album, SMALL, IN_ASCII, ASCII)


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


def test_club(snap_compare: Compare) -> None:
    assert matches(snap_compare, ClubApp(), "down")


def test_league(snap_compare: Compare) -> None:
    assert matches(snap_compare, LeagueApp(), "l down")
