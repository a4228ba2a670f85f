"""Which past games: the options that `driflamme history` and `driflamme stats` share."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from driflamme_tui.cli.exits import FAILED, fail
from driflamme_tui.cli.shared_options import EditionOption
from driflamme_tui.text.i18n import _
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS

if TYPE_CHECKING:
    from netcode.storage.history import Filter, History


OutcomeOption: TypeAlias = Literal["finished", "abandoned", "cheated"]
"""What can become of a game, as an option's values."""

WithPlayer = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Only games with somebody of this name; a part of it is enough.",
    ),
]
OfEdition = Annotated[
    EditionOption | None, typer.Option("--edition", help="Only games by this edition's rules.")
]
OfPlayers = Annotated[
    int | None,
    typer.Option(
        "--players",
        min=MINIMUM_PLAYERS,
        max=MAXIMUM_PLAYERS,
        help="Only games with this many families.",
    ),
]
OfOutcome = Annotated[
    OutcomeOption | None, typer.Option("--outcome", help="Only games with this outcome.")
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="YYYY-MM-DD", help="Only games from this day on.")
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="YYYY-MM-DD", help="Only games up to and on this day."),
]
WithBots = Annotated[
    bool | None,
    typer.Option("--bots/--no-bots", help="Only games with bots at the table, or without."),
]


def wanted_games(
    player: str | None,
    edition: EditionOption | None,
    players: int | None,
    since: str | None,
    until: str | None,
    bots: bool | None,
    outcome: OutcomeOption | None = None,
) -> "Filter":
    """Return the filter of these options; a day that is none ends the command."""
    from netcode.storage.history import Filter

    return Filter(
        player=player,
        edition=None if edition is None else int(edition),
        players=players,
        outcome=outcome,
        since=None if since is None else midnight("--since", since),
        until=None if until is None else midnight("--until", until, days_later=1),
        bots=bots,
    )


def midnight(option: str, text: str, days_later: int = 0) -> int:
    """Return when a day that an option says begins here, in Unix seconds."""
    try:
        day = date.fromisoformat(text) + timedelta(days=days_later)
        return int(datetime(day.year, day.month, day.day).timestamp())
    except (ValueError, OverflowError, OSError):
        fail(
            _("{option} takes a day such as 2026-11-20, not {text!r}.").format(
                option=option, text=text
            )
        )


@contextmanager
def opened_history() -> "Iterator[History]":
    """Open this user's past games; what cannot be read or written ends the command."""
    from netcode.storage.history import History
    from netcode.table.errors import StoreError

    try:
        with History.open(reading=True) as history:
            yield history
    except StoreError as error:
        fail(error.sentence(_), FAILED)
