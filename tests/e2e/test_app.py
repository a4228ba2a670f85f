"""Tests the real app, with single key presses, at a real table on the loopback interface."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

from textual.widgets import Input

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.hosting.host_plans import LOOPBACK, Host
from driflamme_tui.model.pending_question import Question
from driflamme_tui.preferences.remembered import recall, remember_back
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.overlays.seats_overlay import SeatsOverlay
from driflamme_tui.screens.result_screen import ResultScreen
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.targets import CodeTarget, Join, Plan
from netcode.client.connectors import Plain
from netcode.joining.discovery import FoundTable
from netcode.joining.invitation import parse_invitation
from netcode.protocol.messages import PROTOCOL
from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location
from netcode.table.table import Table
from netcode.transport.address import Address
from tests.support.dates import unix_time
from tests.support.persons import invited
from tests.support.programs import nobody_at
from tests.support.servers import here, listens, server_of
from tests.support.tables import Hands, rows_of

AT_ONCE = TableSettings(pace_ms=0)
LOOKS = 6_000
"""Maximum number of looks at the screen for an expected change."""


async def until(hands: Hands, happened: Callable[[], object]) -> None:
    for _ in range(LOOKS):
        if happened():
            return
        await asyncio.sleep(0.002)
        await hands.pause()
    raise AssertionError("it never happened")


@asynccontextmanager
async def started(
    plan: Plan | None, name: str = "Ada"
) -> AsyncIterator[tuple[DriflammeApp, Hands]]:
    """Start an app that accepts answers immediately; yield the app."""
    app = DriflammeApp(plan, name)
    app.terminal.guard_s = app.terminal.second_click_s = 0
    async with app.run_test():
        yield app, Hands(app)


def question(app: DriflammeApp) -> Question | None:
    """Return the present question if the app accepts an answer; otherwise None."""
    screen = app.screen
    if not isinstance(screen, TableScreen) or app.session.pending is not None:
        return None
    return screen.answering.question


def over(app: DriflammeApp) -> bool:
    view = app.session.view
    return view is not None and view.over


async def play(
    app: DriflammeApp,
    hands: Hands,
    answer: Callable[[Question], Awaitable[None]],
) -> None:
    """Answer every question until the game is over."""
    while not over(app):
        await until(hands, lambda: over(app) or question(app) is not None)
        question_now = question(app)
        if question_now is not None:
            step, revision = question_now.step, app.session.revision
            await answer(question_now)
            await hands.pause()
            moved = question_now.step is not step or app.session.pending is not None
            assert moved or app.session.revision > revision


async def test_a_host_and_two_others_play_by_keyboard_to_the_result_and_begin_again() -> None:
    async with started(Host(Location(LOOPBACK, 0), settings=AT_ONCE)) as (app, hands):
        await until(hands, lambda: isinstance(app.screen, LobbyScreen))
        assert app.player_seat.table is not None
        (link,) = app.player_seat.table.invitations
        people = [invited(link, name, players=3, games=2) for name in ("Berta", "Carla")]
        others = asyncio.gather(*(person.play() for person in people))
        await until(hands, lambda: app.session.lobby and len(app.session.lobby.seats) == 3)
        await until(hands, lambda: app.session.lobby and app.session.lobby.missing is None)
        await hands.press("s")

        async def answer(_question: Question) -> None:
            await hands.press("right", "enter")

        await play(app, hands, answer)
        await until(hands, lambda: all(person.games == 1 for person in people))
        for person in people:
            assert person.session.view is not None
            assert app.session.view is not None
            assert person.session.view.pools == app.session.view.pools
        await hands.press("enter")
        await until(hands, lambda: isinstance(app.screen, ResultScreen))
        await hands.press("enter")
        await until(hands, lambda: not over(app) and isinstance(app.screen, TableScreen))
        others.cancel()
        with suppress(asyncio.CancelledError):
            await others


def notice(app: DriflammeApp) -> str:
    screen = app.screen
    return str(screen.query_one("#notice").render()) if isinstance(screen, StartScreen) else ""


async def test_why_one_cannot_join_is_said() -> None:
    table = Table(Random(1), lambda: Random().randbytes(32), settings=AT_ONCE, unix_time=unix_time)
    async with server_of(table) as server:
        await listens(server)
        address = Plain(here(server))
        plan = Join(address)
        async with started(plan, "Ada") as (host, hands):
            await until(hands, lambda: isinstance(host.screen, LobbyScreen))
            await hands.press("plus", "plus", "plus")
            await until(hands, lambda: host.session.lobby and len(host.session.lobby.seats) == 4)
            async with started(Join(address), "aubin") as (app, other):
                await until(other, lambda: isinstance(app.screen, NameOverlay))
                assert app.screen.query_one("#dialog-text", Input).value == "aubin"
                await other.press("escape")
                await until(other, lambda: "aubin is already taken" in app.failure)
            async with started(Join(address), "aubin") as (app, other):
                await until(other, lambda: isinstance(app.screen, NameOverlay))
                await other.press("end", "s", "enter")
                await until(other, lambda: isinstance(app.screen, LobbyScreen))
                # Both people have one home here, so the host's program may store its name last.
                assert app.player_seat.name == "aubins"
                await other.press("q", "y")
                await until(other, lambda: isinstance(app.screen, StartScreen))
                line = app.screen.query_one("#address", Input)
                assert line.value == recall().address != "", "to come back, to a club above all"
            await hands.press("s")
            await until(hands, lambda: isinstance(host.screen, TableScreen))
            async with started(Join(address), "Berta") as (app, other):
                await until(other, lambda: isinstance(app.screen, SeatsOverlay))
                await other.press("enter")
                await until(hands, lambda: host.session.lobby and host.session.lobby.wishes)
                await hands.press("j")
                await until(other, lambda: app.session.family == "b")
                await until(other, lambda: isinstance(app.screen, TableScreen))
                assert app.session.view is not None
                assert app.session.view.viewer == 1
            async with started(Join(address, watch=True), "Wanda") as (watcher, other):
                await until(other, lambda: isinstance(watcher.screen, TableScreen))
                assert watcher.session.view is not None
                assert watcher.session.view.viewer is None


async def test_a_wrong_code_is_kept_and_asked_for_again() -> None:
    async with hosted() as (host, _):
        assert host.player_seat.table is not None
        entry, port = host.player_seat.table.entry, host.player_seat.table.server.port
        wrong = entry.code[:3] + "".join("0" if sign != "0" else "1" for sign in entry.code[3:])
        plan = Join(CodeTarget(Address(LOOPBACK, port), wrong))
        async with started(None, "Berta") as (app, hands):
            near = Address(LOOPBACK, port)
            assert isinstance(app.screen, StartScreen)
            app.screen.found = (FoundTable("Hanna", near, entry.code[:3], PROTOCOL),)
            app.place.go(plan)
            await until(hands, lambda: isinstance(app.screen, CodeOverlay))
            assert "Hanna's table at" in "\n".join(rows_of(app))
            line = app.screen.query_one("#dialog-text", Input)
            assert line.value == wrong[3:]
            await hands.press("home", *["delete"] * 5, *entry.code[3:].lower(), "enter")
            await until(hands, lambda: isinstance(app.screen, LobbyScreen))
            await hands.press("q", "y")
            await until(hands, lambda: isinstance(app.screen, StartScreen))


async def test_whoever_closed_the_terminal_comes_back_to_the_same_seat() -> None:
    table = Table(Random(1), lambda: Random().randbytes(32), settings=AT_ONCE, unix_time=unix_time)
    async with server_of(table) as server:
        await listens(server)
        address = Plain(here(server))
        async with started(Join(address), "Ada") as (app, hands):
            await until(hands, lambda: isinstance(app.screen, LobbyScreen))
            await hands.press("y", "plus", "plus")
            await until(hands, lambda: app.session.lobby and len(app.session.lobby.seats) == 3)
            await hands.press("s")
            await until(hands, lambda: isinstance(app.screen, TableScreen))
            assert app.session.view is not None
            hand = app.session.view.hands[0]
        async with started(None, "Berta") as (app, hands):
            assert app.focused is not None
            assert app.focused.id == "back"
            await hands.press("enter")
            await until(hands, lambda: isinstance(app.screen, TableScreen))
            assert app.session.family == "y"
            assert app.session.view is not None
            assert set(app.session.view.hands[0]) <= set(hand)
            async with started(None, "Ada") as (another, _):
                assert not another.screen.query("#back"), "the seat is taken by this program"
        port = server.port
    with nobody_at(port):
        async with started(None, "Ada") as (app, hands):
            await hands.press("enter")
            await until(hands, lambda: "No table is open at" in notice(app))
            assert app.screen.query("#back"), "the host may come back"
    [back] = recall().back
    table = Table(Random(2), lambda: Random().randbytes(32), settings=AT_ONCE, unix_time=unix_time)
    async with server_of(table) as server:
        await listens(server, port)
        async with started(Join(Plain(here(server))), "Hanna") as (app, hands):
            await until(hands, lambda: isinstance(app.screen, LobbyScreen))
            await hands.press("plus", "plus")
            await until(hands, lambda: app.session.lobby and len(app.session.lobby.seats) == 3)
            await hands.press("s")
            await until(hands, lambda: isinstance(app.screen, TableScreen))
            remember_back(back)
            async with started(None, "Ada") as (other, others):
                await others.press("enter")
                await until(others, lambda: isinstance(other.screen, SeatsOverlay))
            assert back not in recall().back, "this host has answered that the seat is gone"


@asynccontextmanager
async def hosted() -> AsyncIterator[tuple[DriflammeApp, Hands]]:
    """Open a table in a new app; yield the app in the lobby."""
    async with started(Host(Location(LOOPBACK, 0), settings=AT_ONCE), "Hanna") as (app, hands):
        await until(hands, lambda: isinstance(app.screen, LobbyScreen))
        yield app, hands


@asynccontextmanager
async def joined(host: DriflammeApp, name: str) -> AsyncIterator[tuple[DriflammeApp, Hands]]:
    """Join another app's table in a new app; yield the new app in the lobby."""
    assert host.player_seat.table is not None
    (link,) = host.player_seat.table.invitations
    async with started(Join(parse_invitation(link)), name) as (app, hands):
        await until(hands, lambda: isinstance(app.screen, LobbyScreen))
        yield app, hands


async def test_guests_read_why_they_are_at_a_table_no_more() -> None:
    async with hosted() as (host, host_role):
        async with joined(host, "Berta") as (berta, bertas):
            await until(host_role, lambda: host.session.lobby and len(host.session.lobby.seats) > 1)
            await host_role.press("down", "minus", "y")
            await until(bertas, lambda: "The host has removed you" in notice(berta))
            assert not recall().back
        async with joined(host, "Carla") as (carla, carlas):
            await host_role.press("q")
            await host_role.press("y")
            await until(host_role, lambda: isinstance(host.screen, StartScreen))
            await until(carlas, lambda: "The host has closed the table." in notice(carla))
            assert not recall().back
