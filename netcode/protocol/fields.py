"""What the fields of messages may hold: bounds, each with its reason, and types made of them."""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Meta, Struct, convert

from engine.cards import MAXIMUM_STACKS
from engine.words import Text
from netcode.registry import brought

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

PhraseName: TypeAlias = Literal[
    "bluff", "trap", "dare", "nothing", "touch", "lucky", "clever", "revenge", "hurry", "thanks"
]
"""Type of the name of a quick phrase, which each reader is shown in their own language."""

MAXIMUM_LINES: Final = 50
"""Most lines of chat that are kept for those who come back, all in one message."""

MAXIMUM_COUNT_S: Final = 10
"""Longest count to the start of a game, for those who are not ready after all."""

MAXIMUM_SPECTATORS: Final = 10
"""Most spectators of a table: each costs work with every action of those who play."""

MAXIMUM_EVENTS: Final = 1024
"""Most events of a game, which may all come in one message; games of five have some two hundred."""

MAXIMUM_RECORD: Final = 50_000
"""Most characters of a game that is told whole at its end; games of five have some 3,000."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""Type of what a person calls themselves; `is_name` says whether it can be seen."""

ShownName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""Type of a name that the host has found to be a Name."""

Phase: TypeAlias = Literal["lobby", "playing", "result"]
"""Whether a table's game has not begun yet, is under way, or is over and still shown."""

FamilyLetter: TypeAlias = Literal["r", "b", "g", "y", "v"]
"""Letter of a family: red, blue, green, yellow or violet."""

FAMILY_LETTERS: Final[tuple[FamilyLetter, ...]] = ("r", "b", "g", "y", "v")
"""The families, in the order in which newcomers get them."""


def letters_of(families: str) -> tuple[FamilyLetter, ...]:
    """Return the families of a text one by one, without what is none."""
    return tuple(letter for sign in families for letter in FAMILY_LETTERS if letter == sign)


Spoken = Annotated[int, Meta(ge=0, le=65_535)]
"""Type of a version of the protocol."""

Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""Type of a SHA-256."""

Key = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
"""Type of a key to a seat."""

MAXIMUM_LINK: Final = 900
"""Longest link, in signs: ten addresses, most of them numbers, and a token."""

Secret = Annotated[bytes, Meta(min_length=SECRET_BYTES, max_length=SECRET_BYTES)]
"""Type of the secret in an invitation, which opens a table or a club and tells which."""

Room = Annotated[str, Meta(pattern=r"^[0-9A-HJKMNP-TV-Z]{3}\Z")]
"""Type of the public beginning of a table's spoken code, its own on its server."""

SpokenCode = Annotated[str, Meta(pattern=r"^[0-9A-HJKMNP-TV-Z]{8}\Z")]
"""Type of a spoken code: a table's room and its password of five signs (`spoken_code.py`)."""

Share = Annotated[bytes, Meta(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]
"""Type of one side's message of SPAKE2."""

Proof = Annotated[bytes, Meta(min_length=PROOF_BYTES, max_length=PROOF_BYTES)]
"""Type of the proof that one came to the same key of SPAKE2."""

BotName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,20}\Z")]
"""Type of the name of a kind of bot."""

Code = Annotated[str, Meta(max_length=40, pattern=r"^[a-z_]+(\.[a-z_]+)?\Z")]
"""Type of the code of a reason, for which `refusal_sentences.py` has a sentence."""

_Word = Annotated[str, Meta(max_length=60)]
_Number = Annotated[int, Meta(ge=0, le=999_999_999)]

Values = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"^[a-z]{1,20}\Z")],
        _Word | _Number | Annotated[tuple[_Word | _Number, ...], Meta(max_length=MAXIMUM_STACKS)],
    ],
    Meta(max_length=6),
]
"""Type of what is filled into a reason's sentence."""

Revision = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""Type of the count of what has happened at a table, which never goes back."""

ActNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""Type of the count of one person's acts, by which one that is sent twice counts once."""


# What no type can say

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Letters and signs that look like nothing."""

INSTEAD: Final = "\ufffd"
"""The replacement character of Unicode, for a sign that this program cannot show."""


def is_name(text: str) -> bool:
    """Return whether somebody can be called that: something to be seen, no space at its ends.

    Nor marks that do not become part of a letter: they could be stacked, or hidden, on any other.
    """
    composed = unicodedata.normalize("NFC", text)
    return (
        1 <= len(text) <= NAME_LENGTH
        and text.isprintable()
        and text == " ".join(text.split())
        and not any(unicodedata.category(sign)[0] == "M" or sign in BLANK for sign in composed)
        and any(sign.isalnum() for sign in composed)
    )


def require(field: str, fits: bool) -> None:
    """Raise ValueError, which `failed_field` reads, unless a field fits what no type can say."""
    if not fits:
        raise ValueError(f"Unfit field `{field}`")


def shown(data: Any) -> Any:
    """Return data with `INSTEAD` for each sign of its texts that this program cannot show.

    A host with a newer version of Unicode lets some pass, which must not cost anybody the table.
    """
    if isinstance(data, str):
        if data.isprintable():
            return data
        return "".join(sign if sign.isprintable() else INSTEAD for sign in data)
    if isinstance(data, tuple):
        return tuple(map(shown, data))
    if isinstance(data, dict):
        return {name: shown(each) for name, each in data.items()}
    return data


# From data

_Kind = TypeVar("_Kind")


def checked(data: object, kind: type[_Kind]) -> _Kind:
    """Return data as a struct, strictly checked; raises msgspec's ValidationError."""
    # Else a text would be taken for bytes in Base64.
    return convert(data, kind, builtin_types=(bytes,))


def failed_field(error: Exception) -> str | None:
    """Return the outermost field of which a ValidationError complains; None if there is none.

    The name of an unknown field was the sender's choice, so it is never returned.
    """
    found = _MISFIT.search(str(error))
    return None if found is None or str(error).startswith("Object contains unknown") else found[1]


_MISFIT: Final = re.compile(r"(?:\$\.|field `)(\w+)[^`]*`\Z", re.ASCII)
"""At the end of what msgspec says: where in the data, or which field is missing there."""


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all data of the protocol: frozen, and without unknown fields."""


def tag_of(name: str) -> str:
    """Return the `type` of a message on the wire by the name of its class.

    >>> tag_of("AddBot")
    'add_bot'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(Strict, frozen=True, tag=tag_of):
    """What goes over the wire; its `type` there is its name here, in lower case: `add_bot`."""


class BeforeTable(Message, frozen=True):
    """Base of what only somebody sends or receives who has not come to a table yet."""


class ForInterpreter(Message, frozen=True):
    """Base of what an interpreter at a table handles in the place of a session."""


class TableNotice(ForInterpreter, frozen=True):
    """Base of facts about a table that a host sends once to each interpreter that asks for them."""


class Messages(NamedTuple):
    """The seam `messages`: what a wing adds to the protocol."""

    from_client: tuple[type[Message], ...]
    from_host: tuple[type[Message], ...]
    sentences: Mapping[str, Text] = MappingProxyType({})
    """The reasons of the wing, by their code."""


def wing_messages() -> tuple[Messages, ...]:
    """Return what the wings add to the protocol, in the order of their list."""
    return brought("netcode", "messages", Messages)
