"""What holds for every test: nothing of the user's own is read, written or shown."""

import os
import sys
from pathlib import Path

import pytest

# What a test sees is the table as it is, unless the test is about the pictures in between. Textual
# reads this once, when it is imported, which a plugin may have done already.
os.environ["TEXTUAL_ANIMATIONS"] = "none"
if "textual" in sys.modules:
    vars(sys.modules["textual.constants"])["TEXTUAL_ANIMATIONS"] = "none"

# The helpers assert too; let their failures show what was compared. Said here, before any of
# them is imported by another.
pytest.register_assert_rewrite(
    "tests.engine.lines",
    "tests.engine.random_games",
    "tests.netcode.crashes",
    "tests.netcode.kept",
    "tests.netcode.pretend",
    "tests.netcode.strategies",
    "tests.tui.by_hand",
    "tests.tui.tables",
)


@pytest.fixture(autouse=True)
def _nothing_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder.lower()))
    monkeypatch.setenv("LANGUAGE", "en")
