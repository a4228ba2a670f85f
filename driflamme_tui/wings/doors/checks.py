"""Checks for `driflamme doctor` that this machine can have doors: ports and libraries."""

from collections.abc import Iterator
from functools import partial

from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError

SSH_PORT = 11215
"""The default port of the door for SSH."""

WEB_PORT = 11216
"""The default port of the door for browsers."""


class PortChecks(WingChecks):
    """Checks that the usual ports of doors are free."""

    after_check = "tables"

    def findings(self) -> Iterator[Finding]:
        """Yield a finding about the default port of each door."""
        from driflamme_tui.cli.machine_checks import check_port, is_free

        yield check_port("ssh", "SSH", SSH_PORT, is_free=is_free(SSH_PORT))
        yield check_port("web", _("Web page"), WEB_PORT, is_free=is_free(WEB_PORT))


class DoorChecks(WingChecks):
    """Checks that this machine can have doors."""

    after_check = "addresses"
    rank = 1

    def findings(self) -> Iterator[Finding]:
        """Yield a finding about doors on this machine, including their libraries."""
        yield check_guests_without_program(why_no_doors())


def check_guests_without_program(error: ExplainedError | None) -> Finding:
    """Return the finding about doors. `error` is None if doors can be opened on this machine."""
    find = partial(Finding, "doors", _("Doors"))
    if error is None:
        return find(_("Friends without this program can join by ssh or with a browser."))
    return find(error.sentence(_), "hint")


def why_no_doors() -> ExplainedError | None:
    """Return the error that opening doors would raise here; None if doors can be opened."""
    from driflamme_tui.wings.doors.open_doors import check_doors

    try:
        check_doors()
    except ExplainedError as error:
        return error
    return None
