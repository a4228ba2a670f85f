"""Rows of the database, back into what was kept of a table.

The database is a file that anything may have happened to, so every row is checked.
"""

import logging
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from engine.record import Record, RecordError
from netcode.protocol.evening import Evening
from netcode.protocol.fields import (
    FamilyLetter,
    Name,
    Phase,
    Revision,
    Secret,
    SpokenCode,
    checked,
    is_name,
    require,
)
from netcode.protocol.message_base import Strict
from netcode.protocol.messages import Line, TableSettings
from netcode.storage.history_rows import read_flag
from netcode.storage.journal_to_history import read_parcels, read_players
from netcode.table.errors import StoreError, damaged, damaged_seats
from netcode.table.journal_entries import (
    KeptAct,
    KeptGame,
    KeptLine,
    KeptParcel,
    KeptSeat,
    KeptTable,
    Opened,
    Sealings,
    Snapshot,
)
from netcode.tracebacks import described

_log = logging.getLogger(__name__)


_Families = Annotated[tuple[FamilyLetter, ...], Meta(min_length=1, max_length=2)]

_Kind = TypeVar("_Kind")


class ClubTable(Strict, frozen=True):
    """A table of the club, as it is told of without being woken."""

    number: int
    secret: Secret
    code: SpokenCode
    phase: Phase
    edition: int
    names: Annotated[tuple[Name, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """Of those who have a seat, bots too."""
    former: tuple[bytes, ...] = ()
    """The secrets of earlier invitations."""

    def __post_init__(self) -> None:
        require("names", all(map(is_name, self.names)))


def read_table(database: sqlite3.Connection, number: int) -> Snapshot:
    """Return what was kept of a table; raises StoreError."""
    row = _row(database, "tables WHERE id = ?", number)
    try:
        seats = [
            dict(each)
            for each in database.execute(
                "SELECT * FROM seats WHERE table_id = ? ORDER BY place", (number,)
            )
        ]
        values = {
            **row,
            **{name: read_flag(row[name]) for name in ("plain", "club", "paused", "silenced")},
            "settings": _decoded(row["settings"], TableSettings),
            "muted": _decoded(row["muted"], list[str]),
            "former": _former(row["former"]),
            "evening": _decoded(row["evening"], Evening),
            "sealings": _decoded(row["sealings"], Sealings),
            "seats": tuple(map(_seat, seats)),
            "acted": tuple(seat["acted"] for seat in seats),
        }
        talk = tuple(
            checked({"number": number, "line": _decoded(line, Line)}, KeptLine)
            for number, line in database.execute(
                "SELECT number, line FROM talk WHERE table_id = ? ORDER BY number", (number,)
            )
        )
        table = checked({**values, "silent": not talk}, KeptTable)
        opened = checked(values, Opened)
    except ValueError:
        raise damaged_seats() from None
    game, acts, parcels = None, list[KeptAct](), tuple[KeptParcel, ...]()
    if table.phase != "lobby":
        game = _read_game(database, number, table.games)
        rows = database.execute(
            "SELECT * FROM actions WHERE table_id = ? AND game = ? ORDER BY step",
            (number, table.games),
        )
        try:
            acts = [checked(dict(each), KeptAct) for each in rows]
            parcels = read_parcels(database, number, table.games)
        except ValueError:
            raise damaged("a row makes no sense") from None
    return Snapshot(opened, table, game, tuple(acts), talk, parcels)


def read_club_tables(database: sqlite3.Connection) -> list[ClubTable]:
    """Return the club's tables that were not closed for good and make sense, the latest last."""
    rows = database.execute(
        "SELECT id AS number, secret, code, settings, phase, former FROM tables"
        " WHERE club AND NOT ended ORDER BY opened"
    ).fetchall()
    names: dict[int, list[str]] = defaultdict(list)
    for number, name in database.execute(
        "SELECT table_id, name FROM seats JOIN tables ON id = table_id"
        " WHERE club AND NOT ended ORDER BY table_id, place"
    ):
        names[number].append(name)
    tables = []
    for each in rows:
        try:
            row = dict(each)
            row["edition"] = _decoded(row.pop("settings"), TableSettings).edition
            row["former"] = _former(row["former"])
            row["names"] = tuple(names[row["number"]])
            tables.append(checked(row, ClubTable))
        except ValueError as error:
            _log.error("a table of the club is damaged and left out: %s", described(error))
    return tables


def _read_game(database: sqlite3.Connection, table: int, number: int) -> KeptGame:
    row = _row(database, "games WHERE table_id = ? AND number = ?", table, number)
    try:
        revision = checked(row["revision"], Revision)
        text = checked(row["record"], str)
        if not text:
            return KeptGame(number, revision, None)
        record = Record.from_json(text)
    except RecordError as error:
        raise StoreError(error.template, **error.values) from None
    except ValueError:
        raise damaged("a row makes no sense") from None
    try:
        # Checked as what a file says of players is: once the game is over they are told of it.
        players = read_players(database, table, number, record.deal.families)
        record = Record.from_json(replace(record, players=players).to_json())
    except ValueError:
        # Who plays is known by the seats too; for the history alone nobody need stop playing.
        record = replace(record, players=())
    return KeptGame(number, revision, record)


def _row(database: sqlite3.Connection, source: str, *values: int) -> dict[str, Any]:
    row = database.execute(f"SELECT * FROM {source}", values).fetchone()
    if row is None:
        raise damaged("a row is missing")
    return dict(row)


def _seat(row: Mapping[str, Any]) -> KeptSeat:
    """Return the seat of a row, which at a table for two has both families; raises ValueError."""
    require("name", is_name(checked(row["name"], Name)))
    family, *second = checked(tuple(checked(row["family"], str)), _Families)
    keys = row["key_hash"], row["previous_key_hash"]
    values = {
        "family": family,
        "second": second[0] if second else None,
        "keys": None if None in keys else keys,
        "host": read_flag(row["host"]),
        "left": read_flag(row["gone"]),
    }
    return checked({**row, **values}, KeptSeat)


def _former(secrets: object) -> tuple[bytes, ...]:
    """Return the secrets of earlier invitations; raises ValueError."""
    return tuple(map(bytes.fromhex, _decoded(secrets, list[str])))


def _decoded(text: object, kind: type[_Kind]) -> _Kind:
    """Return what a column has in JSON; raises ValueError."""
    return msgspec.json.decode(checked(text, str), type=kind)
