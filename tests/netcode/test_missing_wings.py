"""Tests a program without a wing that meets a program with it: one sentence, and no change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from netcode.protocol.refusal_sentences import SENTENCES
from scripts.lib.wings import WINGS

ROOT = Path(__file__).parents[2]

WITHOUT = """
import asyncio, sys
from importlib import import_module
from random import Random

from scripts.lib.wings import WINGS, block

wing, is_listed = sys.argv[1], sys.argv[2] == "broken"
block([wing] if wing in WINGS else [])
if not is_listed:
    for package in ("netcode", "driflamme_tui"):
        import_module(f"{package}.wings").WINGS.pop(wing, None)

import msgpack
from netcode.protocol.codec import encode
"""
"""Blocks the modules of a wing; the lists of wings lack it, or name the broken module."""

CLIENT = """
from netcode.client.reconnection import stay_connected
from netcode.client.session import Session
from netcode.transport.channel import memory_channel
from tests.netcode.client.test_session import lobby, welcome

async def run(*frames):
    near, far = memory_channel()
    async def connect():
        return near
    for frame in frames:
        far.send(frame)
    session, news = Session(secret=bytes(12)), []
    async with asyncio.timeout(10):
        await stay_connected(connect, session, "Ada", news.append)
    sent = [msgpack.unpackb(await far.receive())["type"] for _ in range(1)]
    print(session.goodbye.code, *sent)
"""
"""A program that prints the reason why the client leaves, and the type of its first message."""

CLIENT_IN_A_CLUB = """
asyncio.run(run(msgpack.packb({"type": "club", "tables": []})))
"""

CLIENT_AT_A_SEALED_TABLE = """
from netcode.protocol.table_settings import TableSettings
there = lobby(settings=TableSettings(sealed=True))
asyncio.run(run(encode(welcome()), encode(there)))
"""

HOST = """
from netcode.protocol.codec import decode_host
from tests.support.pretend import hello
from tests.support.servers import SECRET, listens, new_table, raw, server_of, table_of

def state_of(table):
    games = table.games
    return games.phase, games.revision, games.settings, repr(table.participants.seats)

async def run(*frames):
    async with server_of(new_table()) as server:
        await listens(server)
        before = state_of(table_of(server))
        async with raw(server) as socket:
            for frame in frames:
                await socket.send(frame)
                print(decode_host(await socket.recv()).code)
            assert state_of(table_of(server)) == before
            await socket.send(encode(hello("Ada", secret=SECRET)))
            print(type(decode_host(await socket.recv())).__name__)
"""
"""A program that prints a host's refusals, and its answer to a Hello afterwards."""

HOST_WANTS_A_CLUB = """
asyncio.run(run(
    msgpack.packb({"type": "open_table", "settings": {}}),
    msgpack.packb({"type": "ask_league", "season": None}),
))
"""

HOST_OF_A_GUEST_WITH_THE_WING = """
from netcode.limits import MAXIMUM_STRIKES
from netcode.protocol.messages import Refused

async def press(times):
    async with server_of(new_table()) as server:
        await listens(server)
        async with raw(server) as socket:
            await socket.send(encode(hello("Ada", secret=SECRET)))
            for _ in range(times):
                await socket.send(msgpack.packb({"type": "allow_takeover", "allowed": True}))
            codes = []
            while len(codes) < times:
                message = decode_host(await socket.recv())
                if isinstance(message, Refused):
                    codes.append(message.code)
            print(*set(codes))

asyncio.run(press(2 * MAXIMUM_STRIKES))
"""

HOST_WANTS_A_SEALED_GAME = """
asyncio.run(run(msgpack.packb({"type": "log_in", "person": 1, "signature": bytes(64)})))
"""


def output_without(wing: str, how: str, program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + program, wing, how],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


CLIENTS = {"clubs": CLIENT_IN_A_CLUB, "sealed": CLIENT_AT_A_SEALED_TABLE}
HOSTS = {
    "clubs": HOST_WANTS_A_CLUB,
    "sealed": HOST_WANTS_A_SEALED_GAME + HOST_OF_A_GUEST_WITH_THE_WING,
}


@pytest.mark.parametrize("how", ["gone", "broken"])
@pytest.mark.parametrize(
    ("wing", "lines"),
    [
        (
            "clubs",
            ["host_part_missing hello", "unknown_message", "unknown_message", "Welcome"],
        ),
        (
            "sealed",
            ["part_missing hello", "unknown_message", "Welcome", "unknown_message"],
        ),
    ],
)
def test_a_program_without_a_wing_says_so_in_one_sentence(
    wing: str, lines: list[str], how: str
) -> None:
    # A deleted wing cannot be broken, so it is missing in both cases.
    how = how if wing in WINGS else "gone"
    program = CLIENT + CLIENTS[wing] + HOST + HOSTS[wing]
    assert output_without(wing, how, program) == lines
    codes = [code for line in lines for code in line.split() if "_" in code]
    assert all(SENTENCES[code] for code in codes)
