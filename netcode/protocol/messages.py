"""Defines the messages of the core, and the unions of client messages and of host messages.

The structs define the shape of messages. `table.py` and `session.py` refuse messages that are not
allowed at the time. `__post_init__` has the checks that no type can express.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, field

from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.evening import Evening
from netcode.protocol.fields import (
    CHAT_LENGTH,
    MAXIMUM_COUNT_S,
    MAXIMUM_EVENTS,
    MAXIMUM_LINES,
    MAXIMUM_LINK,
    MAXIMUM_PARTS,
    MAXIMUM_RECORD,
    MAXIMUM_SHOWN,
    MAXIMUM_SPECTATORS,
    ActNumber,
    BeforeTable,
    BotName,
    Code,
    CodePrefix,
    FamilyLetter,
    Key,
    Message,
    Name,
    PartName,
    Phase,
    PhraseName,
    Proof,
    ProtocolVersion,
    Revision,
    Secret,
    Share,
    ShownName,
    ShownValue,
    SpokenCode,
    Strict,
    Values,
    is_name,
    require,
)
from netcode.protocol.table_settings import MAXIMUM_CLOCK_S, TableSettings
from netcode.protocol.version import VERSION
from netcode.protocol.wire_events import SentEvent
from netcode.protocol.wire_views import WireView


class Knock(BeforeTable, frozen=True, kw_only=True):
    """Begin to prove that the sender knows a table's spoken code, which is never sent."""

    protocol: ProtocolVersion
    prefix: CodePrefix
    share: Share


class Prove(BeforeTable, frozen=True):
    """Prove that the sender knows the spoken code; follows the host's Knocked."""

    proof: Proof


class Knocked(Message, frozen=True):
    """The answer to a Knock: the host's side of SPAKE2. It reveals nothing about the code."""

    share: Share


_Players = Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)]

PROTOCOL: Final = 1
"""The version of the protocol. It rises when programs with the earlier version can no longer take
part.
"""

PROGRAM: Final = f"driflamme {VERSION}"
"""The name and version of this program. Only people read it; programs ignore it."""


Away: TypeAlias = Literal["no", "grace", "wait", "bot"]
"""The presence of a seat's person. `no`: present. `grace`: away, only for seconds so far. `wait`:
away, and everybody waits. `bot`: a bot answers; the person may be present and have missed the time
limit.
"""


class SeatInfo(Strict, frozen=True, kw_only=True):
    """A seat as everybody sees it."""

    family: FamilyLetter
    name: ShownName
    second: FamilyLetter | None = None
    """The seat's second family, in the opposite place, at a table for two; otherwise None."""
    bot: BotName | None = None
    """The kind of bot that plays the seat; None for a person."""
    ready: bool = False
    present: bool = True
    away: Away = "no"
    admits: bool = False
    """True if the seat's absent person may return by name without a key, for example from another
    machine.
    """
    host: bool = False


class SeatWish(Strict, frozen=True):
    """A spectator's wish for a bot's seat in the running game."""

    name: ShownName
    family: FamilyLetter


ShownParts = Annotated[
    dict[
        PartName,
        Annotated[dict[PartName, ShownValue], Meta(max_length=MAXIMUM_SHOWN)],
    ],
    Meta(max_length=MAXIMUM_PARTS),
]
"""The values that wings show to everybody at a table: values by name, in a map by name of the
wing.
"""


class Reason(Strict, frozen=True, kw_only=True):
    """A reason: its code, and the values of its sentence in `refusal_sentences.py`."""

    code: Code
    values: Values = field(default_factory=dict)


# Messages from a client


class Hello(Message, frozen=True, kw_only=True):
    """The first message: the sender's name, table and protocol version.

    A key resumes a seat, or makes its owner the host. Without a secret, the sender joins the only
    table of a server that needs no secret. If the secret belongs to the whole server, the server
    may answer with a list of its tables. The sender then sends another Hello for one of them.

    `type` and `protocol` stay the same in every version, so that a host can tell another version
    from an invalid message.
    """

    protocol: ProtocolVersion
    program: Annotated[str, Meta(max_length=40)]
    name: Name
    spectator: bool = False
    key: Key | None = None
    secret: Secret | None = None

    def __post_init__(self) -> None:
        require("program", self.program.isprintable())
        require("name", is_name(self.name))


