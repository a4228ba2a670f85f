"""What is signed at a sealed table: taken in, passed on to those whom it is for, and compared."""

from collections.abc import Iterable
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakKeyDictionary, WeakSet

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.limits import COMPARISONS, Buckets, spend
from netcode.protocol.fields import TableNotice
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, Spectator
from netcode.wings.sealed.messages import AllowTakeover, LogAt, Sealed, StartTakeover
from netcode.wings.sealed.sealings import sealings_of, store_sealings

if TYPE_CHECKING:
    from netcode.wings.sealed.game.encoding import AddressBody
    from netcode.wings.sealed.game.parcels import Parcel
    from netcode.wings.sealed.game.sealing import Sealing
    from netcode.wings.sealed.sealed_game import SealedGame

Callers: TypeAlias = Literal["all", "machine", "nobody"]
"""Whose programs could call a player's machine: all, those on the host's machine, or nobody's."""


class Carriers(Struct):
    """Passes on where persons can be called: only among those who have told of themselves."""

    participants: Participants
    connections: Connections
    notices: dict[type[TableNotice], TableNotice]
    """What those are sent who may carry a table on, by type."""
    _given: dict[type[TableNotice], set[int]] = field(default_factory=dict)
    """The connections on which each was sent."""
    _allowing: WeakSet[Seat] = field(default_factory=WeakSet)
    """Those whose persons allow that the table goes on at their machines."""
    _callers: WeakKeyDictionary[Seat, Callers] = field(default_factory=WeakKeyDictionary)
    """By seat, whose programs could call the machine of its person."""
    _gid: bytes = b""
    _known: "dict[int, tuple[AddressBody, Parcel]]" = field(default_factory=dict)
    """The latest of each person."""
    _told: set[int] = field(default_factory=set)
    """The connections over which somebody has told of themselves."""

    def hear(
        self, connection: int, sealing: "Sealing", parcels: Iterable[tuple[bytes, bytes]]
    ) -> None:
        """Take where persons can be called, and pass on what is news.

        Raises NotAllowedError if anything of it is refused, and then nothing is taken.
        """
        from netcode.wings.sealed.game.encoding import AddressBody, SealedError
        from netcode.wings.sealed.game.parcels import Parcel

        try:
            read = [(sealing.read(parcel), parcel) for parcel in starmap(Parcel, parcels)]
        except SealedError as error:
            raise NotAllowedError("parcel_refused", check=error.code) from None
        if sealing.gid != self._gid:
            self._gid = sealing.gid
            self._known.clear()
            self._told.clear()
        news = []
        for said, parcel in read:
            assert isinstance(said, AddressBody)
            known = self._known.get(said.person)
            if known is None or known[0].time < said.time:
                self._known[said.person] = said, parcel
                news.append(parcel)
        there = {each for each, _ in self.participants.connected()}
        self._told &= there
        if connection not in self._told:
            self._told.add(connection)
            self._send(connection, [parcel for _, parcel in self._known.values()])
        for other in self._told - {connection}:
            self._send(other, news)

    def allow(self, connection: int, seat: Seat, message: AllowTakeover) -> None:
        """Store whether the table may go on at a player's machine, and who could call there.

        A loopback connection whose ends differ here and there leads through a tunnel, so the
        machine at its other end is not this one.
        """
        if message.allowed:
            self._allowing.add(seat)
        else:
            self._allowing.discard(seat)
        self._callers[seat] = "all"
        if message.port:
            is_here = message.port == self.connections.state_of(connection).port
            self._callers[seat] = "machine" if is_here else "nobody"

    def give_notices(self, connection: int) -> None:
        """Send a program at the table, once, what it needs besides to carry the table on."""
        there = {each for each, _ in self.participants.connected()}
        for kind, notice in self.notices.items():
            given = self._given.setdefault(kind, set())
            given &= there
            if connection not in given:
                given.add(connection)
                self.connections.send(connection, notice)

    def hand_over(self, name: str) -> None:
        """Have somebody's program carry the table on; raises NotAllowedError."""
        seat = self.participants.called(name)
        if not isinstance(seat, Seat) or seat.connection is None or seat not in self._allowing:
            raise NotAllowedError("not_a_carrier", name=name)
        self.connections.send(seat.connection, StartTakeover())

    def names(self) -> tuple[str, ...]:
        """Return those who are there, and at whose machines the table goes on without its host.

        They allow it, and all other players could call there by the addresses.
        """
        there = [seat for seat in self.participants.seats if seat.connection is not None]
        callers = {seat: self._callers.get(seat, "all") for seat in there}
        are_all_here = {callers[seat] for seat in there if not seat.host} == {"machine"}
        return tuple(
            seat.name
            for seat in there
            if seat in self._allowing
            and (callers[seat] == "all" or (callers[seat] == "machine" and are_all_here))
        )

    def _send(self, connection: int, parcels: "list[Parcel]") -> None:
        if parcels:
            self.connections.send(connection, Sealed(tuple(parcels)))


