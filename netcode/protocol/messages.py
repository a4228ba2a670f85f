"""The messages of the core of the protocol, and the unions of those that a client and a host send.

The structs say all about the shape of a message, and nothing about when it makes sense, which
`table.py` and `session.py` judge. What no type can say of a text, each `__post_init__` says.
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
    MAXIMUM_RECORD,
    MAXIMUM_SPECTATORS,
    ActNumber,
    BeforeTable,
    BotName,
    Code,
    FamilyLetter,
    Key,
    Message,
    Name,
    Phase,
    PhraseName,
    Proof,
    Revision,
    Room,
    Secret,
    Share,
    ShownName,
    Spoken,
    SpokenCode,
    Strict,
    Values,
    is_name,
    require,
)
from netcode.protocol.table_settings import MAXIMUM_CLOCK_S, TableSettings
from netcode.protocol.version import VERSION
from netcode.protocol.wire_events import SentEvent


class Knock(BeforeTable, frozen=True, kw_only=True):
    """Begin to prove that one knows a table's spoken code, which itself is never sent."""

    protocol: Spoken
    room: Room
    share: Share


class Prove(BeforeTable, frozen=True):
    """Prove that one knows the spoken code, after the host's Knocked."""

    proof: Proof


class Knocked(Message, frozen=True):
    """The answer to a Knock: the host's side of SPAKE2. It says nothing about the code yet."""

    share: Share


_Players = Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)]

PROTOCOL: Final = 1
"""Version of the protocol; it goes up whenever an older program could not take part any more."""

PROGRAM: Final = f"driflamme {VERSION}"
"""How this program introduces itself; for people to read, nothing depends on it."""


Away: TypeAlias = Literal["no", "grace", "wait", "bot"]
"""Whether a seat's person is away, and what for: nobody (`no`), a connection that may be back in
seconds (`grace`), one for whom the host lets everybody wait (`wait`), one for whom a bot
answers (`bot`). With `bot` the person may be present too, but has let the clock run out."""


class SeatInfo(Strict, frozen=True, kw_only=True):
    """A seat as everybody sees it."""

    family: FamilyLetter
    name: ShownName
    second: FamilyLetter | None = None
    """The family that it has besides at a table for two, opposite; None at any other."""
    bot: BotName | None = None
    """The kind of bot that plays it; None for a person."""
    ready: bool = False
    present: bool = True
    away: Away = "no"
    admits: bool = False
    """Whether its person, who is away, may come back by name alone, as from another machine."""
    host: bool = False


class Reason(Strict, frozen=True, kw_only=True):
    """The code of a reason, and what to fill into its sentence of `refusal_sentences.py`."""

    code: Code
    values: Values = field(default_factory=dict)


# From a client


class Hello(Message, frozen=True, kw_only=True):
    """The first message: who is there, to which table they come, and how they speak.

    A key resumes a seat, or is the owner's. Without a secret one comes to the only table of a
    server which lets everybody in who reaches it. With the secret of a club one is told of its
    tables instead, and says hello again to one of them. In every version of the protocol `type` and
    `protocol` are where they are here, so that a mismatch can be told from nonsense.
    """

    protocol: Spoken
    program: Annotated[str, Meta(max_length=40)]
    name: Name
    spectator: bool = False
    key: Key | None = None
    secret: Secret | None = None

    def __post_init__(self) -> None:
        require("program", self.program.isprintable())
        require("name", is_name(self.name))


class ChooseFamily(Message, frozen=True):
    """Take another family, or as a spectator a free seat with it; in the lobby."""

    family: FamilyLetter


class Rename(Message, frozen=True):
    """Take another name; seated, in the lobby."""

    name: Name

    def __post_init__(self) -> None:
        require("name", is_name(self.name))


class SetReady(Message, frozen=True):
    """Be ready or not: in the lobby for the game, after a game for another one."""

    ready: bool
    game_key: Key | None = None
    """At a sealed table: the public key for the game to come."""


class AddBot(Message, frozen=True):
    """Give the next free seat to a bot; the host, in the lobby."""

    bot: BotName


class ChangeBot(Message, frozen=True, kw_only=True):
    """Replace the bot in a seat by one of another kind; the host, in the lobby."""

    family: FamilyLetter
    bot: BotName


class Remove(Message, frozen=True):
    """Free the seat of a bot or a person; the host, in the lobby."""

    family: FamilyLetter


class ChangeSettings(Message, frozen=True):
    """Change how games are played here; the host, in the lobby."""

    settings: TableSettings


