"""Tests a wing that cannot be imported: one sentence names it, and everything else opens."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from socket import socket
from typing import NoReturn

import pytest

from driflamme_tui import wings
from driflamme_tui.cli import machine_checks
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import SEAM, build_parts, refuse_missing
from driflamme_tui.seat.sections import SEAM as SECTIONS
from driflamme_tui.seat.sections import SectionKind
from netcode.joining import discovery
from netcode.joining.discovery import DiscoveryError
from netcode.registry import FAILURES, wing_values
from netcode.table.errors import StoreError
from netcode.table.snapshot import Location
from netcode.transport import sockets
from tests.driflamme_tui.cli.test_commands import driflamme

SENTENCE = (
    "The optional part broken cannot be loaded, so reinstall the program: "
    "RuntimeError at parts.py:1"
)
LATER = (
    "The optional part later cannot be loaded, so reinstall the program: "
    "SEAM in driflamme_tui.wings.later.sections is no SectionKind"
)


@pytest.fixture(autouse=True)
def _broken_wing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install two wings: one raises an error on import, and the other has a wrong seam."""
    folder = tmp_path / "more wings" / "broken"
    folder.mkdir(parents=True)
    (folder / f"{SEAM}.py").write_text("raise RuntimeError('a text that is shown to nobody')\n")
    (folder.parent / "later").mkdir()
    (folder.parent / "later" / f"{SECTIONS}.py").write_text("SEAM = 3\n")
    monkeypatch.setattr(wings, "__path__", [*wings.__path__, str(folder.parent)])
    monkeypatch.setattr(wings, "WINGS", {"broken": (SEAM,), "later": (SECTIONS,), **wings.WINGS})
    wing_values.cache_clear()
    yield
    wing_values.cache_clear()
    for wing in ("broken", "later"):
        FAILURES.pop(wing, None)
        prefix = f"driflamme_tui.wings.{wing}"
        for name in [each for each in sys.modules if each.startswith(prefix)]:
            del sys.modules[name]


async def test_the_host_reads_what_cannot_be_loaded_and_the_table_opens() -> None:
    sentences: list[str] = []
    here = Host(Location("127.0.0.1", 0, announced=False))
    table = await open_table(here, owned=True, name="Ada", notify=sentences.append)
    assert sentences == [SENTENCE]
    assert table.invitations
    for _ in range(2):
        wing_values.cache_clear()
        wing_values("driflamme_tui", SECTIONS, SectionKind)
    assert sentences == [SENTENCE, LATER], "a wing that fails at an open table is named once"
    await (await table.connect()).close()
    await table.close()


def test_a_table_kept_with_what_cannot_be_loaded_is_refused_with_the_reason() -> None:
    with pytest.raises(StoreError, match=r"broken, which cannot be loaded: RuntimeError at parts"):
        refuse_missing(["broken"])
    with pytest.raises(StoreError, match=r"laughs, which cannot be loaded: broken: RuntimeError"):
        refuse_missing(["laughs"])


def test_a_part_that_cannot_be_loaded_is_not_called_missing() -> None:
    sentences: list[str] = []
    assert "broken" not in build_parts({"broken": ""}, sentences.append, (), encrypted=False)
    assert not sentences


def test_doctor_names_what_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_network(_interfaces: Sequence[str] | None) -> NoReturn:
        raise DiscoveryError("This machine is not on a network: connect it first.")

    async def no_socket(_host: str | None, _port: int) -> list[socket]:
        return []

    monkeypatch.setattr(discovery, "open_zeroconf", no_network)
    monkeypatch.setattr(sockets, "open_tcp", no_socket)
    monkeypatch.setattr(machine_checks, "open_tcp", no_socket)
    result = driflamme("doctor", TERM="linux")
    assert SENTENCE in " ".join(result.stdout.split())
    assert "shown to nobody" not in result.stdout + result.stderr
