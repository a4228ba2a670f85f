"""Rows of the history: one for each game, whole, with what a list needs beside it.

Reads and writes within whatever transaction there is. Every row is checked when it is read, and one
that is damaged is of no matter to the others. Raises sqlite3.Error as SQLite does.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, structs

from engine.cards import Seat
from engine.ranking import owners_of
from engine.record import Record, RecordError, showable
from engine.words import N_
from netcode.protocol.evening import LENGTHS
from netcode.protocol.fields import checked
from netcode.table import finished_game
from netcode.table.errors import StoreError
from netcode.table.finished_game import (
    ORIGINS,
    EndedGame,
    Ending,
    Origin,
    PastGame,
    PastPlayer,
    identity,
    past_players,
)

LISTED: Final = ", ".join(PastGame.__struct_fields__)
"""The columns of which a list is made."""


_Flag = Annotated[int, Meta(ge=0, le=1)]


def read_flag(value: object) -> bool:
    """Return what a column says that is yes or no; raises ValueError."""
    return checked(value, _Flag) == 1


def store_game(
    database: sqlite3.Connection,
    record: Record,
    ending: Ending,
    own: Iterable[Seat],
    origin: Origin,
    *,
    ended: int | None = None,
    club: bool = False,
) -> tuple[int, bool]:
    """Add a game, or what is new of one that is there; return its id, and whether it is new.

    One of the club's counts in its league from then on. A sealed game `ended` when it is given, by
    the clock of whoever saw it, since players can sign any time.
    """
    known = database.execute(
        "SELECT id, own, origin, club, ended, outcome FROM history WHERE identity = ?",
        (identity(record),),
    ).fetchone()
    number, seats = None, set(own)
    if known is not None:
        number, club = int(known["id"]), club or known["club"] == 1
        with suppress(ValueError, TypeError):
            before_own = set(_read_own(known["own"], len(record.deal.families)))
            # A file may be somebody else's, so it does not change whose a known game is.
            seats = before_own if origin == "imported" else seats | before_own
            origin = min(origin, known["origin"], key=ORIGINS.index)
        # What is wrong is not told from what is right.
        with suppress(StoreError, RecordError):
            record = _one_record(read_record(database, number), record)
            ending = finished_game.ending(record)
        if known["origin"] == "own" and known["outcome"] == ending.outcome:
            ended = known["ended"]
    row = {**_row(record, ending, seats, origin), "id": number, "club": club}
    if record.seal is not None and ended is not None:
        row["ended"] = ended
    names, signs = ", ".join(row), ", ".join("?" * len(row))
    cursor = database.execute(
        f"INSERT OR REPLACE INTO history ({names}) VALUES ({signs})", tuple(row.values())
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid, known is None


def _one_record(before: Record, after: Record) -> Record:
    """Return what two records of one game say together; raises RecordError."""
    if before.seal is not None and after.seal is not None:
        from netcode.sealed.proof_file import merged

        return before if before.seal == after.seal else merged(before, after)
    return replace(
        before,
        players=before.players or after.players,
        began=after.began if before.began is None else before.began,
        ended=after.ended if before.ended is None else before.ended,
    )


def store_own_game(database: sqlite3.Connection, game: EndedGame) -> None:
    """Add a game of this user's own tables, or of the club's, if anything was played of it."""
    if game.record.actions:
        store_game(
            database, game.record, game.ending, game.own, "own", ended=game.at, club=game.club
        )


def read_listed(row: sqlite3.Row) -> PastGame:
    """Return what a list tells of a game; raises StoreError if its row makes no sense."""
    try:
        players = msgspec.json.decode(checked(row["players"], str), type=list[PastPlayer])
        columns = {
            "players": tuple(
                structs.replace(each, name=showable(each.name), bot=each.bot and showable(each.bot))
                for each in players
            ),
            "own": _read_own(checked(row["own"], str), len(players)),
            "two": read_flag(row["two"]),
        }
        return checked({**dict(row), **columns}, PastGame)
    except ValueError:
        raise damaged_game(row["id"]) from None


def read_all_listed(rows: Iterable[sqlite3.Row]) -> list[PastGame]:
    """Return what a list tells of games; one whose row makes no sense is left out."""
    found = []
    for row in rows:
        with suppress(StoreError):
            found.append(read_listed(row))
    return found


def read_record(database: sqlite3.Connection, number: int) -> Record:
    """Return the record of a game, which is what a list tells of it; raises StoreError."""
    row = database.execute("SELECT * FROM history WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise StoreError(N_("There is no game {number} in the history."), number=number)
    listed = read_listed(row)
    try:
        record = Record.from_json(str(row["record"]))
        found = finished_game.ending(record)
        known_by = identity(record)
    except RecordError:
        raise damaged_game(number) from None
    # By now it may be another game, or a row of another.
    past = _past_game(listed.id, record, found, listed.own, listed.origin)
    if record.seal is not None:
        past = structs.replace(past, ended=listed.ended)
    if past != listed or known_by != row["identity"]:
        raise damaged_game(number)
    return record


def damaged_game(number: object) -> StoreError:
    """Return the error for a game whose row cannot have been written so."""
    return StoreError(
        N_("Game {number} of the history is damaged and left as it is."), number=str(number)
    )


def _row(record: Record, ending: Ending, own: Iterable[Seat], origin: Origin) -> dict[str, Any]:
    game = _past_game(0, record, ending, own, origin)
    return {
        **structs.asdict(game),
        "identity": identity(record),
        "at_table": len(game.players) // (1 + game.two),
        "bots": sum(player.bot is not None for player in game.players),
        "own": "".join(map(str, sorted(own))),
        "players": msgspec.json.encode(game.players).decode(),
        "record": record.to_json(),
    }


def _past_game(
    id: int, record: Record, ending: Ending, own: Iterable[Seat], origin: Origin
) -> PastGame:
    """Return what a list tells of a game."""
    seats, best_of = len(record.deal.families), record.settings.get("best_of")
    if type(best_of) is not int:
        # A file may say anything, also True and 3.0.
        best_of = 0
    return PastGame(
        id=id,
        began=record.began,
        ended=record.ended,
        outcome=ending.outcome,
        edition=record.deal.edition.number,
        players=past_players(record, ending),
        own=tuple(own),
        decisions=len(record.actions),
        rounds=ending.rounds,
        origin=origin,
        two=len(owners_of(record.settings, seats)) < seats,
        best_of=next((each for each in LENGTHS if each == best_of), 0),
    )


def _read_own(text: str, seats: int) -> tuple[Seat, ...]:
    own = tuple(map(int, text))
    if any(seat >= seats for seat in own):
        raise ValueError("no seats")
    return own
