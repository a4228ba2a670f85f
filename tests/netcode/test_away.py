"""Lost connections, keys to seats, and who answers for those who are away."""

from engine.events import Placed, RoundBegan
from netcode.away import AWAY_GRACE_S, DESERTED_S
from netcode.messages import Leave, Lobby, Refused, State, Welcome
from tests.netcode.pretend import Guest, asked, hello, known_game, play_on, tokens


def test_who_is_away_keeps_the_seat() -> None:
    a, b, c = guests = known_game()
    b.drop()
    assert a.session.lobby is not None
    assert [seat.present for seat in a.session.lobby.seats] == [True, False, True]
    a.act("S>")
    b.come_back()
    assert [seat.present for seat in a.session.lobby.seats] == [True, True, True]
    assert b.session.family == "b"
    assert asked(guests) is b
    b.act("S>")
    assert asked(guests) is c


def test_who_comes_back_gets_the_whole_game_and_a_new_key() -> None:
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
    assert welcome.key != old
    assert state.first_event == 0
    assert state.events == (RoundBegan(1, 0), Placed(0, "?", ">", 1, 1))
    assert b.session.fresh == 2, "none of it is news"


def test_who_comes_back_in_another_program_gets_the_whole_game_and_counts_on() -> None:
    a, b, c = known_game()
    for guest in (a, b, c):
        guest.act("S>")
    again = Guest(a.network, "whatever", key=b.session.key)
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
    heard = [len(guest.received) for guest in guests]
    thief = Guest(a.network, "t", key=bytes(32))
    assert thief.received == [Refused(code="unknown_key")]
    assert heard == [len(guest.received) for guest in guests]
    assert c.session.lobby is not None
    assert not c.session.lobby.seats[1].present
    b.come_back()
    assert b.session.family == "b"


def test_wrong_keys_cannot_be_tried_without_end() -> None:
    (a, *_) = known_game()
    thief = Guest(a.network, "t", greet=False)
    for number in range(8):
        thief.say(hello(key=bytes([200 + number]) * 32))
    assert thief.goodbye == "too_many_bad_messages"
    assert thief.is_closed()


def test_a_key_opens_the_seat_until_the_next_one_has_been_heard_of() -> None:
    a, b, _ = known_game()
    first = b.session.key
    b.drop()
    b.come_back()
    b.drop()
    # As if the Welcome with the second key had been lost with the connection.
    b.session.key = first
    b.come_back()
    third = b.session.key
    assert b.session.family == "b"
    assert third not in (None, first)
    a.act("S>")
    b.act("S>")
    b.drop()
    b.session.key = first
    b.come_back()
    assert b.refusal == "unknown_key"
    b.session.key = third
    b.greet()
    assert b.session.view is not None


def test_who_is_asked_and_away_is_answered_for_after_a_grace() -> None:
    a, b, _ = known_game()
    b.drop()
    a.network.wait(5)
    a.act("S>")
    ((due, think),) = a.network.thoughts
    assert (due - a.network.now, think.seat, think.bot) == (AWAY_GRACE_S - 5, 1, "steady")
    a.network.wait(AWAY_GRACE_S - 6)
    assert len(tokens(a)) == 1
    a.network.wait(2)
    assert len(tokens(a)) == 2


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
    assert think.delay_s == 0.9
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
    for guest in (a, b, c):
        guest.drop()
    a.network.wait(3600)
    a.come_back()
    assert tokens(a) == ("S>",)
    a.network.wait(AWAY_GRACE_S - 2)
    assert tokens(a) == ("S>",)
    a.network.wait(3)
    assert len(tokens(a)) == 3


def test_once_everybody_has_left_the_table_is_free() -> None:
    a, b, c = known_game()
    watcher = Guest(a.network, "w", spectator=True)
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
    newcomer = Guest(a.network, "a")
    assert newcomer.session.is_host


def test_a_host_who_is_away_stays_the_host_until_the_game_is_over() -> None:
    a, b, c = known_game()
    a.drop()
    assert [guest.session.is_host for guest in (b, c)] == [False, False]
    while b.phase() == "playing":
        a.network.wait(AWAY_GRACE_S)
        play_on([b, c])
    assert b.session.view is not None
    assert b.session.view.over
    assert b.session.is_host
    a.come_back()
    assert not a.session.is_host


def test_a_host_who_leaves_a_game_passes_hosting_on() -> None:
    a, b, _ = known_game()
    a.say(Leave())
    assert b.session.is_host


def test_a_deserted_table_is_free_for_others_but_not_at_once() -> None:
    a, b, c = known_game()
    a.act("S>")
    for guest in (a, b, c):
        guest.drop()
    a.network.wait(DESERTED_S - 1)
    early = Guest(a.network, "early")
    assert early.refusal == "game_under_way"
    a.network.wait(2)
    late = Guest(a.network, "late")
    assert late.phase() == "lobby"
    assert late.session.is_host
    assert late.session.lobby is not None
    assert [seat.name for seat in late.session.lobby.seats] == ["late"]


def test_a_table_where_one_is_still_there_is_not_deserted() -> None:
    a, b, c = known_game()
    b.drop()
    c.drop()
    a.network.wait(3 * DESERTED_S)
    assert Guest(a.network, "late").refusal == "game_under_way"
