"""Defines the colours of the table: ink and paper, and the five families as the only hues.

A `Palette` is one theme. A `DrawnWidget` draws with it, and `textual_theme` converts it for
Textual's stylesheet. The choice has the theme's strongest contrast, and an alert always has a text
beside it.

Terminals of 256 and of 16 colours have palettes of exactly these colours. The nearest colours to
those of true colour would turn paper pink and a card's back grey.
`tests/driflamme_tui/drawing/test_palette.py` computes the contrasts and the distances between
families.
"""

from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.style import Style
from textual.theme import Theme

from engine.cards import Family

DEFAULT: Final = "default"
"""The terminal's own colour."""
REVERSED_COLOURS: Final = "reversed"
"""The terminal's colours exchanged: its background as ink, its ink as background."""


class FamilyColours(Struct, frozen=True):
    """The colours in which a family's cards and name are drawn."""

    hue: str
    """The colour on the table, and of a face-up card's band."""
    on_paper: str
    """The family's hue, dark enough for a frame on paper."""
    back: str
    """The colour of a face-down card's back."""
    dim_hue: str
    dim_back: str
    hatch: str
    """A faint hue on the card's back."""


class Palette(Struct, frozen=True):
    """All colours of a theme, by default the terminal's own."""

    name: str
    dark: bool
    families: dict[str, FamilyColours]
    table: str = DEFAULT
    panel: str = DEFAULT
    field: str = DEFAULT
    """The background of an input line."""
    ink: str = DEFAULT
    mute: str = DEFAULT
    line: str = DEFAULT
    alert: str = DEFAULT
    paper: str = DEFAULT
    paper_ink: str = DEFAULT
    paper_mark: str = DEFAULT
    dim_paper: str = DEFAULT
    choice: str = DEFAULT
    on_colour: str = DEFAULT
    """The ink on hues, alerts and choices."""

    def bar(self, family: Family) -> str:
        """Return the background of a family's bar: the family's hue.

        In a theme without hues, return the colour of choices.
        """
        hue = self.families[family].hue
        return self.choice if hue == DEFAULT else hue

    @property
    def frame(self) -> str:
        """The colour of a frame that Textual draws."""
        return "ansi_default" if self.mute == DEFAULT else self.mute


QR_BLACK: Final = "#000000"
"""The colour of a QR code's dark modules, in every theme, so that machines can read the code."""
QR_WHITE: Final = "#ffffff"
"""The colour of a QR code's light modules, in every theme."""


def _palette(name: str, grounds: str, others: str, *families: str, dark: bool = True) -> Palette:
    """Return a palette from colours as hexadecimal digits.

    Spaces separate the colours in each text, which are in the order of the fields. `families` go
    from Red to Violet.
    """
    hues = zip("rbgyv", families, strict=True)
    return Palette(
        name,
        dark,
        {letter: FamilyColours(*[f"#{hue}" for hue in row.split()]) for letter, row in hues},
        *[f"#{colour}" for colour in f"{grounds} {others}".split()],
    )


DARK: Final = _palette(
    "dark",
    "10141b 1a202b 2a3342",
    "e8e6df 9aa3b2 3d4656 ff9a8f ece6d6 1b1d22 5d594e b5b1a6 ffffff 10141b",
    "f0784e 7a1f0c 4d1f10 c5674a 381a12 833c24",
    "3b9dff 0a3d6b 0d2f57 3b86d2 0f2542 1c538f",
    "7df3bd 1b6b55 0f3f2f 69c79e 102f27 337b5e",
    "f4d836 866000 443b08 c9b335 322c0d 7e6f17",
    "d08bc0 a12fb6 43203c ac75a1 321c30 724368",
)

LIGHT: Final = _palette(
    "light",
    "f6f2e8 fffdf7 e6e0d0",
    "1f2430 5d6472 b8b2a3 a3261b fffdf7 1f2430 6a6558 efeadd 14171f ffffff",
    "7a1f0c 7a1f0c f9ddd0 7a1f0c f7e7dc d49e8f",
    "0a3d6b 0a3d6b d3e8f7 0a3d6b e4edf0 90afc8",
    "1b6b55 1b6b55 d2efe4 1b6b55 e3f0e6 95c3b4",
    "866000 866000 f7eebd 7a5700 f6f0d2 d1bf7e",
    "a12fb6 a12fb6 f6e0f1 96289f f6e9ed d9a5dd",
    dark=False,
)

CONTRAST: Final = _palette(
    "contrast",
    "000000 15181d 2b2f36",
    "ffffff c9d0da 7d8896 ffb3aa e8e8e8 000000 33302a c4c4c4 ffffff 000000",
    "ff9d78 6b1300 3d1206 e58a66 2a0c04 7e4030",
    "5cadff 00305c 031a33 5aa0e6 03172c 27537f",
    "8dffcd 004d38 053324 78dcb0 042419 32775c",
    "ffe94d 5c4000 383002 dccb48 272202 7a6e1b",
    "ecaadf 6f0f85 371a31 cf94c3 271223 734a6b",
)

_OWN: Final = FamilyColours(*[DEFAULT] * 6)

PLAIN: Final = Palette("plain", True, dict.fromkeys("rbgyv", _OWN), choice=REVERSED_COLOURS)
"""No colours, for `NO_COLOR`: only bold, italic and reversed text."""

THEMES: Final = {palette.name: palette for palette in (DARK, LIGHT, CONTRAST)}
"""The themes that a player may choose. Only the environment chooses `PLAIN`."""


