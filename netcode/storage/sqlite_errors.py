"""What SQLite and the system complain about, turned into errors with a sentence for people."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engine.words import N_
from netcode.table.errors import StoreError, UnavailableError, damaged

_OF_THE_MACHINE: Final = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""Errors that say nothing of what is in the database, besides those that have a sentence."""

_PRIMARY_CODE: Final = 0xFF
"""The part of SQLite's error codes that says which kind it is."""


@contextmanager
def explained() -> Iterator[None]:
    """Turn what SQLite and the system complain about into a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _why(error) from error
    except UnicodeDecodeError as error:
        raise damaged(error.reason) from error
    except OSError as error:
        raise _unusable(error.strerror or str(error)) from error


def _why(error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & _PRIMARY_CODE
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return UnavailableError(
                N_("The journal of tables is in use by another program, which does not let go.")
            )
        case sqlite3.SQLITE_FULL:
            return UnavailableError(N_("There is no room on the disk for the journal of tables."))
        case sqlite3.SQLITE_READONLY:
            return UnavailableError(N_("The journal of tables is read-only."))
        case _ if code in _OF_THE_MACHINE:
            return _unusable(str(error))
    return damaged(str(error))


def _unusable(why: str) -> UnavailableError:
    return UnavailableError(N_("The journal of tables cannot be used: {why}."), why=why)
