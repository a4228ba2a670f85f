"""Draws the wide widgets beside and below the Queue: card help, events, and public knowledge."""

from textwrap import wrap
from typing import Annotated, Final

from msgspec.structs import replace
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import panel_text
from driflamme_tui.drawing.table_state import PanelText, TableState
from driflamme_tui.model.knowledge import COVERED_SIGN, knowledge
from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.cell_widths import fit_text, shorten_text, steady, wrap_text
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.table.header import TableBar
from driflamme_tui.wording.game.card_texts import card_summary
from driflamme_tui.wording.game.event_words import Line
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.people_words import chat_text, speaker
from engine.cards import CARDS, Card, Seat
from engine.texts import Text

LEAST_OF_TEXT: Final = 2
"""Minimum rows for a text that is shown only in part."""

HELP_BESIDE: Final = 28
"""Minimum columns of the card help for showing public knowledge beside it."""


class CardHelp(TableBar):
    """Draws the card under the cursor: its name, its rule, and its effect in its place.

    Public knowledge without a place of its own is drawn here too, beside the help. Without space
    for both, it replaces the help until the reader looks at something or a panel has a text.
    """

    def choice_of(self, state: TableState) -> object:
        """Return the cursor and the choice, except a choice of a player, or to leave or reveal."""
        question = state.question
        is_of_a_card = question is None or question.step not in (Step.PLAYER, Step.LEAVE_OR_REVEAL)
        return state.cursor, state.choice_made if is_of_a_card else None

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw public knowledge, a card's help, or both."""
        canvas.lines(0, 0, state.glyphs.divider * state.layout.hand_height, canvas.line)
        grid = known_left(state) + KNOWN_CLOSE * len(CARDS) - 1
        space = canvas.width
        if not state.layout.knows and not state.layout.kept and state.you is not None:
            both = canvas.width >= grid + HELP_BESIDE and not state.layout.below
            prefers_help = (
                state.prefers_text or state.beside is not None or state.cursor is not None
            )
            if both or (canvas.width > grid and not prefers_help):
                known = Canvas(grid, canvas.height, "table", canvas.glyphs, canvas.palette)
                draw_known(known, state)
                space -= grid
                canvas.paste(space if both else 1, 0, known)
                if not both:
                    return
        self._draw_help(canvas, state, space)

    def _draw_help(self, canvas: Canvas, state: TableState, columns: int) -> None:
        """Draw a title and as much of the explanation as fits."""
        panel = panel_text(state)
        if cell_len(panel.title) > columns - 3:
            panel = panel_text(replace(state, brief=True))
        title = panel.title
        while cell_len(title) > columns - 3 and ", " in title:
            # Drop the end of the title: the table already shows it.
            title = title.rpartition(", ")[0] + ")" * ("(" in title)
        canvas.text(2, 0, shorten_text(title, columns - 3, state.glyphs), canvas.bold)
        space = max(0, canvas.height - 1 - state.layout.air * (not state.layout.below))
        width = max(10, columns - 4)
        whole, rule = (
            wrap_text(text, width, width) if text else [] for text in (panel.here, panel.rule)
        )
        if panel.rows or panel.instead:
            here, others = _clauses(panel, width, space, state.glyphs), panel.rows
        else:
            here, others = fit_text(panel.here, width, max(1, space), state.glyphs), ()
            if here == whole:
                others = [panel.rule if len(here + rule) <= space else panel.brief]
        lines = here
        for text in others if here == whole else ():
            # The first words of a reason mean nothing alone. Then leave the reason out.
            left = space - len(lines)
            if panel.rows and left < min(LEAST_OF_TEXT, len(wrap_text(text, width, width))):
                break
            lines = lines + fit_text(text, width, left, state.glyphs, sentences=True)
        # Emphasise the effect in this place, since the rule never changes.
        loud = len(here) or len(lines)
        row = canvas.lines(2, 1, lines[:loud], canvas.plain)
        canvas.lines(2, row, lines[loud:], canvas.mute)


def _clauses(panel: PanelText, width: int, space: int, glyphs: Glyphs) -> list[str]:
    """Return the rows of `here` up to the end of a clause; if no clause fits, of `instead`."""
    lines = fit_text(panel.here, width, space, glyphs, sentences=True)
    shown = " ".join(lines).removesuffix(glyphs.ellipsis)
    rest = panel.here[len(shown) :]
    if not rest or rest.startswith(";") or shown.endswith("."):
        return lines
    return fit_text(panel.instead, width, space, glyphs)


