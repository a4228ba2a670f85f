"""Stores the finished games of this user: lists, records, import and export.

The history never contains a running or resumable game, since a record shows hidden cards. A host
adds a game in the transaction that stores its end (`store.py`). A row has a whole game and the
fields for lists. Rows are checked when they are read, and a damaged one does not affect the others.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import msgspec
from msgspec import Struct, structs

from engine.cards import Seat
from engine.ranking import owners_of
from engine.record import MAXIMUM_LENGTH, Record, RecordError, showable
from engine.texts import ExplainedError
from netcode.protocol.evening import LENGTHS
from netcode.storage.database import (
    default_path,
    open_database,
    open_to_read,
    slowness,
    store_errors,
    transaction,
)
from netcode.table import finished_game
from netcode.table.errors import NotThereError, StoreError
from netcode.table.finished_game import (
    EXITS,
    ORIGINS,
    OUTCOMES,
    EndedGame,
    Ending,
    LeftGame,
    Origin,
    Outcome,
    PastGame,
    PastOutcome,
    ending,
    identity,
    parts_of,
    past_players,
    proven_records,
)

if TYPE_CHECKING:
    from _typeshed import SupportsReadline

LIST_COLUMNS: Final = "id, date, listed"
"""The columns of a row that `read_listed` reads."""

_decode: Final = msgspec.json.Decoder(PastGame).decode


def store_game(
    database: sqlite3.Connection,
    record: Record,
    ending: Ending,
    own: Iterable[Seat],
    origin: Origin,
    *,
    ended: int | None = None,
) -> tuple[int, bool]:
    """Add a game, or complete a stored one. Return the game's id, and True if it is new.

    A joined game replaces the stored parts that this user saw before leaving it.

    `ended` is for records with a proof: the Unix time at which this program saw the end. With None
    the end has the time in the record, for which the players could sign any value.
    """
    known = database.execute(
        f"SELECT {LIST_COLUMNS} FROM history WHERE identity = ?", (identity(record),)
    ).fetchone()
    number, seats, before = None, set(own), None
    if known is not None:
        number = int(known["id"])
        # Treat a damaged row as an unknown game.
        with suppress(StoreError):
            before = read_listed(known)
            # A file may come from another player, so it does not change the owners of a known game.
            seats = {*before.own} if origin == "imported" else seats | {*before.own}
            origin = min(origin, before.origin, key=ORIGINS.index)
        with suppress(StoreError, RecordError):
            record = _one_record(record_of_game(database, number), record)
            ending = finished_game.ending(record)
        if before is not None and (before.origin, before.outcome) == ("own", ending.outcome):
            ended = before.ended
    game = _past_game(0, record, ending, sorted(seats), origin)
    if record.has_proof and ended is not None:
        game = structs.replace(game, ended=ended)
    if origin == "joined" and game.own:
        _forget_parts(database, parts_of(record, game.own))
    row = _write_row(database, number, identity(record), game, record.to_json())
    return row, known is None


def _write_row(
    database: sqlite3.Connection,
    number: int | None,
    identity: bytes,
    game: PastGame,
    text: str,
) -> int:
    cursor = database.execute(
        "INSERT OR REPLACE INTO history (id, identity, date, listed, record)"
        " VALUES (?, ?, ?, ?, ?)",
        (number, identity, _date(game), msgspec.json.encode(game).decode(), text),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _forget_parts(database: sqlite3.Connection, identities: Iterable[bytes]) -> None:
    """Delete rows with parts of a game, since a more complete row replaces them."""
    database.executemany("DELETE FROM history WHERE identity = ?", ((each,) for each in identities))


def _one_record(before: Record, after: Record) -> Record:
    """Return a record with all facts that either record has.

    Raises RecordError if both have proofs that cannot be merged.
    """
    if before.has_proof and after.has_proof:
        return proven_records().merge(before, after)
    return before._replace(
        players=before.players or after.players,
        began=after.began if before.began is None else before.began,
        ended=after.ended if before.ended is None else before.ended,
    )


def store_played_game(database: sqlite3.Connection, game: EndedGame) -> None:
    """Add a game of this user's own table, if it has at least one decision."""
    if game.record.actions:
        store_game(database, game.record, game.ending, game.own, "own", ended=game.at)


