"""Rows of the history: one for each game, whole, with what a list needs beside it.

Reads and writes within whatever transaction there is. The file is one that anything may have
happened to, so every row is checked when it is read, and one that is damaged is of no matter to
the others. Raises sqlite3.Error as SQLite does.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.cards import FAMILIES, MAXIMUM_PLAYERS, ROUNDS, Seat
from engine.owners import owners_of
from engine.record import LATEST, Record, RecordError, showable
from engine.words import N_
from netcode.table.errors import StoreError
from netcode.table.finished_game import (
    ORIGINS,
    Ending,
    Origin,
    PastGame,
    PastPlayer,
    identity,
    past_players,
)

LISTED: Final = "id, began, ended, outcome, origin, edition, own, decisions, rounds, two, players"
"""The columns of which a list is made."""

_MOST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Put:
    """What has become of a game that was to be in the history."""

    id: int
    is_new: bool
    """False if it was there before."""


def put(
    database: sqlite3.Connection,
    record: Record,
    ending: Ending,
    own: Iterable[Seat],
    origin: Origin,
) -> Put:
    """Have a game in the history, once.

    Of one that is there already, what the new record knows besides is added.
    """
    known = database.execute(
        "SELECT id, identity, own, origin, record FROM history WHERE identity = ?",
        (identity(record),),
    ).fetchone()
    seats = set(own)
    if known is None:
        row = _row(record, ending, seats, origin)
        names = ", ".join(row)
        signs = ", ".join("?" * len(row))
        cursor = database.execute(
            f"INSERT INTO history ({names}) VALUES ({signs})", tuple(row.values())
        )
        assert cursor.lastrowid is not None
        return Put(cursor.lastrowid, is_new=True)
    number = int(known["id"])
    try:
        before = _read_whole(known["record"], known["identity"])
        merged = replace(
            before,
            players=before.players or record.players,
            began=record.began if before.began is None else before.began,
            ended=record.ended if before.ended is None else before.ended,
        )
        before_own = set(_read_own(known["own"], len(record.deal.families)))
        # A file may be somebody else's, so it does not change whose a game is that is known here.
        seats = before_own if origin == "imported" else seats | before_own
        origin = min(origin, known["origin"], key=ORIGINS.index)
    except (RecordError, ValueError, TypeError):
        merged = record
    row = _row(merged, ending, seats, origin)
    changes = ", ".join(f"{name} = ?" for name in row)
    database.execute(f"UPDATE history SET {changes} WHERE id = ?", (*row.values(), number))
    return Put(number, is_new=False)


def store_own_game(
    database: sqlite3.Connection, record: Record, ending: Ending, own: Iterable[Seat]
) -> None:
    """Have a game of this user's own tables in the history, if anything was played of it."""
    if record.actions:
        put(database, record, ending, own, "own")


def read_listed(row: sqlite3.Row) -> PastGame:
    """Return what a list tells of a game; raises StoreError if its row makes no sense."""
    try:
        players = tuple(_read_player(each) for each in json.loads(row["players"]))
        return PastGame(
            id=_number(row["id"], 1, 2**63 - 1),
            began=_time(row["began"]),
            ended=_time(row["ended"]),
            outcome=_one_of(row["outcome"], ("finished", "abandoned")),
            edition=_number(row["edition"], 1, 2),
            players=players,
            own=_read_own(row["own"], len(players)),
            decisions=_number(row["decisions"], 0, _MOST),
            rounds=_number(row["rounds"], 1, ROUNDS),
            origin=_one_of(row["origin"], ORIGINS),
            two=bool(_number(row["two"], 0, 1)),
        )
    except (ValueError, TypeError, RecursionError):
        raise damaged_game(row["id"]) from None


def read_record(database: sqlite3.Connection, number: int) -> Record:
    """Return the record of a game; raises StoreError."""
    row = database.execute(
        "SELECT record, identity FROM history WHERE id = ?", (number,)
    ).fetchone()
    if row is None:
        raise StoreError(N_("There is no game {number} in the history."), number=number)
    try:
        return _read_whole(row["record"], row["identity"])
    except RecordError:
        raise damaged_game(number) from None


def damaged_game(number: object) -> StoreError:
    """Return the error for a game whose row cannot have been written so."""
    return StoreError(
        N_("Game {number} of the history is damaged and left as it is."), number=str(number)
    )


def _read_whole(text: object, known: object) -> Record:
    """Return a record as it was written; raises RecordError if it is another game by now."""
    record = Record.from_json(str(text))
    if identity(record) != known:
        raise RecordError(N_("This is no record of a game."))
    return record


def _row(record: Record, ending: Ending, own: Iterable[Seat], origin: Origin) -> dict[str, Any]:
    players = past_players(record, ending)
    at_table = len(owners_of(record.settings, len(players)))
    return {
        "identity": identity(record),
        "began": record.began,
        "ended": record.ended,
        "outcome": ending.outcome,
        "origin": origin,
        "edition": record.deal.edition.number,
        "two": at_table < len(players),
        "at_table": at_table,
        "bots": sum(player.bot is not None for player in players),
        "own": "".join(map(str, sorted(own))),
        "decisions": len(record.actions),
        "rounds": ending.rounds,
        "players": json.dumps(
            [[each.family, each.name, each.bot, each.score, each.place] for each in players],
            separators=(",", ":"),
        ),
        "record": record.to_json(),
    }


def _read_player(fields: Any) -> PastPlayer:
    family, name, bot, score, place = fields
    if not (
        isinstance(family, str)
        and len(family) == 1
        and family in FAMILIES
        and isinstance(name, str)
        and (bot is None or isinstance(bot, str))
    ):
        raise ValueError("no player")
    return PastPlayer(
        family=family,
        name=showable(name),
        bot=None if bot is None else showable(bot),
        score=_number(score, 0, _MOST),
        place=None if place is None else _number(place, 1, MAXIMUM_PLAYERS),
    )


def _read_own(text: Any, seats: int) -> tuple[Seat, ...]:
    own = tuple(map(int, text))
    if not isinstance(text, str) or any(seat >= seats for seat in own):
        raise ValueError("no seats")
    return own


def _number(value: Any, lowest: int, highest: int) -> int:
    if type(value) is not int or not lowest <= value <= highest:
        raise ValueError("no number")
    return value


def _time(value: Any) -> int | None:
    return None if value is None else _number(value, 0, LATEST)


def _one_of(value: Any, values: Iterable[Any]) -> Any:
    if value not in values:
        raise ValueError("none of them")
    return value
