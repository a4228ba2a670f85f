"""Lost connections, keys to seats, and who answers for those who are away."""

from typing import Literal

import pytest

from engine.events import Placed, RoundBegan
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import (
    Absent,
    AddBot,
    Chat,
    Leave,
    Lobby,
    Refused,
    SendAway,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.table.people.absence import AWAY_GRACE_S, DESERTED_S
from tests.netcode.pretend import (
    Network,
    Participant,
    asked,
    aways,
    hello,
    known_game,
    names,
    play_on,
    rematch,
    tokens,
)


def test_who_comes_back_gets_the_whole_game() -> None:
    a, b, _ = known_game()
    a.act("S>")
    old = b.session.key
    b.drop()
    b.received.clear()
    b.come_back()
    welcome, lobby, state = b.received
    assert isinstance(welcome, Welcome)
    assert isinstance(lobby, Lobby)
    assert isinstance(state, State)
    assert welcome.key == old
    assert state.first_event == 0
    assert state.events == (RoundBegan(1, 0), Placed(0, "?", ">", 1, 1))
    assert b.session.fresh == 2, "none of it is news"


def test_who_comes_back_in_another_program_gets_the_whole_game_and_counts_on() -> None:
    a, b, c = known_game()
    for participant in (a, b, c):
        participant.act("S>")
    again = Participant(a.network, "whatever", key=b.session.key)
    assert b.goodbye == "replaced"
    assert b.is_closed()
    assert again.session.events == b.session.events
    assert again.session.fresh == 0
    a.act("+")
    again.act("+")
    assert tokens(a)[-2:] == ("+", "+")


def test_a_wrong_key_disturbs_nobody() -> None:
    a, b, c = guests = known_game()
    b.drop()
    heard = [len(participant.received) for participant in guests]
    thief = Participant(a.network, "t", key=bytes(32))
    assert thief.received == [Refused(code="unknown_key")]
    assert heard == [len(participant.received) for participant in guests]
    assert c.session.lobby is not None
    assert not c.session.lobby.seats[1].present
    b.come_back()
    assert b.session.family == "b"


def test_wrong_keys_cannot_be_tried_without_end() -> None:
    (a, *_) = known_game()
    thief = Participant(a.network, "t", greet=False)
    for number in range(8):
        thief.say(hello(key=bytes([200 + number]) * 32))
    assert thief.goodbye == "too_many_bad_messages"
    assert thief.is_closed()


def test_who_is_asked_and_away_is_answered_for_after_a_grace() -> None:
    a, b, _ = known_game()
    b.drop()
    a.network.wait(5)
    a.act("S>")
    ((due, think),) = a.network.thoughts
    assert (due - a.network.now, think.seat, think.bot) == (AWAY_GRACE_S - 5, 1, "steady")
    a.network.wait(AWAY_GRACE_S - 6)
    assert len(tokens(a)) == 1
    assert aways(a) == "r:no b:grace g:no"
    a.network.wait(2)
    assert len(tokens(a)) == 2
    assert aways(a) == "r:no b:bot g:no"


def test_who_is_back_in_time_answers_themselves() -> None:
    a, b, c = guests = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S - 1)
    b.come_back()
    a.network.wait(AWAY_GRACE_S)
    assert asked(guests) is b
    b.act("S>")
    assert asked(guests) is c


def test_a_second_absence_has_a_grace_of_its_own() -> None:
    a, b, _ = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S / 2)
    b.come_back()
    b.drop()
    a.network.wait(AWAY_GRACE_S - 5)
    assert len(tokens(a)) == 1
    a.network.wait(6)
    assert len(tokens(a)) == 2


def test_who_has_left_is_not_waited_for_but_may_come_back() -> None:
    a, b, c = guests = known_game()
    b.say(Leave())
    assert b.goodbye == "left"
    a.act("S>")
    ((_, think),) = a.network.thoughts
    assert think.delay_s == pytest.approx(0.9)
    a.network.wait(1)
    c.act("S>")
    a.act("+")
    b.come_back()
    assert asked(guests) is b
    a.network.wait(AWAY_GRACE_S)
    assert asked(guests) is b


