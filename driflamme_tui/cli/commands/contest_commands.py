"""`driflamme arena`, also by its old name `simulate`: games between bots."""

import itertools
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from driflamme_tui.cli import completion
from driflamme_tui.cli import shared_options as contests
from driflamme_tui.cli.declarations import Commands, flag, option
from driflamme_tui.cli.output import (
    STANDARD_OUTPUT,
    STATUS_FAILED,
    STATUS_INTERRUPTED,
    Force,
    columns,
    echo,
    echo_error,
    end_with,
    fail,
    go_not_together,
    go_only_with,
    not_written,
    output_to,
)
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from engine.arena.contest import Contest, DealResult
    from engine.arena.summary import BotTally, Summary

commands = Commands()


@commands.described(
    "arena",
    "Each deal is played once from every seat, in worker processes. The same arguments give the"
    " same figures, whatever the number of workers. Ctrl-C prints the results so far; with"
    " --resume, the same command then continues from there.\n\nWith --trace the bots sit at one"
    " table, and move on by one seat each game; random fills the other seats. With --trace - the"
    " results go to standard error.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme arena --bots random,steady,sharp --players mixed\n"
    "  driflamme arena --bots sharp --against steady --games 2000 --resume sharp.jsonl\n"
    "  driflamme arena --bots steady,sharp,master --ladder --players mixed --edition mixed\n"
    "  driflamme arena --bots sharp,master --iterations 100 --json figures.json\n"
    "  driflamme arena --bots steady --games 10 --seed 3 --trace games.jsonl",
)
def arena(
    *,
    bots: str = option(
        "The bots that play.",
        usual=...,
        metavar="NAME,NAME,…",
        autocompletion=completion.bots,
    ),
    games: int = option(
        "Number of games per line-up; the last deal is always finished.", usual=100, min=1
    ),
    deals: contests.Deals,
    alone: bool = flag("Seat each bot of --bots alone among copies of each of the others."),
    ladder: bool = flag("Seat each bot of --bots alone among copies of the one named before it."),
    against: str = option(
        "Seat each bot of --bots alone among copies of each of these.",
        usual="",
        metavar="NAME,…",
        autocompletion=completion.bots,
    ),
    workers: int | None = option("Number of processes; by default one per core.", min=1),
    iterations: int | None = option(
        "Search iterations per decision; a few are enough for a quick look.",
        min=1,
    ),
    seconds: float | None = option(
        "Give searching bots this many seconds instead; such games never repeat exactly.",
        min=0.001,
        callback=contests.measure,
    ),
    ray: str | None = option(
        "Play on a Ray cluster; local starts one on this machine.", metavar="ADDRESS"
    ),
    json_file: str | None = option(
        "Write the figures to this file; - is standard output.", "--json", metavar="FILE"
    ),
    trace: str | None = option(
        "Write every decision to this file as JSON Lines; - is standard output.", metavar="FILE"
    ),
    force: Force = False,
    resume: Path | None = option(
        "Save every finished deal to this file, and resume from it.", metavar="FILE"
    ),
) -> None:
    """Let bots compete, and print their strengths.

    After Ctrl-C, print the results so far, and end the command with `STATUS_INTERRUPTED`.
    """
    if trace is not None:
        instead = {"--alone": alone, "--ladder": ladder, "--against": against, "--resume": resume}
        instead |= {"--workers": workers, "--iterations": iterations, "--seconds": seconds}
        for name, value in (instead | {"--ray": ray, "--json": json_file}).items():
            go_not_together({"--trace": trace, name: value})
        simulate_games(games=games, deals=deals, bots=bots, trace=trace, force=force)
        return
    import json

    from engine.arena.contest import FEWEST_BOTS, SIZES, Budget, Contest
    from engine.arena.summary import summarize
    from engine.edition import EDITIONS
    from netcode.workers.worker_pool import cores

    sizes = _named(deals.players, SIZES)
    editions = _named(deals.edition, EDITIONS)
    names, others = contests.parse_bot_names(bots), contests.parse_bot_names(against)
    everybody = tuple(dict.fromkeys(names + others))
    if len(everybody) < FEWEST_BOTS or len(set(names)) < len(names):
        fail("Name at least two different bots with --bots.")
    go_not_together({"--iterations": iterations, "--seconds": seconds})
    go_not_together({"--ladder": ladder, "--alone": alone, "--against": against})
    go_only_with("--force", force, {"--json": json_file, "--trace": trace})
    if ladder:
        pairs = tuple((bot, other) for other, bot in itertools.pairwise(names))
    elif alone or others:
        met = itertools.product(names, dict.fromkeys(others or names))
        pairs = tuple((bot, other) for bot, other in met if bot != other)
    else:
        pairs = ()
    budget = Budget(iterations, seconds)
    contest = Contest(everybody, games, sizes, editions, deals.seed, pairs, budget)
    finished: list[DealResult] = []
    stopped = False
    # Open the file first: otherwise hours of work might end without a place for the results.
    with nullcontext() if json_file is None else output_to(json_file, force) as output:
        try:
            meet(contest, finished, workers or cores(), ray, resume)
        except KeyboardInterrupt:
            stopped = True
        summary = summarize(contest, finished)
        if output:
            output.write(json.dumps(summary.as_json(), indent=2) + "\n")
    for line in _lines(summary):
        echo(line, err=json_file == STANDARD_OUTPUT)
    if stopped:
        early = _("Stopped early.")
        if resume is not None:
            early = _("Stopped early; the same command resumes from here.")
        echo_error(early)
        raise typer.Exit(STATUS_INTERRUPTED)


