"""Who sits where, who decides, and what is missing for a game."""

import pytest

from netcode.limits import MAXIMUM_STRIKES
from netcode.protocol.fields import MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    ChangeBot,
    ChangeSettings,
    ChooseFamily,
    Goodbye,
    Leave,
    Lobby,
    Refused,
    Remove,
    SeatInfo,
    SetReady,
    Start,
    TableSettings,
    Welcome,
)
from netcode.table.people.absence import LOBBY_GRACE_S
from netcode.table.table import Table
from tests.support.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    hello,
    names,
    play_on,
    playing,
    rematch,
    seated,
)


def missing(participant: Participant) -> tuple[str, dict[str, object]] | None:
    reason = participant.lobby().missing
    return None if reason is None else (reason.code, dict(reason.values))


# Coming in


def test_who_says_hello_gets_a_seat_a_family_and_a_key() -> None:
    participant = Participant(Network(), "Anna")
    welcome, first_lobby = participant.received
    assert isinstance(welcome, Welcome)
    assert welcome.family == "r"
    assert len(welcome.key) == 32
    assert first_lobby == Lobby(
        phase="lobby",
        seats=(SeatInfo(family="r", name="Anna", host=True),),
        spectators=(),
        settings=TableSettings(),
        missing=participant.lobby().missing,
        invitation="",
        you="r",
        host=True,
    )


def test_the_invitation_and_the_code_are_what_the_shell_has_set_and_for_all_who_are_there() -> None:
    network = Network()
    network.table.set_invitation("driflamme://192.168.1.20", "K7QFM2XA")
    for participant in (Participant(network, "a"), Participant(network, "w", spectator=True)):
        assert participant.lobby().invitation == "driflamme://192.168.1.20"
        assert participant.lobby().code == "K7QFM2XA"


@pytest.mark.parametrize(
    ("first", "second"), [("Anna", "Anna"), ("Anna", "aNNA"), ("Straße", "STRASSE"), ("ﬁ", "fi")]
)
def test_a_name_that_looks_the_same_is_taken(first: str, second: str) -> None:
    network = Network()
    anna = Participant(network, first)
    other = Participant(network, second)
    assert other.refusal == "name_taken"
    assert len(anna.received) == 2, "nobody else hears of it"
    other.name = "Bert"
    other.greet()
    assert names(anna) == f"r:{first}* b:Bert"


def test_a_full_table_has_room_for_spectators_only() -> None:
    network = Network()
    guests = seated(network, "abcde")
    late = Participant(network, "f")
    assert late.refusal == "table_full"
    late.spectator = True
    late.greet()
    assert late.session.family is None
    assert guests[0].lobby().spectators == ("f",)
    assert len(guests[0].lobby().seats) == 5


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
    watcher.say(ChooseFamily(family="v"))
    assert [seat.name for seat in newcomer.lobby().seats] == ["a", "b", "c", "d", "w"]
    assert watcher.lobby().you == watcher.session.family == "v"
    assert newcomer.view().over
    assert newcomer.view().viewer is None, "they see what they had no part in"
    assert newcomer.say(ChooseFamily(family="v")) == [Refused(code="not_in_lobby")]
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
    late.say(Leave())
    assert len(watcher.lobby().seats) == 5, "who played has a bot in the next game"


@pytest.mark.parametrize(
    ("theirs", "code"), [(PROTOCOL - 1, "upgrade_client"), (PROTOCOL + 1, "upgrade_host")]
)
def test_another_protocol_is_told_which_side_to_upgrade(theirs: int, code: str) -> None:
    participant = Participant(Network(), "a", greet=False)
    participant.network.carry_out(
        participant.network.table.receive(participant.connection, hello(protocol=theirs), 0.0)
    )
    assert participant.received == [
        Goodbye(code=code, values={"theirs": PROTOCOL, "yours": theirs})
    ]
    assert participant.is_closed()


# Making no sense


