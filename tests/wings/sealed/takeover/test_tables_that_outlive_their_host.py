"""Tests that a sealed table over real loopback sockets continues after its host is gone."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace as replace_addresses
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import core_parts
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.seat.seat_session import SeatSession, sit_down
from driflamme_tui.seat.targets import Join, Plan
from driflamme_tui.wings.sealed import home_takeover
from driflamme_tui.wings.sealed.seat_parts import SealedSeat
from driflamme_tui.wings.sealed.takeover_games import can_take_over
from netcode.client import reconnection
from netcode.client.connection import ConnectError
from netcode.joining.invitation import parse_invitation
from netcode.protocol.messages import Chat, EndGame, Remove, SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.table.connections import Connections
from netcode.table.snapshot import Location
from netcode.transport.address import Address
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.messages import HandOver, Sealed
from netcode.wings.sealed.news import sealed_news
from netcode.wings.sealed.takeover import decision, takeover_play
from netcode.wings.sealed.takeover.host_call import NOBODY
from netcode.wings.sealed.takeover.peer_connections import PeerConnections
from netcode.wings.sealed.takeover.takeover_server import TakeoverServer
from tests.support.following import news_of
from tests.support.servers import UNGATHERED

SEALED = TableSettings(sealed=True, pace_ms=0)
HERE = Host(Location("127.0.0.1", 0, announced=False), settings=SEALED)
AGAIN = Host(Location("127.0.0.1", announced=False), resume=True)


def shorten_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all waits of players at sealed tables, except for others to open a table."""
    monkeypatch.setattr(decision, "GRACE_S", 0.1)
    # On a busy machine, an opening takes longer than a moment. If both players who are left took
    # the table over, they would find each other only after half a minute.
    monkeypatch.setattr(decision, "PATIENCE_S", 10)
    monkeypatch.setattr(takeover_play, "LOOK_S", 0.02)
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.05)
    defaults = Server.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "limits", UNGATHERED)


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_waits(monkeypatch)
    monkeypatch.setattr(decision, "ALONE_S", 0.1)


@pytest.fixture(autouse=True)
def strikes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Yield a list of connections with invalid messages; assert in the end that it is empty."""
    all_strikes: list[int] = []
    monkeypatch.setattr(Connections, "strike", lambda _, connection: all_strikes.append(connection))
    yield all_strikes
    assert not all_strikes


class Program:
    """A person's program, which answers every question up to a step."""

    def __init__(self, seat: SeatSession) -> None:
        self.seat = seat
        self.rng = Random(1)
        self.until = 0
        """The last step that the program answers."""
        self._task = asyncio.create_task(self._follow())

    @classmethod
    async def start(cls, plan: Plan, name: str) -> "Program":
        return cls(await sit_down(plan, name))

    async def _follow(self) -> None:
        async with aclosing(news_of(self.seat.stay)) as all_news:
            async for _news in all_news:
                await self.answer()

    async def answer(self) -> None:
        session, log = self.seat.session, self.log
        if session.view is None or not session.view.legal or session.pending is not None:
            return
        if log is not None and log.height < self.until:
            self.seat.send(session.act(self.rng.choice(session.view.legal)))

    @property
    def play(self) -> takeover_play.TakeoverPlay | None:
        (part,) = (each for each in self.seat._parts if isinstance(each, SealedSeat))
        return part.play

    @property
    def log(self) -> SealedLog | None:
        person = None if self.play is None else self.play.person
        return None if person is None else person.log

    @property
    def steps(self) -> list[bytes]:
        return [] if self.log is None else [entry.tip for entry in self.log.entries]

    @property
    def knows(self) -> int:
        """Number of persons whose address the program knows."""
        play = self.play
        return (
            0
            if play is None or play._connections is None
            else len(play._connections.deciding.parcels())
        )

    @property
    def host(self) -> str:
        lobby = self.seat.session.lobby
        there = [] if lobby is None or not self.seat.connected else lobby.seats
        return next((seat.name for seat in there if seat.host), "")

    async def die(self) -> None:
        """End as after `kill -9`."""
        self._task.cancel()
        table = self.seat.table
        server = table.server if table is not None else None
        if self.play is not None and server is None and self.play.takeover is not None:
            server = self.play.takeover.server
        if server is not None:
            for peer in server._peers:
                peer.cut()
        await self.seat.leave(leaves=False)
        await self.seat.close()


