"""What a host can do about somebody who spoils a table: slow, silence, send away, lock out, end."""

from pathlib import Path

from netcode.limits import NETWORK_LINES, NEWCOMERS, TABLE_LINES
from netcode.protocol.fields import MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    Chat,
    EndGame,
    Leave,
    NewInvitation,
    Refused,
    Silence,
)
from netcode.storage.history import Filter, History
from tests.netcode.table.scenes import heard
from tests.support.kept import at_play
from tests.support.pretend import (
    CODE,
    OWNER_KEY,
    Network,
    Participant,
    seated,
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


def test_a_game_that_was_ended_is_in_the_history_as_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    network, guests = at_play(path, 7)
    guests[0].say(EndGame())
    network.store.close()
    with History.open(path) as history:
        assert history.count(Filter(outcome="abandoned")) == 1
        (game,) = history.games()
        assert len(history.record(game.id).actions) == 7


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
