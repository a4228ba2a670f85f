"""Adds to the question about a card the offer to leave the card until a later round."""

from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.model.pending_question import Step
from driflamme_tui.screens.table.panels import Panel, PanelKind, PanelTable
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.table_keys import AheadTableCommands
from engine.cards import ROUNDS, SHAPESHIFTER
from netcode.wings.days.settings import lasts_for_days


class AheadPanel(Panel):
    """Offers to leave a face-down card until a later round, where the table asks about it."""

    def __init__(self, table: PanelTable) -> None:
        self._table: Final = table

    @property
    def _offers(self) -> bool:
        """True if a long game, before its last round, asks if the reader leaves a card."""
        question, seat = self._table.answering.question, self._table.player_seat
        if question is None or seat.session.lobby is None:
            return False
        has_later_round = question.view.round < ROUNDS
        is_about_card = question.step is Step.LEAVE_OR_REVEAL
        return has_later_round and is_about_card and lasts_for_days(seat.lobby.settings)

    def can(self, command: Command) -> bool:
        """Return True for commands of other panels, and while the table asks about a card."""
        return command is not AheadTableCommands.ahead or self._offers

    def run(self, command: str) -> None:
        """List the reader's face-down cards, with the present one chosen."""
        if command == "ahead" and self._offers:
            from driflamme_tui.wings.days.ahead.ahead_overlay import AheadOverlay

            self._table.lay_over(AheadOverlay())

    def takes_letter(self, letter: str) -> bool:
        """List the cards if the letter is the Shapeshifter's, and return True; otherwise False.

        This works only while the table asks whether to leave a card: then the letter chooses none.
        """
        if letter.upper() != SHAPESHIFTER or not self._offers:
            return False
        self.run("ahead")
        return True

    def present(self, state: TableState) -> TableState:
        """Return the state with the offer below the question, unless a notice or hint is there."""
        is_free = state.answerable and not (state.notice or any(state.advice))
        if not (is_free and self._offers):
            return state
        shown = key(AheadTableCommands.ahead, self._table.terminal.glyphs)
        return replace(state, advice=(_("{key}: leave it until a later round", key=shown), ""))


SEAM: Final = PanelKind(AheadPanel)
