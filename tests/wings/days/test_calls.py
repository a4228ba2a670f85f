"""Tests the calls of a host: one command at a time, without a shell, and with private arguments."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from driflamme_tui.cli.opening_options import Opening
from driflamme_tui.hosting.parts import OpenPlace
from driflamme_tui.preferences.remembered import state_path
from driflamme_tui.wings.days import calls
from driflamme_tui.wings.days.call_options import CallOptions
from driflamme_tui.wings.days.calls import MAXIMUM_AT_ONCE, Calls, arguments_of, parse_command
from engine.texts import ExplainedError
from netcode.server.table_registry import TableEntry
from netcode.table.parts import stored_notes
from netcode.table.snapshot import TableAccess
from netcode.wings.days.day_record import CALL_AFTER_S
from netcode.wings.days.messages import SetCall
from netcode.wings.days.table_parts import CallForgotten, CallReport
from tests.wings.days.calling_tables import Calling, begun

NAMES = ("anna", "bert")
TRY_IT = " Try it by hand with three arguments and DRIFLAMME_ADDRESS set."
"""The advice at the end of the notice that the command for calls has failed."""


def call_of(name: str = "anna", question_at: int = 1000) -> CallReport:
    return CallReport(name, "@anna:example.org", 23, NAMES, question_at)


WRITE = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    file.write(json.dumps([*sys.argv[2:], os.environ["DRIFLAMME_ADDRESS"]]) + chr(10))
"""
"""A program that writes its arguments and the address into a file."""


def entry(number: int = 7) -> TableEntry:
    return TableEntry(number, TableAccess(bytes(12), "K7QF2MXR"), None)


def program(folder: Path, text: str) -> str:
    """Return the command line of a program with this text."""
    path = folder / "program.py"
    path.write_text(text, "utf-8")
    return f"{json.dumps(sys.executable)} {json.dumps(str(path))}"


@asynccontextmanager
async def calling(command: str, notices: list[str]) -> AsyncIterator[Calls]:
    part = Calls(command)
    await part.open(OpenPlace(notify=notices.append))
    try:
        yield part
    finally:
        await part.close()


def report(
    part: Calls, value: object, number: int = 7, done: Callable[[], object] = lambda: None
) -> None:
    part.receive_report(entry(number), value, done)


async def all_made(part: Calls) -> None:
    await asyncio.gather(*part._tasks)


async def test_a_call_runs_the_command_with_name_table_hours_and_address(tmp_path: Path) -> None:
    made = tmp_path / "calls"
    notices: list[str] = []
    async with calling(f"{program(tmp_path, WRITE)} {made} 'two words'", notices) as part:
        report(part, call_of())
        await all_made(part)
    (line,) = made.read_text("utf-8").splitlines()
    assert json.loads(line) == ["two words", "anna", "K7Q: anna, bert", "23", "@anna:example.org"]
    assert notices == []


async def test_no_argument_reveals_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[bytes]] = []
    addresses: list[str] = []

    async def start(command: list[bytes], address: str, _mark: Path) -> PretendedCommand:
        commands.append(command)
        addresses.append(address)
        return PretendedCommand()

    monkeypatch.setattr(calls, "start", start)
    async with calling(json.dumps(sys.executable), []) as part:
        report(part, call_of())
        await all_made(part)
    ((_program, *arguments),) = commands
    assert [each for each in arguments if b"example.org" in each] == []
    assert addresses == ["@anna:example.org"]


def test_no_example_of_the_guide_gives_the_address_to_another_program_as_an_argument() -> None:
    page = Path(calls.__file__).with_name("prose") / "calls.md"
    lines = page.read_text("utf-8").splitlines()
    found = [line.strip() for line in lines if "$DRIFLAMME_ADDRESS" in line]
    assert found
    # `case` and `printf` are parts of the shell, so their arguments are in no list of processes.
    shell = ("case ", "printf ")
    assert [line for line in found if not line.startswith(shell)] == []


