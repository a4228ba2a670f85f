"""Shows the player aid: the ten cards on one screen, their effects, and their known places.

The overlay shows only the reader's own knowledge, and follows the game while it is open. A click on
a card opens the card's help page.
"""

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from driflamme_tui.drawing.palette import style
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.screen_commands import closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.knowledge import knowledge
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.table.info_panels import known_mark, legend_rows
from driflamme_tui.wording.game.card_texts import card_effect
from driflamme_tui.wording.game.help_pages import THE_CARDS, card_page
from driflamme_tui.wording.game.names import card_mark, card_name
from engine.cards import CARDS


class KnownCommands(OverlayCommands, prefix="known"):
    """Commands of the player aid. The key that opens it also closes it."""

    close_too = closing(TableCommands.known, "known.close")


WIDEST: Final = 100
"""Maximum columns of the box: longer rows are hard to read."""

FAMILY: Final = 3
"""Columns of each family, for the place of one card."""


class CardReferenceOverlay(TextOverlay[None], commands=KnownCommands):
    """An overlay with the ten cards, one below the other, and a column for each family."""

    AUTO_FOCUS = ""

    def __init__(self, state: TableState) -> None:
        super().__init__()
        self.state = state

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("The ten cards, and where they are known to be")

    def parts(self) -> ComposeResult:
        """Yield the families above the cards, and the legend below them."""
        yield Static(id="above")
        yield from super().parts()
        yield Static(id="below")

    def sync(self) -> None:
        """Redraw everything from the state of the table below.

        Without such a state, keep the last state.
        """
        for screen in self.app.screen_stack:
            table_state = getattr(screen, "state", None)
            if callable(table_state):
                self.state = table_state() or self.state
        super().sync()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the families above the cards, and the legend below them."""
        legend = "\n".join(legend_rows(self.glyphs, min(self.app.size.width, WIDEST) - 4))
        return {
            "above": self._families(),
            "reading": self._cards(),
            "below": self.text((legend, "mute")),
        }

    def _columns(self) -> Table:
        table = self.grid(2)
        table.expand = True
        table.columns[0].width = 2 + max(cell_len(card_name(card)) for card in CARDS) + 1
        table.columns[1].ratio = 1
        for _seat in self.state.view.families:
            table.add_column(width=FAMILY, no_wrap=True)
        return table

    def _families(self) -> Table:
        """Return the families above their columns.

        If it is the reader's turn, a link back to the table stands before the families.
        """
        table, reminder, prompter = self._columns(), self.table_reminder(), self.state.prompter
        turn = Text()
        if reminder is not None and reminder.yours:
            palette = self.terminal.palette
            ink = style(palette.on_colour, palette.families[reminder.family].hue, bold=True)
            turn = self.clickable(Text(f" {_('YOUR TURN')} ", ink), "dismiss")
        families = self.state.view.families
        tags = ((prompter.tag(seat), f"{family} bold") for seat, family in enumerate(families))
        table.add_row(turn, "", *map(self.text, tags))
        return table

    def _cards(self) -> Table:
        """Return a table of all cards, with effects and known places.

        A click on a card opens its help page.
        """
        view, table = self.state.view, self._columns()
        known = [knowledge(view, seat) for seat in range(view.players)]
        for card in CARDS:
            mark = f"\n  {card_mark(card, self.glyphs)}"
            name = self.text((f"{card} ", "mute"), (card_name(card), "bold"), (mark, "mute"))
            where = (known_mark(each, card, self.glyphs) for each in known)
            marks = ((each, "mute" if each == self.glyphs.nothing else "bold") for each in where)
            link = Style(meta={"@click": f"screen.open_card('{card}')"})
            table.add_row(name, self.text(card_effect(card)), *map(self.text, marks), style=link)
        return table

    def help_page(self) -> str:
        """Return the help page with the list of the cards."""
        return THE_CARDS

    async def action_open_card(self, card: str) -> None:
        """Open a card's page of the help."""
        await self.run_action(f"app.help('{card_page(card)}')")
