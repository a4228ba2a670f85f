"""Tests of netcode/README.md: its tables match the structs, and its exchange is real."""

import re
from itertools import count
from pathlib import Path
from random import Random

import pytest

from netcode.protocol.codec import decode_client, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import PROTOCOL, Act, AddBot, Hello, Start
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Send
from netcode.table.table import Table
from scripts.lib.protocol_tables import pages, renewed
from tests.support.dates import unix_time

README = Path(__file__).parents[3] / "netcode" / "README.md"

_LINE = re.compile(r"^    (?:([<>]) |  )((?:[0-9a-f]{2})+)$")


def printed() -> list[tuple[str, bytes]]:
    """Return the sender and the frame of each step of the README's exchange; `>` is the client."""
    section = README.read_text().partition("## One exchange")[2].partition("\n## ")[0]
    frames: list[tuple[str, bytes]] = []
    for line in section.splitlines():
        found = _LINE.match(line)
        if found and found[1]:
            frames.append((found[1], bytes.fromhex(found[2])))
        elif found:
            way, begun = frames[-1]
            frames[-1] = way, begun + bytes.fromhex(found[2])
    return frames


def exchange() -> list[tuple[str, bytes]]:
    """Let Ada sit down with two bots and place a card; return all frames with their senders."""
    keys = count(1)
    settings = TableSettings(first="r", pace_ms=0)
    table = Table(
        Random(3),
        lambda: next(keys).to_bytes(32, "big"),
        settings=settings,
        unix_time=unix_time,
        # Play alone, so that no wing adds a field to the lobby.
        is_alone=True,
    )
    said: list[tuple[str, bytes]] = []

    def send(message: Message) -> list[Message]:
        frame = encode(message)
        assert decode_client(frame) == message
        said.append((">", frame))
        answers = [
            effect.message for effect in table.receive(1, message, 0.0) if isinstance(effect, Send)
        ]
        said.extend(("<", encode(answer)) for answer in answers)
        return answers

    send(Hello(protocol=PROTOCOL, program="example", name="Ada", secret=bytes(range(12))))
    send(AddBot(bot="random"))
    send(AddBot(bot="random"))
    send(Start())
    send(Act(number=1, revision=1, action="S>"))
    return said


def chosen() -> list[tuple[str, bytes]]:
    """Return the frames that the README shows: hello with its answers, and act with its answer."""
    frames = exchange()
    return frames[:3] + frames[-2:]


def test_the_exchange_in_the_readme_is_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.table.broadcast.PROGRAM", "a host")
    shown = printed()
    for way, frame in shown:
        assert encode(decode_client(frame) if way == ">" else decode_host(frame)) == frame
    assert shown == chosen()


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.parent.name)
def test_the_tables_of_the_protocol_are_of_the_structs_as_they_are(path: Path) -> None:
    page, tables = path.read_text("utf-8"), pages()[path]
    assert page.count("<!-- end -->") == len(tables)
    assert renewed(page, tables) == page, "run .venv/bin/python -m scripts.lib.protocol_tables"