class ChooseFamily(Message, frozen=True):
    """Take another family in the lobby. A spectator takes a free seat, also after a game."""

    family: FamilyLetter


class Rename(Message, frozen=True):
    """Take another name. Only a person with a seat can do so, in the lobby."""

    name: Name

    def __post_init__(self) -> None:
        require("name", is_name(self.name))


class SetReady(Message, frozen=True):
    """Become ready for the next game, or no longer ready. Allowed in the lobby and after a game."""

    ready: bool
    game_key: Key | None = None
    """At a sealed table: the public key for the next game; otherwise None."""


class AddBot(Message, frozen=True):
    """Give the next free seat to a bot. Only the host can do so, in the lobby."""

    bot: BotName


class ChangeBot(Message, frozen=True, kw_only=True):
    """Replace a bot by another kind. Only the host can do so, in the lobby or after a game."""

    family: FamilyLetter
    bot: BotName


class Remove(Message, frozen=True):
    """Free the seat of a bot or person. Only the host can do so, in the lobby."""

    family: FamilyLetter


class MoveSeat(Message, frozen=True, kw_only=True):
    """Move a seat with its player and family. Only the host can do so, in the lobby."""

    family: FamilyLetter
    place: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
    """The new index of the seat. A higher index than the last means the last."""


class ShuffleSeats(Message, frozen=True):
    """Put the seats into a random order. Only the host can do so, in the lobby."""


class ChangeSettings(Message, frozen=True):
    """Change the settings of games. Only the host can do so, in the lobby."""

    settings: TableSettings


class Start(Message, frozen=True):
    """Become ready and start a game. Only the host can do so, in the lobby or after a game."""

    count_s: Annotated[int, Meta(ge=0, le=MAXIMUM_COUNT_S)] = 0
    """Seconds of a countdown before the game. The countdown stops if a player leaves or is not
    ready.
    """
    game_key: Key | None = None
    """At a sealed table: the public key for the next game; otherwise None."""


class StopCount(Message, frozen=True):
    """Stop the countdown to a game. Only the host can do so."""


class Act(Message, frozen=True, kw_only=True):
    """Answer the present question."""

    number: ActNumber
    revision: Revision
    """The revision of the State with the question."""
    action: Annotated[str, Meta(min_length=1, max_length=8)]
    """The token of the answer in the notation."""


class Chat(Message, frozen=True):
    """Send a line of chat to everybody at the table."""

    text: Annotated[str, Meta(max_length=CHAT_LENGTH)] = ""
    phrase: PhraseName | None = None
    """The quick phrase; None if the line is a text."""

    def __post_init__(self) -> None:
        require("text", bool(self.text) == (self.phrase is None))


class Mute(Message, frozen=True, kw_only=True):
    """Mute a person in the chat, or unmute them. Only the host can do so."""

    name: ShownName
    """The name as in the host's Lobby."""
    muted: bool


class Pause(Message, frozen=True):
    """Pause the game, or resume it. Only the host can do so, during a game."""

    paused: bool


class Silence(Message, frozen=True):
    """Mute all spectators, or unmute them. Only the host can do so."""

    silenced: bool


class SendAway(Message, frozen=True):
    """Send a person away. Only the host can do so. During a game a bot takes the person's seat."""

    name: ShownName
    """The name as in the host's Lobby."""


class NewInvitation(Message, frozen=True):
    """Make a new invitation.

    Only the host can do so, if guests need a secret. People with a seat may still use the old one.
    """


class NewCode(Message, frozen=True):
    """Make a new spoken code and keep the link. Only the host can do so, if a code exists."""


class EndGame(Message, frozen=True):
    """End the game early and return to the lobby. Only the host can do so, during a game."""


class Absent(Message, frozen=True, kw_only=True):
    """Decide about a seat whose person is away. Only the host can do so, during a game.

    `wait` pauses the game at the seat's decisions. `bot` lets a bot answer until the person
    returns. `bot` is also allowed for a present person who has left a question unanswered for long.
    `admit` is also allowed after a game: the next person with the seat's name gets the seat without
    a key, for example from another machine.
    """

    family: FamilyLetter
    choice: Literal["wait", "bot", "admit"]