def _named(option: str, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers that an option means: one number, or all if its value is `mixed`."""
    return tuple(numbers) if option == contests.MIXED_NUMBERS else (int(option),)


def meet(
    contest: "Contest",
    finished: "list[DealResult]",
    workers: int,
    cluster: str | None,
    resume: Path | None,
) -> None:
    """Play the rest of a contest, and add its finished deals to `finished`.

    With `resume`, first read the deals that the file has, and then save each new deal there. If the
    file cannot be written, or a bot or a worker fails, end the command.

    Args:
        contest: The contest.
        finished: The list to which finished deals are added.
        workers: Number of processes.
        cluster: The address of a Ray cluster; None for processes of this machine.
        resume: The file of finished deals; None to save none.
    """
    from engine.arena.contest import BotFailedError
    from engine.arena.pool import WorkerError, play_all
    from engine.arena.results import describe, open_results, read_deal, write_deal

    with ExitStack() as stack:
        results = None
        if resume is not None:
            reading = open_results(
                resume, describe(contest), partial(read_deal, contest.seed, contest.budget)
            )
            try:
                results = stack.enter_context(reading)
            except OSError as error:
                end_with(not_written(str(resume), error))
            finished += results.found
        to_play = contest.missing(finished)
        playing = play_all((job.play for job in to_play), workers, cluster)
        stack.enter_context(closing(playing))
        bar = None
        if sys.stderr.isatty():
            length = len(contest.missing())
            bar = typer.progressbar(length=length, file=sys.stderr, show_pos=True)
            stack.enter_context(bar).update(length - len(to_play))
        try:
            for result in playing:
                finished.append(result)
                if results is not None:
                    results.add(write_deal(result))
                if bar is not None:
                    bar.update(1)
        except (BotFailedError, WorkerError) as error:
            end_with(error.sentence(_), STATUS_FAILED)


def _lines(summary: "Summary") -> Iterator[str]:
    yield contests.count_text(summary.games, summary.decisions)
    if not summary.games:
        return
    headings = (_("bot"), _("against"), _("players"), _("edition"), _("games"))
    rows = [(*headings, _("share"), _("95% interval"), _("expected"))]
    for each in summary.strengths:
        figures = (str(each.players), str(each.edition), str(each.games), f"{each.share:.1%}")
        interval = f"{each.low:.1%} - {each.high:.1%}"
        rows.append((each.bot, each.against, *figures, interval, f"{each.par:.1%}"))
    yield from columns(rows, names=(0, 1))
    yield _(
        "Share: wins per seat, a shared victory counting as a fraction. The interval is"
        " Wilson's; all games of one deal count as one draw."
    )
    yield ""
    ratings = [(each.player, f"{each.mu:.2f}", f"{each.sigma:.2f}") for each in summary.ratings]
    yield from columns([(_("bot"), _("rating"), _("uncertainty")), *ratings])
    yield _("Ratings are openskill's: everybody begins with 25.")
    if summary.contest.budget.seconds is not None:
        yield _("With --seconds, even the same seed gives different games.")


@commands.described(
    "simulate",
    "The bots are {bots}, the weakest first. The same seed and arguments give the same games."
    " With --trace - the summary goes to standard error.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme arena --bots steady --games 10 --seed 3 --trace games.jsonl",
)
def simulate_games(
    *,
    games: int = option("Number of games.", usual=100, min=1),
    deals: contests.Deals,
    bots: str = option(
        "The bots at the table, rotating by one seat each game; random fills the other seats.",
        usual="",
        metavar="NAME,…",
        autocompletion=completion.bots,
    ),
    trace: str | None = option(
        "Write every decision to this file as JSON Lines; - is standard output.", metavar="FILE"
    ),
    force: Force = False,
) -> None:
    """Let bots play each other, and print their results."""
    from engine.arena.contest import Series, simulate
    from engine.arena.summary import BotTally

    go_only_with("--force", force, {"--trace": trace})
    series = Series(
        games,
        None if deals.players == contests.MIXED_NUMBERS else int(deals.players),
        None if deals.edition == contests.MIXED_NUMBERS else int(deals.edition),
        deals.seed,
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
        echo(line, err=trace == STANDARD_OUTPUT)


def _summary(tally: "BotTally") -> Iterator[str]:
    yield contests.count_text(tally.games, tally.decisions)
    headings = (_("bot"), _("seats"), _("wins"), _("share"), _("95% interval"), _("expected"))
    rows = [headings]
    for score in tally.scores():
        low, high = score.interval
        rows.append(
            (
                score.bot,
                str(score.seats),
                f"{score.wins:.1f}",
                f"{score.share:.1%}",
                f"{low:.1%} - {high:.1%}",
                f"{score.par:.1%}",
            )
        )
    yield from columns(rows)
    yield _(
        "Share: wins per seat, a shared victory counting as a fraction; the interval is Wilson's."
    )
