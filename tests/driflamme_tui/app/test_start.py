"""Tests that the app postpones work, so that the first table appears soon."""

import os
import subprocess
import sys

import pytest

from netcode.registry import seams_of_wings
from scripts.lib.wings import ROOT, WINGS, belong, modules_of
from tests.support import first_table, palette_search, widget_classes

LATER = {
    "concurrent.futures.thread",
    "engine.bots.plans",
    "netcode.client.left_game",
    "netcode.table.finished_game",
    "netcode.workers.questions",
    "netcode.workers.worker_main",
    "pkgutil",
    "textual.canvas",
    "textual.command",
    "textual.markup",
    "textual.widgets._input",
    "textual.widgets._option_list",
    "cryptography",
    "driflamme_tui.study",
    "driflamme_tui.screens.base.overlay",
    "driflamme_tui.screens.base.list_page",
    "driflamme_tui.screens.lists.history_screens",
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


def run(*program: str) -> "subprocess.CompletedProcess[str]":
    """Return a finished Python program, which had a terminal's environment but no terminal."""
    environment = {**os.environ, "TERM": "xterm-256color"}
    return subprocess.run(
        [sys.executable, *program], cwd=ROOT, capture_output=True, text=True, env=environment
    )


def test_a_palette_that_is_imported_late_finds_commands() -> None:
    done = run("-m", palette_search.__name__)
    assert int(done.stdout) > 0, done.stderr


@pytest.mark.parametrize("breaks", [False, True])
def test_a_textual_that_needs_its_palette_is_imported_with_it(breaks: bool) -> None:
    broken = "lean_textual._StandIn.__getattr__ = lambda self, name: name + 1" if breaks else ""
    program = f"""
import sys
from driflamme_tui.drawing import lean_textual
{broken}
lean_textual.import_textual()
import textual.app
print("textual.command" in sys.modules, hasattr(textual.app.CommandPalette, "is_open"))
"""
    done = run("-c", program)
    assert done.stdout.split() == [str(breaks)] * 2, done.stderr


def test_classes_of_widgets_are_the_same_whether_names_are_remembered_or_not() -> None:
    one, other = (run("-m", widget_classes.__name__, each) for each in ("usual", "remembered"))
    assert "table_screen.TableScreen" in one.stdout, one.stderr
    assert one.stdout == other.stdout


def test_what_textual_calls_late_is_imported_then() -> None:
    program = """
import sys
from driflamme_tui.drawing import lean_textual
lean_textual.import_textual()
from textual.css.stylesheet import parse_style
from textual.design import Table
from textual.layout import Canvas, Rectangle
print(*(name in sys.modules for name in lean_textual.CALLED))
print(parse_style("bold").bold, Table("one").columns[0].header, Canvas(2, 1).width)
print(Rectangle.__name__ != "Rectangle", *(name in sys.modules for name in lean_textual.CALLED))
"""
    done = run("-c", program)
    assert done.stdout.splitlines() == ["False " * 2 + "False", "True one 2", "True " * 3 + "True"]


def test_a_textual_that_begins_classes_in_another_way_does_so_itself() -> None:
    program = """
from driflamme_tui.drawing import lean_textual
lean_textual._USED = lean_textual._USED | {"_another"}
lean_textual.import_textual()
from textual.dom import DOMNode
print(DOMNode.__init_subclass__.__module__)
"""
    done = run("-c", program)
    assert done.stdout.split() == ["textual.dom"], done.stderr


def test_what_the_first_table_does_not_show_is_imported_later() -> None:
    done = run("-m", first_table.__name__)
    loaded = set(done.stdout.split())
    assert LATER & loaded == set(), done.stderr
    assert "driflamme_tui.screens.table.table_screen" in loaded
    # Leave out the wing `hints`, which a game against bots loads, and what panels read of wings.
    of_wings = [pattern for name in {*WINGS} - {"hints"} for pattern in modules_of(name)]
    face, net = map(seams_of_wings, ("driflamme_tui", "netcode"))
    with_panel = [wing for wing, seams in face.items() if "panels" in seams]
    read = {f"driflamme_tui.wings.{wing}.{seam}" for wing in with_panel for seam in face[wing]}
    read |= {f"netcode.wings.{wing}.{seam}" for wing in with_panel for seam in net.get(wing, ())}
    loaded_paths = {name: f"{name.replace('.', '/')}.py" for name in loaded - read}
    assert not {name for name, path in loaded_paths.items() if belong(path, of_wings)}
