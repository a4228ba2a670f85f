"""The protocol: one strict, frozen model per message, told apart by its `type`.

The models say everything about the shape of a message: which fields, of which type, within
which bounds. They say nothing about when a message makes sense, which is for `table.py` and
`session.py` to judge, nor about bytes, which are for `codec.py`.

Numbers are bounded integers, never floats: pydantic's strict mode takes an int for a float,
and for `Literal[1]` it takes True.
"""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from engine.cards import CARDS, FAMILIES, MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from netcode.fields import CHAT_LENGTH as CHAT_LENGTH
from netcode.fields import DEFAULT_PACE_MS as DEFAULT_PACE_MS
from netcode.fields import DEFAULT_THINK_MS as DEFAULT_THINK_MS
from netcode.fields import KEY_BYTES as KEY_BYTES
from netcode.fields import (
    MAXIMUM_ACTIONS,
    MAXIMUM_EVENTS,
    ActNumber,
    BotName,
    Code,
    Key,
    Name,
    Printable,
    Proof,
    Revision,
    Room,
    Secret,
    SentEvent,
    Share,
    Shown,
    ShownName,
    SpokenCode,
    Values,
)
from netcode.fields import MAXIMUM_CLOCK_S as MAXIMUM_CLOCK_S
from netcode.fields import MAXIMUM_LINES as MAXIMUM_LINES
from netcode.fields import MAXIMUM_PACE_MS as MAXIMUM_PACE_MS
from netcode.fields import MAXIMUM_SPECTATORS as MAXIMUM_SPECTATORS
from netcode.fields import MAXIMUM_TABLES as MAXIMUM_TABLES
from netcode.fields import MAXIMUM_THINK_MS as MAXIMUM_THINK_MS
from netcode.fields import MINIMUM_THINK_MS as MINIMUM_THINK_MS
from netcode.fields import NAME_LENGTH as NAME_LENGTH
from netcode.fields import SECRET_BYTES as SECRET_BYTES
from netcode.fields import FamilyLetter as FamilyLetter

PROTOCOL: Final = 4
"""Goes up whenever an older program could not take part any more."""


def _program() -> str:
    try:
        return f"driflamme {version('driflamme')}"
    except PackageNotFoundError:
        return "driflamme"


PROGRAM: Final = _program()
"""How this program introduces itself; for people to read, nothing depends on it."""


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
    think_ms: Annotated[int, Field(ge=MINIMUM_THINK_MS, le=MAXIMUM_THINK_MS)] = DEFAULT_THINK_MS
    """How long a bot may think about a decision, if it searches: some take a part of that."""
    clock_s: Annotated[int, Field(ge=0, le=MAXIMUM_CLOCK_S)] = 0
    """Seconds for a decision, after which a bot decides; 0 for as long as one likes."""
    two: bool = False
    """Whether two players have two families each and win by their sum, a variant."""


Away: TypeAlias = Literal["no", "grace", "wait", "bot"]
"""Whether a seat's person is away, and what for: nobody (`no`), a connection that may be back in
seconds (`grace`), one for whom the host lets everybody wait (`wait`), one for whom a bot
answers (`bot`). With `bot` the person may be present too, but has let the clock run out."""


class SeatInfo(Strict):
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
    host: bool = False


_Cards = Annotated[str, Field(pattern=rf"^[{CARDS}]{{1,{len(CARDS)}}}$")]
_Token = Annotated[str, Field(pattern=r"^[!-~]{1,8}$")]


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


class ChangeBot(Strict):
    """Let another kind of bot have the seat of one; the host, in the lobby."""

    type: Literal["change_bot"] = "change_bot"
    family: FamilyLetter
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


class Silence(Strict):
    """Let spectators chat no more, or again; the host."""

    type: Literal["silence"] = "silence"
    silenced: bool


class SendAway(Strict):
    """Send a player or a spectator away; the host. In a game a bot has their seat from then on."""

    type: Literal["send_away"] = "send_away"
    name: ShownName
    """As in the host's Lobby."""


class NewInvitation(Strict):
    """Make a new invitation, so that the old one, and its code, let nobody in; the host.

    Those who have a seat keep it, and the way back to it.
    """

    type: Literal["new_invitation"] = "new_invitation"


class EndGame(Strict):
    """End the game, which stays unfinished, and go back to the lobby; the host, in a game."""

    type: Literal["end_game"] = "end_game"


class Absent(Strict):
    """Decide about a seat whose person is away; the host, in a game.

    `wait` stops the game at their decisions, `bot` answers for them until they are back. That is
    also for somebody present who has left a question unanswered for long.
    """

    type: Literal["absent"] = "absent"
    family: FamilyLetter
    choice: Literal["wait", "bot"]


class Here(Strict):
    """Take one's seat back from the bot that stands in although one is there."""

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
    silenced: bool = False
    """Whether no spectator may."""
    paused: bool = False
    """Whether the host has stopped the game for a while."""
    invitation: Annotated[str, Field(max_length=200), Printable]
    """The link that others join with; empty if there is nothing to tell."""
    code: SpokenCode | None = None
    """What can be said aloud instead; None if there is no code."""
    secret: Secret | None = None
    """What to say hello with from now on; None if nobody needs a secret."""
    ended_by: ShownName | None = None
    """In a lobby: who ended the game that was before; None unless somebody did."""
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
    second: FamilyLetter | None = None
    """The receiver's other family at a table for two, whose eyes these are too."""
    first_event: Annotated[int, Field(ge=0, le=MAXIMUM_EVENTS)]
    """The index, in the whole game, of the first event here; 0 brings the whole game."""
    events: Annotated[tuple[SentEvent, ...], Field(max_length=MAXIMUM_EVENTS)]


class GameRecord(Strict):
    """A whole game that has come to its end, every card included: follows the State that ended it.

    Everything is open then, and everybody who was there may keep the game.
    """

    type: Literal["game_record"] = "game_record"
    revision: Revision
    """Of that State."""
    settings: TableSettings
    families: Annotated[
        str, Field(pattern=rf"^[{FAMILIES}]{{{MINIMUM_PLAYERS},{MAXIMUM_PLAYERS}}}$")
    ]
    """In seat order, as are all lists but the last."""
    first: Annotated[int, Field(ge=0, lt=MAXIMUM_PLAYERS)]
    """The seat of the first player of round 1."""
    hands: Annotated[tuple[_Cards, ...], Field(max_length=MAXIMUM_PLAYERS)]
    """As they were dealt."""
    aside: Annotated[tuple[_Cards, ...], Field(max_length=MAXIMUM_PLAYERS)]
    names: Annotated[tuple[ShownName, ...], Field(max_length=MAXIMUM_PLAYERS)]
    """Of those who began the game."""
    bots: Annotated[tuple[BotName | None, ...], Field(max_length=MAXIMUM_PLAYERS)]
    """Of which kind they are; None for a person."""
    actions: Annotated[tuple[_Token, ...], Field(max_length=MAXIMUM_ACTIONS)]


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
    | ChangeBot
    | Remove
    | ChangeSettings
    | Start
    | Act
    | Chat
    | Mute
    | Silence
    | SendAway
    | NewInvitation
    | Pause
    | EndGame
    | Absent
    | Here
    | BackToLobby
    | Leave
)
"""What a table is told."""

ClientMessage: TypeAlias = DoorMessage | TableMessage

HostMessage: TypeAlias = (
    Knocked
    | Admitted
    | Club
    | Welcome
    | Lobby
    | State
    | GameRecord
    | Clock
    | Talk
    | Refused
    | Goodbye
)
