"""Tests visitors of a door: each has their own app, without access to others."""

import asyncio
import fcntl
import logging
import os
import re
import secrets
import termios
import tty
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from textual.events import Event, Key, Resize
from textual.geometry import Size

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.plain import line_shell
from driflamme_tui.wings.doors import visitor_app, visitor_spawner, visitors
from driflamme_tui.wings.doors.visitor_spawner import LARGEST, MEMORY_BYTES, Terminal
from driflamme_tui.wings.doors.visitors import (
    PASTE,
    PASTED,
    PIECE_BYTES,
    TABLE_VISITORS,
    Guest,
    RefusedError,
    Visitor,
    VisitorLimits,
    Visitors,
)
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.sockets import open_unix
from scripts.lib.emulator import Emulator
from tests.support.dates import unix_time
from tests.wings.doors.conftest import PATIENCE_S, SECRET_OF_THE_HOST, Visit

SECRET = b"s" * 12


class Looking:
    """Reads a terminal until its end."""

    def __init__(self, read: Callable[[], Awaitable[bytes]]) -> None:
        self.read = read
        self.raw = b""
        self.screen = Emulator(80, 24)
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode

    async def until(self, text: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while text not in self.screen.text():
                    drawn = await self.read()
                    assert drawn, self.screen.text()
                    self.raw += drawn
                    self.screen.feed(self._decode(drawn))
        except TimeoutError:
            raise AssertionError(f"{text!r} is not in:\n{self.screen.text()}") from None


class AtHost(Looking):
    """Reads a visitor's terminal on the host's side."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor.read)
        self.visitor = visitor

    async def read_until_size(self, size: tuple[int, int]) -> None:
        """Read until the terminal has these rows and columns, even if nothing is drawn."""
        terminal = self.visitor._terminal
        assert terminal is not None
        reading = asyncio.ensure_future(self.visitor.read())
        while termios.tcgetwinsize(terminal) != size:
            await asyncio.wait([reading], timeout=0.01)
            if reading.done():
                self.raw += reading.result()
                reading = asyncio.ensure_future(self.visitor.read())
        reading.cancel()


class Door:
    """Admits visitors to a table, and reads their terminals. All files are in a test's folder."""

    def __init__(self, folder: Path, visitors: Visitors) -> None:
        self.visitors = visitors
        visitors.folder, visitors.table = folder / "visitors", folder / "table"

    async def admit(
        self, identity: str, name: str, lang: str = "C.UTF-8", network: str = ""
    ) -> AtHost:
        guest = Guest(identity, name, SECRET, network)
        terminal = Terminal("xterm-256color", lang, "truecolor")
        return AtHost(await self.visitors.admit(guest, terminal, (80, 24)))


@asynccontextmanager
async def door(folder: Path, visitors: Visitors) -> AsyncIterator[Door]:
    table = Table(Random(1), lambda: secrets.token_bytes(32), unix_time=unix_time)
    entry = TableEntry(1, TableAccess(SECRET, "ABCDEFGH"), table)
    async with Server(TableRegistry([entry])) as server:
        await server.listen([open_unix(folder / "table")])
        yield Door(folder, visitors)


def kept(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


def test_visitors_share_a_table_and_nothing_else(tmp_path: Path, visit: Visit) -> None:
    async def come(visitors: Visitors) -> None:
        async with door(tmp_path, visitors) as the_door:
            ada = await the_door.admit("key-adaadaada", "Ada", "fr_FR.UTF-8")
            await ada.until("Ada")
            await ada.until("Salon")
            bob = await the_door.admit("key-bobbobbob", "Bob", "xx$(reboot)")
            await bob.until("Lobby")
            await bob.until("Bob")
            await ada.until("Bob")
            assert b"38;2;" in ada.raw
            # A visitor's settings are their own.
            await ada.visitor.write(b"o")
            await ada.until("Couleurs")
            await ada.visitor.write(b"\x1b[D")
            await ada.until("contraste")
            await bob.visitor.write(b"o")
            await bob.until("dark")
            await bob.visitor.write(b"o")
            folders = tmp_path / "visitors"
            assert sorted(os.listdir(folders)) == ["key-adaadaada", "key-bobbobbob"]
            async with asyncio.timeout(PATIENCE_S):
                while 'theme = "contrast"' not in kept(folders / "key-adaadaada"):
                    await asyncio.sleep(0.01)
            assert "Bob" not in kept(folders / "key-adaadaada")
            assert "Bob" in kept(folders / "key-bobbobbob")
            assert "theme" not in kept(folders / "key-bobbobbob")
            assert "Ada @" not in kept(folders / "key-bobbobbob")
            # A folder with a running app is never deleted.
            descriptor = os.open(folders / "key-adaadaada", os.O_RDONLY)
            with pytest.raises(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(descriptor)
            for path in folders.rglob("*"):
                assert not path.stat().st_mode & 0o077, path
            # A returning visitor gets the seat at once, even while the lost connection still
            # exists. Of several visits at once, the last one gets the seat.
            at_once = [the_door.admit("key-adaadaada", "Ada", "fr_FR.UTF-8") for _ in range(3)]
            *gone, last = await asyncio.gather(*at_once)
            assert [each.visitor.ended.done() for each in (ada, *gone)] == [True] * 3
            assert await ada.visitor.read() == b""
            await last.until("toi, hôte")

    visit(come)


def test_there_is_room_for_so_many_and_so_many_of_a_network(
    tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come(visitors: Visitors) -> None:
        monkeypatch.setattr(visitors, "_limits", VisitorLimits(visitors=3, from_one_network=2))
        async with door(tmp_path, visitors) as the_door:
            one = await the_door.admit("key-11111111", "One", network="net")
            await the_door.admit("key-22222222", "Two", network="net")
            with pytest.raises(RefusedError):
                await the_door.admit("key-33333333", "Three", network="net")
            await the_door.admit("key-33333333", "Three", network="other")
            with pytest.raises(RefusedError):
                await the_door.admit("key-44444444", "Four")
            one.visitor.hang_up()
            await one.visitor.ended
            await the_door.admit("key-44444444", "Four")
            with pytest.raises(AssertionError):
                await the_door.admit("../../etc", "Five")

    visit(come)


async def test_where_nothing_may_be_forked_a_process_of_its_own_does_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(visitor_spawner, "FORKS", False)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_OF_THE_HOST)
    visitors = Visitors(tmp_path, tmp_path, TABLE_VISITORS)
    async with door(tmp_path, visitors) as the_door:
        ada = await the_door.admit("key-adaadaada", "Ada", "pl_PL.UTF-8")
        await ada.until("Poczekalnia")
        started_by = visitors._process.pid
        (app,) = Path(f"/proc/{started_by}/task/{started_by}/children").read_text().split()
        assert SECRET_OF_THE_HOST.encode() not in Path(f"/proc/{app}/environ").read_bytes()
        # A hang-up makes the kernel send a signal to the app.
        ada.visitor.hang_up()
        async with asyncio.timeout(PATIENCE_S):
            await ada.visitor.ended
    await visitors.close()


def test_where_no_table_is_the_visit_ends_with_a_sentence(tmp_path: Path, visit: Visit) -> None:
    async def come(visitors: Visitors) -> None:
        async with door(tmp_path, visitors) as the_door:
            (tmp_path / "table").unlink()
            ada = await the_door.admit("key-adaadaada", "Ada")
            said = b""
            async with asyncio.timeout(PATIENCE_S):
                while drawn := await ada.visitor.read():
                    said += drawn
                assert await ada.visitor.ended == 2
            assert b"No table is open" in said
            assert b"Traceback" not in said

    visit(come)


def test_nothing_but_lines_is_told_to_who_wants_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("netcode")
    monkeypatch.setattr(log, "handlers", [])
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr("sys.stdin", StringIO())

    async def play(*_: object) -> str:
        logging.getLogger("netcode.client").warning("not for players")
        return ""

    monkeypatch.setattr(line_shell, "play_lines", play)
    visitor_app.run_lines("Ada", tmp_path / "table", SECRET)
    assert capsys.readouterr() == ("", "")


async def test_without_the_process_that_starts_apps_nobody_stays_and_that_is_told(
    tmp_path: Path,
) -> None:
    lost = asyncio.Event()
    visitors = Visitors(tmp_path, tmp_path, TABLE_VISITORS, lost.set)
    one = await Door(tmp_path, visitors).admit("key-11111111", "One")
    visitors._process.kill()
    async with asyncio.timeout(PATIENCE_S):
        await lost.wait()
        assert await one.visitor.ended == 1
    assert await one.visitor.read() == b""
    assert not visitors
    with pytest.raises(RefusedError):
        await Door(tmp_path, visitors).admit("key-22222222", "Two")
    await visitors.close()


def test_an_app_has_bounds_whatever_its_visitor_does(tmp_path: Path, visit: Visit) -> None:
    async def come(visitors: Visitors) -> None:
        async with door(tmp_path, visitors) as the_door:
            ada = await the_door.admit("key-adaadaada", "Ada")
            await ada.until("Ada")
            # Bytes in another encoding are ignored, and the next key is handled.
            await ada.visitor.write(b"\xe9\xff\xc3?")
            await ada.until("Keys")
            # A terminal's answer may look like a size.
            await ada.visitor.write(b"\x1b[?2048;1$y\x1b[48;60000;60000;0;0t\x1b[48;20;60;0;0t")
            ada.raw = b""
            async with asyncio.timeout(PATIENCE_S):
                while b"\x1b[20;" not in ada.raw:
                    ada.raw += await ada.visitor.read()
            for size, shown in (((0, 0), (1, 1)), ((65_535, 65_535), LARGEST)):
                ada.visitor.resize(size)
                async with asyncio.timeout(PATIENCE_S):
                    await ada.read_until_size(shown[::-1])
            started_by = the_door.visitors._process.pid
            (app,) = Path(f"/proc/{started_by}/task/{started_by}/children").read_text().split()
            limits = Path(f"/proc/{app}/limits").read_text()
            assert re.search(rf"Max data size +{MEMORY_BYTES} +{MEMORY_BYTES} ", limits)
            assert re.search(r"Max core file size +0 +0 ", limits)
            for process in (started_by, app):
                surroundings = Path(f"/proc/{process}/environ").read_bytes()
                assert SECRET_OF_THE_HOST.encode() not in surroundings

    visit(come)


async def test_an_app_ignores_a_size_above_its_limit_in_either_direction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SmallApp(visitor_app.VisitorApp):
        largest = Size(80, 24)

    seen = list[Event]()

    async def receive(_app: object, event: Event) -> None:
        seen.append(event)

    monkeypatch.setattr(DriflammeApp, "on_event", receive)
    app = SmallApp.__new__(SmallApp)
    sizes = [Size(*each) for each in ((80, 24), (1, 1), (81, 24), (80, 25), (81, 25))]
    events: list[Event] = [Key("a", "a"), *(Resize(size, size) for size in sizes)]
    for event in events:
        await app.on_event(event)
    assert seen == events[:3]


class Typing:
    """A visitor with an idle terminal, and a clock that moves only while the test waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.waited = 0.0
        self.received = b""
        monkeypatch.setattr(visitors, "time", SimpleNamespace(monotonic=lambda: self.now))
        self._sleep_really = asyncio.sleep
        monkeypatch.setattr(asyncio, "sleep", self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waited += seconds
        self.now += seconds

    @asynccontextmanager
    async def visitor(self) -> AsyncIterator[Visitor]:
        ours, self.theirs = os.openpty()
        tty.setraw(self.theirs)
        os.set_blocking(ours, False)
        loop = asyncio.get_running_loop()
        loop.add_reader(self.theirs, self._read)
        visitor = Visitor(ours, Guest("key-12345678", "Ada", SECRET))
        try:
            yield visitor
        finally:
            loop.remove_reader(self.theirs)
            visitor.hang_up()
            os.close(self.theirs)

    def _read(self) -> None:
        self.received += os.read(self.theirs, 65_536)

    async def wait_for_bytes(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.received) < number:
                await self._sleep_really(0)


async def test_what_is_typed_is_passed_on_as_fast_as_hands_are_and_a_paste_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = Typing(monkeypatch)
    async with at.visitor() as visitor:
        # A mouse that moves for a minute causes no delay.
        for each in range(60 * 60):
            await visitor.write(b"\x1b[<35;%d;10M" % (each % 80))
            at.now += 1 / 60
        assert at.waited == 0
        at.now += 100
        moves = b"".join(b"\x1b[<35;%d;10M" % column for column in range(200))
        await visitor.write(moves + PASTE + b"x" * 8000 + PASTED)
        assert at.waited == 0
        await visitor.write(b"x" * 1200)
        assert 10 < at.waited < 20
        # Markers of a paste alone change no limit.
        before, at.now = at.waited, at.now + 100
        await visitor.write((PASTE + PASTED + b"x") * 1000)
        assert at.waited > before + 20
        await at.wait_for_bytes(len(moves) + 8012 + 1200 + 13_000)


async def test_who_waits_no_longer_for_a_terminal_is_not_called_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Typing(monkeypatch).visitor() as visitor:
        reading = asyncio.create_task(visitor.read())
        await asyncio.wait([reading], timeout=0)
        reading.cancel()
        await asyncio.wait([reading])
        terminal = visitor._terminal
        assert terminal is not None
        assert not asyncio.get_running_loop().remove_reader(terminal)
        assert not visitor._waiting


@pytest.mark.parametrize("length", [1, 5, 7, 100, 65_536])
async def test_a_paste_that_does_not_end_is_ended(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 4 * PIECE_BYTES
    monkeypatch.setattr(visitors, "LONGEST_PASTE", longest)
    at = Typing(monkeypatch)
    async with at.visitor() as visitor:
        text = b"abc" + (PASTE + b"x" * 30) * (longest // 12)
        for start in range(0, len(text), length):
            await visitor.write(text[start : start + length])
        await at.wait_for_bytes(len(text) + 6)
    first, *rest = at.received.split(PASTED)
    assert longest <= len(first) <= longest + 2 * PIECE_BYTES
    assert all(len(each) <= longest + 2 * PIECE_BYTES for each in rest)
    assert at.received.replace(PASTED, b"") == text


def test_sizes_are_gathered_until_the_screen_is_read_and_the_budget_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        at = Typing(monkeypatch)
        async with at.visitor() as visitor:
            loop = asyncio.get_running_loop()
            later: list[tuple[float, Callable[[], None]]] = []
            sizes: list[tuple[int, int]] = []
            monkeypatch.setattr(visitors, "_resize", lambda _terminal, size: sizes.append(size))

            def call_later(wait: float, call: Callable[[], None]) -> Mock:
                later.append((wait, call))
                return Mock()

            monkeypatch.setattr(loop, "call_later", call_later)
            for columns in range(80, 90):
                visitor.resize((columns, 24))
            assert sizes == []
            reading = asyncio.create_task(visitor.read())
            await at._sleep_really(0)
            assert sizes == [(89, 24)]
            for _ in range(20):
                visitor.resize((500, 200))
                visitor.resize((499, 200))
            assert len(sizes) < 4
            for wait, call in later:
                at.now += wait
                call()
            assert 5 < at.now < 20
            assert len(sizes) < 5
            assert sizes[-1] == (499, 200)
            # A client that behaves like no browser is disconnected.
            for _ in range(2000):
                visitor.resize((80, 24))
            assert visitor.is_hung_up
            assert await reading == b""

    asyncio.run(run())