async def test_what_players_type_reaches_no_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    made = tmp_path / "calls"
    wild = CallReport("$(touch x)", "a;touch y `touch z`", 0, ("$(touch x)", "|sh", "--help"), 9)
    async with calling(f"{program(tmp_path, WRITE)} {made}", []) as part:
        report(part, wild)
        await all_made(part)
    (line,) = made.read_text("utf-8").splitlines()
    name, *_others, address = json.loads(line)
    assert (name, address) == ("touch x)", "a;touch y `touch z`")
    assert [*here.iterdir()] == []


def test_no_argument_can_be_taken_for_an_option() -> None:
    for name in ("-rf", "--help", "- a", "@b"):
        arguments = arguments_of(CallReport(name, "x", 5, (name, "-o"), 9), "K7Q")
        assert all(each[0].isalnum() for each in arguments)


async def test_calls_of_one_table_wait_for_each_other(tmp_path: Path) -> None:
    text = """
import os, sys
os.mkdir(sys.argv[1])  # Fails if another call runs.
with open(sys.argv[1] + ".calls", "a") as file:
    file.write(sys.argv[2] + " ")
os.rmdir(sys.argv[1])
"""
    notices: list[str] = []
    async with calling(f"{program(tmp_path, text)} {tmp_path / 'busy'}", notices) as part:
        for question_at, name in enumerate(("anna", "bert", "cleo")):
            report(part, call_of(name, question_at))
        await all_made(part)
    assert (tmp_path / "busy.calls").read_text("utf-8") == "anna bert cleo "
    assert notices == []


async def test_a_flood_of_calls_keeps_only_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    gate = asyncio.Event()

    async def start(command: list[bytes], _address: str, _mark: Path) -> PretendedCommand:
        await gate.wait()
        ran.append(command[1].decode())
        return PretendedCommand()

    monkeypatch.setattr(calls, "start", start)
    async with calling(json.dumps(sys.executable), []) as part:
        for number in range(20):
            report(part, call_of(f"n{number}", number))
            if number == 0:
                await asyncio.sleep(0)
        for table in range(10):
            report(part, call_of(f"t{table}"), table + 100)
        gate.set()
        await all_made(part)
    assert [each for each in ran if each[0] == "n"] == ["n0", *(f"n{n}" for n in range(15, 20))]
    assert len(ran) == 16


