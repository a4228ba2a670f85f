"""The seats whose players' machines may take a table over: permissions and addresses."""

from collections.abc import Iterable
from itertools import starmap
from typing import TYPE_CHECKING, Literal, TypeAlias
from weakref import WeakKeyDictionary, WeakSet

from msgspec import Struct, field

from netcode.protocol.fields import TableNotice
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Seat
from netcode.wings.sealed.messages import AllowTakeover, Sealed, StartTakeover

if TYPE_CHECKING:
    from netcode.wings.sealed.game.encoding import AddressBody
    from netcode.wings.sealed.game.parcels import Parcel
    from netcode.wings.sealed.game.sealing import Sealing

Callers: TypeAlias = Literal["all", "machine", "nobody"]
"""The programs that can call a player's machine: all, those on the host's machine, or none."""


class TakeoverSeats(Struct):
    """Stores permissions for a takeover, and forwards addresses to persons who have sent theirs."""

    participants: Participants
    connections: Connections
    notices: dict[type[TableNotice], TableNotice]
    """The facts for programs that may take the table over, by type."""
    _given: dict[int, dict[type[TableNotice], TableNotice]] = field(default_factory=dict)
    """The latest notices sent on each connection that wants them, by type."""
    _allowing: WeakSet[Seat] = field(default_factory=WeakSet)
    """The seats whose persons let the table continue at their machines."""
    _callers: WeakKeyDictionary[Seat, Callers] = field(default_factory=WeakKeyDictionary)
    """The programs that can call the machine of each seat's person."""
    _gid: bytes = b""
    _known: "dict[int, tuple[AddressBody, Parcel]]" = field(default_factory=dict)
    """The latest addresses of each person, read and as parcel."""
    _reported: set[int] = field(default_factory=set)
    """The connections over which addresses were sent, so that they receive those of others."""

    def hear(
        self, connection: int, sealing: "Sealing", parcels: Iterable[tuple[bytes, bytes]]
    ) -> None:
        """Take persons' addresses, and forward new ones.

        Raises NotAllowedError if the sealing refuses any; then none is taken.
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
            self._reported.clear()
        news = []
        for said, parcel in read:
            assert isinstance(said, AddressBody)
            known = self._known.get(said.person)
            if known is None or known[0].time < said.time:
                self._known[said.person] = said, parcel
                news.append(parcel)
        there = {each for each, _ in self.participants.connected()}
        self._reported &= there
        if connection not in self._reported:
            self._reported.add(connection)
            self._send(connection, [parcel for _, parcel in self._known.values()])
        for other in self._reported - {connection}:
            self._send(other, news)

    def allow(self, connection: int, seat: Seat, message: AllowTakeover) -> None:
        """Store a player's permission, and the programs that can call their machine.

        A loopback connection with different ports at its ends leads through a tunnel, so the
        player's machine is not this one.
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
        """Send the notices for a takeover over a connection, now and after each change."""
        self._given.setdefault(connection, {})
        self.send_changed_notices()

    def send_changed_notices(self) -> None:
        """Send each new or changed notice over all connections that want notices."""
        there = {each for each, _ in self.participants.connected()}
        for connection in self._given.keys() - there:
            del self._given[connection]
        for connection, given in self._given.items():
            for kind, notice in self.notices.items():
                if given.get(kind) != notice:
                    given[kind] = notice
                    self.connections.send(connection, notice)

    def hand_over(self, name: str) -> None:
        """Make a player's program take the table over. Raises NotAllowedError."""
        seat = self.participants.called(name)
        if not isinstance(seat, Seat) or seat.connection is None or seat not in self._allowing:
            raise NotAllowedError("not_a_successor", name=name)
        self.connections.send(seat.connection, StartTakeover())

    def names(self) -> tuple[str, ...]:
        """Return the present players at whose machines the table can continue without its host.

        These players allow it, and all other players can call their machines.
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
