"""One person's program for one game key: from the key to the last opened card.

It has no side effects: `output` returns records to store, parcels to send, and news for the person.
No other module has unopened cards of this person.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import MsgspecError, Struct
from msgspec.msgpack import Decoder, Encoder

from engine.actions import ACTIONS, REVEAL, Action, Place
from engine.cards import CARDS, LEAVES, Seat
from engine.legal import Refusal
from netcode.wings.sealed.game.cheat_proofs import Outcome, conviction_of, leaf_hash, nonce_hash
from netcode.wings.sealed.game.dealing import Dealing
from netcode.wings.sealed.game.encoding import (
    LEAF_COUNT,
    AnyBody,
    DealBody,
    EndBody,
    EntryBody,
    MissingBody,
    Opening,
    ProofBody,
    SealBody,
    SealedError,
    SealingBody,
    SeenBody,
)
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel, public_key, signed_parcel
from netcode.wings.sealed.game.proven_record import known_cards
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.game.votes import Situation, may_open, missing_vote, owed_seen


@dataclass(frozen=True, slots=True, repr=False)
class PersonSecrets:
    """The secrets of one person in one game, and methods that sign parcels with them."""

    gid: bytes
    person: int
    seats: tuple[Seat, ...]
    key: bytes
    """The secret key."""
    orders: tuple[str, ...]
    """For each own seat, the card of each leaf."""
    salts: tuple[tuple[bytes, ...], ...]
    """For each own seat, the salt of each leaf."""
    nonce: bytes

    @classmethod
    def drawn(cls, rng: Random, key: bytes, sealing: Sealing, person: int) -> "PersonSecrets":
        """Draw each seat's order of cards, the salts and the nonce.

        `rng` must be a `SystemRandom`.
        """
        seats = sealing.decoded.persons[person].seats
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
        """Return the opening of a leaf of an own seat."""
        place = self.seats.index(seat)
        return leaf, self.orders[place][leaf], self.salts[place][leaf]

    def seal(self) -> Parcel:
        """Return the seal: the hashes of all own cards and of the nonce."""
        leaves = tuple(
            tuple(leaf_hash(self.gid, seat, self.opening(seat, leaf)) for leaf in range(LEAF_COUNT))
            for seat in self.seats
        )
        commit = nonce_hash(self.gid, self.person, self.nonce)
        return signed_parcel(self.key, SealBody(self.gid, self.person, leaves, commit))

    def deal(self, seals: bytes) -> Parcel:
        """Return the parcel with the nonce and the hash of the seals."""
        return signed_parcel(self.key, DealBody(self.gid, self.person, seals, self.nonce))

    def act(self, n: int, prev: bytes, seat: Seat, token: str) -> Parcel:
        """Return an answer without an opening, as step `n`."""
        return signed_parcel(self.key, EntryBody(self.gid, n, prev, seat, "act", (token,)))

    def open(self, n: int, prev: bytes, seat: Seat, leaf: int, what: str = "open") -> Parcel:
        """Return the opening of a card.

        With `what` = "reveal" it is also the answer that reveals the card.
        """
        opening = self.opening(seat, leaf)
        return signed_parcel(self.key, EntryBody(self.gid, n, prev, seat, what, opening))

    def missing(self, n: int, prev: bytes) -> Parcel:
        """Return a vote that reports step `n` as missing."""
        return signed_parcel(self.key, MissingBody(self.gid, n, prev, self.person))

    def seen(self, n: int, prev: bytes, tip: bytes) -> Parcel:
        """Return a vote that reports the arrival of step `n`, with its tip."""
        return signed_parcel(self.key, SeenBody(self.gid, n, prev, tip, self.person))

    def end(self, n: int, tip: bytes, time: int) -> Parcel:
        """Return the openings of all own cards after the last step."""
        openings = tuple(
            tuple(self.opening(seat, leaf)[1:] for leaf in range(LEAF_COUNT)) for seat in self.seats
        )
        return signed_parcel(self.key, EndBody(self.gid, n, tip, self.person, time, openings))


PersonState = Literal["idle", "keyed", "sealed", "dealing", "playing", "over", "frozen"]
"""The state of a person, as in the specification's table of states."""

