"""Tests the SSH door: admission, returning visitors, and that visitors reach only the game."""

import asyncio
import fcntl
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import asyncssh
import pytest
from msgspec.structs import fields, replace

from driflamme_tui.hosting import open_table
from driflamme_tui.hosting.host_plans import LOOPBACK, Host
from driflamme_tui.seat.seat_keys import FILE, seat_at
from driflamme_tui.wings.doors import asyncssh_internals, door_codes, open_doors, ssh_door
from driflamme_tui.wings.doors.door_codes import NEW_VISITORS, DoorCodes
from driflamme_tui.wings.doors.door_limits import BESIDE_A_DOOR
from driflamme_tui.wings.doors.door_target import DOOR
from driflamme_tui.wings.doors.open_doors import DoorError, Doors, Order
from driflamme_tui.wings.doors.ssh_door import GIVE_BACK, SshDoor
from driflamme_tui.wings.doors.visitor_spawner import Terminal
from driflamme_tui.wings.doors.visitors import RefusedError, Visitor, Visitors
from netcode.joining.invitation import Invitation
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import Location, TableAccess
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.sockets import open_unix
from tests.support.dates import unix_time
from tests.wings.doors.conftest import PATIENCE_S, Visit
from tests.wings.doors.pretended import PretendedVisitor
from tests.wings.doors.test_visitors import Looking

SECRET, CODE = b"s" * 12, "K7QF2MXR"
NO_VISITORS: Any = None
"""The visitors of a door that admits nobody to a screen."""


def order(folder: Path) -> Order:
    return Order(
        table=str(folder / "table"),
        secret=SECRET,
        code=CODE,
        bind="127.0.0.1",
        doors=Doors(0),
        folder=str(folder),
        language="en",
    )


class Door:
    def __init__(self, door: SshDoor, port: int) -> None:
        self.door = door
        self.port = port

    async def connect(self, name: str = "Ada", **options: Any) -> asyncssh.SSHClientConnection:
        return await asyncssh.connect(
            "127.0.0.1",
            self.port,
            username=name,
            known_hosts=None,
            config=[],
            agent_path=None,
            **{"client_keys": None, **options},
        )


@asynccontextmanager
async def door(
    folder: Path, visitors: Visitors = NO_VISITORS, *, club: bool = False
) -> AsyncIterator[Door]:
    listening = socket.create_server(("127.0.0.1", 0))
    codes = DoorCodes(replace(order(folder), code="" if club else CODE))
    if visitors is not NO_VISITORS:
        visitors.folder, visitors.table = codes.folder, codes.table
    opened = SshDoor(codes, visitors)
    await opened.open([listening], folder)
    try:
        yield Door(opened, listening.getsockname()[1])
    finally:
        await opened.close()


class AnsweringClient(asyncssh.SSHClient):
    """Answers the door's questions, and records its texts."""

    def __init__(self, *codes: str) -> None:
        self.codes = list(codes)
        self.output = ""

    def auth_banner_received(self, msg: str, lang: str) -> None:
        self.output += msg

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Sequence[tuple[str, bool]]
    ) -> list[str] | None:
        self.output += instructions + "".join(prompt for prompt, _echo in prompts)
        return [self.codes.pop(0)] if prompts and self.codes else None


class Screen(Looking):
    """The screen of a visitor's `ssh`."""

    def __init__(self, process: "asyncssh.SSHClientProcess[bytes]") -> None:
        super().__init__(partial(process.stdout.read, 65_536))
        self.process = process

    @classmethod
    async def open(cls, connection: asyncssh.SSHClientConnection, **env: str) -> "Screen":
        process = await connection.create_process(
            term_type="xterm-256color",
            term_size=(80, 24),
            encoding=None,
            env=env,
            request_pty="force",
        )
        return cls(process)

    def press(self, keys: bytes) -> None:
        self.process.stdin.write(keys)


