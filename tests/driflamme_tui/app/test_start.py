"""Tests that the app postpones work, so that the first table appears soon."""

import os
import subprocess
import sys

import pytest

from scripts.lib.wings import WINGS, belong, modules_of

LATER = {
    "concurrent.futures.thread",
    "engine.bots.plans",
    "netcode.client.left_game",
    "netcode.table.finished_game",
    "netcode.workers.questions",
    "netcode.workers.worker_main",
    "pkgutil",
    "textual.command",
    "textual.widgets._input",
    "textual.widgets._option_list",
    "cryptography",
    "driflamme_tui.study",
    "driflamme_tui.screens.base.overlay",
    "driflamme_tui.screens.base.list_page",
    "driflamme_tui.screens.lists",
    "driflamme_tui.screens.lobby_screen",
    "driflamme_tui.screens.overlays",
    "driflamme_tui.screens.result_screen",
    "driflamme_tui.screens.start_screen",
    "driflamme_tui.widgets.inputs",
    "driflamme_tui.wings.sealed.takeover_games",
    "driflamme_tui.wings.hints.hint_words",
    "driflamme_tui.wording.game.help_pages",
    "engine.bots.learned_weights",
    "engine.bots.master_bot",
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

from driflamme_tui.cli.app_start import load_app

DriflammeApp = load_app()
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


PALETTE = """
import asyncio

from driflamme_tui.cli.app_start import load_app

App = load_app()


async def main():
    app = App(None, "Blaise")
    async with app.run_test() as pilot:
        await pilot.pause()
        app.action_commands()
        await pilot.pause()
        from textual.command import CommandList
        from textual.widgets import Input

        app.screen.query_one(Input).value = "optio"
        await pilot.pause()
        print(app.screen.query_one(CommandList).option_count)


asyncio.run(main())
"""
"""A program that starts as the command line does, and searches the command palette."""


def run(program: str) -> "subprocess.CompletedProcess[str]":
    """Return a finished Python program, which had a terminal's environment but no terminal."""
    environment = {**os.environ, "TERM": "xterm-256color"}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )


def test_a_palette_that_is_imported_late_finds_commands() -> None:
    done = run(PALETTE)
    assert int(done.stdout) > 0, done.stderr


@pytest.mark.parametrize("breaks", [False, True])
def test_a_textual_that_needs_its_palette_is_imported_with_it(breaks: bool) -> None:
    broken = "lean_textual._StandIn.__getattr__ = lambda self, name: name + 1" if breaks else ""
    done = run(f"""
import sys
from driflamme_tui.drawing import lean_textual
{broken}
lean_textual.import_textual()
import textual.app
print("textual.command" in sys.modules, hasattr(textual.app.CommandPalette, "is_open"))
""")
    assert done.stdout.split() == [str(breaks)] * 2, done.stderr


def test_what_the_first_table_does_not_show_is_imported_later() -> None:
    done = run(ALONE)
    loaded = set(done.stdout.split())
    assert LATER & loaded == set(), done.stderr
    assert "driflamme_tui.screens.table.table_screen" in loaded
    # Leave out the wing `hints`, which a game against bots loads.
    of_wings = [pattern for name in {*WINGS} - {"hints"} for pattern in modules_of(name)]
    loaded_paths = {name: f"{name.replace('.', '/')}.py" for name in loaded}
    assert not {name for name, path in loaded_paths.items() if belong(path, of_wings)}
