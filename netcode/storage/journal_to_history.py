"""Moves games from the journal into the history that nobody came back to.

A game whose rows make no sense, or break the rules, stays where it is.
"""

import logging
import sqlite3
from dataclasses import replace

from engine.cards import Seat
from engine.record import Record, RecordedPlayer, showable
from netcode.protocol.fields import checked
from netcode.storage.history_rows import store_own_game
from netcode.table.errors import StoreError
from netcode.table.finished_game import OUTCOMES, Outcome, ending
from netcode.table.journal_entries import KeptParcel
from netcode.table.restoring import relayed_game
from netcode.tracebacks import described

_log = logging.getLogger(__name__)

_OF_GAMES = (("games", "number"), ("actions", "game"), ("players", "game"), ("parcels", "game"))
"""The tables of the database that have rows of a game, and the column with its number."""


def move_game(database: sqlite3.Connection, table: int, number: int) -> bool:
    """Move a game into the history as it stands; return False if it makes no sense."""
    try:
        record, outcome = _read_game(database, table, number)
        # Of a deal that was never complete there is nothing.
        if record is not None:
            own = _own_seats(database, table, record)
            store_own_game(database, record, ending(record, outcome), own)
    except (ValueError, TypeError) as error:
        # No word of what is in it: there are cards.
        _log.error(
            "a game of the journal makes no sense, and stays out of the history: %s",
            described(error),
        )
        return False
    database.execute("UPDATE games SET past = 1 WHERE table_id = ? AND number = ?", (table, number))
    return True


def forget_past_games(database: sqlite3.Connection, table: int) -> None:
    """Delete a table's games from the journal that the history has, but not one still shown."""
    numbers = database.execute(
        "SELECT number FROM games JOIN tables ON id = table_id WHERE table_id = ? AND"
        # A sealed game that has no outcome was broken off before it was dealt.
        " (past AND NOT (phase = 'result' AND number = tables.games AND NOT tables.ended)"
        " OR record = '' AND NOT past AND phase = 'lobby')",
        (table,),
    ).fetchall()
    for (number,) in numbers:
        for name, column in _OF_GAMES:
            database.execute(
                f"DELETE FROM {name} WHERE table_id = ? AND {column} = ?", (table, number)
            )


def _read_game(
    database: sqlite3.Connection, table: int, number: int
) -> tuple[Record | None, Outcome | None]:
    """Return a game with its players and dates, and its outcome if known; raises ValueError."""
    row = database.execute(
        "SELECT record, began, ended, outcome FROM games WHERE table_id = ? AND number = ?",
        (table, number),
    ).fetchone()
    outcome = row["outcome"]
    known = outcome if outcome in OUTCOMES else None
    if row["record"] == "":
        return _read_sealed_game(database, table, number), known
    record = Record.from_json(checked(row["record"], str))
    actions = database.execute(
        "SELECT step, token FROM actions WHERE table_id = ? AND game = ? ORDER BY step",
        (table, number),
    ).fetchall()
    if [step for step, _token in actions] != list(range(1, len(actions) + 1)):
        raise ValueError("steps are missing")
    record = replace(
        record,
        actions=tuple(checked(token, str) for _step, token in actions),
        players=read_players(database, table, number, record.deal.families),
        began=row["began"],
        ended=row["ended"],
    )
    # Checks what the columns hold as strictly as if it had come from a file.
    return Record.from_json(record.to_json()), known


def read_parcels(database: sqlite3.Connection, table: int, number: int) -> tuple[KeptParcel, ...]:
    """Return all that was kept of a sealed game; raises ValueError."""
    rows = database.execute(
        "SELECT * FROM parcels WHERE table_id = ? AND game = ? ORDER BY place", (table, number)
    )
    return tuple(checked(dict(each), KeptParcel) for each in rows)


def _read_sealed_game(database: sqlite3.Connection, table: int, number: int) -> Record | None:
    """Return a sealed game; None if it was never dealt. Raises ValueError."""
    try:
        game = relayed_game(number, read_parcels(database, table, number))
    except StoreError:
        raise ValueError("the parcels make no sense") from None
    return game.record()


def read_players(
    database: sqlite3.Connection, table: int, number: int, families: str
) -> tuple[RecordedPlayer, ...]:
    """Return who played a game of the journal, if that is known."""
    rows = database.execute(
        "SELECT family, name, bot FROM players WHERE table_id = ? AND game = ? ORDER BY place",
        (table, number),
    ).fetchall()
    if [row["family"] for row in rows] != list(families):
        return ()
    return tuple(
        RecordedPlayer(
            row["family"],
            showable(checked(row["name"], str)),
            row["bot"] and checked(row["bot"], str),
        )
        for row in rows
    )


def _own_seats(database: sqlite3.Connection, table: int, record: Record) -> tuple[Seat, ...]:
    """Return the seats of the table's owner, as far as the journal still knows who that was."""
    hosts = database.execute(
        "SELECT family, name FROM seats JOIN tables ON id = table_id"
        " WHERE table_id = ? AND host AND owner IS NOT NULL AND NOT club",
        (table,),
    ).fetchall()
    return tuple(
        seat
        for seat, player in enumerate(record.players)
        # At a table for two the row has both families.
        if any(player.family in host["family"] and player.name == host["name"] for host in hosts)
    )
