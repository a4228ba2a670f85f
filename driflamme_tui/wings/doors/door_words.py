"""Builds sentences about joining by a door, without the program."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from driflamme_tui.wings.doors.open_doors import OpenDoors


def ssh_line(command: str) -> str:
    """Return the SSH command that a guest types. A word in it stands for the guest's own name."""
    return command.format(name=_("NAME"))


def door_sentence(fingerprint: str) -> str:
    """Return the note beside the SSH command: the word for the name, and the door's key."""
    sentence = _("{name} stands for each friend's own name. The key of this machine is {key}")
    return sentence.format(name=_("NAME"), key=fingerprint)


def page_sentence(doors: "OpenDoors") -> str:
    """Return the note beside the link: advice about a warning, or the reach of the page."""
    if doors.has_proxy:
        return _("If a browser warns about the certificate, something is wrong: do not continue.")
    if doors.opened.page.startswith("https://"):
        return _("If a browser warns about the certificate, continue.")
    return _("Only browsers on this machine reach the page.")


def seen_sentence() -> str:
    """Return the note that this machine sees the cards of all visitors."""
    return _("This machine sees the cards of everybody who joins this way.")


def ways_by_doors(
    doors: "OpenDoors | None", invitation: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield, for each door, a heading, the command or link itself, and a note.

    If `invitation` is given, the link for browsers contains it, and admits without the code.
    """
    if doors is not None and doors.ssh:
        yield _("Or, with SSH alone:"), ssh_line(doors.ssh), door_sentence(doors.opened.fingerprint)
        if doors.ssh_outside:
            yield _("From outside:"), ssh_line(doors.ssh_outside), ""
    if doors is not None and doors.opened.page:
        yield (
            _("Or, in a browser:"),
            doors.link(invitation) if invitation else doors.opened.page,
            page_sentence(doors),
        )
        if doors.page_outside:
            yield _("From outside:"), doors.page_outside, ""


def doors_sentences(doors: "OpenDoors", invitation: str) -> Iterator[str]:
    """Yield sentences about the ways to join without this program."""
    for way, line, note in ways_by_doors(doors, invitation):
        yield f"{way} {line}"
        if note:
            yield note
    yield seen_sentence()