class Start(Message, frozen=True):
    """Start a game; the host, in the lobby or after a game. It counts as the host's ready."""

    count_s: Annotated[int, Meta(ge=0, le=MAXIMUM_COUNT_S)] = 0
    """Seconds to wait first, in the lobby; stopped if somebody leaves or is not ready."""
    game_key: Key | None = None
    """As in SetReady."""


class StopCount(Message, frozen=True):
    """Stop the count to the start of a game; the host."""


class Act(Message, frozen=True, kw_only=True):
    """Answer the question that one is asked."""

    number: ActNumber
    revision: Revision
    """Of the State that is being answered."""
    action: Annotated[str, Meta(min_length=1, max_length=8)]
    """A token of the notation."""


class Chat(Message, frozen=True):
    """Say something to everybody at the table; what cannot be printed is left out."""

    text: Annotated[str, Meta(max_length=CHAT_LENGTH)] = ""
    phrase: PhraseName | None = None
    """A quick phrase, in the place of a text."""

    def __post_init__(self) -> None:
        require("text", bool(self.text) == (self.phrase is None))


class Mute(Message, frozen=True, kw_only=True):
    """Keep somebody from chatting, or allow it again; the host."""

    name: ShownName
    """As in the host's Lobby."""
    muted: bool


class Pause(Message, frozen=True):
    """Pause the game, or go on; the host, in a game."""

    paused: bool


class Silence(Message, frozen=True):
    """Keep all spectators from chatting, or allow it again; the host."""

    silenced: bool


class SendAway(Message, frozen=True):
    """Send a player or a spectator away; the host. In a game a bot has their seat from then on."""

    name: ShownName
    """As in the host's Lobby."""


class NewInvitation(Message, frozen=True):
    """Make a new invitation; the host. The old link and code let in only those who have a seat."""


class NewCode(Message, frozen=True):
    """Make a new spoken code; the host, after a Guessing. The link stays as it is."""


class EndGame(Message, frozen=True):
    """End the game, which stays unfinished, and go back to the lobby; the host, in a game."""


class Absent(Message, frozen=True, kw_only=True):
    """Decide about a seat whose person is away; the host, in a game.

    `wait` stops the game at their decisions, `bot` answers for them until they are back. That is
    also for somebody present who has left a question unanswered for long. `admit`, also after a
    game, gives the seat to who next comes by its name without a key, as from another machine.
    """

    family: FamilyLetter
    choice: Literal["wait", "bot", "admit"]


class Here(Message, frozen=True):
    """Take one's seat back from a bot that stands in although its person is there."""


class BackToLobby(Message, frozen=True):
    """Go from a result back to the lobby; the host."""


class Leave(Message, frozen=True):
    """Leave the table for good."""


# From the host, before a Welcome


class Admitted(Message, frozen=True, kw_only=True):
    """The way into a table: the answer to a Prove that was right, or of a wing."""

    secret: Secret
    """What to say hello with."""
    proof: Proof | None = None
    """That the host knows the code too; with it the certificate is the right one."""
    key: Key | None = None
    """The key to one's seat, if a wing gives one out."""


# From the host


class Welcome(Message, frozen=True, kw_only=True):
    """The answer to a Hello that was accepted; a Lobby follows, and a State if there is a game."""

    protocol: Spoken
    program: Annotated[str, Meta(max_length=40)]
    family: FamilyLetter | None
    """None for a spectator."""
    key: Key
    """Resumes the seat, or the spectator's place, on another connection."""
    host: bool
    acted: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The number of the seat's last act that counted; the next one has a higher number."""


