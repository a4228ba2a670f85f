"""The clock of a decision: who is told what, when it runs, and what happens when it is out."""

import pytest

from netcode.protocol.messages import (
    Absent,
    Act,
    AddBot,
    Chat,
    Clock,
    Here,
    HostMessage,
    Lobby,
    Pause,
    Refused,
    Start,
    State,
    TableSettings,
)
from netcode.table.games import RETURN_S
from netcode.table.people.absence import AWAY_GRACE_S, MAXIMUM_LAPSES
from tests.netcode.pretend import (
    Network,
    Participant,
    asked,
    aways,
    kind_of,
    known_game,
    play_on,
    seated,
    tokens,
)


def clock(participant: Participant) -> str:
    """Return what was told last of the time: the seconds that were left, and `runs` or `stands`."""
    told = [message for message in participant.received if isinstance(message, Clock)][-1]
    return f"{told.left_ms / 1000:g} {'runs' if told.running else 'stands'}"


def kinds(messages: list[HostMessage]) -> list[str]:
    return list(map(kind_of, messages))


# Who is told what


def test_a_clock_follows_each_state_to_everybody() -> None:
    a, b, c = known_game(clock_s=60)
    watcher = Participant(a.network, "w", spectator=True)
    for participant in (a, b, c, watcher):
        assert clock(participant) == "60 runs"
    a.network.wait(5)
    a.act("S>")
    for participant in (a, b, c, watcher):
        assert kinds(participant.received[-2:]) == ["state", "clock"]
        assert participant.received[-1] == Clock(revision=2, left_ms=60_000, running=True)


def test_after_the_last_state_nobody_has_to_hurry() -> None:
    guests = known_game(clock_s=60)
    play_on(guests)
    assert kinds(guests[0].received[-2:]) == ["lobby", "game_record"]


def test_who_comes_back_is_told_what_is_left() -> None:
    a, b, _ = known_game(clock_s=60)
    b.drop()
    a.network.wait(12.5)
    b.received.clear()
    b.come_back()
    assert kinds(b.received) == ["welcome", "lobby", "state", "clock"]
    assert clock(b) == "47.5 runs"
    assert clock(a) == "60 runs", "to whom it runs on as it did, nothing is told"


def test_a_bot_has_no_need_to_hurry() -> None:
    network = Network(settings=TableSettings(first="r", clock_s=30))
    (host,) = seated(network, "a")
    for bot in ("steady", "random"):
        host.say(AddBot(bot=bot))
    host.say(Start())
    host.act_somehow()
    assert clock(host) == "30 stands"
    network.wait(10)
    assert asked([host]) is host
    assert clock(host) == "30 runs"


# When time is out


def test_when_time_is_out_a_bot_decides_and_its_person_has_the_next_decision() -> None:
    a, b, c = guests = known_game(clock_s=60)
    *_, (due, think) = a.network.thoughts
    assert (due, think.seat, think.bot) == (a.network.now + 60, 0, "steady")
    a.network.wait(59)
    assert tokens(a) == ()
    a.network.wait(1)
    assert len(tokens(a)) == 1
    assert aways(a) == "r:no b:no g:no"
    assert asked(guests) is b
    b.act("S>")
    c.act("S>")
    assert asked(guests) is a


def test_an_answer_that_is_too_late_is_refused_as_ever() -> None:
    a, *_ = known_game(clock_s=60)
    revision = a.session.revision
    a.network.wait(60)
    assert a.say(Act(number=1, revision=revision, action="S>"))[-1] == Refused(
        code="late", number=1
    )


def lapsed() -> list[Participant]:
    """Return three in a game; the first has let the clock run out too often, and is asked."""
    guests = a, b, c = known_game(clock_s=60)
    a.network.wait(60)
    b.act_somehow()
    c.act_somehow()
    while asked([a]) is None:
        play_on([b, c], 1)
    a.network.wait(60)
    assert aways(b) == "r:bot b:no g:no"
    while asked([a]) is None:
        play_on([b, c], 1)
    return guests


def test_after_two_decisions_out_of_time_a_bot_stands_in_at_once() -> None:
    assert MAXIMUM_LAPSES == 2
    a, b, _ = lapsed()
    assert a.lobby().seats[0].present
    assert clock(b) == "60 stands"
    before = len(tokens(a))
    a.network.wait(1)
    assert len(tokens(a)) > before


def test_here_takes_the_seat_back() -> None:
    a, b, _ = lapsed()
    before = len(tokens(a))
    a.say(Here())
    assert aways(b) == "r:no b:no g:no"
    assert clock(b) == "60 runs"
    a.network.wait(59)
    assert len(tokens(a)) == before
    a.act_somehow()
    assert len(tokens(a)) == before + 1


def test_and_one_that_comes_too_late() -> None:
    a, b, _ = lapsed()
    late = Act(number=50, revision=a.session.revision, action=a.view().legal[0].token)
    a.network.wait(1)
    assert Refused(code="late", number=50) in a.say(late)
    assert aways(b) == "r:no b:no g:no"


