"""Offers a spectator the seats of bots in the running game. Without an offer, shows the reason.

The overlay follows the changes at the table, and closes once the reader has a seat.
"""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import HelpedCommands, closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import ListOverlay
from driflamme_tui.text.i18n import _, comma_list, counted
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wording.game.names import bot_name
from driflamme_tui.wording.program.latecomer_words import (
    bots_seats,
    offer_sentence,
    only_watching_sentence,
    waiting_sentence,
    wish_of,
)
from driflamme_tui.wording.program.people_words import refused_in_game
from driflamme_tui.wording.program.table_setting import families_of
from netcode.protocol.messages import AskSeat, Reason, SeatInfo, SeatWish
from netcode.protocol.refusal_sentences import refusal_sentence


class SeatsCommands(HelpedCommands, prefix="seats"):
    """Commands of the list of bots' seats: ask for a seat, or withdraw the wish."""

    up = Command("up", "move(-1)", "choose a seat", "choose", listed=False, repeats=True)
    down = Command("down", "move(1)", "choose the next seat", row=up, listed=False, repeats=True)
    ask = Command("enter", "open", "take the chosen seat, or ask the host for it", "this seat")
    withdraw = Command("-,delete,backspace", "withdraw", "withdraw your request", "withdraw")
    close = Command("escape,q", "dismiss", "keep watching, and close this window", "watch")
    close_too = closing(TableCommands.seat)
    bar = "up/down ask withdraw close"


class SeatsOverlay(ListOverlay[SeatInfo, None], commands=SeatsCommands):
    """The seats of bots, which a spectator can take or ask for."""

    _is_for_spectator = False
    """True if the reader had no seat when the overlay was opened."""

    def on_mount(self) -> None:
        """Remember a reader without a seat: the overlay closes once this reader gets one."""
        self._is_for_spectator = self.lobby.you is None

    @property
    def _wish(self) -> SeatWish | None:
        """The reader's unanswered wish for a seat; None without one."""
        return wish_of(self.player_name, self.lobby)

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now.

        Asking again for the same seat is impossible.
        """
        match command:
            case SeatsCommands.up | SeatsCommands.down:
                return len(self.items) > 1
            case SeatsCommands.ask:
                wish, seat = self._wish, self.chosen
                return seat is not None and (wish is None or wish.family != seat.family)
            case SeatsCommands.withdraw:
                return self._wish is not None
        return super().is_possible(command)

    def heading(self) -> str:
        """Return the title in the upper edge."""
        if self.lobby.phase == "playing":
            return _("A game is under way")
        return _("The table is full")

    @property
    def items(self) -> Sequence[SeatInfo]:
        """The seats of bots; none if the reader has a seat, or may only watch."""
        is_closed = self.lobby.you is not None or only_watching_sentence(self.lobby)
        return [] if is_closed else bots_seats(self.lobby)

    def name_of(self, item: SeatInfo) -> object:
        """Return the family of a seat."""
        return item.family

    def columns(self) -> Sequence[Column[SeatInfo]]:
        """Return two columns: the bot, and its level with its influence."""
        return Column("", self._who), Column("", self._notes, grows=True)

    def _who(self, seat: SeatInfo) -> Text:
        tags = "".join(map(self.glyphs.tag, families_of(seat)))
        return self.text((f"{tags} {seat.name}", f"{seat.family} bold"))

    def _notes(self, seat: SeatInfo) -> Text:
        words, view, wish = [], self.player_seat.session.view, self._wish
        if seat.bot is not None:
            words.append(_("bot: {bot}", bot=bot_name(seat.bot)))
        if view is not None:
            families = [family for family in families_of(seat) if family in view.families]
            pool = sum(view.pools[view.families.index(family)] for family in families)
            words.append(counted("{n} influence", pool))
        if wish is not None and wish.family in families_of(seat):
            words.append(_("the host has your request"))
        return self.text((comma_list(words), "mute"))

    def sync(self) -> None:
        """Redraw everything from the session; close once the reader has a seat."""
        if self.lobby.you is not None and self._is_for_spectator:
            self.dismiss()
        else:
            super().sync()
            self.set_class(not self.items, "empty")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return a text about the chosen seat or the reader's wish, and the last refusal.

        If the reader cannot have a seat, the text contains the reason.
        """
        lobby, wish, refusal = self.lobby, self._wish, self.player_seat.session.refusal
        about = only_watching_sentence(lobby)
        if lobby.you is not None:
            about = refusal_sentence(Reason(code="seated"), _)
        if not about and wish is not None:
            about = waiting_sentence(wish, lobby)
        elif not about and self.chosen is not None:
            about = offer_sentence(self.chosen, lobby)
        refused = "" if refusal is None else refused_in_game(refusal, lobby, self.glyphs)
        lines = [self.text(about), *([self.text((refused, "alert"))] if refused else [])]
        return {"about": Text("\n").join([Text(), *lines] if self.items else lines)}

    def action_open(self) -> None:
        """Ask for the chosen seat, and close the overlay.

        Do nothing if the same wish is pending.
        """
        if self.chosen is not None and self.can(SeatsCommands.ask):
            self.player_seat.send(AskSeat(self.chosen.family))
            self.dismiss()

    def action_withdraw(self) -> None:
        """Withdraw the reader's wish, if there is one."""
        if self._wish is not None:
            self.player_seat.send(AskSeat(None))
