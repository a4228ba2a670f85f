"""Builds the rows of the lobby that show how to join the table."""

from collections.abc import Iterator

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from driflamme_tui.keymap.key_bindings import entry_keys, label
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.joining_words import (
    in_any_shell,
    is_link,
    secure_sentence,
    secure_words,
    spoken_form,
    written_code,
)
from netcode.protocol.messages import Lobby


class InvitationRows(Struct, frozen=True):
    """The invitation as a reader sees it now."""

    lobby: Lobby
    page: Commanded
    """Builds texts from pieces."""
    secure: bool | None
    """True if the connection is encrypted; None if unknown."""

    def rows(self, width: int, *, small: bool) -> list[Text]:
        """Return the ways in which friends can join this table, in at most two rows.

        The list is empty if the table has neither code nor invitation. With `small`, the second row
        only warns that the connection is not encrypted.
        """
        lobby, text = self.lobby, self.page.text
        if not (lobby.code or lobby.invitation):
            return []
        first = text((_("INVITE"), "heading"), "  ")
        indent = first.cell_len
        if lobby.code is not None:
            first.append_text(text((f" {' '.join(written_code(lobby.code))} ", "chosen")))
        for piece in self._keys():
            gap = "  " if first.cell_len > indent else ""
            if first.cell_len + len(gap) + piece.cell_len <= width:
                first.append(gap).append_text(piece)
        # The code has a coloured cell before its first letter.
        second = self._second_row(width, indent + (lobby.code is not None), small=small)
        return [first, second] if second else [first]

    def _keys(self) -> Iterator[Text]:
        """Yield the keys for the invitation, each as a clickable text."""
        page, commands = self.page, LobbyCommands
        of_wings = page.sections.invite_commands()
        for command in (commands.copy, commands.invitation, *of_wings):
            if page.can(command):
                keys = (entry_keys(command, page.glyphs), "bold"), (f" {label(command)}", "mute")
                yield page.clickable(page.text(*keys), command.action)

    def _second_row(self, width: int, indent: int, *, small: bool) -> Text:
        """Return a row with the spoken code or the line to type, and a text about the encryption.

        A part is left out if it does not fit or is unknown. A link without a code has no line to
        type. With `small`, the row has only the warning about a missing encryption.
        """
        lobby, text = self.lobby, self.page.text
        line = "" if lobby.code is None else spoken_form(lobby.code)
        if not line and not is_link(lobby.invitation):
            line = in_any_shell(lobby.invitation)
        row = text(" " * indent, (line, "mute" if lobby.code else "bold")) if line else Text()
        row = Text() if small or row.cell_len > width else row
        for secure in (secure_sentence(self.secure), secure_words(self.secure)):
            space = width - row.cell_len - cell_len(secure)
            if secure and space >= 2 * bool(row) and not (small and self.secure):
                row = text(row, " " * space, (secure, "mute" if self.secure else "alert"))
                break
        return row
