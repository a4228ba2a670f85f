"""Tests admission to tables: by secret, or by spoken code."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netcode.joining.spoken_code import SpokenCodeClient
from netcode.limits import HOST_LIMITS
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    Goodbye,
    Hello,
    Knock,
    Knocked,
    Prove,
    Refused,
    SetReady,
)
from netcode.server.admission import (
    Admission,
    AdmissionOutcome,
    AnswerKnock,
    Enter,
)
from netcode.server.peers import Budgets, Peer
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import MOST_FORMER, TableAccess
from netcode.table.table import Table
from netcode.transport.channel import Channel
from tests.support.dates import unix_time

CERTIFICATE = b"a certificate"
CODE = "K7QF2MXR"
SECRET, OTHER_SECRET = (bytes([number]) * 12 for number in (1, 2))


def entry(secret: bytes = SECRET, code: str = CODE) -> TableEntry:
    return TableEntry(
        1, TableAccess(secret, code), Table(Random(1), lambda: bytes(32), unix_time=unix_time)
    )


def hello(secret: bytes | None = None, **fields: Any) -> Hello:
    return Hello(**{"protocol": PROTOCOL, "program": "", "name": "a", "secret": secret, **fields})


def stranger(network: str = "") -> Peer:
    """Return a new connection that ignores sent messages."""
    channel = cast(Channel, SimpleNamespace(peer=network, ports=(0, 0)))
    return Peer(1, channel, Budgets(HOST_LIMITS))


class Door1:
    """A visitor to a server with several tables."""

    def __init__(self, *entries: TableEntry, **registry: Any) -> None:
        self.admission = Admission(TableRegistry(entries, **registry), CERTIFICATE)
        self.peer = stranger()
        self.now = 100.0

    def receive(self, message: Message) -> AdmissionOutcome:
        return self.admission.receive(self.peer, message, self.now)

    def answer_to(self, message: Message) -> Message:
        outcome = self.receive(message)
        if isinstance(outcome, AnswerKnock):
            return outcome.compute()
        assert not isinstance(outcome, Enter)
        return outcome

    def refusal(self, message: Message) -> str:
        heard = self.answer_to(message)
        assert isinstance(heard, Refused | Goodbye)
        return heard.code

    def knocks(
        self, code: str, certificate: bytes = CERTIFICATE
    ) -> tuple[SpokenCodeClient, Message]:
        knocker = SpokenCodeClient(code, certificate)
        knock = Knock(protocol=PROTOCOL, prefix=knocker.prefix, share=knocker.share)
        return knocker, self.answer_to(knock)

    def tries(
        self, code: str, certificate: bytes = CERTIFICATE
    ) -> tuple[SpokenCodeClient, Message]:
        knocker, knocked = self.knocks(code, certificate)
        assert isinstance(knocked, Knocked)
        return knocker, self.answer_to(Prove(proof=knocker.prove(knocked.share)))


def test_a_secret_opens_its_table() -> None:
    one, other = entry(), entry(OTHER_SECRET, "ABCF2MXR")
    at = Door1(one, other)
    assert at.receive(hello(OTHER_SECRET)) == Enter(other, hello(OTHER_SECRET))
    assert at.receive(hello(SECRET)) == Enter(one, hello(SECRET))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (hello(), "invitation_needed"),
        (hello(OTHER_SECRET), "no_such_table"),
        (SetReady(ready=True), "say_hello"),
        (Prove(proof=bytes(32)), "say_hello"),
        (hello(protocol=PROTOCOL - 1), "upgrade_client"),
        (Knock(protocol=PROTOCOL + 1, prefix="K7Q", share=bytes(33)), "upgrade_host"),
        (Knock(protocol=PROTOCOL, prefix="ABC", share=bytes(33)), "wrong_code"),
    ],
)
def test_what_does_not_open_is_refused(message: Message, code: str) -> None:
    assert Door1(entry()).refusal(message) == code


def test_after_a_new_invitation_the_old_one_is_for_those_with_a_key() -> None:
    table, chance = entry(), Random(5)
    at = Door1(table)
    at.admission._registry.renew(table, chance.randbytes)
    assert table.secret != SECRET
    assert at.refusal(hello(SECRET)) == "invitation_renewed"
    comes_back = hello(SECRET, key=bytes(32))
    assert at.receive(comes_back) == Enter(table, comes_back), "the table knows whose key it is"
    assert at.receive(hello(table.secret)) == Enter(table, hello(table.secret))
    for _ in range(MOST_FORMER):
        at.admission._registry.renew(table, chance.randbytes)
    assert at.refusal(comes_back) == "no_such_table", "it is too old"
    at.admission._registry.remove(table)
    assert at.refusal(hello(table.opened.former[0], key=bytes(32))) == "no_such_table"


def test_after_a_new_invitation_the_old_code_lets_nobody_in() -> None:
    table = entry()
    at = Door1(table)
    knocker, knocked = at.knocks(CODE)
    assert isinstance(knocked, Knocked)
    at.admission._registry.renew(table, Random(5).randbytes)
    assert at.refusal(Prove(proof=knocker.prove(knocked.share))) == "wrong_code"
    _, refused = at.tries(CODE)
    assert refused == Refused(code="wrong_code")
    _, admitted = at.tries(table.code)
    assert isinstance(admitted, Admitted)
    assert admitted.secret == table.secret


def test_an_open_door_needs_no_secret() -> None:
    table = entry()
    assert Door1(table, is_open=True).receive(hello()) == Enter(table, hello())
    assert Door1(table, is_open=True).refusal(hello(OTHER_SECRET)) == "no_such_table"


def test_the_spoken_code_gives_the_secret_and_proves_the_host() -> None:
    knocker, admitted = Door1(entry()).tries(CODE)
    assert isinstance(admitted, Admitted)
    assert admitted.secret == SECRET
    assert admitted.proof is not None
    assert knocker.accepts(admitted.proof)


def test_somebody_in_between_gets_nothing_with_the_right_code() -> None:
    """An impostor's certificate differs, and share and proof depend on the certificate."""
    _, refused = Door1(entry()).tries(CODE, b"a certificate of somebody in between")
    assert refused == Refused(code="wrong_code")


def test_a_knock_has_one_proof() -> None:
    at = Door1(entry())
    knocker, knocked = at.knocks(CODE)
    assert isinstance(knocked, Knocked)
    at.answer_to(Prove(proof=bytes(32)))
    assert at.refusal(Prove(proof=knocker.prove(knocked.share))) == "say_hello"


@pytest.mark.parametrize(("weight", "guesses"), [(1, 10), (2, 5)])
def test_of_one_network_so_many_guesses_are_answered(weight: int, guesses: int) -> None:
    guarded = entry()
    guarded.guess_weight = weight
    at, answers = Door1(guarded), 0
    for at.peer in (stranger("192.0.2.1") for _ in range(guesses + 1)):
        answers += isinstance(at.knocks("K7Q00000")[1], Knocked)
    assert answers == guesses
    # A right guess does not count: more of them than the limit allows are accepted.
    for at.peer in (stranger("192.0.2.2") for _ in range(guesses + 1)):
        assert isinstance(at.tries(CODE)[1], Admitted)
