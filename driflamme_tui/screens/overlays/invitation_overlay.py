"""How others come to this table: the link as a QR code and as text, and the code to be said."""

from typing import Final

from textual.app import ComposeResult

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import HelpedCommands, LobbyCommands, closing
from driflamme_tui.screens.base.overlay import Overlay
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.qr_code import fitting_code, qr_code
from driflamme_tui.wording.program.joining_words import (
    copied,
    door_sentence,
    in_any_shell,
    is_link,
    page_sentence,
    said_code,
    secure_sentence,
    seen_sentence,
    ssh_line,
    written_code,
)


class InvitationCommands(HelpedCommands, prefix="invitation"):
    """What can be done where the invitation is shown."""

    close = Command("escape,q,enter", "dismiss", "close this", "closes")
    close_too = closing(LobbyCommands.invitation)
    copy = Command("c", "copy", "copy the invitation")
    copy_page = Command("u", "copy_page", "copy the link for friends who have only a browser")


TEXT_WIDTH: Final = 32
"""Columns that the text beside the code keeps."""

WIDEST_TEXT: Final = 76


class InvitationOverlay(Overlay[None], commands=InvitationCommands):
    """Shows the invitation, as large as the screen is."""

    notice = ""

    def compose(self) -> ComposeResult:
        """One board over everything."""
        yield Board(self.draw, id="invitation")

    def sync(self) -> None:
        """Show what the session knows now."""
        self.query_one(Board).redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the QR code, if there is one, and beside it the same as text."""
        # A phone, which scans it, has a browser at least.
        link = self._page or (self.lobby.invitation if is_link(self.lobby.invitation) else "")
        why_none = ""
        left = 2
        if link and not self.glyphs.unicode:
            why_none = _("A QR code needs a terminal that shows block characters.")
        elif link:
            code = fitting_code(link, canvas.width - TEXT_WIDTH - 3, canvas.height)
            if code is not None:
                code.draw(canvas, 0, min(1, canvas.height - code.height))
                left = code.width + 2
            else:
                least = qr_code(link)
                why_none = _(
                    "The QR code of this link needs {width} by {height} cells.",
                    width=least.width + TEXT_WIDTH + 3,
                    height=least.height,
                )
        self._draw_text(canvas, left, why_none)

    @property
    def _page(self) -> str:
        """The link for browsers; empty if none is let in."""
        doors = self.sitting.doors
        return "" if doors is None else doors.link(self.lobby.invitation)

    def _draw_text(self, canvas: Canvas, x: int, why_none: str) -> None:
        width = min(WIDEST_TEXT, canvas.width - x - 1)
        lobby, mute, bold = self.lobby, canvas.mute, canvas.bold
        link, safe = is_link(lobby.invitation), self.sitting.secure
        blocks = [[(_("INVITATION"), canvas.heading)]]
        doors = self.sitting.doors
        if doors is not None and self._page:
            label = _("Scan this, or open the link in a browser:")
            if why_none:
                label = _("Others open this link in a browser:")
            blocks.append([(label, mute), (self._page, bold), (page_sentence(doors), mute)])
        if lobby.invitation:
            if link and not why_none and not self._page:
                label = _("Scan this, or paste the link after driflamme join:")
            elif link:
                label = _("Others paste this link after driflamme join:")
            else:
                label = _("Others type this in their terminal:")
            blocks.append([(label, mute), (in_any_shell(lobby.invitation), bold)])
        if lobby.code is not None:
            label = _("Or, on the same network, say the code:")
            # The lobby says it, and a door needs the room.
            said = said_code(lobby.code) if self.sitting.doors is None else ""
            blocks.append([(label, mute), (written_code(lobby.code), bold), (said, canvas.plain)])
        if doors is not None and doors.ssh:
            line, told = ssh_line(doors.ssh), door_sentence(doors.opened.fingerprint)
            blocks.append([(_("Or, with SSH alone:"), mute), (line, bold), (told, mute)])
        if doors is not None:
            blocks[-1].append((seen_sentence(), mute))
        blocks += [
            [(self.notice, bold)],
            [(secure_sentence(safe), canvas.alert if safe is False else mute)],
            [(why_none, mute)],
        ]
        ways = [(key(InvitationCommands.close, self.glyphs), _("closes"), "dismiss")]
        if self._page:
            copies = key(InvitationCommands.copy_page, self.glyphs)
            ways.insert(0, (copies, _("copies the link for browsers"), "copy_page"))
        if lobby.invitation:
            copies = key(InvitationCommands.copy, self.glyphs)
            ways.insert(0, (copies, _("copies the link") if link else _("copies it"), "copy"))
        row, last = 1, canvas.height - len(ways) - 2
        for block in blocks:
            for text, how in block:
                for piece in wrapped(text, width, width) if text else ():
                    if row < last:
                        canvas.text(x, row, piece, how)
                    row += 1
            row += bool(block[0][0])
        row = min(row, last + 1)
        for at, (name, label, action) in enumerate(ways, row):
            end = canvas.place(x, at, name, bold, action)
            canvas.place(end, at, f" {label}", mute, action)

    def action_copy(self) -> None:
        """Copy the link."""
        self._copy(in_any_shell(self.lobby.invitation))

    def action_copy_page(self) -> None:
        """Copy the link for browsers."""
        self._copy(self._page)

    def _copy(self, text: str) -> None:
        if text:
            self.app.copy_to_clipboard(text)
            self.notice = copied()
            self.sync()
