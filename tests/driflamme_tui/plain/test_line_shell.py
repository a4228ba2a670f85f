"""The shell around who plays line by line: in which order what is typed is done."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.hosting.host_plans import Alone
from driflamme_tui.plain import line_shell
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.plain.line_player import LinePlayer
from driflamme_tui.plain.line_shell import play_lines
from driflamme_tui.plain.plain_player import PlainPlayer
from netcode.client.interpreted import Asked, MadeRecord
from netcode.client.reconnection import OnNews
from netcode.client.session import Session
from netcode.protocol.codec import messages_from_host
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act, Chat, Hello, Refused
from netcode.protocol.table_settings import TableSettings
from netcode.wings.clubs.messages import Club, OpenTable, TableInfo
from netcode.wings.sealed.news import SealedNews, VoteMissing
from tests.support.strategies import anything
from tests.support.tables import asked_at, sealed_news, seen, state

STRIKE = "2 4 bA2 rS,bA,gl *r3,b5,g2"
TYPED = {
    JsonPlayer: (
        '{"type":"act","action":"x3"}',
        '{"type":"chat","text":"hm"}',
        '{"type":"vote_missing"}',
    ),
    PlainPlayer: ("x3", "say hm", "vote"),
}


class Seat:
    """A seat at a table that answers when it is told to."""

    connected = True
    table = None

    def __init__(self, session: Session) -> None:
        self.session = session
        self.sent: list[Asked] = []
        self.coming: asyncio.Queue[Message] = asyncio.Queue()

    async def stay(self, on_news: OnNews) -> None:
        while True:
            news = await self.coming.get()
            self.session.receive(news)
            if not on_news(news):
                return

    def say(self, message: Asked) -> bool:
        self.sent.append(message)
        return True

    def enter(self, secret: bytes, *, watch: bool) -> None:
        self.say(self.session.enter(secret, spectator=watch))

    def rename(self, name: str) -> None:
        self.session.name = name
        self.enter(self.session.secret or b"", watch=self.session.spectator)

    def release_seat(self) -> None:
        pass

    def greet(self) -> None:
        self.say(self.session.hello("Bo"))

    def way_back(self) -> None:
        return None

    async def leave(self, *, leaves: bool) -> None:
        pass

    async def close(self) -> None:
        pass


class Shell:
    """The shell around who sits there, what is typed into it, and what is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, session: Session) -> None:
        self.seat = Seat(session)
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.told: list[str] = []

        async def sit_down(*_: object) -> Seat:
            return self.seat

        monkeypatch.setattr(line_shell, "sit_down", sit_down)

    def play(self, player_of: Callable[[Session], LinePlayer] = PlainPlayer) -> asyncio.Task[str]:
        plan = Alone(TableSettings(), ())
        typed, tell = self._typed(), self.told.append
        return asyncio.create_task(play_lines(plan, "Bo", player_of, typed, tell))

    async def type(self, *lines: str | None) -> None:
        """Type lines, None after the last, and wait until they are done."""
        for line in lines:
            self.lines.put_nowait(line)
        await self._settled()

    async def hear(self, *news: Message) -> None:
        for each in news:
            self.seat.coming.put_nowait(each)
        await self._settled()

    async def _settled(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def _typed(self) -> AsyncIterator[str]:
        while (line := await self.lines.get()) is not None:
            yield line


async def test_a_club_is_heard_as_numbers_of_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(monkeypatch, Session(secret=b"c" * 12))
    shell.seat.session.hello("Bo")
    playing = shell.play()
    await shell.hear(Club(tables=()))
    await shell.type("open")
    playing_there = TableInfo(
        room="K72", secret=b"2" * 12, phase="playing", edition=1, names=("Ada", "Gaspard")
    )
    gathering = TableInfo(room="K73", secret=b"3" * 12, phase="lobby", edition=1, names=())
    await shell.hear(Club(tables=(playing_there, gathering)))
    assert "1: K72, playing, first edition: Ada, Gaspard" in shell.told
    assert "2: K73, gathering, first edition: nobody" in shell.told
    await shell.type("3", "2", "tables")
    # Refused at the table, one is in the club still.
    for code in ("name_taken", "table_full"):
        await shell.hear(Refused(code=code, values={"name": "Bo", "seats": 5}))
    await shell.type("name Cleo", "watch 1")
    opened, entered, _listed, renamed, watched = shell.seat.sent
    assert isinstance(opened, OpenTable)
    assert [
        (each.name, each.secret, each.spectator)
        for each in (entered, renamed, watched)
        if isinstance(each, Hello)
    ] == [("Bo", b"3" * 12, False), ("Cleo", b"3" * 12, False), ("Cleo", b"2" * 12, True)]
    await shell.type("quit")
    assert await playing == ""


@pytest.mark.parametrize("player_of", TYPED)
async def test_while_an_answer_waits_all_else_is_done(
    player_of: Callable[[Session], LinePlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch, asked_at(STRIKE, "b"))
    playing = shell.play(player_of)
    vote_wanted = sealed_news(vote_about="Gaspard", is_vote_wanted=True)
    await shell.hear(state(seen(STRIKE, "b"), 1), vote_wanted)
    strike, say, vote = TYPED[player_of]  # type: ignore[index]
    await shell.type(strike, strike, say, vote)
    # The struck card is not opened, so no State follows; the same answer again is about what does.
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing]
    # Lines that have ended are done nevertheless.
    await shell.type(None)
    assert not playing.done()
    await shell.hear(state(seen(STRIKE, "b"), 2))
    await playing
    assert [type(each) for each in shell.seat.sent] == [Act, Chat, VoteMissing, Act]


async def test_who_is_not_let_in_is_told_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(monkeypatch, Session(secret=b"c" * 12))
    shell.seat.session.hello("Bo")
    shell.seat.coming.put_nowait(Refused(code="full"))
    assert await shell.play()
    assert not shell.told


# Every message as JSON

SECRETS = {"key", "secret", "proof", "share"}


def names_in(said: Any) -> set[str]:
    """Return the names of all fields, at every depth."""
    if isinstance(said, dict):
        return {*said}.union(*map(names_in, said.values()))
    return set[str]().union(*map(names_in, said)) if isinstance(said, list) else set()


def told(message: Message) -> dict[str, Any]:
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
    said = told(data.draw(anything(kind)))
    assert not SECRETS & names_in({**said, "values": None})
    fields = {*kind.__struct_fields__} - SECRETS
    assert fields <= said.keys()


def test_what_an_own_program_tells_of_a_sealed_game_is_json_too() -> None:
    assert told(SealedNews(stage="over"))["stage"] == "over"
    assert told(MadeRecord(3, "{}"))["line"] == "{}"
