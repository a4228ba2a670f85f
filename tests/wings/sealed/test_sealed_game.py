"""Tests a host of sealed games: it forwards and stores parcels, and counts finished games."""

from typing import Any

import pytest
from msgspec.structs import replace

from netcode.protocol.fields import TableNotice
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    ChangeSettings,
    EndGame,
    Hello,
    Leave,
    Pause,
    Refused,
    SendAway,
    SetReady,
    Start,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.snapshot import Location
from netcode.table.table import Table
from netcode.wings.sealed.game.encoding import AddressBody, DealBody, EntryBody, SealBody, unpack
from netcode.wings.sealed.game.parcels import Parcel, public_key
from netcode.wings.sealed.game.sealed_person import PersonSecrets
from netcode.wings.sealed.kind import new_key_of
from netcode.wings.sealed.messages import (
    AllowTakeover,
    HandOver,
    LogAt,
    Sealed,
    StartTakeover,
    Unannounced,
)
from netcode.wings.sealed.sealings import sealings_of
from tests.support.dates import unix_time
from tests.wings.sealed.game.stand_in import plant_stand_in, signed
from tests.wings.sealed.sealed_world import NAMES, OPENED, SealedWorld, Someone, dealt


@pytest.fixture(autouse=True)
def cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


def under_way(seed: int, steps: int, **options: Any) -> SealedWorld:
    """Return a table after this many steps."""
    world = dealt(seed=seed, **options)
    world.play_to(steps)
    assert world.phase == "playing"
    return world


def test_who_comes_in_the_middle_is_told_everything_in_order() -> None:
    world = under_way(2, 30)
    one = world.people[1]
    one.go()
    one.received.clear()
    one.come()
    world.flow()
    first = next(each for each in one.received if isinstance(each, Sealed))
    kinds = [type(unpack(body)).__name__ for body, _ in first.parcels]
    assert kinds[:7] == ["SealingBody", *["SealBody"] * 3, *["DealBody"] * 3]
    # The end of the host's log follows.
    after = one.received[one.received.index(first) + 1]
    assert isinstance(after, LogAt)
    assert after.n == max(
        said.n for body, _ in first.parcels if isinstance(said := unpack(body), EntryBody)
    )


def sizes(one: Someone) -> list[int]:
    """Return the number of parcels in each message to a person."""
    return [len(each.parcels) for each in one.received if isinstance(each, Sealed)]


def test_seals_are_told_all_at_once_and_the_lobby_says_who_is_waited_for() -> None:
    world = SealedWorld()
    ada, _, cem = world.people
    world.lose = lambda whose, parcel: whose is cem
    world.seal()
    assert (ada.lobby.dealing, sizes(ada)) == (("Cem",), [1])
    world.lose = lambda whose, parcel: False
    cem.go()
    cem.come()
    world.flow()
    assert ada.lobby.dealing is None
    assert sizes(ada)[:2] == [1, 3]


def test_a_seal_that_is_refused_is_told_all_so_that_they_see_whose_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seal = PersonSecrets.seal

    def copied(self: PersonSecrets) -> Parcel:
        """Return a person's seal. The last leaf of the last person repeats the first leaf."""
        said = unpack(seal(self).body)
        assert isinstance(said, SealBody)
        (leaves,) = said.leaves
        more = (*leaves[:9], leaves[0]) if self.person == 2 else leaves
        return signed(self.key, replace(said, leaves=(more,)))

    monkeypatch.setattr(PersonSecrets, "seal", copied)
    world = dealt()
    for other in world.people[:2]:
        assert sizes(other) == [1, 3]
        assert other.codes == [("equal_leaves", "")]
        assert other.news.notices[0].values["names"] == ("Cem",)
        assert other.lobby.dealing == ("Cem",)
    world.restart()
    assert sizes(world.people[0])[-1] == 4


