"""Tests rules for every screen at any size, in any language, with any signs and colours.

The tests watch every place in the code that draws text. Another language may cut off or overlap
text only where English does. Long names are cut in every language.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from gettext import GNUTranslations
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarCorner
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, Static

import driflamme_tui
from driflamme_tui.app import styled_app
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import THEMES, Palette, themes
from driflamme_tui.drawing.textual_internals import picture_of
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.lobby.lobby_texts import pad
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.i18n import ENGLISH, language, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.widgets.table import prompt_bar
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.zone_layout import Zones
from scripts.lib.catalogues import LANGUAGES
from tests.driflamme_tui.app.test_key_bars import left_out
from tests.driflamme_tui.drawing.test_palette import contrast
from tests.support.every_scene import AT_A_TABLE, ELSEWHERE
from tests.support.planted import substitute
from tests.support.scenes import arrive, enter
from tests.support.tables import Hands, SeatedApp, evening_session, run_app

Trouble = tuple[str, str]
"""The place in the code that draws a text without enough space, and the effect."""

FACE = Path(driflamme_tui.__file__).parent


class Watch:
    """Finds cut and overlapping text on all canvases."""

    def __init__(self) -> None:
        self.found: dict[Trouble, str] = {}
        """For each trouble, a text that shows it."""
        self._letters: dict[int, dict[tuple[int, int], str]] = {}

    def begin(self, canvas: Canvas) -> None:
        self._letters[id(canvas)] = {}

    def text(self, canvas: Canvas, x: int, y: int, text: str, width: int | None) -> None:
        shown = canvas.glyphs.plain(text)
        if not any(map(str.isalpha, shown)):
            return
        space = canvas.width - x if width is None else min(width, canvas.width - x)
        drawn = shown.rstrip()
        if cell_len(drawn) > max(0, space) or x < 0:
            self._find("cut off", text)
        if not 0 <= y < canvas.height:
            self._find("off the canvas", text)
        there = self._letters[id(canvas)]
        cells = [(x + column, y) for column in range(max(0, min(len(drawn), space)))]
        if any(there.get(cell, "").isalpha() for cell in cells):
            self._find("on other letters", text)
        there.update(dict(zip(cells, drawn, strict=False)))

    def button(self, button: Button) -> None:
        label, (width, height) = str(button.label), button.content_size
        if len(wrap_text(label, width, width)) > height:
            self.found[f"button #{button.id}", "cut off"] = label

    def _find(self, trouble: str, text: str) -> None:
        frame = sys._getframe(3)
        while frame.f_back is not None and frame.f_code.co_name in ("place", "fill"):
            frame = frame.f_back
        file = Path(frame.f_code.co_filename)
        where = file.relative_to(FACE) if file.is_relative_to(FACE) else file.name
        self.found[f"{where}, {frame.f_code.co_name}", trouble] = text


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    watch = Watch()
    draw, start = Canvas.text, Canvas.__init__

    def begin(self: Canvas, *given: object, **named: object) -> None:
        start(self, *given, **named)  # type: ignore[arg-type]
        watch.begin(self)

    def text(
        self: Canvas, x: int, y: int, text: str, style: Style, width: int | None = None
    ) -> int:
        watch.text(self, x, y, text, width)
        return draw(self, x, y, text, style, width)

    with monkeypatch.context() as patch:
        patch.setattr(Canvas, "__init__", begin)
        patch.setattr(Canvas, "text", text)
        yield watch


def look(app: DriflammeApp, monkeypatch: pytest.MonkeyPatch) -> dict[Trouble, str]:
    """Draw the uppermost screen completely, and return its troubles."""
    with watched(monkeypatch) as watch:
        for drawn in app.screen.query(DrawnWidget):
            drawn.redraw()
        for button in app.screen.query(Button):
            watch.button(button)
    return watch.found


LEAST = 3
"""Minimum contrast of large text and of parts of an interface, by WCAG AA. `test_palette` checks
plain text.
"""


APART = Screen, ScrollBar, ScrollBarCorner
"""Widgets that the check of the layout ignores."""


def laid_out(app: DriflammeApp) -> Iterator[str]:
    """Yield a fault for each widget that is cut off, overlaps another, or has too few rows."""
    screen = app.screen
    shown: list[tuple[Widget, Region]] = []
    for widget, (region, clip) in screen._compositor.visible_widgets.items():
        seen = region.intersection(clip)
        if widget.children or not seen.area or isinstance(widget, APART):
            continue
        if not app.size.region.contains_region(seen) or seen.width < region.width:
            yield f"{widget!r} has no room across: {region} in {clip}"
        if isinstance(widget, Static) and not isinstance(widget, DrawnWidget):
            width, height = widget.content_size
            if (needed := widget.get_content_height(app.size, app.size, width)) > height:
                yield f"{widget!r} needs {needed} rows of {height}"
        for other, there in shown:
            if other.layer == widget.layer and seen.overlaps(there):
                yield f"{widget!r} stands over {other!r}"
        shown.append((widget, seen))


def hard_to_read(app: DriflammeApp, strips: Sequence[Strip]) -> Iterator[str]:
    """Yield the texts on the uppermost screen whose contrast is too low."""
    # Parts under a dialog are dimmed on purpose.
    top = app.screen
    modal = top.is_modal and next(iter(top.children), None)
    box = modal.region if modal else app.size.region
    written = [line.region for line in top.query(Input)]
    seen: dict[tuple[Color | None, Color | None], str] = {}
    for y, strip in enumerate(strips):
        if not box.y <= y < box.bottom or any(line.y <= y < line.bottom for line in written):
            continue
        for text, style, _ in strip.crop(box.x, box.right):
            if style is not None and any(map(str.isalnum, text)):
                seen[style.color, style.bgcolor] = text.strip()
    for (colour, behind), text in seen.items():
        assert colour is not None
        assert behind is not None
        ink, ground = colour.get_truecolor().hex, behind.get_truecolor().hex
        if (had := contrast(ink, ground)) < LEAST:
            yield f"{text!r}: {ink} on {ground} is {had:.1f}"


Troubles = dict[str, dict[Trouble, str]]
"""The troubles of each language, each with a text that shows it."""


def worse(found: Troubles, size: tuple[int, int]) -> list[str]:
    """Return the troubles that a language has and English lacks."""
    english = found.get(ENGLISH, {})
    small = SHORT if size == SMALLEST else ()
    return [
        f"{language}: {where}: {trouble}: {text!r}"
        for language in found
        for (where, trouble), text in found[language].items()
        if (where, trouble) not in english
        if not where.endswith(small)
    ]


def cut_in_english(found: Troubles, size: tuple[int, int]) -> list[str]:
    small = SHORT if size == SMALLEST else ()
    return [
        f"{where}: {trouble}: {text!r}"
        for (where, trouble), text in found.get(ENGLISH, {}).items()
        if trouble in ("cut off", "off the canvas") and not where.endswith(small)
    ]


SHORT = ("_draw_seat", "_row")
"""The functions that shorten names, or cover a text with a key, on the smallest screen."""

LONG = ("long names", "people with long names", "lobby of a guest")
"""Scenes whose names are cut at any size."""

SMALLEST = 60, 20

THEME_IN = dict(zip((*LANGUAGES, ENGLISH), THEMES, strict=True))
"""For each language, a theme, so that the tests show all themes; the last one is for English."""


def shortened(app: DriflammeApp, rows: Sequence[str]) -> Iterator[str]:
    """Yield each row of a page, above its chat, that omits words.

    An ellipsis after a colon belongs to the text.
    """
    for page in app.screen.query("#page"):
        chats = (each.region.y for each in page.query(TalkPanel) if each.display)
        for row in rows[page.region.y : min(page.region.bottom, *chats, app.size.height)]:
            if "…" in row.replace(": …", ""):
                yield f"shortened: {row}"


async def judge(app: DriflammeApp, hands: Hands, patch: pytest.MonkeyPatch, name: str) -> list[str]:
    """Return the faults of the shown scene.

    They concern layout, contrast, cut words, promised keys, and signs beyond ASCII.
    """
    tongue = language()
    found = {tongue: look(app, patch)}
    strips = app.screen._compositor.render_strips()
    rows = [strip.text.rstrip() for strip in strips]
    poor = [*laid_out(app), *shortened(app, rows)]
    poor += [f"its bar leaves out {key}" for key in left_out(app)]
    if app.size != SMALLEST:
        # Colours are the same at each size, so skip the smallest one.
        poor += hard_to_read(app, strips)
    if app.terminal.glyphs is ASCII:
        poor += [sign for sign in "".join(rows) if not (sign.isascii() or sign in NAME)]
    if found[tongue] and tongue != ENGLISH:
        set_language(ENGLISH)
        for screen in app.screen_stack[1:]:
            assert isinstance(screen, Commanded)
            screen.relabel()
        await hands.pause()
        found[ENGLISH] = look(app, patch)
        set_language(tongue)
    poor += worse(found, app.size)
    if name not in LONG and (app.size != SMALLEST or name != "board"):
        poor += cut_in_english(found, app.size)
    return [f"{name} in {tongue}, {app.theme}: {each}" for each in poor]


NAME = "漢字名前…"
"""Signs beyond ASCII that a screen with ASCII signs may show: those of a player's name, and
Textual's own sign for a cut button label.
"""


def troubles(
    patch: pytest.MonkeyPatch,
    size: tuple[int, int],
    glyphs: Glyphs,
    tongue: str,
    scenes: Sequence[str],
) -> list[str]:
    """Return the troubles of scenes in a language, compared with English."""
    poor: list[str] = []
    set_language(tongue)

    async def sit_at_each(app: SeatedApp, hands: Hands) -> None:
        app.configure(Settings(theme=THEME_IN[tongue]), glyphs)
        for name in filter(AT_A_TABLE.__contains__, scenes):
            await enter(app, hands, AT_A_TABLE[name])
            poor.extend(await judge(app, hands, patch, name))

    run_app(SeatedApp(evening_session(0), glyphs), sit_at_each, size)
    for name in filter(ELSEWHERE.__contains__, scenes):

        async def go_there(app: DriflammeApp, hands: Hands, name: str = name) -> None:
            await arrive(app, hands, ELSEWHERE[name])
            poor.extend(await judge(app, hands, patch, name))

        app = ELSEWHERE[name].app()
        app.configure(Settings(theme=THEME_IN[tongue], animation=False), glyphs)
        run_app(app, go_there, size)
    return poor


LOOKS = (
    *((size, UNICODE, tongue) for size in (SMALLEST, (80, 24)) for tongue in LANGUAGES),
    ((120, 40), ASCII, ENGLISH),
    *(((120, 40), UNICODE, tongue) for tongue in LANGUAGES),
    ((200, 60), UNICODE, ENGLISH),
)
"""Combinations of size, signs and language in which scenes are drawn."""


@pytest.mark.parametrize("every", [len(LOOKS), pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("at", range(len(LOOKS)))
def test_everything_has_room_and_can_be_read(
    monkeypatch: pytest.MonkeyPatch, at: int, every: int
) -> None:
    # In a short run, show each scene in only one combination.
    scenes = [*AT_A_TABLE, *ELSEWHERE][at % every :: every]
    assert troubles(monkeypatch, *LOOKS[at], scenes) == []


def test_without_colours_none_is_written_and_what_is_chosen_is_reversed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for name in ("chosen", "options", "commands", "lobby, option chosen", "two, result"):
            await enter(app, hands, AT_A_TABLE[name])
            written = [each for row in picture_of(app.screen) for each in row]
            for each in written:
                for colour in (each.style.color, each.style.bgcolor) if each.style else ():
                    assert colour is None or colour.is_default, (name, each)
            assert any(each.text.strip() and each.style and each.style.reverse for each in written)

    run_app(SeatedApp(evening_session(0), ASCII), steps)


def a_colour_is_too_near_to_its_ground(patch: pytest.MonkeyPatch) -> None:
    def paler(color_system: str | None) -> dict[str, Palette]:
        every = themes(color_system)
        return {name: replace(each, mute=each.line) for name, each in every.items()}

    substitute(patch, themes, paler, styled_app)


def a_zone_stands_over_its_neighbour(patch: pytest.MonkeyPatch) -> None:
    placed = Zones.placed

    def higher(self: Zones, size: Size) -> Iterator[tuple[Widget, Region]]:
        for zone, region in placed(self, size):
            yield zone, region.translate((0, -2 * isinstance(zone, Queue)))

    patch.setattr(Zones, "placed", higher)


def a_sign_has_no_place_in_ascii(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Glyphs, "plain", lambda _self, text: text)


def a_sentence_is_not_wrapped(patch: pytest.MonkeyPatch) -> None:
    substitute(patch, wrap_text, lambda text, *_: [text], prompt_bar)


def a_word_is_longer_in_another_language(patch: pytest.MonkeyPatch) -> None:
    look_up = GNUTranslations.gettext
    patch.setattr(GNUTranslations, "gettext", lambda self, text: look_up(self, text) + 40 * "x")


def a_cell_of_a_page_is_cut(patch: pytest.MonkeyPatch) -> None:
    def cut(text: Text, _width: int) -> Text:
        return Text(f"{text.plain[:-1]}{UNICODE.ellipsis}")

    substitute(patch, pad, cut)


PLANTED = (
    a_colour_is_too_near_to_its_ground,
    a_zone_stands_over_its_neighbour,
    a_sign_has_no_place_in_ascii,
    a_sentence_is_not_wrapped,
    a_word_is_longer_in_another_language,
    a_cell_of_a_page_is_cut,
)


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    # The test above shows that nothing is wrong without the planted bug.
    plant(monkeypatch)
    scene = "lobby of a guest" if plant is a_cell_of_a_page_is_cut else "chosen"
    looks = (UNICODE, "fr"), (ASCII, ENGLISH)
    assert any(troubles(monkeypatch, (80, 24), *each, [scene]) for each in looks)
