"""`driflamme serve`: a club, which is many tables at once."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from driflamme_tui.cli.app_start import doors_opened, print_status, serve_until_stopped
from driflamme_tui.cli.command_group import RELAY_PORT
from driflamme_tui.cli.declarations import Commands, flag
from driflamme_tui.cli.shared_options import (
    OUTSIDE,
    PlaceWithDoors,
    port_option,
    tell_of_broken_bots,
)
from driflamme_tui.text.i18n import _, as_typed, ngettext

if TYPE_CHECKING:
    from driflamme_tui.hosting.host_plans import OpenPlan
    from driflamme_tui.wings.clubs.open_club import OpenClub


commands = Commands()


@commands.described(
    "serve",
    "It has no seat and runs "
    "until Ctrl-C. Whoever uses the invitation it prints becomes a member: members see the "
    "tables and can open new ones. Each table has an invitation of its own for others. Empty "
    "tables are kept on disk and are there when somebody returns, even after a restart.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme serve\n"
    "  driflamme serve --port 4000 --public club.example:4000\n"
    "  driflamme serve --relay\n"
    "  driflamme serve --status",
)
def serve(
    place: PlaceWithDoors,
    relay: int | None = port_option(
        "Be a relay too, for friends whom nobody can reach; see driflamme relay.",
        RELAY_PORT,
        metavar="[PORT]",
    ),
    status: bool = flag("Print figures of the running server on that port, as JSON."),
) -> None:
    """Keep a club."""
    if status:
        print_status(place.port, "driflamme serve")
        return
    tell_of_broken_bots()
    from driflamme_tui.hosting.host_plans import OpenPlan
    from driflamme_tui.wings.clubs.open_club import open_club

    parts = place.parts()
    if relay is not None:
        parts = {"own_relay": str(relay), **parts}
    plan = OpenPlan(place.location(), parts)
    serve_until_stopped(
        lambda: open_club(plan, typer.echo),
        lambda club: _opened(plan, club),
        lambda _club: _("The club is closed."),
    )


def _opened(plan: "OpenPlan", club: "OpenClub") -> Iterator[str]:
    """Yield where a club is open, and how members join."""
    from driflamme_tui.seat.own_parts import doors_of, own_relay_of, router_of
    from driflamme_tui.wording.program.joining_words import in_any_shell, joining_command
    from driflamme_tui.wording.program.outside_words import who_comes_in

    yield _("The club is open on port {port}.", port=club.server.port)
    if club.kept:
        yield ngettext("It has {n} table from before.", "It has {n} tables from before.", club.kept)
    for invitation in club.invitations:
        command = joining_command(invitation)
        yield _("Members join with: {command}", command=command)
    if (router := router_of(club)) is not None:
        yield who_comes_in(router, OUTSIDE)
    if plan.location.plain:
        yield _("Nothing is encrypted, and whoever reaches the club is a member.")
    if (doors := doors_of(club)) is not None:
        yield from doors_opened(doors, club.invitations[0])
    if (relay := own_relay_of(club)) is not None:
        command = as_typed(f"driflamme host --relay {in_any_shell(str(relay.link))}")
        yield _("Friends host through it with: {command}", command=command)
    yield _("Ctrl-C closes the club; its tables come back when it is reopened.")
