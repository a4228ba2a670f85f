"""`driflamme position`: ask the rules about a position, for bug reports and other programs."""

from typing import Annotated

import typer

from driflamme_tui.cli.group import fail
from driflamme_tui.i18n import _
from driflamme_tui.wording.events import TableNames, event_sentence
from driflamme_tui.wording.names import family_name
from engine.events import Event
from engine.legal import IllegalAction
from engine.notation import NotationError, format_position, parse_action, parse_position
from engine.words import N_


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "position",
        help=N_(
            "Say what is legal in a position, or play on from it.\n\n"
            "Without actions, prints the legal ones on one line. With actions, plays them and "
            "prints what happens, line by line, and the position reached as the last line. "
            "Quote each argument: most actions mean something else to a shell."
        ),
        epilog=N_(
            "\b\n"
            "Examples, where P is 2 1 r* - *r1:ASPHFLX:DMC:-,b1:ASPHFLX:DMC:-,g1:ASPHFLX:DMC:-\n"
            "  driflamme position 'P'\n"
            "  driflamme position 'P' 'S>' 'H<'"
        ),
    )(position)


def position(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help=N_("The five fields of a position, as one argument.")
        ),
    ],
    actions: Annotated[
        list[str] | None,
        typer.Argument(metavar="ACTION", help=N_("What is played from there, in order.")),
    ] = None,
) -> None:
    """Print the answers that are legal in a position, or what comes of playing on from it."""
    try:
        game = parse_position(position)
    except NotationError as error:
        fail(error.sentence(_))
    if not actions:
        typer.echo(" ".join(map(str, game.legal)))
        return
    table = TableNames(game.families, tuple(map(family_name, game.families)))
    events: list[Event] = []
    for token in actions:
        try:
            game = game.play(parse_action(token), events)
        except NotationError as error:
            fail(error.sentence(_))
        except IllegalAction as error:
            why = error.refusal.sentence(_)
            fail(_("{action!r} is not legal: {why}").format(action=token, why=why))
    for event in events:
        typer.echo(event_sentence(event, table))
    typer.echo(format_position(game))
