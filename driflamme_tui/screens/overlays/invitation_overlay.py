"""Shows the invitation to this table: its link as QR code and text, and the spoken code.

Each link stands alone in its rows, beginning in the first column. So a mouse can select exactly the
link in any terminal.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
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
from driflamme_tui.screens.base.screen_face import sections_of
from driflamme_tui.seat.sections import Sections, Way, join_commands
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.qr_code import fitting_code, qr_code
from driflamme_tui.wording.program.joining_words import (
    copied_invitation,
    in_any_shell,
    is_link,
    link_above,
    secure_sentence,
    ways_in,
)


class InvitationCommands(OverlayCommands, prefix="invitation"):
    """Commands of the invitation: copy it, and close it by the key that opened it."""

    close_too = closing(LobbyCommands.invitation)
    copy = Command("c", "copy", "copy the invitation")


TEXT_WIDTH: Final = 32
"""Minimum columns of the text beside the code."""


class InvitationOverlay(Overlay[None], commands=join_commands(InvitationCommands, "invitation")):
    """Shows the invitation on the full screen."""

    @cached_property
    def sections(self) -> Sections:
        """The sections of wings on this screen."""
        return sections_of(self)

    def compose(self) -> ComposeResult:
        """Yield the links, the QR code below them, and the instructions beside it."""
        yield Static(id="links")
        with Horizontal(id="invitation"):
            yield Static(id="code")
            with VerticalScroll(can_focus=False):
                yield Static(id="reading")

    def sync(self) -> None:
        """Redraw everything from the session."""
        self.show_texts()

    def texts(self) -> Mapping[str, RenderableType]:
        """Return all links, a QR code if one fits, and the instructions."""
        # Prefer a link for browsers in the QR code, since every phone has a browser.
        own = self.lobby.invitation if is_link(self.lobby.invitation) else ""
        link = next((way.line for way in self._page_ways), own)
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
                "The QR code of this link needs {width} columns by {height} lines: "
                "make the terminal larger.",
                width=least.width + TEXT_WIDTH + 3,
                height=least.height,
            )
        scans = _("Scan this, or:") if code else ""
        parts = (*self._blocks(scans, why_none), Text("\n").join(self._ways()))
        return {"links": links, "code": code, "reading": Text("\n\n").join(filter(None, parts))}

    def _links(self) -> Iterator[tuple[str, str]]:
        """Yield each link, and the action that copies it."""
        if is_link(self.lobby.invitation):
            yield in_any_shell(self.lobby.invitation), InvitationCommands.copy.action
        for way in self._page_ways:
            if way.copied_by is not None:
                yield way.line, way.copied_by.action

    @property
    def _page_ways(self) -> list[Way]:
        """The ways to the table by a link for browsers, which wings add."""
        ways = self.sections.ways(self.lobby.invitation)
        return [way for way in ways if way.copied_by is not None]

    def _blocks(self, scans: str, why_none: str) -> Iterator[Text]:
        """Yield the texts beside the QR code: the ways to join, a notice, and the encryption.

        A text may be empty.

        Args:
            scans: The text about scanning the QR code; "" without a code.
            why_none: The reason why a QR code is missing; "" if none is needed.
        """
        safe = self.player_seat.secure
        yield self.text((_("INVITATION"), "heading"))
        yield self.text((scans, "mute"))
        above = [link for link, _action in self._links()]
        of_wings = (each[:3] for each in self.sections.ways(self.lobby.invitation))
        for way, line, *notes in (*ways_in(self.lobby), *of_wings):
            more = [(f"\n{each}", "mute") for each in notes if each]
            if line in above:
                yield self.text((link_above(line), "mute"), *more)
                continue
            yield self.text((f"{way}\n", "mute"), (line, "bold"), *more)
        for about in self.sections.every(lambda each: each.about_ways()):
            yield self.text((about, "mute"))
        yield self.text((self.notice, "bold"))
        yield self.text((secure_sentence(safe), "alert" if safe is False else "mute"))
        yield self.text((why_none, "mute"))

    def _ways(self) -> Iterator[Text]:
        """Yield each available command with its key, as a text to click on."""
        commands, does = InvitationCommands, _("copy it")
        if is_link(self.lobby.invitation):
            does = _("copy the link")
        ways = [(commands.copy, does)] if self.lobby.invitation else []
        of_pages = (way.copied_by for way in self._page_ways if way.copied_by is not None)
        ways += [(command, _("copy the link for browsers")) for command in of_pages]
        for command, words in (*ways, (commands.close, _("close"))):
            keys = key(command, self.glyphs), "bold"
            yield self.clickable(self.text(keys, (f" {words}", "mute")), command.action)

    def action_copy(self) -> None:
        """Copy the invitation of the lobby to the clipboard, and confirm this in a notice."""
        invitation = self.lobby.invitation
        self.copy_text(in_any_shell(invitation), copied_invitation(invitation))
