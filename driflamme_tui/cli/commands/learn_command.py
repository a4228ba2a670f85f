"""`driflamme learn`: the guided first game, on the screen or line by line."""

from typing import Annotated

import typer

from driflamme_tui.cli import shared_options as options
from driflamme_tui.cli.app_start import has_terminal, load_app, run_app, run_lines
from driflamme_tui.cli.command_group import Commands
from driflamme_tui.cli.exits import fail
from driflamme_tui.text.i18n import _

commands = Commands()


@commands.described(
    "learn",
    "Learn the game in ten minutes: a guided first game against bots.",
    "\b\n"
    "Leave whenever you like: it goes on from there. Examples:\n"
    "  driflamme learn\n"
    "  driflamme learn --restart   from the beginning\n"
    "  driflamme learn --plain     line by line",
)
def learn(
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin anew rather than go on.")
    ] = False,
    name: options.Name = None,
    pace: options.Pace = None,
    plain: options.Plain = False,
) -> None:
    """Go on with the guided first game, or begin it."""
    if not plain and not has_terminal():
        fail(_("The lesson needs a terminal; driflamme learn --plain does without a screen."))
    if not plain:
        load_app()
    from driflamme_tui.lesson.guided_game import Lesson
    from driflamme_tui.seat.plans import Learn

    if plain:
        pace = pace or 0
    plan = Learn(Lesson.resumed(restart=restart), None if pace is None else round(1000 * pace))
    if plain:
        run_lines(plan, options.checked_name(name), as_json=False)
    else:
        run_app(plan, options.checked_name(name), options.looks())
