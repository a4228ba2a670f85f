"""Whether colours can be read, computed; and that all of them come from the palette.

Contrast is WCAG's. That nothing needs a colour to be told from another is in `test_families.py`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import astuple, replace
from rich.color import Color, ColorSystem

import driflamme_tui
from driflamme_tui.drawing.palette import CONTRAST, THEMES, Palette, themes

READABLE = 4.5
"""WCAG AA for text; `CONTRAST` has what AAA asks, 7, for all but its dimmed cards."""

DIMMED = 4.0
"""What cannot be chosen is exempt by WCAG, and is read all the same."""

HATCHED = 1.5
"""A hatch is decoration: it is to be seen, and not to be read."""


XTERM = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
"""The first 16 colours of xterm."""


def on_xterm(palette: Palette) -> Palette:
    """Return a palette of 16 colours as xterm shows it."""

    def seen(colour: str) -> str:
        number = Color.parse(colour).downgrade(ColorSystem.STANDARD).number
        assert number is not None
        return XTERM[number]

    families = {
        letter: type(family)(*map(seen, astuple(family)))
        for letter, family in palette.families.items()
    }
    fields = palette.__struct_fields__[3:]
    others = {field: seen(getattr(palette, field)) for field in fields}
    return replace(palette, families=families, **others)


PALETTES = {
    **THEMES,
    **{f"{name} of 256": palette for name, palette in themes("256").items()},
    "16": on_xterm(themes("standard")["dark"]),
}


def linear(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of a hexadecimal colour, from 0 to 1, in proportion to light."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    )
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


Pairs = Iterator[tuple[str, str, str]]
"""What it is, its colour, and the ground that it stands on."""


def pairs(palette: Palette) -> Pairs:
    """Return everything that is read, but what is dimmed."""
    for ground in ("table", "panel", "field"):
        for ink in ("ink", "mute", "alert", "choice"):
            if (ink, ground) not in (("mute", "field"), ("alert", "field")):
                yield f"{ink} on {ground}", getattr(palette, ink), getattr(palette, ground)
    yield "the choice", palette.on_colour, palette.choice
    yield "an alert", palette.on_colour, palette.alert
    yield "a face-up card", palette.paper_ink, palette.paper
    yield "its mark", palette.paper_mark, palette.paper
    for letter, family in palette.families.items():
        yield f"{letter} on the table", family.hue, palette.table
        yield f"{letter} on a panel", family.hue, palette.panel
        yield f"on a band of {letter}", palette.on_colour, family.hue
        yield f"on a back of {letter}", family.hue, family.back
        yield f"{letter} on paper", family.on_paper, palette.paper


def dimmed(palette: Palette) -> Pairs:
    """Return what is dimmed, because it cannot be chosen: it is read all the same."""
    yield "a dimmed card", palette.paper_ink, palette.dim_paper
    for letter, family in palette.families.items():
        yield f"on a dimmed band of {letter}", palette.on_colour, family.dim_hue
        yield f"on a dimmed back of {letter}", family.dim_hue, family.dim_back


def poor(found: Pairs, least: float) -> list[str]:
    return [f"{what}: {had:.1f}" for what, a, b in found if (had := contrast(a, b)) < least]


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_all_that_is_read_has_enough_contrast_and_the_choice_most(palette: Palette) -> None:
    assert poor(pairs(palette), 7 if palette.name == CONTRAST.name else READABLE) == []
    assert poor(dimmed(palette), DIMMED) == []
    hatches = ((f"hatch {x}", y.hatch, y.back) for x, y in palette.families.items())
    assert poor(hatches, HATCHED) == []
    others = (palette.ink, *(family.hue for family in palette.families.values()))
    most = max(contrast(each, palette.table) for each in others)
    assert most <= contrast(palette.choice, palette.table)


LITERAL: Callable[[str], list[str]] = re.compile(
    r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|\brgba?\(|\bhsla?\("
    r"|(?:color|background|tint): *(?:black|white|red|green|blue|yellow)"
).findall


def test_no_colour_stands_anywhere_but_in_the_palette() -> None:
    folder = Path(driflamme_tui.__file__).parent
    found = {
        str(path.relative_to(folder)): literals
        for path in (*folder.rglob("*.py"), *folder.rglob("*.tcss"))
        if path.name != "palette.py" and (literals := LITERAL(path.read_text(encoding="utf-8")))
    }
    assert found == {}
