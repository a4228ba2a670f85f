"""Who is the host of a table, and what becomes of it when they are not there.

With an owner's key its holder is the host and nobody else. Without one the first person who sat
down is, and hosting passes on; so a table is never left for good with what an absent host has
stopped. Knows who is there, not what is said to them.
"""

import hmac
from collections.abc import Callable
from typing import Final

from netcode.seats import Company, Seat, key_hash

HOST_AWAY_S: Final = 60.0
"""How long the others do without a host who is away: three reconnects, and then they would ask
each other who can go on."""


class Hosting:
    """Looks after one company's host."""

    def __init__(self, company: Company, owner_key: bytes | None) -> None:
        """Begin with who is there, and with the key of the owner if there is one."""
        self.owner = None if owner_key is None else key_hash(owner_key)
        """The hash of the owner's key."""
        self._company = company
        self._without_since: float | None = None
        """Since when somebody plays there and the host does not; None while that is not so."""

    def is_owners(self, hashed: bytes | None) -> bool:
        """Whether the key of this hash is the owner's."""
        return (
            hashed is not None
            and self.owner is not None
            and hmac.compare_digest(self.owner, hashed)
        )

    def settle(self) -> None:
        """Pass hosting on if the host has gone for good."""
        host = self._company.host()
        if self.owner is None and (host is None or (isinstance(host, Seat) and host.left)):
            self._pass_on()

    def watch(self, now: float) -> None:
        """Take note of who is there now."""
        host = self._company.host()
        missed = host is None or host.connection is None
        if not missed or not any(seat.present for seat in self._company.persons):
            self._without_since = None
        elif self._without_since is None:
            self._without_since = now

    def overdue_at(self, frozen: Callable[[], bool]) -> float | None:
        """Return when those who are there are to do without the host, if it comes to that.

        Args:
            frozen: Whether the host has stopped something that only a host can let go on.
        """
        if self._without_since is None or (self.owner is not None and not frozen()):
            return None
        return self._without_since + HOST_AWAY_S

    def do_without(self) -> bool:
        """Pass hosting on from a host who is overdue; return whether that can be."""
        if self.owner is None:
            self._pass_on()
        return self.owner is None

    def _pass_on(self) -> None:
        """Make the person the host who has been there longest, if anybody is there."""
        heir = next((seat for seat in self._company.persons if seat.present), None)
        if heir is not None:
            former = self._company.host()
            if former is not None:
                former.host = False
            heir.host = True
