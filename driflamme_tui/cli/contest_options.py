"""What `simulate` and `arena` have in common: who plays at which tables, and tables of figures."""

import os
import sys
from collections.abc import Iterator, Sequence

from driflamme_tui.cli.exits import complain, fail
from driflamme_tui.text.i18n import _
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS

MIXED = "mixed"
"""The value of an option that stands for each number there is, in turn."""


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


def parse_players(text: str) -> tuple[int, ...]:
    """Return the sizes of tables that an option names."""
    sizes = tuple(range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1))
    named: dict[str, tuple[int, ...]] = {str(size): (size,) for size in sizes}
    named |= {MIXED: sizes, f"{MINIMUM_PLAYERS}-{MAXIMUM_PLAYERS}": sizes}
    if text not in named:
        fail(_("--players is 3, 4, 5 or mixed, not {players!r}.").format(players=text))
    return named[text]


def parse_edition(text: str) -> tuple[int, ...]:
    """Return the editions that an option names."""
    from engine.edition import EDITIONS

    named: dict[str, tuple[int, ...]] = {str(number): (number,) for number in EDITIONS}
    named[MIXED] = tuple(EDITIONS)
    if text not in named:
        fail(_("--edition is 1, 2 or mixed, not {edition!r}.").format(edition=text))
    return named[text]


def check_games(games: int) -> None:
    """End the command if so many games cannot be played."""
    if games < 1:
        fail(_("--games is 1 or more, not {games}.").format(games=games))


def columns(rows: Sequence[Sequence[str]], names: int = 1) -> Iterator[str]:
    """Yield lines of a table; the first so many columns hold names, the others figures."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if at < names else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