def test_who_knows_the_code_sits_down_and_comes_back_by_their_key(
    tmp_path: Path, visit: Visit
) -> None:
    mine, another = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))

    async def evening(visitors: Visitors) -> None:
        table = Table(Random(1), lambda: secrets.token_bytes(32), unix_time=unix_time)
        server = Server(TableRegistry([TableEntry(1, TableAccess(SECRET, CODE), table)]))
        async with door(tmp_path, visitors) as the_door:
            async with server:
                await server.listen([open_unix(tmp_path / "table")])
                visitor = AnsweringClient("AAA-AAAAA", "k7q-f2mxr")
                connection = await the_door.connect(
                    client_keys=[mine], client_factory=lambda: visitor
                )
                assert "The code on the host's screen" in visitor.output
                assert "No table here has this code" in visitor.output
                assert "ssh-keygen" not in visitor.output
                screen = await Screen.open(connection, LANG="fr_FR.UTF-8", LD_PRELOAD="/x")
                await screen.until("toi, hôte")
                screen.process.change_terminal_size(60, 20)
                screen.raw = b""
                while b"\x1b[20;" not in screen.raw:
                    screen.raw += await screen.process.stdout.read(65_536)
                connection.abort()
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(each.ended for each in visitors._present.values()))
                # The key brings its visitor back to the seat, without the code.
                connection = await the_door.connect(client_keys=[mine])
                screen = await Screen.open(connection, LANG="fr_FR.UTF-8")
                await screen.until("toi, hôte")
                # Another key is another visitor, with any name.
                visitor = AnsweringClient(CODE)
                stranger = await the_door.connect(
                    client_keys=[another], client_factory=lambda: visitor
                )
                theirs = await Screen.open(stranger)
                await theirs.until("The name Ada is already taken here")
                theirs.press(b"Eve\r")
                await theirs.until("Eve")
                # When the host's side closes the terminal, the app ends.
                list(visitors._present.values())[-1].hang_up()
                async with asyncio.timeout(PATIENCE_S):
                    assert (await theirs.process.stdout.read()).endswith(GIVE_BACK)
                # A password admits too, and stores nothing on this machine.
                once = await the_door.connect("Bob", password=CODE)
                third = await Screen.open(once, LANG="pl_PL.UTF-8")
                await third.until("Poczekalnia")
                here = [each.name for each in (tmp_path / "visitors").iterdir()]
                assert len([each for each in here if each.startswith("key-")]) == 2
            # A closing table notifies its visitors.
            async with asyncio.timeout(PATIENCE_S):
                output = (await third.process.stdout.read()).decode()
                assert (await third.process.wait()).exit_status == 2
            assert "Gospodarz" in output

    visit(evening)


