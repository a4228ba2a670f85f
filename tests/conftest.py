"""What holds for every test: nothing of the user's own is read, written or shown."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _nothing_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder.lower()))
    monkeypatch.setenv("LANGUAGE", "en")
