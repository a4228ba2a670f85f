"""Asks for the spoken code of a table that was found on this network."""

from typing import ClassVar

from textual.binding import BindingType

from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import CodeCommands, EverywhereCommands
from driflamme_tui.screens.base.overlay import InputOverlay
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.invitation_words import CODE_SIGNS, ROOM_SIGNS
from engine.words import N_
from netcode.joining.discovery import FoundTable


def whole_code(typed: str, room: str) -> str | None:
    """Return a code of a room from what was typed, or None if it has not as many signs as a code.

    The room may be left out, as the list shows it. Whether the signs are those of a code is not
    judged here.
    """
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) == CODE_SIGNS - ROOM_SIGNS:
        return room + signs
    return signs if len(signs) == CODE_SIGNS else None


class CodeOverlay(InputOverlay):
    """Asks for a code; gives it back whole, or None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("code")
    buttons = (
        (N_("Join ({key})"), EverywhereCommands.done),
        (N_("Back ({key})"), CodeCommands.cancel),
    )
    longest = 20

    def __init__(self, table: FoundTable) -> None:
        name, address = steady(table.name), steady(str(table.address))
        super().__init__(
            _("The host can read its code to you from their screen."),
            _("{name}’s table at {address}").format(name=name, address=address),
            f"{table.room} - ",
        )
        self.table = table

    def parsed(self, typed: str) -> str | None:
        """Return the whole code."""
        return whole_code(typed, self.table.room)

    def refused(self) -> str:
        """Ask for as many signs as a code has."""
        sentence = _("Type the five signs after {room}, or all {n}.")
        return sentence.format(room=self.table.room, n=CODE_SIGNS)
