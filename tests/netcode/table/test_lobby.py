"""Tests the lobby: seats, names, the host, returning players, and reasons against a start."""

import pytest

from netcode.limits import MAXIMUM_STRIKES
from netcode.protocol.evening import Evening, SeatResult
from netcode.protocol.fields import FAMILY_LETTERS, MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    ChangeSettings,
    Chat,
    ChooseFamily,
    Goodbye,
    Leave,
    Mute,
    Pause,
    Refused,
    Rename,
    SetReady,
    Start,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.people.absence import LOBBY_GRACE_S
from netcode.table.people.host_role import HOST_AWAY_S
from netcode.table.people.participants import alike
from tests.support.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    hello,
    known_game,
    names,
    play_on,
    playing,
    rematch,
    seated,
    snapshot_of,
    tokens,
)


def test_there_are_so_many_spectators_and_no_more() -> None:
    network = Network()
    watching = [Participant(network, f"w{n}", spectator=True) for n in range(MAXIMUM_SPECTATORS)]
    assert Participant(network, "late", spectator=True).refusal == "too_many_spectators"
    watching[0].drop()
    assert Participant(network, "later", spectator=True).refusal is None


def test_at_a_result_newcomers_and_spectators_sit_down_for_the_next_game() -> None:
    guests = playing("abc")
    network = guests[0].network
    watcher = Participant(network, "w", spectator=True)
    play_on(guests)
    newcomer = Participant(network, "d")
    watcher.send(ChooseFamily(family="v"))
    assert [seat.name for seat in newcomer.lobby().seats] == ["a", "b", "c", "d", "w"]
    assert watcher.lobby().you == watcher.session.family == "v"
    assert newcomer.view().over
    assert newcomer.view().viewer is None, "they see what they had no part in"
    assert newcomer.send(ChooseFamily(family="v")) == [Refused(code="not_in_lobby")]
    network.restart()
    everybody = [*guests, newcomer, watcher]
    for participant in everybody:
        participant.come_back()
    rematch(everybody)
    assert watcher.view().families == "rbgyv"
    assert watcher.view().viewer == 4
    play_on(everybody)
    late = everybody.pop(3)
    assert late.lobby().phase == "result"
    late.send(Leave())
    assert len(watcher.lobby().seats) == 5, "who played has a bot in the next game"


@pytest.mark.parametrize(
    ("theirs", "code"), [(PROTOCOL - 1, "upgrade_client"), (PROTOCOL + 1, "upgrade_host")]
)
def test_another_protocol_is_told_which_side_to_upgrade(theirs: int, code: str) -> None:
    participant = Participant(Network(), "a", greet=False)
    participant.network.execute(
        participant.network.table.receive(participant.connection, hello(protocol=theirs), 0.0)
    )
    assert participant.received == [
        Goodbye(code=code, values={"theirs": PROTOCOL, "yours": theirs})
    ]
    assert participant.is_closed()


def test_a_connection_that_keeps_on_making_no_sense_is_closed() -> None:
    network = Network()
    host, participant = seated(network, "ab")
    for _ in range(MAXIMUM_STRIKES - 1):
        participant.send(hello())
        assert participant.refusal == "already_greeted"
    assert not participant.is_closed()
    participant.send(hello())
    assert participant.goodbye == "too_many_bad_messages"
    assert participant.is_closed()
    network.wait(LOBBY_GRACE_S)
    assert names(host) == "r:a*"


def test_who_sat_down_comes_back_with_either_key_until_they_have_the_new_one() -> None:
    network = Network()
    seated(network, "abc")
    watcher = Participant(network, "w", spectator=True)
    before = watcher.session.key
    watcher.send(ChooseFamily(family="v"))
    watcher.drop()
    watcher.session.key = before
    watcher.come_back()
    assert watcher.session.family == "v"


def test_the_owners_key_makes_the_host() -> None:
    network = Network(owner_key=OWNER_KEY)
    first = Participant(network, "a")
    assert not first.session.is_host
    owner = Participant(network, "b", key=OWNER_KEY)
    assert owner.session.is_host
    assert names(first) == "r:a b:b*"
    owner.drop()
    network.wait(LOBBY_GRACE_S)
    assert names(first) == "r:a", "nobody else becomes the host"
    owner.come_back()
    assert owner.refusal == "unknown_key"
    assert owner.session.key == OWNER_KEY
    owner.greet()
    assert names(first) == "r:a b:b*"


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
        thief.send(hello(key=bytes([200 + number]) * 32))
    assert thief.goodbye == "too_many_bad_messages"
    assert thief.is_closed()


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


