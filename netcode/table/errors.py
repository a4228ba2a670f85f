"""What a table raises: why something is not done, and why nothing can be kept or brought back."""

from engine.words import ExplainedError
from netcode.protocol.fields import Values


class NotAllowedError(Exception):
    """Why something that a message asks for is not done."""

    def __init__(self, code: str, **values: str | int | tuple[str | int, ...]) -> None:
        super().__init__(code)
        self.code = code
        self.values: Values = values


class StoreError(ExplainedError):
    """Why something cannot be kept or brought back, as a sentence."""

    is_of_machine = True


class NotThereError(StoreError):
    """What somebody asked for was never kept: nothing is wrong with the machine."""

    is_of_machine = False


class UnavailableError(StoreError):
    """Nothing can be kept for now: a matter of the machine and of no single table."""


def damaged(why: str) -> StoreError:
    """Return the error for what cannot have been written so."""
    return StoreError("The journal of tables is damaged: {why}.", why=why)


def damaged_seats() -> StoreError:
    """Return the error for seats that cannot have been kept so."""
    return StoreError("The journal is damaged: the seats of the table make no sense.")