_QUIET: Final = frozenset({"frozen", "gap", "other_branch", "other_game", "vote_out_of_range"})
"""The codes of refusals that accuse nobody. They happen because parcels may cross on the way."""

_BEHIND: Final = frozenset({"gap", "other_branch", "seals_missing"})
"""The codes of refusals after which logs must be compared."""


class PersonNews(NamedTuple):
    """News for a person. The same news is reported once."""

    code: str
    """The code of a refusal or a proof, or one of `voted_default`, `struck_unopened`, `went_back`,
    `late_answer` and `withheld`.
    """
    about: int | None = None
    """The person who caused the news, or who owed the step. None for the host, and if it is
    unknown.
    """
    by: tuple[int, ...] = ()
    """The other persons concerned. For `equal_leaves`: the owners of the leaves. For
    `contradiction`: the signers of both steps. For `voted_default`, `struck_unopened` and
    `went_back`: the voters.
    """
    n: int = 0
    """The number of the step; 0 if the news concerns none."""
    why: Refusal | None = None
    """The refusal by the rules of the game for an `illegal` parcel; otherwise None."""


class PersonOutput(NamedTuple):
    """The work for the caller of a person's program. It must be done in the order of the fields."""

    keep: tuple[bytes, ...] = ()
    """Records to append to the file, and to flush to disk before anything is sent."""
    send: tuple[Parcel, ...] = ()
    """Parcels to send to every host."""
    news: tuple[PersonNews, ...] = ()
    compare: bool = False
    """True if the caller must report the log's height and tip, since a parcel was missing or
    different.
    """


class _Key(Struct, frozen=True, array_like=True, tag="key"):
    key: bytes


class _Secrets(Struct, frozen=True, array_like=True, tag="secrets"):
    sealing: bytes
    orders: tuple[str, ...]
    salts: tuple[tuple[bytes, ...], ...]
    nonce: bytes


class _Taken(Struct, frozen=True, array_like=True, tag="taken"):
    body: bytes
    signature: bytes


_pack: Final = Encoder().encode
_read: Final = Decoder(_Key | _Secrets | _Taken).decode


Check: TypeAlias = Callable[[Sealing], object]
"""A function that raises SealedError if a person must not seal."""


