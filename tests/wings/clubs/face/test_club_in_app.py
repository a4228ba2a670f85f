"""Tests the real app in a club, at real tables on the loopback interface."""

from textual.widgets import Button

from driflamme_tui.hosting.host_plans import LOOPBACK, OpenPlan
from driflamme_tui.screens.lobby_screen import LobbyScreen
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.clubs.club_screen import ClubScreen
from driflamme_tui.wings.clubs.open_club import open_club
from netcode.client.connectors import Plain
from netcode.table.snapshot import Location
from netcode.transport.address import Address
from tests.e2e.conftest import _no_count
from tests.e2e.test_app import started, until

__all__ = ["_no_count"]


async def test_leaving_a_clubs_table_leads_to_its_list() -> None:
    club = await open_club(OpenPlan(Location(LOOPBACK, 0, plain=True)), lambda _sentence: None)
    plan = Join(Plain(Address(LOOPBACK, club.server.port)))
    async with started(plan, "Ada") as (app, hands):
        await until(hands, lambda: isinstance(app.screen, ClubScreen))
        await hands.press("n")
        await until(hands, lambda: isinstance(app.screen, LobbyScreen))
        old = app.session
        await hands.press("q", "y")
        await until(hands, lambda: isinstance(app.screen, ClubScreen))
        await until(hands, lambda: app.session is not old and app.session.before_table is not None)
        await hands.press("n")
        await until(hands, lambda: isinstance(app.screen, LobbyScreen))
        await hands.press("q", "y")
        await until(hands, lambda: isinstance(app.screen, ClubScreen))
        await hands.press("q")
        await until(hands, lambda: isinstance(app.screen, StartScreen))
        # The start screen offers the club and its table again.
        await until(hands, lambda: len(app.screen.query("#visited Button")) == 2)
        app.screen.query_one("#club-0", Button).press()
        await until(hands, lambda: isinstance(app.screen, ClubScreen))
    await club.close()
