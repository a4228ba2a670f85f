"""Compares screens with about sixty stored pictures.

There are no more, because each must be reviewed whenever its screen changes.

`test_every_screen.py` has rules for all screens, sizes, languages, signs and colours. `pytest
tests/driflamme_tui/app/test_snapshots.py --snapshot-update` makes the pictures; look at them before
a commit. `scripts/pictures` makes the pictures of README.md and the guide from two of them.
"""

import tempfile
from pathlib import Path

import pytest

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.model.motion_frames import Weight
from driflamme_tui.text.signs import ASCII
from tests.driflamme_tui.screens.test_since_your_turn import go_on, sprung, weight_of
from tests.driflamme_tui.screens.test_since_your_turn import table_app as ambushed_app
from tests.support.every_scene import AT_A_TABLE
from tests.support.scenes import enter
from tests.support.snapshots import Album, show
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    evening_session,
    in_app,
)

_SMALL, WIDE = SIZES


OF_THE_TABLE = (
    *("waiting", "watching", "over", "long names", "twenty stacks", "looking", "away", "paused"),
    *("line lost", "talking", "two, table"),
)

OF_SCREENS = (
    *("help", "card reference", "events", "options", "commands", "phrases", "leaving", "rename"),
    *("people", "lobby, option chosen", "invitation", "result", "chart", "shared"),
    *("end of the lesson", "start, back", "code", "history", "history, delete"),
    *("statistics", "lesson, task", "puzzle", "board", "replay", "replay, position"),
)


def test_questions(album: Album) -> None:
    show(album, "first card", "spot", "leave or reveal", "spy", "decree, place")


def test_moments_at_the_table(album: Album) -> None:
    show(album, *OF_THE_TABLE)


@pytest.mark.parametrize("part", range(2))
def test_screens(album: Album, part: int) -> None:
    show(album, *OF_SCREENS[part::2])


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


def test_pictures_are_few_and_tell_nothing_of_the_machine_they_were_made_on() -> None:
    here = Path(__file__).parents[3]
    places = {f"{place}/" for place in (here, Path.home(), tempfile.gettempdir())}
    pictures = sorted((here / "tests").rglob("*.svg"))
    assert 0 < len(pictures) <= 60, "each is looked at whenever a screen changes"
    for each in pictures:
        text = each.read_text(encoding="utf-8")
        assert not [place for place in places if place in text], each.name
