"""How one card, or a stack with what hangs under it, is drawn in each size.

A face-up card is paper with a thin frame and its name in bold; a face-down one is the dark back
of its family with a double frame, hatched, and the owner reads its name on it in lower-case
italics. Legal choices get a heavy frame and the chosen one is reversed.
"""

from dataclasses import dataclass
from enum import Enum, auto

from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import CHIP, COMPACT, FULL, MICRO, TINY, CardSize
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.text.signs import FrameSigns, Glyphs
from driflamme_tui.wording.game.names import card_mark, card_name_for, card_purpose, family_name
from engine.cards import UNKNOWN, Card, Family


class CardLook(Enum):
    """How a card is set apart from its neighbours."""

    PLAIN = auto()
    LEGAL = auto()
    CHOSEN = auto()
    DIM = auto()
    """Not to be chosen while something else is."""


@dataclass(frozen=True, slots=True)
class Face:
    """One card as its reader sees it."""

    family: Family
    card: Card
    face_up: bool
    influence: int = 0

    @property
    def known(self) -> bool:
        """Whether the reader knows which card it is."""
        return self.card != UNKNOWN


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    size: CardSize,
    face: Face,
    look: CardLook,
    glyphs: Glyphs,
    *,
    height: int = 1,
    key: bool = False,
    underline: bool = False,
) -> None:
    """Draw the top card of a stack `height` cards high; `key` writes its letter on the frame."""
    inks = _Inks(canvas.palette, face, look)
    if size is CHIP:
        _draw_chip(canvas, x, y, face, glyphs, inks, underline=underline)
        return
    if size is TINY:
        _draw_tiny(canvas, x, y, face, glyphs, inks, height, underline=underline)
        return
    frame = _frame(face, look, glyphs)
    width = size.width
    inner = width - 2
    top_left, horizontal, top_right, vertical, bottom_left, bottom_right = frame
    sign = glyphs.families[face.family]
    if size is FULL:
        title = f"{sign} {family_name(face.family)}"
    else:
        title = f"{sign}{face.family}" if glyphs.letter_follows else sign
    band = inks.band if face.face_up and look is not CardLook.CHOSEN else inks.frame
    canvas.text(x, y, top_left + horizontal * inner + top_right, band)
    low = size.height <= MICRO.height
    if low and face.influence:
        number = str(face.influence)
        canvas.text(x + width - 1 - len(number), y, number, inks.title)
    canvas.text(x + 1, y, title[:inner], inks.title)
    for row in range(1, size.height - 1):
        canvas.text(x, y + row, vertical, inks.frame)
        canvas.text(x + width - 1, y + row, vertical, inks.frame)
        hatched = not face.face_up
        canvas.fill(x + 1, y + row, inner, 1, inks.hatch, glyphs.hatch if hatched else " ")
    canvas.text(x, y + size.height - 1, bottom_left + horizontal * inner + bottom_right, inks.frame)
    if face.known:
        name = card_name_for(face.card, inner)
        name_style = inks.name + Style(underline=True) if underline else inks.name
        shown = name if face.face_up else name.lower()
        canvas.text(x + 1, y + 1, shown, name_style, inner)
        _draw_purpose(canvas, x + 1, y + 2, size, face, glyphs, inks)
    if face.influence and not low:
        _draw_influence(
            canvas, x + 1, y + size.height - 2, inner, size, face.influence, glyphs, inks
        )
    if height > 1:
        mark = f"{glyphs.times}{height}"
        canvas.text(x + width - 1 - len(mark), y + size.height - 1, mark, inks.count)
    if key:
        letter = face.card
        canvas.text(x + (width - 1) // 2, y + size.height - 1, letter, inks.count)


def _draw_chip(
    canvas: Canvas,
    x: int,
    y: int,
    face: Face,
    glyphs: Glyphs,
    inks: "_Inks",
    *,
    underline: bool,
) -> None:
    """Draw a card of the hand in one row: its letter and name."""
    name = card_name_for(face.card, CHIP.width - 2)
    ink = inks.title + Style(underline=True) if underline else inks.title
    canvas.text(x, y, f"{face.card} {name}", ink, CHIP.width)


def _draw_tiny(
    canvas: Canvas,
    x: int,
    y: int,
    face: Face,
    glyphs: Glyphs,
    inks: "_Inks",
    height: int,
    *,
    underline: bool,
) -> None:
    """Draw a card without a frame: whose it is and how high, its name and what lies on it."""
    sign = glyphs.families[face.family]
    title = f"{sign}{face.family}" if glyphs.letter_follows else sign
    if not face.face_up:
        title += glyphs.face_down[1]
    canvas.text(x, y, title, inks.title, TINY.width)
    if height > 1:
        mark = f"{glyphs.times}{height}"
        canvas.text(x + TINY.width - len(mark), y, mark, inks.title)
    number = str(face.influence) if face.influence else ""
    room = TINY.width - len(number)
    if face.known:
        name = card_name_for(face.card, 4)
        ink = inks.name + Style(underline=True) if underline else inks.name
        canvas.text(x, y + 1, name if face.face_up else name.lower(), ink, room)
    else:
        canvas.fill(x, y + 1, room, 1, inks.hatch, glyphs.hatch)
    canvas.text(x + room, y + 1, number, inks.influence)


def draw_tab(
    canvas: Canvas, x: int, y: int, size: CardSize, face: Face, glyphs: Glyphs, *, more: int = 0
) -> None:
    """Draw a covered card as a tab; `more` instead counts cards for which there is no room."""
    palette = canvas.palette
    colours = palette.families[face.family]
    tab_style = style(colours.hue, colours.dim_back, italic=not face.face_up)
    width = size.width
    if more:
        text = f" +{more}"
    else:
        inner = width - 1
        if not face.known:
            name = UNKNOWN
        else:
            dotted = size.width >= COMPACT.width
            number_width = len(str(face.influence)) + dotted if face.influence else 0
            name = card_name_for(face.card, max(4, inner - max(1, number_width) - 1))
            if not face.face_up:
                name = name.lower()
            if not dotted:
                name = name[: min(size.width, size.pitch) - 1 - number_width]
        number = str(face.influence) if face.influence else ""
        if number and size.width >= COMPACT.width:
            number = f"{glyphs.dot}{number}"
        text = f"{glyphs.tab}{name}{number}"
    canvas.text(x, y, text, tab_style, width)


class _Inks:
    """The styles of one card."""

    def __init__(self, palette: Palette, face: Face, look: CardLook) -> None:
        colours = palette.families[face.family]
        dim = look is CardLook.DIM
        hue = colours.dim_hue if dim else colours.hue
        if face.face_up:
            paper = palette.dim_paper if dim else palette.paper
            on_hue = palette.on_dim_hue if dim else palette.on_hue
            self.band = style(on_hue, hue)
            self.title = style(on_hue, hue, bold=True)
            self.frame = style(colours.on_paper, paper)
            self.hatch = style(palette.paper_mark, paper)
            self.name = style(palette.paper_ink, paper, bold=True)
            self.mark = style(palette.paper_ink if dim else palette.paper_mark, paper)
            self.influence = self.mark
        else:
            back = colours.dim_back if dim else colours.back
            self.band = style(hue, back)
            self.title = style(hue, back, bold=True)
            self.frame = style(hue, back)
            self.hatch = style(colours.hatch, back)
            self.name = style(hue, back, italic=True)
            self.mark = style(hue, back)
            self.influence = style(hue, back, bold=True)
        self.count = (
            style(palette.paper_ink if face.face_up else hue, self.frame.bgcolor.name, bold=True)
            if self.frame.bgcolor
            else self.frame
        )
        if look is CardLook.LEGAL:
            ground = palette.paper if face.face_up else colours.back
            self.frame = style(
                palette.paper_ink if face.face_up else palette.choice, ground, bold=True
            )
            if face.face_up:
                self.band = style(palette.on_hue, hue, bold=True)
        elif look is CardLook.CHOSEN:
            self.frame = style(palette.on_choice, palette.choice, bold=True)
            self.band = self.title = self.count = self.frame
            if face.face_up:
                self.hatch = self.mark = style(palette.on_choice, palette.choice)
                self.name = self.frame


def _frame(face: Face, look: CardLook, glyphs: Glyphs) -> FrameSigns:
    if look is CardLook.LEGAL:
        return glyphs.legal
    if look is CardLook.CHOSEN:
        return glyphs.chosen
    return glyphs.face_up if face.face_up else glyphs.face_down


def _draw_purpose(
    canvas: Canvas, x: int, y: int, size: CardSize, face: Face, glyphs: Glyphs, inks: _Inks
) -> None:
    """Write what the card does, as far as the size has room for it."""
    inner = size.width - 2
    if size is FULL:
        lines = card_purpose(face.card, FULL.width - 2)
        for row, line in enumerate(lines):
            canvas.text(x, y + 1 + row, line, inks.mark, inner)
    elif size is COMPACT:
        canvas.text(x, y, card_purpose(face.card, COMPACT.width - 2)[0], inks.mark, inner)
    elif size.height > MICRO.height and face.face_up:
        canvas.text(x, y, card_mark(face.card, glyphs), inks.mark, inner)


def _draw_influence(
    canvas: Canvas,
    x: int,
    y: int,
    inner: int,
    size: CardSize,
    influence: int,
    glyphs: Glyphs,
    inks: _Inks,
) -> None:
    """Dots up to four; the number too where there is room, and alone where there are more."""
    dots = glyphs.dot * influence if influence <= 4 else ""
    if size.width >= COMPACT.width or not dots:
        text = f"{dots} {influence}".strip()
    else:
        text = dots if glyphs.letter_follows else str(influence)
    canvas.text(x, y, text, inks.influence, inner)