class Table:
    def __init__(self) -> None:
        self.programs: list[Program] = []

    async def come(self, plan: Plan, name: str) -> Program:
        program = await Program.start(plan, name)
        self.programs.append(program)
        return program

    async def until(self, happens: Callable[[], bool]) -> None:
        """Wait until a condition is true."""
        while not happens():
            await asyncio.sleep(0.01)

    async def play_to(self, step: int) -> None:
        for program in self.programs:
            program.until = step
            await program.answer()
        await self.until(lambda: all(len(each.steps) >= step for each in self.programs))

    async def play_next(self) -> None:
        """End the game, and start another one without the players who are gone."""
        host, *others = self.programs
        first = host.log
        host.seat.send(EndGame())
        # A program that has not seen the end yet is ready without a key for the next game.
        await self.until(lambda: all(phase(each) == "lobby" for each in self.programs))
        host.seat.send(Remove("r"))
        for program in others:
            program.seat.send(SetReady(ready=True))
        await self.until(lambda: len(successors(host)) == len(self.programs) and can_start(host))
        await self.begin(first)

    async def begin(self, before: SealedLog | None = None) -> None:
        self.programs[0].seat.send(Start())
        await self.until(lambda: all(each.log not in (None, before) for each in self.programs))
        # A program that is lost before the others know its address could never take over.
        await self.until(lambda: all(each.knows == len(self.programs) for each in self.programs))

    def program(self, name: str) -> Program:
        return next(each for each in self.programs if each.seat.session.name == name)

    async def lose(self, program: Program) -> None:
        self.programs.remove(program)
        await program.die()

    def hosts(self) -> list[str]:
        """Return the host in each program's lobby; "" for a disconnected program."""
        return [each.host for each in self.programs]

    def link(self) -> str:
        lobby = self.programs[0].seat.session.lobby
        assert lobby is not None
        return lobby.invitation


@asynccontextmanager
async def table_of(*names: str, link: str = "", plan: Host = HERE) -> AsyncGenerator[Table]:
    """Yield a table with a dealt game; all programs end with the block.

    The first person opens the table as planned, or joins the table of `link`.
    """
    table = Table()
    try:
        host = await table.come(Join(parse_invitation(link)) if link else plan, names[0])
        await table.until(lambda: bool(host.host))
        for name in names[1:]:
            program = await table.come(Join(parse_invitation(table.link())), name)
            await table.until(lambda: bool(table.programs[-1].host))
            program.seat.send(SetReady(ready=True))
        # A person who allows the takeover may not be ready yet.
        await table.until(lambda: len(successors(host)) == len(names) and can_start(host))
        await table.begin()
        yield table
    finally:
        for program in table.programs:
            await program.die()


def successors(program: Program) -> tuple[str, ...]:
    lobby = program.seat.session.lobby
    return () if lobby is None else lobby.successors


def phase(program: Program) -> str:
    lobby = program.seat.session.lobby
    return "" if lobby is None else lobby.phase


def can_start(program: Program) -> bool:
    lobby = program.seat.session.lobby
    return lobby is not None and lobby.missing is None


def has_received(text: str, to: Program) -> bool:
    """Return True if a person's program has received this line of chat."""
    return any(line.text == text for line in to.seat.session.talk)


def has_notice(notice: str, program: Program) -> bool:
    return last_notice(program) == notice


def last_notice(program: Program) -> str:
    """Return the last notice: its code, its person, and further names; "" without a notice."""
    news = sealed_news(program.seat.session)
    if news is None or not news.notices:
        return ""
    last = news.notices[-1]
    names = last.values.get("names")
    others = map(str, names) if isinstance(names, tuple) else ()
    return " ".join((last.code, last.name, *others))


STORIES = {
    "a table is handed over, and its former host follows": """
        play 4, hand over to Orlando, host Orlando, play 10, lose Root, host Orlando
    """,
    "by hand anybody carries a table on that everybody has left": """
        play 5, lose Root, lose Rosalind, lose Orlando, again Orlando, come Root, come Rosalind
        host Orlando, play 12
    """,
    "a host who comes back is at the table again": """
        play 4, lose Root, host Rosalind, again Root, one host, play 12
    """,
    "two who carry a table on by hand at once come together": """
        play 4, lose Root, lose Rosalind, lose Orlando, again Rosalind, again Orlando, one host
        come Root, play 12
    """,
    "a host who leaves leaves the table to the others": """
        play 4, leave Root, host Rosalind
    """,
    "the first who is left carries a table on and the next after them": """
        play 4, lose Root, host Rosalind, told Celia taken_over Rosalind Root
        lose Rosalind, host Orlando, told Celia taken_over Orlando Rosalind
        told Orlando taken_over_here Orlando Rosalind
    """,
    "where a table went on the next game outlives its host too": """
        play 1, lose Root, host Rosalind, next game, play 4, lose Rosalind, host Orlando
        told Celia taken_over Orlando Rosalind
    """,
}


