"""Who is the host when the host is not there, and that no table stays frozen for want of one."""

from netcode.protocol.messages import AddBot, Pause, SetReady, Start, TableSettings
from netcode.table.people.host_role import HOST_AWAY_S
from tests.support.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    hello,
    known_game,
    seated,
)


def test_an_owner_who_only_watched_and_went_is_an_absent_owner_too() -> None:
    network = Network(owner_key=OWNER_KEY, settings=TableSettings(first="r", pace_ms=0))
    owner = Participant(network, "o", spectator=True, key=OWNER_KEY)
    a, b = seated(network, "ab")
    owner.say(AddBot(bot="steady"))
    for participant in (a, b):
        participant.say(SetReady(ready=True))
    owner.say(Start())
    owner.say(Pause(paused=True))
    owner.drop()
    network.wait(HOST_AWAY_S)
    assert not a.lobby().paused


def test_an_opener_whose_name_is_taken_is_the_host_under_another() -> None:
    network = Network(opener=2)
    first = Participant(network, "a")
    opener = Participant(network, "a")
    assert opener.refusal == "name_taken"
    opener.say(hello("b"))
    assert opener.session.is_host
    assert not first.session.is_host


def test_an_opener_who_has_gone_is_not_waited_for() -> None:
    network = Network(opener=2)
    first = Participant(network, "b")
    network.carry_out(network.table.opener_gone(3, network.now))
    assert not first.session.is_host
    network.carry_out(network.table.opener_gone(2, network.now))
    assert first.session.is_host


def test_an_owner_has_the_table_and_their_seat_back_after_a_crash_by_their_own_key() -> None:
    a, b, _ = known_game(owner_key=OWNER_KEY)
    a.network.restart(OWNER_KEY)
    owner = Participant(a.network, "somebody", key=OWNER_KEY)
    b.come_back()
    assert (owner.session.is_host, owner.session.family) == (True, "r")
    assert not b.session.is_host
