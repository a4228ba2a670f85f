"""Tests the order in which typed lines take effect in the line-by-line mode."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.plain import line_shell
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.line_shell import TypedLines, play_lines
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.preferences.remembered import recall
from driflamme_tui.seat.targets import CodeTarget, Join
from netcode.client.code_join import NotAdmittedError
from netcode.client.connection import ConnectError
from netcode.client.interpreted import MadeRecord
from netcode.client.reconnection import OnNews
from netcode.client.session import Session
from netcode.protocol.codec import messages_from_host
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act, Chat, Refused
from netcode.protocol.refusal_sentences import NO_SEAT, NO_SUCH_TABLE
from netcode.protocol.table_settings import TableSettings
from netcode.transport.address import Address
from tests.support.servers import CODE
from tests.support.strategies import anything
from tests.support.tables import lobby, seen, session_at_line, state

STRIKE = "2 4 bA2 rS,bA,gl *r3,b5,g2"
TYPED = {
    JsonPlayer: (
        '{"type":"act","action":"x3"}',
        '{"type":"chat","text":"hm"}',
    ),
    PlainPlayer: ("x3", "say hm"),
}


class Seat:
    """A seat at a table whose host answers at the test's command."""

    connected = True
    table = None
    target = None
    answered = None
    missed_from = None
    leaving = ""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.sent: list[Message] = []
        self.coming: asyncio.Queue[Message] = asyncio.Queue()

    @property
    def is_let_in(self) -> bool:
        return self.session.lobby is not None

    async def stay(self, on_news: OnNews) -> None:
        while True:
            news = await self.coming.get()
            self.session.receive(news)
            if not on_news(news):
                return

    def send(self, message: Message) -> bool:
        self.sent.append(message)
        return True

    def enter(self, secret: bytes, *, watch: bool) -> None:
        self.send(self.session.enter(secret, spectator=watch))

    def watch_instead(self, refused: Refused) -> bool:
        is_remedy = refused.code in NO_SEAT and not self.session.spectator
        if is_remedy:
            self.send(self.session.hello(self.session.name or "", spectator=True))
        return is_remedy

    def keeps_seat(self, code: str) -> bool:
        return code == NO_SUCH_TABLE and self.session.family is not None

    def rename(self, name: str) -> None:
        self.session.name = name
        self.enter(self.session.secret or b"", watch=self.session.spectator)

    def release_seat(self) -> None:
        pass

    def greet(self) -> None:
        self.send(self.session.hello("Bo"))

    def way_back(self) -> None:
        return None

    def way_to_seat(self) -> None:
        return None

    async def leave(self, *, leaves: bool) -> None:
        pass

    async def close(self) -> None:
        pass


