"""The protocol: one strict, frozen model per message, told apart by its `type`.

The models say everything about the shape of a message: which fields, of which type, within
which bounds. They say nothing about when a message makes sense, which is for `table.py` and
`session.py` to judge, nor about bytes, which are for `codec.py`.

Numbers are bounded integers, never floats: pydantic's strict mode takes an int for a float,
and for `Literal[1]` it takes True.
"""

import unicodedata
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

from engine.cards import MAXIMUM_PLAYERS, MAXIMUM_STACKS
from engine.events import Event
from netcode.wire_events import WireEvent, from_wire, to_wire

PROTOCOL: Final = 1
"""Goes up whenever an older program could not take part any more."""

NAME_LENGTH: Final = 20
"""Most characters in a player's name: what a seat has room for on an 80-column screen."""

KEY_BYTES: Final = 32
"""Length of a key to a seat; 256 random bits cannot be guessed over a network."""

MAXIMUM_SPECTATORS: Final = 10
"""More would make each action's work depend on people who do not play."""

MAXIMUM_EVENTS: Final = 1024
"""Of a whole game, which may come in one message; games of five have some two hundred."""

MAXIMUM_PACE_MS: Final = 5_000
DEFAULT_PACE_MS: Final = 900


def _program() -> str:
    try:
        return f"driflamme {version('driflamme')}"
    except PackageNotFoundError:
        return "driflamme"


PROGRAM: Final = _program()
"""How this program introduces itself; for people to read, nothing depends on it."""


def _printable(text: str) -> str:
    """Keep control characters, and so terminal escapes, away from everybody's screens."""
    if not text.isprintable():
        raise ValueError("not printable")
    return text


def _trimmed(text: str) -> str:
    if text != " ".join(text.split(" ")).strip() or "  " in text:
        raise ValueError("spaces at an end")
    return text


_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that look like nothing."""


def _visible(text: str) -> str:
    """Keep names to what can be seen, so that no two that differ look the same.

    Marks that do not become part of a letter could be stacked, or hidden, on any other.
    """
    composed = unicodedata.normalize("NFC", text)
    if any(unicodedata.category(sign)[0] == "M" or sign in _BLANK for sign in composed):
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

FamilyLetter: TypeAlias = Literal["r", "b", "g", "y", "v"]

Key = Annotated[bytes, Field(min_length=KEY_BYTES, max_length=KEY_BYTES)]

BotName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,20}$")]

Code = Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+(\.[a-z_]+)?$")]
"""A reason that `refusals.py` has a sentence for."""

_Word = Annotated[str, Field(max_length=60), Printable]
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


class Strict(BaseModel):
    """What all data of the protocol shares: nothing is converted, nothing extra is let in."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class TableSettings(Strict):
    """What the host decides about the games of a table."""

    edition: Annotated[int, Field(ge=1, le=2)] = 2
    first: Literal["random"] | FamilyLetter = "random"
    """Who is the first player of round 1."""
    direction: Literal["right", "left"] = "right"
    """Towards which side the Queue is shown to go on: `right` has position 1 on the left."""
    pace_ms: Annotated[int, Field(ge=0, le=MAXIMUM_PACE_MS)] = DEFAULT_PACE_MS
    """The pause before a bot's answer, so that people can follow."""


class SeatInfo(Strict):
    """A seat as everybody sees it."""

    family: FamilyLetter
    name: Name
    bot: BotName | None = None
    """The kind of bot that plays it; None for a person."""
    ready: bool = False
    present: bool = True
    host: bool = False


class Reason(Strict):
    """A code of `refusals.py` and what to fill into its sentence."""

    code: Code
    values: Values = {}


# From a client


class Hello(Strict):
    """The first message: who is there, and how they speak.

    A key resumes a seat, or is the owner's. In every version of the protocol `type` and
    `protocol` are where they are here, so that a mismatch can be told from nonsense.
    """

    type: Literal["hello"] = "hello"
    protocol: Annotated[int, Field(ge=0, le=65_535)]
    program: Annotated[str, Field(max_length=40), Printable]
    name: Name
    spectator: bool = False
    key: Key | None = None


