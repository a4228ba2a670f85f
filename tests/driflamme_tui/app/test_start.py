"""What the app leaves for later, so that the first table is there soon."""

import subprocess
import sys

LATER = {
    "driflamme_tui.lesson",
    "driflamme_tui.screens.club_screen",
    "driflamme_tui.screens.history",
    "driflamme_tui.screens.lobby_screen",
    "driflamme_tui.screens.overlays",
    "driflamme_tui.screens.replay",
    "driflamme_tui.screens.result_screen",
    "driflamme_tui.screens.start_screen",
    "driflamme_tui.wording.game.help_pages",
    "importlib.metadata",
    "netcode.joining.discovery",
    "netcode.storage",
    "sqlite3",
    "websockets",
}


def test_what_the_first_table_does_not_show_is_imported_later() -> None:
    program = "import sys, driflamme_tui.app.main_app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not LATER & set(done.stdout.split()), done.stderr
    assert "driflamme_tui.screens.table.table_screen" in done.stdout
