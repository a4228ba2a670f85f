"""Tests that a player with seats at several tables of a club gets the news of each."""

import asyncio

from driflamme_tui.hosting.host_plans import LOOPBACK, OpenPlan
from driflamme_tui.seat.seat_session import sit_down
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.clubs.open_club import OpenClub, open_club
from driflamme_tui.wings.days.turns.returns import known_seats
from driflamme_tui.wings.days.turns.turn_requests import ask_all
from netcode.client.reconnection import News
from netcode.joining.invitation import parse_invitation
from netcode.protocol import messages
from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location
from netcode.wings.clubs.messages import Club, OpenTable
from netcode.wings.days.settings import HOURS
from tests.e2e.conftest import _no_count

__all__ = ["_no_count"]

TABLES = 4


async def begin(club: OpenClub) -> None:
    """Open a table of a club, play with bots until a question comes, and end the program."""
    seat = await sit_down(Join(parse_invitation(club.invitations[0])), "Ann")

    def on_news(news: News) -> bool:
        if isinstance(news, Club):
            seat.release_seat()
            settings = TableSettings.of({HOURS: 24, "pace_ms": 0})
            seat.send(OpenTable(settings=settings))
        elif isinstance(news, messages.Welcome):
            for message in (*[messages.AddBot(bot="random")] * 2, messages.Start()):
                seat.send(message)
        view = seat.session.view
        return view is None or view.turn not in view.viewers

    await seat.stay(on_news)
    await seat.leave(leaves=False)
    await seat.close()


async def test_all_tables_of_a_club_are_known_with_their_own_keys() -> None:
    plan = OpenPlan(Location(LOOPBACK, 0))
    async with asyncio.timeout(60):
        club = await open_club(plan, lambda _sentence: None)
        for _number in range(TABLES):
            await begin(club)
        assert len(known_seats()) == TABLES
        found = await ask_all(lambda: 1_000_000.0)
        await club.close()
    assert len({each.seat.prefix for each in found}) == TABLES
    assert all(each.is_mine and not each.why for each in found)
    assert all(each.news is not None and each.news.turn.left_s for each in found)
