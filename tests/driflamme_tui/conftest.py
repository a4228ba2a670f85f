from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]
from syrupy.assertion import SnapshotAssertion

from driflamme_tui.text.i18n import ENGLISH, set_language
from tests.driflamme_tui.albums import Album
from tests.driflamme_tui.rest import no_waiting

__all__ = ["no_waiting"]

CONFIG = Path("/home/blaise/.config/driflamme/config.toml")
"""The file of settings that pictures name."""


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same whatever terminal the tests are run from."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_FPS", "TEXTUAL_COLOR_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
def album(snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> Iterator[Album]:
    """Give an album, and fail when one of its pictures differs from the one that is kept."""
    monkeypatch.setattr(
        "driflamme_tui.screens.overlays.options_overlay.config_file", lambda: CONFIG
    )
    pictures = Album(snapshot.use_extension(SVGImageExtension))
    yield pictures
    set_language(ENGLISH)
    assert pictures.differing == []
