"""Lets a player edit conditional answers: cards that the table leaves face down without asking."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import HelpedCommands
from driflamme_tui.screens.base.overlay import ListOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wings.days.ahead.ahead_words import (
    cards_to_leave,
    choices,
    condition_of,
    condition_words,
    with_condition,
)
from driflamme_tui.wings.days.ahead.confirmed_values import confirmed_values
from driflamme_tui.wording.game.names import card_name
from netcode.wings.days.messages import SetConditions


class AheadCommands(HelpedCommands, prefix="ahead"):
    """Commands that choose a card, and change its conditional answer."""

    up = Command("up", "move(-1)", "choose a card", "choose", listed=False, repeats=True)
    down = Command("down", "move(1)", "choose the next card", row=up, listed=False, repeats=True)
    before = Command(
        "left", "change(-1)", "choose the previous instruction for the card", "change", listed=False
    )
    after = Command("right", "change(1)", "choose the next instruction for the card", "change")
    close = Command("escape,q,enter", "dismiss", "close this window", "close")
    bar = "up/down before/after close"


class AheadOverlay(ListOverlay[tuple[str, int], None], commands=AheadCommands):
    """The player's face-down cards in the Queue, each with its conditional answer."""

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now: moving needs two cards, changing needs one."""
        match command:
            case AheadCommands.up | AheadCommands.down:
                return len(self.items) > 1
            case AheadCommands.before | AheadCommands.after:
                return bool(self.items)
        return super().is_possible(command)

    def on_mount(self) -> None:
        """Show the contents. The card about which the table asks is chosen first."""
        self.sync()
        view = self.player_seat.session.view
        positions = [position for _card, position in self.items]
        if view is not None and view.at + 1 in positions:
            self.listing.select(positions.index(view.at + 1))

    def heading(self) -> str:
        """Return the overlay's translated title."""
        return _("Answer ahead")

    @property
    def items(self) -> Sequence[tuple[str, int]]:
        """The player's face-down cards in the Queue, with their positions."""
        view = self.player_seat.session.view
        return [] if view is None or view.over else cards_to_leave(view)

    def name_of(self, item: tuple[str, int]) -> object:
        """Return the letters of a card."""
        return item[0]

    def columns(self) -> Sequence[Column[tuple[str, int]]]:
        """Return the columns for the card and its conditional answer."""
        return Column("", self._card), Column("", self._condition, grows=True)

    def _card(self, item: tuple[str, int]) -> Text:
        card, position = item
        tag = self.glyphs.tag(card[0])
        return self.text(
            (f"{position} ", "mute"), (f"{tag} {card_name(card[1])}", f"{card[0]} bold")
        )

    def _condition(self, item: tuple[str, int]) -> Text:
        condition = condition_of(item[0], confirmed_values(self.player_seat.session).conditions)
        return self.text((condition_words(condition), "mute" if condition is None else "bold"))

    def sync(self) -> None:
        """Redraw everything. The text stays visible without cards."""
        super().sync()
        self.listing.display = True

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the meaning of conditional answers; without cards, a sentence about that."""
        about = _(
            "The table leaves a card without asking you, as long as your instruction for it "
            "holds. All instructions end once one of your cards lets you choose a target. Only "
            "you see them."
        )
        if not self.items:
            about = _("You have no face-down card in the Queue.")
        return {"about": self.text(about)}

    def action_open(self) -> None:
        """Change the clicked card to its next possible conditional answer."""
        self.action_change(1)

    def action_change(self, by: int) -> None:
        """Change the chosen card to its next or previous possible answer; if any is chosen."""
        session, chosen = self.player_seat.session, self.chosen
        if session.view is None or chosen is None:
            return
        options = [*choices(session.view, chosen[0])]
        conditions = confirmed_values(session).conditions
        now = condition_of(chosen[0], conditions)
        at = options.index(now) if now in options else 0
        condition = options[(at + by) % len(options)]
        self.player_seat.send(SetConditions(with_condition(conditions, chosen[0], condition)))
