"""Stores games against bots in the journal, for tests that continue them."""

from pathlib import Path
from random import Random
from typing import Any

from netcode.protocol.messages import AddBot, Start
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import default_path
from netcode.storage.solo_store import SoloStore
from netcode.table.effects import Keep
from netcode.table.snapshot import Snapshot
from tests.support.pretend import OWNER_KEY, Network, Participant, snapshot_of


def solo_game(answers: int | None = 3, name: str = "Ada", **settings: Any) -> Snapshot:
    """Return a game against bots after this many answers of the person; None plays to the end."""
    network = Network(
        Random(1), owner_key=OWNER_KEY, settings=TableSettings(first="r", pace_ms=0, **settings)
    )
    person = Participant(network, name, key=OWNER_KEY)
    for _ in range(1 if settings.get("two") else 2):
        person.send(AddBot(bot="novice"))
    person.send(Start())
    network.wait(60)
    for _ in range(100 if answers is None else answers):
        if not person.view().legal:
            break
        person.act_somehow()
        network.wait(60)
    return snapshot_of(network.table)


def store_solo(kept: Snapshot, number: int = 1, path: Path | None = None) -> Path:
    """Store a game against bots whose program has ended; return the path of the journal."""
    path = path or default_path()
    store = SoloStore.open(path)
    store._database.execute("PRAGMA synchronous = OFF")
    store.commit({number: Keep(kept)}, 0)
    store.close()
    return path
