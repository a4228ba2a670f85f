"""Tests an evening: games one after the other, each after a countdown, and their results."""

from netcode.protocol.evening import Evening
from netcode.protocol.fields import is_name
from netcode.protocol.messages import (
    AddBot,
    BackToLobby,
    Chat,
    Leave,
    Refused,
    Remove,
    Rename,
    Start,
    Talk,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.people.participants import BOT_NAMES, Participants
from tests.support.pretend import Network, Participant, names, play_on, playing, rematch


def play_a_game_with_bots(host: Participant) -> None:
    host.send(Start())
    while host.phase() == "playing":
        play_on([host])
        host.network.wait(1)


def test_each_game_that_comes_to_its_end_counts_for_all_who_played_it() -> None:
    guests = playing()
    influence = [0, 0, 0]
    for _ in range(2):
        play_on(guests)
        view = guests[0].session.view
        assert view is not None
        influence = [before + more for before, more in zip(influence, view.pools, strict=True)]
        rematch(guests)
    (evening,) = {each.lobby().evening for each in guests}
    assert evening.games == 2
    assert {each.name: each.influence for each in evening.standings} == dict(
        zip("abc", influence, strict=True)
    )
    assert {each.games for each in evening.standings} == {2}
    assert sum(each.wins for each in evening.standings) >= 2


def test_nobody_takes_what_somebody_else_has_won_by_their_name() -> None:
    guests = playing()
    play_on(guests)
    a, b, c = guests
    a.send(BackToLobby())
    won = {each.name: each for each in a.lobby().evening.standings}
    c.send(Leave())
    assert b.send(Rename(name="c"))[-1] == Refused(code="name_taken", values={"name": "c"})
    assert {each.name: each for each in a.lobby().evening.standings} == won
    b.send(Rename(name="d"))
    assert {each.name for each in a.lobby().evening.standings} == {"a", "c", "d"}
    b.send(Rename(name="b"))
    assert {each.name: each for each in a.lobby().evening.standings} == won
    assert names(Participant(a.network, "c")) == "r:a* b:b g:c", "and is c again"


def test_a_bot_does_not_go_on_with_what_another_bot_of_its_name_has_won() -> None:
    network = Network(settings=TableSettings(pace_ms=0), opener=1)
    host = Participant(network, "a")
    for _ in range(2):
        host.send(AddBot(bot="random"))
    play_a_game_with_bots(host)
    first = host.lobby().evening
    host.send(BackToLobby())
    host.send(Remove(family="b"))
    host.send(AddBot(bot="steady"))
    play_a_game_with_bots(host)
    evening = host.lobby().evening
    assert {each.games for each in evening.standings if each.name != "Aubin"} == {1, 2}
    assert [each for each in evening.standings if each.name == "Aubin"] == [
        each for each in first.standings if each.name == "Aubin"
    ]
    assert all(seat.name != "Aubin" for seat in host.lobby().seats)


def test_a_person_does_not_go_on_with_what_a_bot_of_their_name_has_won() -> None:
    network = Network(settings=TableSettings(pace_ms=0), opener=1)
    host = Participant(network, "a")
    for _ in range(3):
        host.send(AddBot(bot="random"))
    play_a_game_with_bots(host)
    host.send(BackToLobby())
    host.send(Remove(family="b"))
    host.send(Rename(name="Aubin"))
    assert host.lobby().your_seat.name == "Aubin"  # type: ignore[union-attr]
    play_a_game_with_bots(host)
    evening = host.lobby().evening
    assert {each.is_bot: each.games for each in evening.standings if each.name == "Aubin"} == {
        False: 2,
        True: 1,
    }


def test_a_table_with_more_bots_in_an_evening_than_names_gives_each_a_name_of_its_own() -> None:
    participants = Participants()
    taken: set[str] = set()
    for _ in range(3 * len(BOT_NAMES)):
        participants.add_bot("steady", taken)
        (bot,) = participants.seats
        assert bot.name not in taken
        assert is_name(bot.name)
        taken.add(bot.name)
        participants.seats.clear()


def test_after_a_decided_evening_another_begins() -> None:
    guests = playing(best_of=3)
    for _ in range(4):
        play_on(guests)
        if guests[0].lobby().evening.is_decided(3):
            break
        rematch(guests)
    assert guests[0].lobby().evening.is_decided(3)
    rematch(guests)
    assert guests[0].lobby().evening == Evening()


def test_what_was_said_and_won_is_forgotten_with_the_last_person_also_by_a_crash() -> None:
    network = Network(settings=TableSettings(pace_ms=0))
    watcher = Participant(network, "w", spectator=True)
    watcher.send(Chat(text="only among us"))
    network.restart()
    newcomer = Participant(network, "n")
    assert not [each for each in newcomer.received if isinstance(each, Talk)]


def test_a_count_stops_when_nobody_is_there_any_more() -> None:
    network = Network(opener=1)
    host = Participant(network, "h", spectator=True)
    for _ in range(3):
        host.send(AddBot(bot="random"))
    host.send(Start(count_s=3))
    assert host.lobby().count_s == 3
    host.drop()
    network.wait(5)
    assert network.table.games.phase == "lobby"
