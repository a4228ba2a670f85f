"""`driflamme replay`: show a game on the screen or as text, or write its record."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import typer

from driflamme_tui.cli import completion
from driflamme_tui.cli.app_start import has_terminal, kind_without_screens, run_app
from driflamme_tui.cli.declarations import Commands, argument, flag, option
from driflamme_tui.cli.output import (
    STANDARD_OUTPUT,
    AsJson,
    Force,
    echo,
    end_with,
    fail,
    go_not_together,
    go_only_with,
    output_to,
)
from driflamme_tui.cli.run_settings import looks
from driflamme_tui.text.i18n import _, as_typed, ngettext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from driflamme_tui.preferences.settings import Settings
    from driflamme_tui.replay.judging import Review
    from engine.cards import Seat
    from engine.record import Record
    from engine.replaying import Eyes, Replay


SharedAs: TypeAlias = Literal["text", "svg", "cast"]
"""The formats of a game to share."""

LONGEST_NUMBER = 18
"""Maximum digits of a number. No game and no step has a longer number."""


commands = Commands()


@commands.described(
    "replay",
    "Without GAME, the latest finished game is shown. GAME is a number in driflamme history, or"
    " a file with a record; - is standard input. A file may hold several games, one per line,"
    " or a trace of driflamme arena. Without a terminal the game is printed as text. --mistakes"
    " judges your decisions, or those of the player that --from names, by what that player could"
    " know; it takes some seconds.",
    examples="\b\n"
    "Examples:\n"
    "  driflamme replay\n"
    "  driflamme replay 12 --from Rosalind\n"
    "  driflamme replay evening.json --text\n"
    "  driflamme replay 12 --mistakes\n"
    "  driflamme replay 12 --mistakes --json   for programs\n"
    "  driflamme replay 12 --export evening.json\n"
    "  driflamme replay 12 --share text\n"
    "  driflamme replay 12 --share cast --output evening.cast",
)
def replay(
    game: str | None = argument(
        "The game to show.",
        metavar="[GAME|FILE]",
        show_default=False,
        autocompletion=completion.games,
    ),
    text: bool = flag("Print the whole game as text, with every position."),
    teach: bool = flag("Say what the strongest bot would have played at each decision, and why."),
    mistakes: bool = flag("Learn from mistakes: print the accuracy and the costliest decisions."),
    as_json: AsJson = False,
    export: str | None = option(
        "Write the record of the game to this file; - is standard output.", metavar="FILE"
    ),
    share: SharedAs | None = option(
        "Share a finished game: a few lines, a picture of a step, or its best minute as "
        "an asciicast.",
        show_default=False,
    ),
    output: str = option(
        "Where to write the shared file; - is standard output.",
        usual=STANDARD_OUTPUT,
        metavar="FILE",
    ),
    force: Force = False,
    seat: str | None = option(
        "Choose the view: a name, r b g y v, public, or all.",
        "--from",
        metavar="SEAT",
        show_default="all",
        autocompletion=completion.seats,
    ),
    step: int | None = option("Begin after this many decisions.", min=0, show_default=False),
    number: int | None = option(
        "The game to show, counted from 1, if the file has several.", "--game", min=1
    ),
) -> None:
    """Show the replay of a game, or print or write it."""
    from engine.replaying import ALL, PUBLIC, Replay

    is_filed = output != STANDARD_OUTPUT
    go_not_together({"--text": text, "--export": export, "--share": share})
    go_not_together({"--teach": teach, "--export": export, "--share": share})
    go_not_together({"--mistakes": mistakes, "--export": export, "--share": share})
    go_not_together({"--mistakes": mistakes, "--teach": teach})
    go_not_together({"--mistakes": mistakes, "--step": step is not None})
    go_not_together({"--text": text, "--json": as_json})
    go_only_with("--json", as_json, {"--mistakes": mistakes})
    go_only_with("--output", is_filed, {"--share": share})
    go_only_with("--force", force, {"--export": export, "--output": is_filed})
    go_not_together({"--from": seat, "--export": export, "--share text": share == "text"})
    # Text and recording always show the whole game, so a chosen step makes no sense.
    whole = {"--share text": share == "text", "--share cast": share == "cast"}
    go_not_together({"--step": step is not None, "--export": export, **whole})
    found = _found(game, number)
    record, own = found.record, found.own
    replayed = Replay.of(record)
    eyes = ALL if seat is None else _eyes(replayed, seat)
    if teach and eyes is PUBLIC:
        fail("To ask the teacher, choose the view of a seat, or all cards open.")
    if step is not None and step > replayed.last:
        end_with(no_such_step(replayed, step))
    if export is not None:
        _export(record, export, force)
    elif share is not None:
        if not replayed.over:
            fail("Choose a game that was played to its end: no other can be shared.")
        settings = looks()._replace(animation=False)
        moment = replayed.last if step is None else step
        with output_to(output, force) as file:
            file.writelines(
                f"{line}\n" for line in _shared(share, replayed, eyes, moment, settings)
            )
    elif mistakes and (as_json or text or _has_no_screen()):
        _judge_mistakes(replayed, _judged_seat(replayed, eyes, own), found.name, as_json)
    elif text or _has_no_screen():
        _print_replay(replayed, eyes, step or 0, teach)
    else:
        from driflamme_tui.study.replay_screen import ReplayScreen

        run_app(
            lambda: ReplayScreen(replayed, eyes, step or 0, taught=teach, own=own, learns=mistakes),
            looks(),
        )


def _has_no_screen() -> bool:
    return not has_terminal() or kind_without_screens(os.environ.get("TERM", ""))


def no_such_step(replayed: "Replay", step: int | str) -> str:
    """Return the sentence stating that a game does not have this step."""
    return ngettext(
        "There is no step {step}: the game has {n} decision.",
        "There is no step {step}: the game has {n} decisions.",
        replayed.last,
        step=step,
    )


def record_of(game: str | None, number: int | None = None) -> "Record":
    """Return the record of a game.

    Args:
        game: A number in the history, or a file; None for the latest finished game.
        number: The number of the game in a file, from 1; None for the first game.

    Raises:
        ExplainedError: The record cannot be read.
    """
    return _found(game, number).record


class FoundGame(NamedTuple):
    """A game of the history or of a file."""

    record: "Record"
    own: "tuple[Seat, ...]" = ()
    """This user's seats; () if the game is from a file, or was only watched."""
    name: str | None = None
    """The text that names the game in other commands. None for a game from standard input, and for
    a game after the first of a file.
    """


