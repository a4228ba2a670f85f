"""Chooses the host of a table, and replaces an absent host.

With an owner's key, only the owner of this key is the host. Without one, the host is the opener, or
the first person with a seat, and the role can pass to others.
"""

import hmac
from math import inf
from typing import Final

from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, key_hash

HOST_AWAY_S: Final = 60.0
"""Seconds for which the others wait for an absent host: time for three reconnects."""


class HostRole:
    """Gives the role of the host at one table to a person."""

    def __init__(
        self, participants: Participants, owner_key: bytes | None, opener: int | None = None
    ) -> None:
        """Begin with the present participants.

        `opener` is the connection on which the opener will join; None if no opener is awaited.
        """
        self.owner = None if owner_key is None else key_hash(owner_key)
        """The hash of the owner's key; None if the table has no owner."""
        self._participants = participants
        self._opener = opener
        """The connection of the opener; None once the opener has joined, or has gone."""
        self._without_since: float | None = None
        """The time at which the present players lost their host.

        It is None while the host is present, and while no player is.
        """

    def is_owners(self, hashed: bytes | None) -> bool:
        """Return True if this is the hash of the owner's key."""
        return (
            hashed is not None
            and self.owner is not None
            and hmac.compare_digest(self.owner, hashed)
        )

    def welcome_opener(self, participant: Participant, connection: int) -> None:
        """Make a newcomer the host if this is the opener's connection."""
        if connection == self._opener:
            self._opener = None
            participant.host = True

    def give_up_opener(self, connection: int) -> None:
        """Stop waiting for the opener if this is the opener's connection, which has ended."""
        if connection == self._opener:
            self._opener = None

    def settle(self) -> None:
        """Choose a host if there is none, or if the host has left for good.

        With an owner, and while the opener has not joined, do nothing.
        """
        if self._opener is not None:
            return
        host = self._participants.host()
        if self.owner is None and (host is None or (isinstance(host, Seat) and host.left)):
            self._replace_host()

    def watch(self, now: float) -> None:
        """Update the time from which the host is missing.

        Call this after every input that may have changed the people.
        """
        host = self._participants.host()
        missed = host is None or host.connection is None
        if not missed or not any(seat.present for seat in self._participants.persons):
            self._without_since = None
        elif self._without_since is None:
            self._without_since = now

    def overdue_at(self, *, is_frozen: bool, awaited_until: float) -> float:
        """Return the time from which the others continue without the host; infinity for never.

        They wait at least until `awaited_until`. With an owner, they wait for ever unless the game
        `is_frozen`.
        """
        if self._without_since is None or (self.owner is not None and not is_frozen):
            return inf
        return max(self._without_since + HOST_AWAY_S, awaited_until)

    def replace_overdue(self) -> bool:
        """Replace a host who has been absent too long; return False if the table has an owner."""
        if self.owner is None:
            self._replace_host()
        return self.owner is None

    def _replace_host(self) -> None:
        """Make the first present person with a seat the host, and expect no opener any longer.

        If nobody is present, the host stays the same.
        """
        self._opener = None
        heir = next((seat for seat in self._participants.persons if seat.present), None)
        if heir is not None:
            former = self._participants.host()
            if former is not None:
                former.host = False
            heir.host = True
