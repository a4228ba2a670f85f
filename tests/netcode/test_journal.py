"""Nothing is lost: what anybody was told is in the journal, wherever the host crashes."""

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from engine.record import replay
from netcode.address import Address
from netcode.client import Connection
from netcode.effects import Close, Effect, Keep
from netcode.journal import Journal
from netcode.keeping import Ended, Entry, KeptAct, Opened, StoreError
from netcode.messages import (
    BackToLobby,
    ChangeSettings,
    ChooseFamily,
    FamilyLetter,
    Leave,
    SetReady,
    Start,
    TableSettings,
    Welcome,
)
from netcode.server import Server
from netcode.table import Table
from tests.netcode.crashes import Evening
from tests.netcode.pretend import OWNER_KEY, Guest, hello, play_on


def rows(path: Path) -> list[tuple[int, int | None, str]]:
    database = sqlite3.connect(path)
    found = database.execute("SELECT seat, number, token FROM actions ORDER BY game, step")
    return found.fetchall()


@pytest.mark.parametrize(
    ("seed", "crash_within"),
    [(1, 3), (2, 12), (3, 12), *((seed, 60) for seed in range(8)), (1, 400), (2, 400)],
)
def test_a_game_survives_its_host_crashing_at_any_moment(
    tmp_path: Path, seed: int, crash_within: int
) -> None:
    path = tmp_path / "tables.db"
    evening = Evening(path, seed)
    evening.play(crash_within)
    record = evening.network.table.record()
    assert record is not None
    *_, last = replay(record)
    assert last.after.over
    kept = rows(path)
    assert tuple(token for _, _, token in kept) == record.actions
    numbered = [(seat, number) for seat, number, _ in kept if number is not None]
    assert len(set(numbered)) == len(numbered)
    assert evening.network.crashes or crash_within == 400
    said = {
        (seat, act.number): act.action
        for seat, guest in zip(_seats(evening), evening.guests, strict=True)
        for act in guest.acts
    }
    assert all(said[seat, number] == token for seat, number, token in kept if number is not None)


def _seats(evening: Evening) -> list[int]:
    """Return the seats of the guests."""
    lobby = evening.guests[0].session.lobby
    assert lobby is not None
    names = [seat.name for seat in lobby.seats]
    return [names.index(guest.name) for guest in evening.guests]


def test_telling_before_keeping_would_be_noticed(tmp_path: Path) -> None:
    def survives(seed: int) -> bool:
        evening = Evening(tmp_path / f"{seed}.db", seed, acks_first=True)
        try:
            evening.play(12)
        except (AssertionError, KeyError):
            return False
        return True

    assert not all(survives(seed) for seed in range(5))