def test_a_table_gives_up_after_many_broken_deals() -> None:
    world = SealedWorld()
    world.lose = lambda whose, parcel: isinstance(unpack(parcel.body), DealBody)
    for _ in range(9):
        world.seal()
        world.people[0].send_as_player(EndGame())
        world.flow()
    reason = world.people[0].lobby.missing
    assert reason is not None
    assert reason.code == "too_many_broken"


def test_a_deal_that_nobody_counts_leaves_no_trace() -> None:
    world = SealedWorld()
    world.begin()
    world.people[1].go()
    world.people[0].send_as_player(EndGame())
    world.flow()
    assert sealings_of(world.table._wing_records).broken == ()


def test_keys_are_brought_to_sealed_tables_alone() -> None:
    world = SealedWorld()
    ada, bob, cem = world.people
    one, other = (public_key(bytes([each]) * 32) for each in (1, 2))
    bob.send_to_host(SetReady(ready=True))
    bob.send_to_host(SetReady(ready=True, game_key=bytes(32)))
    cem.send_to_host(SetReady(ready=True, game_key=one))
    world.flow()
    assert bob.refusals == ["game_key_missing", "weak_key"]
    assert not bob.lobby.seats[1].ready
    bob.send_to_host(SetReady(ready=True, game_key=one))
    world.flow()
    assert bob.refusals[2:] == ["equal_keys"]
    bob.send_to_host(SetReady(ready=True, game_key=other))
    ada.send_to_host(Start())
    world.flow()
    assert ada.refusals == ["game_key_missing"]
    ada.send_to_host(ChangeSettings(TableSettings()))
    bob.send_to_host(SetReady(ready=True, game_key=other))
    ada.send_to_host(Sealed(((b"x", b""),)))
    world.flow()
    assert bob.refusals[3:] == ["game_key_unasked"]
    assert ada.refusals[1:] == ["table_not_sealed"]


def test_bots_are_where_the_host_sits_and_persons_are_two() -> None:
    reason = SealedWorld(["Ada"], bots=2).people[0].lobby.missing
    assert reason is not None
    assert reason.code == "too_few_persons"
    world = SealedWorld(NAMES[:2], bots=1, watchers=1)
    participants = world.table.participants
    participants.seats[0].host, participants.spectators[0].host = False, True
    world.watchers[0].send_to_host(AddBot(bot="steady"))
    world.flow()
    missing = world.table.games.missing()
    assert missing is not None
    assert missing.code == "bots_need_host"


def test_a_pause_holds_up_steps_and_nothing_else() -> None:
    world = under_way(5, 10)
    person, height = world.deciding, world.height
    world.people[0].send_as_player(Pause(paused=True))
    world.flow()
    world.lose = lambda whose, parcel: False
    log = world.log
    answer = person.own.act(height + 1, log.tip, log.game.turn, str(log.game.legal[0]))
    for one in world.people:
        one.cheat(*one.log.parcels()[-4:])
    person.cheat(answer)
    assert world.height == height
    assert person.refusals[-1] == "paused"
    world.people[0].send_as_player(Pause(paused=False))
    world.flow()
    person.cheat(answer)
    world.play()
    assert world.phase == "result"


def test_the_key_of_a_game_opens_no_seat_of_who_has_come_since() -> None:
    world = dealt(seed=6)
    world.play()
    assert new_key_of(world.table, 1) is not None
    world.people[1].send_as_player(Leave())
    world.flow()
    hello = Hello(protocol=PROTOCOL, program="", name="Bob")
    world.execute(world.table.receive(99, hello, world.now))
    assert "Bob" in world.table.participants.names
    for table in (
        world.table,
        Table.restore(world.snapshot, world.rng, world.new_key, unix_time=unix_time),
    ):
        assert new_key_of(table, 1) is None


