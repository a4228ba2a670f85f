"""The history of games: every one of this user's that is over, to list, to look at, to take along.

A game that is under way, or may be resumed, is never in it: its record would show hidden cards.
Whoever hosts writes games there in the commit that ends them (`store.py`). A row is a game, whole,
with what a list needs beside it; each is checked when it is read, and one that is damaged is of no
matter to the others.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import msgspec
from msgspec import Struct, structs

from engine.cards import Seat
from engine.ranking import owners_of
from engine.record import MAXIMUM_LENGTH, Record, RecordError, showable
from engine.words import ExplainedError
from netcode.protocol.evening import LENGTHS
from netcode.storage.database import (
    default_path,
    explained,
    open_database,
    open_to_read,
    slowness,
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

LISTED: Final = "id, date, listed"
"""The columns of which a list is made."""

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
    """Add a game, or what is new of one that is there; return its id, and whether it is new.

    One of the club's counts in its league from then on. A game whose record carries a proof `ended`
    when it is given, by the clock of whoever saw it, since players can sign any time.
    """
    known = database.execute(
        f"SELECT {LISTED} FROM history WHERE identity = ?", (identity(record),)
    ).fetchone()
    number, seats, before = None, set(own), None
    if known is not None:
        number = int(known["id"])
        # What is wrong is not told from what is right.
        with suppress(StoreError):
            before = read_listed(known)
            # A file may be somebody else's, so it does not change whose a known game is.
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
    """Delete the rows of parts of a game, of which more is known now."""
    database.executemany("DELETE FROM history WHERE identity = ?", ((each,) for each in identities))


def _one_record(before: Record, after: Record) -> Record:
    """Return what two records of one game say together; raises RecordError."""
    if before.has_proof and after.has_proof:
        return proven_records().merge(before, after)
    return replace(
        before,
        players=before.players or after.players,
        began=after.began if before.began is None else before.began,
        ended=after.ended if before.ended is None else before.ended,
    )


def store_own_game(database: sqlite3.Connection, game: EndedGame) -> None:
    """Add a game of this user's own tables, or of the club's, if anything was played of it."""
    if game.record.actions:
        store_game(database, game.record, game.ending, game.own, "own", ended=game.at)


def read_listed(row: sqlite3.Row) -> PastGame:
    """Return what a list tells of a game; raises StoreError if its row makes no sense."""
    try:
        game = _decode(row["listed"])
        if row["date"] != _date(game) or any(seat >= len(game.players) for seat in game.own):
            raise ValueError("no such date, or no such seat")
    except (ValueError, TypeError):
        raise damaged_game(row["id"]) from None
    players = tuple(each.shown() for each in game.players)
    return structs.replace(game, id=row["id"], players=players)


def read_all_listed(rows: Iterable[sqlite3.Row]) -> Iterator[PastGame]:
    """Yield what a list tells of games; one whose row makes no sense is left out."""
    for row in rows:
        with suppress(StoreError):
            yield read_listed(row)


def record_of_game(database: sqlite3.Connection, number: int) -> Record:
    """Return the record of a game, which is what a list tells of it; raises StoreError."""
    row = database.execute("SELECT * FROM history WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise NotThereError("There is no game {number} in the history.", number=number)
    listed = read_listed(row)
    if listed.outcome in EXITS:
        raise NotThereError(
            "Game {number} went on without you: your program does not know all its cards.",
            number=number,
        )
    try:
        record = Record.from_json(str(row["record"]))
        found = finished_game.ending(record)
        known_by = identity(record)
    except RecordError:
        raise damaged_game(number) from None
    # By now it may be another game, or a row of another.
    past = _past_game(listed.id, record, found, listed.own, listed.origin)
    if record.has_proof:
        past = structs.replace(past, ended=listed.ended)
    if past != listed or known_by != row["identity"]:
        raise damaged_game(number)
    return record


def damaged_game(number: object) -> StoreError:
    """Return the error for a game whose row cannot have been written so."""
    return StoreError(
        "Game {number} of the history is damaged; it was not changed.", number=str(number)
    )


_OLD: Final = "FROM history WHERE ?1 IS NULL OR date BETWEEN 0 AND ?1 - 1"
"""Chooses games by their date, or all."""


def _date(game: PastGame) -> int:
    """Return what games are ordered by; a game without dates is older than all."""
    return next((each for each in (game.ended, game.began) if each is not None), -1)


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


MAXIMUM_CHARACTERS: Final = 1 << 29
"""Most characters that are read of what is imported: more than a hundred thousand games."""

SHORTEST: Final = 1000
"""Fewest characters that a line counts as: those of a game have some three thousand."""

MAXIMUM_REFUSED: Final = 10_000
"""Most lines that are refused before no more is read: this is no file of games."""

MAXIMUM_REASONS: Final = 20
"""Most refused lines of which the reason is kept."""

BATCH: Final = 100
"""Games that are imported with one commit, for which another program that writes has to wait."""

_Game: TypeAlias = tuple[Record, Ending, tuple[Seat, ...]]


class Filter(Struct, frozen=True):
    """Chooses games: those that fit everything that is given."""

    player: str | None = None
    """Somebody whose name contains this, in whatever case, took part."""
    edition: int | None = None
    players: int | None = None
    """So many were at the table: two, if they had two families each."""
    outcome: PastOutcome | None = None
    since: int | None = None
    """Ended at this time or later, in Unix seconds; without an end it is the beginning that
    counts, and a game without either never does."""
    until: int | None = None
    """Ended before this time."""
    bots: bool | None = None
    """Whether there was a bot at the table."""

    def fits(self, game: PastGame) -> bool:
        """Return whether it chooses a game."""
        date, least = _date(game), 0 if self.until is not None else -1
        # As names are in the history.
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
    """The outcome of an import."""

    new: int = 0
    """Games that were not in the history."""
    known: int = 0
    """Games that were, or that came twice."""
    refused: int = 0
    """Lines that are no such game."""
    reasons: list[tuple[int, ExplainedError]] = []
    """The numbers, from 1, of the first lines that were refused, each with the reason."""
    whole: bool = True
    """False if there was more than is read."""


class History(AbstractContextManager["History"]):
    """The games of this user that are over; whatever it does may raise StoreError."""

    def __init__(self, database: sqlite3.Connection, warning: StoreError | None = None) -> None:
        self._database = database
        self.warning = warning
        """What the user should know of the database: newest games that are missing, a slow disk."""

    @classmethod
    def open(cls, path: Path | None = None, *, reading: bool = False) -> Self:
        """Open the history of this user, or the one in a file; raises StoreError.

        For `reading`, one that cannot be written will do, as on a disk that is full.
        """
        path = path or default_path()
        if not reading:
            return cls(open_database(path))
        database, unseen = open_to_read(path)
        with explained():
            return cls(database, unseen or slowness(database, path))

    def close(self) -> None:
        """Close it."""
        with explained():
            self._database.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    # Looking back

    def games(
        self, filter: Filter | None = None, limit: int | None = None, offset: int = 0
    ) -> list[PastGame]:
        """Return games that fit a filter, the latest first: `limit` at most, after `offset` others.

        Those whose date nobody knows come last; one whose row is damaged is left out.
        """
        with explained():
            found = islice(self._chosen(filter), min(offset, sys.maxsize), None)
            return list(found if limit is None else islice(found, min(limit, sys.maxsize)))

    def count(self, filter: Filter | None = None) -> int:
        """Return how many games fit a filter; one whose row is damaged is left out."""
        with explained():
            return sum(1 for _ in self._chosen(filter))

    def _chosen(self, filter: Filter | None) -> Iterator[PastGame]:
        rows = self._database.execute(f"SELECT {LISTED} FROM history ORDER BY date DESC, id DESC")
        return (game for game in read_all_listed(rows) if filter is None or filter.fits(game))

    def game(self, id: int) -> PastGame:
        """Return what a list tells of one game; raises StoreError if there is none."""
        with explained():
            row = self._database.execute(
                f"SELECT {LISTED} FROM history WHERE id = ?", (id,)
            ).fetchone()
        if row is None:
            raise NotThereError("There is no game {number} in the history.", number=id)
        return read_listed(row)

    def record(self, id: int) -> Record:
        """Return the whole of a game; raises StoreError if there is none."""
        with explained():
            return record_of_game(self._database, id)

    # Writing

    def add(
        self, record: Record, own: Iterable[Seat], outcome: Outcome | None, origin: Origin
    ) -> int:
        """Add a game with the seats of this user, unless it is there already, and return its id.

        Raises RecordError if it breaks the rules or has another outcome.
        """
        seats = tuple(own)
        if not all(0 <= seat < len(record.deal.families) for seat in seats):
            raise RecordError("The record has no such seat.")
        found = ending(record, outcome)
        with transaction(self._database):
            return store_game(self._database, record, found, seats, origin)[0]

    def add_left(self, game: LeftGame) -> int:
        """Add a game as far as this user saw it, in the place of a smaller part; return its id."""
        *parts, whole = game.identities
        with transaction(self._database):
            _forget_parts(self._database, parts)
            return _write_row(self._database, None, whole, game.past, game.to_json())

    def prune(self, before: int | None) -> int:
        """Forget games that ended before a Unix time, or all for None; return how many.

        One whose date nobody knows goes only with all.
        """
        with transaction(self._database):
            return self._database.execute(f"DELETE {_OLD}", (before,)).rowcount

    def prunable(self, before: int | None) -> int:
        """Return how many games `prune` would forget, damaged ones too."""
        with explained():
            (count,) = self._database.execute(f"SELECT count(*) {_OLD}", (before,)).fetchone()
            return int(count)

    def remove(self, id: int) -> None:
        """Forget one game; raises StoreError if there is none."""
        with transaction(self._database):
            gone = self._database.execute("DELETE FROM history WHERE id = ?", (id,)).rowcount
        if not gone:
            raise NotThereError("There is no game {number} in the history.", number=id)

    # Taking along

    def export_all(
        self, left_out: Callable[[StoreError], None] = lambda error: None
    ) -> Iterator[str]:
        """Yield every game as a line of JSON, the oldest first, without the line's end.

        It is the line of the record, with `outcome` and `own` (families) besides. A game that is
        damaged is left out, and `left_out` is told of it. A game that went on without this user
        has no record.
        """
        with explained():
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
        """Add the games of lines as `export_all` writes them; a line that is none is refused.

        A record without more is nobody's. However long the text is, no more is kept of it at once
        than a hundred games.
        """
        result = ImportResult()
        games = _read_games(text, result)
        # Judged before the commit begins, which others wait for.
        while batch := tuple(islice(games, BATCH)):
            with transaction(self._database):
                for record, found, own in batch:
                    _, is_new = store_game(self._database, record, found, own, "imported")
                    result.new += is_new
                    result.known += not is_new
        return result


def _read_games(text: "SupportsReadline[str]", result: ImportResult) -> Iterator[_Game]:
    """Yield the games of a text that anybody may have written, and note what is wrong in it."""
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
                # Only its words: the error itself holds on to all that was read of the line.
                result.reasons.append((number, RecordError(error.template, **error.values)))


def _read_lines(text: "SupportsReadline[str]") -> Iterator[str | None]:
    """Yield lines, each cut where it is too long for a record, and None when they are too many."""
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
        raise RecordError("The record has an outcome that is not valid.")
    families = record.deal.families
    if (
        not isinstance(own, str)
        or len(set(own)) < len(own)
        or not all(family in families for family in own)
    ):
        raise RecordError("The record has no such seat.")
    return record, ending(record, outcome), tuple(families.index(family) for family in own)
