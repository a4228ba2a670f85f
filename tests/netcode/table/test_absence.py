"""Lost connections, keys to seats, and who answers for those who are away."""

from typing import Literal

from engine.events import Placed, RoundBegan
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import (
    Absent,
    AddBot,
    Chat,
    Lobby,
    Refused,
    SendAway,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from tests.support.pretend import (
    Network,
    Participant,
    asked,
    aways,
    hello,
    known_game,
    names,
    play_on,
    rematch,
    seated,
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


def test_bots_wait_for_somebody_to_return_after_a_crash() -> None:
    network = Network(settings=TableSettings(first="b"))
    (host,) = seated(network, "a")
    for _ in range(2):
        host.say(AddBot(bot="steady"))
    host.say(Start())
    network.restart()
    network.wait(1000)
    assert tokens(host) == ()
    host.come_back()
    network.wait(1000)
    assert len(tokens(host)) == 2
