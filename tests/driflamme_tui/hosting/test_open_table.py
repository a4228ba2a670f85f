"""Opening a table on this machine."""

import asyncio
import threading

import pytest

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.open_table import open_table
from netcode.storage.database import default_path
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from tests.netcode.kept import change_kept, stopped


@pytest.mark.parametrize("resume", [False, True])
def test_no_screen_waits_for_the_database(monkeypatch: pytest.MonkeyPatch, resume: bool) -> None:
    threads: list[threading.Thread] = []
    told: list[str] = []

    def opened() -> Store:
        threads.append(threading.current_thread())
        raise StoreError("Another program is writing.")

    async def host() -> None:
        plan = Host(bind="127.0.0.1", port=0, announce=False, plain=True, resume=resume)
        table = await open_table(plan, owned=False, notify=told.append)
        await table.close()

    monkeypatch.setattr(Store, "open", opened)
    if resume:
        with pytest.raises(StoreError):
            asyncio.run(host())
    else:
        asyncio.run(host())
        assert told == [
            "Another program is writing. Play goes on, but it could not be resumed after a crash."
        ]
    assert threads
    assert threading.main_thread() not in threads


def test_a_table_that_cannot_be_brought_back_is_said_to_be_damaged_each_time() -> None:
    """What was opened for it is closed again: else the next try would find an older table."""
    stopped(default_path(), 5)
    stopped(default_path(), number=2)
    change_kept(default_path(), 2, game={"actions": ["nonsense"]})
    for _ in range(2):
        with pytest.raises(StoreError, match="step 1 of the game, 'nonsense', breaks the rules"):
            asyncio.run(open_table(Host("127.0.0.1", 0, resume=True), owned=True))