def read_listed(row: sqlite3.Row) -> PastGame:
    """Return the list entry of a row; raises StoreError if the row is damaged."""
    try:
        game = _decode(row["listed"])
        if row["date"] != _date(game) or any(seat >= len(game.players) for seat in game.own):
            raise ValueError("no such date, or no such seat")
    except (ValueError, TypeError):
        raise damaged_game(row["id"]) from None
    players = tuple(each.shown() for each in game.players)
    return structs.replace(game, id=row["id"], players=players)


def read_all_listed(rows: Iterable[sqlite3.Row]) -> Iterator[PastGame]:
    """Yield list entries. Damaged rows are left out."""
    for row in rows:
        with suppress(StoreError):
            yield read_listed(row)


def record_of_game(database: sqlite3.Connection, number: int) -> Record:
    """Return the record of a game.

    Raises StoreError if there is no such game, or if the record is missing, damaged or does not
    match the list entry.
    """
    row = database.execute("SELECT * FROM history WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise NotThereError(
            "There is no game {number} in the history: driflamme history lists all.", number=number
        )
    listed = read_listed(row)
    if not listed.has_record:
        raise NotThereError(
            "Game {number} continued without you, so your program does not know all its cards: "
            "ask another player for the record.",
            number=number,
        )
    try:
        record = Record.from_json(str(row["record"]))
        found = finished_game.ending(record)
        known_by = identity(record)
    except RecordError:
        raise damaged_game(number) from None
    # Compare the record with the list entry and the identity: only one of them may be damaged.
    past = _past_game(listed.id, record, found, listed.own, listed.origin)
    if record.has_proof:
        past = structs.replace(past, ended=listed.ended)
    if past != listed or known_by != row["identity"]:
        raise damaged_game(number)
    return record


def damaged_game(number: object) -> StoreError:
    """Return the error for a row whose content is invalid."""
    return StoreError(
        "Game {number} in your history is damaged: import a copy of it if you have one.",
        number=str(number),
    )


_OLD: Final = "FROM history WHERE ?1 IS NULL OR date BETWEEN 0 AND ?1 - 1"
"""The SQL condition for games before a date, or for all games."""


def _date(game: PastGame) -> int:
    """Return the sort key of a game. A game without dates is older than all others."""
    return next((each for each in (game.ended, game.began) if each is not None), -1)


def _past_game(
    id: int, record: Record, ending: Ending, own: Iterable[Seat], origin: Origin
) -> PastGame:
    """Return the list entry of a game."""
    seats, best_of = len(record.deal.families), record.settings.get("best_of")
    if type(best_of) is not int:
        # A file may contain any value here, such as True or 3.0.
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


MAXIMUM_CHARACTERS: Final = 1 << 29
"""Maximum characters of an import: more than a hundred thousand games."""

SHORTEST: Final = 1000
"""Each line of an import counts as at least this number of characters.

The line of a game has some three thousand.
"""

MAXIMUM_REFUSED: Final = 10_000
"""Maximum number of refused lines. With more, the import stops: the text is no file of games."""

MAXIMUM_REASONS: Final = 20
"""Maximum number of refused lines whose reasons are stored."""

BATCH: Final = 100
"""Number of games in one transaction of an import. Other programs must wait for its end."""

_Game: TypeAlias = tuple[Record, Ending, tuple[Seat, ...]]


