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

PROTOCOL: Final = 2
"""Goes up whenever an older program could not take part any more."""

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
    clock_s: Annotated[int, Field(ge=0, le=MAXIMUM_CLOCK_S)] = 0
    """Seconds for a decision, after which a bot decides; 0 for as long as one likes."""


Away: TypeAlias = Literal["no", "grace", "wait", "bot"]
"""Whether a seat's person is away, and what for: nobody (`no`), a connection that may be back in
seconds (`grace`), one for whom the host lets everybody wait (`wait`), one for whom a bot
answers (`bot`). With `bot` the person may be present too, but has let the clock run out."""


class SeatInfo(Strict):
    """A seat as everybody sees it."""

    family: FamilyLetter
    name: ShownName
    bot: BotName | None = None
    """The kind of bot that plays it; None for a person."""
    ready: bool = False
    present: bool = True
    away: Away = "no"
    host: bool = False


class Reason(Strict):
    """A code of `refusals.py` and what to fill into its sentence."""

    code: Code
    values: Values = {}


# From a client, before its Hello


class Knock(Strict):
    """Begin to prove that one knows a table's spoken code, which itself is never sent."""

    type: Literal["knock"] = "knock"
    protocol: Annotated[int, Field(ge=0, le=65_535)]
    room: Room
    share: Share


class Prove(Strict):
    """Prove it, after the host's Knocked."""

    type: Literal["prove"] = "prove"
    proof: Proof


class OpenTable(Strict):
    """Open a table of a club; after a Hello with the club's secret."""

    type: Literal["open_table"] = "open_table"
    settings: TableSettings


# From a client


class Hello(Strict):
    """The first message: who is there, to which table they come, and how they speak.

    A key resumes a seat, or is the owner's. Without a secret one comes to the only table of a
    server which lets everybody in who reaches it. With the secret of a club one is told of its
    tables instead, and says hello again to one of them. In every version of the protocol `type` and
    `protocol` are where they are here, so that a mismatch can be told from nonsense.
    """

    type: Literal["hello"] = "hello"
    protocol: Annotated[int, Field(ge=0, le=65_535)]
    program: Annotated[str, Field(max_length=40), Printable]
    name: Name
    spectator: bool = False
    key: Key | None = None
    secret: Secret | None = None


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


class Chat(Strict):
    """Say something to everybody at the table; what cannot be printed is left out."""

    type: Literal["chat"] = "chat"
    text: Annotated[str, Field(min_length=1, max_length=CHAT_LENGTH)]


class Mute(Strict):
    """Let somebody chat no more, or again; the host."""

    type: Literal["mute"] = "mute"
    name: ShownName
    """As in the host's Lobby."""
    muted: bool


class Pause(Strict):
    """Stop the game for a while, or go on; the host, in a game."""

    type: Literal["pause"] = "pause"
    paused: bool


class Absent(Strict):
    """Decide about a seat whose person is away; the host, in a game.

    `wait` stops the game at their decisions, `bot` answers for them until they are back, and
    `remove` gives the seat to a bot for good.
    """

    type: Literal["absent"] = "absent"
    family: FamilyLetter
    choice: Literal["wait", "bot", "remove"]


class Here(Strict):
    """Take one's seat back from the bot that stands in because the clock had run out."""

    type: Literal["here"] = "here"


class BackToLobby(Strict):
    """Go from a result back to the lobby; the host."""

    type: Literal["back_to_lobby"] = "back_to_lobby"


class Leave(Strict):
    """Leave the table for good."""

    type: Literal["leave"] = "leave"


# From the host, before a Welcome


class Knocked(Strict):
    """The answer to a Knock: the host's side of SPAKE2. It says nothing about the code yet."""

    type: Literal["knocked"] = "knocked"
    share: Share


class Admitted(Strict):
    """The way into a table: the answer to a Prove that was right, and to an OpenTable."""

    type: Literal["admitted"] = "admitted"
    secret: Secret
    """What to say hello with."""
    proof: Proof | None = None
    """That the host knows the code too; with it the certificate is the right one."""


class TableInfo(Strict):
    """A table of a club, as its members see it from outside."""

    room: Room
    secret: Secret
    phase: Literal["lobby", "playing", "result"]
    edition: Annotated[int, Field(ge=1, le=2)]
    names: Annotated[tuple[ShownName, ...], Field(max_length=MAXIMUM_PLAYERS)]
    """Of those who have a seat."""
    asleep: bool = False
    """Whether nobody is there, and the table waits to be woken by whoever comes."""


class Club(Strict):
    """The tables of a club: the answer to a Hello with the club's secret."""

    type: Literal["club"] = "club"
    tables: Annotated[tuple[TableInfo, ...], Field(max_length=MAXIMUM_TABLES)]


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
    spectators: Annotated[tuple[ShownName, ...], Field(max_length=MAXIMUM_SPECTATORS)]
    settings: TableSettings
    missing: Reason | None
    """Why no game can be started; None if one can, and while one is under way."""
    muted: Annotated[
        tuple[ShownName, ...], Field(max_length=MAXIMUM_PLAYERS + MAXIMUM_SPECTATORS)
    ] = ()
    """Who may not chat."""
    paused: bool = False
    """Whether the host has stopped the game for a while."""
    invitation: Annotated[str, Field(max_length=200), Printable]
    """The link that others join with; empty if there is nothing to tell."""
    code: SpokenCode | None = None
    """What can be said aloud instead; None if there is no code."""
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


class Clock(Strict):
    """How long whoever is asked may still take; follows each State if the table has a clock."""

    type: Literal["clock"] = "clock"
    revision: Revision
    """Of the State whose question it is about."""
    left_ms: Annotated[int, Field(ge=0, le=MAXIMUM_CLOCK_S * 1000)]
    running: bool
    """False while the game is paused, and while nobody's time runs."""


class Line(Strict):
    """A line of chat."""

    name: ShownName
    family: FamilyLetter | None
    """None for a spectator."""
    text: Annotated[str, Field(min_length=1, max_length=CHAT_LENGTH), Shown]


class Talk(Strict):
    """What has been said at the table: a new line, or after a Welcome the last ones."""

    type: Literal["talk"] = "talk"
    first: Annotated[int, Field(ge=0, le=2**31 - 1)]
    """The index of the first line here among all that were ever said."""
    lines: Annotated[tuple[Line, ...], Field(max_length=MAXIMUM_LINES)]


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


DoorMessage: TypeAlias = Knock | Prove | OpenTable
"""What a client may say before it is at a table, besides Hello."""

TableMessage: TypeAlias = (
    Hello
    | ChooseFamily
    | SetReady
    | AddBot
    | Remove
    | ChangeSettings
    | Start
    | Act
    | Chat
    | Mute
    | Pause
    | Absent
    | Here
    | BackToLobby
    | Leave
)
"""What a table is told."""

ClientMessage: TypeAlias = DoorMessage | TableMessage

HostMessage: TypeAlias = (
    Knocked | Admitted | Club | Welcome | Lobby | State | Clock | Talk | Refused | Goodbye
)