def _found(game: str | None, number: int | None) -> FoundGame:
    """Return a game by its number in the history or by a file, or the latest finished game.

    `number` is the number of the game in a file; without a file it ends the command. If no finished
    game is stored, end the command too. If the record cannot be read, raise an ExplainedError.
    """
    if game is not None and not (game.isdecimal() and game.isascii()):
        from driflamme_tui.replay.record_files import record_in_file

        name = game if (number or 1) == 1 and game != STANDARD_OUTPUT else None
        return FoundGame(record_in_file(game, number or 1), (), name)
    if number is not None:
        fail("Use --game only with a file; a game in your history has a number already.")
    from netcode.storage.history import Filter, History
    from netcode.table.errors import NotThereError

    with History.open(reading=True) as history:
        if game is not None and len(game) > LONGEST_NUMBER:
            raise NotThereError(
                "There is no game {number} in the history: driflamme history lists all.",
                number=game,
            )
        if game is not None:
            return FoundGame(history.record(int(game)), history.game(int(game)).own, game)
        latest = history.games(Filter(outcome="finished"), limit=1)
        if not latest:
            fail("No finished game is kept yet; give a game's number or a file with a record.")
        (last,) = latest
        return FoundGame(history.record(last.id), last.own, str(last.id))


def _eyes(replayed: "Replay", seat: str) -> "Eyes":
    from driflamme_tui.wording.program.past_game_words import player_names
    from engine.replaying import ALL, PUBLIC

    wanted = seat.casefold()
    names = player_names(replayed.record)
    known: dict[str, Eyes] = {"all": ALL, "public": PUBLIC}
    known |= {
        holder.name.casefold(): at
        for at, player in reversed(list(enumerate(replayed.record.players)))
        for holder in player.former
    }
    known |= {name.casefold(): at for at, name in reversed(list(enumerate(names)))}
    known |= {family: at for at, family in enumerate(replayed.families)}
    if wanted not in known:
        sentence = _("Nobody called {name!r} was at the table: choose one of {names}.")
        end_with(sentence.format(name=seat, names=", ".join(names)))
    return known[wanted]


