"""`driflamme stats`: what the user's past games add up to."""

from shutil import get_terminal_size
from typing import Annotated

import typer

from driflamme_tui.cli import past_games_options as which
from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.shared_options import AsciiSigns, looks

NARROWEST = 40
"""Minimum width of the statistics, in columns: fewer hold no table."""
WIDEST = 100
"""Maximum width of the statistics, in columns: longer bars say no more."""


commands = Commands()


@commands.described(
    "stats",
    "Tell what your past games add up to.\n\n"
    "Victories, places, influence, and what each card brought. Games that were broken off"
    " or only watched do not count. With --json it is one object, whose fields are told in"
    " engine/README.md.",
    "\b\n"
    "Examples:\n"
    "  driflamme stats\n"
    "  driflamme stats --players 4 --no-bots\n"
    "  driflamme stats --since 2026-01-01 --json",
)
def stats(
    player: which.WithPlayer = None,
    edition: which.OfEdition = None,
    players: which.OfPlayers = None,
    since: which.Since = None,
    until: which.Until = None,
    bots: which.WithBots = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
    ascii_signs: AsciiSigns = False,
) -> None:
    """Print the statistics."""
    import json

    from driflamme_tui.drawing.statistics_rows import arranged, sections, text_of
    from driflamme_tui.model.history_totals import statistics_of
    from driflamme_tui.text.signs import glyphs_of
    from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet
    from netcode.storage.history import Filter

    wanted = which.wanted_games(player, edition, players, since, until, bots)
    with which.opened_history() as history:
        statistics = statistics_of(history, wanted)
    if as_json:
        typer.echo(json.dumps(statistics.fields(), separators=(",", ":")))
        return
    glyphs = glyphs_of(looks(ascii_signs=ascii_signs).glyphs)
    width = max(NARROWEST, min(WIDEST, get_terminal_size().columns))
    blocks = arranged(sections(statistics, glyphs), width)
    if not blocks:
        typer.echo(nothing_yet() if wanted == Filter() else nothing_found())
        return
    text = "\n\n".join("\n".join(text_of(row).rstrip() for row in block) for block in blocks)
    typer.echo(glyphs.plain(text))
