"""Colours of the table: ink and paper, and the five families as the only hues.

White is the choice; an alert always has a word beside it. The values keep every text at a
contrast of 4.5 or more against what it stands on.
"""

from dataclasses import dataclass
from typing import Final

from rich.style import Style


@dataclass(frozen=True, slots=True)
class FamilyColours:
    """One family's colours."""

    hue: str
    """On the table, and as the band of a face-up card."""
    on_paper: str
    """The same hue, dark enough for a frame on paper."""
    back: str
    """The back of a face-down card."""
    dim_hue: str
    dim_back: str


@dataclass(frozen=True, slots=True)
class Palette:
    """All colours of a theme."""

    families: dict[str, FamilyColours]
    table: str
    panel: str
    ink: str
    mute: str
    line: str
    alert: str
    paper: str
    paper_ink: str
    paper_mark: str
    dim_paper: str
    choice: str
    on_choice: str
    on_hue: str


DARK: Final = Palette(
    families={
        "r": FamilyColours("#f0784e", "#7a1f0c", "#4d1f10", "#c5674a", "#381a12"),
        "b": FamilyColours("#3b9dff", "#0a3d6b", "#0d2f57", "#3b86d2", "#0f2542"),
        "g": FamilyColours("#7df3bd", "#1b6b55", "#0f3f2f", "#69c79e", "#102f27"),
        "y": FamilyColours("#f4d836", "#866000", "#443b08", "#c9b335", "#322c0d"),
        "v": FamilyColours("#d08bc0", "#a12fb6", "#43203c", "#ac75a1", "#321c30"),
    },
    table="#10141b",
    panel="#1a202b",
    ink="#e8e6df",
    mute="#9aa3b2",
    line="#3d4656",
    alert="#ff9a8f",
    paper="#ece6d6",
    paper_ink="#1b1d22",
    paper_mark="#5d594e",
    dim_paper="#b5b1a6",
    choice="#ffffff",
    on_choice="#10141b",
    on_hue="#10141b",
)


def style(
    colour: str, background: str, *, bold: bool = False, italic: bool = False, under: bool = False
) -> Style:
    """Return a style of two colours and attributes."""
    return Style(
        color=colour,
        bgcolor=background,
        bold=bold or None,
        italic=italic or None,
        underline=under or None,
    )
