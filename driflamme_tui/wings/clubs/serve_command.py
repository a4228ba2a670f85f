"""Runs `driflamme serve`: a club with many tables at once."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from driflamme_tui.cli.app_start import print_status, serve_until_stopped
from driflamme_tui.cli.declarations import Commands, flag
from driflamme_tui.cli.opening_options import Opening, OpeningOptions, add_all, all_sentences
from driflamme_tui.cli.output import echo
from driflamme_tui.cli.shared_options import PlaceOfTables, warn_of_broken_bots
from driflamme_tui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from driflamme_tui.hosting.host_plans import OpenPlan
    from driflamme_tui.wings.clubs.open_club import OpenClub


commands = Commands()


@commands.described(
    "serve",
    "The club takes no seat and runs until Ctrl-C. It prints an invitation: everybody who uses"
    " it becomes a member, sees the tables and can open new ones. Each table also has its own"
    " invitation. Empty tables are saved on disk and come back when somebody returns, even"
    " after a restart.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme serve\n"
    "  driflamme serve --port 4000 --public club.example:4000\n"
    "{wings}"
    "  driflamme serve --status",
)
def serve(
    place: PlaceOfTables,
    wings: tuple[OpeningOptions, ...],
    status: bool = flag("Print statistics of the server that runs on this port, as JSON."),
) -> None:
    """Open a club, and serve its tables until Ctrl-C; or print the status of a running club."""
    if status:
        print_status(place.port, "driflamme serve")
        return
    warn_of_broken_bots()
    from driflamme_tui.hosting.host_plans import OpenPlan
    from driflamme_tui.wings.clubs.open_club import open_club

    opening = Opening(encrypted=not place.insecure)
    add_all(wings, opening)
    plan = OpenPlan(place.location(), opening.parts)
    serve_until_stopped(
        lambda: open_club(plan, echo),
        lambda club: _opened(plan, club, wings),
        lambda _club: _("The club is closed."),
    )


def _opened(plan: "OpenPlan", club: "OpenClub", wings: tuple[OpeningOptions, ...]) -> Iterator[str]:
    """Yield the lines about an open club: its addresses, and the command to join."""
    from driflamme_tui.wording.program.joining_words import joining_command

    yield _("The club is open on port {port}.", port=club.server.port)
    if club.kept:
        yield ngettext("The club still has {n} table.", "The club still has {n} tables.", club.kept)
    for invitation in club.invitations:
        command = joining_command(invitation)
        yield _("Members join with: {command}", command=command)
    if plan.location.plain:
        yield _("Nothing is encrypted, and anybody who reaches the club is a member.")
    yield from all_sentences(wings, club)
    yield _("Ctrl-C closes the club; its tables come back when it is reopened.")