@pytest.mark.parametrize("name", STORIES)
async def test_a_story_goes_as_it_is_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "two" in name:
        monkeypatch.setattr(decision, "PATIENCE_S", 0.2)
    seen: list[bytes] = []
    names = ["Root", "Rosalind", "Orlando", "Celia"]
    async with table_of(*names[: 4 if "Celia" in STORIES[name] else 3]) as table:
        for what in re.split(r",\s+|\n\s+", STORIES[name].strip()):
            match what.split():
                case ["play", step]:
                    await table.play_to(int(step))
                    seen = table.programs[0].steps
                case ["hand", *_, to]:
                    table.programs[0].seat.send(HandOver(to))
                case ["lose", who]:
                    await table.lose(table.program(who))
                case ["leave", who]:
                    gone = table.program(who)
                    table.programs.remove(gone)
                    await gone.seat.leave(leaves=True)
                    await gone.seat.close()
                case ["again", who]:
                    await table.come(AGAIN, who)
                    await table.until(lambda: table.programs[-1].log is not None)
                case ["come", who]:
                    await table.come(Join(parse_invitation(table.link())), who)
                case ["host", who]:
                    await table.until(lambda: {*table.hosts()} == {who})
                case ["told", who, *words]:
                    await table.until(lambda: last_notice(table.program(who)).split() == words)
                case ["next", "game"]:
                    await table.play_next()
                    # The programs answer the first question of this game at once.
                    seen = table.programs[0].steps
                case ["one", "host"]:
                    await table.until(lambda: all(table.hosts()) and len({*table.hosts()}) == 1)
            known = min(len(each.steps) for each in table.programs) if table.programs else 0
            assert all(each.steps[:known] == seen[:known] for each in table.programs)


@pytest.mark.parametrize("is_announced", [True, False])
async def test_a_table_is_announced_wherever_it_goes_on_if_its_host_had_announced_it(
    monkeypatch: pytest.MonkeyPatch, is_announced: bool
) -> None:
    sentences: list[str] = []

    async def announce_table(name: str, *_given: object) -> None:
        sentences.append(name)
        await asyncio.Event().wait()

    for module in (home_takeover, core_parts):
        monkeypatch.setattr(module, "announce_table", announce_table)
    opened = replace(HERE, location=replace(HERE.location, announced=is_announced))
    async with table_of("Root", "Rosalind", "Orlando", "Celia", plan=opened) as table:
        await table.play_to(4)
        for gone, host in (("Root", "Rosalind"), ("Rosalind", "Orlando")):
            await table.lose(table.program(gone))
            await table.until(lambda host=host: {*table.hosts()} == {host})  # type: ignore[misc]
        for each in (*table.programs,):
            await table.lose(each)
        # A takeover by hand keeps the setting for announcements too.
        await table.come(replace(AGAIN, location=Location("127.0.0.1")), "Celia")
        await table.until(lambda: table.programs[0].log is not None)
        await asyncio.sleep(0)
    assert sentences == (["Root", "Rosalind", "Orlando", "Celia"] if is_announced else [])


async def test_a_machine_beyond_a_tunnel_is_promised_to_nobody() -> None:
    table, tunnel = Table(), None

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
        writer.close()

    try:
        host = await table.come(HERE, "Root")
        await table.until(lambda: bool(host.host))
        straight = parse_invitation(table.link())

        async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there = await asyncio.open_connection("127.0.0.1", straight.addresses[0].port)
            await asyncio.gather(pipe(reader, there[1]), pipe(there[0], writer))

        tunnel = await asyncio.start_server(forward, "127.0.0.1", 0)
        entrance = Address("127.0.0.1", tunnel.sockets[0].getsockname()[1])
        for name, link in (
            ("Rosalind", replace_addresses(straight, addresses=(entrance,))),
            ("Orlando", straight),
        ):
            program = await table.come(Join(link), name)
            await table.until(lambda: bool(table.programs[-1].host))
            program.seat.send(SetReady(ready=True))
        await table.until(lambda: can_start(host))
        assert successors(host) == ("Root",)
    finally:
        for program in table.programs:
            await program.die()
        if tunnel is not None:
            tunnel.close()


Calls = Callable[..., Awaitable[object]]


