"""Who is the host of a table, and what becomes of it when they are not there.

With an owner's key its holder is the host and nobody else. Without one the opener is, as soon as
they come, or else the first person who sat down, and hosting passes on.
"""

import hmac
from math import inf
from typing import Final

from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, key_hash

HOST_AWAY_S: Final = 60.0
"""How long the others wait for a host who is away: three reconnects."""


class HostRole:
    """Decides who is the host of one table."""

    def __init__(
        self, participants: Participants, owner_key: bytes | None, opener: int | None = None
    ) -> None:
        """Begin with who is there; the opener, if any, is still to come on that connection."""
        self.owner = None if owner_key is None else key_hash(owner_key)
        """The hash of the owner's key."""
        self._participants = participants
        self._opener = opener
        """The connection of the opener, until they come or it is too late."""
        self._without_since: float | None = None
        """Since when somebody plays there and the host does not; None while that is not so."""

    def is_owners(self, hashed: bytes | None) -> bool:
        """Whether the key of this hash is the owner's."""
        return (
            hashed is not None
            and self.owner is not None
            and hmac.compare_digest(self.owner, hashed)
        )

    def welcome_opener(self, participant: Participant, connection: int) -> None:
        """Make somebody who is new at the table the host if they have opened it."""
        if connection == self._opener:
            self._opener = None
            participant.host = True

    def give_up_opener(self, connection: int) -> None:
        """Wait no more for the opener, if that is their connection."""
        if connection == self._opener:
            self._opener = None

    def settle(self) -> None:
        """Pass hosting on if the host has gone for good; the opener is waited for."""
        if self._opener is not None:
            return
        host = self._participants.host()
        if self.owner is None and (host is None or (isinstance(host, Seat) and host.left)):
            self._pass_on()

    def watch(self, now: float) -> None:
        """Note since when the host is missed by those who are there; call it after any change."""
        host = self._participants.host()
        missed = host is None or host.connection is None
        if not missed or not any(seat.present for seat in self._participants.persons):
            self._without_since = None
        elif self._without_since is None:
            self._without_since = now

    def overdue_at(self, *, is_frozen: bool) -> float:
        """Return when those who are there are to do without the host; infinity if they are not."""
        if self._without_since is None or (self.owner is not None and not is_frozen):
            return inf
        return self._without_since + HOST_AWAY_S

    def replace_overdue(self) -> bool:
        """Pass hosting on from a host who is overdue; return whether that can be."""
        if self.owner is None:
            self._pass_on()
        return self.owner is None

    def _pass_on(self) -> None:
        """Make the person the host who has been there longest, if anybody is there."""
        self._opener = None
        heir = next((seat for seat in self._participants.persons if seat.present), None)
        if heir is not None:
            former = self._participants.host()
            if former is not None:
                former.host = False
            heir.host = True
