"""`driflamme stats`: what the user's past games add up to."""

from shutil import get_terminal_size
from typing import Annotated

import typer

from driflamme_tui.cli import past_games_options as which
from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.output import AsJson
from driflamme_tui.cli.shared_options import looks

NARROWEST = 40
"""Minimum width of the statistics, in columns: fewer hold no table."""
WIDEST = 100
"""Maximum width of the statistics, in columns: longer bars say no more."""


commands = Commands()


@commands.described(
    "stats",
    "Summarise your past games.\n\nVictories, places, influence, and what each card brought. "
    "Games that were broken off or only watched do not count. With --json it is one object, "
    "whose fields are told in engine/README.md.",
    "\b\n"
    "Examples:\n"
    "  driflamme stats\n"
    "  driflamme stats --players 4 --no-bots\n"
    "  driflamme stats --evenings --ratings\n"
    "  driflamme stats --since 2026-01-01 --json",
)
def stats(
    player: which.WithPlayer = None,
    edition: which.OfEdition = None,
    players: which.OfPlayers = None,
    since: which.Since = None,
    until: which.Until = None,
    bots: which.WithBots = None,
    evenings: Annotated[
        bool,
        typer.Option("--evenings", help="Who was ahead after games played one after the other."),
    ] = False,
    ratings: Annotated[
        bool,
        typer.Option("--ratings", help="How strong everybody in these games seems to be."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print the statistics."""
    import json

    import msgspec

    from driflamme_tui.drawing.statistics_rows import (
        StatisticsSection,
        arranged,
        evenings_section,
        ratings_section,
        sections,
        text_of,
    )
    from driflamme_tui.model.history_totals import statistics_of
    from driflamme_tui.text.signs import glyphs_of
    from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet
    from netcode.storage.history import Filter
    from netcode.storage.past_evenings import evenings_of, history_ratings

    glyphs = glyphs_of(looks().glyphs)
    wanted = which.wanted_games(player, edition, players, since, until, bots)
    told: list[StatisticsSection] = []
    data: dict[str, object] = {}
    with which.opened_history() as history:
        if evenings:
            past = evenings_of(history.games(wanted))
            told += [evenings_section(past, glyphs)] if past else []
            data["evenings"] = msgspec.to_builtins(past)
        if ratings:
            rated = history_ratings(history.games(wanted))
            told += [ratings_section(rated, glyphs)] if rated else []
            data["ratings"] = [
                {"name": name, "bot": bot, "games": n, "mu": round(mu, 4), "sigma": round(sigma, 4)}
                for (name, bot), n, mu, sigma in rated
            ]
        if not data:
            statistics = statistics_of(history, wanted)
            told, data = sections(statistics, glyphs), statistics.fields()
    if as_json:
        typer.echo(json.dumps(data, separators=(",", ":")))
        return
    width = max(NARROWEST, min(WIDEST, get_terminal_size().columns))
    blocks = arranged(told, width)
    if not blocks:
        typer.echo(nothing_yet() if wanted == Filter() else nothing_found())
        return
    text = "\n\n".join("\n".join(text_of(row).rstrip() for row in block) for block in blocks)
    typer.echo(glyphs.plain(text))