def test_who_is_sent_away_has_no_line_and_their_seat_is_voted_on() -> None:
    world = under_way(6, 12)
    ada, bob, _ = world.people
    ada.send_as_player(SendAway(name="Bob"))
    world.flow()
    assert not bob.is_here
    assert [seat.name for seat in ada.lobby.seats] == ["Ada", "Bob", "Cem"]
    bob.come()
    world.flow()
    assert bob.refusals == ["unknown_key"]
    # The key of the game gives no other seat, not even after a restart.
    for table in (
        world.table,
        Table.restore(world.snapshot, world.rng, world.new_key, unix_time=unix_time),
    ):
        assert [new_key_of(table, one) is None for one in range(3)] == [False, True, False]
    bob.go()
    world.play()
    assert world.phase == "result"
    assert {entry.author for entry in ada.log.entries[-20:]} >= {None}
    assert ada.lobby.evening.games == 1
    # A player with closed cards ranks behind all others.
    assert ada.lobby.evening.standings[-1].name == "Bob"
    ada.send_as_player(SendAway(name="Bob"))
    world.flow()
    assert [seat.name for seat in ada.lobby.seats] == ["Ada", "Cem"]


def test_a_person_is_told_where_others_logs_end() -> None:
    world = under_way(8, 8)
    ada, bob, cem = world.people
    for each in world.people:
        each.received.clear()
    bob.compare()
    world.flow()
    log = bob.log
    said = LogAt(gid=log.sealing.gid, n=log.height, tip=log.tip, person=1)
    assert said in ada.received
    assert said in cem.received
    persons = [each.person for each in bob.received if isinstance(each, LogAt)]
    assert set(persons) <= {None, 0, 2}


def test_somebody_is_told_their_whole_log_again_only_so_often() -> None:
    world = under_way(8, 8, watchers=1)
    watcher = world.watchers[0]
    watcher.received.clear()
    for _ in range(50):
        watcher.send_to_host(LogAt(gid=bytes(32), n=0, tip=bytes(32)))
    world.flow()
    assert len([each for each in watcher.received if isinstance(each, LogAt)]) == 8


def test_spectators_send_nothing() -> None:
    world = under_way(8, 8, watchers=1)
    watcher = world.watchers[0]
    watcher.send([world.log.entries[0].parcel])
    world.flow()
    assert watcher.refusals == ["not_seated"]


def test_a_table_with_doors_is_not_sealed() -> None:
    world = SealedWorld()
    world.table.allow_local_guests()
    world.seal()
    assert world.people[0].refusals == ["doors_open"]
    assert world.phase == "lobby"


def relay(one: Someone, time: int, address: str = "192.0.2.1:4000") -> Parcel:
    sealing, me = one.person.sealing, one.person.me
    assert sealing is not None
    assert me is not None
    return one.person.sign(AddressBody(sealing.gid, me, bytes(32), time, 0, (address,)))


def relays_received(one: Someone) -> list[Parcel]:
    return [parcel for parcel in one.parcels if parcel.body[1:7] == b"\xa5relay"]


def test_a_lobby_says_whose_machines_may_carry_the_table_on() -> None:
    world = SealedWorld()
    a, b, c = world.people
    a.send_as_player(AllowTakeover(True))
    b.send_as_player(AllowTakeover(True))
    world.flow()
    assert list(c.lobby.successors) == ["Ada", "Bob"]
    a.send_as_player(AllowTakeover(False))
    b.go()
    world.flow()
    assert not c.lobby.successors


FAR, HERE, TUNNEL = 0, 4000, 5000