def test_a_connection_that_keeps_on_making_no_sense_is_closed() -> None:
    network = Network()
    host, participant = seated(network, "ab")
    table = network.table
    for _ in range(MAXIMUM_STRIKES - 1):
        network.carry_out(table.malformed(participant.connection, "malformed", network.now))
        assert participant.refusal == "malformed"
    assert not participant.is_closed()
    participant.say(hello())
    assert participant.goodbye == "too_many_bad_messages"
    assert participant.is_closed()
    assert names(host) == "r:a*"


def test_what_comes_after_the_goodbye_does_not_count() -> None:
    network = Network()
    (host,) = seated(network, "a")
    table = network.table
    connection = network.connect(host)
    table.receive(connection, hello("b"), 0.0)
    table.receive(connection, Leave(), 0.0)
    assert table.receive(connection, hello("c"), 0.0) == []
    assert table.malformed(connection, "malformed", 0.0) == []


# Families, bots and settings


def test_a_free_family_can_be_chosen() -> None:
    a, b = seated(Network(), "ab")
    b.say(ChooseFamily(family="v"))
    assert names(a) == "r:a* v:b"
    assert b.session.family == "v"
    assert b.say(ChooseFamily(family="v")) == [], "one's own is free, and that is no news"
    b.say(ChooseFamily(family="r"))
    assert b.refusal == "family_taken"
    assert names(a) == "r:a* v:b"


def test_who_comes_next_gets_the_first_free_family() -> None:
    network = Network()
    a, _, _ = seated(network, "abc")
    a.say(ChooseFamily(family="y"))
    Participant(network, "d")
    assert names(a) == "y:a* b:b g:c r:d"


def test_the_host_adds_and_removes_bots() -> None:
    (host,) = seated(Network(), "a")
    for bot in ("steady", "random", "steady"):
        host.say(AddBot(bot=bot))
    assert names(host) == "r:a* b:Aubin g:Berthe y:Corentin"
    assert [seat.bot for seat in host.lobby().seats] == [None, "steady", "random", "steady"]
    assert all(seat.ready for seat in host.lobby().seats[1:])
    host.say(Remove(family="g"))
    assert names(host) == "r:a* b:Aubin y:Corentin"
    host.say(AddBot(bot="steady"))
    assert names(host) == "r:a* b:Aubin y:Corentin g:Berthe"


def test_the_host_removes_a_person() -> None:
    host, participant, other = seated(Network(), "abc")
    host.say(Remove(family="b"))
    assert participant.goodbye == "removed"
    assert participant.is_closed()
    assert names(other) == "r:a* g:c"
    participant.session.goodbye = None
    participant.come_back()
    assert participant.session.key is None, "the key is worth nothing any more"
    participant.greet()
    assert names(other) == "r:a* g:c b:b"


def test_a_bot_is_changed_between_games_and_in_none() -> None:
    (host,) = seated(Network(settings=TableSettings(pace_ms=0)), "a")
    for _ in range(2):
        host.say(AddBot(bot="steady"))
    host.say(Start())
    change = ChangeBot(family="b", bot="master")
    assert host.say(change) == [Refused(code="not_in_lobby")]
    while host.phase() == "playing":
        play_on([host])
        host.network.wait(1)
    host.say(change)
    assert [seat.bot for seat in host.lobby().seats] == [None, "master", "steady"]
    assert host.phase() == "result"


def seen_from_outside(table: Table) -> tuple[str, tuple[str, ...], bool, bool]:
    return table.phase, table.names, table.has_persons, table.attended


def test_a_table_is_summed_up_for_those_who_are_not_there() -> None:
    network = Network(settings=TableSettings(edition=1))
    table = network.table
    assert seen_from_outside(table) == ("lobby", (), False, False)
    host, participant = seated(network, "ab")
    host.say(AddBot(bot="random"))
    participant.say(SetReady(ready=True))
    host.say(Start())
    assert seen_from_outside(table) == ("playing", ("a", "b", "Aubin"), True, True)
    watcher = Participant(network, "w", spectator=True)
    host.drop()
    participant.drop()
    assert table.attended, "somebody watches"
    watcher.drop()
    assert not table.attended


