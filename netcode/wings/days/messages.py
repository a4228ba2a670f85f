"""The messages of games that last for days, and limits of their fields."""

from typing import Annotated, Final

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS, ROUNDS
from engine.texts import Text
from netcode.protocol.fields import (
    MAXIMUM_LINES,
    BeforeTable,
    CodePrefix,
    Hash,
    Messages,
    PartMessage,
    Phase,
    ShownName,
    Strict,
    require,
)

MAXIMUM_ROWS: Final = 20
"""Maximum number of seats in one request: their proofs fit into a frame."""

ADDRESS_LENGTH: Final = 100
"""Maximum characters of the address for calls."""

FIRST_SIGNS: Final = "@!#+"
"""Signs that may begin an address: addresses of chat rooms and telephone numbers."""

MAXIMUM_CONDITIONS: Final = 2 * ROUNDS
"""Maximum number of conditional answers of a player: the cards that two families place."""

MAXIMUM_LEFT_S: Final = 10_000_000
"""Maximum seconds of the time left for a decision: more than the longest clock with all pauses."""


class SeatProof(Strict, frozen=True, array_like=True):
    """A seat of the sender at a table: the prefix of the table's code, and a proof of ownership."""

    prefix: CodePrefix | None
    """The prefix of the table's code; None if the client does not know it. With None, the
    server uses its only table.
    """
    proof: Hash
    """The HMAC-SHA-256 of the text `driflamme: turns at a seat`, with the SHA-256 hash of the
    seat's key as its secret. The proof opens no seat.
    """


class AskTurns(BeforeTable, frozen=True):
    """Request the state of the tables of this server at which the sender has these seats."""

    seats: Annotated[tuple[SeatProof, ...], Meta(max_length=MAXIMUM_ROWS)]


class Turn(Strict, frozen=True, kw_only=True):
    """The facts that a player may know about their table without joining it."""

    prefix: CodePrefix
    names: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """The names of the players that have a seat."""
    phase: Phase
    round: Annotated[int, Meta(ge=0, le=ROUNDS)]
    """The round of the running game; 0 without one, and in a sealed game."""
    whose: ShownName | None
    """The name of the player that must answer. None stands for a sealed game, and for no game."""
    mine: bool
    """True if the table waits for the player that proved this seat, and the game is not paused."""
    left_s: Annotated[int, Meta(ge=0, le=MAXIMUM_LEFT_S)] | None
    """Seconds until a bot answers; None if the time is not limited, or the game is paused."""
    unread: Annotated[int, Meta(ge=0, le=MAXIMUM_LINES)]
    """Number of lines of chat since the player that proved this seat was last at the table."""
    host: ShownName | None = None
    """The name of the table's host; None without one."""
    paused: bool = False
    """True while the host has paused the game. Then `mine` is False."""
    winners: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    """The winners of the game that has ended; empty before, and if they are not known."""


class Turns(BeforeTable, frozen=True):
    """The answer to an AskTurns. Seats at unknown tables, or with a wrong proof, are missing."""

    rows: Annotated[tuple[Turn, ...], Meta(max_length=MAXIMUM_ROWS)]


def is_address(text: str) -> bool:
    """Return True if a text can be an address for calls, or is empty, which stands for no address.

    An address begins with a letter, a digit or one of `FIRST_SIGNS`. The operator's command would
    take `-` at the beginning for an option, and perhaps `/` or `|` for a file or a program.
    """
    is_plain = text.isprintable() and text == text.strip()
    return not text or (is_plain and (text[0].isalnum() or text[0] in FIRST_SIGNS))


class SetCall(PartMessage, frozen=True):
    """Set the address by which the operator's command calls the sender; empty for no calls."""

    address: Annotated[str, Meta(max_length=ADDRESS_LENGTH)]

    def __post_init__(self) -> None:
        require("address", is_address(self.address))


class CallSet(PartMessage, frozen=True):
    """The receiver's own address for calls; nobody else receives it."""

    address: Annotated[str, Meta(max_length=ADDRESS_LENGTH)]


class Condition(Strict, frozen=True, kw_only=True):
    """A conditional answer: leave one of the player's face-down cards as it is."""

    card: Annotated[str, Meta(pattern=r"^[rbgyv][A-Z]\Z")]
    """The letters of the card's family and of the card."""
    until_round: Annotated[int, Meta(ge=2, le=ROUNDS)] | None = None
    """The round from which the player decides again; None for no such round."""


class SetConditions(PartMessage, frozen=True):
    """Set all conditional answers of the sender; they replace the earlier ones."""

    conditions: Annotated[tuple[Condition, ...], Meta(max_length=MAXIMUM_CONDITIONS)]


class Conditions(PartMessage, frozen=True):
    """The receiver's own conditional answers, after each change; nobody else receives them."""

    conditions: Annotated[tuple[Condition, ...], Meta(max_length=MAXIMUM_CONDITIONS)]


SENTENCES: Final[dict[str, Text]] = {
    "days_sealed": (
        "A sealed game cannot last for days, since every answer needs the programs of all "
        "players: switch off the seal or the hours."
    ),
    "days_clock": "A game has a time limit or hours, not both: switch one of them off.",
    "asked_turns_often": "Too many people are asking for their turns: try again in {seconds} s.",
    "no_calls": "The host of this table sends no calls: ask the host to set up calls.",
    "no_such_card": "Give instructions only for cards of your own family.",
    "no_days": "Calls and instructions need a long game: the host sets its hours in the lobby.",
}
"""The sentences of the refusals of this wing, by code."""

SEAM: Final = Messages(
    from_client=(AskTurns, SetCall, SetConditions),
    from_host=(Turns, CallSet, Conditions),
    sentences=SENTENCES,
)
