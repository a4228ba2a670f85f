"""The player aid: the ten cards on one screen, what each does, and where each is known to be.

It gathers what the reader may know anyway, follows the game while it is open, and leads from each
card to its page of the help.
"""

from textwrap import wrap
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.key_bindings import bindings, key
from driflamme_tui.keymap.overlay_commands import OverlayCommands
from driflamme_tui.model.knowledge import knowledge
from driflamme_tui.screens.base.command_screen import Reminder
from driflamme_tui.screens.base.overlay import Overlay
from driflamme_tui.text.cell_widths import shortened
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.table.known_cards import known_legend, known_mark
from driflamme_tui.wording.game.card_words import card_effect
from driflamme_tui.wording.game.help_pages import THE_CARDS, card_page
from driflamme_tui.wording.game.names import card_mark, card_name
from engine.cards import CARDS

WIDEST: Final = 100
"""Columns beyond which the eye loses the row."""

LEFT: Final = 2
"""Columns before what is written, and after it."""
TOP: Final = 2
"""Rows of frame and families."""

FAMILY: Final = 5
"""Columns for where a card of one family is."""

ROWS_A_CARD: Final = 2
"""Rows that each card has at least: its name, and under it its mark."""


class CardReferenceBoard(Board):
    """The ten cards, one below the other, and a column for each family."""

    ground = "panel"

    def __init__(self) -> None:
        super().__init__(id="aid")
        self.state: TableState | None = None
        self.reminder: Reminder | None = None
        self.scrolled = 0
        self.beyond = 0
        """How many rows there is no room for."""

    def rows(self, state: TableState, width: int) -> int:
        """Return how many rows all of it takes in a width."""
        cards = sum(len(_effect(card, self._room(state, width))) for card in CARDS)
        return TOP + cards + len(self._legend(state.glyphs, width)) + 1

    def draw(self, canvas: Canvas) -> None:
        """Draw the cards, then what stands over and under them."""
        state = self.state
        if state is None:
            return
        glyphs = canvas.glyphs
        width, height = canvas.width, canvas.height
        legend = self._legend(glyphs, width)
        room = max(1, height - TOP - len(legend) - 1)
        self.beyond = max(0, self.rows(state, width) - height)
        self.scrolled = min(self.scrolled, self.beyond)
        self._draw_cards(canvas, state, TOP - self.scrolled, TOP + room)
        canvas.fill(0, 0, width, TOP, canvas.plain, " ")
        canvas.fill(0, TOP + room, width, height, canvas.plain, " ")
        for row, line in enumerate(legend, TOP + room):
            canvas.text(LEFT, row, line, canvas.mute)
        for seat, family in enumerate(state.view.families):
            hue = canvas.hue(family)
            canvas.text(self._column(state, width, seat), 1, state.prompter.tag(seat), hue)
        self._draw_frame(canvas, state)

    def _room(self, state: TableState, width: int) -> int:
        """Return the columns for what a card does."""
        return self._column(state, width, 0) - self._names() - 1

    def _names(self) -> int:
        """Return the column after the longest name."""
        return LEFT + 2 + max(cell_len(card_name(card)) for card in CARDS) + 2

    def _column(self, state: TableState, width: int, seat: int) -> int:
        return width - LEFT - FAMILY * (state.view.players - seat) + 1

    def _legend(self, glyphs: Glyphs, width: int) -> list[str]:
        return wrap(known_legend(glyphs), max(1, width - 2 * LEFT))

    def _draw_cards(self, canvas: Canvas, state: TableState, y: int, bottom: int) -> None:
        glyphs = canvas.glyphs
        known = [knowledge(state.view, seat) for seat in range(state.view.players)]
        for card in CARDS:
            lines = _effect(card, self._room(state, canvas.width))
            end = canvas.text(LEFT, y, f"{card} ", canvas.mute)
            canvas.text(end, y, card_name(card), canvas.bold)
            canvas.text(LEFT + 2, y + 1, card_mark(card, glyphs), canvas.mute)
            for row, line in enumerate(lines, y):
                canvas.text(self._names(), row, line, canvas.plain)
                if TOP <= row < bottom:
                    action = f"open_card('{card}')"
                    self._places.append((LEFT, row, canvas.width - LEFT, action))
            for seat, where in enumerate(known):
                mark = known_mark(where, card, glyphs)
                seen = canvas.mute if mark == glyphs.nothing else canvas.bold
                canvas.text(self._column(state, canvas.width, seat), y, mark, seen)
            y += len(lines)

    def _draw_frame(self, canvas: Canvas, state: TableState) -> None:
        palette, glyphs = canvas.palette, canvas.glyphs
        width, height = canvas.width, canvas.height
        top_left, across, top_right, down, bottom_left, bottom_right = glyphs.face_up
        canvas.text(0, 0, top_left + across * (width - 2) + top_right, canvas.mute)
        canvas.text(0, height - 1, bottom_left + across * (width - 2) + bottom_right, canvas.mute)
        for row in range(1, height - 1):
            canvas.text(0, row, down, canvas.mute)
            canvas.text(width - 1, row, down, canvas.mute)
        room = width - 2 * LEFT - 1
        reminder = self.reminder
        if reminder is not None and reminder.yours:
            # The frame is all the room there is to say that everybody waits.
            hue = palette.families[reminder.family].hue
            text = f" {_('YOUR TURN')} "
            room -= cell_len(text) + 2
            ink = style(palette.on_colour, hue, bold=True)
            self.place(canvas, width - LEFT - cell_len(text), 0, text, ink, "dismiss")
        title = shortened(_("The ten cards, and where they are known to be"), room, glyphs)
        canvas.text(LEFT, 0, f" {title} ", canvas.bold)
        ways = _("{key} closes").format(key=key(OverlayCommands.close, glyphs))
        if self.scrolled < self.beyond:
            ways = f"{glyphs.up_down}  {ways}"
        canvas.text(width - LEFT - cell_len(ways) - 2, height - 1, f" {ways} ", canvas.mute)


