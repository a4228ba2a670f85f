"""Admission to a server's tables: what is said on a connection before it has come to one.

A state machine without sockets or clock, which decides who may come to which table: by its secret,
by a spoken code, as a member of a club.
"""

import hmac
import secrets
from hashlib import sha256
from math import inf
from typing import Final, TypeAlias

from msgspec import Struct

from netcode.joining.guess_limits import GuessLimits
from netcode.joining.spoken_code import SpokenCodeHost
from netcode.protocol.carrying_messages import Call, Challenge, LogIn
from netcode.protocol.club_messages import AskLeague, Club
from netcode.protocol.code_messages import Knock, Knocked, Prove
from netcode.protocol.fields import Values
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    ClientMessage,
    Goodbye,
    Hello,
    HostMessage,
    OpenTable,
    Refused,
    TableSettings,
)
from netcode.protocol.rate_limit import UPDATE_INTERVAL_S, NetworkRateLimits, Rate, TokenBucket
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.connections import MAXIMUM_STRIKES

HELLO_TIMEOUT_S: Final = 30.0
"""How long a connection may take to come to a table: enough to type another name."""

MEMBER_TIMEOUT_S: Final = 900.0
"""How long a member of a club may take to choose a table: they may be waiting for others."""

OPENINGS: Final = Rate(0.2, burst=50.0)
"""How fast the members of a club may open tables together: as when a tournament begins, and so that
it takes one who means ill most of a day to use up all that there may be."""

NETWORK_OPENINGS: Final = Rate(1 / 30, burst=10.0)
"""How fast members of one network may, as when a club meets in one house: for long a sixth of what
all may, so that one of them does not keep the others from opening any."""

CHALLENGE_BYTES: Final = 32
"""Length of what a caller signs."""

NO_CERTIFICATE: Final = b""
"""What a spoken code is bound to where nothing is encrypted: nothing."""


class PendingConnection(Struct, eq=False):
    """What admission knows of a connection that has come to no table yet."""

    network: str = ""
    """Where it comes from; empty if that means nothing."""
    member: bool = False
    """Whether it has shown the secret of the club."""
    opens: bool = False
    """Whether it has opened a table, of which one is enough."""
    opened: TableEntry | None = None
    """That table."""
    strikes: int = 0
    """How many of its messages were refused."""
    knocked: tuple[TableEntry, str, SpokenCodeHost] | None = None
    """The knock that waits for its proof, and the code that it is about."""
    challenged: tuple[TableEntry, bytes] | None = None
    """The table that is called, and what its caller is to sign."""


class Enter(Struct, frozen=True):
    """Bring the connection to a table, and its Hello too."""

    entry: TableEntry
    hello: Hello


class Open(Struct, frozen=True):
    """Open a table of the club, and tell who asked its secret."""

    settings: TableSettings


class AnswerKnock(Struct, frozen=True):
    """Compute the answer to a knock, which takes some 12 ms of a core, and send it."""

    pending: PendingConnection
    entry: TableEntry
    certificate: bytes
    share: bytes
    """The one of the knock."""

    def compute(self) -> Knocked:
        """Return what is sent to whoever knocked, in any thread; raises CodeExchangeError."""
        code = self.entry.code
        exchange = SpokenCodeHost(code, self.certificate)
        answer = Knocked(share=exchange.answer(self.share))
        self.pending.knocked = self.entry, code, exchange
        return answer


AdmissionOutcome: TypeAlias = HostMessage | Enter | Open | AnswerKnock | AskLeague
"""A message in reply, after which the connection is closed if it is a Goodbye, or what to do; an
AskLeague is one to answer."""


