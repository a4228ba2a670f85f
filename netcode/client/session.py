"""What a client knows of its table: a state machine without sockets or clock.

It takes the host's messages in and keeps what the face shows. A message that contradicts itself or
what came before raises ProtocolError.
"""

from contextlib import suppress
from typing import Final

from engine.actions import Action
from engine.cards import Seat
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.notation import format_position, parse_view
from engine.ranking import SEATS_OF_TWO, Owners, owners
from engine.record import Record, RecordError, replay
from engine.views import View, project, view
from netcode.client.interpreted import Extra, MadeRecord, SeenState
from netcode.client.seen_record import seen_record
from netcode.protocol.fields import BeforeTable, ForInterpreter, Message
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    Act,
    Admitted,
    Clock,
    GameRecord,
    Goodbye,
    Guessing,
    Hello,
    Knocked,
    Line,
    Lobby,
    Refused,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.protocol.wire_events import fits_view

MAXIMUM_TALK: Final = 500
"""Most lines of chat that are kept, whatever a host sends: more than an evening has."""


class ProtocolError(ValueError):
    """The host sent something that makes no sense; the text says what, for a log."""


class ContradictionError(ProtocolError):
    """The host sent something that contradicts what it sent before."""


class Session:
    """One person's or spectator's side of a table, from the first Hello to the Goodbye."""

    def __init__(self, owner_key: bytes | None = None, secret: bytes | None = None) -> None:
        """Begin before the first Hello; without a secret there is only an open table to come to."""
        self.owner_key = owner_key
        """Makes its holder the host; None for everybody else."""
        self.secret = secret
        """Goes with each Hello: of a club until `enter`, of a table from then on."""
        self.before_table: BeforeTable | None = None
        """What the host sent last of what comes before a table; None once there is a table."""
        self.key: bytes | None = owner_key
        """Goes with the next Hello: resumes the seat once there has been a Welcome."""
        self.name: str | None = None
        """As last said hello with; None before."""
        self.spectator = False
        """Whether the last Hello asked to watch."""
        self.family: str | None = None
        """None for a spectator and before the first Welcome."""
        self.is_host = False
        self.lobby: Lobby | None = None
        """The last one received."""
        self.view: View | None = None
        """The running or just finished game; None in the lobby."""
        self.revision = 0
        """Of the view."""
        self.step = 0
        """The number of decisions in the game of the view."""
        self.events: list[Event] = []
        """All of the running game."""
        self.record: Record | None = None
        """The whole of the game that is over, once the host has told it."""
        self.is_contradicted = False
        """Whether the host's record of the game that is over contradicts what was seen of it.

        Then the record is made of what was seen, if that is possible."""
        self.extra: Extra | None = None
        """What an interpreter knows of the game besides; None without one."""
        self.fresh = 0
        """The index of the first event that the latest State brought and was not known."""
        self.pending: Act | None = None
        """The act that the host has not answered yet; to be sent again after a reconnect."""
        self.refusal: Refused | None = None
        """The last one; cleared by the next act, and when the table has changed since."""
        self.wrong_guesses = 0
        """At the host's: the number of wrong guesses at the table's code, if they are many."""
        self.talk: list[Line] = []
        """What has been said at the table, as far as it is known here."""
        self.clock: Clock | None = None
        """For the question being asked, if the table has a clock; as it was when it came."""
        self.goodbye: Goodbye | None = None
        """Why the host ended the connection."""
        self._players: dict[str, str] = {}
        """By family, the names of the latest game's players while the game was under way."""
        self._lowest = 0
        """The revision that the next State may have."""
        self._acted = 0
        self._earlier: list[Line] = []
        """What had been said before the host began to count lines anew."""
        self._said: dict[int, Line] = {}
        """What has been said since, by the host's count."""

    def hello(self, name: str, spectator: bool = False) -> Hello:
        """Return what to say first on every connection; raises ValueError if the name is none."""
        hello = Hello(
            protocol=PROTOCOL,
            program=PROGRAM,
            name=name,
            spectator=spectator,
            key=self.key,
            secret=self.secret,
        )
        self.name, self.spectator = name, spectator
        return hello

    def enter(self, secret: bytes, *, key: bytes | None = None, spectator: bool = False) -> Hello:
        """Return the Hello for a club's table, by its secret; the key is of a seat there."""
        if self.name is None:
            raise ValueError("a table is chosen after a Hello")
        self.secret = secret
        self.key = key
        self.before_table = None
        return self.hello(self.name, spectator)

    def names(self) -> tuple[str, ...]:
        """Return the names of the players of the view's game, by seat; none without a view.

        Once the game is over, a change of seats for the next game does not change them.
        """
        if self.view is None:
            return ()
        if self.record is not None and self.record.players:
            return tuple(player.name for player in self.record.players)
        known = {} if self.lobby is None else _names_by_family(self.lobby)
        if self.view.over:
            known |= self._players
        return tuple(known.get(family, family) for family in self.view.families)

    def owners(self) -> Owners:
        """Return who plays which seats of the game of the view, by seat; none without a view."""
        if self.view is None:
            return ()
        two = self.lobby is not None and self.lobby.settings.two
        return owners(self.view.players, two=two and self.view.players == SEATS_OF_TWO)

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Where one plays in the game of the view; nowhere as a spectator."""
        return () if self.view is None else self.view.viewers

    def act(self, action: Action) -> Act:
        """Return the answer to the question being asked, to be sent now."""
        self._acted += 1
        self.refusal = None
        self.pending = Act(number=self._acted, revision=self.revision, action=action.token)
        return self.pending

    def receive(self, message: Message) -> None:
        """Take in what the host says, or an interpreter in its place.

        Raises ProtocolError, and then nothing has changed.
        """
        match message:
            case Welcome():
                self._welcome(message)
            case Lobby():
                self._see_lobby(message)
            case State():
                self._see_state(message)
            case GameRecord():
                self._see_record(message)
            case Extra():
                self.extra = message
            case MadeRecord():
                if message.revision == self.revision:
                    self.record = Record.from_json(message.line)
            case Refused():
                self._see_refusal(message)
            case Goodbye():
                self.goodbye = message
            case Clock():
                if message.revision == self.revision:
                    self.clock = message
            case Talk():
                self._hear(message)
            case Guessing():
                self.wrong_guesses = message.wrong
            case ForInterpreter():
                # It makes of them what a session takes in.
                pass
            case BeforeTable():
                if self.lobby is not None:
                    raise ProtocolError("a table is no place to choose one")
                self.before_table = message
            case Admitted():
                if self.before_table is None:
                    raise ProtocolError("nobody asked for a table")
            case Knocked():
                raise ProtocolError("nobody knocked")
            case _:
                raise ProtocolError("no session takes this")

    def _hear(self, message: Talk) -> None:
        lines = dict(enumerate(message.lines, message.first))
        oldest = min(self._said, default=0)
        if any(
            index < oldest or self._said.get(index, line) != line for index, line in lines.items()
        ):
            # A host that was restarted counts from 0 again; what is known here was said too.
            self._earlier = self.talk
            self._said = {}
        self._said |= lines
        # What was missed may come later, so the order of arrival is not theirs.
        known = [self._said[index] for index in sorted(self._said)]
        self.talk = [*self._earlier, *known][-MAXIMUM_TALK:]
        for index in sorted(self._said)[:-MAXIMUM_TALK]:
            del self._said[index]

    def _welcome(self, message: Welcome) -> None:
        if message.protocol != PROTOCOL:
            raise ProtocolError("the host welcomes to another protocol")
        self.before_table = None
        self.key = message.key
        self.wrong_guesses = 0
        self.family = message.family
        if message.family is not None:
            # Also one who watched before.
            self.spectator = False
        self.is_host = message.host
        self.goodbye = None
        # The host may have begun anew since the last connection.
        self._lowest = 0
        self._players = {}
        self.clock = None
        self._acted = max(self._acted, message.acted)

    def _see_lobby(self, message: Lobby) -> None:
        families = [seat.family for seat in message.seats]
        seconds = [seat.second for seat in message.seats if seat.second is not None]
        if len({*families, *seconds}) < len(families) + len(seconds):
            raise ProtocolError("two seats have one family")
        if message.you is not None and message.you not in families:
            raise ProtocolError("no seat has the receiver's family")
        self.lobby = message
        if message.phase == "playing":
            self._players = _names_by_family(message)
        self.refusal = None
        if message.secret is not None:
            self.secret = message.secret
        self.family = message.you
        self.is_host = message.host
        if message.phase == "lobby":
            self.view = self.record = self.extra = None
            self.is_contradicted = False
            self.events = []
            self.fresh = 0
            self.pending = None
            self.clock = None
            # A host counts on from the games before, an interpreter from its own.
            self._lowest = 0

    def _see_state(self, message: State) -> None:
        if message.revision < self._lowest:
            raise ContradictionError("the table went back")
        if message.first_event > len(self.events):
            raise ContradictionError("events are missing")
        if isinstance(message, SeenState):
            view = message.seen
        else:
            if message.second is not None and message.you in (None, message.second):
                raise ProtocolError("a second family without a first")
            try:
                view = parse_view(message.view, (message.you or "") + (message.second or ""))
            except ValueError as error:
                raise ProtocolError("the view is none") from error
            if not all(fits_view(event, view) for event in message.events):
                raise ContradictionError("an event is of another game")
            self._check_same_game(message, view)
        is_same_game = self.view is not None and _is_same_game(view, self.view)
        self.view, self.step = view, message.step
        if message.revision != self.revision or not is_same_game:
            self.record = None
            self.is_contradicted = False
        known, first = self.events, message.first_event
        self.events = known[:first] + list(message.events)
        # After a reconnect the whole game comes again, of which only the end is news.
        again = first < len(known) and self.events[: len(known)] == known
        self.fresh = len(known) if again else first
        if message.you is not None:
            # Who sits down at a result has a family, but sees that game as they did before.
            self.family = message.you
        self.revision = self._lowest = message.revision
        if self.clock is not None and self.clock.revision != message.revision:
            self.clock = None
        if self.pending is not None and self.pending.revision < message.revision:
            self.pending = None

    def _check_same_game(self, message: State, view: View) -> None:
        """Raise ContradictionError if a view cannot follow the one before it.

        Another game may begin after a new welcome, or when the one before is over. Then it is told
        from its beginning, so no event of the game before is kept.
        """
        before = self.view
        if before is None:
            return
        is_same = _is_same_game(view, before)
        if not is_same and message.first_event:
            raise ContradictionError("the events before are of another game")
        # A table of puzzles tells no events, and goes from one to the next.
        goes_on = self._lowest > 0 and not before.over and bool(self.events)
        if not is_same and goes_on:
            raise ContradictionError("the players or the edition have changed within a game")
        if goes_on and message.revision == self._lowest and not is_same_view(view, before):
            raise ContradictionError("a revision has two views")

    def _see_record(self, message: GameRecord) -> None:
        if self.view is None or not self.view.over:
            raise ContradictionError("the game of a record is not over")
        if self.record is not None or self.is_contradicted:
            # Told again after a reconnect; a host must not have us play it over and over.
            return
        record, fits = None, False
        with suppress(RecordError):
            record = Record.from_json(message.record)
            fits = message.revision == self.revision and _is_record_of(
                record, self.view, self.events
            )
        if record is not None and fits and self.lobby is not None:
            # Its settings say who won, as far as a history is concerned.
            fits = record.settings.get("two", False) is self.lobby.settings.two
        if not fits:
            likely = () if record is None else record.actions
            record = seen_record(self.view, self.events, self.lobby, likely)
            self.is_contradicted = True
        self.record = record

    def _see_refusal(self, message: Refused) -> None:
        self.refusal = message
        if message.code == UNKNOWN_KEY:
            # The seat is gone; the next Hello is a newcomer's.
            self.key = None if self.key == self.owner_key else self.owner_key
        if self.pending is not None and message.number == self.pending.number:
            self.pending = None


def is_same_view(one: View, other: View) -> bool:
    """Return whether two views tell the same readers the same."""
    return one.viewers == other.viewers and format_position(one) == format_position(other)


def _is_same_game(one: View, other: View) -> bool:
    return one.families == other.families and one.edition == other.edition


def _names_by_family(lobby: Lobby) -> dict[str, str]:
    return {
        family: seat.name
        for seat in lobby.seats
        for family in (seat.family, seat.second)
        if family is not None
    }


def _is_record_of(record: Record, seen: View, events: list[Event]) -> bool:
    """Whether a record is of the game that was seen; raises RecordError if it breaks the rules."""
    game, happened = Game.start(record.deal), list[Event]([RoundBegan(1, record.deal.first)])
    for step in replay(record):
        game = step.after
        happened += step.events
    mine = format_position(view(game, seen.viewers)) == format_position(seen)
    told = [project(event, seen.viewers) for event in happened]
    return not record.has_proof and mine and told == events
