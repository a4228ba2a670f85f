"""Errors of a table: a request is refused, or a table cannot be stored or restored."""

from engine.texts import ExplainedError
from netcode.protocol.fields import Values


class NotAllowedError(Exception):
    """A request is refused."""

    def __init__(self, code: str, **values: str | int | tuple[str | int, ...]) -> None:
        super().__init__(code)
        self.code = code
        self.values: Values = values


class StoreError(ExplainedError):
    """A table cannot be stored or restored. The sentence says why."""

    is_of_machine = True


class NotThereError(StoreError):
    """The requested table was never stored. The machine is not to blame."""

    is_of_machine = False


class UnavailableError(StoreError):
    """Nothing can be stored at present. The machine is to blame, not one table."""


def damaged(why: str) -> StoreError:
    """Return the error for a stored table that this program cannot have written."""
    return StoreError("The journal of tables is damaged: {why}.", why=why)


def missing_part(part: str) -> StoreError:
    """Return the error for a stored table whose optional part is missing here."""
    return StoreError(
        "The table was saved with the optional part {part}, which is missing here. It is left"
        " as it is: install that part to resume it.",
        part=part,
    )


def newer_part(part: str) -> StoreError:
    """Return the error for a stored table whose optional part is of an older version here."""
    return StoreError(
        "The table was saved with a newer version of the optional part {part}. It is left as it"
        " is: resume it with that version.",
        part=part,
    )


def failed_part(part: str, why: str) -> StoreError:
    """Return the error for a stored table whose optional part is here, and cannot be loaded."""
    return StoreError(
        "The table was saved with the optional part {part}, which cannot be loaded: {why}. It"
        " is left as it is: install that part again to resume it.",
        part=part,
        why=why,
    )


def damaged_seats() -> StoreError:
    """Return the error for stored seats that this program cannot have written."""
    return StoreError("The journal is damaged: the seats of the table are not valid.")
