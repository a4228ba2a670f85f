"""Compares pictures of scenes with the pictures stored beside a test."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.image import SVGImageSnapshotExtension

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import UNICODE, Glyphs
from tests.support.every_scene import AT_A_TABLE, ELSEWHERE
from tests.support.scenes import arrive, enter
from tests.support.tables import SIZES, Hands, SeatedApp, evening_session, run_app

CONFIG = Path("/home/blaise/.config/driflamme/config.toml")
"""The config file that pictures name."""

_NUMBERED: Final = re.compile(r"\bterminal-\d+-(?=[\w-])")
"""Matches the numbered beginning of a name in a picture."""


class Album:
    """Compares pictures with the stored ones."""

    def __init__(self, kept: SnapshotAssertion) -> None:
        self.differing: list[str] = []
        """Names of the pictures that differ."""
        self._kept = kept

    def add(self, app: DriflammeApp, name: str = "") -> None:
        """Compare the app's screen with the picture of this name, or of the test."""
        # Rich numbers the names in each picture: remove the numbers.
        picture = _NUMBERED.sub("terminal-", app.export_screenshot(title=app.title, simplify=True))
        if (self._kept(name=name.replace(", ", "-").replace(" ", "-") or None)) != picture:
            self.differing.append(name or "the picture")


@contextmanager
def an_album(kept: SnapshotAssertion) -> Iterator[Album]:
    """Yield an album; fail at the end if a picture differs."""
    pictures = Album(kept.use_extension(SVGImageSnapshotExtension))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("driflamme_tui.screens.overlays.options_overlay.config_file", lambda: CONFIG)
        yield pictures
    differing = ", ".join(pictures.differing)
    assert not differing, f"these pictures differ: {differing}"


def show(
    album: Album,
    *names: str,
    size: tuple[int, int] = SIZES[0],
    glyphs: Glyphs = UNICODE,
    theme: str = "dark",
) -> None:
    """Add a picture of each of these scenes."""

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