class AskSeat(Message, frozen=True):
    """Ask for a bot's seat, or withdraw that wish. Only a spectator can do so, during a game.

    Depending on `TableSettings.latecomers`, the sender gets the seat at once, or the host has to
    agree. A person who has played in this game can ask only for the same seat. Once a person has
    lost a seat in this game, the host always has to agree.
    """

    family: FamilyLetter | None
    """A family of the bot; None withdraws the wish."""


class AnswerWish(Message, frozen=True, kw_only=True):
    """Give a bot's seat to a spectator who asks for it, or refuse. Only the host can do so."""

    name: ShownName
    family: FamilyLetter
    """Name and family as in the host's Lobby."""
    granted: bool


class Here(Message, frozen=True):
    """Take the seat back from a bot that answers although the sender is present."""


class BackToLobby(Message, frozen=True):
    """Return from a result to the lobby. Only the host can do so."""


class Leave(Message, frozen=True):
    """Leave the table and give up the seat."""


# Messages from the host, before a Welcome


class Admitted(Message, frozen=True, kw_only=True):
    """Admission to a table: the answer to a valid Prove, or to a message of a wing."""

    secret: Secret
    """The secret for the Hello."""
    proof: Proof | None = None
    """The host's proof that it knows the code too and owns the certificate; None without a
    Prove.
    """
    key: Key | None = None
    """The key to the receiver's seat, if a wing sends one; otherwise None."""


# Messages from the host, after a Hello


class Welcome(Message, frozen=True, kw_only=True):
    """The answer to an accepted Hello. A Lobby follows, and a State if there is a game."""

    protocol: ProtocolVersion
    program: Annotated[str, Meta(max_length=40)]
    family: FamilyLetter | None
    """The receiver's family; None for a spectator."""
    key: Key
    """The key that resumes the receiver's place on another connection."""
    host: bool
    acted: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The number of the receiver's last act that was executed. The next act needs a higher
    number.
    """


class Lobby(Message, frozen=True, kw_only=True):
    """Everything about the table except the game.

    The host sends it after every change, in every phase.
    """

    phase: Phase
    seats: Annotated[tuple[SeatInfo, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """All seats in clockwise order."""
    spectators: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_SPECTATORS)]
    settings: TableSettings
    missing: Reason | None
    """The reason why no game can start; None if one can start or is running."""
    muted: Annotated[
        tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS + MAXIMUM_SPECTATORS)
    ] = ()
    """The names of muted people."""
    silenced: bool = False
    """True if all spectators are muted."""
    paused: bool = False
    """True if the host has paused the game."""
    wishes: Annotated[tuple[SeatWish, ...], Meta(max_length=MAXIMUM_SPECTATORS)] = ()
    """The wishes of spectators for the seats of bots, oldest first. The host answers them."""
    count_s: Annotated[int, Meta(ge=1, le=MAXIMUM_COUNT_S)] | None = None
    """Seconds of a countdown to a game; None without one."""
    evening: Evening = Evening()
    """The finished games at this table, and all standings."""
    invitation: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The link for other people to join; "" if there is none."""
    code: SpokenCode | None = None
    """The spoken code; None if the table has none."""
    secret: Secret | None = None
    """The secret that further Hellos need; None if they need none."""
    ended_by: ShownName | None = None
    """In a lobby after a game that ended early: the person who ended it; otherwise None."""
    dealing: _Players | None = None
    """The players whose part of a sealed deal is missing, according to the host; None if there is
    no deal.
    """
    successors: _Players = ()
    """The present players whose machines could take over a sealed table."""
    parts: ShownParts = field(default_factory=dict)
    """The values that the host's wings show at every table, by name of the wing."""
    you: FamilyLetter | None
    """The receiver's family; None for a spectator."""
    host: bool
    """True if the receiver is the host."""

    @property
    def your_seat(self) -> SeatInfo | None:
        """The receiver's seat; None for a spectator."""
        return next((seat for seat in self.seats if seat.family == self.you), None)

    @property
    def host_name(self) -> str:
        """The name of the host; "" if there is none."""
        return next((seat.name for seat in self.seats if seat.host), "")


