"""Tests that a host or club that ends in the middle of a game continues after a restart."""

import asyncio
from pathlib import Path

import pytest

from engine.record import replay
from netcode.client import reconnection
from netcode.protocol.messages import Lobby
from netcode.protocol.wire_views import WireView
from netcode.storage.history import History
from tests.support.persons import Person, invited
from tests.support.programs import HERE, free_port, serving

HOST = ("host", "--headless")
KILLED_AT = 7
"""Number of actions before the host is killed."""


async def seen(person: Person, actions: int) -> None:
    """Wait until a person has seen this many actions."""
    while person.session.revision <= actions:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("is_planned", "repeats"),
    [(False, False), (True, False), (False, True)],
    ids=["killed", "stopped", "killed, and the same command again"],
)
def test_a_host_is_resumed_and_nobody_loses_anything(
    is_planned: bool, repeats: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.1)
    monkeypatch.setattr(reconnection, "LONGEST_WAIT_S", 0.4)

    async def run() -> tuple[list[Person], Lobby]:
        async with asyncio.TaskGroup() as group:
            port = free_port()
            with serving(*HOST, *HERE, "--port", str(port)) as host:
                link = host.link
                persons = [
                    invited(link, name, players=4, bots=1 if name == "a" else 0) for name in "abc"
                ]
                for person in persons:
                    group.create_task(person.play(waits=True))
                    await person.seated.wait()
                await seen(persons[0], KILLED_AT)
                before = persons[0].session.lobby
                if is_planned:
                    await asyncio.to_thread(host.end)
            again = (*HERE, "--port", str(port)) if repeats else ("--resume",)
            with serving(*HOST, *again) as host:
                assert (host.port, host.link) == (port, link)
                async with asyncio.timeout(60):
                    while not all(person.is_over() for person in persons):
                        await asyncio.sleep(0.05)
                host.end()
        assert before is not None
        return persons, before

    persons, before = asyncio.run(run())
    path = tmp_path / "xdg_data_home" / "driflamme" / "tables.db"
    with History.open(path) as history:
        (game,) = history.games()
        record = history.record(game.id)
    *_, last = replay(record)
    for person in persons:
        assert person.connections > 1
        assert person.session.lobby is not None
        for seat, seat_before in zip(person.session.lobby.seats, before.seats, strict=True):
            assert (seat.name, seat.family) == (seat_before.name, seat_before.family)
        assert person.states[-1].view == WireView.of(last.after)
        assert person.session.revision == 1 + len(record.actions)
