"""`driflamme simulate`: bots play each other, to be measured or to be checked."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli import contest_options as contests
from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.output import STANDARD_OUTPUT, Force, columns, output_to
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from engine.arena.summary import BotTally


commands = Commands()


@commands.described(
    "simulate",
    "Let bots play each other, and print how they did.\n\n"
    "There are the bots random, novice, learner, steady, sharp, master and grandmaster, the "
    "weakest first. The same seed and arguments give the same games. With --trace - the summary "
    "goes to standard error.",
    "\b\n"
    "Examples:\n"
    "  driflamme simulate --games 2000 --bots steady\n"
    "  driflamme simulate --players mixed --edition mixed --bots steady,steady\n"
    "  driflamme simulate --games 10 --seed 3 --trace games.jsonl",
)
def simulate_games(
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 100,
    players: contests.Players = "4",
    edition: contests.Editions = "2",
    seed: contests.Seed = 0,
    bots: Annotated[
        str,
        typer.Option(
            metavar="NAME,…",
            help="The bots at the table, one seat further each game; random fills the other seats.",
            autocompletion=contests.complete_bots,
        ),
    ] = "",
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every decision as JSON Lines; - is the output."),
    ] = None,
    force: Force = False,
) -> None:
    """Let bots play each other and print how they did."""
    from engine.arena.contest import Series, simulate
    from engine.arena.summary import BotTally

    series = Series(
        games,
        None if players == contests.MIXED else int(players),
        None if edition == contests.MIXED else int(edition),
        seed,
        contests.parse_bot_names(bots),
    )
    tally = BotTally()
    with nullcontext() if trace is None else output_to(trace, force) as output:
        lines: list[str] = []
        for played in simulate(series, lines.append if output else None):
            tally.add(played)
            if output:
                output.write("\n".join(lines) + "\n")
                lines.clear()
    for line in _summary(tally):
        typer.echo(line, err=trace == STANDARD_OUTPUT)


def _summary(tally: "BotTally") -> Iterator[str]:
    yield contests.played(tally.games, tally.decisions)
    headings = (_("bot"), _("seats"), _("wins"), _("share"), _("95% interval"), _("expected"))
    rows = [headings]
    for standing in tally.standings():
        low, high = standing.interval
        rows.append(
            (
                standing.bot,
                str(standing.seats),
                f"{standing.wins:.1f}",
                f"{standing.share:.1%}",
                f"{low:.1%} - {high:.1%}",
                f"{standing.par:.1%}",
            )
        )
    yield from columns(rows)
    yield _("Share: wins a seat, a shared victory counting in parts; its interval is Wilson's.")
