"""Who may carry a sealed table on: said in the lobby, told among those who allow it."""

from netcode.protocol.messages import Carry, CarryOn, HandOver, Refused, Sealed
from netcode.sealed.encoding import AddressBody
from netcode.sealed.parcels import Parcel
from tests.netcode.table.sealed_clients import Client, SealedEvening


def begun() -> SealedEvening:
    evening = SealedEvening(1)
    evening.begin()
    evening.run()
    return evening


def relay(client: Client, time: int, address: str = "192.0.2.1:4000") -> Parcel:
    sealing, me = client.person.sealing, client.person.me
    assert sealing is not None
    assert me is not None
    return client.person.sign(AddressBody(sealing.gid, me, bytes(32), time, 0, (address,)))


def relays_heard(client: Client) -> list[Parcel]:
    told = [each for each in client.heard if isinstance(each, Sealed)]
    parcels = [Parcel(*each) for message in told for each in message.parcels]
    return [parcel for parcel in parcels if parcel.body[1:7] == b"\xa5relay"]


def test_a_lobby_says_whose_machines_may_carry_the_table_on() -> None:
    evening = SealedEvening(1)
    a, b, c = evening.clients
    a.say(Carry(True))
    b.say(Carry(True))
    evening.run()
    assert list(c.lobby.carriers) == ["a", "b"]
    a.say(Carry(False))
    b.go()
    evening.run()
    assert not c.lobby.carriers


def test_where_somebody_can_be_called_is_told_among_those_who_have_said_so_of_themselves() -> None:
    evening = begun()
    a, b, c = evening.clients
    mine, theirs = relay(a, 1), relay(b, 1)
    a.send([mine])
    evening.run()
    assert not relays_heard(b)
    b.send([theirs])
    evening.run()
    assert relays_heard(b) == [mine, theirs]
    assert relays_heard(a) == [mine, theirs]
    assert not relays_heard(c)
    assert not any(isinstance(each, Refused) for each in (*a.heard, *b.heard))


def test_what_is_older_or_signed_by_another_is_not_passed_on() -> None:
    evening = begun()
    a, b, _c = evening.clients
    a.send([relay(a, 1)])
    b.send([relay(b, 5)])
    evening.run()
    before = relays_heard(a)
    b.send([relay(b, 4)])
    forged = relay(b, 9)
    b.send([Parcel(forged.body, relay(a, 9).signature)])
    evening.run()
    assert relays_heard(a) == before
    assert b.refusals[-1] == "bad_signature"


def test_a_host_hands_the_table_to_who_allows_it() -> None:
    evening = begun()
    a, b, c = evening.clients
    b.say(Carry(True))
    a.say(HandOver("b"))
    a.say(HandOver("c"))
    c.say(HandOver("b"))
    evening.run()
    assert any(isinstance(each, CarryOn) for each in b.heard)
    assert not any(isinstance(each, CarryOn) for each in c.heard)
    assert a.refusals[-1] == "not_a_carrier"
    assert c.refusals[-1] == "not_the_host"
