"""Rows of the database, back into what was kept of a table.

The database is a file that anything may have happened to, so every row is checked.
"""

import logging
import sqlite3
from collections import defaultdict
from dataclasses import replace
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from engine.cards import FAMILIES, MAXIMUM_PLAYERS
from engine.record import Record, RecordError
from netcode.protocol.evening import Evening
from netcode.protocol.fields import (
    SECRET_BYTES,
    BotName,
    FamilyLetter,
    Name,
    Revision,
    Secret,
    SpokenCode,
    checked,
    is_name,
    letters_of,
    require,
)
from netcode.protocol.messages import Line, Phase, Strict, TableSettings
from netcode.storage.journal_to_history import read_players
from netcode.table.chat import MAXIMUM_MUTED
from netcode.table.errors import StoreError, damaged, damaged_seats
from netcode.table.journal_entries import (
    MOST_FORMER,
    KeptAct,
    KeptGame,
    KeptLine,
    KeptSeat,
    KeptTable,
    Opened,
    Snapshot,
)
from netcode.table.people.seats import Absence
from netcode.tracebacks import described

_log = logging.getLogger(__name__)


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


_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Flag = Literal[0, 1]


class _TableRow(Strict, frozen=True, kw_only=True):
    secret: Secret
    code: SpokenCode
    bind: str | None
    port: Annotated[int, Meta(ge=0, le=65_535)]
    public: str | None
    plain: _Flag
    unix: str | None
    club: _Flag
    settings: str
    phase: Phase
    paused: _Flag
    muted: str
    owner: _Hash | None
    games: Annotated[int, Meta(ge=0)]
    revision: Revision
    silenced: _Flag
    former: str
    evening: str


class _SeatRow(Strict, frozen=True, kw_only=True):
    family: Annotated[str, Meta(pattern=rf"^[{FAMILIES}]{{1,2}}\Z")]
    """At a table for two, both families of the seat."""
    name: Name
    bot: BotName | None
    key_hash: _Hash | None
    previous_key_hash: _Hash | None
    host: _Flag
    gone: _Flag
    absence: Absence
    acted: Revision

    def __post_init__(self) -> None:
        require("name", is_name(self.name))


class _GameRow(Strict, frozen=True):
    revision: Revision
    record: str


class _LineRow(Strict, frozen=True):
    number: Annotated[int, Meta(ge=0)]
    line: str


_Muted = Annotated[tuple[str, ...], Meta(max_length=MAXIMUM_MUTED)]

_Former = Annotated[
    tuple[Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * SECRET_BYTES}}}\Z")], ...],
    Meta(max_length=MOST_FORMER),
]

_Row = TypeVar("_Row", bound=Struct)


def read_table(database: sqlite3.Connection, number: int) -> Snapshot:
    """Return what was kept of a table; raises StoreError."""
    (row,) = _rows(database, _TableRow, "tables WHERE id = ?", number, count=1)
    try:
        settings = msgspec.json.decode(row.settings, type=TableSettings)
        muted: tuple[str, ...] = msgspec.json.decode(row.muted, type=_Muted)
        former = _former(row.former)
        evening = msgspec.json.decode(row.evening, type=Evening)
        seats = _rows(database, _SeatRow, "seats WHERE table_id = ? ORDER BY place", number)
        talk = tuple(
            KeptLine(each.number, msgspec.json.decode(each.line, type=Line))
            for each in _rows(database, _LineRow, "talk WHERE table_id = ? ORDER BY number", number)
        )
    except (ValueError, StoreError):
        raise damaged_seats() from None
    game, acts = None, list[KeptAct]()
    if row.phase != "lobby":
        game = _read_game(database, number, row.games)
        source = "actions WHERE table_id = ? AND game = ? ORDER BY step"
        acts = _rows(database, KeptAct, source, number, row.games)
    values = asdict(row) | {
        "settings": settings,
        "muted": muted,
        "former": former,
        "evening": evening,
        "silent": not talk,
        "seats": tuple(map(_seat, seats)),
        "acted": tuple(seat.acted for seat in seats),
    }
    values |= {flag: bool(values[flag]) for flag in ("plain", "club", "paused", "silenced")}
    return Snapshot(
        Opened(**{name: values[name] for name in Opened.__struct_fields__}),
        KeptTable(**{name: values[name] for name in KeptTable.__struct_fields__}),
        game,
        tuple(acts),
        talk,
    )


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
            settings = msgspec.json.decode(checked(row.pop("settings"), str), type=TableSettings)
            row["edition"] = settings.edition
            row["former"] = _former(checked(row["former"], str))
            row["names"] = tuple(names[row["number"]])
            tables.append(checked(row, ClubTable))
        except ValueError as error:
            _log.error("a table of the club is damaged and left out: %s", described(error))
    return tables


def _read_game(database: sqlite3.Connection, table: int, number: int) -> KeptGame:
    source = "games WHERE table_id = ? AND number = ?"
    (row,) = _rows(database, _GameRow, source, table, number, count=1)
    try:
        record = Record.from_json(row.record)
    except RecordError as error:
        raise StoreError(error.template, **error.values) from None
    try:
        # Checked as what a file says of players is: once the game is over they are told of it.
        players = read_players(database, table, number, record.deal.families)
        record = Record.from_json(replace(record, players=players).to_json())
    except ValueError:
        # Who plays is known by the seats too; for the history alone nobody need stop playing.
        record = replace(record, players=())
    return KeptGame(number, row.revision, record)


def _former(secrets: str) -> tuple[bytes, ...]:
    """Return the secrets of earlier invitations; raises ValueError."""
    former: tuple[str, ...] = msgspec.json.decode(secrets, type=_Former)
    return tuple(map(bytes.fromhex, former))


def _families(letters: str) -> tuple[FamilyLetter, FamilyLetter | None]:
    """Return the family, and the second one if there is one, of a seat's row."""
    first, *others = letters_of(letters)
    return first, others[0] if others else None


def _seat(row: _SeatRow) -> KeptSeat:
    current, previous = row.key_hash, row.previous_key_hash
    family, second = _families(row.family)
    return KeptSeat(
        family=family,
        second=second,
        name=row.name,
        bot=row.bot,
        keys=None if current is None or previous is None else (current, previous),
        host=bool(row.host),
        left=bool(row.gone),
        absence=row.absence,
    )


def _rows(
    database: sqlite3.Connection,
    kind: type[_Row],
    source: str,
    *values: int,
    count: int | None = None,
) -> list[_Row]:
    """Return the rows of a table; raises StoreError if one makes no sense or is missing."""
    columns = ", ".join(kind.__struct_fields__)
    rows = database.execute(f"SELECT {columns} FROM {source}", values).fetchall()
    if count not in (None, len(rows)):
        raise damaged("a row is missing")
    try:
        return [checked(dict(row), kind) for row in rows]
    except ValueError:
        raise damaged("a row makes no sense") from None
