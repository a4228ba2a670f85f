"""The authoritative table as a state machine: messages in, effects out.

It decides everything (who sits where, whose turn it is, what is legal, who is told what) and
does nothing: no sockets, no tasks, no clock. Connections are numbers that the shell gives out,
`now` is its clock in seconds, and what is to be done comes back as a list of effects. Each
message is judged before it changes anything, so a refusal leaves the game, the seats and the
settings as they were. That a player is heard from, which is noted first, stays noted: what lapsed
for them, their keys and the time until somebody answers for them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Final, Literal, Self, TypeAlias, assert_never

from engine.actions import Action
from engine.record import Record
from netcode.protocol.fields import FamilyLetter, Values
from netcode.protocol.messages import (
    PROTOCOL,
    Absent,
    Act,
    AddBot,
    BackToLobby,
    ChangeBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    EndGame,
    Hello,
    Here,
    Leave,
    Mute,
    NewInvitation,
    Pause,
    Remove,
    SendAway,
    SetReady,
    Silence,
    Start,
    TableMessage,
    TableSettings,
)
from netcode.protocol.rate_limit import NetworkRateLimits
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.table.absence import SILENT_S, bot_plays, is_deserted, taken_for_away
from netcode.table.connections import ConnectionState
from netcode.table.effects import Effect, Reinvite
from netcode.table.entries import KeptTable, Phase, Snapshot
from netcode.table.games import Games
from netcode.table.host_role import HostRole
from netcode.table.lobby import missing
from netcode.table.participants import (
    NotAllowedError,
    Participant,
    Participants,
    Seat,
    key_hash,
    need_bot,
    need_host,
    seated,
)
from netcode.table.table_core import TableCore

NEWCOMERS_PER_S: Final = 0.2
"""From one network, for long: everybody is told of each who comes and of each who goes."""

NEWCOMERS_AT_ONCE: Final = 20.0
"""From one network: a full table with its spectators, and some who come back as newcomers."""

HostWish: TypeAlias = (
    Start | BackToLobby | EndGame | Mute | Silence | SendAway | NewInvitation | Pause | Absent
)
"""What a host decides about in any phase, or in a game."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is told of a table to somebody who is not there."""

    phase: Phase
    edition: int
    names: tuple[str, ...]
    """Of those who have a seat, bots too."""
    persons: int
    """How many of them are no bots."""


