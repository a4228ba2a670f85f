"""Lost connections, keys to seats, and who answers for those who are away."""

from engine.events import Placed, RoundBegan
from netcode.protocol.messages import (
    AddBot,
    Chat,
    Lobby,
    Start,
    State,
    TableSettings,
    Welcome,
)
from tests.support.pretend import (
    Network,
    Participant,
    hello,
    known_game,
    names,
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


def test_wrong_keys_cannot_be_tried_without_end() -> None:
    (a, *_) = known_game()
    thief = Participant(a.network, "t", greet=False)
    for number in range(8):
        thief.say(hello(key=bytes([200 + number]) * 32))
    assert thief.goodbye == "too_many_bad_messages"
    assert thief.is_closed()


# What the host decides about those who are away


def test_bots_that_somebody_watches_are_not_left_to_who_comes() -> None:
    network = Network(settings=TableSettings(pace_ms=900))
    watcher = Participant(network, "w", spectator=True)
    network.table.participants.spectators[0].host = True
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
