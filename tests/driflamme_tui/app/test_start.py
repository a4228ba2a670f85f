"""Tests that the app postpones work, so that the first table appears soon."""

import subprocess
import sys

from scripts.lib.wings import WINGS, belong, modules_of

LATER = {
    "concurrent.futures.thread",
    "cryptography",
    "driflamme_tui.study",
    "driflamme_tui.screens.base.overlay",
    "driflamme_tui.screens.base.list_page",
    "driflamme_tui.screens.history",
    "driflamme_tui.screens.lobby_screen",
    "driflamme_tui.screens.overlays",
    "driflamme_tui.screens.result_screen",
    "driflamme_tui.screens.start_screen",
    "driflamme_tui.widgets.inputs",
    "driflamme_tui.wings.sealed.takeover_games",
    "driflamme_tui.wings.hints.hint_words",
    "driflamme_tui.wording.game.help_pages",
    "engine.bots.learned",
    "engine.bots.master",
    "engine.bots.search",
    "engine.replaying",
    "importlib.metadata",
    "netcode.wings.sealed.takeover",
    "netcode.wings.sealed.sealed_play",
    "netcode.joining.discovery",
    "netcode.joining.invitation",
    "netcode.wings.sealed.game",
    "netcode.wings.clubs.club_tables",
    "netcode.storage",
    "netcode.transport.certificate",
    "sqlite3",
    "websockets",
}

ALONE = """
import asyncio, sys

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.hosting.host_plans import Alone
from netcode.protocol.table_settings import TableSettings


async def main():
    app = DriflammeApp(Alone(TableSettings(), ("steady",) * 3, 7), "Blaise")
    async with app.run_test() as pilot:
        while not isinstance(app.screen, TableScreen):
            await pilot.pause()
        print(*sys.modules)


asyncio.run(main())
"""
"""A program that starts a game against bots, and ends when its table appears."""


def test_what_the_first_table_does_not_show_is_imported_later() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert LATER & loaded == set(), done.stderr
    assert "driflamme_tui.screens.table.table_screen" in loaded
    # Leave out hints, which a game against bots uses.
    of_wings = [pattern for name in {*WINGS} - {"hints"} for pattern in modules_of(name)]
    loaded_paths = {name: f"{name.replace('.', '/')}.py" for name in loaded}
    assert not {name for name, path in loaded_paths.items() if belong(path, of_wings)}
