"""Tests that a club runs its command once to call an absent player, even after a restart."""

import asyncio
import json
import sys
from math import inf
from pathlib import Path

import pytest

from driflamme_tui.hosting.host_plans import OpenPlan
from driflamme_tui.wings.clubs.open_club import OpenClub, open_club
from driflamme_tui.wings.days.calls import Calls
from netcode.client.session import Session
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import AddBot, Admitted, Lobby, SetReady, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location
from netcode.transport.channel import Channel
from netcode.wings.clubs.messages import OpenTable
from netcode.wings.days import day_record
from netcode.wings.days.messages import SetCall
from netcode.wings.days.settings import HOURS
from netcode.wings.days.turn_notes import TurnNote

WRITE = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    file.write(json.dumps([*sys.argv[2:], os.environ["DRIFLAMME_ADDRESS"]]) + chr(10))
"""


class Guest:
    def __init__(self, club: OpenClub, name: str, secret: bytes) -> None:
        self.channel: Channel = club.server.connect()
        self.session = Session(secret=secret)
        self.send(self.session.hello(name))

    def send(self, message: Message) -> None:
        self.channel.send(encode(message))

    async def until(self, kind: type[Message]) -> Message:
        while True:
            message = decode_host(await self.channel.receive())
            self.session.receive(message)
            if isinstance(message, kind):
                return message


async def called(part: Calls, made: Path) -> list[list[str]]:
    """Wait for a call; return all calls so far."""
    async with asyncio.timeout(20):
        while not part._tasks and not made.exists():
            await asyncio.sleep(0)
        await asyncio.gather(*part._tasks)
    return [json.loads(line) for line in made.read_text("utf-8").splitlines()]


async def test_a_club_calls_an_absent_player_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(day_record, "CALL_AFTER_S", 0)
    made, script = tmp_path / "calls", tmp_path / "call.py"
    script.write_text(WRITE, "utf-8")
    command = " ".join(map(json.dumps, (sys.executable, str(script), str(made))))
    plan = OpenPlan(Location("127.0.0.1", 0, plain=True), {"days": command})
    club = await open_club(plan, print)
    anna = Guest(club, "anna", club.club._secret)
    await asyncio.sleep(0)
    settings = TableSettings.of({HOURS: 24, "first": "r", "pace_ms": 0})
    anna.send(OpenTable(settings=settings))
    admitted = await anna.until(Admitted)
    assert isinstance(admitted, Admitted)
    anna.send(anna.session.enter(admitted.secret))
    bert = Guest(club, "bert", admitted.secret)
    bert.send(SetCall(address="bert@example.org"))
    bert.send(SetReady(ready=True))
    anna.send(AddBot(bot="random"))
    while not _is_complete(anna):
        await anna.until(Lobby)
    anna.send(Start())
    await bert.until(State)
    await bert.channel.close()
    await anna.until(State)
    assert anna.session.view is not None
    anna.send(anna.session.act(anna.session.view.legal[0]))
    part = club.parts["days"]
    assert isinstance(part, Calls)
    prefix = next(club.server.registry.entries).prefix
    ((name, table_name, hours_left, address),) = await called(part, made)
    assert (name, address, hours_left) == ("bert", "bert@example.org", "23")
    assert table_name.startswith(f"{prefix}: anna, ")
    await club.close()
    # The stored table knows that the call was made: it wakes for its deadline alone.
    again = await open_club(plan, print)
    (entry,) = again.server.registry.entries
    note = entry.notes["days"]
    assert isinstance(note.value, TurnNote)
    assert note.wakes_at == note.value.out_at < inf
    table = await again.club.ready(entry)
    again.server._runner.execute(entry, table.alarm(again.server._runner.now()))
    part = again.parts["days"]
    assert isinstance(part, Calls)
    assert len(await called(part, made)) == 1
    await again.close()


def _is_complete(guest: Guest) -> bool:
    """Return True if three players are there, and are ready."""
    lobby = guest.session.lobby
    if lobby is None or len(lobby.seats) < 3:
        return False
    return all(seat.ready or seat.host for seat in lobby.seats)
