"""Tests a sealed table without its host, whose players reach each other only through a relay."""

from collections.abc import Iterator
from dataclasses import replace as with_changes
from itertools import count

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import open_server
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.sealed.home_takeover import HomeTakeover
from netcode.joining.invitation import Invitation, parse_invitation
from netcode.protocol.messages import SetReady, Start
from netcode.table.connections import Connections
from netcode.wings.relay import relay_connection
from tests.support.servers import identity
from tests.wings.relay.evening import NOWHERE, Evening
from tests.wings.sealed.takeover.test_tables_that_outlive_their_host import (
    HERE,
    Table,
    can_start,
    shorten_waits,
    successors,
)


@pytest.fixture(autouse=True)
def _each_in_a_home_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players reach each other only through the relay, each with a certificate."""
    machines = count()
    monkeypatch.setattr(open_server, "load_identity", lambda: identity(f"home {next(machines)}"))
    monkeypatch.setattr(HomeTakeover, "_is_reported", lambda self, host: False)
    monkeypatch.setattr(relay_connection, "WAITS_S", (0.01,))
    shorten_waits(monkeypatch)


@pytest.fixture(autouse=True)
def _strikes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Assert at the end that no program has sent an invalid message."""
    strikes: list[int] = []
    monkeypatch.setattr(Connections, "strike", lambda _, connection: strikes.append(connection))
    yield
    assert not strikes


def from_elsewhere(link: str) -> Invitation:
    """Return the invitation of a link, without an address that works outside the host's home."""
    return with_changes(parse_invitation(link), addresses=(NOWHERE,))


async def test_a_sealed_table_goes_on_through_the_relay_without_its_host() -> None:
    here, table = Evening(), Table()
    await here.open_relay()
    try:
        host = await table.come(replace(HERE, parts={"relay": str(here.link)}), "Root")
        await table.until(lambda: bool(host.host))
        for name in ("Rosalind", "Orlando"):
            guest = await table.come(Join(from_elsewhere(table.link())), name)
            await table.until(lambda: bool(table.programs[-1].host))
            guest.seat.send(SetReady(ready=True))
        await table.until(lambda: len(successors(host)) == 3 and can_start(host))
        host.seat.send(Start())
        await table.until(lambda: all(each.log is not None for each in table.programs))
        await table.until(lambda: all(each.knows == 3 for each in table.programs))
        await table.until(lambda: here.relay.status()["hosts"] == 3)
        await table.play_to(4)
        seen = table.programs[0].steps
        await table.lose(host)
        left = table.programs
        await table.until(lambda: all(each.host in ("Rosalind", "Orlando") for each in left))
        await table.until(lambda: len({each.host for each in left}) == 1)
        assert all(each.steps[:4] == seen[:4] for each in left)
        link = parse_invitation(table.link())
        assert link.indirect == (here.address,)
        # Other players join through the relay too.
        back = await table.come(Join(from_elsewhere(table.link())), "Root")
        await table.until(lambda: bool(back.host))
        await table.play_to(12)
    finally:
        for program in table.programs:
            await program.die()
        await here.relay.close()