@pytest.mark.parametrize(
    ("ports", "promised"),
    [
        ((FAR, FAR), ["Bob", "Cat"]),
        ((HERE, HERE), ["Bob", "Cat"]),
        ((HERE, FAR), ["Cat"]),
        ((TUNNEL, FAR), ["Cat"]),
        ((TUNNEL, HERE), []),
        ((TUNNEL, TUNNEL), []),
    ],
)
def test_a_lobby_promises_only_machines_that_all_others_can_call_by_the_addresses(
    ports: tuple[int, int], promised: list[str]
) -> None:
    world = SealedWorld()
    host, *guests = world.people
    for one, port in zip(guests, ports, strict=True):
        # If both ends of a loopback connection have the same port, there is no tunnel.
        assert one.connection is not None
        world.table._connections.states[one.connection].port = HERE
        one.send_as_player(AllowTakeover(True, port))
    host.send_as_player(AllowTakeover(True))
    world.flow()
    there = [seat.name for seat in host.lobby.seats if seat.name != "Ada"]
    expected = [there[["Bob", "Cat"].index(name)] for name in promised]
    assert [name for name in host.lobby.successors if name != "Ada"] == expected


def test_where_somebody_can_be_called_is_told_among_those_who_have_said_so_of_themselves() -> None:
    world = dealt()
    a, b, c = world.people
    mine, theirs = relay(a, 1), relay(b, 1)
    a.send([mine])
    world.flow()
    assert not relays_received(b)
    b.send([theirs])
    world.flow()
    assert relays_received(b) == [mine, theirs]
    assert relays_received(a) == [mine, theirs]
    assert not relays_received(c)
    assert not any(isinstance(each, Refused) for each in (*a.received, *b.received))


def test_what_is_older_or_signed_by_another_is_not_passed_on() -> None:
    world = dealt()
    a, b, _c = world.people
    a.send([relay(a, 1)])
    b.send([relay(b, 5)])
    world.flow()
    before = relays_received(a)
    b.send([relay(b, 4)])
    forged, later = Parcel(relay(b, 9).body, relay(a, 9).signature), relay(b, 6)
    b.send([later, forged])
    world.flow()
    assert relays_received(a) == before
    assert b.refusals[-1] == "bad_signature"
    # The rest of the message was not accepted, so the parcel is still new.
    b.send([later])
    world.flow()
    assert relays_received(a) == [*before, later]


def test_a_host_hands_the_table_to_who_allows_it() -> None:
    world = dealt()
    a, b, c = world.people
    b.send_as_player(AllowTakeover(True))
    a.send_as_player(HandOver("Bob"))
    a.send_as_player(HandOver("Cem"))
    c.send_as_player(HandOver("Bob"))
    world.flow()
    assert any(isinstance(each, StartTakeover) for each in b.received)
    assert not any(isinstance(each, StartTakeover) for each in c.received)
    assert a.refusals[-1] == "not_a_successor"
    assert c.refusals[-1] == "not_the_host"


@pytest.mark.parametrize(("announced", "notices"), [(None, 0), (True, 0), (False, 1)])
def test_who_may_take_a_table_over_learns_once_that_it_is_not_announced(
    announced: bool | None, notices: int
) -> None:
    world = SealedWorld()
    world.execute(world.table.open(replace(OPENED, location=Location(announced=announced))))
    a, b, c = world.people
    for allowed in (True, False, True):
        b.send_as_player(AllowTakeover(allowed))
    world.flow()
    assert sum(isinstance(each, Unannounced) for each in b.received) == notices
    assert not any(isinstance(each, Unannounced) for each in (*a.received, *c.received))


class PassThere(TableNotice, frozen=True):
    """A notice of this test."""

    link: str


def test_a_late_or_changed_notice_reaches_the_programs_that_may_take_the_table_over() -> None:
    world = SealedWorld()
    table = world.table
    a, b, c = world.people
    b.send_as_player(AllowTakeover(True))
    world.flow()
    for link in ("old", "old", "new"):
        table.set_notice(PassThere(link))
        world.execute(table.changed())
        world.flow()
    b.send_as_player(AllowTakeover(False))
    world.flow()
    assert [each for each in b.received if isinstance(each, PassThere)] == [
        PassThere("old"),
        PassThere("new"),
    ]
    assert not any(isinstance(each, PassThere) for each in (*a.received, *c.received))
