"""Stores a club in the database: its secret, its tables, and the games of its league.

A club's tables are stored beside the tables of hosts, and `driflamme host --resume` ignores them.
Database tables that only clubs use have names that begin with `club`.
"""

import sqlite3
from typing import Final

from netcode.storage.database import store_errors, transaction
from netcode.storage.history import LIST_COLUMNS, read_all_listed
from netcode.storage.store import Store
from netcode.table.finished_game import EndedGame, PastGame, identity
from netcode.table.snapshot import Snapshot

GAMES_AT_ONCE: Final = 200
"""Maximum number of games that one call of `ClubStore.games` reads, so that commits do not wait
long.
"""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS club (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12)
);
CREATE TABLE IF NOT EXISTS club_games (
    identity BLOB PRIMARY KEY CHECK (typeof(identity) = 'blob' AND length(identity) = 32)
);
DELETE FROM club_games WHERE identity NOT IN (SELECT identity FROM history)
"""


class ClubStore(Store):
    """The store of a club. Its methods use only this club's tables and games."""

    keeper = "clubs"

    def tables(self) -> list[tuple[int, Snapshot]]:
        """Return the club's valid tables with their numbers, in the order of their opening.

        Raises StoreError if the database cannot be read.
        """
        with store_errors():
            return list(self._snapshots("keeper = ? ORDER BY opened", self.keeper))

    def games(self, after: int) -> list[PastGame]:
        """Return at most `GAMES_AT_ONCE` league games with an id above `after`, in order of the id.

        Raises StoreError if the database cannot be read.
        """
        with store_errors():
            rows = self._database.execute(
                f"SELECT {LIST_COLUMNS} FROM history JOIN club_games USING (identity)"
                " WHERE id > ? ORDER BY id LIMIT ?",
                (after, GAMES_AT_ONCE),
            )
            return list(read_all_listed(rows))

    def secret(self, fresh: bytes) -> bytes:
        """Return the secret of this user's club. The first call stores and returns `fresh`.

        Raises StoreError if the database cannot be used.
        """
        with transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO club VALUES (1, ?)", (fresh,))
            (secret,) = self._database.execute("SELECT secret FROM club").fetchone()
        return bytes(secret)

    def add_ended(self, game: EndedGame) -> None:
        """Add an ended game to history and league, in the transaction that stores its table.

        A game without any answer does not belong to the league.
        """
        super().add_ended(game)
        if game.record.actions:
            self._database.execute(
                "INSERT OR IGNORE INTO club_games VALUES (?)", (identity(game.record),)
            )

    def _begin(self, database: sqlite3.Connection) -> None:
        """Use an open database, and create the database tables that only clubs use.

        A game that is missing from the history is also removed from the league.
        """
        super()._begin(database)
        with transaction(database):
            for statement in _SCHEMA.split(";"):
                database.execute(statement)
