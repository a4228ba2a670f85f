"""Tests that a headless host who continues a table names the settings that have no effect there."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import pytest
from msgspec.structs import replace

from driflamme_tui.cli.commands import host_command
from driflamme_tui.hosting.hosted_table import HostedTable
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import Location
from tests.driflamme_tui.cli.test_commands import driflamme
from tests.support.kept import OPENED, stopped

IGNORED = "Ignored settings of this command: "


def continued_with(monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """Continue a stored table with these options of the command; return the lines it prints."""
    stopped(default_path(), 5)
    store = Store.open()
    kept = store.load(1)
    opened = replace(OPENED, location=Location("127.0.0.1", 0, announced=False))
    store.commit({1: Keep(replace(kept, table=replace(kept.table, opened=opened)))}, 0)
    store.close()
    lines: list[str] = []

    def serve(
        opening: Callable[[], Awaitable[HostedTable]],
        describe: Callable[[HostedTable], Iterable[str]],
        _closed: object,
    ) -> None:
        async def run() -> None:
            table = await opening()
            lines.extend(describe(table))
            await table.close()

        asyncio.run(run())

    monkeypatch.setattr(host_command, "serve_until_stopped", serve)
    result = driflamme("host", "--headless", "--port", "0", *options)
    assert result.exit_code == 0, result.output
    assert "The interrupted table is open again" in result.stdout
    return lines


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ((), None),
        (("--clock", "0"), None),
        (("--clock", "60"), "Time limit"),
        (("--clock", "60", "--latecomers", "watch"), "Time limit, Latecomers"),
        (("--seed", "5"), None),
    ],
)
def test_a_continued_table_names_the_settings_that_it_ignores(
    monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], names: str | None
) -> None:
    found = [line for line in continued_with(monkeypatch, *options) if IGNORED in line]
    assert [line.partition(IGNORED)[2] for line in found] == ([f"{names}."] if names else [])
