"""How one card, or a stack with what hangs under it, is drawn in each size.

A face-up card is paper with a thin frame and its name in bold; a face-down one is the dark back
of its family with a double frame, hatched, and the owner reads its name on it in lower-case
italics. Legal choices get a heavy frame and the chosen one is reversed.
"""

from enum import Enum, auto

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import CHIP, COMPACT, FULL, LARGE, MICRO, TINY, CardSize
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
    card = _CardPainter(canvas, x, y, size, face, look)
    card.named = Style(underline=underline or None)
    if size.height == CHIP.height:
        card.chip()
    elif size.height == TINY.height:
        card.tiny(height)
    else:
        card.framed(height, key=key)


class _CardPainter:
    """Draws one card at its place."""

    def __init__(
        self, canvas: Canvas, x: int, y: int, size: CardSize, face: Face, look: CardLook
    ) -> None:
        self.canvas, self.x, self.y, self.size = canvas, x, y, size
        self.face, self.look, self.glyphs = face, look, canvas.glyphs
        self.inks = _Inks(canvas.palette, face, look)
        self.named = Style()
        """What is added to the style of its name."""
        sign = self.glyphs.families[face.family]
        self.tag = f"{sign}{face.family}" if self.glyphs.letter_follows else sign

    def text(self, x: int, y: int, text: str, ink: Style, width: int | None = None) -> None:
        """Write at a cell of the card."""
        self.canvas.text(self.x + x, self.y + y, text, ink, width)

    def chip(self) -> None:
        """Draw a card of the hand in one row: its letter and name."""
        name = f"{self.face.card} {card_name_for(self.face.card, self.size.width - 2)}"
        self.text(0, 0, name, self.inks.title + self.named, self.size.width)

    def tiny(self, height: int) -> None:
        """Draw a card without a frame: whose it is and how high, its name and what lies on it."""
        face, glyphs, inks, width = self.face, self.glyphs, self.inks, self.size.width
        title = self.tag if face.face_up else self.tag + glyphs.face_down[1]
        self.text(0, 0, title, inks.title, width)
        if height > 1:
            mark = f"{glyphs.times}{height}"
            self.text(width - len(mark), 0, mark, inks.title)
        number = str(face.influence) if face.influence else ""
        room = width - len(number)
        if face.known:
            self._name(0, max(4, room), room)
        else:
            self.canvas.fill(self.x, self.y + 1, room, 1, inks.hatch, glyphs.hatch)
        self.text(room, 1, number, inks.influence)

    def framed(self, height: int, *, key: bool) -> None:
        """Draw a card with a frame, and in it what the size has room for."""
        face, glyphs, inks, width = self.face, self.glyphs, self.inks, self.size.width
        inner, bottom = width - 2, self.size.height - 1
        low = self.size.height <= MICRO.height
        title = self.tag
        if key:
            # All cards of a hand are of one family.
            title = card_mark(face.card, glyphs)
        elif width >= FULL.width and not low:
            title = f"{glyphs.families[face.family]} {family_name(face.family)}"
        band = inks.band if face.face_up and self.look is not CardLook.CHOSEN else inks.frame
        self.canvas.frame(self.x, self.y, width, self.size.height, self._frame(), inks.frame)
        self.canvas.restyle(self.x, self.y, width, band)
        if low and face.influence:
            number = str(face.influence)
            self.text(width - 1 - len(number), 0, number, inks.title)
        self.text(1, 0, title[:inner], inks.title)
        filling = " " if face.face_up else glyphs.hatch
        self.canvas.fill(self.x + 1, self.y + 1, inner, bottom - 1, inks.hatch, filling)
        if face.known:
            self._name(1, inner, inner)
            self._purpose(inner, marked=key)
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
        self.text(x, 1, shown, self.inks.name + self.named, room)

    def _purpose(self, inner: int, *, marked: bool) -> None:
        """Write what the card does, as far as the size has room and its frame does not say it."""
        face, ink, height = self.face, self.inks.mark, self.size.height
        lines, top = card_purpose(face.card, inner), 3 if height >= FULL.height else 2
        mark = "" if marked else card_mark(face.card, self.glyphs)
        if self.size.width < COMPACT.width or height < COMPACT.height:
            lines, top = [mark] if face.face_up and height > MICRO.height else [], 2
        elif height >= LARGE.height and mark:
            top = height // 2
            self.text(1 + (inner - cell_len(mark)) // 2, top - 2, mark, self.inks.name)
        for row, line in enumerate(lines, top):
            self.text(1, row, line, ink, inner)

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
    wide = size.width >= COMPACT.width
    number = f"{glyphs.dot * wide}{face.influence}" if face.influence else ""
    name = UNKNOWN
    if face.known:
        name = card_name_for(face.card, max(4, size.width - 2 - max(1, len(number))))
        name = name if face.face_up else name.lower()
        if not wide:
            name = name[: min(size.width, size.pitch) - 1 - len(number)]
    text = f" +{more}" if more else f"{glyphs.tab}{name}{number}"
    ink = style(colours.hue, colours.dim_back, italic=not face.face_up)
    canvas.text(x, y, text, ink, size.width)


class _Inks:
    """The styles of one card."""

    def __init__(self, palette: Palette, face: Face, look: CardLook) -> None:
        colours = palette.families[face.family]
        dim = look is CardLook.DIM
        hue = colours.dim_hue if dim else colours.hue
        if face.face_up:
            ground = palette.dim_paper if dim else palette.paper
            self.band = style(palette.on_colour, hue)
            self.title = style(palette.on_colour, hue, bold=True)
            self.frame = style(colours.on_paper, ground)
            self.hatch = style(palette.paper_mark, ground)
            self.name = self.count = style(palette.paper_ink, ground, bold=True)
            self.mark = style(palette.paper_ink, ground) if dim else self.hatch
            self.influence = self.mark
        else:
            ground = colours.dim_back if dim else colours.back
            self.band = self.frame = self.mark = style(hue, ground)
            self.title = self.influence = self.count = style(hue, ground, bold=True)
            self.hatch = style(colours.hatch, ground)
            self.name = style(hue, ground, italic=True)
        if look is CardLook.LEGAL:
            ink = palette.paper_ink if face.face_up else palette.choice
            self.frame = style(ink, ground, bold=True)
            self.band = self.title if face.face_up else self.band
        elif look is CardLook.CHOSEN:
            self.frame = style(palette.on_colour, palette.choice, bold=True)
            self.band = self.title = self.count = self.frame
            if face.face_up:
                self.hatch = self.mark = style(palette.on_colour, palette.choice)
                self.name = self.frame