class Shell:
    """The shell of a seat, with the typed lines and the printed sentences."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, session: Session, seat: type[Seat] = Seat
    ) -> None:
        self.seat = seat(session)
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.sentences: list[str] = []

        async def sit_down(*_: object) -> Seat:
            return self.seat

        monkeypatch.setattr(line_shell, "sit_down", sit_down)

    def play(self, player_of: Callable[[Session], LinePlayer] = PlainPlayer) -> asyncio.Task[str]:
        plan = SoloPlan(TableSettings(), ())
        typed, tell = self._typed(), self.sentences.append
        return asyncio.create_task(play_lines(plan, "Bo", player_of, typed, tell))

    async def type(self, *lines: str | None) -> None:
        """Type these lines, and wait until all have taken effect; None ends the input."""
        for line in lines:
            self.lines.put_nowait(line)
        await self._settled()

    async def receive(self, *news: Message) -> None:
        for each in news:
            self.seat.coming.put_nowait(each)
        await self._settled()

    async def _settled(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def _typed(self) -> AsyncIterator[str]:
        while (line := await self.lines.get()) is not None:
            yield line


@pytest.mark.parametrize("player_of", TYPED)
async def test_while_an_answer_waits_all_else_is_done(
    player_of: Callable[[Session], LinePlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch, session_at_line(STRIKE, "b"))
    playing = shell.play(player_of)
    await shell.receive(state(seen(STRIKE, "b"), 1))
    strike, say = TYPED[player_of]  # type: ignore[index]
    await shell.type(strike, strike, say)
    # No State has followed the first answer, so the second answer waits; chat does not wait.
    assert [type(each) for each in shell.seat.sent] == [Act, Chat]
    # Lines before the end of the input still take effect.
    await shell.type(None)
    assert not playing.done()
    await shell.receive(state(seen(STRIKE, "b"), 2))
    await playing
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, Act]


@pytest.mark.parametrize(
    ("player_of", "you", "paused", "lines"),
    [
        (PlainPlayer, "g", False, ["Still waiting — Blaise chooses: eliminate the first or the"]),
        (PlainPlayer, None, False, ["Still waiting — Blaise chooses: eliminate the first or the"]),
        (PlainPlayer, "b", False, []),
        (PlainPlayer, "g", True, []),
        (JsonPlayer, "g", False, []),
    ],
)
async def test_a_long_wait_for_an_opponent_is_mentioned_once(
    player_of: Callable[[Session], LinePlayer],
    you: str | None,
    paused: bool,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shell = Shell(monkeypatch, session_at_line(STRIKE, you))
    playing = shell.play(player_of)
    # The next state cancels the line about the one before, since both arrive at once.
    monkeypatch.setattr(line_shell, "WAITING_S", 0)
    at = seen(STRIKE, you)
    table = lobby("rbg", you, paused=paused)
    await shell.receive(table, state(at, 1), state(at, 2))
    waiting = [each for each in shell.sentences if "Still waiting" in each]
    assert [each[: len(line)] for each, line in zip(waiting, lines, strict=True)] == lines
    monkeypatch.setattr(line_shell, "WAITING_S", 3600)
    await shell.receive(state(at, 3))
    assert len([each for each in shell.sentences if "Still waiting" in each]) == len(lines)
    await shell.type(None)
    await playing


async def test_who_is_not_let_in_is_told_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(monkeypatch, Session(secret=b"c" * 12))
    shell.seat.session.hello("Bo")
    shell.seat.coming.put_nowait(Refused(code="full"))
    assert await shell.play()
    assert not shell.sentences


def wrong_code() -> ConnectError:
    return NotAdmittedError(Refused(code="wrong_code"))


ELSEWHERE = Address("192.0.2.1")


async def lines_of(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        (["f2mxr"], ["K7QAAAAA", "K7QF2MXR"]),
        (["f2", "k7q f2mxs", "F2MXR"], ["K7QAAAAA", "K7QF2MXS", "K7QF2MXR"]),
        (["quit", "F2MXR"], ["K7QAAAAA"]),
        ([], ["K7QAAAAA"]),
    ],
)
async def test_a_mistyped_code_is_asked_for_again(
    typed: list[str], codes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    written: list[str] = []

    async def sit_down(plan: Join, *_: object) -> Seat:
        assert isinstance(plan.target, CodeTarget)
        tried.append(plan.target.code)
        if plan.target.code == CODE:
            raise ConnectError("The table is there.")
        raise wrong_code()

    monkeypatch.setattr(line_shell, "sit_down", sit_down)
    plan = Join(CodeTarget(ELSEWHERE, "K7QAAAAA"))
    ended = await play_lines(plan, "Bo", PlainPlayer, lines_of(*typed), written.append)
    assert tried == codes
    assert ended == ("The table is there." if codes[-1] == CODE else wrong_code().sentence())
    assert "Type the code again, or quit." in written


async def test_a_program_with_a_wrong_code_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sit_down(*_: object) -> Seat:
        raise wrong_code()

    monkeypatch.setattr(line_shell, "sit_down", sit_down)
    plan, written = Join(CodeTarget(ELSEWHERE, CODE)), list[str]()
    ended = await play_lines(plan, "Bo", JsonPlayer, lines_of("x"), written.append)
    assert (ended, written) == (wrong_code().sentence(), [])


async def test_another_name_is_asked_for_after_a_taken_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []
    written: list[str] = []
    lines = asyncio.Queue[str | None]()

    async def sit_down(_plan: Join, name: str, *_: object) -> Seat:
        names.append(name)
        seat = Seat(Session(secret=bytes(12)))
        seat.session.hello(name)
        is_taken = name == "Bo"
        refusal = Refused(code="name_taken", values={"name": name})
        seat.coming.put_nowait(refusal if is_taken else Refused(code="another_table"))
        return seat

    monkeypatch.setattr(line_shell, "sit_down", sit_down)
    answers = ["", "a" * 99, "Bea"]

    def write(line: str) -> None:
        written.append(line)
        if line == "Type another name, or quit.":
            lines.put_nowait(answers.pop(0))

    plan = Join(CodeTarget(ELSEWHERE, CODE))
    ended = await play_lines(plan, "Bo", PlainPlayer, TypedLines(lines), write)
    assert names == ["Bo", "Bea"]
    assert ended
    assert written.count("Type another name, or quit.") == 3


async def test_the_name_at_a_table_is_offered_the_next_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for player_of, name in ((JsonPlayer, ""), (PlainPlayer, "Blaise")):
        shell = Shell(monkeypatch, Session())
        playing = shell.play(player_of)
        await shell.receive(lobby("rb", "b", phase="lobby"))
        assert recall().name == name
        await shell.type(None)
        await playing


# Every message as JSON

SECRETS = {"key", "secret", "proof", "share"}


def names_in(said: Any) -> set[str]:
    """Return the names of all fields, at every depth."""
    if isinstance(said, dict):
        return {*said}.union(*map(names_in, said.values()))
    return set[str]().union(*map(names_in, said)) if isinstance(said, list) else set()


def data_of(message: Message) -> dict[str, Any]:
    (line,) = JsonPlayer(Session()).news(message)
    assert "\n" not in line
    said = json.loads(line)
    assert isinstance(said, dict)
    assert said["type"] == message.__struct_config__.tag
    return said


@pytest.mark.parametrize("kind", messages_from_host(), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_message_of_a_host_is_a_line_of_json_without_secrets(
    kind: type[Message], data: st.DataObject
) -> None:
    said = data_of(data.draw(anything(kind)))
    assert not SECRETS & names_in({**said, "values": None})
    fields = {*kind.__struct_fields__} - SECRETS
    assert fields <= said.keys()


def test_a_record_that_the_own_program_has_made_is_json_too() -> None:
    assert data_of(MadeRecord(3, "{}"))["line"] == "{}"