TALL_PANEL: Final = 8
"""Minimum rows of the panel for a title. Earlier events are then shown in full or not at all."""

LAST_IN_TWO: Final = 2
"""Minimum rows of the panel that can show all of a last event with two rows."""

EVENT_LEFT: Final = 3
"""Columns before an event, for the mark of the last one."""


def above(state: TableState, space: int) -> tuple[Line | None, bool]:
    """Return the line above the latest events, and True if the chat's last line is shown.

    The line is the event that stays in sight. It is None if no event stays, if the latest events
    contain that event, or if `space` is too small. `space` is the number of rows of the panel.
    """
    if space < LAST_IN_TWO:
        return None, False
    latest = [*reversed(state.log)][: space - 1]
    stays = None if state.stays in latest else state.stays
    return stays, state.spoken and space > 1 + (stays is not None)


class Events(TableBar):
    """Draws the events, with the last one emphasised."""

    def choice_of(self, state: TableState) -> object:
        """Return None: the events depend on neither choice nor cursor."""
        return None

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw as many of the latest events as fit; in a high panel, below a title.

        A click opens the full list.
        """
        canvas.target("events")
        titled = canvas.height >= TALL_PANEL
        top, space = int(titled), canvas.height - titled
        if not space:
            return
        if titled:
            canvas.text(1, 0, _("EVENTS"), canvas.heading)
        stays, spoken = above(state, space)
        if spoken or (space < LAST_IN_TWO and state.spoken_last):
            draw_spoken(canvas, EVENT_LEFT, top, state)
            top, space = top + 1, space - 1
        space -= stays is not None
        lines: list[tuple[Line, list[str], bool]] = []
        for line in reversed(state.log):
            width = canvas.width - EVENT_LEFT - len(_before(state, line[0])) - 1
            last = not lines
            if not space:
                break
            # Show all rows of an event if they fit; otherwise cut its end.
            pieces = wrap_text(line[1], width, width)
            if len(pieces) > space:
                if titled and not last:
                    break
                pieces = fit_text(line[1], width, space, state.glyphs)
            lines.insert(0, (line, pieces[:space], last))
            space -= len(pieces)
        if stays is not None:
            lines.insert(0, (stays, [stays[1]], False))
        for (seat, _sentence), pieces, last in lines:
            if last:
                canvas.text(1, top, state.glyphs.turn, canvas.bold)
            before = _before(state, seat)
            hue = canvas.line if seat is None else canvas.hue(state.view.families[seat], bold=last)
            canvas.text(EVENT_LEFT, top, before, hue)
            left = EVENT_LEFT + len(before)
            cut = [shorten_text(piece, canvas.width - left - 1, state.glyphs) for piece in pieces]
            top = canvas.lines(left, top, cut, canvas.bold if last else canvas.mute)


def _before(state: TableState, seat: Seat | None) -> str:
    """Return the sign of an event's family, or `-- ` for an event without one."""
    return "-- " if seat is None else f"{state.prompter.tag(seat)} "


def draw_spoken(canvas: Canvas, x: int, y: int, state: TableState) -> None:
    """Draw the chat's last line, cut to one row."""
    line = state.talk[-1]
    who, ink = speaker(steady(line.name)), canvas.heading
    if line.family is not None:
        who, ink = f"{state.glyphs.tag(line.family)} ", canvas.hue(line.family)
    end = canvas.text(x, y, who, ink)
    space = canvas.width - end - 1 - cell_len(quote(""))
    text = quote(shorten_text(steady(chat_text(line)), space, state.glyphs))
    canvas.text(end, y, text, canvas.ink(canvas.palette.ink, italic=True))


def quote(text: str) -> str:
    """Return a text in the quotation marks of the reader's language."""
    return _("“{text}”", text=text)


KNOWN_LEFT: Final = 7
"""Columns before the first card of the grid."""
KNOWN_COLUMN: Final = 4
"""Columns of each card in the grid."""
KNOWN_CLOSE: Final = 3
"""Columns of each card in a narrow grid."""
KNOWN_LEAST: Final = 41
"""Columns of a narrow grid."""
KNOWN_WIDTH: Final = KNOWN_LEFT + KNOWN_COLUMN * len(CARDS) + 2
"""Columns of a wide grid."""

NAME_WIDTH: Final = 16
"""Columns of a card's name beside its rule."""
FAMILY_WIDTH: Final = 4
"""Columns for the cards of one family beside the rule."""
TEACHING_WIDTH: Final = 112
"""Columns for the rules of the ten cards with up to five families."""
TEACHING_BESIDE: Final = 48
"""Minimum columns of the events beside the rules of the ten cards."""


