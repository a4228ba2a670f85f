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

from netcode.joining.spoken_code import SpokenCodeHost
from netcode.limits import (
    NETWORK_OPENINGS,
    OPENINGS,
    UPDATE_INTERVAL_S,
    Buckets,
    Guesses,
    TokenBucket,
    spend,
)
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    AskLeague,
    Call,
    Challenge,
    ClientMessage,
    Club,
    Goodbye,
    Hello,
    HostMessage,
    Knock,
    Knocked,
    LogIn,
    OpenTable,
    Prove,
)
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry, TableRegistry

CHALLENGE_BYTES: Final = 32
"""Length of what a caller signs."""

NO_CERTIFICATE: Final = b""
"""What a spoken code is bound to where nothing is encrypted: nothing."""


class Enter(Struct, frozen=True):
    """Bring the connection to a table, and its Hello too."""

    entry: TableEntry
    hello: Hello


class LetIn(Struct, frozen=True):
    """Tell the key that a table has given out, once the table is kept as it is now."""

    entry: TableEntry
    admitted: Admitted


class AnswerKnock(Struct, frozen=True):
    """Compute the answer to a knock, which takes some 12 ms of a core, and send it."""

    peer: Peer
    entry: TableEntry
    certificate: bytes
    share: bytes
    """The one of the knock."""

    def compute(self) -> Knocked:
        """Return what is sent to whoever knocked, in any thread; raises CodeExchangeError."""
        code = self.entry.code
        exchange = SpokenCodeHost(code, self.certificate)
        answer = Knocked(share=exchange.answer(self.share))
        self.peer.knocked = self.entry, code, exchange
        return answer


AdmissionOutcome: TypeAlias = HostMessage | Enter | LetIn | AnswerKnock | OpenTable | AskLeague
"""A message in reply, after which the connection is closed if it is a Goodbye, or what to do; an
OpenTable and an AskLeague are to be answered."""


class Admission:
    """Decides what becomes of connections that have come to no table yet."""

    def __init__(self, registry: TableRegistry, certificate: bytes = NO_CERTIFICATE) -> None:
        """Begin without any connection; spoken codes are bound to the certificate (DER)."""
        self._registry = registry
        self._certificate = certificate
        self._guesses = Guesses()
        self._openings = TokenBucket(OPENINGS)
        self._openings_from = Buckets(NETWORK_OPENINGS)
        self._club_list: Club | None = None
        """What members were told last of the tables."""
        self._club_list_of = (-inf, 0)
        """When that was made, and how many changes of the registry it knows."""

    def receive(self, peer: Peer, message: ClientMessage, now: float) -> AdmissionOutcome:
        """Return what becomes of a connection after what it says."""
        match message:
            case Hello() | Knock() | Call() if message.protocol != PROTOCOL:
                older = "upgrade_client" if message.protocol < PROTOCOL else "upgrade_host"
                return Goodbye(code=older, values={"theirs": PROTOCOL, "yours": message.protocol})
            case Hello():
                return self._hello(peer, message, now)
            case Knock():
                return self._knock(peer, message, now)
            case Prove():
                return self._prove(peer, message, now)
            case OpenTable():
                return self._open(peer, message, now)
            case Call():
                return self._call(peer, message)
            case LogIn():
                return self._log_in(peer, message)
            case AskLeague():
                return message if peer.member else peer.strike("not_a_member")
            case _:
                return peer.strike("say_hello")

    def still_opens(self, entry: TableEntry, hello: Hello) -> bool:
        """Whether a hello that had to wait opens its table still: its secret may be an old one."""
        return self._registry.opened_by(hello) is entry

    def _hello(self, peer: Peer, hello: Hello, now: float) -> AdmissionOutcome:
        registry = self._registry
        if hello.secret is None and not registry.is_open:
            return peer.strike("invitation_needed")
        club_secret = registry.club_secret
        if club_secret is not None and (
            hello.secret is None or hmac.compare_digest(hello.secret, club_secret)
        ):
            peer.member = True
            return self._tables(now)
        entry = registry.opened_by(hello)
        if entry is None:
            # Whoever has an old secret was invited once: no stranger hears that there is a table.
            renewed = registry.was_renewed(hello.secret)
            return peer.strike("invitation_renewed" if renewed else "no_such_table")
        return Enter(entry, hello)

    def _knock(self, peer: Peer, knock: Knock, now: float) -> AdmissionOutcome:
        entry = self._registry.by_room(knock.room)
        if entry is None:
            return peer.strike("wrong_code")
        wait = self._guesses.wait(entry.guesses, peer.network, now)
        if wait > 0:
            return peer.strike("too_many_knocks", {"seconds": int(wait) + 1})
        # Until it turns out right it was a guess.
        self._guesses.count(entry.guesses, peer.network, now, entry.guess_weight)
        entry.wrong_guesses += 1
        return AnswerKnock(peer, entry, self._certificate, knock.share)

    def _prove(self, peer: Peer, prove: Prove, now: float) -> AdmissionOutcome:
        if peer.knocked is None:
            return peer.strike("say_hello")
        entry, code, exchange = peer.knocked
        peer.knocked = None
        proof = exchange.proof(prove.proof)
        if proof is None or entry.code != code:
            return peer.strike("wrong_code")
        self._guesses.count(entry.guesses, peer.network, now, -entry.guess_weight)
        entry.wrong_guesses -= 1
        return Admitted(secret=entry.secret, proof=proof)

    def _call(self, peer: Peer, call: Call) -> AdmissionOutcome:
        entry = self._registry.called(call.secret)
        sealing = None if entry is None or entry.table is None else entry.table.sealing
        if entry is None or sealing is None or sealing.gid != call.gid:
            return peer.strike("no_such_game")
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        peer.challenged = entry, challenge
        return Challenge(challenge)

    def _log_in(self, peer: Peer, log_in: LogIn) -> AdmissionOutcome:
        """Give a key to their seat to who proves to have the game key of that person."""
        from netcode.sealed.encoding import LoginBody, SealedError, pack
        from netcode.sealed.parcels import Parcel
        from netcode.sealed.sealing import logged_in

        challenged, peer.challenged = peer.challenged, None
        if challenged is None:
            return peer.strike("say_hello")
        entry, challenge = challenged
        sealing = None if entry.table is None else entry.table.sealing
        if entry.table is None or sealing is None:
            return peer.strike("no_such_game")
        pin = sha256(self._certificate).digest()
        body = pack(LoginBody(sealing.gid, log_in.person, challenge, pin))
        try:
            person = logged_in(sealing, Parcel(body, log_in.signature), challenge, pin)
        except SealedError:
            return peer.strike("wrong_game_key")
        key = entry.table.new_key_of(person)
        if key is None:
            return peer.strike("wrong_game_key")
        return LetIn(entry, Admitted(secret=entry.secret, key=key))

    def _open(self, peer: Peer, message: OpenTable, now: float) -> AdmissionOutcome:
        if not peer.member:
            return peer.strike("not_a_member")
        if peer.opened is not None or not self._registry.has_room:
            return peer.strike("too_many_tables")
        wait = spend(now, self._openings, self._openings_from.of(peer.network, now))
        return peer.strike("too_many_opened", {"seconds": int(wait) + 1}) if wait else message

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
