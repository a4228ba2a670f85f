"""Tests a club: many tables behind one server, which are unloaded while nobody is there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from msgspec.structs import replace

from netcode.client.session import Session
from netcode.limits import NETWORK_MS, TURN_MS, Limits, Rate
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    AddBot,
    Admitted,
    Chat,
    Goodbye,
    Leave,
    Lobby,
    NewInvitation,
    Refused,
    SendAway,
    SetReady,
    Start,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableRegistry
from netcode.storage.journal import RETRY_S, Journal
from netcode.storage.store import Store
from netcode.table.errors import UnavailableError
from netcode.transport import channel
from netcode.transport.channel import Channel, ChannelClosedError
from netcode.wings.clubs.club_limits import CLUB_LIMITS
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.clubs.club_tables import SLEEP_AFTER_S, SLEEP_AGAIN_AFTER_S, ClubTables
from netcode.wings.clubs.messages import AskLeague, League, OpenTable, TableInfo
from netcode.wings.clubs.messages import Club as ClubMessage
from tests.netcode.simulation.clockwork import Clockwork, LoopThread, in_no_time
from tests.support.dates import unix_time
from tests.support.pretend import hello

CLUB_SECRET = b"of the club."

Kind = TypeVar("Kind", bound=Message)


@asynccontextmanager
async def opened(path: Path, seed: int = 1, limits: Limits = CLUB_LIMITS) -> AsyncIterator[Server]:
    """Yield a server of a club with the tables stored at `path`, and close it."""
    store = ClubStore.open(path)
    secret = store.secret(CLUB_SECRET)
    kept = store.tables()
    registry = TableRegistry()
    clockwork = isinstance(asyncio.get_running_loop(), Clockwork)
    journal = Journal(store, thread=LoopThread() if clockwork else None)
    rng, random_bytes = Random(seed), Random(seed).randbytes
    tables = ClubTables(
        registry, journal, secret, rng, random_bytes, unix_time, past_games=store.games
    )
    for each in kept:
        tables.remember(*each)
    opened = Server(registry, rng=Random(1), journal=journal, tables=tables, limits=limits)
    try:
        yield opened
    finally:
        await opened.close()


def club_of(server: Server) -> ClubTables:
    assert isinstance(server._tables, ClubTables)
    return server._tables


class Member:
    def __init__(self, server: Server) -> None:
        self.channel: Channel = server.connect()

    def send(self, message: Message) -> None:
        self.channel.send(encode(message))

    async def receive(self) -> Message:
        return decode_host(await self.channel.receive())

    async def receive_one(self, kind: type[Kind]) -> Kind:
        heard = await self.receive()
        assert isinstance(heard, kind)
        return heard

    async def until(self, kind: type[Kind]) -> Kind:
        while True:
            heard = await self.receive()
            if isinstance(heard, kind):
                return heard

    async def tables(self) -> tuple[TableInfo, ...]:
        self.send(hello("member", secret=CLUB_SECRET))
        heard = await self.receive_one(ClubMessage)
        return heard.tables

    async def comes(self, name: str, secret: bytes, key: bytes | None = None) -> bytes:
        """Join a table; return the key to the seat."""
        self.send(hello(name, secret=secret, key=key))
        welcome = await self.receive_one(Welcome)
        return welcome.key

    async def opens(self, name: str) -> tuple[bytes, bytes]:
        """Open a table and sit down at it; return its secret and the key to the seat."""
        await self.tables()
        self.send(OpenTable(settings=TableSettings(edition=1, first="r", pace_ms=0)))
        admitted = await self.receive_one(Admitted)
        assert admitted.proof is None
        self.send(hello(name, secret=admitted.secret))
        welcome = await self.receive_one(Welcome)
        assert welcome.host
        return admitted.secret, welcome.key

    async def begins(self) -> State:
        """Start a game with two bots; return the first State."""
        for message in (AddBot(bot="random"), AddBot(bot="random"), Start()):
            self.send(message)
        state = await self.until(State)
        return state


async def put_to_sleep(server: Server) -> None:
    for entry in list(server.registry.entries):
        club_of(server).sleep(entry)
        await settled(server)


async def deserted(server: Server) -> tuple[bytes, bytes, State]:
    """Unload a table in the middle of a game; return its secret, a key and the last State."""
    anna = Member(server)
    secret, key = await anna.opens("anna")
    state = await anna.begins()
    await anna.channel.close()
    await settled(server)
    await put_to_sleep(server)
    return secret, key, state


def are_asleep(server: Server) -> list[bool]:
    return [entry.table is None for entry in server.registry.entries]


async def settled(server: Server) -> None:
    assert server._journal is not None
    await server._journal.settled()
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_member_opens_a_table_and_others_come_by_its_own_secret(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        anna, bert, cleo = Member(server), Member(server), Member(server)
        secret, _ = await anna.opens("anna")
        bert.send(hello("bert", secret=secret))
        await bert.receive_one(Welcome)
        lobby = await bert.until(Lobby)
        assert [seat.name for seat in lobby.seats] == ["anna", "bert"]
        assert lobby.settings.edition == 1
        [info] = await cleo.tables()
        assert (info.phase, info.edition, info.names) == ("lobby", 1, ("anna", "bert"))
        assert (info.secret, info.asleep) == (secret, False)
        assert lobby.code is not None
        assert lobby.code.startswith(info.prefix)
        # Another table has no data of this one.
        dora = Member(server)
        assert (await dora.opens("anna"))[0] != secret
        await dora.begins()
        infos = await Member(server).tables()
        assert [(each.phase, len(each.names)) for each in infos] == [("lobby", 2), ("playing", 3)]


async def test_who_opens_a_table_is_its_host_unless_they_go(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        for goes in (False, True):
            anna, bert = Member(server), Member(server)
            await anna.tables()
            anna.send(OpenTable(settings=TableSettings()))
            admitted = await anna.receive_one(Admitted)
            bert.send(hello("bert", secret=admitted.secret))
            welcome = await bert.receive_one(Welcome)
            assert not welcome.host
            lobby = await bert.until(Lobby)
            if goes:
                await anna.channel.close()
            else:
                anna.send(hello("anna", secret=admitted.secret))
            lobby = await bert.until(Lobby)
            assert lobby.host is goes
            assert any(seat.host for seat in lobby.seats)


async def test_a_deserted_table_sleeps_and_wakes_for_whoever_comes(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        secret, key, before = await deserted(server)
        (entry,) = server.registry.entries
        assert entry.table is None
        [info] = await Member(server).tables()
        assert (info.phase, info.asleep) == ("playing", True)
        again, *watchers = (Member(server) for _ in range(4))
        for number, watcher in enumerate(watchers):
            watcher.send(hello(f"watcher {number}", secret=secret, spectator=True))
        again.send(hello("anna", secret=secret, key=key))
        for watcher in watchers:
            await watcher.until(State)
        after = await again.until(State)
        assert after.you == before.you
        assert after.revision >= before.revision
        assert after.first_event == 0
        [info] = await Member(server).tables()
        assert not info.asleep


async def plays(member: Member, session: Session) -> None:
    """Answer every question until the game is over."""
    while session.lobby is None or session.lobby.phase != "result":
        session.receive(await member.receive())
        view = session.view
        if view is not None and view.legal and session.pending is None:
            member.send(session.act(view.legal[0]))


async def test_a_finished_game_counts_in_the_league_that_members_ask_for(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        anna, bert, cleo = Member(server), Member(server), Member(server)
        await cleo.tables()
        cleo.send(AskLeague())
        before = await cleo.until(League)
        assert (before.season > 8000, before.rows) == (True, ())
        secret, _ = await anna.opens("anna")
        bert.send(hello("bert", secret=secret))
        await bert.until(Lobby)
        sessions = Session(), Session()
        anna.send(AddBot(bot="random"))
        bert.send(SetReady(ready=True))
        while not any(
            each.name == "bert" and each.ready for each in (await anna.until(Lobby)).seats
        ):
            pass
        anna.send(Start())
        await asyncio.gather(plays(anna, sessions[0]), plays(bert, sessions[1]))
        for season in (None, 0, 1, 40_000):
            cleo.send(AskLeague(season))
            league = await cleo.until(League)
            assert league.season == (0 if season == 0 else before.season)
            assert {(row.name, row.place is None) for row in league.rows} == {
                ("anna", False),
                ("bert", False),
                ("random", True),
            }
            assert [row.games for row in league.rows] == [1, 1, 1]
        anna.send(AskLeague())
        assert (await anna.until(Refused)).code == "another_table"


@in_no_time
async def test_a_table_that_was_woken_for_nothing_sleeps_again(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as server:
        anna = Member(server)
        secret, key = await anna.opens("anna")
        await anna.begins()
        await anna.channel.close()
        await asyncio.sleep(SLEEP_AFTER_S + 1)
        assert are_asleep(server) == [True]
        assert isinstance(server._journal, Journal)
        kept = server._journal.status()["commits"]
        for wrong in (
            hello("bert", secret=secret, key=bytes(32)),
            hello("bert", secret=secret),
            hello("anna", secret=secret, spectator=True),
        ):
            bert = Member(server)
            bert.send(wrong)
            await bert.receive_one(Refused)
            assert are_asleep(server) == [False]
            await asyncio.sleep(SLEEP_AGAIN_AFTER_S + 1)
            assert are_asleep(server) == [True]
        assert server._journal.status()["commits"] == kept
        watcher = Member(server)
        watcher.send(hello("bert", secret=secret, spectator=True))
        await watcher.until(State)
        await asyncio.sleep(SLEEP_AGAIN_AFTER_S + 1)
        assert are_asleep(server) == [False]
        again = Member(server)
        again.send(hello("anna", secret=secret, key=key))
        await again.until(State)


@in_no_time
async def test_one_network_wakes_tables_at_a_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = int(NETWORK_MS.burst / TURN_MS)
    path = tmp_path / "tables.db"
    async with opened(path) as server:
        for _ in range(2 * at_once + 5):
            await Member(server).opens("anna")
    async with opened(path) as server:
        monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "192.0.2.1")
        members = [Member(server) for _ in server.registry.entries]
        for member, entry in zip(members, server.registry.entries, strict=True):
            member.send(hello("bert", secret=entry.secret, key=bytes(32)))
        turn_s = TURN_MS / NETWORK_MS.per_s
        await asyncio.sleep(0.5 * turn_s)
        assert are_asleep(server).count(False) == at_once
        # The last member would have to wait too long.
        refused = await members[-1].receive()
        assert isinstance(refused, Refused)
        assert refused.code == "too_many_came"
        *_, last = server.registry.entries
        monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "192.0.2.2")
        honest = Member(server)
        honest.send(hello("cleo", secret=last.secret, spectator=True))
        await honest.receive_one(Welcome)
        # Other frames use these turns too, so one table fewer may be awake.
        await asyncio.sleep(5 * turn_s)
        assert are_asleep(server).count(False) - at_once in (1 + 4, 1 + 5)


@in_no_time
async def test_who_waits_for_a_table_meets_the_invitation_that_it_has_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_s = 1.0
    limits = replace(CLUB_LIMITS, network_ms=Rate(TURN_MS / turn_s, burst=3.5 * TURN_MS))
    async with opened(tmp_path / "tables.db", limits=limits) as server:
        anna, bert = Member(server), Member(server)
        secret, annas = await anna.opens("anna")
        berts = await bert.comes("bert", secret)
        for each in (anna, bert):
            await each.channel.close()
        await asyncio.sleep(0)
        await put_to_sleep(server)
        monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "192.0.2.1")
        housemate, eve, bert = Member(server), Member(server), Member(server)
        await housemate.tables()
        for _ in range(3):
            housemate.send(AskLeague())
            await housemate.receive_one(League)
        eve.send(hello("eve", secret=secret, spectator=True))
        bert.send(hello("bert", secret=secret, key=berts))
        await asyncio.sleep(0.5 * turn_s)
        monkeypatch.setattr(channel._MemoryChannelEnd, "peer", "")
        anna = Member(server)
        await anna.comes("anna", secret, annas)
        anna.send(NewInvitation())
        await asyncio.sleep(2 * turn_s)
        assert await eve.receive() == Refused(code="no_such_table")
        await bert.receive_one(Welcome)


@in_no_time
async def test_a_table_that_is_due_to_sleep_while_the_disk_is_full_sleeps_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise UnavailableError("The disk is full.")

    async with opened(tmp_path / "tables.db") as server:
        anna = Member(server)
        secret, _ = await anna.opens("anna")
        await anna.begins()
        with monkeypatch.context() as patch:
            patch.setattr(Store, "commit", fail)
            anna.send(Chat(text="Hail!"))
            await anna.until(Talk)
            await anna.channel.close()
            await asyncio.sleep(3 * SLEEP_AFTER_S)
            assert are_asleep(server) == [False]
        await asyncio.sleep(RETRY_S + SLEEP_AFTER_S)
        assert are_asleep(server) == [True]
        watcher = Member(server)
        watcher.send(hello("bert", secret=secret, spectator=True))
        talk = await watcher.until(Talk)
        assert [line.text for line in talk.lines] == ["Hail!"]


async def test_an_empty_lobby_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    async with opened(path) as server:
        anna = Member(server)
        await anna.opens("anna")
        anna.send(AddBot(bot="random"))
        await anna.until(Lobby)
        anna.send(Leave())
        await anna.until(Goodbye)
        await settled(server)
        await put_to_sleep(server)
        assert list(server.registry.entries) == []
        assert await Member(server).tables() == ()
    async with opened(path) as server:
        assert list(server.registry.entries) == []


async def test_a_table_that_cannot_be_woken_is_said_to_be_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from netcode.table.errors import StoreError

    async with opened(tmp_path / "tables.db") as server:
        secret, _, _ = await deserted(server)

        async def load(number: int) -> None:
            raise StoreError("The journal is damaged.")

        monkeypatch.setattr(server._journal, "load", load)
        bert = Member(server)
        bert.send(hello("bert", secret=secret))
        assert await bert.receive() == Goodbye(code="table_damaged")
        with pytest.raises(ChannelClosedError):
            await bert.receive()
        assert await Member(server).tables() != ()


@in_no_time
async def test_members_have_longer_to_say_hello(tmp_path: Path) -> None:
    async with opened(tmp_path / "tables.db") as opened_club:
        stranger, member = Member(opened_club), Member(opened_club)
        assert await member.tables() == ()
        assert await stranger.receive() == Goodbye(code="hello_overdue")
        assert await member.tables() == ()


async def test_there_is_a_bound_on_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.wings.clubs.club_tables.MOST_TABLES", 1)
    async with opened(tmp_path / "tables.db") as server:
        await Member(server).opens("anna")
        bert = Member(server)
        await bert.tables()
        bert.send(OpenTable(settings=TableSettings()))
        assert await bert.receive() == Refused(code="too_many_tables")


async def test_a_new_invitation_locks_out_whoever_was_sent_away(tmp_path: Path) -> None:
    """The former secret, the former code and the club's list no longer admit to the table."""
    path = tmp_path / "tables.db"
    async with opened(path) as server:
        anna, bert, cleo = Member(server), Member(server), Member(server)
        secret, key = await anna.opens("anna")
        (entry,) = server.registry.entries
        code = entry.code
        berts = await bert.comes("bert", secret)
        cleos = await cleo.comes("cleo", secret)
        anna.send(SendAway(name="bert"))
        assert await bert.until(Goodbye) == Goodbye(code="removed")
        anna.send(NewInvitation())
        fresh = secret
        while fresh == secret:
            fresh = (await cleo.until(Lobby)).secret or secret
        assert (entry.code[:3], entry.code == code) == (code[:3], False)
        assert await Member(server).tables() == ()
        cleo.channel.abort()
        for again in (None, berts, bytes(32)):
            bert = Member(server)
            bert.send(hello("bert", secret=secret, key=again))
            await bert.receive_one(Refused)
        key = await Member(server).comes("cleo", secret, cleos)
        dora = Member(server)
        await dora.comes("dora", fresh)
        cleos = key
    async with opened(path) as server:
        assert await Member(server).tables() == ()
        bert = Member(server)
        bert.send(hello("bert", secret=secret))
        assert await bert.receive() == Refused(code="invitation_renewed")
        await Member(server).comes("cleo", secret, cleos)
        await Member(server).comes("emil", fresh)
