"""Tests joining a table with the key of its sealed game."""

from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from netcode.protocol.fields import Message
from netcode.protocol.messages import PROTOCOL, Admitted, Goodbye, Refused
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.effects import Effect, Keep, Send
from netcode.table.snapshot import TableAccess
from netcode.wings.sealed.game.encoding import LoginBody
from netcode.wings.sealed.messages import Call, Challenge, LogIn
from netcode.wings.sealed.routes import SEAM
from tests.netcode.server.test_admission import CERTIFICATE, CODE, SECRET, stranger
from tests.support.dates import unix_time
from tests.wings.sealed.sealed_world import SealedWorld, Someone, dealt


class Visitor:
    """A caller at the table of a sealed game."""

    def __init__(self, world: SealedWorld) -> None:
        registry = TableRegistry([TableEntry(1, TableAccess(SECRET, CODE), world.table)])
        self.received: list[Message] = []
        self.effects: list[Effect] = []
        runner: Any = SimpleNamespace(execute=self._execute)
        self.handlers = SEAM.make(registry, runner, CERTIFICATE, unix_time)
        self.peer = stranger()
        vars(self.peer)["answer"] = self.received.append
        self.gid = world.game.sealing.gid

    def _execute(self, entry: TableEntry, effects: list[Effect]) -> None:
        self.effects = effects
        self.received += [each.message for each in effects if isinstance(each, Send)]

    async def answer_to(self, message: Call | LogIn) -> Message:
        await self.handlers[type(message)](self.peer, message, 0.0)
        return self.received[-1]

    async def calls(self, gid: bytes | None = None, protocol: int = PROTOCOL) -> Message:
        return await self.answer_to(Call(protocol=protocol, gid=gid or self.gid))

    async def logs_in(
        self,
        who: Someone,
        person: int,
        certificate: bytes = CERTIFICATE,
        challenge: bytes | None = None,
    ) -> Message:
        called = await self.calls()
        assert isinstance(called, Challenge)
        return await self.answers(who, person, certificate, challenge or called.challenge)

    async def answers(
        self, who: Someone, person: int, certificate: bytes, challenge: bytes
    ) -> Message:
        pin = sha256(certificate).digest()
        signed = who.person.sign(LoginBody(self.gid, person, challenge, pin))
        return await self.answer_to(LogIn(person=person, signature=signed.signature))


async def test_whoever_has_the_key_of_a_game_is_given_a_key_to_their_seat() -> None:
    world = dealt()
    visitor, ada = Visitor(world), world.people[1]
    answer = await visitor.logs_in(ada, person=1)
    assert isinstance(answer, Admitted)
    assert (answer.secret, answer.key is None) == (SECRET, False)
    assert isinstance(visitor.effects[0], Keep), "the key outlives the host before it is told"
    ada.go()
    ada.session.key = answer.key
    ada.come()
    world.flow()
    assert ada.lobby.your_seat is not None
    assert ada.lobby.your_seat.name == ada.name


@pytest.mark.parametrize("wrong", ["person", "challenge", "pin"])
async def test_nobody_else_is(wrong: str) -> None:
    world = dealt()
    visitor, ada = Visitor(world), world.people[1]
    answer = await visitor.logs_in(
        ada,
        person=2 if wrong == "person" else 1,
        certificate=b"another certificate" if wrong == "pin" else CERTIFICATE,
        challenge=bytes(32) if wrong == "challenge" else None,
    )
    assert isinstance(answer, Refused)
    assert answer.code == "wrong_game_key"


async def test_a_challenge_is_answered_once() -> None:
    world = dealt()
    visitor, ada = Visitor(world), world.people[1]
    answer = await visitor.answers(ada, 1, CERTIFICATE, bytes(32))
    assert isinstance(answer, Refused)
    assert answer.code == "say_hello", "nobody has called"
    called = await visitor.calls()
    assert isinstance(called, Challenge)
    assert isinstance(await visitor.answers(ada, 1, CERTIFICATE, called.challenge), Admitted)
    again = await visitor.answers(ada, 1, CERTIFICATE, called.challenge)
    assert isinstance(again, Refused)
    assert again.code == "say_hello"


async def test_a_call_for_another_game_or_in_another_version_is_refused() -> None:
    visitor = Visitor(dealt())
    other = await visitor.calls(gid=bytes(32))
    assert isinstance(other, Refused)
    assert other.code == "no_such_game"
    older = await visitor.calls(protocol=PROTOCOL - 1)
    assert isinstance(older, Goodbye)
    assert older.code == "upgrade_client"
