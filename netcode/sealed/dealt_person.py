"""What one person alone knows of a game: the only place that holds unopened cards."""

from dataclasses import dataclass
from random import Random
from typing import Final

from engine.actions import REVEAL
from engine.cards import CARDS, Seat
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import (
    LEAF_COUNT,
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Opening,
    SealBody,
    SealedError,
    SeenBody,
)
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel, signed
from netcode.sealed.proofs import leaf_hash, nonce_hash
from netcode.sealed.sealing import Sealing
from netcode.sealed.votes import Situation, may_open, missing_vote, owed_seen


@dataclass(frozen=True, slots=True, repr=False)
class PersonSecrets:
    """The secrets of one person in one game, drawn once, and what is signed with them."""

    gid: bytes
    person: int
    seats: tuple[Seat, ...]
    key: bytes
    """The secret key."""
    orders: tuple[str, ...]
    """By own seat, which card each leaf is."""
    salts: tuple[tuple[bytes, ...], ...]
    """By own seat, the salt of each leaf."""
    nonce: bytes

    @classmethod
    def drawn(cls, rng: Random, key: bytes, sealing: Sealing, person: int) -> "PersonSecrets":
        """Draw the order of each seat's cards, the salts and the nonce; from `SystemRandom`."""
        seats = sealing.said.persons[person].seats
        return cls(
            gid=sealing.gid,
            person=person,
            seats=seats,
            key=key,
            orders=tuple("".join(rng.sample(CARDS, LEAF_COUNT)) for _ in seats),
            salts=tuple(tuple(rng.randbytes(32) for _ in range(LEAF_COUNT)) for _ in seats),
            nonce=rng.randbytes(32),
        )

    def opening(self, seat: Seat, leaf: int) -> Opening:
        """Return what opens a leaf of an own seat."""
        place = self.seats.index(seat)
        return leaf, self.orders[place][leaf], self.salts[place][leaf]

    def seal(self) -> Parcel:
        """Return the seal: hashes of all own cards and of the nonce."""
        leaves = tuple(
            tuple(leaf_hash(self.gid, seat, self.opening(seat, leaf)) for leaf in range(LEAF_COUNT))
            for seat in self.seats
        )
        commit = nonce_hash(self.gid, self.person, self.nonce)
        return signed(self.key, SealBody(self.gid, self.person, leaves, commit))

    def deal(self, seals: bytes) -> Parcel:
        """Return the nonce, for all who have seen the same seals."""
        return signed(self.key, DealBody(self.gid, self.person, seals, self.nonce))

    def act(self, n: int, prev: bytes, seat: Seat, token: str) -> Parcel:
        """Return an answer that opens nothing, as step n."""
        return signed(self.key, EntryBody(self.gid, n, prev, seat, "act", (token,)))

    def open(self, n: int, prev: bytes, seat: Seat, leaf: int, what: str = "open") -> Parcel:
        """Return the opening of a card, or with `what` "reveal" the answer that turns it up."""
        opening = self.opening(seat, leaf)
        return signed(self.key, EntryBody(self.gid, n, prev, seat, what, opening))

    def missing(self, n: int, prev: bytes) -> Parcel:
        """Return the vote that step n has not come."""
        return signed(self.key, MissingBody(self.gid, n, prev, self.person))

    def seen(self, n: int, prev: bytes, tip: bytes) -> Parcel:
        """Return the vote that step n has come, and leads to this tip."""
        return signed(self.key, SeenBody(self.gid, n, prev, tip, self.person))

    def end(self, n: int, tip: bytes, time: int) -> Parcel:
        """Return the openings of all own cards after the last step."""
        openings = tuple(
            tuple(self.opening(seat, leaf)[1:] for leaf in range(LEAF_COUNT)) for seat in self.seats
        )
        return signed(self.key, EndBody(self.gid, n, tip, self.person, time, openings))


class DealtPerson:
    """One person's program once all is dealt: it opens, votes and ends by itself.

    Whatever it returns goes to disk first and to all others then. After a start, `log` takes what
    is on disk; nothing is signed before it was compared with another's (`is_compared`).
    """

    def __init__(
        self, secrets: PersonSecrets, dealing: Dealing, *, is_compared: bool = False
    ) -> None:
        self.log: Final = SealedLog(dealing, secrets.person)
        self.is_compared = is_compared
        """Whether this log was compared with a relay's since the program started."""
        self.is_offered_vote = False
        """Whether the person is asked to vote that the step that is due is missing."""
        self._secrets: Final = secrets
        self._chosen: tuple[bytes, Seat] | None = None
        self._votes_missing: bytes | None = None

    def answer(self, seat: Seat, token: str) -> list[Parcel]:
        """Answer for an own seat; a reveal goes out once the step before it is sure to stay."""
        log, due = self.log, self.log.due
        if not self.is_compared or due is None or due.opening is not None or due.seat != seat:
            raise SealedError("not_your_turn")
        # What the log would refuse must not even be signed.
        if seat not in self._secrets.seats or token not in map(str, log.game.legal):
            raise SealedError("illegal")
        if token == REVEAL.token:
            self._chosen = (log.tip, seat)
            return self._reveal()
        return self._sign(self._secrets.act(log.height + 1, log.tip, seat, token))

    def vote_missing(self) -> None:
        """Agree to vote that the step that is due is missing, while that is offered."""
        self._votes_missing = self.log.tip

    def advance(self, now: Situation, unix_s: int) -> list[Parcel]:
        """Sign whatever is to be signed by now."""
        said: list[Parcel] = []
        while self.is_compared and not self.log.frozen:
            more = self._next(now, unix_s)
            if not more:
                break
            said += more
        return said

    def _next(self, now: Situation, unix_s: int) -> list[Parcel]:
        """Return one step of what is to be signed, the first that there is."""
        log, own = self.log, self._secrets
        n, prev, due = log.height + 1, log.tip, log.due
        for step in owed_seen(log, own.person):
            entry = log.entries[step - 1]
            return self._sign(own.seen(step, entry.said.prev, entry.tip))
        if due is None:
            if own.person in log.ends or not may_open(log):
                return []
            return self._sign(own.end(log.height, prev, unix_s))
        if due.opening is not None and due.opening[0] in own.seats:
            if not may_open(log):
                return []
            return self._sign(own.open(n, prev, *due.opening))
        if reveal := self._reveal():
            return reveal
        vote = missing_vote(log, own.person, now)
        self.is_offered_vote = vote == "offer"
        if vote == "sign" or (vote == "offer" and self._votes_missing == prev):
            return self._sign(own.missing(n, prev))
        missing = log.voters(n, prev, None)
        if log.sealing.quorum is not None and len(missing) >= log.sealing.quorum:
            return self._sign(log.default())
        return []

    def _reveal(self) -> list[Parcel]:
        """Return the reveal that was chosen, if it may be sent."""
        log = self.log
        if self._chosen is None or not may_open(log):
            return []
        (prev, seat), self._chosen = self._chosen, None
        if prev != log.tip:
            return []
        leaf = int(log.game.queue[log.game.at][1])
        return self._sign(self._secrets.open(log.height + 1, prev, seat, leaf, "reveal"))

    def _sign(self, parcel: Parcel) -> list[Parcel]:
        """Return an own parcel after the votes that it counts on, once the own log has it."""
        counted = [*self.log.votes_on(self.log.height).values()]
        outcome = self.log.take(parcel)
        if outcome.status != "taken":
            raise SealedError(outcome.code)
        return [*counted, parcel]