class SealedPerson:
    """One person's program; if `rng` is None, a spectator's program.

    First call `get_ready` (not for a spectator), then `receive` with the sealing and a check of it.
    Later pass all received parcels to `receive`, and the person's decisions to `answer` and
    `vote_missing`. Call `advance` after every change and every second: it signs the openings, votes
    and ends that are due. After each call, do the work that `output` returns. Each game key needs
    its own object and file.
    """

    def __init__(self, rng: Random | None) -> None:
        self.sealing: Sealing | None = None
        self.dealing: Dealing | None = None
        self.log: SealedLog | None = None
        """The log; None before the deal is complete."""
        self.me: int | None = None
        """The person's index; None for a spectator, and before the sealing."""
        self.owned: tuple[Seat, ...] = ()
        """All seats for which the program answers. They include the seats of the person's bots."""
        self.player_seats: tuple[Seat, ...] = ()
        """The seats from which the person sees the game. They do not include the seats of the
        person's bots.
        """
        self.is_compared = True
        """True if new steps may be signed.

        After `restore` it is False until the log includes a host's log.
        """
        self.is_offered_vote = False
        """True if the person may vote that the due step is missing."""
        self._rng: Final = rng
        self._key: bytes | None = None
        self._secrets: PersonSecrets | None = None
        self._chosen: tuple[bytes, Seat] | None = None
        self._votes_missing: bytes | None = None
        self._stopped = ""
        self._host_at: tuple[int, bytes] | None = None
        self._written = 0
        """Number of accepted parcels that `output` has returned."""
        self._reported: set[tuple[str, int | None, int]] = set()
        self._keep: list[bytes] = []
        self._send: list[Parcel] = []
        self._news: list[PersonNews] = []
        self._compare = False

    @classmethod
    def restore(cls, rng: Random | None, records: Iterable[bytes]) -> "SealedPerson":
        """Restore a person from stored records. Raises SealedError `bad_file` for invalid ones."""
        person = cls(rng)
        person.is_compared = False
        try:
            for record in records:
                person._replay(_read(record))
        except (MsgspecError, ValueError, AssertionError):
            raise SealedError("bad_file") from None
        person.output()
        return person

    # State

    @property
    def state(self) -> PersonState:
        """The person's state, computed from the deal and the log."""
        if self.dealing is None:
            return "idle" if self._key is None else "keyed"
        if self._stopped:
            return "frozen"
        if self.log is None:
            return "dealing" if self.dealing.is_sealed else "sealed"
        is_stuck = self.log.sealing.quorum is None and self.log.is_spent
        if self.log.frozen or is_stuck:
            return "frozen"
        return "over" if self.log.due is None else "playing"

    @property
    def is_under_way(self) -> bool:
        """True if a game is sealed and neither over nor stopped."""
        return self.state in ("sealed", "dealing", "playing")

    @property
    def public_key(self) -> bytes:
        """The person's public key for this attempt to deal. Read it only after `get_ready`."""
        assert self._key is not None
        return public_key(self._key)

    @property
    def secret(self) -> bytes:
        """The person's secret key for this attempt to deal. Read it only after `get_ready`."""
        assert self._key is not None
        return self._key

    @property
    def counted(self) -> bytes | None:
        """The `gid` of the deal, once this person's nonce is public; before that None.

        If the deal stays incomplete, the table's next sealings must name it until a game of the
        table begins.
        """
        if self.dealing is None or ("deal", self.me) not in self.dealing.parcels:
            return None
        return self.dealing.sealing.gid

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The persons whose seal, nonce, opening or end is missing."""
        log = self.log
        if log is None:
            return () if self.dealing is None else self.dealing.waiting_for
        if log.due is not None:
            return () if log.due.opening is None else (log.due.owner,)
        return tuple(one for one in range(len(log.sealing.keys)) if one not in log.ends)

    def known(self, *seats: Seat) -> dict[Seat, str]:
        """Return the known cards of all seats: public cards, and all cards of own seats.

        If `seats` are given, only these own seats show all their cards.
        """
        assert self.log is not None
        cards = known_cards(self.log)
        if self._secrets is not None:
            orders = dict(zip(self._secrets.seats, self._secrets.orders, strict=True))
            cards |= {seat: orders[seat] for seat in seats or self._secrets.seats}
        return cards

    def parcels(self) -> list[Parcel]:
        """Return all known parcels of the game in an order in which `receive` accepts them."""
        dealt = [] if self.dealing is None else self.dealing.in_order()
        return dealt + ([] if self.log is None else self.log.parcels())

    def sign(self, body: AnyBody) -> Parcel:
        """Sign a body that is not part of the log, with the key of the game."""
        assert self._key is not None
        return signed_parcel(self._key, body)

    # Incoming

    def get_ready(self) -> None:
        """Draw the key of an attempt to deal. Call this before a `set_ready` message is sent."""
        assert self._rng is not None
        self._key = self._rng.randbytes(32)
        self._keep.append(_pack(_Key(self._key)))

    def receive(self, parcels: Iterable[Parcel], check: Check | None = None) -> None:
        """Handle parcels of any kind, in order. An invalid parcel may cause news, but no error.

        A player's program seals only with a `check`; without one it ignores a sealing.
        """
        for parcel in parcels:
            try:
                body = parcel.decoded
            except SealedError as error:
                self._report(PersonNews(error.code))
                continue
            if isinstance(body, SealingBody):
                self._take_sealing(parcel.body, check)
            elif self.log is not None:
                outcome = self.log.take(parcel)
                if outcome.code:
                    self._report_refused(self.log.sealing, parcel, outcome)
            elif self.dealing is not None and isinstance(body, SealBody | DealBody | ProofBody):
                self._take_part(self.dealing, parcel)
                self._sign_nonce(self.dealing)

    def log_at(self, n: int, tip: bytes) -> None:
        """Send the parcels that the log of a host with `n` steps and this tip lacks.

        After a restart nothing new is signed until the own log includes a host's log.
        """
        log = self.log
        if log is not None:
            self._host_at = n, tip
            self._compare |= n > log.height and not log.frozen
            lacking = log.lacking(n, tip)
            self._send += [each for parcel in lacking for each in taken_from_players(parcel)]
            if log.goes_on_from(n, tip):
                # An own answer can be late only if a host has held it back, so send it again.
                mine = (log.late[step] for step in log.late if step <= n)
                self._send += [each for each in mine if log.sealing.author(each.decoded) == self.me]

    def resend(self) -> None:
        """Send the own part of the deal again, for a host that may not have received it."""
        if self.dealing is not None and self.me is not None:
            self._sign_nonce(self.dealing)
            mine = [self.dealing.parcels.get((kind, self.me)) for kind in ("seal", "deal")]
            self._send = [parcel for parcel in self._send if parcel not in mine]
            self._send += filter(None, mine)
            if self.dealing.stopped is not None:
                self._send += taken_from_players(self.dealing.stopped)

    def answer(self, seat: Seat, action: Action) -> None:
        """Answer for an own seat. Raises SealedError if the answer is not allowed.

        If the step before a reveal is not certain yet, a later `advance` sends the reveal.
        """
        log, own = self.log, self._secrets
        if log is None or own is None or not self.is_compared:
            raise SealedError("not_your_turn")
        if log.due is None or log.due.opening is not None or log.due.seat != seat:
            raise SealedError("not_your_turn")
        if seat in own.seats and isinstance(action, Place) and action.card not in LEAVES:
            leaf = own.orders[own.seats.index(seat)].index(action.card)
            action = ACTIONS[f"{leaf}{action.token[1:]}"]
        # Do not sign an answer that the log would refuse.
        if seat not in own.seats or action not in log.game.legal:
            raise SealedError("illegal")
        if action == REVEAL:
            self._chosen = (log.tip, seat)
            self._reveal(log, own)
        else:
            self._sign(log, own.act(log.height + 1, log.tip, seat, action.token))

    def vote_missing(self) -> None:
        """Let the next `advance` vote that the due step is missing.

        Call this only while `is_offered_vote` is True.
        """
        self._votes_missing = None if self.log is None else self.log.tip

    def advance(self, now: Situation, unix_s: int) -> None:
        """Sign everything that is due now, one parcel after another."""
        log, own = self.log, self._secrets
        if log is not None and own is not None:
            while self.is_compared and not log.frozen and self._sign_next(log, own, now, unix_s):
                pass

    # The deal

    def _take_sealing(self, body: bytes, check: Check | None) -> None:
        try:
            if self.sealing is not None:
                if body != self.sealing.body:
                    raise SealedError("sealed_already")
                return
            sealing = Sealing(body)
            if self._rng is None:
                self._seal(sealing, None)
            elif self._key is not None and check is not None:
                check(sealing)
                person = sealing.keys.index(self.public_key)
                own = PersonSecrets.drawn(self._rng, self._key, sealing, person)
                self._keep.append(_pack(_Secrets(body, own.orders, own.salts, own.nonce)))
                self._send.append(own.seal())
                self._seal(sealing, own)
        except SealedError as error:
            self._report(PersonNews(error.code))

    def _seal(self, sealing: Sealing, own: PersonSecrets | None) -> None:
        self.sealing, self.dealing, self._secrets = sealing, Dealing(sealing), own
        if own is not None:
            self.me, self.owned, seats = own.person, own.seats, sealing.decoded.seats
            self.player_seats = tuple(each for each in own.seats if seats[each].bot is None)
            self.dealing.take(own.seal())
        self._written = len(self.dealing.journal)

    def _take_part(self, dealing: Dealing, parcel: Parcel) -> None:
        """Handle a seal, a nonce or a proof. Begin the game if this completes the deal."""
        outcome = dealing.take(parcel)
        if outcome.proof is not None:
            self._stopped = outcome.code
            self._report(PersonNews(*conviction_of(dealing.sealing, outcome.proof)))
            self._send += taken_from_players(outcome.proof)
        elif outcome.code:
            self._report_refused(dealing.sealing, parcel, outcome)
            if outcome.code == "different_seals" and not self._stopped:
                # The seals of all persons, side by side, show who has signed two.
                self._stopped = outcome.code
                self._send += [
                    known for (kind, _), known in dealing.parcels.items() if kind == "seal"
                ]
        if dealing.is_dealt and not self._stopped:
            self.log = SealedLog(dealing, self.me)

    def _sign_nonce(self, dealing: Dealing) -> None:
        """Sign the own nonce once all seals have come."""
        if not dealing.is_sealed or self._stopped or self.log is not None:
            return
        own = self._secrets
        if own is not None and ("deal", own.person) not in dealing.parcels:
            deal = own.deal(dealing.seals_digest)
            self._take_part(dealing, deal)
            self._send.append(deal)

    # The log

    def _sign_next(self, log: SealedLog, own: PersonSecrets, now: Situation, unix_s: int) -> bool:
        """Sign the next parcel that is due; return False if none is."""
        n, prev, due = log.height + 1, log.tip, log.due
        if owed := owed_seen(log, own.person):
            entry = log.entries[owed[0] - 1]
            return self._sign(log, own.seen(owed[0], entry.decoded.prev, entry.tip))
        if due is None:
            if own.person in log.ends or not may_open(log):
                return False
            return self._sign(log, own.end(log.height, prev, unix_s))
        if due.opening is not None and due.opening[0] in own.seats:
            return may_open(log) and self._sign(log, own.open(n, prev, *due.opening))
        if self._chosen is not None and self._reveal(log, own):
            return True
        vote = missing_vote(log, own.person, now)
        self.is_offered_vote = vote == "offer"
        if vote == "sign" or (vote == "offer" and self._votes_missing == prev):
            return self._sign(log, own.missing(n, prev))
        quorum = log.sealing.quorum
        if quorum is not None and len(log.voters(n, prev, None)) >= quorum:
            return self._sign(log, log.default())
        return False

    def _reveal(self, log: SealedLog, own: PersonSecrets) -> bool:
        """Sign the chosen reveal if it may be sent now; return True if it was signed.

        A reveal that was chosen for another step is dropped.
        """
        if self._chosen is None or not may_open(log):
            return False
        (prev, seat), self._chosen = self._chosen, None
        if prev != log.tip:
            return False
        leaf = int(log.game.queue[log.game.at][1])
        return self._sign(log, own.open(log.height + 1, prev, seat, leaf, "reveal"))

    def _sign(self, log: SealedLog, parcel: Parcel) -> Literal[True]:
        """Add an own parcel to the log, and send it after the votes that it needs.

        Raises SealedError if the log refuses it. Returns True, so that a caller can return the
        call.
        """
        counted = [*log.votes_on(log.height).values()]
        outcome = log.take(parcel)
        if outcome.status != "taken":
            raise SealedError(outcome.code)
        self._send += [*counted, parcel]
        return True

    def _look_at_log(self, log: SealedLog) -> None:
        """Add news about changes of the log since the last call."""
        for entry in log.entries:
            n = entry.decoded.n
            if entry.author is None:
                code = "struck_unopened" if entry.due.struck else "voted_default"
                by = tuple(sorted(log.voters(n, entry.decoded.prev, None)))
                code = "went_back" if n in log.undone else code
                is_news = self._report(PersonNews(code, entry.due.owner, by, n))
                self._compare |= is_news and n in log.undone
        for (n, _, author), outcome in log.spent.items():
            if outcome.proof is None:
                self._report(PersonNews(outcome.code, author, n=n, why=outcome.why))
        for n, late in log.late.items():
            owner = log.sealing.author(late.decoded)
            if n in log.withheld:
                self._report(PersonNews("withheld", owner, n=n))
            elif n not in log.undone:
                self._report(PersonNews("late_answer", owner, n=n))
        for reason, culprit in log.convictions:
            self._report(PersonNews(reason, culprit))
        if log.sealing.quorum is None and log.is_spent and log.due is not None:
            self._report(PersonNews("no_votes_at_two", log.due.owner))
        if log.frozen == "contradiction":
            self._report(PersonNews("contradiction", by=tuple(sorted(log.contradicted))))
        if not self.is_compared and self._host_at is not None:
            self.is_compared = log.goes_on_from(*self._host_at)

    # Outgoing

    def _report(self, news: PersonNews) -> bool:
        """Add news, unless it was reported before. Return True if it is new."""
        key = (news.code, news.about, news.n)
        is_news = key not in self._reported
        if is_news:
            self._reported.add(key)
            self._news.append(news)
        return is_news

    def _report_refused(self, sealing: Sealing, parcel: Parcel, outcome: Outcome) -> None:
        """Add news about a refused parcel, and request a comparison of logs if that may help.

        Proofs, parcels that wait, and codes in `_QUIET` give no news here.
        """
        if outcome.code in _BEHIND:
            self._compare = True
        if outcome.status == "held" or outcome.code in _QUIET or outcome.proof is not None:
            return
        try:
            body = sealing.read(parcel)
        except SealedError:
            # Only a host can have sent an unreadable parcel, so the news accuses no person.
            self._report(PersonNews(outcome.code))
            return
        if outcome.code == "equal_leaves" and self.dealing is not None:
            # Only the host knows the order in which the equal leaves came, so name all owners.
            self._report(PersonNews(outcome.code, by=self.dealing.equal()))
            return
        n = body.n if isinstance(body, EntryBody | MissingBody | SeenBody) else 0
        self._report(PersonNews(outcome.code, sealing.author(body), n=n, why=outcome.why))

    def output(self) -> PersonOutput:
        """Return all work since the last call, and clear it."""
        if self.log is not None:
            self._look_at_log(self.log)
        if self.dealing is not None:
            journal = (self.log or self.dealing).journal
            self._keep += [_pack(_Taken(*taken)) for taken in journal[self._written :]]
            self._written = len(journal)
        keep = () if self._rng is None else tuple(self._keep)
        output = PersonOutput(keep, tuple(self._send), tuple(self._news), self._compare)
        self._keep, self._send, self._news, self._compare = [], [], [], False
        return output

    def _replay(self, record: _Key | _Secrets | _Taken) -> None:
        """Apply a stored record."""
        if isinstance(record, _Key):
            self._key = record.key
        elif isinstance(record, _Secrets):
            assert self._key is not None
            sealing = Sealing(record.sealing)
            person = sealing.keys.index(self.public_key)
            seats = sealing.decoded.persons[person].seats
            kept = (record.orders, record.salts, record.nonce)
            self._seal(sealing, PersonSecrets(sealing.gid, person, seats, self._key, *kept))
        elif self.log is not None:
            self.log.take(Parcel(record.body, record.signature))
        else:
            assert self.dealing is not None
            self._take_part(self.dealing, Parcel(record.body, record.signature))


def taken_from_players(parcel: Parcel) -> list[Parcel]:
    """Return the parcels that a player sends to share a parcel.

    For a proof, return the parcels that it consists of, since only hosts may send whole proofs. For
    any other parcel, return the parcel itself.
    """
    body = parcel.decoded
    return [Parcel(*each) for each in body.parcels] if isinstance(body, ProofBody) else [parcel]
