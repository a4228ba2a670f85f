"""Which process of a club has which table."""

from random import Random

import pytest

from driflamme_tui.cli.commands.club_commands import MOST_PROCESSES
from netcode.joining.spoken_code import SpokenCodeClient, new_code, room_of
from netcode.protocol.club_messages import Club, Elsewhere
from netcode.protocol.code_messages import Knock
from netcode.protocol.messages import PROTOCOL, Hello
from netcode.server.admission import Admission, Enter, PendingConnection
from netcode.server.club_shards import SLOTS, Shard, agreeing_code, new_secret
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.table import Table

CLUB_SECRET = bytes(12)


def opened(shard: Shard, rng: Random) -> TableEntry:
    code = shard.new_code(rng.randbytes, frozenset())
    secret = new_secret(rng.randbytes, room_of(code))
    return TableEntry(1, secret, code, Table(rng, lambda: rng.randbytes(32)))


@pytest.mark.parametrize("of", [1, 2, 3, SLOTS])
def test_secret_and_room_lead_to_one_process_and_to_no_other(of: int) -> None:
    rng = Random(of)
    shards = [Shard(index, of, 4000) for index in range(of)]
    for shard in shards:
        entry = opened(shard, rng)
        assert [each.has(entry.secret) for each in shards].count(True) == 1
        assert shard.has(entry.secret)
        for each in shards:
            assert each.port_of(entry.secret) == each.port_of(entry.room) == shard.port


def test_new_invitations_of_a_table_stay_in_its_process() -> None:
    rng = Random(1)
    shard = Shard(1, 3, 4000)
    entry = opened(shard, rng)
    registry = TableRegistry([entry], shard=shard)
    for _ in range(20):
        registry.renew(entry, rng.randbytes)
        assert shard.has(entry.secret)
        assert shard.has(entry.room)


def test_a_table_from_before_there_were_shards_gets_a_code_that_leads_to_it() -> None:
    rng = Random(1)
    for _ in range(20):
        code, secret = new_code(rng.randbytes, ()), rng.randbytes(12)
        agreed = agreeing_code(code, secret, rng.randbytes, frozenset())
        for of in (2, 3, 5):
            shard = Shard(0, of, 4000)
            assert shard.port_of(room_of(agreed)) == shard.port_of(secret)
        assert agreeing_code(agreed, secret, rng.randbytes, frozenset()) == agreed


def test_who_comes_to_another_process_is_sent_where_the_table_is() -> None:
    rng = Random(1)
    shards = [Shard(index, 2, 4000) for index in range(2)]
    entries = [opened(shard, rng) for shard in shards]
    doors = [
        Admission(TableRegistry([entry], club_secret=CLUB_SECRET, shard=shard))
        for shard, entry in zip(shards, entries, strict=True)
    ]

    def hello(secret: bytes) -> Hello:
        return Hello(protocol=PROTOCOL, program="", name="a", secret=secret)

    for index, door in enumerate(doors):
        for entry, shard in zip(entries, shards, strict=True):
            here = shard.index == index
            said = door.receive(PendingConnection(), hello(entry.secret), 0.0)
            assert said == (Enter(entry, hello(entry.secret)) if here else Elsewhere(shard.port))
            knocker = SpokenCodeClient(entry.code, b"")
            knock = Knock(protocol=PROTOCOL, room=entry.room, share=knocker.share)
            if not here:
                assert door.receive(PendingConnection(), knock, 0.0) == Elsewhere(shard.port)
    # Members are told of the tables of all by the first.
    assert isinstance(doors[0].receive(PendingConnection(), hello(CLUB_SECRET), 0.0), Club)
    assert doors[1].receive(PendingConnection(), hello(CLUB_SECRET), 0.0) == Elsewhere(4000)


def test_there_are_no_more_processes_than_slots() -> None:
    assert MOST_PROCESSES == SLOTS
