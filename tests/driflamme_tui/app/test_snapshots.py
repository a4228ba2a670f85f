"""Pictures, for eyes to judge and for tests to hold: about sixty, since each is looked at again
whenever a screen changes. What holds on every screen, at every size, in all languages, signs and
colours, is in `test_every_screen.py`.

They are made anew with `pytest tests/driflamme_tui/app/test_snapshots.py --snapshot-update`; look
at them before they are kept. `scripts/pictures` makes that of README.md of `test_readme_picture`.
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]
from syrupy.assertion import SnapshotAssertion

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.model.motion_frames import Weight
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from tests.driflamme_tui.screens.test_since_your_turn import go_on, sprung, weight_of
from tests.driflamme_tui.screens.test_since_your_turn import table_app as ambushed_app
from tests.support.scenes import (
    AT_A_TABLE,
    ELSEWHERE,
    arrive,
    enter,
)
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    run_app,
)

SMALL, WIDE = SIZES

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


@pytest.fixture
def album(snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give an album, and fail when one of its pictures differs from the one that is kept."""
    monkeypatch.setattr(
        "driflamme_tui.screens.overlays.options_overlay.config_file", lambda: CONFIG
    )
    pictures = Album(snapshot.use_extension(SVGImageExtension))
    yield pictures
    assert pictures.differing == []


def show(
    album: Album,
    *names: str,
    size: tuple[int, int] = SMALL,
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


# Of every screen one, and a few of the table


OF_THE_TABLE = (
    *("waiting", "watching", "over", "long names", "twenty stacks", "looking", "away", "paused"),
    *("line lost", "talking", "sealed, vote", "sealed, frozen", "two, table"),
)

OF_SCREENS = (
    *("help", "card reference", "events", "options", "commands", "phrases", "leaving", "rename"),
    *("people", "lobby, option chosen", "sealed, deal", "invitation", "result", "chart", "shared"),
    *("end of the lesson", "start, back", "code", "club", "league", "history", "history, delete"),
    *("statistics", "lesson, task", "puzzle", "board", "replay", "replay, position"),
)


def test_questions(album: Album) -> None:
    show(album, "first card", "spot", "leave or reveal", "spy", "decree, place")


def test_moments_at_the_table(album: Album) -> None:
    show(album, *OF_THE_TABLE)


@pytest.mark.parametrize("part", range(2))
def test_screens(album: Album, part: int) -> None:
    show(album, *OF_SCREENS[part::2])


# Wider, and in other signs and colours


def test_on_a_wide_screen(album: Album) -> None:
    show(album, "archer", "six high", "people", "lobby", "history", size=WIDE)


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_in_other_colours(album: Album, theme: str) -> None:
    show(album, "chosen", theme=theme)


def test_in_16_colours(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DriflammeApp, "colours", "standard")
    show(album, "chosen")


def test_without_colour(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    show(album, "chosen")


def test_in_ascii(album: Album) -> None:
    show(album, "chosen", "commands", glyphs=ASCII)


@in_app(ambushed_app)
async def test_a_sprung_ambush(app: SeatedApp, hands: Hands, album: Album) -> None:
    app.receive(sprung()[1])
    while weight_of(app) is not Weight.AMBUSH:
        go_on(app, 0.05)
    await hands.pause()
    album.add(app)


@in_app(lambda: SeatedApp(evening_session(43)), WIDE)
async def test_readme_picture(app: SeatedApp, hands: Hands, album: Album) -> None:
    await enter(app, hands, AT_A_TABLE["chosen"])
    album.add(app)


# All pictures


def test_pictures_are_few_and_tell_nothing_of_the_machine_they_were_made_on() -> None:
    here = Path(__file__).parents[3]
    places = {f"{place}/" for place in (here, Path.home(), tempfile.gettempdir())}
    pictures = sorted((here / "tests").rglob("*.svg"))
    assert 0 < len(pictures) <= 60, "each is looked at whenever a screen changes"
    for each in pictures:
        text = each.read_text(encoding="utf-8")
        assert not [place for place in places if place in text], each.name