class ChooseFamily(Strict):
    """Take another family; in the lobby."""

    type: Literal["choose_family"] = "choose_family"
    family: FamilyLetter


class SetReady(Strict):
    """Say whether one is ready: for the game in the lobby, for another one after a game."""

    type: Literal["set_ready"] = "set_ready"
    ready: bool


class AddBot(Strict):
    """Let a bot take a seat; the host, in the lobby."""

    type: Literal["add_bot"] = "add_bot"
    bot: BotName


class Remove(Strict):
    """Free a seat of its bot or person; the host, in the lobby."""

    type: Literal["remove"] = "remove"
    family: FamilyLetter


class ChangeSettings(Strict):
    """Decide about the games to come; the host, in the lobby."""

    type: Literal["change_settings"] = "change_settings"
    settings: TableSettings


class Start(Strict):
    """Start a game; the host, in the lobby or after a game. It counts as the host's ready."""

    type: Literal["start"] = "start"


class Act(Strict):
    """Answer the question that one is asked."""

    type: Literal["act"] = "act"
    number: ActNumber
    revision: Revision
    """Of the State that is being answered."""
    action: Annotated[str, Field(min_length=1, max_length=8)]
    """A token of the notation."""


class BackToLobby(Strict):
    """Go from a result back to the lobby; the host."""

    type: Literal["back_to_lobby"] = "back_to_lobby"


class Leave(Strict):
    """Leave the table for good."""

    type: Literal["leave"] = "leave"


# From the host


class Welcome(Strict):
    """The answer to a Hello that was accepted; a Lobby follows, and a State if there is a game."""

    type: Literal["welcome"] = "welcome"
    protocol: Annotated[int, Field(ge=0, le=65_535)]
    program: Annotated[str, Field(max_length=40), Printable]
    family: FamilyLetter | None
    """None for a spectator."""
    key: Key
    """Resumes the seat, or the spectator's place, once."""
    host: bool
    acted: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    """The number of the seat's last act that counted; the next one has a higher number."""


class Lobby(Strict):
    """Everything about the table but the game, whenever any of it changed, in every phase."""

    type: Literal["lobby"] = "lobby"
    phase: Literal["lobby", "playing", "result"]
    seats: Annotated[tuple[SeatInfo, ...], Field(max_length=MAXIMUM_PLAYERS)]
    """In seat order, which is clockwise."""
    spectators: Annotated[tuple[Name, ...], Field(max_length=MAXIMUM_SPECTATORS)]
    settings: TableSettings
    missing: Reason | None
    """Why no game can be started; None if one can, and while one is under way."""
    invitation: Annotated[str, Field(max_length=200), Printable]
    """What others type to join; empty if there is nothing to tell."""
    you: FamilyLetter | None
    """The receiver's family, which may change in the lobby; None for a spectator."""
    host: bool
    """Whether the receiver is the host."""


class State(Strict):
    """The game as the receiver may know it, after every action."""

    type: Literal["state"] = "state"
    revision: Revision
    view: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[!-~ ]+$")]
    """In the notation."""
    you: FamilyLetter | None
    """Whose eyes these are; None for a spectator."""
    first_event: Annotated[int, Field(ge=0, le=MAXIMUM_EVENTS)]
    """The index, in the whole game, of the first event here; 0 brings the whole game."""
    events: Annotated[tuple[SentEvent, ...], Field(max_length=MAXIMUM_EVENTS)]


class Refused(Strict):
    """What the receiver asked for was not done, and nothing has changed."""

    type: Literal["refused"] = "refused"
    code: Code
    values: Values = {}
    number: ActNumber | None = None
    """Of the Act that this answers."""


class Goodbye(Strict):
    """The last message of a connection. Its shape is the same in every version."""

    type: Literal["goodbye"] = "goodbye"
    code: Code
    values: Values = {}


ClientMessage: TypeAlias = (
    Hello
    | ChooseFamily
    | SetReady
    | AddBot
    | Remove
    | ChangeSettings
    | Start
    | Act
    | BackToLobby
    | Leave
)

HostMessage: TypeAlias = Welcome | Lobby | State | Refused | Goodbye
