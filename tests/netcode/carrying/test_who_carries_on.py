"""Who carries a table on: one relay after the other is lost, comes back, or hands over."""

from itertools import count

import pytest

from netcode.carrying.who_carries_on import (
    AHEAD_S,
    BEGAN_AHEAD_S,
    MOST_ADDRESSES,
    MUTE_S,
    CarryingOn,
    Dial,
    Follow,
    GiveUp,
)
from netcode.sealed.encoding import AddressBody, SealedError
from netcode.sealed.parcels import signed
from netcode.sealed.sealing import log_in, logged_in
from tests.netcode.sealed.sealed_evening import Evening
from tests.netcode.sealed.sealed_simulation import UNIX_S
from tests.netcode.sealed.sealed_tables import SealedTable
from tests.netcode.sealed.stand_in import plant_stand_in

SOON_S = 10
"""Seconds in which a table goes on after its relay is gone."""


class Calm(Evening):
    """A game in which nothing goes wrong but what a test does."""

    def _plan(self) -> None:
        self.world.run(8)

    def lines(self) -> list[int | None]:
        """Return whose relay each plays at who is up."""
        return [each.carrying.plays_at for each in self.honest if each.carrying is not None]

    def relays(self) -> set[int]:
        return {each.number for each in self.programs.values() if each.is_up and each.relay}


@pytest.fixture
def five(monkeypatch: pytest.MonkeyPatch) -> Calm:
    """Return five who all allow the table to go on with them; the first hosts."""
    plant_stand_in(monkeypatch)
    for seed in count():
        game = Calm(seed)
        allow = all(program.allows for program in game.programs.values())
        if len(game.persons) == 5 and game.host == 0 and allow and not game.world.liars:
            return game
    raise AssertionError


def test_two_hosts_are_lost_in_a_row_and_nobody_types_anything(five: Calm) -> None:
    world, programs = five.world, five.programs
    programs[0].crash()
    world.run(world.now + SOON_S)
    assert five.lines() == [1] * 4
    programs[1].crash()
    world.run(world.now + SOON_S)
    assert five.lines() == [2] * 3
    assert five.relays() == {2}
    height = programs[2].log.height
    world.run(world.now + 200)
    assert programs[2].log.height > height or programs[2].log.game.over
    # Who comes back plays on at the others' relay.
    programs[0].start()
    programs[1].start()
    world.run(world.now + SOON_S)
    assert five.lines() == [2] * 5


def test_a_net_that_breaks_and_heals_has_one_relay_again(five: Calm) -> None:
    world = five.world
    world.part({3: 1, 4: 1})
    world.run(world.now + 40)
    assert five.lines() == [0, 0, 0, 3, 3]
    world.part({})
    world.run(world.now + 60)
    assert five.lines() == [3] * 5
    assert five.relays() == {3}


def test_by_hand_and_handing_over_need_nobodys_leave(five: Calm) -> None:
    carrying = five.programs[4].carrying
    assert carrying is not None
    carrying.ask_to_open()
    five.world.run(five.world.now + 30)
    assert five.lines() == [4] * 5
    assert five.relays() == {4}


def test_who_sees_the_host_no_more_is_bridged_by_who_does(five: Calm) -> None:
    world = five.world
    blocked = {frozenset((0, 4))}
    world.can_talk = lambda one, other: frozenset((one, other)) not in blocked  # type: ignore[method-assign]
    world.part({})
    world.run(world.now + 40)
    bridge = five.lines()[4]
    assert five.lines()[:4] == [0] * 4
    assert bridge in (1, 2, 3)
    assert five.relays() == {0, bridge}
    blocked.clear()
    world.run(world.now + 90)
    assert five.lines() == [0] * 5
    assert five.relays() == {0}


def carrying_on(table: SealedTable, me: int, line: int | None) -> CarryingOn:
    addresses = (f"192.0.2.{me}",)
    return CarryingOn(table.sealing, me, table.keys[me], bytes(32), addresses, line)


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
    mine, gid = carrying_on(table, 0, 2), table.sealing.gid

    def told(time: int, began: int = 0, key: int = 1) -> bool:
        body = AddressBody(gid, 1, bytes(32), time, began, (f"192.0.2.{time % 200}",))
        return mine.hear(signed(table.keys[key], body), UNIX_S)

    assert not mine.may_know(1)
    assert told(UNIX_S)
    assert mine.may_know(1)
    # The latest holds; nobody is believed who dates it far ahead, or signs for another.
    assert not told(UNIX_S - 1)
    assert told(UNIX_S + 5)
    for false in (
        (UNIX_S + AHEAD_S + 1,),
        (UNIX_S + 6, UNIX_S + BEGAN_AHEAD_S + 1),
        (UNIX_S + 6, 0, 2),
    ):
        with pytest.raises(SealedError):
            told(*false)
    mine.lost(2, 10)
    assert mine.advance(10, UNIX_S)[0] == Dial(2, b"", ())
    calls = [deed for deed in mine.advance(14, UNIX_S) if isinstance(deed, Dial)]
    assert calls == [Dial(1, bytes(32), (f"192.0.2.{(UNIX_S + 5) % 200}",))]
    assert mine.carriers == (0, 1)


def test_a_relay_that_does_not_answer_is_left_for_longer_each_time() -> None:
    table = SealedTable(1)
    mine, now = CarryingOn(table.sealing, 0, table.keys[0], bytes(32), (), 2), 100.0
    addresses = ("192.0.2.1",)
    body = AddressBody(table.sealing.gid, 1, bytes(32), UNIX_S, UNIX_S, addresses)
    mine.hear(signed(table.keys[1], body), UNIX_S)
    for times in range(3):
        mine.reached(1, now)
        assert Follow(1) in mine.advance(now, UNIX_S)
        mine.asked(now)
        mine.answered()
        assert GiveUp(1) not in mine.advance(now + MUTE_S, UNIX_S)
        mine.asked(now + MUTE_S)
        mine.asked(now + MUTE_S + 1)
        now += 2 * MUTE_S
        assert GiveUp(1) not in mine.advance(now - 1, UNIX_S)
        assert GiveUp(1) in mine.advance(now, UNIX_S)
        assert mine.plays_at is None
        mine.reached(1, now)
        now += MUTE_S * 2**times
        assert Follow(1) not in mine.advance(now - 1, UNIX_S)


def test_at_a_players_word_few_addresses_are_called_and_not_often() -> None:
    table = SealedTable(1)
    mine, called = carrying_on(table, 0, 2), []
    mine.lost(2, 0)
    for second in range(100):
        told = tuple(f"192.0.2.{8 * second + each}" for each in range(2))
        body = AddressBody(table.sealing.gid, 1, bytes(32), UNIX_S + second, 0, told)
        assert mine.hear(signed(table.keys[1], body), UNIX_S)
        for deed in mine.advance(second, UNIX_S):
            if isinstance(deed, Dial):
                mine.failed(deed.person)
                called += [deed.addresses] if deed.person == 1 else []
    assert len({each for addresses in called for each in addresses}) <= MOST_ADDRESSES
    assert len(called) < 12
