"""What a table that is resumed has of what it had."""

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import open_table as opening
from driflamme_tui.hosting.host_plans import Doors, Host
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.own_table import OwnTable
from netcode.storage.database import default_path
from netcode.table.errors import NotThereError
from tests.support.kept import stopped

RESUMED = Host("127.0.0.1", 0, announce=False, resume=True)

forgets = pytest.mark.xfail(strict=True, reason="issue 2 makes it true by construction")


class Recorder:
    """What is opened for a table besides its sockets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.doors = Doors()
        self.outside: tuple[str, ...] = ()
        self.announced: list[str] = []
        recorder = self

        async def open_doors(doors: Doors, *_: object) -> None:
            recorder.doors = doors

        async def keep_announced(name: str, *_: object) -> None:
            recorder.announced.append(name)

        class Outside:
            doors: object = None

            def __init__(self, _listening: Listening, _port: int, *, wanted: object, **_: object):
                assert isinstance(wanted, tuple)
                recorder.outside = wanted

            async def start(self, *_: object, **__: object) -> None: ...

            async def close(self) -> None: ...

        monkeypatch.setattr(opening, "open_doors", open_doors)
        monkeypatch.setattr(opening, "check_doors", lambda _doors: None)
        monkeypatch.setattr(opening, "keep_announced", keep_announced)
        monkeypatch.setattr(opening, "Outside", Outside)

    async def seen(self, plan: Host) -> "tuple[OwnTable, Doors, tuple[str, ...], list[str]]":
        """Open a table as planned and close it again; return what was opened for it."""
        self.doors, self.outside, self.announced = Doors(), (), []
        table = await open_table(plan, owned=True, name="a")
        await asyncio.sleep(0)
        await table.close()
        return table, self.doors, self.outside, self.announced


async def twice(recorder: Recorder, **said: object) -> tuple[object, object]:
    """Return what a table has that is resumed with options, and what it has once more without."""
    stopped(default_path(), 5)
    first = replace(RESUMED, **said)
    again = Host(resume=True, announce=True)
    return await recorder.seen(first), await recorder.seen(again)


@pytest.mark.parametrize(
    ("said", "of"),
    [
        pytest.param({"doors": Doors(ssh=4000, web=4001)}, 1, marks=forgets, id="doors"),
        pytest.param({"outside": ("table",)}, 2, marks=forgets, id="the way from outside"),
        pytest.param({"announce": False}, 3, marks=forgets, id="no announcement"),
        pytest.param({"announce": True}, 3, id="an announcement"),
    ],
)
async def test_what_was_opened_for_a_table_is_opened_for_it_again(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, object], of: int
) -> None:
    first, again = await twice(Recorder(monkeypatch), **said)
    assert isinstance(first, tuple)
    assert isinstance(again, tuple)
    assert again[of] == first[of]


KEPT: dict[str, Callable[[OwnTable], object]] = {
    "link": lambda table: table.invitations,
    "code": lambda table: table.entry.code,
    "port": lambda table: table.listening and table.listening.opened.port,
    "public address": lambda table: table.listening and table.listening.opened.public,
    "settings": lambda table: table.entry.table and table.entry.table.games.settings,
    "evening": lambda table: table.entry.table and table.entry.table.games.evening,
}


@pytest.mark.parametrize("what", KEPT)
async def test_what_a_table_is_it_is_again(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    first, again = await twice(Recorder(monkeypatch), public="table.example")
    assert isinstance(first, tuple)
    assert isinstance(again, tuple)
    assert KEPT[what](again[0]) == KEPT[what](first[0])


async def test_a_table_that_was_closed_in_the_lobby_is_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After `kill -9` it is, and so it is after Ctrl-C."""
    recorder = Recorder(monkeypatch)
    closed, *_ = await recorder.seen(replace(RESUMED, resume=False))
    again, *_ = await recorder.seen(RESUMED)
    assert again.entry.code == closed.entry.code


async def test_a_table_that_its_host_closed_for_good_is_gone() -> None:
    table = await open_table(Host("127.0.0.1", 0, announce=False), owned=True)
    await table.close(for_good=True)
    with pytest.raises(NotThereError):
        await open_table(RESUMED, owned=True)
