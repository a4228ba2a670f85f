"""Tests that all colours come from the palette, and computes their contrast and distance.

Contrast is WCAG's. Colour vision is simulated as by Machado et al., "A physiologically-based model
for simulation of color vision deficiency" (2009), at full severity. Distance is CIE76.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import astuple, replace
from rich.color import Color, ColorSystem

import driflamme_tui
from driflamme_tui.drawing.palette import CONTRAST, DARK, LIGHT, THEMES, Palette, themes

Vector = tuple[float, float, float]

READABLE = 4.5
"""Minimum contrast of text: WCAG AA. `CONTRAST` has 7, as AAA asks, except for dimmed cards."""

DIMMED = 4.0
"""Minimum contrast of dimmed text: WCAG exempts parts that cannot be chosen, but players read
them.
"""

HATCHED = 1.5
"""Minimum contrast of a hatch, which is decoration: visible, but not readable."""

SEEN = 4
"""Minimum distance of adjacent backgrounds; an eye notices half of this distance."""

MACHADO: dict[str, tuple[Vector, Vector, Vector] | None] = {
    "normal": None,
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


XTERM = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
"""The first 16 colours of xterm."""


def on_xterm(palette: Palette) -> Palette:
    """Return a palette of 16 colours with xterm's values."""

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


def linear(colour: str) -> Vector:
    """Return linear red, green and blue of a hexadecimal colour, from 0 to 1."""
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


def times(matrix: Sequence[Vector], vector: Vector) -> Vector:
    a, b, c = (sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def lab(colour: Vector) -> Vector:
    """Return the CIELAB values of linear sRGB in daylight (D65)."""
    clipped = (min(1, max(0, colour[0])), min(1, max(0, colour[1])), min(1, max(0, colour[2])))
    matrix = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    white = (0.95047, 1.0, 1.08883)
    x, y, z = (
        ratio ** (1 / 3) if ratio > 216 / 24389 else (24389 / 27 * ratio + 16) / 116
        for ratio in (a / b for a, b in zip(times(matrix, clipped), white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, vision: str) -> float:
    matrix = MACHADO[vision]
    seen = [linear(colour) for colour in (one, other)]
    if matrix is not None:
        seen = [times(matrix, colour) for colour in seen]
    first, second = map(lab, seen)
    return math.dist(first, second)


def nearest(palette: Palette, vision: str) -> int:
    hues = [family.hue for family in palette.families.values()]
    return round(min(distance(*pair, vision) for pair in itertools.combinations(hues, 2)))


Pairs = Iterator[tuple[str, str, str]]
"""Names of texts, each with its colour and its background."""


def pairs(palette: Palette) -> Pairs:
    """Yield the name, colour and background of each text that is not dimmed."""
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
    """Yield dimmed texts, which cannot be chosen but are read."""
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


@pytest.mark.parametrize(
    ("palette", "least"),
    [
        (DARK, {"normal": 50, "deuteranopia": 32, "protanopia": 29, "tritanopia": 25}),
        (LIGHT, {"normal": 38, "deuteranopia": 20, "protanopia": 27, "tritanopia": 18}),
        (CONTRAST, {"normal": 38, "deuteranopia": 20, "protanopia": 20, "tritanopia": 18}),
        (
            PALETTES["dark of 256"],
            {"normal": 56, "deuteranopia": 37, "protanopia": 31, "tritanopia": 42},
        ),
        (
            PALETTES["light of 256"],
            {"normal": 46, "deuteranopia": 32, "protanopia": 34, "tritanopia": 30},
        ),
        (
            PALETTES["contrast of 256"],
            {"normal": 59, "deuteranopia": 24, "protanopia": 26, "tritanopia": 26},
        ),
        (PALETTES["16"], {"normal": 66, "deuteranopia": 20, "protanopia": 8, "tritanopia": 17}),
    ],
    ids=PALETTES,
)
def test_families_are_told_apart_with_any_colour_vision(
    palette: Palette, least: dict[str, int]
) -> None:
    found = {vision: nearest(palette, vision) for vision in MACHADO}
    assert {v: n for v, n in found.items() if n < least[v]} == {}, found


@pytest.mark.parametrize("name", [name for name in PALETTES if name != "16"])
def test_a_back_is_seen_on_the_table_and_a_hatch_on_the_back(name: str) -> None:
    palette = PALETTES[name]
    for letter, family in palette.families.items():
        for back in (family.back, family.dim_back):
            assert distance(back, palette.table, "normal") >= SEEN, f"{letter}: {back}"
        assert distance(family.hatch, family.back, "normal") >= SEEN, letter


@pytest.mark.parametrize("name", PALETTES)
def test_a_field_is_seen_on_every_ground(name: str) -> None:
    palette = PALETTES[name]
    for ground in (palette.table, palette.panel):
        assert distance(palette.field, ground, "normal") >= SEEN


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
