"""Tests the choice of a table's next host when hosts are lost, return, or hand over."""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

import pytest

from netcode.client import connectors
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from netcode.wings.sealed.game.encoding import AddressBody, SealedError
from netcode.wings.sealed.game.parcels import signed_parcel
from netcode.wings.sealed.game.sealing import log_in, logged_in
from netcode.wings.sealed.takeover.callable_addresses import callable_at
from netcode.wings.sealed.takeover.decision import (
    AHEAD_S,
    ALONE_S,
    BEGAN_AHEAD_S,
    GRACE_S,
    HOST,
    MOST_ADDRESSES,
    MUTE_S,
    PATIENCE_S,
    Dial,
    Follow,
    GiveUp,
    SendAddresses,
    StepBack,
    TakeOver,
    TakeoverDecision,
)
from netcode.wings.sealed.takeover.host_call import any_of
from tests.support.planted import Wrong, plant
from tests.wings.sealed.game.sealed_tables import SealedTable
from tests.wings.sealed.game.stand_in import plant_stand_in
from tests.wings.sealed.takeover.machines import World, may_know

Called = Callable[..., Any]

UNIX_S = 1_800_000_000

SOON_S = 10
"""Maximum seconds until a table continues after its host is gone."""

TROUBLES_S = 60
"""Seconds with troubles; afterwards there are none."""

SETTLED_S = 150
"""Maximum seconds until all share one table again."""


@pytest.fixture
def five(monkeypatch: pytest.MonkeyPatch) -> World:
    """Return five machines that all allow a takeover; the first one hosts."""
    plant_stand_in(monkeypatch)
    return World()


def test_two_hosts_are_lost_in_a_row_and_nobody_types_anything(five: World) -> None:
    machines = five.machines
    machines[0].crash()
    five.run(SOON_S)
    assert five.plays_at() == [1] * 4
    machines[1].crash()
    five.run(SOON_S)
    assert (five.plays_at(), five.hosting()) == ([2] * 3, {2})
    # Machines that return join the table of the others.
    machines[0].start()
    machines[1].start()
    five.run(SOON_S)
    assert five.plays_at() == [2] * 5


def test_a_network_that_splits_and_heals_has_one_host_again(five: World) -> None:
    five.part({3: 1, 4: 1})
    five.run(40)
    assert five.plays_at() == [0, 0, 0, 3, 3]
    five.part({})
    five.run(60)
    assert (five.plays_at(), five.hosting()) == ([3] * 5, {3})


def test_by_hand_and_handing_over_need_nobodys_leave(five: World) -> None:
    five.machines[4].decision.ask_to_open()
    five.run(30)
    assert (five.plays_at(), five.hosting()) == ([4] * 5, {4})


def test_who_sees_the_host_no_more_is_bridged_by_who_does(five: World) -> None:
    five.blocked = {frozenset((0, 4))}
    five.part({})
    five.run(40)
    bridge = five.plays_at()[4]
    assert five.plays_at()[:4] == [0] * 4
    assert bridge in (1, 2, 3)
    assert five.hosting() == {0, bridge}
    five.blocked.clear()
    five.run(90)
    assert (five.plays_at(), five.hosting()) == ([0] * 5, {0})


Pairs = Collection[tuple[int, int]]
"""Pairs of a caller and a listener whom the caller can reach."""


def see_where_all_play(can_call: Pairs, left: range, seed: int = 1) -> None:
    """Assert that all machines find one table after the host is lost, or detect the split.

    The host is person 0, or a separate machine if `left` contains 0.
    """
    world = World(seed, left.stop, 0 if left.start else HOST)
    world.uncallable = {*permutations(left, 2)} - {*can_call}
    world.machines[world.host].crash()
    world.run(SETTLED_S)
    plays_at = world.plays_at()
    assert None not in plays_at
    if any({(other, one) for other in left if other != one} <= {*can_call} for one in left):
        assert len({*plays_at}) == 1, f"there are several tables: {plays_at}"
        assert world.hosting() == {*plays_at}
    split = {each.number: each.decision.split for each in world.persons}
    elsewhere = {each.number: {*left} - world.at_table(each) for each in world.persons}
    assert split == elsewhere, f"it is otherwise: {plays_at}"
    world.run(SETTLED_S)
    assert world.plays_at() == plays_at, "nobody stays anywhere"


def pairs(left: range, number: int) -> Pairs:
    """Return the pairs in one of all possible sets; `number` has a bit for each pair."""
    return [each for at, each in enumerate(permutations(left, 2)) if number >> at & 1]


