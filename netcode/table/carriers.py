"""Who may carry a sealed table on: what they tell each other, and whom a host may hand it to."""

from collections.abc import Iterable
from itertools import starmap
from typing import TYPE_CHECKING

from msgspec import Struct, field

from netcode.protocol.carrying_messages import CarryOn, RelayPass
from netcode.protocol.sealed_messages import Sealed
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Seat

if TYPE_CHECKING:
    from netcode.sealed.encoding import RelayBody
    from netcode.sealed.parcels import Parcel
    from netcode.sealed.sealing import Sealing


class Carriers(Struct):
    """Passes on where persons can be called: only among those who have told of themselves."""

    participants: Participants
    connections: Connections
    relay_pass: RelayPass | None = None
    """What those are given who may carry a table on, so that a relay leads others to them."""
    _passed: set[int] = field(default_factory=set)
    """The connections on which it was sent."""
    _gid: bytes = b""
    _known: "dict[int, tuple[RelayBody, Parcel]]" = field(default_factory=dict)
    """The latest of each person."""
    _told: set[int] = field(default_factory=set)
    """The connections over which somebody has told of themselves."""

    def hear(
        self, connection: int, sealing: "Sealing", parcels: Iterable[tuple[bytes, bytes]]
    ) -> None:
        """Take where persons can be called, and pass on what is news; raises NotAllowedError."""
        from netcode.sealed.encoding import RelayBody, SealedError
        from netcode.sealed.parcels import Parcel

        if sealing.gid != self._gid:
            self._gid = sealing.gid
            self._known.clear()
            self._told.clear()
        news = []
        for parcel in starmap(Parcel, parcels):
            try:
                said = sealing.read(parcel)
            except SealedError as error:
                raise NotAllowedError("parcel_refused", check=error.code) from None
            assert isinstance(said, RelayBody)
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

    def give_pass(self, connection: int) -> None:
        """Give what there is of a relay to a program at the table, once."""
        there = {each for each, _ in self.participants.connected()}
        self._passed &= there
        if self.relay_pass is not None and connection not in self._passed:
            self._passed.add(connection)
            self.connections.send(connection, self.relay_pass)

    def hand_over(self, name: str) -> None:
        """Have somebody's program carry the table on; raises NotAllowedError."""
        seat = self.participants.called(name)
        if not isinstance(seat, Seat) or seat.connection is None or not seat.carries:
            raise NotAllowedError("not_a_carrier", name=name)
        self.connections.send(seat.connection, CarryOn())

    def names(self) -> tuple[str, ...]:
        """Return those who are there and allow that the table goes on at their machines."""
        seats = self.participants.seats
        return tuple(seat.name for seat in seats if seat.carries and seat.connection is not None)

    def _send(self, connection: int, parcels: "list[Parcel]") -> None:
        if parcels:
            self.connections.send(connection, Sealed(tuple(parcels)))
