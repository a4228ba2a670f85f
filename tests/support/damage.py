"""Damages one field of a stored table, and returns the damages that restoring does not notice."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import NODEFAULT

from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.play import Saved
from netcode.table.snapshot import KeptGame, KeptTable
from netcode.table.table import Table
from tests.support.dates import unix_time
from tests.support.kept import ask, change_kept

OTHERS: dict[str, tuple[Any, ...]] = {
    "phase": ("lobby", "playing", "result"),
    "begun": (0, 1, 2, 9),
    "revision": (0, 1, 99),
    "paused": (True,),
    "silenced": (True,),
    "said": (99,),
    "muted": (["a"],),
    "renamed": ({"a": "b"},),
    "actions": ([],),
}
"""For some fields, valid values besides the default."""


def _defaults(kind: type[KeptTable] | type[KeptGame]) -> Iterator[tuple[str, Any]]:
    """Yield each field's stored name with its default, and with its other values."""
    for each in msgspec.structs.fields(kind):
        default = each.default
        if each.default_factory is not NODEFAULT:
            default = each.default_factory()
        if default is not NODEFAULT:
            yield each.encode_name, msgspec.msgpack.decode(msgspec.msgpack.encode(default))
        for other in OTHERS.get(each.name, ()):
            yield each.encode_name, other


def _of_settings(path: Path) -> Iterator[dict[str, Any]]:
    """Yield copies of the stored settings, each with one switch changed."""
    ((kept,),) = ask(path, "SELECT kept FROM tables")
    settings = msgspec.msgpack.decode(kept)["settings"]
    for name in ("two", "sealed"):
        yield {**settings, name: not settings.get(name, False)}


def damages(path: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield arguments for `change_kept`, each of which damages one field."""
    for name, value in _defaults(KeptTable):
        yield {"table": {name: value}}
    for settings in _of_settings(path):
        yield {"table": {"settings": settings}}
    for name, value in _defaults(KeptGame):
        yield {"game": {name: value}}
    # A game without its deal has no answers.
    yield {"game": {"record": "", "actions": [], "pieces": []}}


def _game(path: Path) -> tuple[str, Saved | None]:
    store = Store.open(path)
    try:
        table = Table.restore(store.load(1), Random(1), lambda: bytes(32), unix_time=unix_time)
    finally:
        store.close()
    play = table.games.play
    return table.games.phase, None if play is None else play.saved()


def _rows(path: Path) -> list[Any]:
    return ask(path, "SELECT tables.kept, games.kept FROM tables, games")


def unnoticed(path: Path) -> list[dict[str, dict[str, Any]]]:
    """Return the damages that raise no error on restoring, although the table then differs."""
    before, content = _game(path), path.read_bytes()
    found = []
    for damage in damages(path):
        path.write_bytes(content)
        change_kept(path, table=damage.get("table"), game=damage.get("game"))
        rows = _rows(path)
        with suppress(StoreError):
            if _game(path) != before:
                found.append(damage)
        assert _rows(path) == rows, damage
    path.write_bytes(content)
    return found
