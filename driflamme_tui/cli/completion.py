"""Completes words for shells: offers values after Tab, and adapts the shells' scripts.

A shell inserts the offered values into a command line. Names of past games come from other people,
so nothing is offered that a shell could read as more than one word.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driflamme_tui.text.i18n import PROGRAM, search_form, started_as

if TYPE_CHECKING:
    from netcode.table.finished_game import PastGame

_EXECUTED: Final = r'%\(prog_name\)s(?=\)| \||")'
"""Matches the places in typer's scripts where a shell starts the program, except the registration.
"""

MAXIMUM_GAMES: Final = 50
"""Maximum number of past games that are offered, latest first."""

SEATS: Final = ("all", "public", "r", "b", "g", "y", "v")
"""The views of a replay, besides the players' names."""

_WORD: Final = r"\w[\w.-]*"
"""Matches a text that every shell reads as one plain word."""

_UNSAFE: Final = r"[^\w .,+-]"


def prepare() -> None:
    """Let typer print each candidate on one line, and adapt the shells' scripts to a clone."""
    # typer wraps explanations at the terminal's width, but shells read each line as a candidate.
    os.environ["COLUMNS"] = "1000"
    _start_by_path()


def _start_by_path() -> None:
    """Make the shells' scripts start a clone of the repository by its path.

    A clone is not in PATH. For an installed program, do nothing.
    """
    if started_as() == PROGRAM:
        return
    import shlex

    from typer import _completion_shared as shared

    path = str(Path(__file__).parents[2] / started_as())
    for shell, script in shared._completion_scripts.items():
        quoted = shlex.quote(path)
        if shell in ("powershell", "pwsh"):
            quoted = "& '" + path.replace("'", "''") + "'"
        started = quoted.replace("%", "%%")
        # bash passes the typed word with its tilde, which would not start the program.
        script = script.replace("=complete_bash $1", f"=complete_bash {started}")
        shared._completion_scripts[shell] = re.sub(_EXECUTED, lambda _match: started, script)  # noqa: B023


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def cards(incomplete: str) -> list[str]:
    """Return the names of cards that begin with the typed text, each as one word."""
    from driflamme_tui.wording.game.names import card_name
    from engine.cards import CARDS

    names = (search_form(card_name(card)).replace(" ", "-") for card in CARDS)
    return _beginning(search_form(incomplete), names)


def topics(incomplete: str) -> list[str]:
    """Return the pages of the guide whose names begin with the typed text."""
    from driflamme_tui.wording.game.help_pages import guide_pages

    return _beginning(incomplete, [*guide_pages(), "keys"])


def languages(incomplete: str) -> list[str]:
    """Return the available languages that begin with the typed text."""
    from driflamme_tui.text.i18n import available_languages

    return _beginning(incomplete, available_languages())


def bots(incomplete: str) -> list[str]:
    """Return continuations of a list of bots, such as `sharp,steady` for `sharp,st`."""
    from engine.bots import bot_names

    earlier, comma, last = incomplete.rpartition(",")
    return [earlier + comma + name for name in bot_names() if name.startswith(last)]


def table_bots(incomplete: str) -> list[str]:
    """Return continuations of a table's bots, such as `3:master` for `3:ma`."""
    from driflamme_tui.preferences.matched_bots import EVEN_BOT

    earlier, comma, last = incomplete.rpartition(",")
    number, colon, name = last.rpartition(":")
    before = earlier + comma + number + colon
    return [before + each for each in (*bots(name), *_beginning(name, [EVEN_BOT]))]


def seats(incomplete: str) -> list[str]:
    """Return the views of a replay that begin with the typed text; names are not among them."""
    return _beginning(incomplete, SEATS)


def families(incomplete: str) -> list[str]:
    """Return the letters of the families that begin with the typed text."""
    from engine.cards import FAMILIES

    return _beginning(incomplete, FAMILIES)


def games(incomplete: str) -> list[tuple[str, str]]:
    """Return the numbers of past games, each with its date and players.

    Only numbers that begin with the typed text are returned, and at most `MAXIMUM_GAMES`.
    """
    from driflamme_tui.text.signs import ASCII
    from driflamme_tui.wording.program.history_words import game_time

    found = []
    for game in _past_games():
        if str(game.id).startswith(incomplete):
            names = ", ".join(player.name for player in game.players)
            words = f"{game_time(game, ASCII).replace(':', '.')}, {names}"
            found.append((str(game.id), re.sub(_UNSAFE, " ", words)))
    return found[:MAXIMUM_GAMES]


def players(incomplete: str) -> list[str]:
    """Return the first words of names in past games that begin with the typed text.

    `--player` accepts a part of a name. Words that a shell could misread are left out.
    """
    words = (each.name.split()[:1] for game in _past_games() for each in game.players)
    names = dict.fromkeys(name for (name,) in filter(None, words) if re.fullmatch(_WORD, name))
    return [name for name in names if search_form(name).startswith(search_form(incomplete))]


def _past_games() -> "Iterator[PastGame]":
    """Yield the past games, the latest first; none if they cannot be read."""
    from netcode.storage.database import default_path
    from netcode.storage.history import History
    from netcode.table.errors import StoreError

    if not default_path().exists():
        return
    try:
        with History.open(reading=True) as history:
            yield from history.games()
    except StoreError:
        return