@pytest.fixture
def blocked(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Return an empty set of pairs of names.

    A call from the first person of a pair to the second fails, as a call to a guest by `ssh -L`
    does.
    """
    pairs: set[tuple[str, str]] = set()
    right: Calls = PeerConnections.call

    async def call(self: PeerConnections, person: int) -> object:
        names = self.sealing.names
        if person >= 0 and (names[self.me], names[person]) in pairs:
            raise ConnectError(NOBODY)
        return await right(self, person)

    monkeypatch.setattr(PeerConnections, "call", call)
    return pairs


async def test_where_one_cannot_be_called_by_the_next_both_play_at_the_next(
    blocked: set[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked.add(("Orlando", "Rosalind"))
    monkeypatch.setattr(decision, "PATIENCE_S", 0.3)
    async with table_of("Root", "Rosalind", "Orlando") as table:
        await table.play_to(4)
        await table.lose(table.program("Root"))
        await table.until(lambda: table.hosts() == ["Orlando", "Orlando"])
        assert last_notice(table.program("Rosalind")) == "hosts_now Orlando"
        rosalind, orlando = table.programs
        for one, other in ((rosalind, orlando), (orlando, rosalind)):
            text = f"I am {one.seat.session.name}."
            one.seat.send(Chat(text=text))
            await table.until(partial(has_received, text, to=other))
        await table.come(Join(parse_invitation(table.link())), "Root")
        await table.play_to(12)


async def test_where_neither_can_call_the_other_each_reads_that_the_game_is_split(
    blocked: set[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked |= {("Orlando", "Rosalind"), ("Rosalind", "Orlando")}
    monkeypatch.setattr(decision, "SPLIT_S", 0.3)
    async with table_of("Root", "Rosalind", "Orlando") as table:
        await table.play_to(4)
        await table.lose(table.program("Root"))
        await table.until(lambda: table.hosts() == ["Rosalind", "Orlando"])
        for one, other in (("Rosalind", "Orlando"), ("Orlando", "Rosalind")):
            sentence = f"split_here {one} {other}"
            await table.until(partial(has_notice, sentence, table.program(one)))
        # The connection between them works again.
        blocked.clear()
        monkeypatch.setattr(decision, "MOST_WAIT_S", 0.1)
        await table.until(lambda: table.hosts() in (["Rosalind"] * 2, ["Orlando"] * 2))
        await table.until(lambda: all(last_notice(each)[:5] == "whole" for each in table.programs))


async def test_whose_line_to_a_host_that_nobody_sits_at_is_lost_is_back_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decision, "GRACE_S", 60)

    opened = await open_table(HERE, owned=False)
    async with table_of("Rosalind", "Orlando", "Celia", link=opened.invitations[0]) as table:
        await table.play_to(4)
        for peer in opened.server._peers:
            peer.cut()
        await table.until(lambda: not any(table.hosts()))
        await table.until(lambda: all(table.hosts()))
        await table.play_to(12)
        assert len([*opened.server._peers]) == 3
        assert opened.server.moves >= 12
        moved = [each.play and each.play.was_taken_over for each in table.programs]
        assert moved == [False] * 3
    await opened.close()


async def test_a_game_that_its_host_has_ended_is_carried_on_by_nobody() -> None:
    async with table_of("Root", "Rosalind", "Orlando") as table:
        await table.until(can_take_over)
        table.programs[0].seat.send(EndGame())
        await table.until(lambda: not can_take_over())


async def test_nothing_is_passed_on_that_the_own_log_does_not_take() -> None:
    async with table_of("Root", "Rosalind", "Orlando") as table:
        await table.play_to(4)
        for program in table.programs[:2]:
            assert program.play is not None
            lines = program.play._connections
            assert lines is not None
            nonsense = tuple((b"x%d" % number, b"") for number in range(160))
            again = (lines.sealing.body, b"")
            lines.take(Sealed((*nonsense, again)), 2)
            lines.on_change()
        await table.play_to(8)


async def begin_again(play: takeover_play.TakeoverPlay) -> asyncio.Task[None]:
    """Restart a program's game; return the task that opens the new game's takeover server."""
    play._leave_game()
    play._gid = b""
    play.on_change()
    assert play._opening is not None
    await asyncio.sleep(0)
    return play._opening


async def test_of_a_game_that_ends_before_this_machine_listens_there_are_no_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listens = asyncio.Event()

    async def late(_towards: str) -> TakeoverServer | None:
        await listens.wait()
        return None

    async with table_of("Root", "Rosalind", "Orlando") as table:
        play = table.programs[1].play
        assert play is not None
        monkeypatch.setattr(play._home, "open", late)
        opening = await begin_again(play)
        table.programs[0].seat.send(EndGame())
        await table.until(lambda: phase(table.programs[1]) == "lobby")
        listens.set()
        await asyncio.wait([opening])
        assert play._connections is None
