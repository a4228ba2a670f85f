"""Runs `driflamme turns`: lists the player's tables, with the turn at each."""

from typing import TYPE_CHECKING, Any

import typer

from driflamme_tui.cli.declarations import Commands, flag
from driflamme_tui.cli.output import AsJson, echo, go_not_together
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from driflamme_tui.wings.days.turns.known_tables import KnownTable

commands = Commands()


@commands.described(
    "turns",
    "Asks the hosts and clubs of all tables that you have joined from this account. The exit "
    "status is 0 if it is your turn anywhere, otherwise 1.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme turns\n"
    "  driflamme turns --count\n"
    "  driflamme turns --json",
)
def turns(
    count: bool = flag("Print only the number of tables where it is your turn."),
    as_json: AsJson = False,
) -> None:
    """List the tables that you have joined, and whose turn it is."""
    import json
    import time

    from driflamme_tui.preferences.visits import place_of
    from driflamme_tui.wings.days.turns.turn_requests import ask_now
    from driflamme_tui.wings.days.turns.turn_words import turn_line

    go_not_together({"--count": count, "--json": as_json})
    found = ask_now(time.time)
    # Several players of this account may have seats at one table.
    mine = len({(place_of(each.seat.place), each.prefix) for each in found if each.is_mine})
    if count:
        typer.echo(mine)
    elif as_json:
        now = time.time()
        typer.echo(json.dumps([_json_row(each, now) for each in found]))
    elif not found:
        echo(_("You have no seat at any table: join one with driflamme join."))
    else:
        now, several = time.time(), len({each.seat.name for each in found}) > 1
        for each in found:
            echo(turn_line(each, now, names_seat=several))
    raise typer.Exit(0 if mine else 1)


def _json_row(table: "KnownTable", now: float) -> dict[str, Any]:
    """Return a table as an object in the output of `turns --json`."""
    seat, news = table.seat, table.news
    row: dict[str, Any] = {"host": seat.host, "name": seat.name, "prefix": table.prefix}
    if table.why:
        row["error"] = table.why
    if news is not None:
        row |= {
            "players": news.turn.names,
            "phase": news.turn.phase,
            "round": news.turn.round,
            "whose": news.turn.whose,
            "mine": news.turn.mine,
            "left_s": news.left_at(now),
            "unread": news.turn.unread,
            "paused": news.turn.paused,
            "winners": news.turn.winners,
        }
    return row
