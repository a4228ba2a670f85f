"""`driflamme position`: ask the rules about a position, for bug reports and other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.exits import fail
from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from engine.events import Event
    from engine.replaying import Replay

LONGEST_NUMBER = 18
"""Maximum number of digits of a step: no game has a step of so many."""


commands = Commands()


@commands.described(
    "position",
    "Say what is legal in a position, or play on from it.\n\n"
    "Without actions, prints the legal ones on one line. With actions, plays them and "
    "prints what happens, line by line, and the position reached as the last line. "
    "Quote each argument: most actions mean something else to a shell.\n\n"
    "A game of the history by its number, or a file with a record, stands for its last"
    " position, or, with the number of a step after it, for the one after so many decisions;"
    " then the position is printed before the legal actions.",
    "\b\n"
    "Examples, where P is 2 1 r* - *r1:ASPHFLX:DMC:-,b1:ASPHFLX:DMC:-,g1:ASPHFLX:DMC:-\n"
    "  driflamme position 'P'\n"
    "  driflamme position 'P' 'S>' 'H<'\n"
    "  driflamme position evening.json 41",
)
def position(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="The five fields of a position, as one argument; or a game, or a file with one.",
        ),
    ],
    actions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STEP] ACTION",
            help="The step of a record, and what is played from there, in order.",
        ),
    ] = None,
) -> None:
    """Print the answers that are legal in a position, or what comes of playing on from it."""
    from driflamme_tui.wording.game.event_words import TableNames, told_sentences
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
        typer.echo(" ".join(map(str, game.legal)))
        return
    table = TableNames(game.families, tuple(map(family_name, game.families)))
    events: list[Event] = []
    for token in tokens:
        try:
            game = game.play(parse_action(token), events)
        except IllegalAction as error:
            why = error.refusal.sentence(_)
            fail(_("{action!r} is not legal: {why}").format(action=token, why=why))
    for sentence in told_sentences(events, table):
        typer.echo(sentence)
    typer.echo(format_position(game))


def replay_of(position: str) -> "Replay | None":
    """Return the game that is meant, by its number or its file; None for a line of the notation."""
    from driflamme_tui.cli.commands.replay_command import record_of
    from engine.replaying import Replay

    if " " in position.strip():
        return None
    if position != "-" and not position.isdecimal() and not Path(position).is_file():
        # No position is one word, so it is the name of a file.
        fail(
            _("There is no file {file!r}; a position has five fields with spaces between.").format(
                file=position
            )
        )
    return Replay.of(record_of(position))


def step_of(replayed: "Replay", step: str | None) -> int:
    """Return the step of a game that is meant: the last unless one is named."""
    from driflamme_tui.cli.commands.replay_command import no_such_step

    number = replayed.last if step is None else int(step[:LONGEST_NUMBER])
    if number > replayed.last:
        fail(no_such_step(replayed, number))
    return number