def test_a_table_where_nobody_is_stands_still_and_then_waits_for_the_others_too() -> None:
    a, b, c = known_game()
    a.act("S>")
    for participant in (a, b, c):
        participant.drop()
    a.network.wait(3600)
    a.come_back()
    assert tokens(a) == ("S>",)
    a.network.wait(AWAY_GRACE_S - 2)
    assert tokens(a) == ("S>",)
    a.network.wait(3)
    assert len(tokens(a)) == 3


def test_nor_is_anybody_stood_in_for_when_all_may_be_about_to_return() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S)
    c.act("S>")
    assert aways(a) == "r:no b:bot g:no"
    a.drop()
    c.drop()
    c.come_back()
    assert aways(c) == "r:grace b:grace g:no"
    c.network.wait(AWAY_GRACE_S - 1)
    assert len(tokens(c)) == 3
    c.network.wait(2)
    assert len(tokens(c)) > 3


def test_once_everybody_has_left_the_table_is_free() -> None:
    a, b, c = known_game()
    watcher = Participant(a.network, "w", spectator=True)
    b.drop()
    a.say(Leave())
    c.say(Leave())
    assert watcher.phase() == "playing", "b may come back"
    b.come_back()
    b.say(Leave())
    assert watcher.phase() == "lobby"
    assert watcher.session.lobby is not None
    assert watcher.session.lobby.seats == ()
    assert watcher.session.view is None
    assert a.network.table.record() is None
    newcomer = Participant(a.network, "a")
    assert newcomer.session.is_host


def test_a_deserted_table_is_free_for_others_but_not_at_once() -> None:
    a, b, c = known_game()
    a.act("S>")
    for participant in (a, b, c):
        participant.drop()
    a.network.wait(DESERTED_S - 1)
    early = Participant(a.network, "early")
    assert early.refusal == "game_under_way"
    a.network.wait(2)
    late = Participant(a.network, "late")
    assert late.phase() == "lobby"
    assert late.session.is_host
    assert late.session.lobby is not None
    assert [seat.name for seat in late.session.lobby.seats] == ["late"]


def test_a_deserted_table_is_not_given_to_somebody_who_could_not_sit_there() -> None:
    a, b, c = known_game()
    a.act("S>")
    for participant in (a, b, c):
        participant.drop()
    a.network.wait(DESERTED_S)
    Participant(a.network, "w", spectator=True)
    assert Participant(a.network, "w").refusal == "name_taken"
    assert tokens(a) == ("S>",)
    assert Participant(a.network, "a").phase() == "lobby"


# What the host decides about those who are away


def decide(
    host: Participant, family: FamilyLetter, choice: Literal["wait", "bot", "admit"]
) -> None:
    host.say(Absent(family=family, choice=choice))


def test_who_is_away_is_let_in_from_another_machine_once_the_host_says_so() -> None:
    a, b, c = known_game()
    a.act("S>")
    assert Participant(a.network, "b").refusal == "game_under_way", "b is there"
    b.drop()
    assert Participant(a.network, "B").refusal == "name_away"
    assert Participant(a.network, "d").refusal == "game_under_way"
    decide(a, "b", "admit")
    assert [seat.admits for seat in c.lobby().seats] == [False, True, False]
    assert Participant(a.network, "d").refusal == "game_under_way", "only who is called so"
    moved = Participant(a.network, "B")
    assert names(c) == "r:a* b:b g:c"
    assert not any(seat.admits for seat in c.lobby().seats)
    assert asked([a, moved, c]) is moved
    moved.act("H>")
    b.come_back()
    assert b.refusal == "unknown_key", "the machine before opens nothing any more"
    moved.drop()
    assert Participant(a.network, "b").refusal == "name_away", "it was for once"
    moved.come_back()
    assert aways(c) == "r:no b:no g:no"