class Filter(Struct, frozen=True):
    """Selects games that match all given fields. A field with None selects all games."""

    player: str | None = None
    """A text that the name of a player contains, in any case."""
    edition: int | None = None
    players: int | None = None
    """The number of players. It is two if two players had two families each."""
    outcome: PastOutcome | None = None
    since: int | None = None
    """The earliest Unix time of the end. If the end is unknown, the beginning counts. A game
    without end and beginning matches no time.
    """
    until: int | None = None
    """The first Unix time that is too late for the end.

    A game without a known end is treated as for `since`.
    """
    bots: bool | None = None
    """True for games with a bot, False for games without one."""

    def fits(self, game: PastGame) -> bool:
        """Return True if a game matches all given fields."""
        date, least = _date(game), 0 if self.until is not None else -1
        # Change the text in the same way as names that are stored.
        wanted = showable(self.player or "").casefold()
        holders = [holder for each in game.players for holder in each.holders]
        return (
            any(wanted in each.name.casefold() for each in holders)
            and self.edition in (None, game.edition)
            and self.players in (None, len(game.players) // (1 + game.two))
            and self.outcome in (None, game.outcome)
            and self.bots in (None, any(each.bot is not None for each in holders))
            and date >= (least if self.since is None else max(self.since, 0))
            and (self.until is None or date < self.until)
        )


class ImportResult(Struct):
    """The counts of an import, and its first errors."""

    new: int = 0
    """Number of games that were not in the history."""
    known: int = 0
    """Number of games that were in the history, or that came twice in the import."""
    refused: int = 0
    """Number of refused lines."""
    reasons: list[tuple[int, ExplainedError]] = []
    """The first refused lines: number of the line, from 1, and reason."""
    whole: bool = True
    """False if the import stopped early."""


class History(AbstractContextManager["History"]):
    """The finished games of this user. Every method may raise StoreError."""

    def __init__(self, database: sqlite3.Connection, warning: StoreError | None = None) -> None:
        self._database = database
        self.warning = warning
        """A warning about the database for the user: newest games are missing, or the disk is slow.
        None if all is well.
        """

    @classmethod
    def open(cls, path: Path | None = None, *, reading: bool = False) -> Self:
        """Open the history of this user, or of the database at a path.

        With `reading`, a database that cannot be written is enough, as on a full disk.
        """
        path = path or default_path()
        if not reading:
            return cls(open_database(path))
        database, unseen = open_to_read(path)
        with store_errors():
            return cls(database, unseen or slowness(database, path))

    def close(self) -> None:
        """Close the database."""
        with store_errors():
            self._database.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    # Reading

    def games(
        self, filter: Filter | None = None, limit: int | None = None, offset: int = 0
    ) -> list[PastGame]:
        """Return the list entries of matching games, latest first.

        Returns at most `limit` games, after skipping `offset`. Games without a date come last.
        Damaged rows are left out.
        """
        with store_errors():
            found = islice(self._chosen(filter), min(offset, sys.maxsize), None)
            return list(found if limit is None else islice(found, min(limit, sys.maxsize)))

    def count(self, filter: Filter | None = None) -> int:
        """Return the number of games that match a filter, without damaged rows."""
        with store_errors():
            return sum(1 for _ in self._chosen(filter))

    def _chosen(self, filter: Filter | None) -> Iterator[PastGame]:
        rows = self._database.execute(
            f"SELECT {LIST_COLUMNS} FROM history ORDER BY date DESC, id DESC"
        )
        return (game for game in read_all_listed(rows) if filter is None or filter.fits(game))

    def game(self, id: int) -> PastGame:
        """Return the list entry of a game; raises StoreError if there is none or it is damaged."""
        with store_errors():
            row = self._database.execute(
                f"SELECT {LIST_COLUMNS} FROM history WHERE id = ?", (id,)
            ).fetchone()
        if row is None:
            raise NotThereError(
                "There is no game {number} in the history: driflamme history lists all.", number=id
            )
        return read_listed(row)

    def record(self, id: int) -> Record:
        """Return the record of a game; raises StoreError if there is none or it is damaged."""
        with store_errors():
            return record_of_game(self._database, id)

    # Writing

    def add(
        self, record: Record, own: Iterable[Seat], outcome: Outcome | None, origin: Origin
    ) -> int:
        """Add a game with this user's seats, or complete a stored game; return the game's id.

        Raises RecordError if the game breaks the rules, lacks a seat or does not have this outcome.
        """
        seats = tuple(own)
        if not all(0 <= seat < len(record.deal.families) for seat in seats):
            raise RecordError(
                "The record does not contain the seat that it calls yours: export the game again."
            )
        found = ending(record, outcome)
        with transaction(self._database):
            return store_game(self._database, record, found, seats, origin)[0]

    def add_left(self, game: LeftGame) -> int:
        """Add the part of a game that this user saw, replacing a smaller part; return its id."""
        *parts, whole = game.identities
        with transaction(self._database):
            _forget_parts(self._database, parts)
            return _write_row(self._database, None, whole, game.past, game.to_json())

    def prune(self, before: int | None) -> int:
        """Delete the games that ended before a Unix time, or all games for None.

        Returns the number of deleted games. If an end is unknown, the beginning counts. Games
        without either are deleted only with all others.
        """
        with transaction(self._database):
            return self._database.execute(f"DELETE {_OLD}", (before,)).rowcount

    def prunable(self, before: int | None) -> int:
        """Return the number of games that `prune` would delete, including damaged ones."""
        with store_errors():
            (count,) = self._database.execute(f"SELECT count(*) {_OLD}", (before,)).fetchone()
            return int(count)

    def remove(self, id: int) -> None:
        """Delete one game; raises StoreError if there is none."""
        with transaction(self._database):
            gone = self._database.execute("DELETE FROM history WHERE id = ?", (id,)).rowcount
        if not gone:
            raise NotThereError(
                "There is no game {number} in the history: driflamme history lists all.", number=id
            )

    # Import and export

    def export_all(
        self, left_out: Callable[[StoreError], None] = lambda error: None
    ) -> Iterator[str]:
        """Yield every game as a line of JSON without line break, oldest first.

        The line is the record's line with two more fields: `outcome`, and the user's families as
        `own`. A damaged game is omitted and reported to `left_out`. A game that continued without
        this user has no record and is omitted.
        """
        with store_errors():
            numbers = self._database.execute("SELECT id FROM history ORDER BY date, id").fetchall()
        for (number,) in numbers:
            try:
                game = self.game(number)
                if game.outcome in EXITS:
                    continue
                record = self.record(number)
            except StoreError as error:
                left_out(error)
                continue
            own = "".join(record.deal.families[seat] for seat in game.own)
            fields = json.loads(record.to_json()) | {"outcome": game.outcome, "own": own}
            yield json.dumps(fields, separators=(",", ":"))

    def import_lines(self, text: "SupportsReadline[str]") -> ImportResult:
        """Add the games of a text with lines of `export_all`; other lines are refused.

        A record without additional fields counts as a game of other people. At most a hundred games
        are in memory at a time, however long the text is.
        """
        result = ImportResult()
        games = _read_games(text, result)
        # Parse the games before the transaction begins, since other programs must wait for its end.
        while batch := tuple(islice(games, BATCH)):
            with transaction(self._database):
                for record, found, own in batch:
                    _, is_new = store_game(self._database, record, found, own, "imported")
                    result.new += is_new
                    result.known += not is_new
        return result


def _read_games(text: "SupportsReadline[str]", result: ImportResult) -> Iterator[_Game]:
    """Yield the games of an untrusted text, and count its errors in `result`."""
    for number, line in enumerate(_read_lines(text), 1):
        if line is None or result.refused >= MAXIMUM_REFUSED:
            result.whole = False
            return
        if not line.strip():
            continue
        try:
            yield _read_line(line)
        except RecordError as error:
            result.refused += 1
            if len(result.reasons) < MAXIMUM_REASONS:
                # Store only the sentence, since the error itself refers to the whole line.
                result.reasons.append((number, RecordError(error.template, **error.values)))


def _read_lines(text: "SupportsReadline[str]") -> Iterator[str | None]:
    """Yield the lines of a text, cut if too long for a record.

    Yield None if the text is too long.
    """
    left = MAXIMUM_CHARACTERS
    while line := text.readline(MAXIMUM_LENGTH + 1):
        rest = line
        left -= max(len(rest), SHORTEST)
        while rest and not rest.endswith("\n") and left > 0:
            rest = text.readline(MAXIMUM_LENGTH)
            left -= len(rest)
        yield line if left > 0 else None


def _read_line(line: str) -> _Game:
    record = Record.from_json(line)
    if record.has_proof:
        proven_records().verify(line)
    fields = json.loads(line)
    outcome, own = fields.get("outcome"), fields.get("own", "")
    if outcome not in (None, *OUTCOMES):
        raise RecordError("The record's outcome is not valid: export the game again.")
    families = record.deal.families
    if (
        not isinstance(own, str)
        or len(set(own)) < len(own)
        or not all(family in families for family in own)
    ):
        raise RecordError(
            "The record does not contain the seat that it calls yours: export the game again."
        )
    return record, ending(record, outcome), tuple(families.index(family) for family in own)