def _effect(card: str, width: int) -> list[str]:
    """Return what a card does in as many rows as it takes, two at least."""
    lines = wrap(card_effect(card), max(1, width))
    return lines + [""] * (ROWS_A_CARD - len(lines))


class CardReferenceOverlay(Overlay[None]):
    """The player aid over the table."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings("helped", "overlay", "known")

    def __init__(self, state: TableState) -> None:
        super().__init__()
        self.board = CardReferenceBoard()
        self.board.state = state

    def compose(self) -> ComposeResult:
        """The board is all there is."""
        yield self.board

    def sync(self) -> None:
        """Show what is known now, and whether it is the reader's turn."""
        board = self.board
        for screen in self.app.screen_stack:
            table_state = getattr(screen, "state", None)
            if callable(table_state):
                board.state = table_state() or board.state
        board.reminder = self.table_reminder()
        if board.state is not None:
            width, height = self.app.size
            board.styles.width = width if width <= WIDEST - 12 else min(WIDEST, width - 4)
            board.styles.height = min(height, board.rows(board.state, board.size.width or width))
        board.redraw()

    def help_page(self) -> str:
        """Open the help at the list of the cards."""
        return THE_CARDS

    def action_open_card(self, card: str) -> None:
        """Open a card's page of the help."""
        self.services.open_help(card_page(card))

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        self.board.scrolled = max(0, self.board.scrolled + by)
        self.board.redraw()

    def action_page(self, by: int) -> None:
        """Scroll a page."""
        self.action_scroll(by * max(1, self.board.size.height - TOP - 2))

    def action_edge(self, side: int) -> None:
        """Scroll to the top or to the bottom."""
        self.action_scroll(side * self.board.beyond)

    def on_mouse_scroll_down(self) -> None:
        """Scroll with the wheel."""
        self.action_scroll(1)

    def on_mouse_scroll_up(self) -> None:
        """Scroll with the wheel."""
        self.action_scroll(-1)
