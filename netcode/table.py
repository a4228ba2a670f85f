"""The authoritative table as a state machine: messages in, effects out.

It decides everything (who sits where, whose turn it is, what is legal, who is told what) and
does nothing: no sockets, no tasks, no clock. Connections are numbers that the shell gives out,
`now` is its clock in seconds, and what is to be done comes back as a list of effects. Each
message is judged before anything is changed, so a refusal leaves the table as it was.
"""

import hmac
from collections.abc import Callable, Iterable
from random import Random
from typing import Self, assert_never

from engine.actions import Action
from engine.edition import EDITIONS
from engine.game import Deal
from engine.record import Record
from netcode.away import is_answered_for, is_deserted, question
from netcode.connections import Connections, Peer
from netcode.effects import Effect, Keep
from netcode.keeping import (
    Ended,
    Keeper,
    Kept,
    KeptAct,
    KeptGame,
    KeptTable,
    Phase,
    keep_seat,
    restore_company,
    restore_play,
)
from netcode.messages import (
    PROGRAM,
    PROTOCOL,
    Absent,
    Act,
    AddBot,
    BackToLobby,
    ChangeSettings,
    Chat,
    ChooseFamily,
    FamilyLetter,
    Hello,
    Here,
    Leave,
    Mute,
    Pause,
    Remove,
    SetReady,
    Start,
    TableMessage,
    TableSettings,
    Values,
    Welcome,
)
from netcode.play import Play
from netcode.refusals import UNKNOWN_KEY
from netcode.seats import (
    Company,
    Guest,
    NotAllowedError,
    Seat,
    Spectator,
    family_of,
    key_hash,
    need_host,
    seated,
)


