"""Tests keys that a table offers to a person who has proved their identity in another way."""

from netcode.table.people.seats import KeyRing, Seat
from tests.support.pretend import Network, Participant, seated


def test_a_key_that_is_offered_opens_the_seat_and_then_alone() -> None:
    network = Network()
    guests = seated(network, "abc")
    before = guests[1].session.key
    offered = network.table.offer_key("b")
    assert offered is not None
    network.execute(network.table.changed())
    guests[1].drop()
    for key, is_welcome in ((before, True), (offered, True), (before, False)):
        again = Participant(network, "b", key=key)
        assert (again.session.family == guests[1].session.family) == is_welcome
        again.drop()


def test_no_key_is_offered_to_somebody_without_a_seat() -> None:
    network = Network()
    seated(network, "abc")
    Participant(network, "dora", spectator=True)
    assert network.table.offer_key("dora") is None
    assert network.table.offer_key("nobody") is None
    seat = network.table.participants.called("b")
    assert isinstance(seat, Seat)
    seat.keys = KeyRing()
    assert network.table.offer_key("b") is None, "the person is not to come back"