class KnownCards(TableBar):
    """Draws a grid of families and cards: the place of each card, if the reader knows it."""

    def choice_of(self, state: TableState) -> object:
        """Return None: the grid depends on neither choice nor cursor."""
        return None

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw the grid and its legend, or with enough space the rules of the ten cards.

        With fewer than three rows, draw nothing.
        """
        if canvas.height < 3:
            return
        if state.layout.teaches:
            draw_ten_cards(canvas, state)
            return
        draw_known(canvas, state, title=_("KNOWN"))


def draw_known(canvas: Canvas, state: TableState, *, title: str = "") -> None:
    """Draw the grid below a title, one family in each row, and a legend if it fits.

    If there are too few rows, the reader's own cards are left out, since the table shows them.
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
        for column, card in enumerate(CARDS):
            space = step - (step < KNOWN_COLUMN)
            _draw_mark(canvas, state, (left + column * step, row), seat, card, space)
    legend = legend_rows(state.glyphs, canvas.width - 2)
    if len(seats) + len(legend) < canvas.height:
        canvas.lines(1, len(seats) + 1, legend, canvas.mute)


def known_left(state: TableState) -> int:
    """Return the column of the first card in a narrow grid."""
    return 2 + max(cell_len(state.prompter.tag(seat)) for seat in range(state.view.players))


def draw_ten_cards(canvas: Canvas, state: TableState) -> None:
    """Draw the rules of the ten cards, with the known place of each family's card."""
    canvas.text(1, 0, _("THE TEN CARDS"), canvas.heading)
    left = canvas.width - 2 - FAMILY_WIDTH * state.view.players
    columns = {seat: left + seat * FAMILY_WIDTH for seat in range(state.view.players)}
    for seat, x in columns.items():
        canvas.text(x, 0, state.prompter.tag(seat), canvas.hue(state.view.families[seat]))
    space = left - NAME_WIDTH - 4
    legend = legend_rows(state.glyphs, canvas.width - NAME_WIDTH - 3)
    summaries = [wrap(card_summary(card), space) for card in CARDS]
    if 1 + sum(map(len, summaries)) + len(legend) > canvas.height:
        summaries = [[shorten_text(card_summary(card), space, state.glyphs)] for card in CARDS]
    row = 1
    for card, lines in zip(CARDS, summaries, strict=True):
        canvas.text(1, row, f"{card} {card_name(card)}", canvas.bold, NAME_WIDTH)
        for seat, x in columns.items():
            _draw_mark(canvas, state, (x, row), seat, card)
        row = canvas.lines(NAME_WIDTH + 2, row, lines, canvas.mute)
    canvas.lines(NAME_WIDTH + 2, row, legend, canvas.mute)


def _draw_mark(
    canvas: Canvas,
    state: TableState,
    at: tuple[int, int],
    seat: Seat,
    card: Card,
    space: int | None = None,
) -> None:
    """Draw the mark of a family's card, cut to `space` columns if given."""
    mark = known_mark(knowledge(state.view, seat), card, state.glyphs)
    ink = canvas.mute if mark == state.glyphs.nothing else canvas.plain
    canvas.text(*at, mark[:space], ink)


def known_mark(known: dict[Card, str], card: Card, glyphs: Glyphs) -> str:
    """Return the mark for the known place of a card; a sign for nothing if it is unknown.

    `known` is the result of `knowledge`.
    """
    mark = known[card]
    if mark in _PLACES:
        return pgettext("place of a card", _PLACES[mark])
    return mark.replace(COVERED_SIGN, glyphs.covered) or glyphs.nothing


_PLACES: Final[dict[str, Annotated[Text, "place of a card"]]] = {"x": "x", "h": "h", "a": "a"}
"""The marks to be translated: out of the game, in hand, set aside. Each has one column.

Marks with a position in the Queue are not translated.
"""


def legend_rows(glyphs: Glyphs, width: int) -> list[str]:
    """Return the legend of the marks in rows. Entries are never broken."""
    legend = _(
        "5 face up  3? yours, face down  8{covered} covered  x out  h hand  a aside"
        "  {nothing} unseen",
        covered=glyphs.covered,
        nothing=glyphs.nothing,
    )
    unbroken = "  ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in legend.split("  "))
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in wrap(unbroken, max(1, width))]
