"""The wide widgets beside and below the Queue: help on a card, events, public knowledge."""

from textwrap import wrap
from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import panel_text
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.knowledge import Known, Whereabouts, knowledge
from driflamme_tui.text.cell_widths import shortened, steady, wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.header import TableBar
from driflamme_tui.wording.game.card_texts import card_summary
from driflamme_tui.wording.game.event_words import Line
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.people_words import said, speaker
from engine.cards import CARDS, Card, Seat

HELP_BESIDE: Final = 28
"""Columns of help on a card from which what is known of all cards stands beside it."""


class CardHelp(TableBar):
    """What the card under the cursor is, what it does, and what it would do where it is.

    Where what is known of all cards has no place of its own it stands here: beside that, or instead
    of it until something is looked at.
    """

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw what is known, what is said of a card, or both."""
        canvas.lines(0, 0, state.glyphs.divider * state.layout.hand_height, canvas.line)
        grid = known_left(state) + KNOWN_CLOSE * len(CARDS) - 1
        room = canvas.width
        if not state.layout.knows and not state.layout.kept and state.you is not None:
            both = canvas.width >= grid + HELP_BESIDE and not state.layout.below
            told = state.coached or state.why or state.cursor is not None
            if both or (canvas.width > grid and not told):
                known = Canvas(grid, canvas.height, "table", canvas.glyphs, canvas.palette)
                draw_known(known, state)
                room -= grid
                canvas.paste(room if both else 1, 0, known)
                if not both:
                    return
        self._draw_help(canvas, state, room)

    def _draw_help(self, canvas: Canvas, state: TableState, columns: int) -> None:
        """Draw a title and as much of the explanation as there is room for."""
        told = panel_text(state)
        if cell_len(told.title) > columns - 3:
            told = panel_text(replace(state, brief=True))
        canvas.text(2, 0, shortened(told.title, columns - 3, state.glyphs), canvas.bold)
        room = max(0, canvas.height - 1 - state.layout.air * (not state.layout.below))
        width = max(10, columns - 4)
        here = wrap(told.here, width)
        rule = wrap(told.rule, width)
        wrapped_rows = [wrap(row, width) for row in told.rows]
        if len(here) + len(rule) + sum(map(len, wrapped_rows)) > room:
            rule = wrap(told.brief, width)
        rows: list[str] = []
        for number, each in enumerate(wrapped_rows):
            most = (room - len(here) - len(rows)) // (len(wrapped_rows) - number)
            rows += self._cut(each, max(1, most), state)
        here = self._cut(here, max(1, room - len(rows)), state) if rows else here
        lines = self._cut(here + rule + rows, room, state)
        # What it would do now stands out; the rule is the same every time.
        loud = len(here) or len(lines)
        row = canvas.lines(2, 1, lines[:loud], canvas.plain)
        canvas.lines(2, row, lines[loud:], canvas.mute)

    def _cut(self, lines: list[str], room: int, state: TableState) -> list[str]:
        """Return as many lines as there is room for, the last with a sign that there are more."""
        if len(lines) <= room:
            return lines
        kept = lines[:room]
        kept[-1:] = [f"{line.rstrip(' .,;…')}{state.glyphs.ellipsis}" for line in kept[-1:]]
        return kept


TALL_PANEL: Final = 8
"""Rows from which the events have a title, and are all whole."""

LAST_IN_TWO: Final = 2
"""Rows from which the last event may take two, so that it is whole."""

EVENT_LEFT: Final = 3
"""Columns before an event, for the mark of the last one."""


def above(state: TableState, room: int) -> tuple[Line | None, bool]:
    """Return what stands above the latest events in so many rows.

    That is what stays in sight, if it is not among them, and whether the chat's last line does.
    """
    if room < LAST_IN_TWO:
        return None, False
    latest = [*reversed(state.log)][: room - 1]
    stays = None if state.stays in latest else state.stays
    return stays, state.spoken and room > 1 + (stays is not None)


class Events(TableBar):
    """What happened, the last of it emphasised."""

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the latest events, as many as there is room for; a click asks for the full list."""
        canvas.target("events")
        palette = canvas.palette
        if not canvas.height:
            return
        titled = canvas.height >= TALL_PANEL
        room = canvas.height - titled
        if titled:
            canvas.text(1, 0, _("EVENTS"), canvas.heading)
        top = int(titled)
        if room < LAST_IN_TWO and state.spoken_last:
            draw_spoken(canvas, EVENT_LEFT, top, state)
            return
        stays, spoken = above(state, room)
        if spoken:
            draw_spoken(canvas, EVENT_LEFT, top, state)
            top, room = top + 1, room - 1
        room -= stays is not None
        rows: list[tuple[bool, Seat | None, str, bool]] = []
        for back, (seat, sentence) in enumerate(reversed(state.log)):
            width = canvas.width - EVENT_LEFT - len(self._before(state, seat)) - 1
            last = back == 0
            # The last event is what matters; the others stay whole only where there is room.
            if titled or (last and room >= LAST_IN_TWO):
                pieces = wrapped(sentence, width, width)
            else:
                pieces = [shortened(sentence, width, state.glyphs)]
            if len(rows) + len(pieces) > room and rows:
                break
            event = [(not row, seat, piece, last) for row, piece in enumerate(pieces[:room])]
            rows[:0] = event
        if stays is not None:
            seat, sentence = stays
            width = canvas.width - EVENT_LEFT - len(self._before(state, seat)) - 1
            rows.insert(0, (True, seat, shortened(sentence, width, state.glyphs), False))
        for row, (first, seat, text, last) in enumerate(rows, top):
            if first and last:
                canvas.text(1, row, state.glyphs.turn, canvas.bold)
            hue = palette.line
            if seat is not None:
                hue = palette.families[state.view.families[seat]].hue
            before = self._before(state, seat)
            bold = last and seat is not None
            canvas.text(EVENT_LEFT, row, before if first else "", canvas.ink(hue, bold=bold))
            ink = canvas.ink(palette.ink if last else palette.mute, bold=last)
            canvas.text(EVENT_LEFT + len(before), row, text, ink)

    def _before(self, state: TableState, seat: Seat | None) -> str:
        """Return what stands before an event: whose it is."""
        return "-- " if seat is None else f"{state.prompter.tag(seat)} "


def draw_spoken(canvas: Canvas, x: int, y: int, state: TableState) -> None:
    """Draw the last line of a chat that has no place of its own, as far as it fits a row."""
    palette, line = canvas.palette, state.talk[-1]
    text, hue, name = steady(said(line)), palette.mute, speaker(steady(line.name))
    if line.family is not None:
        hue = palette.families[line.family].hue
        name = f"{state.glyphs.tag(line.family)} "
    end = canvas.text(x, y, name, canvas.ink(hue, bold=True))
    quoted = f"“{shortened(text, canvas.width - end - 3, state.glyphs)}”"
    canvas.text(end, y, quoted, canvas.ink(palette.ink, italic=True))


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
        "  {nothing} unseen",
        covered=glyphs.covered,
        nothing=glyphs.nothing,
    )
    held = "  ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in legend.split("  "))
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in wrap(held, max(1, width))]
