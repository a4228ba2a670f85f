"""How others come to this table: the link as a QR code and as text, and the code to be said.

Each link stands alone in its rows, from the first column, so that a mouse can select all of it and
nothing else in any terminal.
"""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Final

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import LobbyCommands, closing
from driflamme_tui.screens.base.overlay import Overlay, OverlayCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.qr_code import fitting_code, qr_code
from driflamme_tui.wording.program.joining_words import (
    copied,
    in_any_shell,
    is_link,
    link_above,
    secure_sentence,
    seen_sentence,
    ways_by_doors,
    ways_in,
)


class InvitationCommands(OverlayCommands, prefix="invitation"):
    """What can be done where the invitation is shown."""

    close_too = closing(LobbyCommands.invitation)
    copy = Command("c", "copy", "copy the invitation")
    copy_page = Command("u", "copy_page", "copy the link for friends who have only a browser")


TEXT_WIDTH: Final = 32
"""Columns that the text beside the code keeps."""


class InvitationOverlay(Overlay[None], commands=InvitationCommands):
    """Shows the invitation, as large as the screen is."""

    def compose(self) -> ComposeResult:
        """The links, below them the code, and beside that how to use them."""
        yield Static(id="links")
        with Horizontal(id="invitation"):
            yield Static(id="code")
            with VerticalScroll(can_focus=False):
                yield Static(id="reading")

    def sync(self) -> None:
        """Show what the session knows now."""
        self.show_texts()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the QR code, if there is one, and the same as text."""
        # A phone, which scans it, has a browser at least.
        link = self._page or (self.lobby.invitation if is_link(self.lobby.invitation) else "")
        code, why_none, (width, height) = Text(), "", self.app.size
        links = Text("\n").join(
            self.clickable(self.text((each, "bold")), action) for each, action in self._links()
        )
        height -= sum(ceil(len(each) / width) for each, _action in self._links())
        if link and not self.glyphs.unicode:
            why_none = _("A QR code needs a terminal that shows block characters.")
        elif link and (drawn := fitting_code(link, width - TEXT_WIDTH - 3, height)):
            code = drawn.text()
        elif link:
            least = qr_code(link)
            why_none = _(
                "The QR code of this link needs {width} by {height} cells.",
                width=least.width + TEXT_WIDTH + 3,
                height=least.height,
            )
        scans = _("Scan this, or:") if code else ""
        told = (*self._blocks(scans, why_none), Text("\n").join(self._ways()))
        return {"links": links, "code": code, "reading": Text("\n\n").join(filter(None, told))}

    def _links(self) -> Iterator[tuple[str, str]]:
        """Yield each link, and the action that copies it."""
        if is_link(self.lobby.invitation):
            yield in_any_shell(self.lobby.invitation), InvitationCommands.copy.action
        if self._page:
            yield self._page, InvitationCommands.copy_page.action

    @property
    def _page(self) -> str:
        """The link for browsers; empty if none is let in."""
        doors = self.sitting.doors
        return "" if doors is None else doors.link(self.lobby.invitation)

    def _blocks(self, scans: str, why_none: str) -> Iterator[Text]:
        """Yield each way to this table, and how safe that is."""
        doors, safe = self.sitting.doors, self.sitting.secure
        yield self.text((_("INVITATION"), "heading"))
        yield self.text((scans, "mute"))
        above = [link for link, _action in self._links()]
        by_doors = list(ways_by_doors(doors, self.lobby.invitation))
        for way, line, *told in (*ways_in(self.lobby), *by_doors):
            more = [(f"\n{each}", "mute") for each in told if each]
            if line in above:
                yield self.text((link_above(line), "mute"), *more)
                continue
            yield self.text((f"{way}\n", "mute"), (line, "bold"), *more)
        yield self.text((seen_sentence() if by_doors else "", "mute"))
        yield self.text((self.notice, "bold"))
        yield self.text((secure_sentence(safe), "alert" if safe is False else "mute"))
        yield self.text((why_none, "mute"))

    def _ways(self) -> Iterator[Text]:
        """Yield what can be done here."""
        commands, does = InvitationCommands, _("copies it")
        if is_link(self.lobby.invitation):
            does = _("copies the link")
        ways = (
            (commands.copy, does, self.lobby.invitation),
            (commands.copy_page, _("copies the link for browsers"), self._page),
            (commands.close, _("closes"), True),
        )
        for command, words, there in ways:
            if there:
                keys = key(command, self.glyphs), "bold"
                yield self.clickable(self.text(keys, (f" {words}", "mute")), command.action)

    def action_copy(self) -> None:
        """Copy the link."""
        self._copy(in_any_shell(self.lobby.invitation))

    def action_copy_page(self) -> None:
        """Copy the link for browsers."""
        self._copy(self._page)

    def _copy(self, text: str) -> None:
        if text:
            self.app.copy_to_clipboard(text)
            self.notice = copied(self.terminal.copies_with)
            self.sync()
