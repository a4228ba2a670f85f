"""A lobby after its host was killed: who never heard of their key must not keep all others out."""

from netcode.table.people.absence import LOBBY_GRACE_S
from tests.netcode.pretend import Network, Participant, names, seated


def test_a_resumed_lobby_frees_the_seats_of_those_who_do_not_come_back() -> None:
    network = Network()
    seated(network, "abcde")
    network.restart()
    assert Participant(network, "a").refusal == "name_taken"
    assert Participant(network, "f").refusal == "table_full"
    network.wait(LOBBY_GRACE_S)
    assert names(Participant(network, "a")) == "r:a*"


def test_who_comes_back_to_a_resumed_lobby_in_time_has_their_seat() -> None:
    network = Network()
    anna, bert, _ = seated(network, "abc")
    network.restart()
    assert Participant(network, "d").refusal is None
    network.wait(LOBBY_GRACE_S / 2)
    anna.come_back()
    bert.come_back()
    network.wait(LOBBY_GRACE_S)
    assert names(anna) == "r:a* b:b y:d"
