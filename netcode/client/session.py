"""Stores a client's knowledge of its table, as a state machine without sockets or clock.

It receives the host's messages and stores everything that the screens show. A message that
contradicts itself or an earlier one raises ProtocolError.
"""

from contextlib import suppress
from typing import Final

from engine.actions import Action
from engine.cards import Seat
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.notation import format_position
from engine.ranking import SEATS_OF_TWO, Owners, owners
from engine.record import Holder, Record, RecordedPlayer, RecordError, replay
from engine.views import View, project, view
from netcode.client.interpreted import Extra, MadeRecord, SeenState
from netcode.client.seen_record import seen_record
from netcode.protocol.fields import BeforeTable, ForInterpreter, Message, PartMessage
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
    SeatInfo,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.protocol.wire_events import fits_view

MAXIMUM_TALK: Final = 500
"""Maximum number of stored lines of chat: more than people write in an evening. A host may send
more.
"""


class ProtocolError(ValueError):
    """Raised if the host sent an invalid message. The error's text is for a log."""


class ContradictionError(ProtocolError):
    """Raised if the host sent a message that contradicts an earlier one."""


class Session:
    """A player's or spectator's side of a table, from the first Hello to the Goodbye."""

    def __init__(self, owner_key: bytes | None = None, secret: bytes | None = None) -> None:
        """Begin before the first Hello.

        Without a secret, only a table that needs none can be joined.
        """
        self.owner_key = owner_key
        """The key that makes this player the host of the table; None for guests."""
        self.secret = secret
        """The secret of each Hello: the invitation's until `enter`, then the table's.

        None if none is needed.
        """
        self.before_table: BeforeTable | None = None
        """The last message of a server of several tables before the client entered one; None at a
        table, and before such a message.
        """
        self.key: bytes | None = owner_key
        """The key of the next Hello. After the first Welcome it is the key that resumes the
        seat.
        """
        self.name: str | None = None
        """The name of the last Hello; None before the first Hello."""
        self.spectator = False
        """True if the last Hello asked to watch."""
        self.family: str | None = None
        """The player's family; None for a spectator, and before the first Welcome."""
        self.is_host = False
        self.lobby: Lobby | None = None
        """The last lobby that was received; None before the first."""
        self.view: View | None = None
        """The view of the running or last game; None in the lobby, and before the first State."""
        self.revision = 0
        """The revision of the last State; 0 before the first."""
        self.step = 0
        """The number of decisions so far in the game of the view."""
        self.events: list[Event] = []
        """All events of the game of the view."""
        self.overdue: frozenset[int] = frozenset()
        """The decisions that a bot made because the time was up, each by the index of its first
        event.
        """
        self.record: Record | None = None
        """The record of the finished game; None before the host has sent one, and if no record fits
        the game.
        """
        self.is_contradicted = False
        """True if the host's record of the finished game contradicts messages during the game.
        `record` is then rebuilt from those messages, or None if that is impossible.
        """
        self.extra: Extra | None = None
        """An interpreter's additional knowledge about the game; None in the lobby, and if no
        interpreter has sent any.
        """
        self.fresh = 0
        """The index in `events` of the first event that the latest State added; the number of
        events if the State added none.
        """
        self.pending: Act | None = None
        """The act that the host has not answered yet; None if every act was answered. It is sent
        again after a reconnection.
        """
        self.refusal: Refused | None = None
        """The last refusal. None before the first one, and after a later act or Lobby."""
        self.wrong_guesses = 0
        """The number of wrong guesses at the table's code, if the host has sent a warning;
        otherwise 0. Only the host of the table receives the warning.
        """
        self.talk: list[Line] = []
        """The known lines of the table's chat."""
        self.clock: Clock | None = None
        """The clock of the present question as it was received; None without a clock."""
        self.goodbye: Goodbye | None = None
        """The Goodbye with which the host ended the connection; None if there was none."""
        self.holders: dict[str, RecordedPlayer] = {}
        """The holders of each family's seat in the present game, as far as they were seen."""
        self._players: dict[str, str] = {}
        """The name that each player of the latest game had during the game, by family."""
        self._lowest = 0
        """The lowest valid revision of the next State; 0 if each revision is valid, as after a
        Welcome.
        """
        self._acted = 0
        self._earlier: list[Line] = []
        """Lines of chat from before the host last restarted its count."""
        self._chat_lines: dict[int, Line] = {}
        """Lines of chat since the host last restarted its count, by the host's number."""

    def hello(self, name: str, *, spectator: bool = False) -> Hello:
        """Return the first message of a connection, and store its `name` and `spectator`.

        Raises ValueError for an invalid name.
        """
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
        """Return the Hello for the table with this secret, at a server of several tables.

        Later Hellos use the same secret and key. `key` is the key to a seat there; None for a
        newcomer. Raises ValueError before a first Hello.
        """
        if self.name is None:
            raise ValueError("a table is chosen after a Hello")
        self.secret = secret
        self.key = key
        self.before_table = None
        return self.hello(self.name, spectator=spectator)

    def names(self) -> tuple[str, ...]:
        """Return the names of the players in the view's game, by seat; () without a view.

        A family's letter stands for an unknown name. The names do not change when players change
        seats for the next game.
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
        """Return the owners of the seats in the view's game; () without a view."""
        if self.view is None:
            return ()
        two = self.lobby is not None and self.lobby.settings.two
        return owners(self.view.players, two=two and self.view.players == SEATS_OF_TWO)

    @property
    def player_seats(self) -> tuple[Seat, ...]:
        """The player's own seats in the view's game; () for a spectator."""
        return () if self.view is None else self.view.viewers

    def act(self, action: Action) -> Act:
        """Store an answer to the present question as pending, and return the message to send."""
        self._acted += 1
        self.refusal = None
        self.pending = Act(number=self._acted, revision=self.revision, action=action.token)
        return self.pending

    def receive(self, message: Message) -> None:
        """Handle a message of the host or of an interpreter.

        Raises ProtocolError for an invalid message, and then changes nothing.
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
                self._receive_chat(message)
            case Guessing():
                self.wrong_guesses = message.wrong
            case ForInterpreter() | PartMessage():
                # An interpreter, or a part of the seat, handles these messages.
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

    def _receive_chat(self, message: Talk) -> None:
        lines = dict(enumerate(message.lines, message.first))
        oldest = min(self._chat_lines, default=0)
        if any(
            index < oldest or self._chat_lines.get(index, line) != line
            for index, line in lines.items()
        ):
            # A restarted host counts lines from 0 again. Keep the known lines before its new ones.
            self._earlier = self.talk
            self._chat_lines = {}
        self._chat_lines |= lines
        # Lines that were missed may arrive late, so sort by the host's number.
        known = [self._chat_lines[index] for index in sorted(self._chat_lines)]
        self.talk = [*self._earlier, *known][-MAXIMUM_TALK:]
        for index in sorted(self._chat_lines)[:-MAXIMUM_TALK]:
            del self._chat_lines[index]

    def _welcome(self, message: Welcome) -> None:
        if message.protocol != PROTOCOL:
            raise ProtocolError("the host welcomes to another protocol")
        self.before_table = None
        self.key = message.key
        self.wrong_guesses = 0
        self.family = message.family
        if message.family is not None:
            # A spectator may get a seat too, and is then no spectator.
            self.spectator = False
        self.is_host = message.host
        self.goodbye = None
        # The host may have restarted, and then counts revisions anew.
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
        self._see_holders(message)
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
            self.overdue = frozenset()
            self.fresh = 0
            self.pending = None
            self.clock = None
            # A host's count of revisions goes on in the next game, but an interpreter's begins
            # anew.
            self._lowest = 0

    def _see_holders(self, lobby: Lobby) -> None:
        """Store the holders of the seats in the running game, until the next game."""
        is_running = self.lobby is not None and self.lobby.phase == "playing"
        if lobby.phase == "lobby" or (lobby.phase == "playing" and not is_running):
            self.holders = {}
        if lobby.phase != "playing":
            return
        for family, seat in _seats_by_family(lobby).items():
            known = self.holders.get(family, RecordedPlayer(family, seat.name, seat.bot))
            if (known.name, known.bot) != (seat.name, seat.bot):
                known = known.taken_by(Holder(seat.name, seat.bot, self.step))
            self.holders[family] = known

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
                view = message.view.seen_by((message.you or "") + (message.second or ""))
            except ValueError as error:
                raise ProtocolError("the view is none") from error
            if not all(fits_view(event, view) for event in message.events):
                raise ContradictionError("an event is of another game")
            self._check_same_game(message, view)
        is_same_game = self.view is not None and _is_same_game(view, self.view)
        viewers = () if self.view is None else self.view.viewers
        self.view, self.step = view, message.step
        if message.revision != self.revision or not is_same_game:
            self.record = None
            self.is_contradicted = False
        known, first = self.events, message.first_event
        self.events = known[:first] + list(message.events)
        earlier = [index for index in self.overdue if index < first]
        self.overdue = frozenset([*earlier, *message.overdue])
        # After a reconnection the host sends the whole game again; only events after the known ones
        # are new.
        again = first < len(known) and self._is_known(known, viewers)
        self.fresh = len(known) if again else first
        if message.you is not None:
            # A person who takes a seat at the result has a family, but still watches the finished
            # game.
            self.family = message.you
        self.revision = self._lowest = message.revision
        if self.clock is not None and self.clock.revision != message.revision:
            self.clock = None
        if self.pending is not None and self.pending.revision < message.revision:
            self.pending = None

    def _is_known(self, known: list[Event], viewers: tuple[Seat, ...]) -> bool:
        """Return True if the events continue the known ones.

        For a spectator who has taken a seat, compare the events as a spectator may know them.
        """
        earlier = self.events[: len(known)]
        is_newcomer = not viewers and self.player_seats
        return known == ([project(each, None) for each in earlier] if is_newcomer else earlier)

    def _check_same_game(self, message: State, view: View) -> None:
        """Raise ContradictionError if a new view cannot follow the present one.

        A new game may begin after a new Welcome, or after the end of the present game. Its first
        State contains all events from its beginning, so the session drops the earlier events.
        """
        before = self.view
        if before is None:
            return
        is_same = _is_same_game(view, before)
        if not is_same and message.first_event:
            raise ContradictionError("the events before are of another game")
        # A table of puzzles sends no events: it may show another puzzle at any time.
        goes_on = self._lowest > 0 and not before.over and bool(self.events)
        if not is_same and goes_on:
            raise ContradictionError("the players or the edition have changed within a game")
        if goes_on and message.revision == self._lowest and not is_same_view(view, before):
            raise ContradictionError("a revision has two views")

    def _see_record(self, message: GameRecord) -> None:
        if self.view is None or not self.view.over:
            raise ContradictionError("the game of a record is not over")
        if self.record is not None or self.is_contradicted:
            # Ignore a record that the host sends again after a reconnect. Otherwise a host could
            # make this client replay it again and again.
            return
        record, fits = None, False
        with suppress(RecordError):
            record = Record.from_json(message.record)
            fits = message.revision == self.revision and _is_record_of(
                record, self.view, self.events
            )
        if record is not None and fits and self.lobby is not None:
            # The settings decide the winner of the game in the history.
            fits = record.settings.get("two", False) is self.lobby.settings.two
        if not fits:
            likely = () if record is None else record.actions
            record = seen_record(self.view, self.events, self.lobby, self.holders, likely)
            self.is_contradicted = True
        self.record = record

    def _see_refusal(self, message: Refused) -> None:
        self.refusal = message
        if message.code == UNKNOWN_KEY:
            # The host no longer knows this seat, so the next Hello asks for a new one.
            self.key = None if self.key == self.owner_key else self.owner_key
        if self.pending is not None and message.number == self.pending.number:
            self.pending = None


def is_same_view(one: View, other: View) -> bool:
    """Return True if two views show the same position to the same players."""
    return one.viewers == other.viewers and format_position(one) == format_position(other)


def _is_same_game(one: View, other: View) -> bool:
    return one.families == other.families and one.edition == other.edition


def _seats_by_family(lobby: Lobby) -> dict[str, SeatInfo]:
    return {
        family: seat
        for seat in lobby.seats
        for family in (seat.family, seat.second)
        if family is not None
    }


def _names_by_family(lobby: Lobby) -> dict[str, str]:
    return {family: seat.name for family, seat in _seats_by_family(lobby).items()}


def _is_record_of(record: Record, seen: View, events: list[Event]) -> bool:
    """Return True if a record fits the seen game; raises RecordError if it breaks the rules.

    A record with a proof never fits: interpreters handle those games.
    """
    game, happened = Game.start(record.deal), list[Event]([RoundBegan(1, record.deal.first)])
    for step in replay(record):
        game = step.after
        happened += step.events
    mine = format_position(view(game, seen.viewers)) == format_position(seen)
    projected = [project(event, seen.viewers) for event in happened]
    return not record.has_proof and mine and projected == events