class Table:
    """A table: its company, its settings, and one game after the other."""

    def __init__(
        self,
        rng: Random,
        new_key: Callable[[], bytes],
        *,
        owner_key: bytes | None = None,
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
            unattended: Whether bots play on while no person is present.
            settings: To begin with; the host may change them.
            bots: Sit there to begin with, by name.
        """
        self.settings = settings or TableSettings()
        self.invitation = ""
        """What others type to join; to be set before anybody comes."""
        self.revision = 0
        """Counts what has happened in the games of this table."""
        self._rng = rng
        self._new_key = new_key
        self._owner = None if owner_key is None else key_hash(owner_key)
        self._unattended = unattended
        self._phase: Phase = "lobby"
        self._company = Company()
        for bot in bots:
            self._company.add_bot(bot)
        self._play: Play | None = None
        self._games = 0
        self._connections = Connections()
        self._keeper = Keeper(self._kept())

    @classmethod
    def restore(
        cls, kept: Kept, rng: Random, new_key: Callable[[], bytes], owner_key: bytes | None = None
    ) -> Self:
        """Bring back what was kept of a table, with all persons away; raises StoreError.

        The arguments are those of a new table. The key of its former owner opens nothing.
        """
        company, play = restore_company(kept), restore_play(kept)
        table = cls(rng, new_key, owner_key=owner_key, settings=kept.table.settings)
        table._company, table._play = company, play
        table._games = kept.table.games
        if kept.game is None or play is None:
            table.revision = kept.table.revision
        else:
            table._phase = "result" if play.over else "playing"
            table.revision = kept.game.revision + play.step
        table._keeper = Keeper(kept.table)
        return table

    def record(self) -> Record | None:
        """Return the running or just finished game as data, every card included."""
        return None if self._play is None else self._play.record()

    # What may happen to a table

    def receive(self, connection: int, message: TableMessage, now: float) -> list[Effect]:
        """Take a message in; an unknown connection is a new one."""
        peer = self._connections.peer(connection)
        if not peer.dismissed:
            try:
                self._handle(connection, peer, message, now)
            except NotAllowedError as refusal:
                number = message.number if isinstance(message, Act) else None
                self._connections.refuse(connection, refusal.code, refusal.values, number)
                # Strangers do not get to try names and keys without end.
                if peer.guest is None or isinstance(message, Hello):
                    self._strike(connection, now)
        return self._flush()

    def malformed(
        self, connection: int, code: str, now: float, values: Values | None = None
    ) -> list[Effect]:
        """Take note that something came which is no message, for the reason given."""
        if not self._connections.peer(connection).dismissed:
            self._connections.refuse(connection, code, values or {})
            self._strike(connection, now)
        return self._flush()

    def disconnected(self, connection: int, now: float) -> list[Effect]:
        """Take note that a connection has ended, whoever ended it."""
        guest = self._connections.forget(connection)
        if guest is not None:
            self._part(guest, now)
        return self._flush()

    def hello_overdue(self, connection: int) -> list[Effect]:
        """Do without a connection that has not said hello for as long as the shell allows."""
        peer = self._connections.peer(connection)
        if peer.guest is None and not peer.dismissed:
            self._connections.dismiss(connection, "hello_overdue")
        return self._flush()

    def close(self, reason: str) -> list[Effect]:
        """Say goodbye to everybody, with a code of `refusals.py`."""
        if self._phase != "playing":
            self._keeper.keep(Ended())
        for connection, _ in list(self._company.connected()):
            self._connections.dismiss(connection, reason)
        return self._flush()

    def answer(self, seat: int, revision: int, action: Action, now: float) -> list[Effect]:
        """Take the answer to a Think, unless it has become pointless."""
        play = self._play
        if (
            play is not None
            and self._phase == "playing"
            and revision == self.revision
            and seat == play.turn
            and not self._stands_still
            and is_answered_for(self._company.seats[seat], now)
            and play.is_legal(action)
        ):
            self._act(play, seat, action.token, None, now)
        return self._flush()

    # Messages

    def _handle(self, connection: int, peer: Peer, message: TableMessage, now: float) -> None:
        if isinstance(message, Hello):
            self._hello(connection, peer, message, now)
            return
        guest = peer.guest
        if guest is None:
            raise NotAllowedError("say_hello")
        if guest.keys is not None:
            guest.keys.confirm()
        match message:
            case ChooseFamily():
                seat = seated(guest)
                self._need_lobby()
                self._company.choose_family(seat, message.family)
                self._tell_all()
            case SetReady():
                self._set_ready(seated(guest), message.ready, now)
            case AddBot():
                need_host(guest)
                self._need_lobby()
                self._company.add_bot(message.bot)
                self._tell_all()
            case Remove():
                need_host(guest)
                self._need_lobby()
                self._remove(guest, message.family)
            case ChangeSettings():
                need_host(guest)
                self._need_lobby()
                self.settings = message.settings
                self._tell_all()
            case Start():
                need_host(guest)
                self._start_if_possible(now)
            case Act():
                self._take_act(connection, seated(guest), message, now)
            case BackToLobby():
                need_host(guest)
                if self._phase != "result":
                    raise NotAllowedError("not_after_game")
                self._open_lobby()
            case Chat() | Mute() | Pause() | Absent() | Here():
                raise NotAllowedError("unknown_message")
            case Leave():
                self._connections.dismiss(connection, "left")
                self._part(guest, now, left=True)
            case _:
                assert_never(message)

    def _hello(self, connection: int, peer: Peer, hello: Hello, now: float) -> None:
        if hello.protocol != PROTOCOL:
            older = "upgrade_client" if hello.protocol < PROTOCOL else "upgrade_host"
            self._connections.dismiss(
                connection, older, {"theirs": PROTOCOL, "yours": hello.protocol}
            )
            return
        if peer.guest is not None:
            raise NotAllowedError("already_greeted")
        hashed = None if hello.key is None else key_hash(hello.key)
        is_owner = (
            hashed is not None
            and self._owner is not None
            and hmac.compare_digest(self._owner, hashed)
        )
        guest: Guest | None = None
        if is_owner:
            guest = self._company.host()
        elif hashed is not None:
            guest = self._company.opened_by(hashed)
            if guest is None:
                raise NotAllowedError(UNKNOWN_KEY)
        key = self._new_key()
        stood_still = self._stands_still
        if guest is None or hashed is None:
            guest = self._newcomer(connection, hello, key, now)
            guest.host = is_owner
        else:
            self._resume(connection, guest, hashed, key)
        peer.guest = guest
        self._settle_hosting()
        self._welcome(connection, guest, key)
        if stood_still:
            self._wake(now)

    def _newcomer(self, connection: int, hello: Hello, key: bytes, now: float) -> Guest:
        if hello.spectator:
            return self._company.watch(hello.name, connection, key)
        if self._phase != "lobby" and is_deserted(self._company.persons, now) and not self._owner:
            self._open_lobby()
        if self._phase != "lobby":
            raise NotAllowedError("game_under_way")
        return self._company.sit(hello.name, connection, key)

    def _resume(self, connection: int, guest: Guest, hashed: bytes, key: bytes) -> None:
        if guest.connection is not None:
            self._connections.dismiss(guest.connection, "replaced")
        guest.connection = connection
        if guest.keys is not None:
            guest.keys.change(hashed, key)
        if isinstance(guest, Seat):
            guest.left = False

    def _welcome(self, connection: int, guest: Guest, key: bytes) -> None:
        self._connections.send(
            connection,
            Welcome(
                protocol=PROTOCOL,
                program=PROGRAM,
                family=family_of(guest),
                key=key,
                host=guest.host,
                acted=guest.acted if isinstance(guest, Seat) else 0,
            ),
        )
        self._tell_all()
        if self._play is not None:
            self._show(connection, guest, self._play, since=0)

    def _remove(self, host: Guest, family: FamilyLetter) -> None:
        seat = self._company.seat_of(family)
        if seat is None:
            raise NotAllowedError("no_such_seat", family=family)
        if seat is host:
            raise NotAllowedError("not_yourself")
        if seat.connection is not None:
            self._connections.dismiss(seat.connection, "removed")
        self._company.seats.remove(seat)
        self._tell_all()

    def _set_ready(self, seat: Seat, ready: bool, now: float) -> None:
        if self._phase == "playing":
            raise NotAllowedError("not_ready_now")
        if seat.ready == ready:
            return
        seat.ready = ready
        if self._phase == "result" and all(
            each.ready for each in self._company.persons if each.present
        ):
            self._start(now)
        else:
            self._tell_all()

    def _start_if_possible(self, now: float) -> None:
        if self._phase == "playing":
            raise NotAllowedError("game_under_way")
        missing = self._company.missing(self.settings)
        if missing is not None:
            raise NotAllowedError(missing.code, **missing.values)
        self._start(now)

    def _take_act(self, connection: int, seat: Seat, act: Act, now: float) -> None:
        play = self._play
        if play is None:
            raise NotAllowedError("no_game")
        if act.number <= seat.acted:
            # Sent again after a reconnect that lost the answer to it: it has counted.
            self._show(connection, seat, play, since=play.length)
            return
        if act.revision != self.revision:
            raise NotAllowedError("late")
        index = self._company.seats.index(seat)
        self._act(play, index, act.action, act.number, now)
        seat.acted = act.number

    # Phases

    def _start(self, now: float) -> None:
        seats = self._company.seats
        families = "".join(seat.family for seat in seats)
        first = self.settings.first
        deal = Deal.shuffled(
            self._rng,
            families,
            EDITIONS[self.settings.edition],
            None if first == "random" else families.index(first),
        )
        self._games += 1
        self._play = Play(self._games, deal, self.settings)
        self._phase = "playing"
        self._keeper.keep(KeptGame(self._games, self.revision + 1, self._play.record()))
        for seat in seats:
            seat.ready = False
        self._tell_all()
        self._moved(self._play, 0, now)

    def _act(self, play: Play, seat: int, token: str, number: int | None, now: float) -> None:
        since = play.length
        play.act(seat, token)
        self._keeper.keep(KeptAct(play.number, play.step, seat, number, token))
        self._moved(play, since, now)

    def _moved(self, play: Play, since: int, now: float) -> None:
        """Tell everybody what has happened, and ask whoever is to answer."""
        self.revision += 1
        for connection, guest in self._company.connected():
            self._show(connection, guest, play, since)
        if play.over:
            self._phase = "result"
            self._settle_hosting()
            self._tell_all()
        else:
            self._think(now)

    def _open_lobby(self) -> None:
        """End what was, with the seats of all who are there."""
        self._phase = "lobby"
        self._play = None
        company = self._company
        company.seats = [seat for seat in company.seats if seat.present]
        for seat in company.seats:
            seat.ready = False
        self._settle_hosting()
        self._tell_all()

    # Being away

    def _part(self, guest: Guest, now: float, left: bool = False) -> None:
        """Do without somebody whose connection is no more theirs."""
        company = self._company
        if isinstance(guest, Spectator):
            company.spectators.remove(guest)
        elif self._phase == "lobby":
            company.seats.remove(guest)
        else:
            guest.connection = None
            guest.ready = False
            guest.away_since = now
            guest.left = left
            if all(seat.left for seat in company.persons):
                # Nobody means to come back, so the table is free for others.
                self._open_lobby()
                return
        self._settle_hosting()
        self._tell_all()
        if self._play is not None and isinstance(guest, Seat) and self._asks(guest):
            self._think(now)

    @property
    def _stands_still(self) -> bool:
        """Whether bots wait, because nobody is there who plays."""
        return not self._unattended and not self._company.attended

    def _wake(self, now: float) -> None:
        """Go on after standing still; those who may be about to return too get their grace."""
        for seat in self._company.persons:
            if not seat.present:
                seat.away_since = now
        self._think(now)

    def _asks(self, seat: Seat) -> bool:
        """Whether a seat is asked something."""
        return (
            self._phase == "playing"
            and self._play is not None
            and self._company.seats[self._play.turn] is seat
        )

    def _think(self, now: float) -> None:
        """Ask a bot for an answer if it is not a person who is to give it."""
        play = self._play
        if play is None or self._phase != "playing" or self._stands_still:
            return
        seat = self._company.seats[play.turn]
        think = question(play, seat, self.settings, self.revision, now)
        if think is not None:
            self._connections.do(think)

    def _settle_hosting(self) -> None:
        if self._owner is None:
            self._company.settle_hosting(game_under_way=self._phase == "playing")

    # What is said

    def _show(self, connection: int, guest: Guest, play: Play, since: int) -> None:
        """Send somebody the game as they may know it."""
        viewer = self._company.seats.index(guest) if isinstance(guest, Seat) else None
        state = play.state(viewer, family_of(guest), self.revision, since)
        self._connections.send(connection, state)

    def _tell_all(self) -> None:
        """Send everybody everything about the table but the game."""
        for connection, lobby in self._company.lobbies(self._phase, self.settings, self.invitation):
            self._connections.send(connection, lobby)

    def _strike(self, connection: int, now: float) -> None:
        guest = self._connections.strike(connection)
        if guest is not None:
            self._part(guest, now)

    # What is kept

    def _flush(self) -> list[Effect]:
        """Return what is to be done: first to keep what the rest may tell of."""
        entries = self._keeper.flush(self._kept())
        return [*map(Keep, entries), *self._connections.flush()]

    def _kept(self) -> KeptTable:
        return KeptTable(
            settings=self.settings,
            phase=self._phase,
            paused=False,
            seats=tuple(map(keep_seat, self._company.seats)),
            owner=self._owner,
            games=self._games,
            revision=self.revision,
        )

    def _need_lobby(self) -> None:
        if self._phase != "lobby":
            raise NotAllowedError("not_in_lobby")
