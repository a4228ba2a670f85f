"""Defines a part of a host that counts laughs, as a wing could bring one."""

from collections.abc import Collection

import pytest

from driflamme_tui.hosting import parts
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.parts import OpenPlace, Part, PartKind
from engine.texts import ExplainedError
from netcode.server.table_registry import TableEntry


class Laughs(Part):
    """A part that records its calls. Its stored record describes the laughs."""

    def __init__(self, record: str, stuck: bool, opened: list[str]) -> None:
        self.record, self._stuck, self._opened = record, stuck, opened
        self.seen: list[str] = []

    def saved_record(self) -> str:
        return self.record

    def start(self, listening: Listening) -> None:
        self.seen.append("start")

    def add_table(self, entry: TableEntry) -> None:
        assert entry.table is not None
        self.seen.append("table")

    async def open(self, place: OpenPlace) -> None:
        self.seen.append("open")
        if self._stuck:
            raise ExplainedError("The laughs are stuck.")
        self._opened.append(self.record)

    async def stop(self) -> None:
        self.seen.append("stop")

    async def close(self) -> None:
        self.seen.append("close")


def pretend(monkeypatch: pytest.MonkeyPatch, *names: str, stuck: Collection[str] = ()) -> list[str]:
    """Install only these parts; those in `stuck` cannot be opened.

    Return a list that gets the names of opened parts.
    """
    opened: list[str] = []

    def kind(name: str) -> PartKind:
        return PartKind(name, lambda record: Laughs(record, name in stuck, opened))

    kinds = {name: kind(name) for name in (*names, *stuck)}
    monkeypatch.setattr(parts, "part_kinds", lambda: kinds)
    return opened