@pytest.mark.parametrize("left", [range(1, 3), range(1, 4), range(3)], ids=str)
def test_whoever_can_call_whom_they_play_at_one_table_or_read_of_the_split(
    left: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_stand_in(monkeypatch)
    for number in range(2 ** (len(left) * (len(left) - 1))):
        try:
            see_where_all_play(pairs(left, number), left)
        except AssertionError as error:
            error.add_note(f"with {pairs(left, number)}")
            raise


def see_many(*seeds: int) -> None:
    """For each seed, draw which of four machines can call each other, and check their tables.

    In 60 % of the draws, one machine can certainly be called by all others.
    """
    left = range(1, 5)
    for seed in seeds:
        rng = Random(seed)
        share = rng.choice((0.3, 0.5, 0.7))
        can_call = {each for each in permutations(left, 2) if rng.random() < share}
        if rng.random() < 0.6:
            one = rng.choice(left)
            can_call |= {(other, one) for other in left if other != one}
        try:
            see_where_all_play(can_call, left, seed)
        except AssertionError as error:
            error.add_note(f"with seed {seed}: {sorted(can_call)}")
            raise


@pytest.mark.parametrize(
    "seeds",
    [
        range(30),
        *(
            pytest.param(range(first, first + 500), marks=pytest.mark.long)
            for first in range(30, 4_000, 500)
        ),
    ],
    ids=str,
)
def test_of_four_too(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)
    see_many(*seeds)


def live_through(*seeds: int) -> None:
    """Assert that tables are united again after all troubles."""
    for seed in seeds:
        try:
            _live_through(seed)
        except AssertionError as error:
            error.add_note(f"with seed {seed}")
            raise


def _live_through(seed: int) -> None:
    rng = Random(seed)
    persons = rng.randint(3, 5)
    allow = {number for number in range(persons) if rng.random() < 0.85}
    world = World(seed, persons, rng.choice((HOST, *range(persons))), allow)
    machines = [*world.machines.values()]
    for _ in range(rng.choice((1, 2, 4))):
        machine, at = rng.choice(machines), rng.uniform(0, TROUBLES_S)
        world.later(at, machine.crash)
        if rng.random() < 0.6 or machine is machines[-1]:
            world.later(at + rng.choice((1, 8, 40)), machine.start)
    for _ in range(rng.choice((0, 1, 2))):
        sides = {machine.number: rng.randrange(2) for machine in machines}
        world.later(rng.uniform(0, TROUBLES_S - 5), partial(world.part, sides))
    for _ in range(rng.choice((0, 1, 3))):
        world.later(rng.uniform(0, TROUBLES_S), world.cut_any)
    world.later(TROUBLES_S, partial(world.part, {}))
    world.run(TROUBLES_S + 41)
    for _ in range(SETTLED_S // 5):
        world.link()
        world.run(5)
    # A machine that does not allow a takeover learns no later address, so it may stay at an old
    # table.
    allow_it = [each for each in world.persons if each.allows] or world.persons
    there = {each.decision.plays_at for each in allow_it}
    assert len(there) <= 1, f"there are several tables: {world.plays_at()}"
    assert None not in world.plays_at()
    for number in world.hosting() - there - {world.host}:
        guests = world.machines[number].guests.values()
        assert any(not line.caller.allows for line in guests)


@pytest.mark.parametrize(
    "seeds",
    [
        range(40),
        *(
            pytest.param(range(first, first + 500), marks=pytest.mark.long)
            for first in range(40, 10_000, 500)
        ),
    ],
    ids=str,
)
def test_after_all_troubles_there_is_one_table(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_stand_in(monkeypatch)
    live_through(*seeds)


def never(right: Called) -> Called:
    """Bug: call the right function, but return False."""

    def wrong(self: TakeoverDecision, *arguments: float) -> bool:
        right(self, *arguments)
        return False

    return wrong


def nothing(_right: Called) -> Called:
    """Bug: do nothing."""
    return lambda *_: None


def unless_first(right: Called) -> Called:
    """Bug: return False for the first of the possible hosts."""

    def wrong(self: TakeoverDecision, *arguments: float) -> bool:
        is_first = self.me == min(self.possible_hosts, default=0)
        return not is_first and bool(right(self, *arguments))

    return wrong


FOUND_WITH: dict[str, tuple[Callable[[int], None], int, Wrong]] = {
    "everybody_opens_and_nobody_steps_back": (
        live_through,
        389,
        Wrong(TakeoverDecision._is_to_step_back, never),
    ),
    "nobody_opens_before_all_others_have": (
        live_through,
        154,
        Wrong(TakeoverDecision._is_to_open, unless_first),
    ),
    "nobody_opens_for_those_who_cannot_be_called": (
        see_many,
        0,
        Wrong(TakeoverDecision._is_to_overtake, never),
    ),
    "nobody_reads_of_a_split": (
        see_many,
        1,
        Wrong(TakeoverDecision._look_for_split, nothing),
    ),
}
"""Planted bugs, each with the test and seed that find it."""


@pytest.mark.parametrize("name", FOUND_WITH)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    see, seed, wrong = FOUND_WITH[name]
    plant_stand_in(monkeypatch)
    plant(wrong, monkeypatch)
    with pytest.raises(AssertionError):
        see(seed)


def decision_of(table: SealedTable, me: int, line: int | None) -> TakeoverDecision:
    addresses = (f"192.0.2.{me}",)
    return TakeoverDecision(table.sealing, me, table.keys[me], bytes(32), addresses, line)


def learns_of(mine: TakeoverDecision, table: SealedTable, person: int, began: int = 0) -> None:
    """Let a machine receive the address of another person's machine."""
    body = AddressBody(table.sealing.gid, person, bytes(32), UNIX_S, began, ("192.0.2.1",))
    mine.receive_addresses(signed_parcel(table.keys[person], body), UNIX_S)


def test_who_says_who_they_are_says_it_to_one_alone() -> None:
    table = SealedTable(1)
    challenge, pin = bytes([1]) * 32, bytes([2]) * 32
    said = log_in(table.sealing, 1, table.keys[1], challenge, pin)
    assert logged_in(table.sealing, said, challenge, pin) == 1
    for other in ((pin, pin), (challenge, challenge)):
        with pytest.raises(SealedError, match="bad_signature"):
            logged_in(table.sealing, said, *other)
    forged = log_in(table.sealing, 1, table.keys[0], challenge, pin)
    with pytest.raises(SealedError, match="bad_signature"):
        logged_in(table.sealing, forged, challenge, pin)
    with pytest.raises(SealedError, match="malformed"):
        logged_in(table.sealing, table.people[1].missing(1, pin), challenge, pin)


def test_what_others_tell_of_themselves() -> None:
    table = SealedTable(1)
    mine, gid = decision_of(table, 0, 2), table.sealing.gid

    def is_accepted(time: int, began: int = 0, key: int = 1) -> bool:
        body = AddressBody(gid, 1, bytes(32), time, began, (f"192.0.2.{time % 200}",))
        return mine.receive_addresses(signed_parcel(table.keys[key], body), UNIX_S)

    assert not may_know(mine, 1)
    assert is_accepted(UNIX_S)
    assert may_know(mine, 1)
    # The latest address counts; far future dates and false signatures are refused.
    assert not is_accepted(UNIX_S - 1)
    assert is_accepted(UNIX_S + 5)
    for false in (
        (UNIX_S + AHEAD_S + 1,),
        (UNIX_S + 6, UNIX_S + BEGAN_AHEAD_S + 1),
        (UNIX_S + 6, 0, 2),
    ):
        with pytest.raises(SealedError):
            is_accepted(*false)
    mine.lost(2, 10)
    assert mine.advance(10, UNIX_S)[0] == Dial(2, b"", ())
    calls = [deed for deed in mine.advance(14, UNIX_S) if isinstance(deed, Dial)]
    assert calls == [Dial(1, bytes(32), (f"192.0.2.{(UNIX_S + 5) % 200}",))]
    assert mine.possible_hosts == (0, 1)


def test_a_host_that_does_not_answer_is_left_for_longer_each_time() -> None:
    table = SealedTable(1)
    mine, now = TakeoverDecision(table.sealing, 0, table.keys[0], bytes(32), (), 2), 100.0
    learns_of(mine, table, 1, began=UNIX_S)
    for times in range(3):
        mine.reached(1, now)
        assert Follow(1) in mine.advance(now, UNIX_S)
        mine.expect_answer(now)
        mine.unanswered_since = None
        assert GiveUp(1) not in mine.advance(now + MUTE_S, UNIX_S)
        mine.expect_answer(now + MUTE_S)
        mine.expect_answer(now + MUTE_S + 1)
        now += 2 * MUTE_S
        assert GiveUp(1) not in mine.advance(now - 1, UNIX_S)
        assert GiveUp(1) in mine.advance(now, UNIX_S)
        assert mine.plays_at is None
        mine.reached(1, now)
        now += MUTE_S * 2**times
        assert Follow(1) not in mine.advance(now - 1, UNIX_S)


def test_who_carries_where_nobody_can_call_does_so_again_once_they_follow_nobody() -> None:
    table = SealedTable(1)
    mine = TakeoverDecision(table.sealing, 0, table.keys[0], bytes(32), (), 0)
    learns_of(mine, table, 1, began=UNIX_S + 9)
    mine.joined(2, 0)
    mine.reached(1, 0)
    assert Follow(1) in mine.advance(0, UNIX_S)
    mine.lost(1, 1)
    assert TakeOver() not in mine.advance(GRACE_S, UNIX_S)
    assert TakeOver() in mine.advance(1 + GRACE_S, UNIX_S)
    assert (mine.plays_at, mine.began) == (0, UNIX_S + 10)


def test_who_is_alone_beside_a_later_host_steps_back_in_time_and_says_so() -> None:
    table = SealedTable(1)
    mine = decision_of(table, 0, 0)
    learns_of(mine, table, 1, began=UNIX_S + 9)
    mine.joined(2, 0)
    mine.reached(1, 0)
    assert Follow(1) in mine.advance(0, UNIX_S)
    assert StepBack() not in mine.advance(2 * ALONE_S, UNIX_S)
    mine.left(2)
    assert StepBack() not in mine.advance(30, UNIX_S)
    assert StepBack() not in mine.advance(29 + ALONE_S, UNIX_S)
    stepped, notices, *_calls = mine.advance(30 + ALONE_S, UNIX_S)
    assert stepped == StepBack()
    assert isinstance(notices, SendAddresses)
    said = table.sealing.read(notices.parcel)
    assert isinstance(said, AddressBody)
    assert said.began == mine.began == 0


def test_who_comes_later_opens_once_those_before_have_had_their_time() -> None:
    table = SealedTable(1)
    mine = decision_of(table, 2, HOST)
    for person in range(2):
        learns_of(mine, table, person)
    mine.lost(HOST, 0)
    waits = GRACE_S + 2 * PATIENCE_S
    assert TakeOver() not in mine.advance(waits - 1, UNIX_S)
    assert TakeOver() in mine.advance(waits, UNIX_S)


@pytest.mark.parametrize("me", [0, 1])
def test_whoever_has_come_through_a_tunnel_opens_after_those_who_can_be_called(me: int) -> None:
    table = SealedTable(1)
    addresses = ("127.0.0.1:4000",), ("192.168.1.7:4000",)
    mine = TakeoverDecision(table.sealing, me, table.keys[me], bytes(32), addresses[me], HOST)
    other = 1 - me
    body = AddressBody(table.sealing.gid, other, bytes(32), UNIX_S, 0, addresses[other])
    mine.receive_addresses(signed_parcel(table.keys[other], body), UNIX_S)
    mine.lost(HOST, 0)
    mine.advance(GRACE_S - 1, UNIX_S)
    assert (TakeOver() in mine.advance(GRACE_S, UNIX_S)) is (me == 1)
    if me == 0:
        mine.reached(1, GRACE_S)
        assert TakeOver() not in mine.advance(GRACE_S + PATIENCE_S - 1, UNIX_S)


def test_at_a_players_word_few_addresses_are_called_and_not_often() -> None:
    table = SealedTable(1)
    mine, called = decision_of(table, 0, 2), []
    mine.lost(2, 0)
    for second in range(100):
        is_accepted = tuple(f"192.0.2.{8 * second + each}" for each in range(2))
        body = AddressBody(table.sealing.gid, 1, bytes(32), UNIX_S + second, 0, is_accepted)
        assert mine.receive_addresses(signed_parcel(table.keys[1], body), UNIX_S)
        for deed in mine.advance(second, UNIX_S):
            if isinstance(deed, Dial):
                mine.failed(deed.person)
                called += [deed.addresses] if deed.person == 1 else []
    assert len({each for addresses in called for each in addresses}) <= MOST_ADDRESSES
    assert len(called) < 12


FAR = ("192.168.1.7:11214", "[2001:db8::7]:4000")
LOOPBACK = ("127.0.0.1:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000")
LINK_LOCAL = ("169.254.1.1:4000", "[fe80::1]:4000")
NEVER = ("table.example:4000", "192.168.1.7:22", "0.0.0.0:4000", "[ff02::1]:4000", "nonsense:", "")


def test_no_names_no_own_services_and_no_neighbours_by_cable() -> None:
    everything = (*FAR, *LOOPBACK, *LINK_LOCAL, *NEVER)
    assert callable_at(everything, ("192.168.1.2:4000", "")) == FAR
    assert callable_at(everything, ("127.0.0.1",)) == (*FAR, *LOOPBACK)
    assert callable_at(everything, ("169.254.1.2:4000",)) == (*FAR, *LINK_LOCAL)


async def test_of_all_lines_that_are_answered_at_once_one_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = [memory_channel(), memory_channel(), memory_channel()]
    left = iter(pairs)

    async def answered(*_where: object) -> Channel:
        return next(left)[0]

    monkeypatch.setattr(connectors, "connect_tcp", answered)
    reached = await any_of(("192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"), bytes(32))()
    reached.send(b"Hail")
    await asyncio.sleep(0)
    for own, other in pairs:
        if own is reached:
            assert await other.receive() == b"Hail"
        else:
            with pytest.raises(ChannelClosedError):
                await asyncio.wait_for(other.receive(), 1)