async def test_there_is_a_shell_with_a_terminal_and_nothing_else(tmp_path: Path) -> None:
    async with door(tmp_path) as the_door:
        connection = await the_door.connect(password=CODE)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process("id")
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process("id", request_pty="force")
        again = await the_door.connect(password=CODE)
        with pytest.raises(asyncssh.ChannelOpenError):
            await again.start_sftp_client()
        for given in (asyncssh.PIPE, asyncssh.DEVNULL):
            again = await the_door.connect(password=CODE)
            without = await again.run(stdin=given)
            assert (without.exit_status, without.stderr) == (
                2,
                "This needs a terminal: connect with ssh -t.\r\n",
            )
        again = await the_door.connect(password=CODE)
        with pytest.raises(asyncssh.ChannelOpenError):
            await again.open_connection("127.0.0.1", the_door.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await again.forward_remote_port("", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.ChannelListenError):
            await again.forward_remote_path(str(tmp_path / "x"), str(tmp_path / "y"))
        with pytest.raises(asyncssh.ChannelOpenError):
            await again.open_unix_connection(str(tmp_path / "table"))


def test_the_end_of_input_ends_a_player_by_lines_after_the_last_line_and_a_screen_at_once(
    tmp_path: Path, visit: Visit
) -> None:
    async def evening(visitors: Visitors) -> None:
        table = Table(Random(1), lambda: secrets.token_bytes(32), unix_time=unix_time)
        server = Server(TableRegistry([TableEntry(1, TableAccess(SECRET, CODE), table)]))
        async with door(tmp_path, visitors) as the_door, server:
            await server.listen([open_unix(tmp_path / "table")])
            for name, given in {"Ada": "?A", "Bob": "?A\n"}.items():
                connection = await the_door.connect(f"plain-{name}", password=CODE)
                lines = await connection.run(input=given, timeout=PATIENCE_S)
                assert "Archer: " in str(lines.stdout)
                # A terminal of lines has shown what is typed, and nothing shows it again.
                assert "?A" not in str(lines.stdout)
                assert lines.exit_status == 0
            connection = await the_door.connect("plain-Cleo", password=CODE)
            nothing = await connection.run(stdin=asyncssh.DEVNULL, timeout=PATIENCE_S)
            assert nothing.exit_status == 0
            screen = await Screen.open(await the_door.connect("Dora", password=CODE))
            await screen.until("Lobby")
            screen.process.stdin.write_eof()
            async with asyncio.timeout(PATIENCE_S):
                left = await screen.process.stdout.read()
                await screen.process.wait()
            assert GIVE_BACK in screen.raw + left

    visit(evening)


class EndedVisitor(PretendedVisitor):
    """A visitor whose app has drawn one word, and has ended."""

    def __init__(self, status: int, *, hung_up: bool) -> None:
        super().__init__(Terminal(), (80, 24))
        self.ended = asyncio.get_running_loop().create_future()
        self.ended.set_result(status)
        self._hung_up = hung_up
        for drawn in (b"drawn", b""):
            self.written.put_nowait(drawn)

    @property
    def is_hung_up(self) -> bool:
        return self._hung_up


@pytest.mark.parametrize(
    ("name", "status", "hung_up", "restored"),
    [
        ("Ada", 0, False, False),
        ("Ada", 2, False, False),
        ("Ada", -9, False, True),
        ("Ada", 0, True, True),
        ("plain-Ada", -9, True, False),
    ],
)
async def test_the_door_restores_a_terminal_that_an_app_could_not_restore(
    name: str, status: int, hung_up: bool, restored: bool, tmp_path: Path
) -> None:
    async def admit(*_: object) -> Visitor:
        return EndedVisitor(status, hung_up=hung_up)

    visitors: Any = SimpleNamespace(admit=admit)
    async with door(tmp_path, visitors) as the_door:
        connection = await the_door.connect(name, password=CODE)
        screen = await connection.run(request_pty="force", encoding=None, timeout=PATIENCE_S)
        assert screen.stdout == b"drawn" + GIVE_BACK * restored
        assert screen.exit_status == status % 256


async def test_wrong_codes_are_few_and_slow(tmp_path: Path) -> None:
    async with door(tmp_path) as the_door:
        sentence = ""
        for _ in range(5):
            visitor = AnsweringClient("AAA-AAAAA", "nothing", "", "", "")
            with pytest.raises(asyncssh.PermissionDenied):
                await the_door.connect(client_factory=lambda visitor=visitor: visitor)
            assert len(visitor.codes) == 2
            sentence += visitor.output
        assert "Too many wrong codes were tried" in sentence
        # From that network, even the right code is refused now.
        with pytest.raises(asyncssh.PermissionDenied):
            await the_door.connect(password=CODE)


async def test_a_name_that_nobody_can_have_is_refused_with_a_sentence(tmp_path: Path) -> None:
    async with door(tmp_path) as the_door:
        for name in ("x" * 21, "plain-" + "x" * 21):
            visitor = AnsweringClient(CODE)
            with pytest.raises(asyncssh.PermissionDenied):
                await the_door.connect(name, client_factory=lambda visitor=visitor: visitor)
            assert "Write it before the @" in visitor.output
        # Who plays line by line may be asked for a name later.
        await the_door.connect("plain", password=CODE)


def test_a_code_is_right_however_it_is_typed_and_so_is_the_invitation(tmp_path: Path) -> None:
    codes = DoorCodes(order(tmp_path))
    link = str(Invitation((Address("192.0.2.1"),), b"p" * 16, SECRET))
    for said in ("K7Q-F2MXR", " k7qf2mxr ", link, link.rpartition("/")[2]):
        codes.check(said, "net", 0.0)
    for at, said in enumerate(
        ("K7Q-F2MXS", "", str(Invitation((Address("a"),), b"p" * 16, b"t" * 12)))
    ):
        with pytest.raises(RefusedError):
            codes.check(said, "net", 1000.0 * at)
    codes.remember("key-12345678", "net", 0.0, 0.0)
    assert codes.remembers("key-12345678", "Ada")
    assert not codes.remembers("key-87654321", "Ada")
    renewed = replace(order(tmp_path), secret=b"t" * 12, code="ABCDEFGH", former=(SECRET,))
    codes.renew(renewed)
    assert not codes.remembers("key-12345678", "Ada"), "who watched is to be invited anew"
    seats = codes.folder / "key-12345678" / "state" / "driflamme" / FILE
    seats.parent.mkdir(parents=True)
    seats.write_text(json.dumps({f"Ada @ {seat_at(DOOR, SECRET)}": "00" * 32}))
    assert codes.remembers("key-12345678", "Ada")
    assert not codes.remembers("key-12345678", "Berta"), "the seat is another's"
    assert codes.guest("key-12345678", "Ada", "").secret == SECRET, "to which the key belongs"
    assert codes.guest("key-12345678", "Berta", "").secret == renewed.secret
    seats.write_text("{}")
    assert not codes.remembers("key-12345678", "Ada"), "whom the host has sent away"
    with pytest.raises(RefusedError):
        codes.check("K7Q-F2MXR", "net", 10_000.0)
    # A club has no code, and an empty one does not admit.
    codes = DoorCodes(replace(order(tmp_path), code=""))
    for said in ("", "K7Q-F2MXR"):
        with pytest.raises(RefusedError, match="not the invitation of this club"):
            codes.check(said, "net", 20_000.0)


async def test_at_a_club_the_door_asks_for_its_invitation(tmp_path: Path) -> None:
    async with door(tmp_path, club=True) as the_door:
        visitor = AnsweringClient("nonsense", str(Invitation((Address("a"),), b"p" * 16, SECRET)))
        await the_door.connect(client_factory=lambda: visitor)
        assert "The invitation of this club:" in visitor.output
        assert "code" not in visitor.output


def test_of_too_many_folders_go_those_of_who_has_not_come_for_longest_and_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_codes, "MOST_FOLDERS", 3)
    codes = DoorCodes(order(tmp_path))
    codes.remember("here", "", 0.0, 0.0)
    # A running app holds the lock on its folder.
    descriptor = os.open(codes.folder / "here", os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    for at, each in enumerate(("regular", "once", "regular", "late"), 1):
        codes.remember(each, "", 0.0, float(at))
    assert sorted(os.listdir(codes.folder)) == ["here", "late", "once", "regular"]
    codes.remember("new", "", 0.0, 10.0)
    assert sorted(os.listdir(codes.folder)) == ["here", "late", "new", "regular"]
    os.close(descriptor)
    codes.remember("new", "", 0.0, 11.0)
    assert sorted(os.listdir(codes.folder)) == ["late", "new", "regular"]


def sit_down(codes: DoorCodes, identity: str, keys: str, date: float) -> None:
    """Admit a visitor, and write the file of keys that their program would leave."""
    codes.remember(identity, "", 0.0, date)
    seats = codes.folder / identity / "state" / "driflamme" / FILE
    seats.parent.mkdir(parents=True)
    seats.write_text(keys)
    os.utime(codes.folder / identity, (date, date))


def test_newcomers_who_never_sit_down_push_out_nobody_who_has_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_codes, "MOST_FOLDERS", 8)
    codes = DoorCodes(order(tmp_path))
    sit_down(codes, "seated", json.dumps({f"Ada @ {seat_at(DOOR, SECRET)}": "00" * 32}), 0.0)
    sit_down(codes, "left", "{}", 1.0)
    for at in range(50):
        codes.remember(f"flood-{at}", "", 0.0, 2.0 + at)
        assert codes.remembers(f"flood-{at}", "Evil"), "who has just come can still sit down"
    assert len(os.listdir(codes.folder)) == 8
    assert codes.remembers("seated", "Ada")
    assert not codes.remembers("left", "Berta")


