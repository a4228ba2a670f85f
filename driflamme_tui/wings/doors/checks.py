"""What `driflamme doctor` says about doors: their ports, and whether this machine can have some."""

from collections.abc import Iterator
from functools import partial

from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.text.i18n import _
from engine.words import ExplainedError

SSH_PORT = 11215
"""Where the door for SSH listens unless told otherwise."""

WEB_PORT = 11216
"""Where the door for browsers listens unless told otherwise."""


class PortChecks(WingChecks):
    """Whether the usual ports of doors are free."""

    after_check = "tables"

    def findings(self) -> Iterator[Finding]:
        """Judge both ports."""
        from driflamme_tui.cli.machine_checks import check_port, is_free

        yield check_port("ssh", "SSH", SSH_PORT, is_free(SSH_PORT))
        yield check_port("web", _("Web page"), WEB_PORT, is_free(WEB_PORT))


class DoorChecks(WingChecks):
    """Whether this machine can have doors."""

    after_check = "addresses"
    rank = 1

    def findings(self) -> Iterator[Finding]:
        """Judge whether there are the libraries for doors."""
        yield check_guests_without_program(why_no_doors())


def check_guests_without_program(error: ExplainedError | None) -> Finding:
    """Judge whether this machine can have doors, by the error with which it has none."""
    find = partial(Finding, "doors", _("Doors"))
    if error is None:
        return find(_("Friends without this program can come by ssh or by a browser."))
    return find(error.sentence(_), "hint")


def why_no_doors() -> ExplainedError | None:
    """Return the error with which this machine has no doors, if it has none."""
    from driflamme_tui.wings.doors.open_doors import check_doors

    try:
        check_doors()
    except ExplainedError as error:
        return error
    return None
