"""The player aid: the ten cards on one screen, what each does, and where each is known to be.

It gathers what the reader may know anyway, follows the game while it is open, and leads from each
card to its page of the help.
"""

from textwrap import wrap
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.knowledge import knowledge
from driflamme_tui.screens.base.command_screen import Reminder
from driflamme_tui.screens.base.overlay import FRAME_ROWS, OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.table.side_panels import known_mark, legend_rows
from driflamme_tui.wording.game.card_texts import card_effect
from driflamme_tui.wording.game.help_pages import THE_CARDS, card_page
from driflamme_tui.wording.game.names import card_mark, card_name
from engine.cards import CARDS


class KnownCommands(OverlayCommands, prefix="known"):
    """What can be done where all cards are read about."""

    close_too = closing(TableCommands.known, "known.close")


WIDEST: Final = 100
"""Columns beyond which the eye loses the row."""

LEFT: Final = 1
"""Columns between the frame and what is written."""

FAMILY: Final = 5
"""Columns for where a card of one family is."""

ROWS_A_CARD: Final = 2
"""Rows that each card has at least: its name, and under it its mark."""


def _effect(card: str, width: int) -> list[str]:
    """Return what a card does in as many rows as it takes, two at least."""
    lines = wrap(card_effect(card), max(1, width))
    return lines + [""] * (ROWS_A_CARD - len(lines))


def _names() -> int:
    """Return the column after the longest name."""
    return LEFT + 2 + max(cell_len(card_name(card)) for card in CARDS) + 2


class CardReferenceOverlay(TextOverlay, commands=KnownCommands):
    """The ten cards over the table, one below the other, and a column for each family."""

    AUTO_FOCUS = ""

    def __init__(self, state: TableState) -> None:
        super().__init__(_("The ten cards, and where they are known to be"))
        self.state = state
        self._told: Reminder | None = None

    def compose(self) -> ComposeResult:
        """The families over the cards, and under them what the signs mean."""
        with Vertical(id="aid"):
            yield Board(self.draw_families, ground="panel", id="aid-families")
            with VerticalScroll(id="aid-text", can_focus=False):
                yield Board(self.draw_cards, ground="panel", rows=self._rows, id="aid-cards")
            yield Board(self.draw_legend, ground="panel", rows=self._legend_rows, id="aid-legend")

    def sync(self) -> None:
        """Show what is known now, and whether it is the reader's turn."""
        for screen in self.app.screen_stack:
            table_state = getattr(screen, "state", None)
            if callable(table_state):
                self.state = table_state() or self.state
        self._told = self.table_reminder()
        box, (width, height) = self.query_one("#aid"), self.app.size
        width = width if width <= WIDEST - 12 else min(WIDEST, width - 4)
        inner = width - 2
        rows = FRAME_ROWS + 1 + self._rows(inner - 1) + self._legend_rows(inner)
        box.styles.width, box.styles.height = width, min(height, rows)
        ways = [_("{key} closes").format(key=key(OverlayCommands.close, self.glyphs))]
        self.frame(box, self.heading, [self.glyphs.up_down, *ways] if rows > height else ways)
        for board in self.query(Board):
            board.redraw()

    def _rows(self, width: int) -> int:
        return sum(len(_effect(card, self._room(width))) for card in CARDS)

    def _room(self, width: int) -> int:
        """Return the columns for what a card does."""
        return self._column(width, 0) - _names() - 1

    def _column(self, width: int, seat: int) -> int:
        return width - FAMILY * (self.state.view.players - seat) + 1

    def _legend(self, width: int) -> list[str]:
        return legend_rows(self.state.glyphs, width - 2 * LEFT)

    def _legend_rows(self, width: int) -> int:
        return len(self._legend(width))

    def draw_families(self, canvas: Canvas) -> None:
        """Draw the families over their columns and, before them, that everybody waits."""
        reminder, view = self._told, self.state.view
        if reminder is not None and reminder.yours:
            hue = canvas.palette.families[reminder.family].hue
            ink = style(canvas.palette.on_colour, hue, bold=True)
            canvas.place(LEFT, 0, f" {_('YOUR TURN')} ", ink, "dismiss")
        for seat, family in enumerate(view.families):
            column = self._column(canvas.width - 1, seat)
            canvas.text(column, 0, self.state.prompter.tag(seat), canvas.hue(family))

    def draw_cards(self, canvas: Canvas) -> None:
        """Draw each card; a click on it leads to its page."""
        view, glyphs, y = self.state.view, canvas.glyphs, 0
        known = [knowledge(view, seat) for seat in range(view.players)]
        for card in CARDS:
            lines = _effect(card, self._room(canvas.width))
            end = canvas.text(LEFT, y, f"{card} ", canvas.mute)
            canvas.text(end, y, card_name(card), canvas.bold)
            canvas.text(LEFT + 2, y + 1, card_mark(card, glyphs), canvas.mute)
            for row, line in enumerate(lines, y):
                canvas.text(_names(), row, line, canvas.plain)
                canvas.places.append((LEFT, row, canvas.width - LEFT, f"open_card('{card}')"))
            for seat, where in enumerate(known):
                mark = known_mark(where, card, glyphs)
                seen = canvas.mute if mark == glyphs.nothing else canvas.bold
                canvas.text(self._column(canvas.width, seat), y, mark, seen)
            y += len(lines)

    def draw_legend(self, canvas: Canvas) -> None:
        """Draw what the signs mean."""
        canvas.lines(LEFT, 0, self._legend(canvas.width), canvas.mute)

    def help_page(self) -> str:
        """Open the help at the list of the cards."""
        return THE_CARDS

    async def action_open_card(self, card: str) -> None:
        """Open a card's page of the help."""
        await self.run_action(f"app.help('{card_page(card)}')")
