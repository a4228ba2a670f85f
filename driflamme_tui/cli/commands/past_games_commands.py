"""`driflamme history` and `stats`: past games."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Literal

import typer

from driflamme_tui.cli import completion
from driflamme_tui.cli.declarations import Commands, OptionGroup, flag, option
from driflamme_tui.cli.output import (
    STANDARD_OUTPUT,
    STATUS_FAILED,
    AsJson,
    Force,
    complain,
    echo,
    echo_error,
    end_with,
    fail,
    go_only_with,
    output_to,
)
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.cli.shared_options import EditionOption, whole_number
from driflamme_tui.text.i18n import _, ngettext, pgettext
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from engine.texts import ExplainedError

if TYPE_CHECKING:
    from driflamme_tui.text.signs import Glyphs
    from netcode.storage.history import Filter, History
    from netcode.table.finished_game import PastGame


class FilterOptions(OptionGroup):
    """Options that filter games."""

    player: str | None = option(
        "Only games with this player; part of the name is enough.",
        metavar="NAME",
        autocompletion=completion.players,
    )
    edition: EditionOption | None = option(
        "Only games played by this edition's rules.", callback=whole_number
    )
    players: int | None = option(
        "Only games with this many families.", min=MINIMUM_PLAYERS, max=MAXIMUM_PLAYERS
    )
    since: str | None = option("Only games from this day on.", metavar="YYYY-MM-DD")
    until: str | None = option("Only games up to and including this day.", metavar="YYYY-MM-DD")
    bots: bool | None = option("Only games with bots at the table, or without.", "--bots/--no-bots")

    def filter(self) -> "Filter":
        """Return the filter of these options. An invalid day ends the command."""
        from netcode.storage.history import Filter

        since = None if self.since is None else midnight("--since", self.since)
        until = None if self.until is None else midnight("--until", self.until, days_later=1)
        return Filter(**vars(self) | {"since": since, "until": until})


class WantedOfAll(FilterOptions):
    """Options that filter games, including unfinished ones."""

    outcome: Literal["finished", "abandoned", "cheated", "left", "removed"] | None = option(
        "Only games with this outcome."
    )


def midnight(option: str, text: str, days_later: int = 0) -> int:
    """Return the Unix time of local midnight on an option's day, or `days_later` days later.

    If the text is no valid day, end the command.
    """
    try:
        day = date.fromisoformat(text) + timedelta(days=days_later)
        return int(datetime(day.year, day.month, day.day).timestamp())
    except (ValueError, OverflowError, OSError):
        fail("Give {option} a day such as 2026-11-20, not {text!r}.", option=option, text=text)


@contextmanager
def opened_history() -> "Iterator[History]":
    """Open this user's past games, and print the warning about them, if there is one.

    Raises:
        StoreError: The past games cannot be read.
    """
    from netcode.storage.history import History

    with History.open(reading=True) as history:
        if history.warning:
            complain(history.warning.sentence(_))
        yield history


USUAL_LIMIT = 20
"""Number of games on a page. With two rows for each game, the page fits a large terminal."""

NARROWEST = 60
"""Minimum width of the list, in columns."""
WIDEST = 120
"""Maximum width of the list, in columns."""
ROOMY = 80
"""Minimum columns for showing figures. A narrower list needs the space for names."""

MAXIMUM_LISTED = 20
"""Maximum number of damaged games that are listed by number. Further damaged games are only
counted.
"""


commands = Commands()


@commands.described(
    "history",
    "With --json each line is one game: all games, unless --limit is given. --export-all writes"
    " one record per line, which other programs and driflamme replay can read.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme history --player rosalind --since 2026-01-01\n"
    "  driflamme history --page 2\n"
    "  driflamme history --export-all games.jsonl\n"
    "  driflamme history --import games.jsonl\n"
    "  driflamme history --prune --before 2026-01-01",
)
def history(
    wanted: WantedOfAll,
    page: int = option("Page to show; page 1 lists the latest games.", usual=1, min=1),
    limit: int | None = option("Games per page.", min=1, show_default=str(USUAL_LIMIT)),
    as_json: AsJson = False,
    prune: bool = flag("Delete past games for good."),
    before: str | None = option(
        "With --prune: only games from before this day.", metavar="YYYY-MM-DD"
    ),
    yes: bool = flag("With --prune: delete without asking."),
    export_all: str | None = option(
        "Write all games to this file; - is standard output.", metavar="FILE"
    ),
    force: Force = False,
    import_file: str | None = option(
        "Read games from this file, written by --export-all; - is standard input.",
        "--import",
        metavar="FILE",
    ),
) -> None:
    """List games, or run the action that an option asks for."""
    if (before is not None or yes) and not prune:
        fail("Use --before and --yes only with --prune.")
    go_only_with("--force", force, {"--export-all": export_all})
    filters = (*vars(wanted).values(), limit)
    narrowed = any(each is not None for each in filters) or page > 1 or as_json
    instead = [prune, export_all is not None, import_file is not None]
    if sum(instead) > 1 or (any(instead) and narrowed):
        fail(
            "Use only one of --prune, --export-all and --import, and without options that"
            " choose games."
        )
    if prune:
        _prune(before, yes)
    elif export_all is not None:
        _export(export_all, force)
    elif import_file is not None:
        _import(import_file)
    elif as_json:
        _print_json(wanted.filter(), page, limit)
    else:
        _print_table(wanted.filter(), page, limit or USUAL_LIMIT)


def _print_json(wanted: "Filter", page: int, limit: int | None) -> None:
    import json

    from driflamme_tui.model.past_game_totals import fields_of

    if limit is None and page > 1:
        limit = USUAL_LIMIT
    with opened_history() as history:
        for game in history.games(wanted, limit, (page - 1) * (limit or 0)):
            typer.echo(json.dumps(fields_of(game), separators=(",", ":")))


def _print_table(wanted: "Filter", page: int, limit: int) -> None:
    from driflamme_tui.text.signs import glyphs_of
    from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet
    from netcode.storage.history import Filter

    before = (page - 1) * limit
    with opened_history() as history:
        count = history.count(wanted)
        games = history.games(wanted, limit, before)
    if not count:
        echo(nothing_yet() if wanted == Filter() else nothing_found())
        return
    pages = -(-count // limit)
    if page > pages:
        end_with(_("There is no page {page}: the last one is {n}.", page=page, n=pages))
    glyphs = glyphs_of(looks().glyphs)
    width = max(NARROWEST, min(WIDEST, get_terminal_size().columns))
    for row in _table(games, width, glyphs):
        typer.echo(glyphs.plain(row))
    shown = _(
        "Games {first} to {last} of {n}; driflamme replay {game} shows the first.",
        first=before + 1,
        last=before + len(games),
        n=count,
        game=games[0].id if games else "",
    )
    echo(f"\n{glyphs.plain(shown)}")


def _table(games: "Sequence[PastGame]", width: int, glyphs: "Glyphs") -> Iterator[str]:
    """Yield the rows of the table. A game with many players has several rows."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table

    from driflamme_tui.wording.program.history_words import UNBROKEN_SPACE, game_time, players_words

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(pgettext("column", "game"), justify="right", no_wrap=True)
    table.add_column(pgettext("column", "ended"), no_wrap=True)
    table.add_column(pgettext("column", "players"), overflow="fold")
    figures = pgettext("column", "ed."), pgettext("column", "moves"), pgettext("column", "rounds")
    for figure in figures if width >= ROOMY else ():
        table.add_column(figure, justify="right", no_wrap=True)
    for game in games:
        cells = [str(game.id), game_time(game, glyphs), players_words(game, glyphs)]
        if width >= ROOMY:
            cells += map(str, (game.edition, game.decisions, game.rounds))
        table.add_row(*cells)
    console = Console(file=StringIO(), width=width, color_system=None, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    for row in captured.get().splitlines():
        yield row.replace(UNBROKEN_SPACE, " ").rstrip()


def _prune(before: str | None, yes: bool) -> None:
    moment = None if before is None else midnight("--before", before)
    with opened_history() as history:
        count = history.prunable(moment)
        if not count:
            echo(_("No game matches: nothing was deleted."))
            return
        if not yes and not _is_sure(count):
            echo(_("Nothing was deleted."))
            return
        gone = history.prune(moment)
    echo(ngettext("{n} game deleted.", "{n} games deleted.", gone))


def _is_sure(count: int) -> bool:
    """Ask whether to delete this many games; return True after a yes.

    Without a terminal, end the command.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("Add --yes: without a terminal, --prune cannot ask first.")
    word = pgettext("answer", "yes")
    question = ngettext(
        "Delete {n} game for good? Type {word} to do so:",
        "Delete {n} games for good? Type {word} to do so:",
        count,
        word=word,
    )
    typer.echo(f"{question} ", nl=False)
    return sys.stdin.readline().strip().casefold() in (word.casefold(), "yes")


def _export(file: str, force: bool) -> None:
    count = damaged = 0

    def leave_out(error: ExplainedError) -> None:
        nonlocal damaged
        damaged += 1
        if damaged <= MAXIMUM_LISTED:
            complain(error.sentence(_))

    with opened_history() as history, output_to(file, force) as output:
        for line in history.export_all(leave_out):
            output.write(f"{line}\n")
            count += 1
    sentence = ngettext("{n} game written.", "{n} games written.", count)
    echo(sentence, err=file == STANDARD_OUTPUT)
    if damaged:
        end_with(
            ngettext(
                "{n} game is damaged and left out.", "{n} games are damaged and left out.", damaged
            ),
            STATUS_FAILED,
        )


def _import(file: str) -> None:
    from driflamme_tui.replay.record_files import open_input

    with open_input(file) as source, opened_history() as history:
        # An invalid character makes only its line invalid, not the whole file.
        text = TextIOWrapper(source, encoding="utf-8-sig", errors="replace")
        imported = history.import_lines(text)
    reasons = imported.reasons
    is_nothing = not (imported.new or imported.known)
    if is_nothing:
        # If the file has no game at all, the first reason is enough.
        reasons = reasons[:1]
    for number, reason in reasons:
        sentence = _("Line {number}: {why}", number=number, why=reason.sentence(_))
        echo_error(sentence)
    more = imported.refused - len(reasons)
    if more:
        sentence = ngettext("{n} more line was refused.", "{n} more lines were refused.", more)
        echo_error(sentence)
    if is_nothing:
        fail("{file!r} contains no game that can be read: choose another file.", file=file)
    echo(
        _(
            "New: {new}. Known already: {known}. Refused: {refused}.",
            new=imported.new,
            known=imported.known,
            refused=imported.refused,
        )
    )
    if not imported.whole:
        end_with(
            _(
                "The rest of {file!r} was not read, since it is too long or too many of its "
                "lines are not games: split it, or remove those lines.",
                file=file,
            ),
            STATUS_FAILED,
        )


NARROWEST_STATISTICS = 40
"""Minimum width of the statistics, in columns: a narrower table has no space for its figures."""
WIDEST_STATISTICS = 100
"""Maximum width of the statistics, in columns: longer bars are no clearer."""


@commands.described(
    "stats",
    "Victories, places, influence, and what each card brought. Unfinished games and games that"
    " you only watched do not count. With --json it is one object; engine/README.md describes"
    " its fields.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme stats\n"
    "  driflamme stats --players 4 --no-bots\n"
    "  driflamme stats --evenings --ratings\n"
    "  driflamme stats --since 2026-01-01 --json",
)
def stats(
    wanted: FilterOptions,
    evenings: bool = flag("Show the evenings: who was ahead after several games in a row."),
    ratings: bool = flag("Show the ratings of everybody who played in these games."),
    as_json: AsJson = False,
) -> None:
    """Print the statistics of past games, or their evenings or ratings, as text or JSON."""
    import json

    import msgspec

    from driflamme_tui.drawing.statistics_texts import Section, StatisticsTexts, plainly
    from driflamme_tui.model.past_game_totals import statistics_of
    from driflamme_tui.text.signs import glyphs_of
    from driflamme_tui.wording.program.history_words import nothing_found, nothing_yet
    from netcode.storage.history import Filter
    from netcode.storage.past_evenings import evenings_of, history_ratings

    glyphs = glyphs_of(looks().glyphs)
    games = wanted.filter()
    texts, sections = StatisticsTexts.plain(glyphs), list[Section]()
    data: dict[str, object] = {}
    with opened_history() as history:
        if evenings:
            past = evenings_of(history.games(games))
            sections += [texts.evenings(past)] if past else []
            data["evenings"] = msgspec.to_builtins(past)
        if ratings:
            rated = history_ratings(history.games(games))
            sections += [texts.ratings(rated)] if rated else []
            data["ratings"] = [
                {"name": name, "bot": bot, "games": n, "mu": round(mu, 4), "sigma": round(sigma, 4)}
                for (name, bot), n, mu, sigma in rated
            ]
        if not data:
            statistics = statistics_of(history, games)
            sections, data = texts.sections(statistics), statistics.fields()
    if as_json:
        typer.echo(json.dumps(data, separators=(",", ":")))
        return
    width = max(NARROWEST_STATISTICS, min(WIDEST_STATISTICS, get_terminal_size().columns))
    if not sections:
        echo(nothing_yet() if games == Filter() else nothing_found())
        return
    typer.echo("\n".join(plainly(sections, width)))