class Table:
    """A table: its company, its settings, and one game after the other."""

    def __init__(
        self,
        rng: Random,
        new_key: Callable[[], bytes],
        *,
        owner_key: bytes | None = None,
        opener: int | None = None,
        unattended: bool = False,
        settings: TableSettings | None = None,
        bots: Iterable[str] = (),
    ) -> None:
        """Open a table.

        Args:
            rng: Decides the deals; it must not be guessable where it matters.
            new_key: Returns 32 fresh random bytes.
            owner_key: Whoever shows it in a Hello is the host. Without one, the first person
                who sits down is, and hosting passes on when they go.
            opener: Whoever comes on this connection is the first host instead, unless others
                have waited for them for too long.
            unattended: Whether bots play on while no person is present.
            settings: To begin with; the host may change them.
            bots: Sit there to begin with, by name.
        """
        self._new_key = new_key
        settings = settings or TableSettings()
        self._participants = Participants(two=settings.two)
        for bot in bots:
            self._participants.add_bot(bot)
        self._host_role = HostRole(self._participants, owner_key, opener)
        self._games = Games(rng, self._participants, settings, unattended)
        self._core = TableCore(self._participants, self._host_role, self._games)
        self._connections = self._core.connections
        self._newcomers = NetworkRateLimits(NEWCOMERS_PER_S, NEWCOMERS_AT_ONCE)

    @classmethod
    def restore(
        cls,
        kept: Snapshot,
        rng: Random,
        new_key: Callable[[], bytes],
        owner_key: bytes | None = None,
    ) -> Self:
        """Bring back what was kept of a table, with all persons away; raises StoreError.

        The arguments are those of a new table. The key of its former owner opens nothing.
        """
        table = cls(rng, new_key, owner_key=owner_key, settings=kept.table.settings)
        table._core.restore(kept)
        return table

    @property
    def invitation(self) -> str:
        """What others join with; to be set before anybody comes."""
        return self._core.invitation

    @invitation.setter
    def invitation(self, invitation: str) -> None:
        self._core.invitation = invitation

    @property
    def code(self) -> str | None:
        """What can be said aloud instead, if anything can; to be set before anybody comes."""
        return self._core.code

    @code.setter
    def code(self, code: str | None) -> None:
        self._core.code = code

    @property
    def secret(self) -> bytes | None:
        """What the invitation holds; None if nobody needs it. To be set before anybody comes."""
        return self._core.secret

    @secret.setter
    def secret(self, secret: bytes | None) -> None:
        self._core.secret = secret

    @property
    def phase(self) -> Phase:
        """Whether a game is under way or just over."""
        return self._games.phase

    @property
    def settings(self) -> TableSettings:
        """What the host has decided about the games."""
        return self._games.settings

    @property
    def revision(self) -> int:
        """Counts what has happened in the games of this table."""
        return self._games.revision

    @property
    def attended(self) -> bool:
        """Whether any connection is at the table."""
        return any(True for _ in self._participants.connected())

    def summary(self) -> Summary:
        """Return what is told of the table to somebody who is not there."""
        names = tuple(seat.name for seat in self._participants.seats)
        persons = sum(1 for _ in self._participants.persons)
        return Summary(self._games.phase, self.settings.edition, names, persons)

    def kept(self) -> KeptTable:
        """Return what is to be kept of the table as it is now, besides its games."""
        return self._core.kept()

    def record(self) -> Record | None:
        """Return the running or just finished game as data, every card included."""
        return None if self._games.play is None else self._games.play.record()

    # What may happen to a table

    def receive(
        self, connection: int, message: TableMessage, now: float, network: str = ""
    ) -> list[Effect]:
        """Take a message in; an unknown connection is a new one.

        Args:
            connection: Whence it comes.
            message: What is said.
            now: The time.
            network: Of a new connection: what it has in common with others of one household, in
                whatever words; empty if that means nothing.
        """
        peer = self._connections.peer(connection, network)
        if not peer.dismissed:
            try:
                self._handle(connection, peer, message, now)
            except NotAllowedError as refusal:
                number = message.number if isinstance(message, Act) else None
                self._connections.refuse(connection, refusal.code, refusal.values, number)
                # Strangers do not get to try names and keys without end.
                if peer.participant is None or isinstance(message, Hello):
                    self._core.strike(connection, now)
        return self._core.flush(now)

    def malformed(
        self, connection: int, code: str, now: float, values: Values | None = None
    ) -> list[Effect]:
        """Take note that something came which is no message, for the reason given."""
        if not self._connections.peer(connection).dismissed:
            self._connections.refuse(connection, code, values or {})
            self._core.strike(connection, now)
        return self._core.flush(now)

    def disconnected(self, connection: int, now: float) -> list[Effect]:
        """Take note that a connection has ended, whoever ended it."""
        participant = self._connections.forget(connection)
        if participant is not None:
            self._core.part(participant, now)
        return self._core.flush(now)

    def stays_away(self, connection: int, now: float) -> list[Effect]:
        """Take note that a connection has ended, or is elsewhere, which may be the opener's."""
        self._core.stay_away(connection)
        return self._core.flush(now)

    def alarm(self, now: float) -> list[Effect]:
        """Do what only the passing of time brings about, after an Alarm or at any time."""
        self._core.pass_time(now)
        return self._core.flush(now)

    def answer(self, seat: int, revision: int, action: Action, now: float) -> list[Effect]:
        """Take the answer to a Think, unless it has become pointless."""
        self._core.stand_in(seat, revision, action, now)
        return self._core.flush(now)

    def expects(self, seat: int, revision: int) -> bool:
        """Whether the answer to a Think may still count, now or later."""
        return self._games.expects(seat, revision)

    def renew(self, secret: bytes, invitation: str, code: str) -> list[Effect]:
        """Tell everybody of a new invitation, after a Reinvite."""
        self.secret, self.invitation, self.code = secret, invitation, code
        self._core.tell_all()
        return self._core.flush(None)

    def close(self, reason: str) -> list[Effect]:
        """Say goodbye to everybody, with a code of `refusal_sentences.py`."""
        if self._games.phase != "playing":
            self._core.finish()
        for connection, _ in list(self._participants.connected()):
            self._connections.dismiss(connection, reason)
        return self._core.flush(None)

    # Messages

    def _handle(
        self, connection: int, peer: ConnectionState, message: TableMessage, now: float
    ) -> None:
        if isinstance(message, Hello):
            self._hello(connection, peer, message, now)
            return
        participant = peer.participant
        if participant is None:
            raise NotAllowedError("say_hello")
        if participant.keys is not None:
            participant.keys.confirm()
        match message:
            case Act():
                self._take_act(connection, seated(participant), message, now)
            case AddBot() | ChangeBot() | Remove() | ChangeSettings():
                need_host(participant)
                self._need_lobby()
                self._arrange(participant, message)
            case (
                Start()
                | BackToLobby()
                | EndGame()
                | Mute()
                | Silence()
                | SendAway()
                | NewInvitation()
                | Pause()
                | Absent()
            ):
                need_host(participant)
                self._preside(participant, message, now)
            case ChooseFamily():
                seat = seated(participant)
                self._need_lobby()
                self._participants.choose_family(seat, message.family)
                self._core.tell_all()
            case SetReady():
                self._set_ready(seated(participant), message.ready, now)
            case Here():
                self._core.take_back(seated(participant))
            case Chat():
                self._core.say(participant, message.text, peer.network, now)
            case Leave():
                self._connections.dismiss(connection, "left")
                self._core.part(participant, now, left=True)
            case _:
                assert_never(message)

    def _arrange(
        self, host: Participant, message: AddBot | ChangeBot | Remove | ChangeSettings
    ) -> None:
        """Do what the host wants of the lobby."""
        match message:
            case AddBot():
                self._participants.add_bot(message.bot)
            case ChangeBot():
                seat = self._seat_of(message.family)
                if seat.bot is None:
                    raise NotAllowedError("not_a_bot", family=message.family)
                need_bot(message.bot)
                seat.bot = message.bot
            case Remove():
                self._remove(host, message.family)
            case ChangeSettings():
                self._participants.make_for_two(message.settings.two)
                self._games.settings = message.settings
            case _:
                assert_never(message)
        self._core.tell_all()

    def _preside(self, host: Participant, message: HostWish, now: float) -> None:
        """Do what the host wants of a game, or of somebody."""
        games = self._games
        match message:
            case Start():
                self._start_if_possible(now)
            case BackToLobby():
                if games.phase != "result":
                    raise NotAllowedError("not_after_game")
                self._core.open_lobby(now)
            case EndGame():
                self._need_game()
                self._core.open_lobby(now, ended_by=host.name)
            case Mute():
                self._core.mute(message.name, message.muted)
            case Silence():
                self._core.silence(message.silenced)
            case SendAway():
                self._send_away(host, message.name, now)
            case NewInvitation():
                if self.secret is None:
                    raise NotAllowedError("no_secret")
                self._connections.do(Reinvite())
            case Pause():
                self._need_game()
                self._core.pause(message.paused, now)
            case Absent():
                self._need_game()
                self._decide_about(message.family, message.choice, now)
            case _:
                assert_never(message)

    def _hello(self, connection: int, peer: ConnectionState, hello: Hello, now: float) -> None:
        if hello.protocol != PROTOCOL:
            older = "upgrade_client" if hello.protocol < PROTOCOL else "upgrade_host"
            self._connections.dismiss(
                connection, older, {"theirs": PROTOCOL, "yours": hello.protocol}
            )
            return
        if peer.participant is not None:
            raise NotAllowedError("already_greeted")
        hashed = None if hello.key is None else key_hash(hello.key)
        is_owner = self._host_role.is_owners(hashed)
        participant: Participant | None = None
        if is_owner:
            participant = self._participants.host()
        elif hashed is not None:
            participant = self._participants.opened_by(hashed)
            if participant is None:
                raise NotAllowedError(UNKNOWN_KEY)
        key = self._new_key()
        was_awake = self._participants.awake
        if participant is None or hashed is None:
            wait = 0.0 if is_owner else self._newcomers.wait(peer.network, now)
            if wait:
                raise NotAllowedError("too_many_came", seconds=int(wait) + 1)
            participant = self._newcomer(connection, hello, key, now)
            participant.host = is_owner
            self._host_role.comes(participant, connection)
            self._newcomers.take(peer.network, now)
        else:
            self._core.resume(connection, participant, hashed, key, now)
        peer.participant = participant
        if self._participants.awake and not was_awake:
            self._games.wake(now)
        self._core.welcome(connection, participant, key)

    def _newcomer(self, connection: int, hello: Hello, key: bytes, now: float) -> Participant:
        if hello.spectator:
            return self._participants.watch(hello.name, connection, key)
        if self._games.phase != "lobby":
            if self._host_role.owner or not is_deserted(self._participants.persons, now):
                raise NotAllowedError("game_under_way")
            self._participants.need_room(hello.name, instead_of=self._participants.persons)
            self._core.open_lobby(now)
        # Also if there is no seat for them: then they may have one as soon as it is free.
        self._core.expect_the_absent(now)
        return self._participants.sit(hello.name, connection, key)

    def _remove(self, host: Participant, family: FamilyLetter) -> None:
        seat = self._seat_of(family)
        if seat is host:
            raise NotAllowedError("not_yourself")
        if seat.connection is not None:
            self._connections.dismiss(seat.connection, "removed")
        self._participants.seats.remove(seat)

    def _send_away(self, host: Participant, name: str, now: float) -> None:
        participant = self._participants.called(name)
        if participant is None or (isinstance(participant, Seat) and participant.bot is not None):
            raise NotAllowedError("nobody_called", name=name)
        if participant is host:
            raise NotAllowedError("not_yourself")
        self._core.send_away(participant, now)

    def _decide_about(
        self, family: FamilyLetter, choice: Literal["wait", "bot"], now: float
    ) -> None:
        seat = self._seat_of(family)
        if not seat.present:
            seat.absence = choice
        elif choice == "wait" or seat is not self._games.asked or bot_plays(seat):
            raise NotAllowedError("not_away", family=family)
        else:
            left = SILENT_S - self._games.silent_s(seat, now)
            if left > 0:
                raise NotAllowedError("asked_lately", family=family, seconds=ceil(left))
            taken_for_away(seat)
        self._core.tell_all()

    def _set_ready(self, seat: Seat, ready: bool, now: float) -> None:
        if self._games.phase == "playing":
            raise NotAllowedError("not_ready_now")
        if seat.ready == ready:
            return
        seat.ready = ready
        if self._games.phase == "result" and all(
            each.ready for each in self._participants.persons if each.present
        ):
            self._core.start(now)
        else:
            self._core.tell_all()

    def _start_if_possible(self, now: float) -> None:
        if self._games.phase == "playing":
            raise NotAllowedError("game_under_way")
        reason = missing(self._participants, self.settings, self._games.phase)
        if reason is not None:
            raise NotAllowedError(reason.code, **reason.values)
        self._core.start(now)

    def _take_act(self, connection: int, seat: Seat, act: Act, now: float) -> None:
        if self._games.play is None:
            raise NotAllowedError("no_game")
        if act.number <= seat.acted:
            # Sent again after a reconnect that lost the answer to it: it has counted.
            self._core.show(connection, seat, since=self._games.play.length)
            return
        # Whoever answers is there, also if the answer comes too late.
        self._core.take_back(seat)
        if self._games.paused:
            raise NotAllowedError("paused")
        if act.revision != self.revision:
            raise NotAllowedError("late")
        self._core.act(self._games.place_of(seat), act.action, act.number, now)
        seat.acted = act.number

    def _need_lobby(self) -> None:
        if self._games.phase != "lobby":
            raise NotAllowedError("not_in_lobby")

    def _need_game(self) -> None:
        if self._games.phase != "playing":
            raise NotAllowedError("no_game")

    def _seat_of(self, family: FamilyLetter) -> Seat:
        seat = self._participants.seat_of(family)
        if seat is None:
            raise NotAllowedError("no_such_seat", family=family)
        return seat