def test_bots_that_somebody_watches_are_not_left_to_who_comes() -> None:
    network = Network(settings=TableSettings(pace_ms=900))
    watcher = Participant(network, "w", spectator=True)
    network.table.participants.spectators[0].host = True
    for _ in range(3):
        watcher.send(AddBot(bot="steady"))
    watcher.send(Start())
    assert watcher.phase() == "playing"
    assert Participant(network, "n").refusal == "game_under_way"
    assert watcher.phase() == "playing"


def test_who_came_back_while_nothing_could_be_kept_has_their_seat_after_a_crash() -> None:
    a, b, _ = known_game()
    on_disk = [*a.network.kept]
    for _ in range(3):
        b.drop()
        b.come_back()
        b.send(Chat(text="here again"))
    a.network.kept = on_disk
    a.network.restart()
    b.come_back()
    assert b.refusal is None
    assert names(b) == "r:a* b:b g:c"
    assert b.lobby().you == "b"


def test_an_owner_who_only_watched_and_went_is_an_absent_owner_too() -> None:
    network = Network(owner_key=OWNER_KEY, settings=TableSettings(first="r", pace_ms=0))
    owner = Participant(network, "o", spectator=True, key=OWNER_KEY)
    a, b = seated(network, "ab")
    owner.send(AddBot(bot="steady"))
    for participant in (a, b):
        participant.send(SetReady(ready=True))
    owner.send(Start())
    owner.send(Pause(paused=True))
    owner.drop()
    network.wait(HOST_AWAY_S)
    assert not a.lobby().paused


def test_an_opener_whose_name_is_taken_is_the_host_under_another() -> None:
    network = Network(opener=2)
    first = Participant(network, "a")
    opener = Participant(network, "a")
    assert opener.refusal == "name_taken"
    opener.send(hello("b"))
    assert opener.session.is_host
    assert not first.session.is_host


def test_an_opener_who_has_gone_is_not_waited_for() -> None:
    network = Network(opener=2)
    first = Participant(network, "b")
    network.execute(network.table.opener_gone(3, network.now))
    assert not first.session.is_host
    network.execute(network.table.opener_gone(2, network.now))
    assert first.session.is_host


def test_an_owner_has_the_table_and_their_seat_back_after_a_crash_by_their_own_key() -> None:
    a, b, _ = known_game(owner_key=OWNER_KEY)
    a.network.restart(OWNER_KEY)
    owner = Participant(a.network, "somebody", key=OWNER_KEY)
    b.come_back()
    assert (owner.session.is_host, owner.session.family) == (True, "r")
    assert not b.session.is_host


def test_names_are_alike_whose_signs_look_alike() -> None:
    for sign, others in (
        ("-", "\u2010\u2011\u2012\u2013\u2014\u2212\uff0d"),
        ("'", "\u2018\u2019\u02bc\u2032`\u00b4\uff07"),
    ):
        assert {alike(f"O{each}k") for each in others} == {alike(f"o{sign}k")}
    names = ["ok", "o-k", "o'k", "o.k", "o_k", "o k"]
    assert len(set(map(alike, names))) == len(names)


def test_who_sits_in_the_lobby_is_called_otherwise_with_all_that_is_theirs() -> None:
    network = Network()
    a, b, c = seated(network, "abc")
    network.table.games.evening = Evening().after(
        [SeatResult("a", False, 9, 2), SeatResult("b", False, 12, 1)]
    )
    a.send(Mute(name="b", muted=True))
    b.send(Rename("Berthe"))
    for each in (a, b, c):
        assert [seat.name for seat in each.lobby().seats] == ["a", "Berthe", "c"]
        assert [each.name for each in each.lobby().evening.standings] == ["Berthe", "a"]
    b.send(Chat(text="hello"))
    assert b.received[-1] == Refused(code="muted")
    assert [seat.name for seat in snapshot_of(network.table).table.seats] == ["a", "Berthe", "c"]
    b.send(Rename("BERTHE"))
    assert a.lobby().seats[1].name == "BERTHE", "of oneself a name may be alike"


@pytest.mark.parametrize("two", [False, True])
def test_whoever_is_to_begin_still_is_after_any_change_of_their_family(two: bool) -> None:
    a, b = seated(Network(settings=TableSettings(two=two)), "ab")
    for person in (a, b):
        for _again in range(6):
            own = next(seat for seat in a.lobby().seats if seat.family == person.lobby().you)
            first = own.second or own.family
            a.send(ChangeSettings(settings=TableSettings(two=two, first=first)))
            taken = {each for seat in a.lobby().seats for each in (seat.family, seat.second)}
            free = next(each for each in FAMILY_LETTERS if each not in taken)
            person.send(ChooseFamily(family=free))
            seats = {seat.name: (seat.family, seat.second) for seat in a.lobby().seats}
            assert a.lobby().settings.first in seats[own.name]
            missing = a.lobby().missing
            assert missing is None or missing.code != "first_not_seated"
