"""Who is the host when the host is not there, and that no table stays frozen for want of one."""

import pytest

from netcode.protocol.messages import Absent, AddBot, Leave, Pause, SetReady, Start, TableSettings
from netcode.table.people.absence import AWAY_GRACE_S
from netcode.table.people.host_role import HOST_AWAY_S
from tests.netcode.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    aways,
    hello,
    known_game,
    names,
    play_on,
    playing,
    seated,
    tokens,
)


def owned_game() -> list[Participant]:
    """Return three in a game at the table of the first of them, who has the owner's key."""
    return playing("abc", owner_key=OWNER_KEY)


def test_a_host_who_is_away_stays_the_host_for_a_minute() -> None:
    a, b, c = known_game()
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    assert names(b) == "r:a* b:b g:c"
    a.network.wait(1)
    assert names(b) == "r:a b:b* g:c"
    assert (b.session.is_host, c.session.is_host) == (True, False)
    a.come_back()
    assert not a.session.is_host


def test_a_host_who_is_back_in_time_stays_the_host() -> None:
    a, b, _ = known_game()
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    a.come_back()
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    a.come_back()
    a.network.wait(HOST_AWAY_S)
    assert names(b) == "r:a* b:b g:c"


def test_a_minute_without_anybody_is_none_without_the_host() -> None:
    a, b, c = known_game()
    for participant in (a, b, c):
        participant.drop()
    a.network.wait(3600)
    b.come_back()
    assert names(b) == "r:a* b:b g:c"
    a.network.wait(HOST_AWAY_S)
    assert names(b) == "r:a b:b* g:c"


def test_after_a_game_a_host_who_is_away_is_waited_for_as_long() -> None:
    a, b, c = known_game()
    play_on([a, b, c])
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    assert not b.session.is_host
    a.network.wait(1)
    assert b.session.is_host


def test_after_a_crash_the_host_has_a_minute_to_return() -> None:
    a, b, c = known_game()
    a.network.restart()
    b.come_back()
    c.come_back()
    assert names(b) == "r:a* b:b g:c"
    a.network.wait(HOST_AWAY_S - 1)
    a.come_back()
    assert a.session.is_host


def test_a_host_who_is_away_from_a_pause_is_followed_by_one_who_can_go_on() -> None:
    a, b, _ = known_game()
    a.say(Pause(paused=True))
    a.drop()
    a.network.wait(HOST_AWAY_S)
    assert b.lobby().paused, "nobody goes on but a host"
    b.say(Pause(paused=False))
    assert not b.lobby().paused
    a.network.wait(AWAY_GRACE_S)
    assert len(tokens(b)) == 1


def test_without_its_owner_a_table_has_no_host() -> None:
    a, b, c = owned_game()
    a.drop()
    a.network.wait(10 * HOST_AWAY_S)
    play_on([b, c])
    assert names(b) == "r:a* b:b g:c"
    assert not b.session.is_host


def test_but_what_an_absent_owner_has_stopped_goes_on_after_a_minute() -> None:
    a, b, c = owned_game()
    a.act_somehow()
    c.drop()
    a.say(Absent(family="g", choice="wait"))
    a.say(Pause(paused=True))
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    assert (b.lobby().paused, aways(b)) == (True, "r:grace b:no g:wait")
    a.network.wait(1)
    assert (b.lobby().paused, aways(b)) == (False, "r:grace b:no g:grace")
    b.act_somehow()
    a.network.wait(AWAY_GRACE_S)
    assert len(tokens(b)) == 3


def test_an_owner_who_is_back_in_time_decides_for_themselves() -> None:
    a, b, _ = owned_game()
    a.say(Pause(paused=True))
    a.drop()
    a.network.wait(HOST_AWAY_S - 1)
    a.come_back()
    a.network.wait(10 * HOST_AWAY_S)
    assert b.lobby().paused


def test_an_owners_pause_lasts_while_nobody_is_there() -> None:
    a, b, c = owned_game()
    a.say(Pause(paused=True))
    for participant in (a, b, c):
        participant.drop()
    a.network.wait(10 * HOST_AWAY_S)
    b.come_back()
    assert b.lobby().paused
    b.network.wait(HOST_AWAY_S)
    assert not b.lobby().paused


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


@pytest.mark.parametrize("watches", [False, True])
def test_the_opener_is_the_host_though_another_sat_down_first(watches: bool) -> None:
    network = Network(opener=2)
    first = Participant(network, "b")
    assert not first.session.is_host
    opener = Participant(network, "a", spectator=watches)
    assert (first.session.is_host, opener.session.is_host) == (False, True)
    opener.say(Leave())
    assert first.session.is_host


def test_a_table_waits_a_minute_for_its_opener() -> None:
    network = Network(opener=2)
    first = Participant(network, "b")
    network.wait(HOST_AWAY_S - 1)
    assert names(first) == "r:b"
    network.wait(1)
    assert names(first) == "r:b*"
    opener = Participant(network, "a")
    assert (first.session.is_host, opener.session.is_host) == (True, False)


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


def test_a_host_who_leaves_a_game_passes_hosting_on_at_once() -> None:
    a, b, _ = known_game()
    a.say(Leave())
    assert b.session.is_host
