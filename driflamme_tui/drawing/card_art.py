"""How one card, or a stack with what hangs under it, is drawn in each size.

A face-up card is paper with a thin frame and its name in bold; a face-down one is the dark back
of its family with a double frame, hatched, and the owner reads its name on it in lower-case
italics. Legal choices get a heavy frame and the chosen one is reversed.
"""

from enum import Enum, auto

from msgspec import Struct
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import CHIP, COMPACT, FULL, MICRO, TINY, CardSize
from driflamme_tui.drawing.palette import Palette, style
from driflamme_tui.text.signs import FrameSigns
from driflamme_tui.wording.game.names import card_mark, card_name_for, card_purpose, family_name
from engine.cards import UNKNOWN, Card, Family


class CardLook(Enum):
    """How a card is set apart from its neighbours."""

    PLAIN = auto()
    LEGAL = auto()
    CHOSEN = auto()
    DIM = auto()
    """It cannot be chosen while something else can."""


class Face(Struct, frozen=True):
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
    *,
    height: int = 1,
    key: bool = False,
    underline: bool = False,
) -> None:
    """Draw the top card of a stack `height` cards high; `key` writes its letter on the frame."""
    card = _CardPainter(canvas, x, y, size, face, look, underline)
    if size is CHIP:
        card.chip()
    elif size is TINY:
        card.tiny(height)
    else:
        card.framed(height, key=key)


class _CardPainter:
    """Draws one card at its place."""

    def __init__(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        size: CardSize,
        face: Face,
        look: CardLook,
        underline: bool,
    ) -> None:
        self.canvas, self.x, self.y, self.size = canvas, x, y, size
        self.face, self.look, self.glyphs = face, look, canvas.glyphs
        self.inks = _Inks(canvas.palette, face, look)
        self.underline = Style(underline=underline or None)
        sign = self.glyphs.families[face.family]
        self.tag = f"{sign}{face.family}" if self.glyphs.letter_follows else sign

    def text(self, x: int, y: int, text: str, ink: Style, width: int | None = None) -> None:
        """Write at a cell of the card."""
        self.canvas.text(self.x + x, self.y + y, text, ink, width)

    def chip(self) -> None:
        """Draw a card of the hand in one row: its letter and name."""
        name = f"{self.face.card} {card_name_for(self.face.card, CHIP.width - 2)}"
        self.text(0, 0, name, self.inks.title + self.underline, CHIP.width)

    def tiny(self, height: int) -> None:
        """Draw a card without a frame: whose it is and how high, its name and what lies on it."""
        face, glyphs, inks = self.face, self.glyphs, self.inks
        title = self.tag if face.face_up else self.tag + glyphs.face_down[1]
        self.text(0, 0, title, inks.title, TINY.width)
        if height > 1:
            mark = f"{glyphs.times}{height}"
            self.text(TINY.width - len(mark), 0, mark, inks.title)
        number = str(face.influence) if face.influence else ""
        room = TINY.width - len(number)
        if face.known:
            self._name(0, 4, room)
        else:
            self.canvas.fill(self.x, self.y + 1, room, 1, inks.hatch, glyphs.hatch)
        self.text(room, 1, number, inks.influence)

    def framed(self, height: int, *, key: bool) -> None:
        """Draw a card with a frame, and in it what the size has room for."""
        face, glyphs, inks, width = self.face, self.glyphs, self.inks, self.size.width
        inner, bottom = width - 2, self.size.height - 1
        top_left, horizontal, top_right, vertical, bottom_left, bottom_right = self._frame()
        title = f"{glyphs.families[face.family]} {family_name(face.family)}"
        band = inks.band if face.face_up and self.look is not CardLook.CHOSEN else inks.frame
        self.text(0, 0, top_left + horizontal * inner + top_right, band)
        low = self.size.height <= MICRO.height
        if low and face.influence:
            number = str(face.influence)
            self.text(width - 1 - len(number), 0, number, inks.title)
        self.text(1, 0, (title if self.size is FULL else self.tag)[:inner], inks.title)
        filling = " " if face.face_up else glyphs.hatch
        for row in range(1, bottom):
            self.text(0, row, vertical, inks.frame)
            self.text(width - 1, row, vertical, inks.frame)
            self.text(1, row, filling * inner, inks.hatch)
        self.text(0, bottom, bottom_left + horizontal * inner + bottom_right, inks.frame)
        if face.known:
            self._name(1, inner, inner)
            self._purpose(inner)
        if face.influence and not low:
            self._influence(inner, bottom - 1)
        if height > 1:
            mark = f"{glyphs.times}{height}"
            self.text(width - 1 - len(mark), bottom, mark, inks.count)
        if key:
            self.text((width - 1) // 2, bottom, face.card, inks.count)

    def _frame(self) -> FrameSigns:
        if self.look is CardLook.LEGAL:
            return self.glyphs.legal
        if self.look is CardLook.CHOSEN:
            return self.glyphs.chosen
        return self.glyphs.face_up if self.face.face_up else self.glyphs.face_down

    def _name(self, x: int, length: int, room: int) -> None:
        name = card_name_for(self.face.card, length)
        shown = name if self.face.face_up else name.lower()
        self.text(x, 1, shown, self.inks.name + self.underline, room)

    def _purpose(self, inner: int) -> None:
        """Write what the card does, as far as the size has room for it."""
        face, ink = self.face, self.inks.mark
        if self.size is FULL:
            for row, line in enumerate(card_purpose(face.card, inner), 3):
                self.text(1, row, line, ink, inner)
        elif self.size is COMPACT:
            self.text(1, 2, card_purpose(face.card, inner)[0], ink, inner)
        elif self.size.height > MICRO.height and face.face_up:
            self.text(1, 2, card_mark(face.card, self.glyphs), ink, inner)

    def _influence(self, inner: int, row: int) -> None:
        """Draw dots up to four; the number too where there is room, and alone where it is more."""
        influence = self.face.influence
        dots = self.glyphs.dot * influence if influence <= 4 else ""
        if self.size.width >= COMPACT.width or not dots:
            dots = f"{dots} {influence}".strip()
        elif not self.glyphs.letter_follows:
            dots = str(influence)
        self.text(1, row, dots, self.inks.influence, inner)


def draw_tab(canvas: Canvas, x: int, y: int, size: CardSize, face: Face, *, more: int = 0) -> None:
    """Draw a covered card as a tab; `more` instead counts cards for which there is no room."""
    glyphs, colours = canvas.glyphs, canvas.palette.families[face.family]
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
