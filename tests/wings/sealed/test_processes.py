"""Tests a sealed game with separate processes: only the owner's program has a hidden card."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from typer.testing import Result

from engine.cards import UNKNOWN
from netcode.wings.sealed.game.proven_record import known_cards
from netcode.wings.sealed.game.sealed_person import SealedPerson
from tests.driflamme_tui.cli.test_commands import driflamme
from tests.e2e.test_plain import BOT, joined
from tests.support.programs import HERE, serving
from tests.wings.sealed.swift_logs import records_of

NAMES = ("Ada", "Bo", "Cy")

HOST = "host", "--headless", "--sealed", *HERE, "--pace", "0"

Join = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def join(tmp_path: Path) -> Iterator[Join]:
    """Yield a function that joins tables of this machine with small programs.

    The programs end with the test.
    """
    clients: list[subprocess.Popen[bytes]] = []

    def join(name: str, link: str, source: str = BOT, *arguments: str) -> "subprocess.Popen[bytes]":
        clients.append(joined(tmp_path, name, link, source=source, arguments=arguments))
        return clients[-1]

    yield join
    for client in clients:
        client.kill()
        client.wait()


def verdict(folder: Path, names: Iterable[str]) -> Result:
    """Return the result of `driflamme verify` for the record that everybody received."""
    lines = chain(*((folder / name).read_text().splitlines() for name in names))
    (record,) = {
        json.loads(line)["line"] for line in lines if line.startswith('{"type":"sealed_record"')
    }
    file = folder / "record"
    file.write_text(record + "\n", encoding="utf-8")
    return driflamme("verify", str(file))


def proven(folder: Path) -> bool:
    """Return True if the record is proven; fail unless everybody received the same record."""
    return verdict(folder, NAMES).exit_code == 0


MEETS = BOT.replace(
    'elif told["type"] == "state" and told["legal"]:',
    """elif told["type"] == "state" and told["legal"]:
        if "* " not in told["view"][:9] and sys.argv[1:]:
            with open(sys.argv.pop(1), "w") as middle:
                middle.write("here")
            if sys.argv[1:]:
                sys.stdin.read()""",
)
"""A program that reports the middle of a game, and may wait until its client is gone."""


def test_those_who_are_left_play_on_once_their_host_is_killed(tmp_path: Path, join: Join) -> None:
    middle = tmp_path / "middle"
    os.mkfifo(middle)
    with serving(*HOST) as host:
        running = [join(name, host.link) for name in NAMES[1:]]
        running.append(join("Ada", host.link, MEETS, str(middle)))
        assert middle.read_text() == "here"
        host.kill()
        assert [client.wait() for client in running] == [0] * 3
    texts = [(tmp_path / name).read_text() for name in NAMES]
    assert [('"type":"lost"' in text, "went_back" in text) for text in texts] == [(True, False)] * 3
    assert proven(tmp_path)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of another process")
def test_who_is_killed_in_the_middle_goes_on_and_the_host_has_nothing_to_hide(
    tmp_path: Path, join: Join
) -> None:
    middle = tmp_path / "middle"
    os.mkfifo(middle)
    with serving(*HOST) as host:
        running = [join(name, host.link) for name in NAMES[1:]]
        ada = join("Ada", host.link, MEETS, str(middle), "stop")
        assert middle.read_text() == "here"
        secrets = {name: secrets_of(tmp_path, name) for name in NAMES}
        assert all(each in memory(ada.pid) for each in secrets["Ada"]), "this finds what is there"
        seen = memory(host.process.pid)
        assert not [each for name in NAMES for each in secrets[name] if each in seen]
        ada.kill()
        ada.wait()
        running.append(join("Ada", host.link))
        assert [client.wait() for client in running] == [0] * 3
    assert proven(tmp_path)


def secrets_of(folder: Path, name: str) -> list[bytes]:
    """Return one person's secrets: key, order, and salts of closed cards."""
    records = records_of(folder / f"{name}-DATA" / "driflamme" / "tables.db")
    person = SealedPerson.restore(Random(1), records)
    assert person.log is not None
    own = person._secrets
    assert own is not None
    (seat,) = own.seats
    closed = [leaf for leaf, card in enumerate(known_cards(person.log)[seat]) if card == UNKNOWN]
    assert len(closed) > 5
    return [own.key, own.orders[0].encode(), *(own.salts[0][leaf] for leaf in closed)]


def memory(process: int) -> bytes:
    found = []
    with open(f"/proc/{process}/mem", "rb", 0) as file:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            bounds, rights, *_rest = line.split()
            if rights.startswith("rw"):
                begin, end = (int(each, 16) for each in bounds.split("-"))
                with suppress(OSError):
                    file.seek(begin)
                    found.append(file.read(end - begin))
    return b"".join(found)