@pytest.mark.parametrize("sleeps", [False, True])
@pytest.mark.parametrize("way", ["stays away", "comes", "comes and goes", "answers and goes"])
async def test_a_queued_call_is_checked_again_before_it_starts(
    way: str, sleeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Calling()
    network.confirms = False
    network.execute(network.table.open(TableAccess(bytes(12), "K7QF2MXR")))
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[1].drop()
    guests[0].act_somehow()
    network.wait(CALL_AFTER_S)
    (reported,) = network.calls
    ran: list[str] = []
    gate = asyncio.Event()

    async def start(_command: list[bytes], address: str, _mark: Path) -> PretendedCommand:
        ran.append(address)
        await gate.wait()
        return PretendedCommand()

    monkeypatch.setattr(calls, "start", start)
    table = TableEntry(7, TableAccess(bytes(12), "K7QF2MXR"), network.table)
    async with calling(json.dumps(sys.executable), []) as part:
        # The commands of other tables take all places.
        for number in range(MAXIMUM_AT_ONCE):
            report(part, call_of(), number)
        await asyncio.sleep(0)
        part.receive_report(table, reported, lambda: None)
        await asyncio.sleep(0)
        network.wait(10)
        if way != "stays away":
            guests[1].come_back()
        if way == "answers and goes":
            guests[1].act_somehow()
        if way in ("comes and goes", "answers and goes"):
            network.wait(10)
            guests[1].drop()
        if sleeps and way != "comes":
            assert network.table.kept is not None
            table.notes, table.table = stored_notes(network.table.kept), None
        gate.set()
        await all_made(part)
    assert ran[MAXIMUM_AT_ONCE:] == (["b@example.org"] if way == "stays away" else [])


class PretendedCommand:
    """A command that has ended at once."""

    async def wait(self) -> int:
        return 0

    def kill(self) -> None:
        pass


HOLD = """
import os, socket, sys
held = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
held.sendall(f"{os.getpid()}{chr(10)}".encode())
held.recv(1)
"""
"""A program that sends its process number to a port, and runs until the connection ends."""

START = f"""
import subprocess, sys
started = subprocess.Popen([sys.executable, "-c", {HOLD!r}, sys.argv[1]])
{HOLD}"""
"""A program that starts another one; both run until their connections end."""


class Programs:
    """Programs that are connected to a port: a command, and the program that it has started."""

    def __init__(self) -> None:
        self.readers = asyncio.Queue[asyncio.StreamReader]()
        self.writers: list[asyncio.StreamWriter] = []

    def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        self.readers.put_nowait(reader)

    async def running(self) -> dict[int, asyncio.StreamReader]:
        """Return both programs, by number, as soon as both run."""
        readers = [await self.readers.get() for _ in range(2)]
        return {int(await each.readline()): each for each in readers}


@asynccontextmanager
async def programs() -> AsyncIterator[tuple[Programs, int]]:
    """Yield the programs that connect to a port, and the port; at the end, end all of them."""
    met = Programs()
    server = await asyncio.start_server(met.meet, "127.0.0.1", 0)
    try:
        yield met, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for each in met.writers:
            each.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows kills the command alone")
@pytest.mark.parametrize("way", ["out of time", "closed"])
async def test_a_killed_command_and_the_programs_it_started_are_dead(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[asyncio.Timeout] = []
    guard = asyncio.timeout(60)

    def unlimited(seconds: float) -> asyncio.Timeout:
        limits.append(asyncio.timeout_at(None))
        return limits[-1]

    monkeypatch.setattr(asyncio, "timeout", unlimited)
    notices: list[str] = []
    async with guard, programs() as (met, port):
        async with calling(f"{program(tmp_path, START)} {port}", notices) as part:
            report(part, call_of())
            running = await met.running()
            (limit,) = limits
            if way == "out of time":
                limit.reschedule(0)
                await all_made(part)
        # A program's connection ends when the program ends.
        assert [await each.read() for each in running.values()] == [b"", b""]
    assert part._waiting == {}
    sentence = "The command for calls has failed: it took more than 30 s." + TRY_IT
    assert notices == ([sentence] if way == "out of time" else [])


FAR = CallReport("Łódź", "@łódź:example.org", 1, ("Łódź",), 9)

CALL = """
import asyncio, sys
from driflamme_tui.wings.days.calls import Calls
from tests.wings.days.test_calls import FAR, all_made, report

async def call():
    calls = Calls(sys.argv[1])
    report(calls, FAR)
    await all_made(calls)

asyncio.run(call())
"""
"""A program that calls a player."""


def test_names_reach_the_command_in_utf_8_in_every_locale(tmp_path: Path) -> None:
    text = """
import os, sys
with open(sys.argv[1], "wb") as file:
    file.write(b" ".join([*map(os.fsencode, sys.argv[2:]), os.environb[b"DRIFLAMME_ADDRESS"]]))
"""
    made = tmp_path / "calls"
    command = f"{program(tmp_path, text)} {json.dumps(str(made))}"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    subprocess.run([sys.executable, "-c", CALL, command], check=True, env={**os.environ, **plain})
    assert made.read_text("utf-8") == "Łódź K7Q: Łódź 1 @łódź:example.org"


async def test_a_call_that_fails_in_any_way_does_not_stop_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[bytes] = []

    async def start(command: list[bytes], _address: str, _mark: Path) -> PretendedCommand:
        ran.append(command[1])
        raise ValueError

    monkeypatch.setattr(calls, "start", start)
    notices: list[str] = []
    async with calling(json.dumps(sys.executable), notices) as part:
        for question_at, name in enumerate(NAMES):
            report(part, call_of(name, question_at))
        await all_made(part)
    assert ran == [b"anna", b"bert"]
    assert notices == [
        "The command for calls has failed: it cannot be started: ValueError." + TRY_IT
    ]


async def test_a_failure_is_told_once_and_names_no_player(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    notices: list[str] = []
    with caplog.at_level(logging.DEBUG):
        async with calling(program(tmp_path, "raise SystemExit(3)"), notices) as part:
            for question_at in range(2):
                report(part, call_of(question_at=question_at))
            await all_made(part)
    assert notices == ["The command for calls has failed: it ended with status 3." + TRY_IT]
    assert "anna" not in caplog.text + "".join(notices)
    assert caplog.text.count("status 3") == 2


# At most once


async def test_a_call_that_is_reported_again_is_made_once_until_it_is_forgotten(
    tmp_path: Path,
) -> None:
    made = tmp_path / "calls"
    done: list[str] = []
    command = f"{program(tmp_path, WRITE)} {made}"
    # A program reports a call again if the earlier one was killed before the table knew of it.
    for number in range(3):
        async with calling(command, []) as part:
            report(part, call_of(), done=lambda number=number: done.append(f"program {number}"))  # type: ignore[misc]
            await all_made(part)
    assert len(made.read_text("utf-8").splitlines()) == 1
    assert done == ["program 0", "program 1", "program 2"]
    (mark,) = state_path("calls").iterdir()
    async with calling(command, []) as part:
        report(part, CallForgotten(1000))
        assert not mark.exists()
        report(part, CallForgotten(1000))
        report(part, call_of(question_at=2000))
        report(part, call_of(), number=8)
        await all_made(part)
    assert len(made.read_text("utf-8").splitlines()) == 3


async def test_a_call_that_was_never_started_is_not_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    async def start(command: list[bytes], _address: str, _mark: Path) -> PretendedCommand:
        await asyncio.Event().wait()
        return PretendedCommand()

    monkeypatch.setattr(calls, "start", start)
    async with calling(json.dumps(sys.executable), []) as part:
        for question_at, name in enumerate(NAMES):
            report(part, call_of(name, question_at), done=lambda: done.append("done"))
        await asyncio.sleep(0)
    assert done == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot create the mark in the command")
async def test_a_command_that_cannot_start_is_confirmed_and_not_tried_again(
    tmp_path: Path,
) -> None:
    gone = tmp_path / "gone"
    gone.write_text("#!/bin/sh\n", "utf-8")
    gone.chmod(0o700)
    notices: list[str] = []
    done: list[str] = []
    async with calling(str(gone), notices) as part:
        gone.unlink()
        for _ in range(2):
            report(part, call_of(), done=lambda: done.append("done"))
        await all_made(part)
    assert done == ["done", "done"]
    assert notices == [
        "The command for calls has failed: it cannot be started: No such file or directory."
        + TRY_IT
    ]


async def test_without_a_place_for_marks_players_are_called_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = tmp_path / "calls"
    marks = state_path("calls")
    marks.parent.mkdir(parents=True, exist_ok=True)
    marks.write_text("", "utf-8")
    async with calling(f"{program(tmp_path, WRITE)} {made}", []) as part:
        report(part, call_of())
        report(part, CallForgotten(1000))
        await all_made(part)
    assert len(made.read_text("utf-8").splitlines()) == 1
    assert "calls may be repeated after a crash" in caplog.text


async def test_marks_of_tables_that_are_gone_are_removed(tmp_path: Path) -> None:
    marks = state_path("calls")
    marks.mkdir(parents=True, mode=0o700)
    for name in ("7-1000", "7-2000"):
        (marks / name).touch()
    os.utime(marks / "7-1000", (0, 0))
    async with calling(json.dumps(sys.executable), []):
        assert [each.name for each in marks.iterdir()] == ["7-2000"]


def test_other_reports_are_ignored() -> None:
    report(Calls(json.dumps(sys.executable)), "no call")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "Type a command"),
        ("'", "quotation mark"),
        ("no-such-program-here --now", "There is no program 'no-such-program-here' for calls"),
    ],
)
def test_an_impossible_command_is_refused_with_a_sentence(command: str, why: str) -> None:
    with pytest.raises(ExplainedError, match=why):
        parse_command(command)


def test_the_option_adds_the_part_with_its_command() -> None:
    opening = Opening(parts={})
    command = json.dumps(sys.executable)
    options = CallOptions()
    options.call = command
    options.add_to(opening)
    assert opening.parts == {"days": command}
    assert Calls(command).saved_record() == command
