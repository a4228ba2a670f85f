"""What a host can do about somebody who spoils a table: slow, silence, send away, lock out, end."""

from pathlib import Path
from random import Random

import pytest

from netcode.limits import NETWORK_LINES, NEWCOMERS, TABLE_LINES
from netcode.protocol.fields import MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    Absent,
    AddBot,
    Chat,
    EndGame,
    Leave,
    NewInvitation,
    Refused,
    SendAway,
    SetReady,
    Silence,
    Start,
)
from netcode.storage.history import Filter, History
from netcode.table.people.absence import SILENT_S
from tests.netcode.table.test_chat import heard
from tests.support.kept import at_play
from tests.support.pretend import (
    CODE,
    OWNER_KEY,
    Network,
    Participant,
    asked,
    aways,
    known_game,
    names,
    play_on,
    playing,
    seated,
    tokens,
)

# Pace


def test_who_comes_and_leaves_under_new_names_is_heard_no_more_than_one_network() -> None:
    network = Network()
    (a,) = seated(network, "a")
    came = 0
    for moment in range(150):
        network.now += 0.1
        noise = Participant(network, f"noise {moment}", spectator=True, whence="192.0.2.7")
        if noise.refusal is None:
            came += 1
            for line in range(5):
                noise.say(Chat(text=f"{line}"))
            noise.say(Leave())
        else:
            assert noise.refusal == "too_many_came"
            noise.drop()
    assert came <= NEWCOMERS.burst + NEWCOMERS.per_s * 15 + 1
    assert len(heard(a)) <= NETWORK_LINES.burst + NETWORK_LINES.per_s * 15 + 1
    assert Participant(network, "b", whence="192.0.2.8").refusal is None


def test_a_full_table_in_one_home_chats_as_ever() -> None:
    network = Network()
    home = [Participant(network, name, whence="192.0.2.7") for name in "abcde"]
    home += [
        Participant(network, f"w{number}", spectator=True, whence="192.0.2.7")
        for number in range(MAXIMUM_SPECTATORS)
    ]
    for participant in home:
        participant.say(Chat(text="good evening"))
        assert participant.refusal is None
    for line in range(60):
        network.wait(1.1)
        speaker = home[line % len(home)]
        speaker.say(Chat(text="nice one"))
        assert speaker.refusal is None


def test_many_networks_together_are_heard_no_more_than_a_table_can_read() -> None:
    network = Network()
    (a,) = seated(network, "a")
    crowd = [
        Participant(network, f"w{number}", spectator=True, whence=f"192.0.2.{number}")
        for number in range(MAXIMUM_SPECTATORS)
    ]
    for _ in range(10):
        network.wait(1)
        for participant in crowd:
            for _ in range(3):
                participant.say(Chat(text="buy"))
    assert len(heard(a)) <= TABLE_LINES.burst + TABLE_LINES.per_s * 10 + 1


# Silence


def test_the_host_silences_all_spectators_and_those_who_come_later() -> None:
    network = Network()
    a, b = seated(network, "ab")
    watcher = Participant(network, "w", spectator=True)
    a.say(Silence(silenced=True))
    later = Participant(network, "x", spectator=True)
    for participant in (watcher, later):
        assert participant.lobby().silenced
        assert participant.say(Chat(text="hello")) == [Refused(code="spectators_silenced")]
    b.say(Chat(text="quiet"))
    assert heard(watcher) == ["b: quiet"]
    a.say(Silence(silenced=False))
    watcher.say(Chat(text="thanks"))
    assert heard(a) == ["b: quiet", "w: thanks"]
    assert a.say(Silence(silenced=False)) == []


# Sent away


def test_the_host_sends_a_spectator_away() -> None:
    network = Network()
    a, _ = seated(network, "ab")
    watcher = Participant(network, "Wolf", spectator=True)
    a.say(SendAway(name="wolf"))
    assert watcher.goodbye == "removed"
    assert a.lobby().spectators == ()
    watcher.come_back()
    assert watcher.refusal == "unknown_key"


@pytest.mark.parametrize("over", [False, True])
def test_who_is_sent_away_from_a_game_leaves_their_seat_to_a_bot(over: bool) -> None:
    a, b, c = guests = known_game()
    if over:
        play_on(guests)
    else:
        a.act("S>")
    a.say(SendAway(name="b"))
    assert b.goodbye == "removed"
    assert names(c) == "r:a* b:Aubin g:c"
    b.come_back()
    assert b.refusal == "unknown_key"
    if not over:
        a.network.wait(1)
        assert asked([a, c]) is c, "the bot has answered"


# A new invitation


def test_everybody_there_is_told_of_a_new_invitation() -> None:
    network = Network()
    network.table.set_invitation("", secret=network.secret)
    a, b = seated(network, "ab")
    watcher = Participant(network, "w", spectator=True)
    assert b.say(NewInvitation()) == [Refused(code="not_the_host")]
    a.say(NewInvitation())
    for participant in (a, b, watcher):
        assert (participant.lobby().invitation, participant.lobby().code) == ("by link", CODE)
        assert participant.session.secret == participant.lobby().secret == network.secret


# Ended


def test_the_host_ends_a_game_and_everybody_is_told_by_whom() -> None:
    a, b, c = known_game()
    watcher = Participant(a.network, "w", spectator=True)
    assert b.say(EndGame()) == [Refused(code="not_the_host")]
    a.act("S>")
    a.say(EndGame())
    for participant in (a, b, c, watcher):
        assert (participant.phase(), participant.lobby().ended_by) == ("lobby", "a")
    assert names(b) == "r:a* b:b g:c"
    assert a.say(EndGame()) == [Refused(code="no_game")]
    for participant in (b, c):
        participant.say(SetReady(ready=True))
    a.say(Start())
    assert (b.phase(), b.lobby().ended_by, tokens(b)) == ("playing", None, ())


def test_a_game_that_was_ended_is_in_the_history_as_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    network, guests = at_play(path, 7)
    guests[0].say(EndGame())
    network.store.close()
    with History.open(path) as history:
        assert history.count(Filter(outcome="abandoned")) == 1
        (game,) = history.games()
        assert len(history.record(game.id).actions) == 7


def test_a_clock_that_had_run_out_is_forgotten_with_the_game() -> None:
    a, b, c = playing("abc", Random(1))
    a.act_somehow()
    a.network.wait(SILENT_S)
    a.say(Absent(family="b", choice="bot"))
    a.say(EndGame())
    for participant in (b, c):
        participant.say(SetReady(ready=True))
    a.say(AddBot(bot="random"))
    a.say(Start())
    assert aways(c) == "r:no b:no g:no y:no"


def test_who_comes_back_to_their_seat_is_no_newcomer() -> None:
    network = Network()
    (a,) = home = [Participant(network, "a", whence="192.0.2.7")]
    for _ in range(int(NEWCOMERS.burst) + 5):
        home[0].drop()
        home[0].come_back()
    assert a.refusal is None


def test_a_host_who_watches_is_not_silenced() -> None:
    network = Network(owner_key=OWNER_KEY)
    host = Participant(network, "h", key=OWNER_KEY, spectator=True)
    host.say(Silence(silenced=True))
    host.say(Chat(text="silence, please"))
    assert heard(host) == ["h: silence, please"]
