"""What the fields of messages may hold: bounds, each with its reason, and the types made of them.

`messages.py` says which message has which of them.
"""

import unicodedata
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator

from engine.cards import MAXIMUM_STACKS
from engine.events import Event
from netcode.wire_events import WireEvent, from_wire, to_wire

NAME_LENGTH: Final = 20
"""Most characters in a player's name: what a seat has room for on an 80-column screen."""

KEY_BYTES: Final = 32
"""Length of a key to a seat; 256 random bits cannot be guessed over a network."""

SECRET_BYTES: Final = 12
"""Length of the secret in an invitation; 96 random bits cannot be guessed over a network."""

SHARE_BYTES: Final = 33
"""Length of a SPAKE2 message: one byte for the side and a point of the curve."""

PROOF_BYTES: Final = 32
"""Length of a proof that one came to the same SPAKE2 key: an HMAC with SHA-256."""

CHAT_LENGTH: Final = 200
"""Most characters in a line of chat: two or three lines of the narrow column it is shown in."""

MAXIMUM_LINES: Final = 50
"""Of chat that are kept for those who come back; they fit one message in any alphabet."""

MAXIMUM_CLOCK_S: Final = 600
"""Longest clock for a decision: nobody who needs longer wants a clock."""

MAXIMUM_TABLES: Final = 100
"""That a club tells of in one message; the liveliest, if it has more."""

MAXIMUM_SPECTATORS: Final = 10
"""More would make each action's work depend on people who do not play."""

MAXIMUM_EVENTS: Final = 1024
"""Of a whole game, which may come in one message; games of five have some two hundred."""

MAXIMUM_ACTIONS: Final = 512
"""Of a whole game, which comes in one message once it is over; games of five have some hundred."""

MAXIMUM_PACE_MS: Final = 5_000
DEFAULT_PACE_MS: Final = 900

MINIMUM_THINK_MS: Final = 100
"""Below which a bot that searches has seen next to nothing."""
MAXIMUM_THINK_MS: Final = 10_000
"""Above which people no longer wait for a bot."""
DEFAULT_THINK_MS: Final = 1_000


def _printable(text: str) -> str:
    """Keep control characters, and so terminal escapes, away from everybody's screens."""
    if not text.isprintable():
        raise ValueError("not printable")
    return text


def _shown(text: str) -> str:
    """Put a sign that can be shown in the place of each that cannot.

    What can depends on the version of Unicode that a program knows. A host with a newer one lets
    signs pass which are nothing to an older client; that must not cost its player the table.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else INSTEAD for sign in text)


def _trimmed(text: str) -> str:
    if text != " ".join(text.split(" ")).strip() or "  " in text:
        raise ValueError("spaces at an end")
    return text


INSTEAD: Final = "\ufffd"
"""For a sign that this program cannot show: the replacement character of Unicode."""

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that look like nothing."""


def _visible(text: str) -> str:
    """Keep names to what can be seen, so that no two that differ look the same.

    Marks that do not become part of a letter could be stacked, or hidden, on any other.
    """
    composed = unicodedata.normalize("NFC", text)
    if any(unicodedata.category(sign)[0] == "M" or sign in BLANK for sign in composed):
        raise ValueError("not visible")
    if not any(sign.isalnum() for sign in composed):
        raise ValueError("nothing to call somebody by")
    return text


def _event(value: object) -> Event:
    return value if isinstance(value, Event) else from_wire(value)


Printable = AfterValidator(_printable)

Name = Annotated[
    str,
    Field(min_length=1, max_length=NAME_LENGTH),
    Printable,
    AfterValidator(_trimmed),
    AfterValidator(_visible),
]
"""What a person calls themselves: something to be seen, without spaces at its ends."""

Shown = AfterValidator(_shown)

ShownName = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), Shown]
"""What the host says that somebody calls themselves, having judged it to be a Name."""

FamilyLetter: TypeAlias = Literal["r", "b", "g", "y", "v"]

FAMILY_LETTERS: Final[tuple[FamilyLetter, ...]] = ("r", "b", "g", "y", "v")
"""The order in which families are given to those who come."""


def letters_of(families: str) -> tuple[FamilyLetter, ...]:
    """Return the families of a text one by one, without what is none."""
    return tuple(letter for sign in families for letter in FAMILY_LETTERS if letter == sign)


Key = Annotated[bytes, Field(min_length=KEY_BYTES, max_length=KEY_BYTES)]

Secret = Annotated[bytes, Field(min_length=SECRET_BYTES, max_length=SECRET_BYTES)]
"""What an invitation holds besides the way: it opens a table, or a club, and names it."""

Room = Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{3}$")]
"""What a table is called among those of its server; public, the beginning of its spoken code."""

SpokenCode = Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{8}$")]
"""A table's room and its password of five signs: see `spoken.py`."""

Share = Annotated[bytes, Field(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]

Proof = Annotated[bytes, Field(min_length=PROOF_BYTES, max_length=PROOF_BYTES)]

BotName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,20}$")]

Code = Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+(\.[a-z_]+)?$")]
"""A reason that `refusals.py` has a sentence for."""

_Word = Annotated[str, Field(max_length=60), Shown]
_Number = Annotated[int, Field(ge=0, le=999_999_999)]

Values = Annotated[
    dict[
        Annotated[str, Field(pattern=r"^[a-z]{1,20}$")],
        _Word | _Number | Annotated[tuple[_Word | _Number, ...], Field(max_length=MAXIMUM_STACKS)],
    ],
    Field(max_length=6),
]
"""What is to be filled into a reason's sentence."""

Revision = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""Counts what has happened at a table; it never goes back, also not from game to game."""

ActNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
"""Counts one person's acts, so that one which is sent twice counts once."""

SentEvent = Annotated[
    Event,
    PlainValidator(_event),
    PlainSerializer(to_wire, return_type=WireEvent),
]
"""An event of the engine, projected for the receiver; see `wire_events.py` for its data."""
