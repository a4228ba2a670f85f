"""Tests a part of a host that raises an unexpected error: the table opens, and stays open."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.hosted_table import HostedTable
from driflamme_tui.hosting.moved_tables import MovedTables, has_moved_table, moved_table
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import HostParts, Part, PartKind, record_of
from engine.texts import ExplainedError
from netcode.protocol.fields import TableNotice
from netcode.server.table_registry import TableEntry
from netcode.table.effects import Report
from netcode.table.snapshot import NO_ACCESS, Location
from tests.driflamme_tui.hosting.pretended import Laughs
from tests.support.clumsy import NAME, clumsy, fails, installed, methods, sentences
from tests.support.servers import closed_sockets

HERE = Host(Location("127.0.0.1", 0, announced=False), parts={"laughs": "loud"})

AT_START = ("__init__", "start", "open")
"""The methods that run while a table opens; the host reads a sentence if one of them fails."""


class Watched(Laughs):
    """A part that records further calls."""

    def ports(self) -> dict[str, int]:
        self.seen.append("ports")
        return {"laughs": 5}

    def status(self) -> dict[str, int]:
        self.seen.append("status")
        return {"laughs": 7}

    def invited(self, entry: TableEntry) -> None:
        self.seen.append("invited")

    def receive_report(self, entry: TableEntry, value: object, done: Callable[[], object]) -> None:
        assert value == f"{entry.prefix} laughs"
        done()
        self.seen.append("report")


class Shown(Part):
    def __init__(self, record: str = "") -> None:
        self.record = record

    def saved_record(self) -> str:
        return self.record


def kinds(part: type[Part]) -> HostParts:
    """Return the kinds of a clumsy part and of one that works; the clumsy one comes first.

    The part `Part` stands for one that cannot be built.
    """
    build = fails if part is Part else lambda record: part()
    clumsy_kind = PartKind(NAME, build, is_everywhere=True)
    return HostParts((clumsy_kind, PartKind("laughs", lambda record: Watched(record, False, []))))


@pytest.fixture(params=["__init__", *methods(Part)])
def wrong(request: pytest.FixtureRequest) -> Iterator[str]:
    """Install a part that fails in a method; yield the method's name.

    Asserts at the end that the method was called.
    """
    name = str(request.param)
    part: Any = Part if name == "__init__" else clumsy(Part, name)
    with installed("driflamme_tui", parts=kinds(part)):
        yield name
    assert part is Part or part.called


async def used(plan: Host, notices: list[str]) -> HostedTable:
    """Open a table as planned, use all its parts, and close it; return the table."""
    table = await open_table(plan, owned=True, name="Ada", notify=notices.append)
    assert table.invitations
    table.send_links()
    assert table.ports["laughs"] == 5
    assert table.current_status() == {"laughs": 7}
    table.save_records()
    entry = table.entry
    for name in (NAME, "laughs"):
        table.server._runner._execute(entry, None, [Report(name, f"{entry.prefix} laughs")])
    await (await table.connect()).close()
    await table.close()
    return table


async def test_a_table_opens_and_closes_although_a_part_fails(
    wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    notices: list[str] = []
    table = await used(HERE, notices)
    part = table.parts["laughs"]
    assert isinstance(part, Laughs)
    calls = {"start", "table", "open", "ports", "status", "invited", "report", "stop", "close"}
    assert {*part.seen} == calls
    assert part.seen[-2:] == ["stop", "close"]
    assert len({*sentences(caplog)}) == 1
    if wrong in AT_START:
        (sentence,) = notices
        assert sentence.startswith("The optional part clumsy has failed (ClumsyError at ")
        assert sentence.endswith(" The table is open without it.")
    else:
        assert notices == []


@pytest.mark.parametrize("name", AT_START)
async def test_a_host_who_asks_for_a_part_that_fails_reads_a_sentence_instead(name: str) -> None:
    part: Any = Part if name == "__init__" else clumsy(Part, name)
    with (
        # A part is built before the sockets are opened.
        nullcontext() if part is Part else closed_sockets(),
        installed("driflamme_tui", parts=kinds(part)),
        pytest.raises(ExplainedError, match="The optional part clumsy has failed"),
    ):
        await used(replace(HERE, parts={**HERE.parts, NAME: ""}), [])


async def test_a_record_of_a_part_that_fails_to_return_it_stays(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Forgetful(Shown):
        is_well = True

        def saved_record(self) -> str:
            return super().saved_record() if self.is_well else fails()

    built: list[Forgetful] = []

    def build(record: str) -> Part:
        built.append(Forgetful(record))
        return built[-1]

    Forgetful.__module__ = f"driflamme_tui.wings.{NAME}"
    with installed("driflamme_tui", parts=HostParts((PartKind(NAME, build),))):
        table = await open_table(replace(HERE, parts={NAME: "quiet"}), owned=True, name="Ada")
        built[-1].is_well = False
        table.save_records()
        assert table.entry.opened.parts == {NAME: "quiet"}
        await table.close()
    assert len(sentences(caplog)) == 1


def test_a_kind_that_fails_at_a_notice_has_no_record_for_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kind = PartKind(NAME, fails, record_of_notice=_notice)
    assert record_of(kind, TableNotice(), lambda _address: True) is None
    assert len(sentences(caplog)) == 1


def _notice(*_given: object) -> str | None:
    return fails()


_notice.__module__ = f"driflamme_tui.wings.{NAME}"


def test_moved_tables_that_fail_are_none(caplog: pytest.LogCaptureFixture) -> None:
    seam = MovedTables(_has_any, _reopened)
    with installed("driflamme_tui", moved_tables=seam):
        assert not has_moved_table()
        assert moved_table(HERE, "Ada") is None
    assert len(sentences(caplog)) == 2


def _has_any() -> bool:
    return fails()


def _reopened(_plan: Host, _name: str) -> None:
    fails()


for _each in (_has_any, _reopened):
    _each.__module__ = f"driflamme_tui.wings.{NAME}"


def test_a_subscriber_that_fails_leaves_the_others_their_news(
    caplog: pytest.LogCaptureFixture,
) -> None:
    notices: list[str] = []
    listening = Listening(
        NO_ACCESS, None, [], subscribers=[_has_any, lambda: notices.append("moved")]
    )
    listening.notify_subscribers()
    assert notices == ["moved"]
    assert len(sentences(caplog)) == 1
