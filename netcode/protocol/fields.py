"""Defines the types of message fields: bounds, with the reason for each."""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct, convert

from engine.cards import MAXIMUM_STACKS
from engine.texts import Text
from netcode.registry import wing_values

NAME_LENGTH: Final = 20
"""Maximum characters of a player's name: the width of a seat on an 80-column screen."""

KEY_BYTES: Final = 32
"""Length of a key to a seat: 256 random bits cannot be guessed over a network."""

SECRET_BYTES: Final = 12
"""Length of the secret in an invitation: 96 random bits cannot be guessed over a network."""

SHARE_BYTES: Final = 33
"""Length of a SPAKE2 message: one byte for the side, and a point of the curve."""

PROOF_BYTES: Final = 32
"""Length of a proof of the shared SPAKE2 key: an HMAC with SHA-256."""

CHAT_LENGTH: Final = 200
"""Maximum characters of a line of chat: two or three lines of its narrow column."""

PhraseName: TypeAlias = Literal[
    "bluff",
    "trap",
    "dare",
    "nothing",
    "touch",
    "lucky",
    "clever",
    "revenge",
    "hurry",
    "thanks",
    "pause",
]
"""The name of a quick phrase, which each reader sees in their own language. The phrase `pause` asks
the host for a pause.
"""

MAXIMUM_LINES: Final = 50
"""Maximum number of stored lines of chat, which newcomers receive in one message."""

MAXIMUM_COUNT_S: Final = 10
"""Maximum seconds of a countdown to a game."""

MAXIMUM_SPECTATORS: Final = 10
"""Maximum number of spectators. Each spectator costs work at every action."""

MAXIMUM_EVENTS: Final = 1024
"""Maximum number of events in a game. One message can contain all of them. A game of five players
has some two hundred.
"""

MAXIMUM_PARTS: Final = 16
"""Maximum number of wings that show something at a table."""

MAXIMUM_SHOWN: Final = 12
"""Maximum number of named values that one wing shows in the lobby."""

MAXIMUM_RECORD: Final = 50_000
"""Maximum characters of a game record. Games of five have some 3,000."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""The name of a person. `is_name` also checks that the name is visible."""

ShownName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""A name that the host has already checked."""

Phase: TypeAlias = Literal["lobby", "playing", "result"]
"""The phase of a table: before a game, during it, or at its result."""

FamilyLetter: TypeAlias = Literal["r", "b", "g", "y", "v"]
"""The letter of a family: red, blue, green, yellow or violet."""

FAMILY_LETTERS: Final[tuple[FamilyLetter, ...]] = ("r", "b", "g", "y", "v")
"""The letters of families, in the order in which newcomers get them."""


def letters_of(families: str) -> tuple[FamilyLetter, ...]:
    """Return the valid letters of families in a text."""
    return tuple(letter for sign in families for letter in FAMILY_LETTERS if letter == sign)


ProtocolVersion = Annotated[int, Meta(ge=0, le=65_535)]

Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""A SHA-256 hash."""

Key = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
"""The secret key that resumes a seat."""

MAXIMUM_LINK: Final = 900
"""Maximum characters of a link: ten addresses, most of them IP addresses, and a token."""

Secret = Annotated[bytes, Meta(min_length=SECRET_BYTES, max_length=SECRET_BYTES)]
"""The secret in an invitation. It identifies and opens a table, or a server of several tables."""

PREFIX_LENGTH: Final = 3
"""Number of characters of a prefix: 32,768 prefixes for the tables of one server."""

CODE_LENGTH: Final = 8
"""Number of characters of a spoken code."""

_CODE_CHARACTER: Final = "[0-9A-HJKMNP-TV-Z]"

CodePrefix = Annotated[str, Meta(pattern=rf"^{_CODE_CHARACTER}{{{PREFIX_LENGTH}}}\Z")]
"""The public beginning of a table's spoken code, unique on its server."""

SpokenCode = Annotated[str, Meta(pattern=rf"^{_CODE_CHARACTER}{{{CODE_LENGTH}}}\Z")]
"""A spoken code: a table's prefix, and a password of five signs (`spoken_code.py`)."""

Share = Annotated[bytes, Meta(min_length=SHARE_BYTES, max_length=SHARE_BYTES)]
"""The SPAKE2 message of one side."""

Proof = Annotated[bytes, Meta(min_length=PROOF_BYTES, max_length=PROOF_BYTES)]
"""The proof that a side has the shared SPAKE2 key."""

BotName = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,20}\Z")]
"""The name of a kind of bot."""

