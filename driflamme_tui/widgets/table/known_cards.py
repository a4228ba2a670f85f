"""What is publicly known of every card, as a grid, with or without what the ten cards do.

It is the memory that the rules give to everybody, and no advice.
"""

from textwrap import wrap
from typing import Final

from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.knowledge import Known, Whereabouts, knowledge
from driflamme_tui.text.cell_widths import shortened
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.table_bar import TableBar
from driflamme_tui.wording.game.card_words import card_summary
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS, Card

KNOWN_LEFT: Final = 7
"""Columns before the first card of the grid."""
KNOWN_COLUMN: Final = 4
"""Columns for a card."""
KNOWN_CLOSE: Final = 3
"""Columns for a card where the grid has few."""
KNOWN_LEAST: Final = 41
"""Columns of the grid where there are few."""
KNOWN_WIDTH: Final = KNOWN_LEFT + KNOWN_COLUMN * len(CARDS) + 2
"""Columns of the grid where there are enough."""

NAME_WIDTH: Final = 16
"""Columns of a card's name beside what it does."""
FAMILY_WIDTH: Final = 4
"""Columns of what is known of one family's cards, beside what they do."""
TEACHING_WIDTH: Final = 112
"""Columns of what the ten cards do, for up to five families, where there are enough."""
TEACHING_BESIDE: Final = 48
"""Columns that the events keep beside the ten cards."""


class KnownCards(TableBar):
    """Family by card: where each card is, as far as the reader knows."""

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the grid and its legend; where there is room, what the cards do."""
        if canvas.height < 3:
            return
        if state.layout.teaches:
            draw_ten_cards(canvas, state)
            return
        draw_known(canvas, state, title=_("KNOWN"))


def draw_known(canvas: Canvas, state: TableState, *, title: str = "") -> None:
    """Draw the grid below a title, a family a row, and what its marks mean where there is room.

    Where there are too few rows the reader's own cards are left out: they lie on the table.
    """
    step = KNOWN_COLUMN if canvas.width >= KNOWN_WIDTH else KNOWN_CLOSE
    left = known_left(state) + 2 * (step == KNOWN_COLUMN)
    left = max(left, canvas.text(1, 0, title, canvas.heading) + 1)
    for column, card in enumerate(CARDS):
        canvas.text(left + column * step, 0, card, canvas.mute)
    seats = [*range(state.view.players)]
    if canvas.height <= len(seats):
        seats = [seat for seat in seats if not state.is_yours(seat)]
    for row, seat in enumerate(seats, 1):
        canvas.text(1, row, state.prompter.tag(seat), canvas.hue(state.view.families[seat]))
        known = knowledge(state.view, seat)
        for column, card in enumerate(CARDS):
            mark = known_mark(known, card, state.glyphs)
            ink = canvas.mute if mark == state.glyphs.nothing else canvas.plain
            canvas.text(left + column * step, row, mark[: step - (step < KNOWN_COLUMN)], ink)
    legend = legend_rows(state.glyphs, canvas.width - 2)
    if len(seats) + len(legend) < canvas.height:
        canvas.lines(1, len(seats) + 1, legend, canvas.mute)


def known_left(state: TableState) -> int:
    """Return the column of the first card in a grid with few columns."""
    return 2 + max(cell_len(state.prompter.tag(seat)) for seat in range(state.view.players))


def draw_ten_cards(canvas: Canvas, state: TableState) -> None:
    """Draw what the ten cards do, a card a row, and where each family's are."""
    canvas.text(1, 0, _("THE TEN CARDS"), canvas.heading)
    left = canvas.width - 2 - FAMILY_WIDTH * state.view.players
    for seat, family in enumerate(state.view.families):
        hue = canvas.hue(family)
        canvas.text(left + seat * FAMILY_WIDTH, 0, state.prompter.tag(seat), hue)
    room = left - NAME_WIDTH - 4
    legend = legend_rows(state.glyphs, canvas.width - NAME_WIDTH - 3)
    told = [wrap(card_summary(card), room) for card in CARDS]
    if 1 + sum(map(len, told)) + len(legend) > canvas.height:
        told = [[shortened(card_summary(card), room, state.glyphs)] for card in CARDS]
    row = 1
    for card, lines in zip(CARDS, told, strict=True):
        canvas.text(1, row, f"{card} {card_name(card)}", canvas.bold, NAME_WIDTH)
        for seat in range(state.view.players):
            mark = known_mark(knowledge(state.view, seat), card, state.glyphs)
            nothing = mark == state.glyphs.nothing
            canvas.text(
                left + seat * FAMILY_WIDTH, row, mark, canvas.mute if nothing else canvas.plain
            )
        row = canvas.lines(NAME_WIDTH + 2, row, lines, canvas.mute)
    canvas.lines(NAME_WIDTH + 2, row, legend, canvas.mute)


def known_mark(known: dict[Card, Known], card: Card, glyphs: Glyphs) -> str:
    """Return the mark that tells where a card is."""
    where = known[card]
    return {
        Whereabouts.UNSEEN: glyphs.nothing,
        Whereabouts.FACE_UP: str(where.position),
        Whereabouts.OWN_FACE_DOWN: f"{where.position}?",
        Whereabouts.COVERED: f"{where.position}{glyphs.covered}",
        Whereabouts.OUT: "x",
        Whereabouts.HAND: "h",
        Whereabouts.ASIDE: "a",
    }[where.place]


def legend_rows(glyphs: Glyphs, width: int) -> list[str]:
    """Return what the marks mean, in rows that break between two of them."""
    legend = _(
        "5 face up  3? yours, face down  8{covered} covered  x out  h hand  a aside"
        "  {nothing} unseen"
    ).format(covered=glyphs.covered, nothing=glyphs.nothing)
    held = "  ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in legend.split("  "))
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in wrap(held, max(1, width))]