class Admission:
    """Decides what becomes of connections that have come to no table yet."""

    def __init__(self, registry: TableRegistry, certificate: bytes = NO_CERTIFICATE) -> None:
        """Begin without any connection; spoken codes are bound to the certificate (DER)."""
        self._registry = registry
        self._certificate = certificate
        self._attempts = GuessLimits()
        self._openings = TokenBucket(OPENINGS)
        self._openings_from = NetworkRateLimits(NETWORK_OPENINGS)
        self._club_list: Club | None = None
        """What members were told last of the tables."""
        self._club_list_of = (-inf, 0)
        """When that was made, and how many changes of the registry it knows."""

    def receive(
        self, pending: PendingConnection, message: ClientMessage, now: float
    ) -> AdmissionOutcome:
        """Return what becomes of a connection after what it says."""
        match message:
            case Hello() | Knock() | Call() if message.protocol != PROTOCOL:
                older = "upgrade_client" if message.protocol < PROTOCOL else "upgrade_host"
                return Goodbye(code=older, values={"theirs": PROTOCOL, "yours": message.protocol})
            case Hello():
                return self._hello(pending, message, now)
            case Knock():
                return self._knock(pending, message, now)
            case Prove():
                return self._prove(pending, message, now)
            case OpenTable():
                return self._open(pending, message, now)
            case Call():
                return self._call(pending, message)
            case LogIn():
                return self._log_in(pending, message)
            case AskLeague():
                return message if pending.member else self.strike(pending, "not_a_member")
            case _:
                return self.strike(pending, "say_hello")

    def still_opens(self, entry: TableEntry, hello: Hello) -> bool:
        """Whether a hello that had to wait opens its table still: its secret may be an old one."""
        return self._registry.opened_by(hello) is entry

    def strike(
        self, pending: PendingConnection, code: str, values: Values | None = None
    ) -> Refused | Goodbye:
        """Count a message that is refused, and return why it is, or the goodbye after too many."""
        if self.count_strike(pending):
            return Goodbye(code="too_many_bad_messages")
        return Refused(code=code, values=values or {})

    def count_strike(self, pending: PendingConnection) -> bool:
        """Count something without sense, a name or a key; return whether it was the last try."""
        pending.strikes += 1
        return pending.strikes >= MAXIMUM_STRIKES

    def _hello(self, pending: PendingConnection, hello: Hello, now: float) -> AdmissionOutcome:
        registry = self._registry
        if hello.secret is None and not registry.is_open:
            return self.strike(pending, "invitation_needed")
        club_secret = registry.club_secret
        if club_secret is not None and (
            hello.secret is None or hmac.compare_digest(hello.secret, club_secret)
        ):
            pending.member = True
            return self._tables(now)
        entry = registry.opened_by(hello)
        if entry is None:
            # Whoever has an old secret was invited once: no stranger hears that there is a table.
            renewed = registry.was_renewed(hello.secret)
            return self.strike(pending, "invitation_renewed" if renewed else "no_such_table")
        return Enter(entry, hello)

    def _knock(self, pending: PendingConnection, knock: Knock, now: float) -> AdmissionOutcome:
        entry = self._registry.by_room(knock.room)
        if entry is None:
            return self.strike(pending, "wrong_code")
        wait = self._attempts.wait(entry.guesses, pending.network, now)
        if wait > 0:
            return self.strike(pending, "too_many_knocks", {"seconds": int(wait) + 1})
        # Until it turns out right it was a guess.
        self._attempts.count(entry.guesses, pending.network, now, entry.guess_weight)
        return AnswerKnock(pending, entry, self._certificate, knock.share)

    def _prove(self, pending: PendingConnection, prove: Prove, now: float) -> AdmissionOutcome:
        if pending.knocked is None:
            return self.strike(pending, "say_hello")
        entry, code, exchange = pending.knocked
        pending.knocked = None
        proof = exchange.proof(prove.proof)
        if proof is None or entry.code != code:
            return self.strike(pending, "wrong_code")
        self._attempts.take_back(entry.guesses, pending.network, now, entry.guess_weight)
        return Admitted(secret=entry.secret, proof=proof)

    def _call(self, pending: PendingConnection, call: Call) -> AdmissionOutcome:
        entry = self._registry.called(call.secret)
        sealing = None if entry is None or entry.table is None else entry.table.sealing
        if entry is None or sealing is None or sealing.gid != call.gid:
            return self.strike(pending, "no_such_game")
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        pending.challenged = entry, challenge
        return Challenge(challenge)

    def _log_in(self, pending: PendingConnection, log_in: LogIn) -> AdmissionOutcome:
        """Give a key to their seat to who proves to have the game key of that person."""
        from netcode.sealed.encoding import LoginBody, Parcel, SealedError, pack
        from netcode.sealed.login import logged_in

        challenged, pending.challenged = pending.challenged, None
        if challenged is None:
            return self.strike(pending, "say_hello")
        entry, challenge = challenged
        sealing = None if entry.table is None else entry.table.sealing
        if entry.table is None or sealing is None:
            return self.strike(pending, "no_such_game")
        pin = sha256(self._certificate).digest()
        body = pack(LoginBody(sealing.gid, log_in.person, challenge, pin))
        try:
            person = logged_in(sealing, Parcel(body, log_in.signature), challenge, pin)
        except SealedError:
            return self.strike(pending, "wrong_game_key")
        key = entry.table.new_key_of(person)
        if key is None:
            return self.strike(pending, "wrong_game_key")
        return Admitted(secret=entry.secret, key=key)

    def _open(self, pending: PendingConnection, message: OpenTable, now: float) -> AdmissionOutcome:
        if not pending.member:
            return self.strike(pending, "not_a_member")
        if pending.opens or not self._registry.has_room:
            return self.strike(pending, "too_many_tables")
        network = pending.network
        wait = max(self._openings.wait(now), self._openings_from.wait(network, now))
        if wait > 0:
            return self.strike(pending, "too_many_opened", {"seconds": int(wait) + 1})
        pending.opens = True
        self._openings.take(now)
        self._openings_from.take(network, now)
        return Open(message.settings)

    def _tables(self, now: float) -> Club:
        """Return the list of the club's tables, which is made anew only every so often."""
        made_at, changes = self._club_list_of
        if (
            self._club_list is None
            or now >= made_at + UPDATE_INTERVAL_S
            or changes != self._registry.changes
        ):
            self._club_list = Club(tables=tuple(self._registry.infos()))
            self._club_list_of = now, self._registry.changes
        return self._club_list
