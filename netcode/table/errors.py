"""Defines errors of a table: a refused request, and a table that cannot be stored or restored."""

from engine.texts import ExplainedError
from netcode.protocol.fields import Values
from netcode.protocol.table_settings import TableSettings, misfit


class NotAllowedError(Exception):
    """Raised if a request is refused.

    `code` stands for a sentence of `refusal_sentences.py`, and `values` complete the sentence.
    """

    def __init__(self, code: str, **values: str | int | tuple[str | int, ...]) -> None:
        super().__init__(code)
        self.code = code
        self.values: Values = values


def refuse_misfit(settings: TableSettings) -> None:
    """Raise NotAllowedError if a table cannot have these settings."""
    if (why := misfit(settings)) is not None:
        code, values = why
        raise NotAllowedError(code, **values)


class StoreError(ExplainedError):
    """Raised if a table or a past game cannot be stored or read. The sentence has the reason."""

    is_of_machine = True


class NotThereError(StoreError):
    """Raised if the requested table, game or record is not stored here."""

    is_of_machine = False


class UnavailableError(StoreError):
    """Raised if nothing can be stored at present. The machine is the cause, not one table."""


def damaged_table_error(why: str) -> StoreError:
    """Return the error for a stored table whose content is invalid."""
    return StoreError(
        "The journal of tables is damaged: {why}. It is left as it is: open a new table, or "
        "begin a new game.",
        why=why,
    )


def missing_part(part: str) -> StoreError:
    """Return the error for a stored table that needs a part which this program lacks."""
    return StoreError(
        "The table was saved with the optional part {part}, which is missing here. It is left"
        " as it is: install that part to resume it.",
        part=part,
    )


def newer_part(part: str) -> StoreError:
    """Return the error for a stored table that needs a newer version of a part."""
    return StoreError(
        "The table was saved with a newer version of the optional part {part}. It is left as it"
        " is: resume it with that version.",
        part=part,
    )


def failed_part(part: str, why: str) -> StoreError:
    """Return the error for a stored table that needs a part which cannot be loaded."""
    return StoreError(
        "The table was saved with the optional part {part}, which cannot be loaded: {why}. It"
        " is left as it is: install that part again to resume it.",
        part=part,
        why=why,
    )


def damaged_seats() -> StoreError:
    """Return the error for stored seats that are invalid."""
    return StoreError(
        "The journal of tables is damaged: the seats of a table are not valid. It is left as it "
        "is: open a new table, or begin a new game."
    )


def damaged_settings() -> StoreError:
    """Return the error for stored settings that are invalid."""
    return StoreError(
        "The journal of tables is damaged: the settings of the game are not valid. It is left as "
        "it is: open a new table, or begin a new game."
    )