def _export(record: "Record", file: str, force: bool) -> None:
    with output_to(file, force) as output:
        output.write(f"{record.to_json()}\n")
    if file != STANDARD_OUTPUT:
        echo(_("The record is in {file}.", file=Path(file)))


def _shared(
    share: SharedAs, replayed: "Replay", eyes: "Eyes", step: int, settings: "Settings"
) -> "Iterable[str]":
    if share == "text":
        from driflamme_tui.text.signs import glyphs_of
        from driflamme_tui.wording.program.past_game_words import shared_text

        return shared_text(replayed, glyphs_of(settings.glyphs))
    from driflamme_tui.app.replay_pictures import asciicast, picture

    if share == "svg":
        return [picture(replayed, eyes, step, settings)]
    return asciicast(replayed, eyes, settings)


def _print_replay(replayed: "Replay", eyes: "Eyes", step: int, teach: bool) -> None:
    from driflamme_tui.study.replay_text import replay_lines

    for line in replay_lines(replayed, eyes, step, taught=teach):
        echo(line)


def _judged_seat(replayed: "Replay", eyes: "Eyes", own: "tuple[Seat, ...]") -> "Seat":
    """Return the seat whose decisions are judged: the eyes' seat, or else the usual seat.

    If there is neither, end the command.
    """
    from driflamme_tui.replay.judging import usual_seat
    from driflamme_tui.wording.program.past_game_words import player_names

    seat = eyes if isinstance(eyes, int) else usual_seat(replayed, own)
    if seat is None:
        names = ", ".join(player_names(replayed.record))
        fail("Choose whose decisions to judge with --from: {names}.", names=names)
    return seat


def _judge_mistakes(replayed: "Replay", seat: "Seat", name: str | None, as_json: bool) -> None:
    """Judge the decisions of a seat, store the judgements (even unfinished), and print the result.

    `name` is the text that names the game in other commands; None if no command can name it.
    """
    from driflamme_tui.replay.judging import Review, judge_all
    from driflamme_tui.replay.kept_judgements import keep_advice, kept_advice
    from driflamme_tui.text.signs import ASCII
    from driflamme_tui.wording.choices.mistake_words import mistake_lines, progress_sentence

    review = Review(replayed, seat, kept_advice(replayed, seat))
    shown = sys.stderr.isatty()

    def show_progress(review: "Review") -> None:
        if shown:
            typer.echo(f"\r\033[K{progress_sentence(review)}", err=True, nl=False)

    try:
        judge_all(review, report=show_progress)
    finally:
        if shown:
            typer.echo("\r\033[K", err=True, nl=False)
        keep_advice(replayed, seat, review.advice)
    if as_json:
        _print_mistakes(review)
        return
    for line in mistake_lines(review, ASCII):
        echo(line)
    for number, advice in enumerate(review.mistakes, 1) if name else ():
        family = replayed.families[replayed.games[advice.step - 1].turn]
        command = f"driflamme board {shlex.quote(str(name))} {advice.step - 1} --seat {family}"
        echo(as_typed(_("Try decision {n} again: {command}", n=number, command=command)))


def _print_mistakes(review: "Review") -> None:
    """Print a review as JSON."""
    import json

    replayed = review.replay

    def fields(step: int) -> dict[str, object]:
        advice, turn = review.advice[step], replayed.games[step - 1].turn
        return {
            "step": step,
            "round": replayed.games[step - 1].round,
            "view": replayed.line(step - 1, turn),
            "you": replayed.families[turn],
            "given": advice.given,
            "best": advice.best,
            "given_share": round(advice.given_share, 4),
            "best_share": round(advice.best_share, 4),
        }

    accuracy = review.accuracy
    data = {
        "family": replayed.families[review.seat],
        "accuracy": None if accuracy is None else round(accuracy, 4),
        "mistakes": [each.step for each in review.mistakes],
        "decisions": [fields(step) for step in review.steps if step in review.advice],
    }
    typer.echo(json.dumps(data, separators=(",", ":")))
