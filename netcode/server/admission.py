"""Admits connections to tables, by a secret or a spoken code.

It is a state machine without sockets or clock. It handles the messages that come before a
connection has a table.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from netcode.joining.spoken_code import SpokenCodeHost
from netcode.limits import (
    Guesses,
)
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    Goodbye,
    Hello,
    Knock,
    Knocked,
    Prove,
)
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import OneTable, Tables

NO_CERTIFICATE: Final = b""
"""The value in place of a certificate for spoken codes without encryption."""


class Enter(Struct, frozen=True):
    """An outcome: pass the Hello of a connection to its table, which may let the sender in."""

    entry: TableEntry
    hello: Hello


class AnswerKnock(Struct, frozen=True):
    """An outcome: compute the answer to a knock, and send it.

    Computing takes some 12 ms of a core.
    """

    peer: Peer
    entry: TableEntry
    certificate: bytes
    share: bytes
    """The client's share from the knock."""

    def compute(self) -> Knocked:
        """Return the answer to the knock, and store the exchange for the proof.

        May run in any thread. Raises CodeExchangeError if the client's share is invalid.
        """
        code = self.entry.code
        exchange = SpokenCodeHost(code, self.certificate)
        answer = Knocked(share=exchange.answer(self.share))
        self.peer.knocked = self.entry, code, exchange
        return answer


AdmissionOutcome: TypeAlias = Message | Enter | AnswerKnock
"""The outcome of a message: a reply to send, or an action for the caller. A Goodbye closes the
connection after it was sent.
"""


def outdated_goodbye(protocol: int) -> Goodbye | None:
    """Return the Goodbye for a program with another protocol version; None for this version."""
    if protocol == PROTOCOL:
        return None
    older = "upgrade_client" if protocol < PROTOCOL else "upgrade_host"
    return Goodbye(code=older, values={"theirs": PROTOCOL, "yours": protocol})


class Admission:
    """Decides about the messages of connections without a table."""

    def __init__(
        self,
        registry: TableRegistry,
        certificate: bytes = NO_CERTIFICATE,
        tables: Tables | None = None,
    ) -> None:
        """Begin without connections. Proofs of spoken codes include the certificate (DER)."""
        self._registry = registry
        self._tables = tables or OneTable()
        self._certificate = certificate
        self._guesses = Guesses()

    def receive(self, peer: Peer, message: Message, now: float) -> AdmissionOutcome:
        """Return the outcome of a message from a peer that has no table yet."""
        if isinstance(message, Hello | Knock):
            goodbye = outdated_goodbye(message.protocol)
            if goodbye is not None:
                return goodbye
        match message:
            case Hello():
                return self._hello(peer, message, now)
            case Knock():
                return self._knock(peer, message, now)
            case Prove():
                return self._prove(peer, message, now)
            case _:
                return peer.strike("say_hello")

    def still_opens(self, entry: TableEntry, hello: Hello) -> bool:
        """Return True if a Hello still opens its table after it had to wait.

        The table's secret may have changed meanwhile.
        """
        return self._registry.opened_by(hello) is entry

    def _hello(self, peer: Peer, hello: Hello, now: float) -> AdmissionOutcome:
        registry = self._registry
        if hello.secret is None and not registry.is_open:
            return peer.strike("invitation_needed")
        answer = self._tables.answer_without_table(peer, hello, now)
        if answer is not None:
            return answer
        entry = registry.opened_by(hello)
        if entry is None:
            # A person with an outdated secret was invited once. Strangers must not learn that a
            # table exists.
            renewed = registry.was_renewed(hello.secret)
            return peer.strike("invitation_renewed" if renewed else "no_such_table")
        return Enter(entry, hello)

    def _knock(self, peer: Peer, knock: Knock, now: float) -> AdmissionOutcome:
        entry = self._registry.by_prefix(knock.prefix)
        if entry is None:
            return peer.strike("wrong_code")
        wait = self._guesses.wait(entry.guesses, peer.network, now)
        if wait > 0:
            return peer.strike("too_many_knocks", {"seconds": int(wait) + 1})
        # Count the knock as a guess before its proof arrives. A right proof takes the guess back.
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
