"""Tests that everybody reads the decisions that a bot made because a player's time was up."""

from driflamme_tui.screens.table.event_lines import EventLines
from driflamme_tui.wording.game.event_words import event_sentences, table_names
from tests.support.pretend import Participant, aways, playing, rematch

SECONDS = 30


def overdue_at(guests: list[Participant]) -> list[frozenset[int]]:
    """Return, for each participant, the decisions that a bot made for late players."""
    return [each.session.overdue for each in guests]


def test_everybody_reads_which_decision_a_bot_made_because_the_time_was_up() -> None:
    guests = playing(clock_s=SECONDS)
    guests.append(Participant(guests[0].network, "watcher", spectator=True))
    guests[0].act_somehow()
    first = len(guests[0].session.events)
    guests[0].network.wait(SECONDS)
    assert overdue_at(guests) == [frozenset({first})] * 4
    guests[2].act_somehow()
    assert overdue_at(guests) == [frozenset({first})] * 4, "an answer of a player is none of these"
    for participant in guests:
        session = participant.session
        table = table_names(participant.view(), session.names(), session.owners())
        sentences = event_sentences(session.events, table, 0, session.overdue)
        late = [each for each in sentences if each.endswith("(time was up)")]
        assert len(late) == 1
        assert late[0].startswith("You " if participant is guests[1] else "b ")
        lines = EventLines().update(session.events, [], table, session.overdue)
        assert [number for number, (_seat, text) in enumerate(lines) if text in late] == [first]


def test_who_comes_back_reads_all_of_them_and_a_new_game_has_none() -> None:
    guests = playing(clock_s=SECONDS)
    network = guests[0].network
    network.wait(SECONDS)
    known = guests[0].session.overdue
    assert len(known) == 1
    guests[2].drop()
    network.wait(SECONDS)
    guests[2].come_back()
    newcomer = Participant(network, "watcher", spectator=True)
    assert len(newcomer.session.overdue) == 2
    assert guests[2].session.overdue == newcomer.session.overdue > known
    while not guests[0].view().over:
        network.wait(SECONDS)
    rematch(guests)
    assert overdue_at(guests) == [frozenset()] * 3


def test_a_bot_that_answers_for_who_is_away_or_lapsed_is_not_late() -> None:
    guests = playing(clock_s=SECONDS)
    guests[0].act_somehow()
    guests[1].drop()
    guests[0].network.wait(25)
    assert aways(guests[0]).split()[1].endswith(":bot")
    assert overdue_at(guests[:1]) == [frozenset()]


def test_without_a_clock_nobody_is_late() -> None:
    guests = playing()
    guests[0].act_somehow()
    guests[1].drop()
    guests[0].network.wait(100)
    assert overdue_at(guests[:1]) == [frozenset()]