def test_a_spectator_sits_down_in_a_lobby_that_has_a_seat() -> None:
    network = Network()
    a, *_ = seated(network, "abcd")
    watcher = Participant(network, "w", spectator=True)
    other = Participant(network, "x", spectator=True)
    assert watcher.say(ChooseFamily(family="r")) == [
        Refused(code="family_taken", values={"family": "r"})
    ]
    assert a.lobby().spectators == ("w", "x"), "nothing has changed"
    before = watcher.session.key
    [welcome, *_] = watcher.say(ChooseFamily(family="v"))
    assert isinstance(welcome, Welcome)
    assert welcome.family == "v"
    assert watcher.session.key == welcome.key != before
    assert [(seat.family, seat.name) for seat in a.lobby().seats][-1] == ("v", "w")
    assert a.lobby().spectators == ("x",)
    assert watcher.lobby().you == "v"
    assert other.say(ChooseFamily(family="v"))[0] == Refused(code="table_full", values={"seats": 5})
    watcher.drop()
    watcher.come_back()
    assert watcher.session.family == "v", "the new key is that of the seat"


def test_who_sat_down_comes_back_with_either_key_until_they_have_the_new_one() -> None:
    network = Network()
    seated(network, "abc")
    watcher = Participant(network, "w", spectator=True)
    before = watcher.session.key
    watcher.say(ChooseFamily(family="v"))
    watcher.drop()
    watcher.session.key = before
    watcher.come_back()
    assert watcher.session.family == "v"


# Starting


def test_the_first_player_must_be_there() -> None:
    guests = seated(Network(), "abc")
    for participant in guests[1:]:
        participant.say(SetReady(ready=True))
    host = guests[0]
    host.say(ChangeSettings(settings=TableSettings(first="v")))
    assert missing(host) == ("first_not_seated", {"family": "v"})
    host.say(Start())
    assert host.refusal == "first_not_seated"
    guests[2].say(ChooseFamily(family="v"))
    for participant in guests[1:]:
        participant.say(SetReady(ready=True))
    host.say(Start())
    view = host.session.view
    assert view is not None
    assert view.families == "rbv"
    assert view.families[view.first] == "v"


# Going


def test_an_alarm_too_many_or_too_early_does_no_harm() -> None:
    a, b = seated(Network(), "ab")
    b.drop()
    for _ in range(3):
        a.network.carry_out(a.network.table.alarm(a.network.now))
        a.network.wait(1)
    assert names(a) == "r:a* b:b"
    a.network.wait(LOBBY_GRACE_S)
    assert a.network.table.alarm(a.network.now) == []


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


def test_the_owners_key_takes_the_owners_place_over() -> None:
    network = Network(owner_key=OWNER_KEY)
    owner = Participant(network, "o", key=OWNER_KEY)
    again = Participant(network, "o", key=OWNER_KEY)
    assert owner.goodbye == "replaced"
    assert names(again) == "r:o*"


def test_without_an_owner_no_key_makes_a_host() -> None:
    network = Network()
    Participant(network, "a")
    assert Participant(network, "b", key=OWNER_KEY).refusal == "unknown_key"


def test_closing_the_table_says_goodbye_to_everybody() -> None:
    network = Network()
    guests = [*seated(network, "ab"), Participant(network, "w", spectator=True)]
    network.carry_out(network.table.close("host_quit"))
    assert [participant.goodbye for participant in guests] == ["host_quit"] * 3


def test_who_sat_down_at_a_result_and_leaves_it_frees_the_seat() -> None:
    guests = playing("abc")
    play_on(guests)
    newcomer = Participant(guests[0].network, "d")
    newcomer.say(Leave())
    assert [seat.name for seat in guests[0].lobby().seats] == ["a", "b", "c"]
