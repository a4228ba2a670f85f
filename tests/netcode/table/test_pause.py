"""A game that the host has stopped for a while: nobody acts, nothing runs, and nothing is lost."""

from netcode.protocol.messages import (
    Act,
    AddBot,
    Leave,
    Pause,
    Refused,
    Start,
    State,
    TableSettings,
)
from netcode.table.people.absence import AWAY_GRACE_S
from tests.netcode.pretend import Network, Participant, asked, known_game, seated, tokens


def pause(host: Participant) -> None:
    host.say(Pause(paused=True))


def go_on(host: Participant) -> None:
    host.say(Pause(paused=False))


def test_a_pause_is_shown_to_everybody() -> None:
    a, b, c = known_game()
    watcher = Participant(a.network, "w", spectator=True)
    pause(a)
    assert [participant.lobby().paused for participant in (a, b, c, watcher)] == [True] * 4
    assert a.say(Pause(paused=True)) == [], "it is paused already"
    go_on(a)
    assert [participant.lobby().paused for participant in (a, b, c, watcher)] == [False] * 4
    assert a.say(Pause(paused=False)) == []


def test_during_a_pause_nobody_acts() -> None:
    a, b, c = guests = known_game()
    pause(a)
    before = [len(participant.received) for participant in (b, c)]
    a.act("S>")
    assert a.received[-1] == Refused(code="paused", number=1)
    assert [len(participant.received) for participant in (b, c)] == before
    assert tokens(a) == ()
    go_on(a)
    assert asked(guests) is a
    a.act("S>")
    assert tokens(a) == ("S>",)


def test_an_act_that_counted_before_a_pause_is_answered_in_it() -> None:
    a, _, _ = known_game()
    a.act("S>")
    pause(a)
    (answer,) = a.say(Act(number=1, revision=1, action="S>"))
    assert isinstance(answer, State)


def test_during_a_pause_no_bot_answers() -> None:
    network = Network(settings=TableSettings(first="r"))
    (host,) = seated(network, "a")
    for bot in ("steady", "random"):
        host.say(AddBot(bot=bot))
    host.say(Start())
    host.act_somehow()
    pause(host)
    network.wait(3600)
    assert len(tokens(host)) == 1
    go_on(host)
    network.wait(2)
    assert len(tokens(host)) == 3


def test_during_a_pause_nobody_is_answered_for() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S - 1)
    pause(a)
    a.network.wait(3600)
    assert tokens(a) == ("S>",)
    go_on(a)
    a.network.wait(AWAY_GRACE_S - 1)
    assert tokens(a) == ("S>",), "who may be about to return is waited for anew"
    a.network.wait(1)
    assert asked([a, c]) is c


def test_after_a_pause_a_stand_in_stands_in() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S)
    c.act("S>")
    pause(a)
    go_on(a)
    a.network.wait(1)
    assert len(tokens(a)) == 4


def test_the_first_back_from_a_crash_into_a_pause_is_not_alone_for_good() -> None:
    a, *_ = known_game()
    a.act("S>")
    pause(a)
    a.network.restart()
    a.come_back()
    go_on(a)
    a.network.wait(AWAY_GRACE_S)
    assert len(tokens(a)) == 2


def test_a_pause_ends_with_its_game() -> None:
    a, b, c = known_game()
    pause(a)
    for participant in (a, b, c):
        participant.say(Leave())
    assert not Participant(a.network, "d").lobby().paused
