"""Pictures of scenes, which are compared with those that are kept beside a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]
from syrupy.assertion import SnapshotAssertion

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import UNICODE, Glyphs
from tests.support.every_scene import AT_A_TABLE, ELSEWHERE
from tests.support.scenes import arrive, enter
from tests.support.tables import SIZES, Hands, SeatedApp, evening_session, run_app

CONFIG = Path("/home/blaise/.config/driflamme/config.toml")
"""The file of settings that pictures name."""


class Album:
    """Compares pictures with those that are kept."""

    def __init__(self, kept: SnapshotAssertion) -> None:
        self.differing: list[str] = []
        """Names of the pictures that are not as they were."""
        self._kept = kept

    def add(self, app: DriflammeApp, name: str = "") -> None:
        """Compare what an app shows now with the picture of this name, or of this test."""
        picture = app.export_screenshot(title=app.title, simplify=True)
        if (self._kept(name=name.replace(", ", "-").replace(" ", "-") or None)) != picture:
            self.differing.append(name or "the picture")


@contextmanager
def an_album(kept: SnapshotAssertion) -> Iterator[Album]:
    """Give an album; fail at the end if one of its pictures differs from the one that is kept."""
    pictures = Album(kept.use_extension(SVGImageExtension))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("driflamme_tui.screens.overlays.options_overlay.config_file", lambda: CONFIG)
        yield pictures
    assert pictures.differing == []


def show(
    album: Album,
    *names: str,
    size: tuple[int, int] = SIZES[0],
    glyphs: Glyphs = UNICODE,
    theme: str = "dark",
) -> None:
    """Add a picture of each of these scenes at a table, or elsewhere."""

    async def at_a_table(app: SeatedApp, hands: Hands) -> None:
        for name in names:
            if name in AT_A_TABLE:
                await enter(app, hands, AT_A_TABLE[name])
                album.add(app, name)

    seated = SeatedApp(evening_session(0), glyphs)
    seated.configure(Settings(theme=theme), glyphs)
    if AT_A_TABLE.keys() & names:
        run_app(seated, at_a_table, size)
    for name in names:
        if name not in AT_A_TABLE:

            async def elsewhere(app: DriflammeApp, hands: Hands, name: str = name) -> None:
                await arrive(app, hands, ELSEWHERE[name])
                album.add(app, name)

            app = ELSEWHERE[name].app()
            app.configure(Settings(theme=theme, animation=False), glyphs)
            run_app(app, elsewhere, size)
