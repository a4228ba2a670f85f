"""Who may carry a sealed table on: said in the lobby, told among those who allow it."""

from netcode.protocol.messages import Carry, CarryOn, HandOver, Refused
from netcode.sealed.encoding import AddressBody
from netcode.sealed.parcels import Parcel
from tests.support.sealed_world import SealedWorld, Someone


def begun() -> SealedWorld:
    world = SealedWorld()
    world.seal()
    return world


def relay(one: Someone, time: int, address: str = "192.0.2.1:4000") -> Parcel:
    sealing, me = one.person.sealing, one.person.me
    assert sealing is not None
    assert me is not None
    return one.person.sign(AddressBody(sealing.gid, me, bytes(32), time, 0, (address,)))


def relays_heard(one: Someone) -> list[Parcel]:
    return [parcel for parcel in one.parcels if parcel.body[1:7] == b"\xa5relay"]


def test_a_lobby_says_whose_machines_may_carry_the_table_on() -> None:
    world = SealedWorld()
    a, b, c = world.people
    a.say(Carry(True))
    b.say(Carry(True))
    world.flow()
    assert list(c.lobby.carriers) == ["Ada", "Bob"]
    a.say(Carry(False))
    b.go()
    world.flow()
    assert not c.lobby.carriers


def test_where_somebody_can_be_called_is_told_among_those_who_have_said_so_of_themselves() -> None:
    world = begun()
    a, b, c = world.people
    mine, theirs = relay(a, 1), relay(b, 1)
    a.send([mine])
    world.flow()
    assert not relays_heard(b)
    b.send([theirs])
    world.flow()
    assert relays_heard(b) == [mine, theirs]
    assert relays_heard(a) == [mine, theirs]
    assert not relays_heard(c)
    assert not any(isinstance(each, Refused) for each in (*a.heard, *b.heard))


def test_what_is_older_or_signed_by_another_is_not_passed_on() -> None:
    world = begun()
    a, b, _c = world.people
    a.send([relay(a, 1)])
    b.send([relay(b, 5)])
    world.flow()
    before = relays_heard(a)
    b.send([relay(b, 4)])
    forged, later = Parcel(relay(b, 9).body, relay(a, 9).signature), relay(b, 6)
    b.send([later, forged])
    world.flow()
    assert relays_heard(a) == before
    assert b.refusals[-1] == "bad_signature"
    # Nothing was taken of what came with it, so it is news yet.
    b.send([later])
    world.flow()
    assert relays_heard(a) == [*before, later]


def test_a_host_hands_the_table_to_who_allows_it() -> None:
    world = begun()
    a, b, c = world.people
    b.say(Carry(True))
    a.say(HandOver("Bob"))
    a.say(HandOver("Cem"))
    c.say(HandOver("Bob"))
    world.flow()
    assert any(isinstance(each, CarryOn) for each in b.heard)
    assert not any(isinstance(each, CarryOn) for each in c.heard)
    assert a.refusals[-1] == "not_a_carrier"
    assert c.refusals[-1] == "not_the_host"
