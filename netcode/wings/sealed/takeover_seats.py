"""Stores the players who allow a takeover by their machines, and the machines' addresses."""

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
"""The programs that can call a player's machine: all, programs on the host's machine, or none."""


class TakeoverSeats(Struct):
    """Stores permissions for takeovers, and forwards addresses to persons who have sent theirs."""

    participants: Participants
    connections: Connections
    notices: dict[type[TableNotice], TableNotice]
    """The facts for programs that could take over the table, by type."""
    _given: dict[int, dict[type[TableNotice], TableNotice]] = field(default_factory=dict)
    """For each connection that wants notices, the latest ones sent, by type."""
    _allowing: WeakSet[Seat] = field(default_factory=WeakSet)
    """The seats whose persons allow the table to continue at their machines."""
    _callers: WeakKeyDictionary[Seat, Callers] = field(default_factory=WeakKeyDictionary)
    """For each seat, the programs that can call the machine of its person."""
    _gid: bytes = b""
    _known: "dict[int, tuple[AddressBody, Parcel]]" = field(default_factory=dict)
    """The latest addresses of each person: the body and its parcel."""
    _reported: set[int] = field(default_factory=set)
    """The connections on which addresses came. Only these receive the addresses of others."""

    def receive_addresses(
        self, connection: int, sealing: "Sealing", parcels: Iterable[tuple[bytes, bytes]]
    ) -> None:
        """Store addresses of persons, and send new ones to all connections that sent addresses.

        A connection that sends addresses for the first time gets all stored ones. Raises
        NotAllowedError if an address is invalid; then all addresses are ignored.
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
        for body, parcel in read:
            assert isinstance(body, AddressBody)
            known = self._known.get(body.person)
            if known is None or known[0].time < body.time:
                self._known[body.person] = body, parcel
                news.append(parcel)
        there = {each for each, _ in self.participants.connected()}
        self._reported &= there
        if connection not in self._reported:
            self._reported.add(connection)
            self._send(connection, [parcel for _, parcel in self._known.values()])
        for other in self._reported - {connection}:
            self._send(other, news)

    def allow(self, connection: int, seat: Seat, message: AllowTakeover) -> None:
        """Store a player's permission for a takeover, and the callers that can reach their machine.

        A loopback connection whose two ends report different ports is a tunnel. The player's
        machine is then elsewhere, and nobody can reach that machine.
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
        """Send the notices for a takeover on a connection, now and after each change."""
        self._given.setdefault(connection, {})
        self.send_changed_notices()

    def send_changed_notices(self) -> None:
        """Send new and changed notices on all connections that want them."""
        there = {each for each, _ in self.participants.connected()}
        for connection in self._given.keys() - there:
            del self._given[connection]
        for connection, given in self._given.items():
            for kind, notice in self.notices.items():
                if given.get(kind) != notice:
                    given[kind] = notice
                    self.connections.send(connection, notice)

    def hand_over(self, name: str) -> None:
        """Make a player's program take over the table.

        Raises NotAllowedError if the player is absent, or does not allow a takeover.
        """
        seat = self.participants.called(name)
        if not isinstance(seat, Seat) or seat.connection is None or seat not in self._allowing:
            raise NotAllowedError("not_a_successor", name=name)
        self.connections.send(seat.connection, StartTakeover())

    def names(self) -> tuple[str, ...]:
        """Return the present players on whose machines the table can continue without its host.

        They allow it, and all other players can call their machines.
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