def test_where_everybody_has_a_seat_newcomers_can_still_sit_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_codes, "MOST_FOLDERS", 4)
    codes = DoorCodes(order(tmp_path))
    for at in range(6):
        keys = json.dumps({f"Ada @ {seat_at(DOOR, SECRET)}": "00" * 32})
        sit_down(codes, f"seated-{at}", keys, float(at))
    for at in (6, 7):
        codes.remember(f"new-{at}", "", 0.0, float(at))
    assert sorted(os.listdir(codes.folder)) == ["new-6", "new-7", "seated-4", "seated-5"]


def test_newcomers_of_one_network_are_counted_and_nobody_who_comes_back_or_from_elsewhere(
    tmp_path: Path,
) -> None:
    codes = DoorCodes(order(tmp_path))
    many = int(NEW_VISITORS.burst)
    for number in range(many):
        codes.remember(f"flood-{number}", "192.0.2.7", 0.0, 0.0)
    for _ in range(2):
        with pytest.raises(RefusedError, match="too many visitors"):
            codes.remember("one-too-many", "192.0.2.7", 0.0, 0.0)
    assert len(os.listdir(codes.folder)) == many
    codes.remember("flood-0", "192.0.2.7", 0.0, 0.0)
    codes.remember("elsewhere", "192.0.2.8", 0.0, 0.0)
    codes.remember("one-too-many", "192.0.2.7", 1 / NEW_VISITORS.per_s, 0.0)


