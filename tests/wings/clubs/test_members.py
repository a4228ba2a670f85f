"""Tests members of a club: admission, messages, and the number of tables for each."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netcode.protocol.fields import Message
from netcode.protocol.messages import Admitted, Hello, Refused
from netcode.protocol.table_settings import (
    SettingValue,
    TableSettings,
    WingSetting,
    WingSettings,
)
from netcode.server.admission import Admission, Enter
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.table.effects import Effect, Send
from netcode.wings.clubs.club_limits import OPENINGS
from netcode.wings.clubs.club_tables import ClubTables
from netcode.wings.clubs.messages import AskLeague, Club, OpenTable
from tests.netcode.server.test_admission import SECRET, entry, hello, stranger
from tests.support.clumsy import installed

CLUB_SECRET = bytes([3]) * 12


class ClubDoor:
    """A visitor at the door of a club."""

    def __init__(self, *entries: TableEntry, is_open: bool = False) -> None:
        self.registry = TableRegistry(entries, is_open=is_open)
        journal = cast(Journal, SimpleNamespace(keeps=lambda number: True))
        rng = Random(1)
        self.tables = ClubTables(self.registry, journal, CLUB_SECRET, rng, rng.randbytes)
        self.admission = Admission(self.registry, tables=self.tables)
        self.received: list[Message] = []
        runner: Any = SimpleNamespace(
            execute=self._execute,
            now=lambda: 0.0,
            call_at=lambda *_: SimpleNamespace(cancel=lambda: None),
            peers=SimpleNamespace(by_number={1: None}),
        )
        self.tables.attach(runner)
        self.peer = self.visitor()

    def visitor(self, network: str = "") -> Peer:
        peer = stranger(network)
        vars(peer)["answer"] = self.received.append
        return peer

    def _execute(self, entry: TableEntry, effects: list[Effect]) -> None:
        self.received += [each.message for each in effects if isinstance(each, Send)]

    def enters(self, hello: Hello) -> object:
        return self.admission.receive(self.peer, hello, 0.0)

    async def answer_to(self, message: OpenTable | AskLeague, now: float = 0.0) -> Message:
        await self.tables.handlers[type(message)](self.peer, message, now)
        return self.received[-1]


async def test_members_are_told_of_the_tables_and_open_one() -> None:
    table = entry()
    at = ClubDoor(table)
    assert at.enters(hello(CLUB_SECRET)) == Club(tables=(at.tables.info(table),))
    opened = await at.answer_to(OpenTable(settings=TableSettings(edition=1)))
    assert isinstance(opened, Admitted)
    assert len(at.registry) == 2
    refused = await at.answer_to(OpenTable(settings=TableSettings()))
    assert isinstance(refused, Refused)
    assert refused.code == "too_many_tables"
    assert at.enters(hello(SECRET)) == Enter(table, hello(SECRET))


class ClumsySettings:
    """A wing whose setting allows only small numbers, and no clock beside it."""

    name = "clumsy.hours"
    seam = WingSettings(
        (WingSetting(name, 0, lambda value: type(value) is int and value <= 24),),
        lambda settings: "clumsy_clock" if settings.clock_s else None,
    )


@pytest.mark.parametrize(
    ("hours", "clock_s", "code"),
    [
        (2**31 - 1, 0, "bad_field"),
        ("abc", 0, "bad_field"),
        (24, 60, "clumsy_clock"),
        (24, 0, None),
    ],
)
async def test_a_member_opens_no_table_with_settings_that_its_host_could_not_choose(
    hours: int | str, clock_s: int, code: str | None
) -> None:
    with installed("netcode", settings=ClumsySettings.seam):
        at = ClubDoor()
        at.enters(hello(CLUB_SECRET))
        added: dict[str, SettingValue] = {ClumsySettings.name: hours}
        wanted = TableSettings(clock_s=clock_s, added=added)
        answer = await at.answer_to(OpenTable(settings=wanted))
    assert getattr(answer, "code", None) == code
    assert len(at.registry) == (code is None)


@pytest.mark.parametrize("message", [OpenTable(settings=TableSettings()), AskLeague()])
async def test_whoever_knows_a_table_alone_is_no_member(message: OpenTable | AskLeague) -> None:
    at = ClubDoor(entry())
    assert isinstance(at.enters(hello(SECRET)), Enter)
    refused = await at.answer_to(message)
    assert isinstance(refused, Refused)
    assert refused.code == "not_a_member"


def test_whoever_reaches_an_open_club_is_a_member() -> None:
    assert isinstance(ClubDoor(is_open=True).enters(hello()), Club)


async def test_a_club_is_not_filled_by_one_member_in_an_evening() -> None:
    """Each request has its own connection, at full speed, for ten minutes."""
    at, opened = ClubDoor(), 0
    for number in range(6000):
        at.peer = at.visitor()
        at.enters(hello(CLUB_SECRET))
        heard = await at.answer_to(OpenTable(settings=TableSettings()), number / 10)
        if isinstance(heard, Admitted):
            opened += 1
        else:
            assert isinstance(heard, Refused)
            assert heard.code == "too_many_opened"
            assert heard.values["seconds"] in range(1, 6)
    assert opened <= OPENINGS.burst + OPENINGS.per_s * 600 + 1
