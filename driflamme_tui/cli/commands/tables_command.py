"""`driflamme join --list`, formerly `driflamme tables`: the tables on the local network."""

import typer

from driflamme_tui.cli.declarations import Commands
from driflamme_tui.cli.output import AsJson, echo
from driflamme_tui.text.i18n import _, as_typed

commands = Commands()


@commands.described(
    "tables",
    examples="\b\nExamples:\n  driflamme join --list\n  driflamme join --list --json",
)
def tables(
    as_json: AsJson = False,
) -> None:
    """List the tables of the local network."""
    list_tables(as_json)


def list_tables(as_json: bool) -> None:
    """Search the local network for tables, and print them as text or as JSON."""
    import asyncio
    import json

    from driflamme_tui.wording.program.found_table_words import seats_of
    from netcode.joining.discovery import SEARCH_S, find_tables
    from netcode.protocol.messages import PROTOCOL

    found = asyncio.run(find_tables(SEARCH_S))
    if as_json:
        listed = [
            {
                "host": each.name,
                "address": str(each.address),
                "prefix": each.prefix,
                "taken": each.taken,
                "places": each.places,
                "playing": each.playing,
            }
            for each in found
        ]
        typer.echo(json.dumps(listed))
        return
    if not found:
        echo(_("No table is announced on this network: ask the host for the invitation."))
    for each in found:
        line = _("{name} at {address}: another version of this program")
        if each.protocol == PROTOCOL:
            line = _("{name}: driflamme {way} {address}   (its spoken code begins with {prefix})")
        way, seats = "join" if each.is_free else "watch", seats_of(each)
        name = (each.name or _("Somebody")) + (f" ({seats})" if seats else "")
        line = line.format(name=name, way=way, address=each.address, prefix=each.prefix)
        echo(as_typed(line))