def test_keys_from_before_a_crash_open_the_seats_after_it_once(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    guest, network = evening.guests[1], evening.network
    old = guest.session.key
    network.bring_back()
    guest.come_back()
    assert guest.session.key != old
    # Something has come over the new connection, so the old key is worth nothing any more.
    guest.act("!")
    network.bring_back()
    thief = Guest(network, "thief", key=old)
    assert thief.refusal == "unknown_key"
    guest.come_back()
    assert guest.session.family == evening.families[1]


def test_a_key_whose_successor_was_never_received_still_opens_the_seat(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    guest, network = evening.guests[1], evening.network
    lost = Guest(network, guest.name, key=guest.session.key)
    assert lost.session.key != guest.session.key
    network.bring_back()
    guest.come_back()
    assert guest.session.family == evening.families[1]


def test_an_owner_gets_their_seat_and_the_table_back_with_a_new_key(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network, guest = evening.network, evening.guests[0]
    network.bring_back()
    kept = network.store.load(1)
    network.table = Table.restore(kept, Random(1), lambda: bytes(32), OWNER_KEY)
    owner = Guest(network, "somebody", key=OWNER_KEY)
    assert owner.session.is_host
    assert owner.session.family == guest.session.family
    evening.guests[1].come_back()
    assert not evening.guests[1].session.is_host


def test_bots_wait_for_somebody_to_return(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network = evening.network
    network.bring_back()
    before = network.table.record()
    network.wait(1000.0)
    assert network.table.record() == before
    evening.guests[1].come_back()
    network.wait(1000.0)
    play_on(evening.guests[1:2], 3)
    assert network.table.record() != before


def test_a_table_that_all_have_left_is_a_lobby_again(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    for guest in evening.guests:
        guest.say(Leave())
    assert evening.network.store.unfinished() is None


def test_games_and_lobbies_after_the_first_come_back_too(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network, (host, *others) = evening.network, evening.guests
    revisions = []
    choices: tuple[tuple[FamilyLetter, ...], ...] = (("b", "g", "v"), ("v", "g", "y"))
    for families in choices:
        play_to_the_end(evening)
        network.bring_back()
        for guest in evening.guests:
            guest.come_back()
            assert guest.phase() == "result"
        host.say(BackToLobby())
        for guest, family in zip(evening.guests, families, strict=False):
            guest.say(ChooseFamily(family=family))
        host.say(ChangeSettings(settings=TableSettings(edition=1, pace_ms=0)))
        for guest in others:
            guest.say(SetReady(ready=True))
        host.say(Start())
        evening.families = [guest.session.family for guest in evening.guests]
        revisions.append(network.table.revision)
        network.bring_back()
        for guest in evening.guests:
            guest.come_back()
            assert guest.session.view is not None
            assert guest.session.view.edition.number == 1
        assert [guest.session.family for guest in evening.guests] == evening.families
        assert host.session.is_host
    assert revisions == sorted(set(revisions))
    assert network.store.load(1).table.games == 3


def play_to_the_end(evening: Evening) -> None:
    while evening.guests[0].phase() != "result":
        evening.network.wait(1.0)
        play_on(evening.guests, 1)


# The journal itself


class Ledger:
    """A store that a test holds up, or breaks."""

    def __init__(self) -> None:
        self.commits: list[list[Entry]] = []
        self.may_go = threading.Event()
        self.broken: Exception | None = None
        self.attempts = 0
        self.closed = False

    def commit(self, entries: Sequence[Entry]) -> None:
        self.may_go.wait()
        self.attempts += 1
        if self.broken is not None:
            raise self.broken
        self.commits.append(list(entries))

    def close(self) -> None:
        self.closed = True


def acted(step: int) -> KeptAct:
    return KeptAct(1, step, 0, None, "!")


def test_effects_wait_for_the_commit_and_keep_their_order() -> None:
    async def run() -> None:
        ledger, done = Ledger(), list[Effect]()
        journal = Journal(ledger)
        journal.take([Close(1)], done.extend)
        assert done == [Close(1)]
        done.clear()
        effects: list[list[Effect]] = [
            [Keep(acted(1)), Close(1)],
            [Close(2)],
            [Keep(acted(2)), Keep(acted(3)), Close(3)],
        ]
        for each in effects:
            journal.take(each, done.extend)
            await asyncio.sleep(0)
        assert done == []
        ledger.may_go.set()
        await journal.settled()
        assert done == list(chain(*effects))
        # What came during the first commit went into one.
        assert ledger.commits == [[acted(1)], [acted(2), acted(3)]]
        await journal.close()
        assert ledger.closed

    asyncio.run(run())


@pytest.mark.parametrize("broken", [StoreError("The disk is full."), RuntimeError("a bug")])
def test_a_store_that_fails_is_said_once_and_stops_nothing(
    broken: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        ledger, done, failures = Ledger(), list[Effect](), list[StoreError]()
        journal = Journal(ledger, failures.append)
        ledger.may_go.set()
        journal.take([Keep(Opened(bytes(12), "00000000", None, 1))], done.extend)
        await journal.settled()
        ledger.broken = broken
        for step in range(5):
            journal.take([Keep(acted(step)), Close(step)], done.extend)
            await journal.settled()
        assert [each for each in done if isinstance(each, Close)] == [Close(n) for n in range(5)]
        assert len(failures) == 1
        assert ledger.attempts == 2
        await journal.close()

    asyncio.run(run())
    assert "Play goes on without a journal." in caplog.text


def test_closing_keeps_what_is_still_held_back() -> None:
    async def run() -> None:
        ledger, done = Ledger(), list[Effect]()
        journal = Journal(ledger)
        journal.take([Keep(Ended()), Close(1)], done.extend)
        ledger.may_go.set()
        await journal.close()
        assert ledger.commits == [[Ended()]]
        assert done == [Keep(Ended()), Close(1)]

    asyncio.run(run())


# The journal of a server


def test_a_client_hears_of_nothing_before_it_is_kept() -> None:
    async def run() -> None:
        ledger = Ledger()
        table = Table(Random(1), lambda: bytes(32))
        async with Server(table, journal=Journal(ledger)) as server:
            await server.start("127.0.0.1", 0)
            connection = await Connection.connect(Address("127.0.0.1", server.port))
            await connection.send(hello("a"))
            answers = aiter(connection)
            first = asyncio.ensure_future(anext(answers))
            while not table._company.seats:
                await asyncio.sleep(0.01)
            # What had been sent before would have come before the answer to a ping.
            await (await connection._socket.ping())
            assert not first.done()
            ledger.may_go.set()
            assert isinstance(await first, Welcome)
            await connection.close()
            assert ledger.commits[0] == [Opened(bytes(12), "00000000", "127.0.0.1", server.port)]

    asyncio.run(run())