class PassingOn(Struct):
    """Relays the parcels of a table's sealed game; raises NotAllowedError."""

    participants: Participants
    games: Games
    connections: Connections
    carriers: Carriers
    _comparisons: Buckets = field(default_factory=partial(Buckets, COMPARISONS))
    """By name."""

    def take(
        self,
        connection: int,
        participant: Participant,
        game: "SealedGame | None",
        message: Sealed,
        now: float,
    ) -> None:
        """Take in what is signed, pass on what is news, and refuse the first that is to be.

        What came before it is signed by its author for good, so it stays.
        """
        from netcode.wings.sealed.game.encoding import is_address

        if isinstance(participant, Spectator):
            raise NotAllowedError("not_seated")
        if game is None:
            raise NotAllowedError("no_game")
        told = tuple(each for each in message.parcels if is_address(each[0]))
        if told:
            self.carriers.hear(connection, game.sealing, told)
            message = Sealed(tuple(each for each in message.parcels if each not in told))
        passed_on = game.receive(message, paused=self.games.paused)
        self.games.moves += passed_on.steps
        if passed_on.begins:
            store_sealings(self.games, replace(sealings_of(self.games), broken=()))
        if passed_on.ends:
            self.games.finish()
        refused = passed_on.refused
        for person, each in passed_on.told.items():
            self.send(each, None if person is None else game.persons[person])
        if passed_on.begins and game.log_at is not None:
            # Whoever has begun anew during the deal signs nothing before.
            self.send(game.log_at)
        if refused in ("gap", "other_branch"):
            self.compare(connection, participant, game, None, now)
        elif refused == "paused":
            raise NotAllowedError("paused")
        elif refused:
            if refused in ("malformed", "bad_signature"):
                # No program sends what somebody else has made up.
                self.connections.strike(connection)
            raise NotAllowedError("parcel_refused", check=refused)

    def send(self, message: Sealed | LogAt, family: str | None = None) -> None:
        """Send what is relayed to everybody, or to the person with a family alone."""
        for connection, participant in self.participants.connected():
            if family is None or family == participant.family:
                self.connections.send(connection, message)

    def compare(
        self,
        connection: int,
        participant: Participant,
        game: "SealedGame | None",
        at: LogAt | None,
        now: float,
    ) -> None:
        """Tell somebody what is missing in their log, and other persons where it ends.

        Logs are compared where something does not fit, or when somebody asks.
        """
        if spend(now, self._comparisons.of(participant.name, now)):
            return
        if game is None:
            raise NotAllowedError("no_game")
        for message in game.messages_after(at):
            self.connections.send(connection, message)
        family = participant.family
        if at is not None and family in game.persons and self.games.phase == "playing":
            theirs = replace(at, person=game.persons.index(family))
            for other in game.persons:
                if other != family:
                    self.send(theirs, other)