Code = Annotated[str, Meta(max_length=40, pattern=r"^[a-z_]+(\.[a-z_]+)?\Z")]
"""The code of a reason, for which `refusal_sentences.py` has a sentence."""

_Word = Annotated[str, Meta(max_length=60)]
_Number = Annotated[int, Meta(ge=0, le=999_999_999)]

Values = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"^[a-z]{1,20}\Z")],
        _Word | _Number | Annotated[tuple[_Word | _Number, ...], Meta(max_length=MAXIMUM_STACKS)],
    ],
    Meta(max_length=6),
]
"""The values of a reason's sentence, by name."""

PartName = Annotated[str, Meta(pattern=r"^[a-z][a-z_]{0,19}\Z")]
"""The name of a wing, an optional part of the program."""

_ShownNumber = Annotated[int, Meta(ge=0, le=2**53)]
ShownValue: TypeAlias = (
    bool
    | _ShownNumber
    | _Word
    | Annotated[tuple[_ShownNumber | _Word, ...], Meta(max_length=MAXIMUM_STACKS)]
)
"""A value that a wing shows in the lobby."""

Revision = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""The number of changes at a table. It decreases only if the host restarts."""

ActNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""The number of a person's act. An act that is sent again has the same number and counts once."""


# Checks that types cannot express

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Letters and signs that look blank."""

INSTEAD: Final = "\ufffd"
"""Unicode's replacement character, for a character that this program cannot show."""


def is_name(text: str) -> bool:
    """Return True if a text can be a name.

    A name has 1 to `NAME_LENGTH` visible characters, at least one of them a letter or digit. Spaces
    are single, and between other characters. A combining mark must form one character with its
    letter (NFC), since other marks can stack on characters or be invisible.
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
    """Raise ValueError unless `fits`. `failed_field` finds the field in the error's text."""
    if not fits:
        raise ValueError(f"Unfit field `{field}`")


def printable_data(data: Any) -> Any:
    """Return data in which `INSTEAD` replaces each character that this program cannot show.

    A host with a newer Unicode may allow such characters. They are no reason to reject its
    messages.
    """
    if isinstance(data, str):
        if data.isprintable():
            return data
        return "".join(sign if sign.isprintable() else INSTEAD for sign in data)
    if isinstance(data, tuple):
        return tuple(map(printable_data, data))
    if isinstance(data, dict):
        return {name: printable_data(each) for name, each in data.items()}
    return data


# Conversion of data

_Kind = TypeVar("_Kind")


def checked_struct(data: object, kind: type[_Kind]) -> _Kind:
    """Return data as a strictly checked struct; raises msgspec's ValidationError if it misfits."""
    # With these `builtin_types`, msgspec does not accept base64 texts as bytes.
    return convert(data, kind, builtin_types=(bytes,))


def failed_field(error: Exception) -> str | None:
    """Return the outermost field that a ValidationError names; None if it names no known field.

    The name of an unknown field is never returned, since the sender chose that name.
    """
    found = re.search(_MISFIT, str(error), flags=re.ASCII)
    return None if found is None or str(error).startswith("Object contains unknown") else found[1]


_MISFIT: Final = r"(?:\$\.|field `)(\w+)[^`]*`\Z"
"""Finds the field at the end of msgspec's error messages."""


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of all protocol data. It is frozen and allows no unknown fields."""


def tag_of(name: str) -> str:
    """Return the `type` that a message has on the wire, from the name of its class.

    >>> tag_of("AddBot")
    'add_bot'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(Strict, frozen=True, tag=tag_of):
    """A message on the wire. Its `type` is the class name in snake case: `add_bot`."""


class BeforeTable(Message, frozen=True):
    """The base class of messages that come before a connection has a table."""


class ForInterpreter(Message, frozen=True):
    """The base class of messages at a table that an interpreter handles instead of a session."""


class PartMessage(Message, frozen=True):
    """The base class of messages between a part of a table and its players.

    No session handles them.
    """


class TableNotice(ForInterpreter, frozen=True):
    """The base class of facts about a table.

    Each interpreter that needs a fact receives it once, and again when it changes.
    """


class Messages(Struct, frozen=True):
    """The seam `messages`: the messages that a wing adds."""

    from_client: tuple[type[Message], ...]
    from_host: tuple[type[Message], ...]
    sentences: Mapping[str, Text] = MappingProxyType({})
    """The sentences of the wing's reasons, by code."""
    returning: frozenset[str] = frozenset()
    """The codes of goodbyes after which the table opens again, so that its clients return."""


def wing_messages() -> tuple[Messages, ...]:
    """Return the additions of all wings to the messages, in the order of the wings' list."""
    return wing_values("netcode", "messages", Messages)
