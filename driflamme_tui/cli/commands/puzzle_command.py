"""`driflamme puzzle`: find the best answer in a real position; or find such positions."""

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli import shared_options as options
from driflamme_tui.cli.app_start import has_terminal, run_lines, run_screen
from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.exits import fail
from driflamme_tui.cli.output import AsJson
from driflamme_tui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

commands = Commands()


@commands.described(
    "puzzle",
    "Solve a puzzle: which answer wins most often in a real position?\n\n"
    "Without NUMBER it is the puzzle of the day, the same for everybody. With --make, puzzles are"
    " found in games instead, which takes some seconds a game: FILE holds a record, or one a line"
    " as driflamme history --export-all writes them, or a trace of driflamme simulate; - is the"
    " input.",
    "\b\n"
    "Examples:\n"
    "  driflamme puzzle\n"
    "  driflamme puzzle 12 --plain             line by line\n"
    "  driflamme puzzle --json --solution      for programs\n"
    "  driflamme puzzle --make games.jsonl     puzzles of your own games",
)
def puzzle(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NUMBER|FILE...]", help="Which puzzle, or files with games."),
    ] = None,
    make: Annotated[
        bool, typer.Option("--make", help="Find puzzles in games, and print a line for each.")
    ] = False,
    plain: options.Plain = False,
    as_json: AsJson = False,
    solution: Annotated[
        bool, typer.Option("--solution", help="With --json: also what each answer promises.")
    ] = False,
) -> None:
    """Show a puzzle, or find some."""
    if make:
        _make(what or [])
        return
    number = _number(what or [])
    if as_json:
        _print(number, solution)
        return
    if not plain and not has_terminal():
        fail(_("A puzzle needs a terminal; driflamme puzzle --plain does without a screen."))
    from driflamme_tui.seat.plans import Study
    from driflamme_tui.seat.puzzle_table import PuzzleTable

    table = PuzzleTable(date.today().toordinal(), number)
    if plain:
        run_lines(Study(table), options.default_name(), as_json=False)
    else:
        from driflamme_tui.screens.table.puzzle_screen import PuzzleScreen

        settings = options.looks()
        run_screen(lambda: PuzzleScreen(table), settings)


def _number(what: "Sequence[str]") -> int | None:
    """Return the number that is asked for, if one is."""
    from engine.puzzles import stock

    if not what:
        return None
    (number, *more) = what
    digits = number.lstrip("0")[:9]
    if more or not (number.isdecimal() and 1 <= int(digits or "0") <= len(stock())):
        fail(_("There are puzzles 1 to {all}.").format(all=len(stock())))
    return int(digits)


def _print(number: int | None, solution: bool) -> None:
    import json

    from engine.puzzles import of_day, stock

    number = number or of_day(stock(), date.today().toordinal()) + 1
    puzzle = stock()[number - 1]
    told = {
        "number": number,
        "view": puzzle.line,
        "you": puzzle.view.families[puzzle.view.turn],
        "legal": [action.token for action in puzzle.view.legal],
    }
    if solution:
        told["answers"] = [{"action": token, "share": share} for token, share in puzzle.answers]
    typer.echo(json.dumps(told, separators=(",", ":")))


def _make(files: "Sequence[str]") -> None:
    """Print the puzzles of all games in files as they are found."""
    from random import Random

    from driflamme_tui.replay.record_files import read_records
    from engine.puzzles import puzzles_in

    if not files:
        fail(_("Name the files in whose games puzzles are to be found; - is the input."))
    rng = Random(0)
    for file in files:
        for game, record in enumerate(read_records(file), 1):
            found = 0
            for puzzle in puzzles_in(record, rng):
                typer.echo(str(puzzle))
                found += 1
            typer.echo(
                ngettext(
                    "{file}, game {game}: {n} puzzle.", "{file}, game {game}: {n} puzzles.", found
                ).format(file=file, game=game, n=found),
                err=True,
            )
