"""Tests that a sealed table which moves to another machine keeps the settings of other wings."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from driflamme_tui.wings.sealed.takeover_games import recall
from netcode.protocol.messages import Lobby
from tests.support.clumsy import installed
from tests.support.made_up.netcode.laughs import messages, settings, table_parts
from tests.support.made_up.netcode.laughs.messages import Laugh
from tests.wings.sealed.takeover.test_tables_that_outlive_their_host import (
    HERE,
    SEALED,
    Program,
    shorten_waits,
    table_of,
)

ADDED = {settings.MOST: 3}


@pytest.fixture(autouse=True)
def _laughs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a made-up wing beside the program's own wings, and shorten the waits."""
    shorten_waits(monkeypatch)
    parts, values = table_parts.SEAM, settings.SEAM
    with installed(
        "netcode",
        "laughs",
        alone=False,
        messages=messages.SEAM,
        settings=values,
        table_parts=parts,
    ):
        yield


def lobby_of(program: Program) -> Lobby:
    lobby = program.seat.session.lobby
    assert lobby is not None
    return lobby


async def test_a_setting_of_another_wing_stays_and_its_part_starts_anew() -> None:
    plan = replace(HERE, settings=replace(SEALED, added=ADDED))
    async with table_of("Root", "Rosalind", "Orlando", plan=plan) as table:
        host, heir, guest = table.programs
        guest.seat.send(Laugh())
        await table.until(lambda: lobby_of(heir).parts["laughs"]["n"] == 1)
        await table.play_to(4)
        assert heir.play is not None
        assert heir.play.person is not None
        stored = recall(heir.play.person.public_key)
        assert stored is not None
        assert stored.added == ADDED
        await table.lose(host)
        await table.until(lambda: table.hosts() in (["Rosalind"] * 2, ["Orlando"] * 2))
        for program in table.programs:
            assert lobby_of(program).settings.added == ADDED
            assert lobby_of(program).parts["laughs"]["n"] == 0