def test_a_door_allows_half_of_the_guesses_of_a_table(tmp_path: Path) -> None:
    codes = DoorCodes(order(tmp_path))
    for _ in range(5):
        with pytest.raises(RefusedError, match="No table here has this code"):
            codes.check("AAA-AAAAA", "net", 0.0)
    with pytest.raises(RefusedError, match="Too many"):
        codes.check("AAA-AAAAA", "net", 0.0)
    # Right codes cost nothing.
    for _ in range(10):
        codes.check(CODE, "another", 0.0)


def test_a_link_lets_in_however_many_have_guessed_and_is_no_guess_itself(tmp_path: Path) -> None:
    codes = DoorCodes(order(tmp_path))
    link, other = (
        str(Invitation((Address("a"),), b"p" * 16, each)) for each in (SECRET, b"t" * 12)
    )
    for number in range(50):
        for said in (other, "AAA-AAAAA"):
            with pytest.raises(RefusedError):
                codes.check(said, f"net{number // 2}", 0.0)
    with pytest.raises(RefusedError, match="Too many"):
        codes.check(CODE, "net0", 0.0)
    codes.check(link, "net0", 0.0)
    codes = DoorCodes(order(tmp_path))
    for _ in range(20):
        with pytest.raises(RefusedError, match="No table here has this code"):
            codes.check(other, "net", 0.0)
    codes.check(CODE, "net", 0.0)


def test_folders_of_visitors_without_a_key_go_when_doors_open_after_a_host_was_killed(
    tmp_path: Path,
) -> None:
    folder = DoorCodes(order(tmp_path)).folder
    for each in ("once-gone", "once-here", "key-12345678"):
        (folder / each).mkdir(parents=True)
    descriptor = os.open(folder / "once-here", os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    DoorCodes(order(tmp_path))
    assert sorted(os.listdir(folder)) == ["key-12345678", "once-here"]
    os.close(descriptor)


def test_and_so_does_the_table_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(*_of_what: object) -> None:
        pass

    async def weight(parts: dict[str, str]) -> int:
        here = Location(LOOPBACK, 0, announced=False)
        table = await open_table.open_table(Host(here, parts), owned=False)
        await table.close()
        return table.entry.guess_weight

    monkeypatch.setattr(open_doors, "open_doors", none)
    assert asyncio.run(weight({"doors": '{"web": 0}'})) == BESIDE_A_DOOR
    assert asyncio.run(weight({})) == 1


async def test_a_key_that_is_shown_and_not_proven_is_nobodys(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519").convert_to_public()

    async with door(tmp_path) as the_door:
        login = ssh_door._Login(the_door.door, "net")
        assert login.validate_public_key("Ada", key)
        assert not login.identity


def test_what_a_door_is_told_has_no_place_for_a_card() -> None:
    of_the_host = {"table", "bind", "doors", "folder", "language", "hosts", "page_outside"}
    assert {each.name for each in fields(Order)} == {"secret", "code", "former"} | of_the_host


def test_asyncssh_has_the_parts_that_are_used_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncssh_internals.INTACT
    monkeypatch.setattr(asyncssh.SSHServerConnection, "pause_writing", lambda self, other: None)
    assert not asyncssh_internals._is_intact()


def test_the_key_of_the_door_is_kept_and_read_by_nobody_else(tmp_path: Path) -> None:
    async def fingerprint() -> str:
        async with door(tmp_path) as the_door:
            return the_door.door.fingerprint

    first = asyncio.run(fingerprint())
    assert first.startswith("SHA256:")
    assert asyncio.run(fingerprint()) == first
    path = tmp_path / ssh_door.FILE
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("nonsense")
    with pytest.raises(DoorError, match="cannot be used"):
        asyncio.run(fingerprint())