def test_who_is_away_from_a_result_is_let_in_from_another_machine() -> None:
    guests = a, b, c = known_game()
    play_on(guests)
    while a.phase() == "playing":
        play_on(guests)
    b.drop()
    assert Participant(a.network, "b").refusal == "name_away"
    decide(a, "b", "admit")
    moved = Participant(a.network, "b")
    for person in (a, moved, c):
        person.say(SetReady(ready=True))
    a.network.wait(3)
    assert moved.phase() == "playing"


def test_a_bot_stands_in_from_its_first_answer_to_the_return() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    a.network.wait(AWAY_GRACE_S)
    assert aways(c) == "r:no b:bot g:no"
    c.act("H>")
    a.act("+")
    a.network.wait(1)
    assert asked([a, c]) is not None, "nobody waits for b a second time"
    b.come_back()
    assert aways(c) == "r:no b:no g:no"
    b.drop()
    assert aways(c) == "r:no b:grace g:no"


def test_the_host_lets_everybody_wait() -> None:
    a, b, _ = guests = known_game()
    b.drop()
    decide(a, "b", "wait")
    assert aways(a) == "r:no b:wait g:no"
    a.act("S>")
    a.network.wait(3600)
    assert tokens(a) == ("S>",)
    b.come_back()
    assert aways(a) == "r:no b:no g:no"
    assert asked(guests) is b
    b.drop()
    a.network.wait(AWAY_GRACE_S)
    assert len(tokens(a)) == 2, "the decision was for the first absence"


def test_the_host_lets_a_bot_answer_at_once() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    decide(a, "b", "bot")
    assert aways(c) == "r:no b:bot g:no"
    a.network.wait(1)
    assert asked([a, c]) is c
    b.come_back()
    assert aways(c) == "r:no b:no g:no"


def test_the_host_may_change_their_mind() -> None:
    a, b, c = known_game()
    a.act("S>")
    b.drop()
    decide(a, "b", "wait")
    a.network.wait(100)
    decide(a, "b", "bot")
    a.network.wait(0)
    assert asked([a, c]) is c, "b has been asked for long enough"
    decide(a, "b", "wait")
    c.act("S>")
    a.network.wait(100)
    assert tokens(a) == ("S>", "A<", "S>")
    assert aways(c) == "r:no b:wait g:no"


def test_a_removed_seat_stays_a_bots_in_the_next_game_and_through_a_crash() -> None:
    a, b, c = known_game()
    b.drop()
    a.say(SendAway(name="b"))
    a.network.restart()
    for participant in (a, c):
        participant.come_back()
    assert names(c) == "r:a* b:Aubin g:c"
    while a.phase() == "playing":
        play_on([a, c])
        a.network.wait(1)
    rematch((a, c))
    assert (a.phase(), names(c)) == ("playing", "r:a* b:Aubin g:c")


def test_who_has_said_that_they_leave_can_be_waited_for_too() -> None:
    a, b, _ = guests = known_game()
    b.say(Leave())
    assert aways(a) == "r:no b:bot g:no"
    decide(a, "b", "wait")
    a.act("S>")
    a.network.wait(100)
    assert tokens(a) == ("S>",)
    b.come_back()
    assert asked(guests) is b


def test_bots_that_somebody_watches_are_not_left_to_who_comes() -> None:
    network = Network(settings=TableSettings(pace_ms=900))
    watcher = Participant(network, "w", spectator=True)
    network.table._participants.spectators[0].host = True
    for _ in range(3):
        watcher.say(AddBot(bot="steady"))
    watcher.say(Start())
    assert watcher.phase() == "playing"
    assert Participant(network, "n").refusal == "game_under_way"
    assert watcher.phase() == "playing"


def test_who_came_back_while_nothing_could_be_kept_has_their_seat_after_a_crash() -> None:
    a, b, _ = known_game()
    on_disk = [*a.network.kept]
    for _ in range(3):
        b.drop()
        b.come_back()
        b.say(Chat(text="here again"))
    a.network.kept = on_disk
    a.network.restart()
    b.come_back()
    assert b.refusal is None
    assert names(b) == "r:a* b:b g:c"
    assert b.lobby().you == "b"
