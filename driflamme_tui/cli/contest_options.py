"""What `simulate` and `arena` have in common: who plays at which tables."""

import os
import sys
from typing import Annotated, Final, Literal

import typer

from driflamme_tui.cli.exits import complain
from driflamme_tui.text.i18n import _, ngettext

MIXED: Final = "mixed"
"""The value of an option that stands for each number there is."""

Players = Annotated[
    Literal["3", "4", "5", "mixed"],
    typer.Option(metavar="3|4|5|mixed", help="At each table; mixed: each in turn."),
]
Editions = Annotated[
    Literal["1", "2", "mixed"],
    typer.Option(metavar="1|2|mixed", help="Edition of the rules; mixed: each in turn."),
]
Seed = Annotated[int, typer.Option(help="The same seed plays the same games.")]


def complete_bots(incomplete: str) -> list[str]:
    """Return what a list of bots may go on with."""
    from engine.bots import bot_names

    earlier, comma, last = incomplete.rpartition(",")
    return [earlier + comma + name for name in bot_names() if name.startswith(last)]


def parse_bot_names(text: str) -> tuple[str, ...]:
    """Return the bots that an option names; `module:Class` may be in the working folder."""
    from engine.bots import BOTS, bot_class

    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if any(":" in name for name in names) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    if not BOTS.keys() >= set(names):
        tell_of_broken_bots()
    for name in names:
        bot_class(name)
    return names


def tell_of_broken_bots() -> None:
    """Say on standard error which installed bots cannot play, and why; that stops nothing."""
    from engine.bots import broken_bots

    for problem in broken_bots():
        complain(problem.sentence(_))


def played(games: int, decisions: int) -> str:
    """Return how many games have been played, and how many decisions there were in them."""
    return _("{games}, {decisions}").format(
        games=ngettext("{n} game", "{n} games", games).format(n=games),
        decisions=ngettext("{n} decision", "{n} decisions", decisions).format(n=decisions),
    )
