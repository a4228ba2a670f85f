"""Tests that guests who return to a long game by a door read what happened meanwhile."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final

import asyncssh
from aiohttp import ClientSession, CookieJar, WSMsgType

from driflamme_tui.wings.doors.door_codes import DoorCodes
from driflamme_tui.wings.doors.visitors import Visitors
from driflamme_tui.wings.doors.web_door import WebDoor
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.sockets import open_tcp, open_unix
from netcode.wings.days.settings import HOURS
from tests.support.dates import unix_time
from tests.wings.doors.conftest import PATIENCE_S, Visit
from tests.wings.doors.test_ssh_door import CODE, SECRET, AnsweringClient, Screen, order
from tests.wings.doors.test_ssh_door import door as ssh_door
from tests.wings.doors.test_visitors import Looking

HAND: Final = 7
"""Number of cards of a hand before the first round."""


@asynccontextmanager
async def long_table(folder: Path) -> AsyncIterator[Table]:
    """Serve a table with two bots, whose games last for days."""
    table = Table(
        Random(3),
        lambda: secrets.token_bytes(32),
        settings=TableSettings.of({HOURS: 24, "pace_ms": 0, "first": "g"}),
        bots=["random", "random"],
        unix_time=unix_time,
    )
    server = Server(TableRegistry([TableEntry(1, TableAccess(SECRET, CODE), table)]))
    async with server:
        await server.listen([open_unix(folder / "table")])
        yield table


EVENT: Final = re.compile(r"at the|leaves|reveals")
"""Matches an event of the story: a slow program may have taken one key more as the next answer."""


async def place_a_card(
    table: Table, screen: Looking, press: Callable[[bytes], Awaitable[object]]
) -> None:
    """Start the game and place a card, before the bots place theirs."""
    await screen.until("you, host")
    await press(b"s")
    await screen.until("which card?")
    (person,) = table.participants.persons
    # One key takes a card, and the next key places it. A new screen ignores keys for a moment.
    async with asyncio.timeout(PATIENCE_S):
        while len(_hand(table, person.family)) == HAND:
            await press(b"\r")
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    while len(_hand(table, person.family)) == HAND:
                        screen.screen.feed(screen._decode(await screen.read()))


def _hand(table: Table, family: str) -> str:
    assert table.games.play is not None
    view = table.games.play.seen_by(None)
    return view.hands[view.families.index(family)]


async def all_gone(visitors: Visitors) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*(each.ended for each in visitors._present.values()))


def test_a_guest_by_ssh_reads_the_story_on_a_screen_and_line_by_line(
    tmp_path: Path, visit: Visit
) -> None:
    ssh_key = asyncssh.generate_private_key("ssh-ed25519")

    async def evening(visitors: Visitors) -> None:
        async with ssh_door(tmp_path, visitors) as door, long_table(tmp_path) as table:
            connection = await door.connect(
                client_keys=[ssh_key], client_factory=lambda: AnsweringClient(CODE)
            )
            screen = await Screen.open(connection)

            async def press(keys: bytes) -> None:
                screen.press(keys)

            await place_a_card(table, screen, press)
            connection.abort()
            await all_gone(visitors)
            for name, said in (("Ada", "WHAT HAPPENED"), ("plain-Ada", "Since your last answer:")):
                connection = await door.connect(name, client_keys=[ssh_key])
                screen = await Screen.open(connection)
                await screen.until(said)
                assert EVENT.search(screen.screen.text())
                connection.abort()
                await all_gone(visitors)

    visit(evening)


def test_a_guest_by_browser_reads_the_story(tmp_path: Path, visit: Visit) -> None:
    async def evening(visitors: Visitors) -> None:
        codes = DoorCodes(order(tmp_path))
        visitors.folder, visitors.table = codes.folder, codes.table
        (listening,) = await open_tcp("127.0.0.1", 0)
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        door = WebDoor(codes, visitors, [origin], proxied=False)
        await door.open([listening], None)
        jar = CookieJar(unsafe=True)
        headers = {"Origin": origin}
        async with (
            long_table(tmp_path) as table,
            ClientSession(origin, headers=headers, cookie_jar=jar) as page,
        ):
            await page.post("/enter", json={"name": "Ada", "code": CODE})
            for is_back in (False, True):
                line = await page.ws_connect("/terminal?name=Ada")

                async def read() -> bytes:
                    while True:
                        message = await line.receive()  # noqa: B023
                        if message.type is WSMsgType.BINARY:
                            return bytes(message.data)
                        assert message.type is WSMsgType.TEXT, message

                async def press(keys: bytes) -> None:
                    await line.send_json(["stdin", keys.decode()])  # noqa: B023

                await line.send_json(["resize", {"width": 80, "height": 24}])
                screen = Looking(read)
                if is_back:
                    await screen.until("WHAT HAPPENED")
                else:
                    await place_a_card(table, screen, press)
                for visitor in visitors._present.values():
                    visitor.hang_up()
                await all_gone(visitors)
                await line.close()
        await door.close()

    visit(evening)
