"""`driflamme learn`: the guided first game, on the screen or line by line."""

from typing import Annotated

import typer

from driflamme_tui.cli.app_start import has_terminal, load_app, run_app, run_lines
from driflamme_tui.cli.exits import fail
from driflamme_tui.cli.shared_options import (
    AsciiSigns,
    Name,
    NoAnimation,
    Pace,
    Plain,
    Theme,
    checked_name,
    looks,
)
from driflamme_tui.text.i18n import _
from engine.words import N_


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "learn",
        help=N_("Learn the game in ten minutes: a guided first game against bots."),
        epilog=N_(
            "\b\n"
            "Leave whenever you like: it goes on from there. Examples:\n"
            "  driflamme learn\n"
            "  driflamme learn --restart   from the beginning\n"
            "  driflamme learn --plain     line by line"
        ),
    )(learn)


def learn(
    restart: Annotated[
        bool, typer.Option("--restart", help=N_("Begin anew rather than go on."))
    ] = False,
    name: Name = None,
    pace: Pace = None,
    plain: Plain = False,
    theme: Theme = None,
    ascii_signs: AsciiSigns = False,
    no_animation: NoAnimation = False,
) -> None:
    """Go on with the guided first game, or begin it."""
    if not plain and not has_terminal():
        fail(_("The lesson needs a terminal; driflamme learn --plain does without a screen."))
    if not plain:
        load_app()
    from driflamme_tui.lesson.guided_game import Lesson
    from driflamme_tui.seat.plans import Learn

    lesson = Lesson.resumed(restart=restart)
    if plain:
        run_lines(Learn(lesson, round(1000 * (pace or 0))), checked_name(name), as_json=False)
    else:
        pace_ms = None if pace is None else round(1000 * pace)
        plan = Learn(lesson, pace_ms)
        run_app(plan, checked_name(name), looks(theme, ascii_signs, no_animation))