def test_but_neither_chat_nor_a_new_connection() -> None:
    a, b, _ = lapsed()
    a.say(Chat(text="..."))
    a.drop()
    a.come_back()
    assert aways(b) == "r:bot b:no g:no", "a program may reconnect without anybody being there"


def test_an_answer_in_time_between_two_that_are_not_starts_the_count_anew() -> None:
    a, b, c = known_game(clock_s=60)
    answered = lapses = 0
    while a.phase() == "playing" and lapses < 4:
        play_on([b, c])
        if asked([a]) is None:
            break
        if answered > lapses:
            a.network.wait(60)
            lapses += 1
        else:
            a.act_somehow()
            answered += 1
        assert aways(b) == "r:no b:no g:no"
    assert lapses >= 3


def test_a_new_game_and_a_result_count_nobody_as_lapsed() -> None:
    a, b, c = lapsed()
    while a.phase() == "playing":
        play_on([b, c])
        a.network.wait(1)
    assert aways(b) == "r:no b:no g:no"


# When it stands


def test_a_pause_stops_the_clock() -> None:
    a, b, _ = known_game(clock_s=60)
    a.network.wait(20)
    a.say(Pause(paused=True))
    assert kinds(b.received[-2:]) == ["lobby", "clock"]
    assert clock(b) == "40 stands"
    a.network.wait(3600)
    assert tokens(a) == ()
    a.say(Pause(paused=False))
    assert clock(b) == "40 runs"
    a.network.wait(39)
    assert tokens(a) == ()
    a.network.wait(1)
    assert len(tokens(a)) == 1


def test_a_short_pause_gives_no_time_away_and_takes_none() -> None:
    a, _, _ = known_game(clock_s=60)
    a.network.wait(30)
    a.say(Pause(paused=True))
    a.network.wait(0.5)
    a.say(Pause(paused=False))
    a.network.wait(29.5)
    assert tokens(a) == (), "so long the first question would have waited"
    a.network.wait(0.5)
    assert len(tokens(a)) == 1


def test_the_clock_stops_while_nobody_is_there() -> None:
    a, b, c = known_game(clock_s=60)
    watcher = Participant(a.network, "w", spectator=True)
    a.network.wait(20)
    for participant in (a, b, c):
        participant.drop()
    assert clock(watcher) == "40 stands"
    a.network.wait(3600)
    b.come_back()
    assert clock(watcher) == "40 runs"
    a.come_back()
    a.network.wait(39)
    assert tokens(a) == ()
    a.network.wait(1)
    assert len(tokens(a)) == 1


def test_the_clock_runs_on_for_who_is_away_so_that_nobody_gains_by_it() -> None:
    a, b, _ = known_game(clock_s=60)
    a.network.wait(50)
    a.drop()
    a.network.wait(5)
    assert tokens(b) == ()
    a.network.wait(5)
    assert len(tokens(b)) == 1
    assert aways(b) == "r:bot b:no g:no"


def test_who_is_away_is_answered_for_after_the_grace_although_there_is_time() -> None:
    a, b, _ = known_game(clock_s=600)
    a.drop()
    a.network.wait(AWAY_GRACE_S)
    assert len(tokens(b)) == 1


def test_who_comes_back_to_a_decision_has_some_seconds_once() -> None:
    a, b, _ = known_game(clock_s=60)
    a.network.wait(58)
    a.drop()
    a.network.wait(1)
    a.come_back()
    assert clock(b) == f"{RETURN_S:g} runs"
    a.network.wait(RETURN_S - 1)
    a.drop()
    a.come_back()
    assert tokens(b) == ()
    a.network.wait(1)
    assert len(tokens(b)) == 1


def test_those_seconds_are_no_more_than_a_whole_decision_has() -> None:
    a, b, _ = known_game(clock_s=5)
    a.network.wait(4)
    a.drop()
    a.come_back()
    assert clock(b) == "5 runs"


def test_a_person_who_is_waited_for_loses_no_time() -> None:
    a, b, c = known_game(clock_s=60)
    a.act("S>")
    b.drop()
    a.network.wait(10)
    a.say(Absent(family="b", choice="wait"))
    assert clock(c) == "50 stands"
    a.network.wait(3600)
    b.come_back()
    assert clock(c) == "50 runs"


@pytest.mark.parametrize("clock_s", [0, 60])
def test_a_late_thought_about_an_earlier_moment_changes_nothing(clock_s: int) -> None:
    a, b, _ = known_game(clock_s=clock_s)
    b.drop()
    a.act("S>")
    thoughts = [think for _, think in a.network.thoughts]
    b.come_back()
    a.network.thoughts.clear()
    for think in thoughts:
        a.network.think(think)
    assert tokens(a) == ("S>",)


def test_the_lobby_that_says_a_bot_stands_in_comes_with_its_answer() -> None:
    a, b, c = known_game(clock_s=60)
    a.network.wait(60)
    b.act_somehow()
    c.act_somehow()
    while asked([a]) is None:
        play_on([b, c], 1)
    before = len(b.received)
    a.network.wait(60)
    lobby, state = b.received[before : before + 2]
    assert isinstance(lobby, Lobby)
    assert isinstance(state, State)