class State(Message, frozen=True, kw_only=True):
    """The game as the receiver may know it. The host sends it after every action."""

    revision: Revision
    view: WireView
    you: FamilyLetter | None
    """The family of the view's reader; None for a spectator."""
    second: FamilyLetter | None = None
    """The receiver's other family at a table for two; the view also shows its cards."""
    first_event: Annotated[int, Meta(ge=0, le=MAXIMUM_EVENTS)]
    """The index of the first event here among all events of the game; with 0 all events are
    here.
    """
    step: Annotated[int, Meta(ge=0, le=MAXIMUM_EVENTS)] = 0
    """The number of decisions so far in the game."""
    events: Annotated[tuple[SentEvent, ...], Meta(max_length=MAXIMUM_EVENTS)]
    overdue: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=MAXIMUM_EVENTS)], ...], Meta(max_length=MAXIMUM_EVENTS)
    ] = ()
    """The decisions that a bot made because the time was up, each by the index of its first
    event.
    """


class GameRecord(Message, frozen=True, kw_only=True):
    """The record of a finished game, with every card. It follows the last State of the game."""

    revision: Revision
    """The revision of the game's last State."""
    record: Annotated[str, Meta(max_length=MAXIMUM_RECORD)]
    """One line of JSON, as in a file of games. The time of the deal is by the host's clock."""


class Clock(Message, frozen=True, kw_only=True):
    """The time left for the answer. It follows each State at a table with a clock."""

    revision: Revision
    """The revision of the State with the question."""
    left_ms: Annotated[int, Meta(ge=0, le=MAXIMUM_CLOCK_S * 1000)]
    running: bool
    """False while the game is paused, and while no player's time runs."""


class Line(Strict, frozen=True, kw_only=True):
    """A line of chat: a text or a quick phrase, with its writer."""

    name: ShownName
    family: FamilyLetter | None
    """The writer's family; None for a spectator."""
    text: Annotated[str, Meta(max_length=CHAT_LENGTH)] = ""
    phrase: PhraseName | None = None
    """The quick phrase; None if the line is a text."""

    def __post_init__(self) -> None:
        require("text", bool(self.text) == (self.phrase is None))


class Talk(Message, frozen=True, kw_only=True):
    """Lines of the table's chat: a new line, or after a Welcome the last ones."""

    first: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    """The number of the first line here, counted from 0 over all lines so far."""
    lines: Annotated[tuple[Line, ...], Meta(max_length=MAXIMUM_LINES)]


class Guessing(Message, frozen=True):
    """A warning that somebody is guessing the table's spoken code. Only the host receives it."""

    wrong: Annotated[int, Meta(ge=0, le=1_000_000)]
    """Number of wrong guesses at the present code when this was sent; 0 after a new code."""


class Refused(Reason, Message, frozen=True, kw_only=True):
    """A request was refused and has changed nothing."""

    number: ActNumber | None = None
    """The number of the refused Act; None for another request."""


class Goodbye(Reason, Message, frozen=True, kw_only=True):
    """The last message of a connection, with the reason. Its shape is the same in every version."""


AdmissionMessage: TypeAlias = Knock | Prove
"""The messages by which a client without an invitation proves that it knows a table's code."""

TableRequest: TypeAlias = (
    ChooseFamily
    | Rename
    | SetReady
    | AddBot
    | ChangeBot
    | Remove
    | MoveSeat
    | ShuffleSeats
    | ChangeSettings
    | Start
    | StopCount
    | Chat
    | Mute
    | Silence
    | SendAway
    | NewInvitation
    | NewCode
    | Pause
    | EndGame
    | Absent
    | AskSeat
    | AnswerWish
    | Here
    | BackToLobby
)
"""The requests of a client to its table, except answers in the game."""

TableMessage: TypeAlias = Hello | TableRequest | Act | Leave
"""The messages of a client to its table."""

ClientMessage: TypeAlias = AdmissionMessage | TableMessage
"""All messages of clients that the core handles."""

HostMessage: TypeAlias = (
    Knocked
    | Admitted
    | Welcome
    | Lobby
    | State
    | GameRecord
    | Clock
    | Talk
    | Guessing
    | Refused
    | Goodbye
)
"""All messages of hosts that the core sends."""
