"""`driflamme position`, `board` and `puzzle`: commands for studying any position."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from driflamme_tui import local_date
from driflamme_tui.cli import completion
from driflamme_tui.cli import shared_options as options
from driflamme_tui.cli.app_start import has_terminal, run_app, run_lines
from driflamme_tui.cli.declarations import Commands, argument, flag, option
from driflamme_tui.cli.output import AsJson, echo, end_with, fail, go_not_together, go_only_with
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.text.i18n import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from driflamme_tui.study.local_table import LocalTable
    from engine.events import Event
    from engine.replaying import Replay

commands = Commands()


@commands.described(
    "position",
    "Without actions, prints the legal ones on one line. With actions, plays them and prints"
    " what happens, and the position reached as the last line. Quote each argument: most"
    " actions mean something else to a shell.\n\nA game's number in the history, or a file with"
    " a record, stands for its last position; a number after it, for the position after that"
    " many decisions. Then the position is printed before the legal actions.",
    examples="\b\n"
    "Examples, where P is 2 1 r* - *r1:ASPHFLX:DMC:-,b1:ASPHFLX:DMC:-,g1:ASPHFLX:DMC:-\n"
    "  driflamme position 'P'\n"
    "  driflamme position 'P' 'S>' 'H<'\n"
    "  driflamme position evening.json 41",
)
def position(
    position: str = argument(
        "The five fields of a position, as one argument; or a game, or a file with one.",
        metavar="POSITION",
        usual=...,
        autocompletion=completion.games,
    ),
    actions: list[str] | None = argument(
        "The step of a record, and the actions played from there, in order.",
        metavar="[STEP] ACTION",
    ),
) -> None:
    """Print the legal answers in a position, or the result of further answers."""
    from driflamme_tui.wording.game.event_words import TableNames, event_sentences
    from driflamme_tui.wording.game.names import family_name
    from engine.legal import IllegalAction
    from engine.notation import format_position, parse_action, parse_position

    tokens = actions or []
    replayed = replay_of(position)
    recorded = replayed is not None
    if replayed is None:
        game = parse_position(position)
    else:
        step = tokens.pop(0) if tokens and tokens[0].isdecimal() else None
        game = replayed.games[step_of(replayed, step)]
    if not tokens:
        if recorded:
            typer.echo(format_position(game))
        echo(" ".join(map(str, game.legal)))
        return
    table = TableNames(game.families, tuple(map(family_name, game.families)))
    events: list[Event] = []
    for token in tokens:
        try:
            game = game.play(parse_action(token), events)
        except IllegalAction as error:
            why = error.refusal.sentence(_)
            fail("{action!r} is not legal: {why}", action=token, why=why)
    for sentence in event_sentences(events, table):
        echo(sentence)
    typer.echo(format_position(game))


def replay_of(position: str) -> "Replay | None":
    """Return the game with this number or in this file; None for a line of the notation.

    If there is no such file, end the command. An unreadable record raises an ExplainedError.
    """
    from driflamme_tui.cli.commands.replay_command import record_of
    from engine.replaying import Replay

    if " " in position.strip():
        return None
    if position != "-" and not position.isdecimal() and not Path(position).exists():
        # A position has several words, so a single word names a file or pipe.
        fail(
            "There is no file {file!r}; to give a position, type its five fields in quotes.",
            file=position,
        )
    return Replay.of(record_of(position))


def step_of(replayed: "Replay", step: str | None) -> int:
    """Return the step of a game that a text names; the last step for None.

    If the game has no such step, end the command.
    """
    from driflamme_tui.cli.commands.replay_command import LONGEST_NUMBER, no_such_step

    if step is not None and len(step) > LONGEST_NUMBER:
        end_with(no_such_step(replayed, step))
    number = replayed.last if step is None else int(step)
    if number > replayed.last:
        end_with(no_such_step(replayed, number))
    return number


@commands.described(
    "board",
    "POSITION is a line of notation, in quotes; or a game's number in driflamme history, or a"
    " file with a record, then the number of a step. You answer for everybody, with all cards"
    " open; with --seat, for one family, and bots answer for the others. A line with ? for"
    " hidden cards is seen by the family that knows its own cards; the other hidden cards are"
    " guessed.",
    examples="\b\n"
    "Examples, where P is 2 1 r* - *r1:ASPHFLX:DMC:-,b1:ASPHFLX:DMC:-,g1:ASPHFLX:DMC:-\n"
    "  driflamme board 'P'\n"
    "  driflamme board 12 41 --seat g\n"
    "  driflamme board evening.json 41 --plain\n"
    "  driflamme board 'P' --json              what the bot thinks, for programs",
)
def board(
    position: str = argument(
        "A position, a game, or a file with one.",
        metavar="POSITION",
        usual=...,
        autocompletion=completion.games,
    ),
    step: str | None = argument("Number of decisions played; all by default.", metavar="[STEP]"),
    seat: str | None = option(
        "Answer for one family only.", metavar="r|b|g|y|v", autocompletion=completion.families
    ),
    plain: options.Plain = False,
    as_json: AsJson = False,
) -> None:
    """Show the board, or print the judgements of its answers."""
    go_not_together({"--plain": plain, "--json": as_json})
    table = _board(position, step)
    if seat is not None:
        if len(seat) != 1 or seat not in table.game.families:
            there = " ".join(table.game.families)
            fail(
                "No family {seat!r} is at the table: choose one of {there}.", seat=seat, there=there
            )
        table.seat = table.game.families.index(seat)
    if as_json:
        _print(table)
    elif plain:
        from driflamme_tui.seat.targets import Study

        run_lines(Study(table), options.default_name(), as_json=False)
    elif not has_terminal():
        fail("The board needs a terminal; driflamme board --plain works without a screen.")
    else:
        from driflamme_tui.study.puzzle_screens import BoardScreen

        settings = looks()
        run_app(lambda: BoardScreen(table), settings)


def _board(position: str, step: str | None) -> "LocalTable":
    """Return the board of a position, or of a game after a number of decisions.

    An impossible step ends the command. An invalid position or record raises an ExplainedError.
    """
    from driflamme_tui.study.local_table import board_at, board_of

    replayed = replay_of(position)
    if step is not None and replayed is None:
        fail("A position has no steps: omit {step!r}, or name a game.", step=step)
    if step is not None and not step.isdecimal():
        fail("Type a number for the step, not {step!r}.", step=step)
    if replayed is None:
        return board_at(position)
    return board_of(replayed, step_of(replayed, step))


def _print(table: "LocalTable") -> None:
    import json
    from random import Random

    from engine.bots import TEACHER, SearchingBot, make_bot
    from engine.notation import format_position

    seen = table.seen()
    bot = make_bot(TEACHER, Random(0))
    assert isinstance(bot, SearchingBot)
    data = {
        "view": format_position(seen),
        "you": None if table.game.over else seen.families[seen.turn],
        "answers": [
            {"action": str(each.action), "share": round(each.share, 3) if each.tried else None}
            for each in ([] if table.game.over else bot.weigh(seen))
        ],
    }
    typer.echo(json.dumps(data, separators=(",", ":")))


@commands.described(
    "puzzle",
    "Without NUMBER it is the puzzle of the day, the same for everybody. With --make, games"
    " are searched for puzzles instead, which takes some seconds per game: FILE holds one"
    " record, or one per line as driflamme history --export-all writes them, or a trace of"
    " driflamme arena; - is standard input.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme puzzle\n"
    "  driflamme puzzle 12 --plain             line by line\n"
    "  driflamme puzzle --json --solution      for programs\n"
    "  driflamme puzzle --make games.jsonl     puzzles of your own games",
)
def puzzle(
    what: list[str] | None = argument(
        "The puzzle's number, or files with games.", metavar="[NUMBER|FILE...]"
    ),
    make: bool = flag("Find puzzles in games, and print a line for each."),
    plain: options.Plain = False,
    as_json: AsJson = False,
    solution: bool = flag("With --json: also the value of each answer."),
) -> None:
    """Show or print a puzzle, or find new ones in games."""
    go_not_together({"--make": make, "--plain": plain, "--json": as_json})
    go_only_with("--solution", solution, {"--json": as_json})
    if make:
        _make(what or [])
        return
    number = _number(what or [])
    if as_json:
        _print_puzzle(number, solution)
        return
    if not plain and not has_terminal():
        fail("A puzzle needs a terminal; driflamme puzzle --plain works without a screen.")
    from driflamme_tui.seat.targets import Study
    from driflamme_tui.study.local_table import PuzzleTable

    table = PuzzleTable(local_date.today(), number)
    if plain:
        run_lines(Study(table), options.default_name(), as_json=False)
    else:
        from driflamme_tui.study.puzzle_screens import PuzzleScreen

        settings = looks()
        run_app(lambda: PuzzleScreen(table), settings)


def _number(what: "Sequence[str]") -> int | None:
    """Return the number of the wanted puzzle; None if no number is given.

    If there is no such puzzle, end the command.
    """
    from engine.puzzles import stock

    if not what:
        return None
    (number, *more) = what
    digits = number.lstrip("0")[:9]
    if more or not (number.isdecimal() and 1 <= int(digits or "0") <= len(stock())):
        fail("Choose a puzzle from 1 to {all}.", all=len(stock()))
    return int(digits)


def _print_puzzle(number: int | None, solution: bool) -> None:
    import json

    from engine.puzzles import of_day, stock

    number = number or of_day(stock(), local_date.today()) + 1
    puzzle = stock()[number - 1]
    data = {
        "number": number,
        "view": puzzle.line,
        "you": puzzle.view.families[puzzle.view.turn],
        "legal": [action.token for action in puzzle.view.legal],
    }
    if solution:
        data["answers"] = [{"action": token, "share": share} for token, share in puzzle.answers]
    typer.echo(json.dumps(data, separators=(",", ":")))


def _make(files: "Sequence[str]") -> None:
    """Print the puzzles of all games in files as they are found, and their number for each game."""
    from random import Random

    from driflamme_tui.replay.record_files import records_in_file
    from engine.puzzles import puzzles_in

    if not files:
        fail("Name the files whose games to search for puzzles; - is standard input.")
    rng = Random(0)
    for file in files:
        for game, record in enumerate(records_in_file(file), 1):
            found = 0
            for puzzle in puzzles_in(record, rng):
                typer.echo(str(puzzle))
                found += 1
            echo(
                ngettext(
                    "{file}, game {game}: {n} puzzle.",
                    "{file}, game {game}: {n} puzzles.",
                    found,
                    file=file,
                    game=game,
                ),
                err=True,
            )