_OF_256: Final = (
    _palette(
        "dark",
        "121212 262626 303030",
        "dadada 949494 4e4e4e ff8787 ffffd7 1c1c1c 585858 d7d7af ffffff 121212",
        "ff5f00 870000 5f0000 d7875f 5f0000 af5f5f",
        "5f87ff 005faf 00005f 5f87d7 00005f 005faf",
        "00ff87 005f00 005f00 5fd787 005f00 5f875f",
        "ffff00 875f00 5f5f00 d7d700 5f5f00 878700",
        "ff87d7 af00af 5f005f af87af 5f005f 875f87",
    ),
    _palette(
        "light",
        "e4e4e4 ffffff d0d0d0",
        "1c1c1c 585858 a8a8a8 af0000 ffffd7 1c1c1c 585858 dadada 000000 ffffff",
        "5f0000 5f0000 ffd7d7 5f0000 ffd7d7 d78787",
        "0000ff 0000ff d7d7ff 0000ff d7d7ff 87afd7",
        "005f5f 005f5f d7ffd7 005f5f d7ffd7 87d787",
        "875f00 875f00 ffffaf 875f00 ffffaf d7af5f",
        "af00af af00af ffd7ff af00af ffd7ff d787d7",
        dark=False,
    ),
    _palette(
        "contrast",
        "000000 1c1c1c 303030",
        "ffffff d0d0d0 808080 ffafaf ffffd7 000000 303030 d7d7af ffffff 000000",
        "ff875f 5f0000 1c1c1c d7875f 1c1c1c 870000",
        "afd7ff 000087 1c1c1c 5fafd7 1c1c1c 005faf",
        "00d7af 005f00 1c1c1c 87d7af 1c1c1c 005f00",
        "d7d700 000000 1c1c1c d7d75f 1c1c1c 5f5f00",
        "d787ff 5f005f 1c1c1c d787d7 1c1c1c 870087",
    ),
)

_OF_16: Final = _palette(
    "dark",
    "000000 000000 0000aa",
    "ffffff aaaaaa 555555 ff5555 aaaaaa 000000 000000 aaaaaa ffffff 000000",
    "ff5555 000000 000000 ff5555 000000 aa0000",
    "55ffff 000000 000000 00aaaa 000000 0000aa",
    "55ff55 000000 000000 00aa00 000000 00aa00",
    "ffff55 000000 000000 aa5500 000000 aa5500",
    "ff55ff 000000 000000 aa00aa 000000 aa00aa",
)
"""Colours that Rich maps to the 16 colours of a terminal. There is no light theme, since no five of
these hues are readable on a light background.
"""


def themes(color_system: str | None) -> dict[str, Palette]:
    """Return the themes by name for a colour system, as Rich names it.

    A terminal without colours (None) gets the themes in full colour.
    """
    if color_system == "256":
        return {palette.name: palette for palette in _OF_256}
    if color_system == "standard":
        return {name: replace(_OF_16, name=name) for name in THEMES}
    return THEMES


@cache
def style(
    colour: str, background: str, *, bold: bool = False, italic: bool = False, under: bool = False
) -> Style:
    """Return a style of two colours and attributes.

    With `REVERSED_COLOURS` as the background, the style exchanges the terminal's own colours.
    """
    reverse = background == REVERSED_COLOURS
    return Style(
        color=DEFAULT if colour == REVERSED_COLOURS else colour,
        bgcolor=DEFAULT if reverse else background,
        bold=bold or None,
        italic=italic or None,
        underline=under or None,
        reverse=reverse or None,
    )


def textual_theme(palette: Palette) -> Theme:
    """Return a palette as a theme of Textual, for the stylesheet and Textual's own widgets."""
    plain = palette is PLAIN
    table, panel, ink = (
        ("ansi_default",) * 3 if plain else (palette.table, palette.panel, palette.ink)
    )
    return Theme(
        name=palette.name,
        primary=ink,
        foreground=ink,
        background=table,
        surface=panel,
        panel=panel,
        dark=palette.dark,
        ansi=plain,
        variables=theme_variables(palette),
    )


def theme_variables(palette: Palette) -> dict[str, str]:
    """Return the stylesheet's variables besides Textual's own."""
    colours = {
        "table": palette.table,
        "box": palette.panel,
        "field": palette.field,
        "ink": palette.ink,
        "mute": palette.mute,
        "alert": palette.alert,
        "choice": palette.choice,
        "on-choice": palette.on_colour,
    }
    if palette is PLAIN:
        # Textual's own styles use the two `ansi-` names for a terminal's colours.
        names = (*colours, "ansi-background", "ansi-foreground")
        return dict.fromkeys(names, "ansi_default") | {"chosen": "bold reverse"}
    return colours | {"chosen": "bold"}


def text_style(palette: Palette, role: str) -> Style:
    """Return a style for texts in Textual's own widgets, which already have a background.

    `role` is a family's letter, also with `bold`, or one of `plain`, `bold`, `mute`, `heading`,
    `alert`, `choice`, `line` and `chosen`. Only `chosen` has a background of its own.
    """
    if role == "chosen":
        return style(palette.on_colour, palette.choice, bold=True)
    name, *others = role.split()
    colours = {letter: family.hue for letter, family in palette.families.items()}
    colours |= {"plain": palette.ink, "bold": palette.ink, "heading": palette.mute}
    colour = colours.get(name) or getattr(palette, name)
    bold = bool(others) or name in ("bold", "heading", "alert", "choice")
    return Style(color=DEFAULT if colour == REVERSED_COLOURS else colour, bold=bold or None)
