"""Tests a game for days at a table: the clock in hours, calls, and the stored data."""

from collections.abc import Callable
from math import ceil, inf

import pytest

from netcode import system_clock
from netcode.protocol.messages import (
    Absent,
    AddBot,
    AnswerWish,
    AskSeat,
    ChangeSettings,
    ChooseFamily,
    EndGame,
    Leave,
    Pause,
    Rename,
    SendAway,
    SetReady,
    Start,
    State,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.parts import PartPlace
from netcode.table.people.absence import ORDINARY
from netcode.wings.days.day_record import CALL_AFTER_S, UNTOUCHED_S, DaysRecord
from netcode.wings.days.messages import CallSet, Condition, SetCall, SetConditions
from netcode.wings.days.settings import BANK, HOURS, NAME, PAUSES
from netcode.wings.days.table_parts import CallForgotten, CallReport
from tests.support.kept import assert_comes_back
from tests.support.pretend import OWNER_KEY, Network, Participant, play_on, seated
from tests.wings.days.calling_tables import (
    DAY,
    HOUR,
    Calling,
    awaited,
    begun,
    messages,
    note,
    shown,
)


@pytest.fixture(autouse=True)
def _rare_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the system clock once a day: here it never differs from the server's clock."""
    monkeypatch.setattr(system_clock, "CHECK_S", DAY)


def test_after_the_hours_of_a_decision_a_bot_answers_once_and_everybody_reads_it() -> None:
    network = Calling()
    guests = begun(network)
    first = awaited(guests)
    until = shown(guests[0])["until"]
    assert until == network.now + DAY
    network.wait(DAY - 1)
    assert network.moves == 0
    network.wait(2)
    assert network.moves == 1
    assert shown(guests[0])["late"] == first.name
    (state,) = [each for each in guests[0].received if isinstance(each, State) and each.overdue]
    assert len(state.overdue) == 1
    network.wait(DAY / 2)
    assert network.moves == 1, "the next player has a day too"


def test_an_ordinary_table_stores_nothing_and_waits_for_nobody() -> None:
    network = Network()
    guests = begun(network)
    play_on(guests, 5)
    kept = network.table.kept
    assert kept is not None
    assert NAME not in kept.table.wings
    assert network.table.games.time_control == ORDINARY
    assert shown(guests[0]) == {"until": 0, "late": "", "calls": False}


def test_a_bank_is_used_after_the_hours_of_a_decision_and_lasts_for_a_game() -> None:
    network = Calling(**{HOURS: 1, BANK: 10})
    guests = begun(network)
    first = awaited(guests)
    assert network.record.out_at == network.now + 11 * HOUR
    network.wait(3 * HOUR)
    first.act_somehow()
    banks = {each.bank_s for each in network.record.players.values()}
    assert banks == {8 * 3600, 10 * 3600}
    awaited(guests).act_somehow()
    assert network.record.players["b"].bank_s == 10 * 3600, "an answer in time costs nothing"


def test_with_an_empty_bank_a_decision_has_an_hour() -> None:
    network = Calling(**{HOURS: 0, BANK: 2})
    guests = begun(network)
    first = awaited(guests)
    while network.moves == 0 or awaited(guests) is not first:
        network.wait(2 * HOUR + 1)
    assert network.record.out_at <= network.now + HOUR
    before = network.moves
    network.wait(HOUR)
    assert network.moves > before


def test_the_clock_stands_still_at_night() -> None:
    network = Calling(**{HOURS: 1, PAUSES: "nights"})
    network.now += 21.5 * HOUR
    begun(network)
    assert network.record.out_at == 11 * DAY + 7.5 * HOUR


def test_a_pause_of_the_host_stops_the_clock() -> None:
    network = Calling()
    guests = begun(network)
    network.wait(20 * HOUR)
    guests[0].send(Pause(paused=True))
    assert shown(guests[0])["until"] == 0
    network.wait(5 * DAY)
    assert network.moves == 0
    guests[0].send(Pause(paused=False))
    assert shown(guests[0])["until"] == network.now + 4 * HOUR
    network.wait(4 * HOUR + 1)
    assert network.moves == 1


@pytest.mark.parametrize("pauses", ["", "nights_weekends"])
def test_no_number_of_pauses_moves_the_deadline(pauses: str) -> None:
    network = Calling(**{PAUSES: pauses})
    network.now += 32 * HOUR + 0.7
    guests = begun(network)
    before, times = network.record.out_at, 300
    for _ in range(times):
        guests[0].send(Pause(paused=True))
        network.now += 0.05
        guests[0].send(Pause(paused=False))
        network.now += 0.05
    paused_s = times * 0.05
    assert network.record.out_at == pytest.approx(before + paused_s, abs=0.01)
    assert shown(guests[1])["until"] == ceil(network.record.out_at)


def test_a_host_who_pauses_and_goes_blocks_a_game_for_a_day_at_most() -> None:
    network = Calling()
    guests = begun(network)
    network.wait(12 * HOUR)
    guests[0].send(Pause(paused=True))
    guests[0].drop()
    for hours in (1, 11, 11):
        network.wait(hours * HOUR)
        guests[1].drop()
        network.restart()
        guests[1].come_back()
        network.wait(10)
        assert not any(each.host for each in guests[1].lobby().seats if each.name == "b")
    network.wait(2 * HOUR)
    assert not guests[1].lobby().paused
    assert [each.name for each in guests[1].lobby().seats if each.host] == ["a"], "they return"
    network.wait(12 * HOUR + 1)
    assert network.moves == 1


def test_a_host_who_looks_in_every_day_keeps_a_pause_for_thirty_days_at_most() -> None:
    network = Calling()
    guests = begun(network)
    guests[0].send(Pause(paused=True))
    guests[0].drop()
    began = network.now
    while network.phase == "playing" and network.now < began + 40 * DAY:
        guests[1].drop()
        network.wait(DAY - HOUR)
        guests[1].come_back()
        guests[0].come_back()
        if network.phase == "playing":
            assert guests[0].lobby().paused
            assert [each.name for each in guests[1].lobby().seats if each.host] == ["a"]
        guests[0].drop()
    assert network.phase == "lobby"
    assert 29 * DAY <= network.now - began <= 31 * DAY
    assert network.moves == 0


def test_an_owner_who_pauses_and_goes_ends_the_pause_after_a_day() -> None:
    network = Calling()
    network.execute(network.table.changed())
    network.restart(OWNER_KEY)
    owner = Participant(network, "o", key=OWNER_KEY)
    guests = [owner, *seated(network, "bc")]
    for each in guests[1:]:
        each.send(SetReady(ready=True))
    owner.send(Start())
    owner.send(Pause(paused=True))
    owner.drop()
    network.wait(DAY - HOUR)
    assert guests[1].lobby().paused
    network.wait(HOUR + 601)
    assert not guests[1].lobby().paused
    assert [each.name for each in guests[1].lobby().seats if each.host] == ["o"]


def test_nobody_keeps_a_paused_game_alive_by_looking_in() -> None:
    network = Calling()
    guests = begun(network)
    guests[0].send(Pause(paused=True))
    for each in guests:
        each.drop()
    for _ in range(31):
        network.wait(DAY - 20)
        watcher = Participant(network, "w", spectator=True)
        network.wait(20)
        watcher.drop()
    assert network.phase == "lobby"


def test_the_clock_continues_over_a_restart_and_so_do_marks_of_late_answers() -> None:
    network = Calling()
    guests = begun(network)
    for each in guests:
        each.drop()
    network.wait(DAY + 1)
    network.restart()
    assert network.moves == 1
    back = Participant(network, guests[1].name, key=guests[1].session.key)
    (state,) = [each for each in back.received if isinstance(each, State)]
    assert len(state.overdue) == 1
    network.wait(DAY)
    assert network.moves == 2


def test_a_game_that_nobody_touches_for_thirty_days_ends_as_unfinished() -> None:
    network = Calling(**{HOURS: 336})
    guests = begun(network)
    for each in guests:
        each.drop()
    network.wait(UNTOUCHED_S - HOUR)
    assert not any(keep.ended for keep in network.kept)
    network.restart()
    network.wait(2 * HOUR)
    assert network.phase == "lobby"
    assert network.table.participants.seats == []
    (ended,) = [each for keep in network.kept for each in keep.ended]
    assert ended.record.actions


def test_a_table_that_nobody_has_touched_yet_is_not_given_up() -> None:
    assert DaysRecord().given_up_at == inf


def test_a_lobby_for_days_keeps_seats_for_thirty_days() -> None:
    network = Calling()
    guests = seated(network, "ab")
    guests[1].drop()
    network.wait(29 * DAY)
    assert len(network.table.participants.seats) == 2
    guests[0].drop()
    network.wait(31 * DAY)
    assert network.table.participants.seats == []


def test_guests_who_join_and_go_hold_the_seats_of_a_lobby_for_a_day_at_most() -> None:
    network = Calling()
    ada, *squatters = seated(network, "abcde")
    for each in squatters:
        each.drop()
    network.wait(DAY - 1)
    assert Participant(network, "x").refusal == "table_full"
    network.restart()
    ada.come_back()
    network.wait(2)
    for name in "wxyz":
        assert Participant(network, name).refusal is None
    assert [each.name for each in ada.lobby().seats] == [*"awxyz"]
    assert Participant(network, "f").refusal == "table_full"


def test_whoever_is_absent_during_a_game_has_a_day_in_the_lobby() -> None:
    network = Calling()
    guests = begun(network, "abcde")
    guests[1].drop()
    network.wait(20 * HOUR)
    guests[0].send(EndGame())
    network.wait(20 * HOUR)
    assert Participant(network, "x").refusal == "table_full"
    network.wait(4 * HOUR)
    assert Participant(network, "y").refusal is None


def test_a_setting_that_is_turned_on_later_frees_no_seat() -> None:
    network = Network()
    network.now = 20_000 * DAY
    ada, bo = seated(network, "ab")
    bo.drop()
    ada.send(ChangeSettings(TableSettings.of({HOURS: 24})))
    network.wait(DAY)
    assert [each.name for each in ada.lobby().seats] == ["a", "b"]


def test_a_person_who_takes_the_seat_of_an_asked_bot_has_the_whole_time() -> None:
    network = Calling(latecomers="sit")
    network.choose = lambda think: think.view.legal[0]
    ada, bo = seated(network, "ab")
    ada.send(AddBot(bot="steady"))
    ada.send(Pause(paused=True))
    bo.send(SetReady(ready=True))
    ada.send(Start())
    ada.act_somehow()
    bo.act_somehow()
    watcher = Participant(network, "w", spectator=True)
    family = next(each.family for each in ada.lobby().seats if each.bot)
    watcher.send(AskSeat(family=family))
    assert network.record.out_at == network.now + DAY


@pytest.mark.parametrize("is_paused", [False, True])
def test_the_clock_of_a_player_who_was_sent_away_ends_with_their_seat(is_paused: bool) -> None:
    network = Calling(latecomers="sit")
    guests = begun(network)
    guests[0].act_somehow()
    network.wait(23.9 * HOUR)
    guests[0].send(Pause(paused=True))
    watcher = Participant(network, "w", spectator=True)
    guests[0].send(SendAway(name="b"))
    if not is_paused:
        guests[0].send(Pause(paused=False))
    watcher.send(AskSeat(family="b"))
    guests[0].send(AnswerWish(name="w", family="b", granted=True))
    network.wait(12 * HOUR if is_paused else 0)
    guests[0].send(Pause(paused=False))
    assert network.record.out_at == network.now + DAY
    assert shown(watcher)["until"] == network.now + DAY
    network.restart()
    assert network.record.out_at == network.now + DAY


# Calls


def test_an_absent_player_is_called_once_for_a_turn() -> None:
    network = Calling()
    guests = begun(network)
    for each in guests:
        each.send(SetCall(address=f"{each.name}@example.org"))
    first, second = guests[:2]
    for each in guests[1:]:
        each.drop()
    first.act_somehow()
    network.wait(CALL_AFTER_S - 1)
    assert network.calls == []
    network.wait(1)
    question_at = int(network.now - CALL_AFTER_S)
    assert network.calls == [CallReport("b", "b@example.org", 23, ("a", "b", "c"), question_at)]
    assert network.forgotten == [CallForgotten(question_at)]
    assert network.record.was_called
    network.restart()
    network.wait(20 * HOUR)
    assert len(network.calls) == 1
    network.wait(5 * HOUR)
    assert [each.name for each in network.calls] == ["b", "c"], "a bot has answered for b"
    assert second.name == "b"


def test_a_call_is_due_until_the_host_confirms_it_also_after_a_restart() -> None:
    network = Calling()
    network.confirms = False
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[1].drop()
    guests[0].act_somehow()
    network.wait(CALL_AFTER_S + 20)
    (first,) = network.calls
    assert not is_called(network)
    assert note(network)[0] < network.now, "a sleeping table wakes for the call"
    network.restart()
    network.wait(CALL_AFTER_S)
    assert [each.question_at for each in network.calls] == [first.question_at] * 2
    network.execute(network.table.report_done(NAME, first, network.now))
    assert is_called(network)
    assert network.forgotten == [CallForgotten(first.question_at)]
    network.restart()
    network.wait(HOUR)
    assert len(network.calls) == 2
    # A confirmation that comes after the answer concerns no later question.
    guests[1].come_back()
    guests[1].act_somehow()
    network.execute(network.table.report_done(NAME, first, network.now))
    network.execute(network.table.report_done(NAME, "another report", network.now))
    assert not is_called(network)


def is_called(network: Calling) -> bool:
    return network.record.was_called


def test_a_player_who_returns_in_time_is_not_called() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[1].drop()
    guests[0].act_somehow()
    network.wait(CALL_AFTER_S - 1)
    guests[1].come_back()
    network.wait(5 * HOUR)
    guests[1].drop()
    network.wait(5 * HOUR)
    assert network.calls == [], "they came and read the question"


def test_a_player_who_was_present_but_goes_without_an_answer_is_called() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    network.wait(5 * HOUR)
    assert network.calls == []
    guests[1].drop()
    network.wait(CALL_AFTER_S)
    assert [each.name for each in network.calls] == ["b"]


def test_a_player_whose_connection_was_replaced_is_called_once_they_leave() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    network.wait(HOUR)
    guests[1].come_back()
    assert messages(guests[1], CallSet)[-1] == CallSet("b@example.org")
    guests[1].drop()
    network.wait(CALL_AFTER_S)
    assert [each.name for each in network.calls] == ["b"]


def test_a_player_who_was_present_when_the_host_died_is_called_once_they_leave() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    for _ in range(2):
        network.wait(HOUR)
        network.restart()
        network.wait(CALL_AFTER_S / 2)
        guests[1].come_back()
    network.wait(HOUR)
    assert network.calls == [], "their program has come back each time"
    guests[1].drop()
    network.wait(CALL_AFTER_S)
    assert [each.name for each in network.calls] == ["b"]
    guests[1].come_back()
    network.restart()
    guests[1].come_back()
    guests[1].drop()
    network.wait(HOUR)
    assert len(network.calls) == 1


def test_a_player_whose_program_stays_away_after_a_restart_is_called() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    network.wait(HOUR)
    network.restart()
    network.wait(CALL_AFTER_S - 1)
    assert network.calls == []
    network.wait(1)
    assert [each.name for each in network.calls] == ["b"]


@pytest.mark.parametrize("is_cut_off_first", [False, True])
@pytest.mark.parametrize("down_s", [0, 20, 100, HOUR])
def test_nobody_is_called_right_after_a_table_was_opened(
    is_cut_off_first: bool, down_s: float
) -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    network.wait(HOUR)
    if is_cut_off_first:
        guests[1].drop()
        network.wait(8)
    question_at = network.record.question_at
    for _ in range(2):
        network.now += down_s
        network.restart()
        network.wait(CALL_AFTER_S - 1)
        assert network.calls == []
    network.wait(1)
    assert [each.question_at for each in network.calls] == [question_at]


@pytest.mark.parametrize("returns", [False, True])
def test_two_restarts_at_any_distance_make_one_call(returns: bool) -> None:
    for between_s in (0, 1, 30, 59, 60, 61, 64, 65, 66, 90, 119, 120, 121, 130):
        network = Calling()
        guests = begun(network)
        guests[1].send(SetCall(address="b@example.org"))
        guests[0].act_somehow()
        network.wait(HOUR)
        network.restart()
        network.wait(between_s)
        network.restart()
        if returns:
            guests[1].come_back()
            guests[1].drop()
        network.wait(HOUR)
        network.restart()
        network.wait(HOUR)
        assert [each.name for each in network.calls] == ["b"], between_s


def test_a_sleeping_table_makes_a_call_when_it_wakes_for_it() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    network.wait(HOUR)
    # The program is killed while the player is present. Later the table sleeps most of the time.
    network.restart()
    opened_at = network.now
    network.execute(network.table.alarm(network.now))
    assert note(network)[0] == opened_at + CALL_AFTER_S
    network.wait(15)
    network.now = note(network)[0] + 1
    network.restart()
    assert [each.name for each in network.calls] == ["b"]


def test_a_lost_connection_of_a_present_player_does_not_cost_them_the_call() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[0].act_somehow()
    guests[1].drop()
    network.wait(5)
    guests[1].come_back()
    network.wait(HOUR)
    guests[1].drop()
    network.wait(CALL_AFTER_S)
    assert [each.name for each in network.calls] == ["b"]


def test_nobody_is_called_without_an_address_or_at_night_or_in_a_pause() -> None:
    network = Calling(**{PAUSES: "nights"})
    network.now += 22.5 * HOUR
    guests = begun(network)
    for each in guests[:2]:
        each.drop()
    network.wait(8 * HOUR)
    assert network.calls == []
    guests[0].come_back()
    guests[0].act_somehow()
    network.wait(HOUR)
    assert network.calls == []


def test_a_late_call_waits_for_the_end_of_the_night() -> None:
    network = Calling(**{PAUSES: "nights"})
    network.now = 10 * DAY + 20 * HOUR
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    guests[1].drop()
    guests[0].act_somehow()
    # The program does not run when the call is due, and starts again at night.
    network.now += 3 * HOUR
    network.restart()
    network.wait(7 * HOUR)
    assert network.calls == []
    network.wait(HOUR + 60)
    assert [each.name for each in network.calls] == ["b"]


def test_only_a_host_that_calls_takes_an_address_and_only_from_players() -> None:
    network = Network(settings=TableSettings.of({HOURS: 24}))
    (ada,) = seated(network, "a")
    ada.send(SetCall(address="a@example.org"))
    assert ada.refusal == "no_calls"
    network = Calling()
    seated(network, "a")
    watcher = Participant(network, "w", spectator=True)
    watcher.send(SetCall(address="w@example.org"))
    assert watcher.refusal == "not_seated"
    assert shown(watcher)["calls"] is True


def test_an_address_is_sent_to_its_owner_alone_and_stored() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    watcher = Participant(network, "w", spectator=True)
    assert messages(guests[1], CallSet) == [CallSet("b@example.org")]
    for each in (guests[0], guests[2], watcher):
        assert b"example.org" not in b"".join(frame for _, frame in each.frames)
    assert_comes_back(network.table, network.kept[-1])
    network.restart()
    back = Participant(network, "b", key=guests[1].session.key)
    assert messages(back, CallSet) == [CallSet("b@example.org")]
    other = Participant(network, "c", key=guests[2].session.key)
    assert messages(other, CallSet) == []


def test_an_address_stays_with_its_owner_in_the_lobby() -> None:
    network = Calling()
    ada, bo = seated(network, "ab")
    bo.send(SetCall(address="b@example.org"))
    bo.send(ChooseFamily(family="v"))
    bo.send(Rename(name="bob"))
    ada.send(ChooseFamily(family="b"))
    network.restart()
    for name, key in (("a", ada.session.key), ("bob", bo.session.key)):
        back = Participant(network, name, key=key)
        assert len(messages(back, CallSet)) == (name == "bob")


@pytest.mark.parametrize("way", ["admitted", "sent away", "left the lobby"])
def test_whoever_gets_a_seat_after_its_owner_never_receives_the_address(way: str) -> None:
    network = Calling()
    guests = seated(network, "abc") if way == "left the lobby" else begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    if way == "admitted":
        guests[1].drop()
        guests[0].send(Absent(family="b", choice="admit"))
    elif way == "sent away":
        guests[0].send(SendAway(name="b"))
    else:
        guests[1].send(Leave())
    if way == "left the lobby":
        network.restart()
    heir = Participant(network, "b", spectator=way == "sent away")
    assert b"example.org" not in b"".join(frame for _, frame in heir.frames)
    if way == "admitted":
        assert heir.phase() == "playing"
    assert "example.org" not in str(network.record)


def test_each_input_stores_the_record_once_and_the_time_of_an_alarm_is_only_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network, stored, store = Calling(**{BANK: 5}), [], PartPlace.store

    def counted(place: PartPlace, data: bytes) -> None:
        stored.append(data)
        store(place, data)

    monkeypatch.setattr(PartPlace, "store", counted)
    first, second, third = guests = seated(network, "abc")
    for each in guests[1:]:
        each.send(SetReady(ready=True))
    inputs: list[Callable[[], object]] = [
        lambda: first.send(Start()),
        lambda: second.send(SetCall(address="b@example.org")),
        lambda: first.send(SetConditions(conditions=(Condition(card="rS"),))),
        first.act_somehow,
        lambda: first.send(Pause(paused=True)),
        lambda: first.send(Pause(paused=False)),
        second.drop,
        lambda: network.execute(network.table.alarm(network.now + CALL_AFTER_S)),
        lambda: first.send(EndGame()),
        third.drop,
    ]
    for number, each_input in enumerate(inputs):
        stored.clear()
        each_input()
        assert len(stored) == 1, number
        network.table._parts.alarm_at(network.now + 40 * DAY)
        assert len(stored) == 1, number


# Notes of sleeping tables


def test_a_table_wakes_for_its_deadline_a_call_or_a_bot() -> None:
    network = Calling()
    guests = begun(network)
    assert note(network)[0] == network.now + DAY
    guests[1].send(SetCall(address="b@example.org"))
    guests[1].drop()
    guests[0].act_somehow()
    assert note(network)[0] == network.now + CALL_AFTER_S
    network.wait(CALL_AFTER_S)
    assert note(network)[0] == network.record.out_at
    guests[0].send(Pause(paused=True))
    assert note(network)[0] == network.record.given_up_at
    guests[0].send(Pause(paused=False))
    guests[0].send(SendAway(name="b"))
    assert note(network)[0] == 0
    guests[0].send(EndGame())
    assert note(network)[0] == network.record.given_up_at


def test_a_table_with_addresses_does_not_wake_for_calls_that_its_host_cannot_make() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    for each in guests[1:]:
        each.drop()
    guests[0].act_somehow()
    guests[0].drop()
    assert note(network)[0] == network.now + CALL_AFTER_S
    network.wait(CALL_AFTER_S / 2)
    # The host opens the table again without a command for calls.
    Network.restart(network)
    network.wait(CALL_AFTER_S)
    network.execute(network.table.alarm(network.now))
    assert note(network)[0] == network.record.out_at
    assert network.calls == []
    # With a command, the player is called after the table is in memory next.
    network.restart()
    network.wait(CALL_AFTER_S)
    assert [each.name for each in network.calls] == ["b"]


def test_a_note_has_no_card_and_no_address() -> None:
    network = Calling()
    guests = begun(network)
    guests[1].send(SetCall(address="b@example.org"))
    play_on(guests, 4)
    _, found = note(network)
    text = str(found)
    assert "example.org" not in text
    views = [each.view() for each in guests]
    for view, own in zip(views, range(3), strict=True):
        assert view.hands[own] not in text
    assert (found.round, found.names, found.phase) == (1, ("a", "b", "c"), "playing")


def test_an_ordinary_table_never_wakes_by_itself() -> None:
    network = Network()
    begun(network)
    wakes_at, found = note(network)
    assert wakes_at == float("inf")
    assert (found.phase, found.whose, found.deciding) == ("playing", "a", "r")