class Lobby(Message, frozen=True, kw_only=True):
    """Everything about the table but the game, whenever any of it changed, in every phase."""

    phase: Phase
    seats: Annotated[tuple[SeatInfo, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """In seat order, which is clockwise."""
    spectators: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_SPECTATORS)]
    settings: TableSettings
    missing: Reason | None
    """Why no game can be started; None if one can, or is under way."""
    muted: Annotated[
        tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS + MAXIMUM_SPECTATORS)
    ] = ()
    """Who may not chat."""
    silenced: bool = False
    """Whether no spectator may."""
    paused: bool = False
    """Whether the host has stopped the game for a while."""
    count_s: Annotated[int, Meta(ge=1, le=MAXIMUM_COUNT_S)] | None = None
    """How many seconds are counted to the start of a game; None while that is not so."""
    evening: Evening = Evening()
    """The games that came to their end at this table, and everybody's standing."""
    invitation: Annotated[str, Meta(max_length=MAXIMUM_LINK)]
    """The link that others join with; empty if there is nothing to tell."""
    code: SpokenCode | None = None
    """What can be said aloud instead; None if there is no code."""
    secret: Secret | None = None
    """What to say hello with from now on; None if nobody needs a secret."""
    ended_by: ShownName | None = None
    """In a lobby: who ended the game that was before; None unless somebody did."""
    dealing: _Players | None = None
    """Whose part of a sealed deal is missing, as the host says; None if nothing is dealt."""
    carriers: _Players = ()
    """Those who are there and allow that a sealed table goes on at their machines."""
    you: FamilyLetter | None
    """The receiver's family, which may change in the lobby; None for a spectator."""
    host: bool
    """Whether the receiver is the host."""

    @property
    def own_seat(self) -> SeatInfo | None:
        """The receiver's seat; None for a spectator."""
        return next((seat for seat in self.seats if seat.family == self.you), None)

    @property
    def host_name(self) -> str:
        """What the host is called; empty if nobody is."""
        return next((seat.name for seat in self.seats if seat.host), "")


class State(Message, frozen=True, kw_only=True):
    """The game as the receiver may know it, after every action."""

    revision: Revision
    view: Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[!-~ ]+\Z")]
    """In the notation."""
    you: FamilyLetter | None
    """Whose eyes these are; None for a spectator."""
    second: FamilyLetter | None = None
    """The receiver's other family at a table for two, whose eyes these are too."""
    first_event: Annotated[int, Meta(ge=0, le=MAXIMUM_EVENTS)]
    """The index, in the whole game, of the first event here; 0 brings the whole game."""
    step: Annotated[int, Meta(ge=0, le=MAXIMUM_EVENTS)] = 0
    """The number of decisions so far."""
    events: Annotated[tuple[SentEvent, ...], Meta(max_length=MAXIMUM_EVENTS)]


class GameRecord(Message, frozen=True, kw_only=True):
    """A whole game that is over, every card included: follows the State that ended it."""

    revision: Revision
    """Of that State."""
    record: Annotated[str, Meta(max_length=MAXIMUM_RECORD)]
    """One line of JSON, as in a file of games, without when it was."""


class Clock(Message, frozen=True, kw_only=True):
    """How much time is left for the answer; follows each State if the table has a clock."""

    revision: Revision
    """Of the State whose question it is about."""
    left_ms: Annotated[int, Meta(ge=0, le=MAXIMUM_CLOCK_S * 1000)]
    running: bool
    """False while the game is paused, and while nobody's time runs."""


class Line(Strict, frozen=True, kw_only=True):
    """A line of chat."""

    name: ShownName
    family: FamilyLetter | None
    """None for a spectator."""
    text: Annotated[str, Meta(max_length=CHAT_LENGTH)] = ""
    phrase: PhraseName | None = None
    """A quick phrase, in the place of a text."""

    def __post_init__(self) -> None:
        require("text", bool(self.text) == (self.phrase is None))


class Talk(Message, frozen=True, kw_only=True):
    """What has been said at the table: a new line, or after a Welcome the last ones."""

    first: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    """The index of the first line here among all that were ever said."""
    lines: Annotated[tuple[Line, ...], Meta(max_length=MAXIMUM_LINES)]


class Guessing(Message, frozen=True):
    """Somebody is guessing the table's spoken code; only the host receives it."""

    wrong: Annotated[int, Meta(ge=0, le=1_000_000)]
    """Number of wrong guesses since the code was made, when it was told; 0 after a new code."""


class Refused(Reason, Message, frozen=True, kw_only=True):
    """What the receiver asked for was not done, and nothing has changed."""

    number: ActNumber | None = None
    """Of the Act that this answers."""


class Goodbye(Reason, Message, frozen=True, kw_only=True):
    """The last message of a connection. Its shape is the same in every version."""


AdmissionMessage: TypeAlias = Knock | Prove
"""What a client may say before it is at a table, besides Hello."""

TableRequest: TypeAlias = (
    ChooseFamily
    | Rename
    | SetReady
    | AddBot
    | ChangeBot
    | Remove
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
    | Here
    | BackToLobby
)
"""What anybody at a table may ask of it, apart from answers in the game."""

TableMessage: TypeAlias = Hello | TableRequest | Act | Leave
"""What a client may say to a table."""

ClientMessage: TypeAlias = AdmissionMessage | TableMessage
"""Everything that a client may say to the core."""

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
"""Everything that a host may say for the core."""
