"""Adds texts and commands of doors to the lobby, the invitation and the line-by-line mode."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, cast

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.seat.sections import Section, SectionKind, Way
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.doors.door_words import seen_sentence, ssh_line, ways_by_doors

if TYPE_CHECKING:
    from driflamme_tui.wings.doors.open_doors import DoorsOfHost, OpenDoors


class DoorLobbyCommands(CommandSet, prefix="lobby", listed_after="lobby.copy", bar_after="remove"):
    """Commands of the lobby that copy the SSH command, or the link of the page."""

    copy_ssh = Command(
        "h",
        "wing('lobby.copy-ssh')",
        "copy the command for friends who have only SSH",
        "copy SSH",
    )
    copy_page = Command(
        "u",
        "wing('lobby.copy-page')",
        "copy the link for friends who have only a browser",
        "copy page",
    )
    bar = "copy_ssh copy_page"


class DoorInvitationCommands(CommandSet, prefix="invitation", listed_after="invitation.copy"):
    """The command in the invitation overlay that copies the link of the page."""

    copy_page = Command(
        "u",
        "wing('invitation.copy-page')",
        "copy the link for friends who have only a browser",
    )


class DoorSection(Section):
    """Shows the ways to join by SSH or a browser alone."""

    @property
    def _doors(self) -> "OpenDoors | None":
        """The doors of the player's own table; None for a table without doors."""
        table = self.face.player_seat.table
        part = None if table is None else table.parts.get("doors")
        return None if part is None else cast("DoorsOfHost", part).doors

    @property
    def _page(self) -> str:
        """The link for browsers; "" if there is no door for them."""
        doors = self._doors
        return "" if doors is None else doors.link(self.face.player_seat.lobby.invitation)

    def ways(self, invitation: str = "") -> Iterable[Way]:
        """Yield the way to join by each door."""
        page = self._page if invitation else ""
        for how, line, note in ways_by_doors(self._doors, invitation):
            copied_by = DoorInvitationCommands.copy_page if line == page else None
            yield Way(how, line, note, copied_by)

    def about_ways(self) -> str:
        """Return a note that this machine sees the cards of visitors at doors; "" without doors."""
        return seen_sentence() if any(self.ways()) else ""

    def can(self, command: Command) -> bool:
        """Return True if there is something to copy: the SSH command, or the link for browsers."""
        if command == DoorLobbyCommands.copy_ssh:
            return self._doors is not None and bool(self._doors.ssh)
        return bool(self._page)

    def do(self, command: Command) -> None:
        """Copy the SSH command or the link; for guests outside, if a router lets them in."""
        doors = self._doors
        if command != DoorLobbyCommands.copy_ssh:
            self.face.copy(self._page, _("Link for browsers copied."))
        elif doors is not None:
            self.face.copy(ssh_line(doors.ssh_outside or doors.ssh), _("SSH command copied."))


SEAM: Final = SectionKind(
    DoorSection,
    lobby=DoorLobbyCommands,
    invitation=DoorInvitationCommands,
    invites=True,
)
