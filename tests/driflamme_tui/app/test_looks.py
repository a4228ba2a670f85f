"""Pictures of every decision and every screen in all sizes, themes, languages and sets of signs.

What `test_snapshots.py` shows at the two usual sizes and in the usual colours, this shows
otherwise. One run of the app gives several pictures, since starting it takes longest: an `Album`
compares each with the one that is kept, and names all that differ. They are made anew with `pytest
tests/driflamme_tui/app/test_looks.py --snapshot-update`; look at them before they are kept. The
front page shows those of `test_readme_…`.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.driflamme_tui.albums import Album

from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.i18n import set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from netcode.client.session import Session
from tests.driflamme_tui.app.test_languages import TALK, a_crowd, ended, heard, hosting
from tests.driflamme_tui.app.test_snapshots import (
    LARGE,
    QUESTIONS,
    SMALL,
    SMALLEST,
    WIDE,
    Compare,
    matches,
)
from tests.driflamme_tui.screens.test_start_screen import OPEN, ROSALINDS, YVETTES, StartedApp
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    run_app,
    said,
    seats,
)

PICTURES = Path(__file__).with_name("__snapshots__")


# Decisions

MOMENTS = {
    **QUESTIONS,
    "waiting": (41, ""),
    "over": (EVENING_STEPS, ""),
}


def show_moments(album: Album, size: tuple[int, int], *names: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for name in names:
            step, keys = MOMENTS[name]
            app.sit(evening_session(step, None if name in QUESTIONS else "b"))
            await hands.pause()
            await hands.type(keys)
            album.add(app, name)

    run_app(SeatedApp(evening_session(0)), steps, size)


def test_decisions_on_the_smallest_screen(album: Album) -> None:
    show_moments(album, SMALLEST, *MOMENTS)


def test_decisions_on_the_largest_screen(album: Album) -> None:
    show_moments(album, LARGE, "spot", "decree-place")


# Screens

OVER_THE_TABLE = {
    "table": "3",
    "help": "?",
    "help-of-a-card": "? a",
    "aid": "k",
    "events": "e",
    "options": "o",
    "people": "w",
    "palette": ":",
    "leave": "q",
}
"""By name: what is pressed at the table."""

OTHERS: dict[str, tuple[Callable[[], Session], str]] = {
    "lobby": (lambda: hosting(TALK, settings={"clock_s": 60}, spectators=("Zoe",)), ""),
    "invitation": (lambda: hosting(), "i"),
}
"""By name: where one sits, and keys."""

FEW = ("table", "lobby", "start")
MORE = (*FEW, "help", "options")


def show_screens(
    album: Album,
    *names: str,
    size: tuple[int, int] = SMALL,
    theme: str = "dark",
    glyphs: Glyphs = UNICODE,
) -> None:
    """Add a picture of each of these screens."""
    looks = Settings(theme=theme)

    async def at_a_table(app: SeatedApp, hands: Hands) -> None:
        for name in names:
            if name in OVER_THE_TABLE:
                app.sit(heard(a_crowd(), TALK))
                await hands.pause()
                await hands.type(OVER_THE_TABLE[name])
            elif name in OTHERS:
                session, keys = OTHERS[name]
                app.sit(session())
                await hands.pause()
                await hands.type(keys)
            else:
                continue
            await hands.pause()
            album.add(app, name)
            while len(app.screen_stack) > 2:
                await hands.type("escape")

    async def at_the_start(app: StartedApp, hands: Hands) -> None:
        await app.find(hands, ROSALINDS, YVETTES, OPEN)
        album.add(app, "start")

    seated = SeatedApp(heard(a_crowd(), TALK), glyphs)
    seated.configure(looks, glyphs)
    run_app(seated, at_a_table, size)
    if "start" in names:
        start = StartedApp()
        start.configure(looks, glyphs)
        run_app(start, at_the_start, size)


EVERY_SCREEN = (*OVER_THE_TABLE, *OTHERS, "start")


def test_screens_on_the_smallest_screen(album: Album) -> None:
    show_screens(album, *EVERY_SCREEN, size=SMALLEST)


def test_screens_on_a_wide_screen(album: Album) -> None:
    show_screens(album, "help-of-a-card", "aid", "options", "palette", size=WIDE)


def test_screens_in_dark(album: Album) -> None:
    show_screens(album, "help-of-a-card", "aid", "options", "palette")


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_screens_in_other_colours(album: Album, theme: str) -> None:
    show_screens(album, *EVERY_SCREEN, theme=theme)


@pytest.mark.parametrize("language", ["fr", "pl"])
def test_screens_in_other_languages(album: Album, language: str) -> None:
    set_language(language)
    show_screens(album, *MORE)


@pytest.mark.parametrize("language", ["fr", "pl"])
def test_table_on_the_smallest_screen_in_other_languages(album: Album, language: str) -> None:
    set_language(language)
    show_screens(album, "table", size=SMALLEST)


def test_screens_in_ascii(album: Album) -> None:
    show_screens(album, "aid", "start", glyphs=ASCII)


def test_screens_without_colour(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    show_screens(album, *FEW, "aid")


# The front page


def test_readme_lobby(snap_compare: Compare) -> None:
    people = seats("rbgy", bots="y", ready="rg", host="b")
    talk = said("r: the usual stakes?", "g: I know where your Ambush is")
    session = hosting(talk, seats=people, settings={"clock_s": 60})
    assert matches(snap_compare, SeatedApp(session), "", (100, 26))


def test_readme_light(snap_compare: Compare) -> None:
    app = SeatedApp(evening_session(52))
    app.configure(Settings(theme="light"), UNICODE)
    assert matches(snap_compare, app, "f enter ^", (100, 32))


def test_readme_chart(snap_compare: Compare) -> None:
    assert matches(snap_compare, SeatedApp(ended(), result=True), "c", (100, 28))


# All pictures


def test_no_picture_tells_of_the_machine_it_was_made_on() -> None:
    here = Path(__file__).parents[3]
    places = {f"{place}/" for place in (here, Path.home(), tempfile.gettempdir())}
    pictures = sorted(PICTURES.glob("*/*.svg"))
    assert len(pictures) > len(MOMENTS)
    for picture in pictures:
        text = picture.read_text(encoding="utf-8")
        assert not [place for place in places if place in text], picture.name
