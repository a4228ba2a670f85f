"""A table of sealed games: it relays, journals and counts them, and holds no hidden card."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from netcode.protocol.messages import (
    PROTOCOL,
    Absent,
    Act,
    AddBot,
    ChangeSettings,
    EndGame,
    Hello,
    Leave,
    Lobby,
    LogAt,
    Pause,
    Sealed,
    SendAway,
    SetReady,
    Start,
    State,
    TableSettings,
)
from netcode.sealed.encoding import (
    DealBody,
    EntryBody,
    MissingBody,
    SealBody,
    SealingBody,
    SeenBody,
    unpack,
)
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import PersonSecrets
from netcode.table.effects import Close, Effect, Send
from netcode.table.table import Table
from tests.netcode.sealed.stand_in import plant_stand_in
from tests.netcode.table.sealed_clients import SEALED, Client, SealedEvening, sealed

TWO = sealed(two=True)


@pytest.fixture(autouse=True)
def cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


def logs_agree(evening: SealedEvening) -> bool:
    tips = {each.log.tip for each in [*evening.clients, *evening.watchers]}
    return len(tips) == 1


def phase(evening: SealedEvening) -> str:
    return evening.table.phase


def lobbies(client: Client) -> list[Lobby]:
    return [each for each in client.heard if isinstance(each, Lobby)]


def in_the_middle(evening: SealedEvening, steps: int) -> None:
    """Play a game up to so many steps."""
    evening.begin()
    evening.run(lambda: all(e.person.log and e.log.height >= steps for e in evening.clients))
    assert phase(evening) == "playing"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"settings": sealed(edition=1)},
        {"names": "ab", "settings": TWO},
        {"names": "ab", "bots": 2},
        {"names": "abcd", "watchers": "w"},
        {"names": "abcde"},
    ],
    ids=["three", "first edition", "two", "bots", "watched", "five"],
)
def test_games_are_played_one_after_the_other(options: dict[str, Any]) -> None:
    evening = SealedEvening(1, **options)
    for game in (1, 2):
        evening.play()
        assert phase(evening) == "result"
        assert logs_agree(evening)
        for client in [*evening.clients, *evening.watchers]:
            assert client.refusals == []
            assert client.news == []
            assert client.lobby.evening.games == game
            assert client.lobby.dealing is None
            assert client.log.ends.keys() == set(range(len(evening.clients)))
            assert not [each for each in client.heard if isinstance(each, State)]
    assert [said.first for said in sealings(evening)] == [0, 1]
    assert {client.log.dealing.deal.first for client in evening.clients} == {1}


def test_a_bot_may_sit_before_whose_it_is() -> None:
    evening = SealedEvening(1, "x", sealed(first="random"), bots=1)
    for name in "abc":
        evening.clients.append(Client(evening, name, Random(ord(name)), spectator=False))
        evening.clients[-1].come()
        evening.run()
    left = evening.clients[0]
    left.say(Leave())
    evening.run()
    evening.clients.remove(left)
    a, b, c = evening.clients
    assert [(seat.bot, seat.host) for seat in a.lobby.seats[:2]] == [
        ("steady", False),
        (None, True),
    ]
    evening.begin()
    evening.run(lambda: any(isinstance(each, Sealed) for each in a.heard))
    a.go()
    evening.run()
    assert b.lobby.dealing == ("a",)
    a.come()
    evening.run(lambda: all(each.person.log for each in evening.clients))
    a.compare()
    evening.run()
    for other in (b, c):
        assert 0 in {each.person for each in other.heard if isinstance(each, LogAt)}
    assert phase(evening) == "result"
    assert logs_agree(evening)


def sealings(evening: SealedEvening) -> list[SealingBody]:
    kept = [keep.snapshot.game.parcels for keep in evening.kept if keep.snapshot is not None]
    bodies = dict.fromkeys(body for parcels in kept for body, _ in parcels[:1])
    return [said for said in map(unpack, bodies) if isinstance(said, SealingBody)]


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 60))]
)
def test_a_host_comes_back_from_what_it_kept(seed: int) -> None:
    rng = Random(seed)
    evening = SealedEvening(seed, "abcde"[: rng.randint(3, 5)], watchers="w")
    evening.begin()
    for _ in range(6):
        for _ in range(rng.randint(0, 60)):
            evening.run(lambda: rng.random() < 0.1)
        told = {parcel for each in evening.clients for parcel in heard(each)}
        evening.restart()
        everything = set(heard(evening.watchers[0]))
        # Votes that say what is certain are for whom they concern.
        assert {each for each in told - everything if not is_vote(each)} == set()
    evening.run()
    assert phase(evening) == "result"
    assert logs_agree(evening)
    assert {client.lobby.evening.games for client in evening.clients} == {1}
    assert not any(client.log.cheated or client.refusals for client in evening.clients)


def heard(client: Client) -> list[Parcel]:
    messages = [each for each in client.heard if isinstance(each, Sealed)]
    return [Parcel(*parcel) for message in messages for parcel in message.parcels]


def is_vote(parcel: Parcel) -> bool:
    return isinstance(unpack(parcel.body), SeenBody)


def test_who_comes_in_the_middle_is_told_everything_in_order() -> None:
    evening = SealedEvening(2)
    in_the_middle(evening, 30)
    client = evening.clients[1]
    client.go()
    client.come()
    client.heard.clear()
    evening.run()
    assert phase(evening) == "result"
    assert logs_agree(evening)
    first = next(each for each in client.heard if isinstance(each, Sealed))
    kinds = [type(unpack(body)).__name__ for body, _ in first.parcels]
    assert kinds[:7] == ["SealingBody", *["SealBody"] * 3, *["DealBody"] * 3]
    # Then where the host's log ends.
    after = client.heard[client.heard.index(first) + 1]
    assert isinstance(after, LogAt)
    assert after.n == max(
        said.n for body, _ in first.parcels if isinstance(said := unpack(body), EntryBody)
    )


def test_seals_are_told_all_at_once_and_the_lobby_says_who_is_waited_for() -> None:
    evening = SealedEvening(1)
    silent = evening.clients[2]
    evening.begin()
    evening.run(lambda: any(isinstance(each, Sealed) for each in silent.heard))
    silent.go()
    evening.run()
    other = evening.clients[0]
    assert [each.dealing for each in lobbies(other)][-1] == ("c",)
    assert len(heard(other)) == 1
    silent.come()
    evening.run()
    assert [each.dealing for each in lobbies(other)][-1] is None
    assert [len(each.parcels) for each in other.heard if isinstance(each, Sealed)][:2] == [1, 3]


def test_a_seal_that_is_refused_is_told_all_so_that_they_see_whose_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seal = PersonSecrets.seal

    def copied(self: PersonSecrets) -> Parcel:
        """Seal what the first leaf of the last person is in the place of their last, too."""
        said = unpack(seal(self).body)
        assert isinstance(said, SealBody)
        (leaves,) = said.leaves
        more = (*leaves[:9], leaves[0]) if self.person == 2 else leaves
        return evening.clients[self.person].person.sign(changed(said, leaves=(more,)))

    monkeypatch.setattr(PersonSecrets, "seal", copied)
    evening = SealedEvening(1)
    evening.begin()
    evening.run()
    for other in evening.clients[:2]:
        assert [len(each.parcels) for each in other.heard if isinstance(each, Sealed)] == [1, 3]
        assert [(each.code, each.by) for each in other.news] == [("equal_leaves", (2,))]
        assert other.lobby.dealing == ("c",)
    evening.restart()
    back = evening.clients[0]
    back.go()
    back.come()
    evening.run()
    assert [len(each.parcels) for each in back.heard if isinstance(each, Sealed)][-1] == 4


def withholding(evening: SealedEvening) -> None:
    """Begin a deal to which the last client does not give their part."""
    silent = evening.clients[-1]
    evening.begin()
    evening.run(lambda: silent.person.state == "sealed")
    take = silent.take
    silent.take = lambda parcels, expected: None  # type: ignore[method-assign]
    evening.run()
    silent.take = take  # type: ignore[method-assign]


def test_a_deal_that_is_broken_off_is_counted_in_the_next() -> None:
    evening = SealedEvening(1)
    withholding(evening)
    assert evening.clients[0].lobby.dealing == ("c",)
    broken = evening.clients[0].person.counted
    evening.clients[0].say(EndGame())
    evening.run()
    assert phase(evening) == "lobby"
    evening.restart()
    evening.play()
    assert phase(evening) == "result"
    assert [each.broken for each in sealings(evening)] == [(), (broken,)]
    evening.play()
    assert sealings(evening)[-1].broken == ()
    assert evening.clients[0].lobby.evening.games == 2


def test_a_table_gives_up_after_many_broken_deals() -> None:
    evening = SealedEvening(1)
    for _ in range(9):
        withholding(evening)
        evening.clients[0].say(EndGame())
        evening.run()
    reason = evening.clients[0].lobby.missing
    assert reason is not None
    assert reason.code == "too_many_broken"


def test_a_deal_that_nobody_counts_leaves_no_trace() -> None:
    evening = SealedEvening(1)
    evening.begin()
    evening.clients[1].go()
    evening.clients[0].say(EndGame())
    evening.run()
    assert evening.table._games.sealings.broken == ()


def test_a_game_that_is_ended_is_in_the_lobby_again() -> None:
    evening = SealedEvening(3)
    in_the_middle(evening, 20)
    evening.clients[0].say(EndGame())
    evening.run()
    assert phase(evening) == "lobby"
    assert evening.clients[1].lobby.ended_by == "a"
    evening.clients[1].heard.clear()
    evening.clients[1].compare()
    evening.run()
    assert evening.clients[1].refusals == ["no_game"]


def test_keys_are_brought_to_sealed_tables_alone() -> None:
    evening = SealedEvening(1)
    a, b, c = evening.clients
    b.say(SetReady(ready=True))
    b.say(SetReady(ready=True, game_key=bytes(32)))
    c.say(SetReady(ready=True, game_key=c.new_key()))
    evening.run()
    assert b.refusals == ["game_key_missing", "weak_key"]
    assert not b.lobby.seats[1].ready
    b.say(SetReady(ready=True, game_key=c.person.public_key))
    evening.run()
    assert b.refusals[2:] == ["equal_keys"]
    b.say(SetReady(ready=True, game_key=b.new_key()))
    a.say(Start())
    evening.run()
    assert a.refusals == ["game_key_missing"]
    a.say(ChangeSettings(TableSettings()))
    b.say(SetReady(ready=True, game_key=b.person.public_key))
    a.say(Sealed(((b"x", b""),)))
    evening.run()
    assert b.refusals[3:] == ["game_key_unasked"]
    assert a.refusals[1:] == ["table_not_sealed"]


def test_bots_are_where_the_host_sits_and_persons_are_two() -> None:
    evening = SealedEvening(1, "a", bots=2)
    reason = evening.clients[0].lobby.missing
    assert reason is not None
    assert reason.code == "too_few_persons"
    watched = SealedEvening(1, "ab", bots=1)
    host = watched.clients[0]
    for each in watched.table._participants.seats:
        each.host = False
    watched.table._participants.spectators.append(
        watched.table._participants.watch("h", 99, bytes(32))
    )
    watched.table._participants.spectators.pop()
    watched.table._participants.spectators[0].host = True
    watched.carry_out(watched.table.receive(99, AddBot(bot="steady"), 0.0))
    missing = watched.table._games.missing()
    assert missing is not None
    assert missing.code == "bots_need_host"
    assert host.lobby.seats[2].bot == "steady"


def test_what_ordinary_tables_do_is_refused_with_a_reason() -> None:
    evening = SealedEvening(4)
    in_the_middle(evening, 5)
    a = evening.clients[0]
    a.say(Act(number=1, revision=1, action="S>"))
    a.say(Absent(family="b", choice="bot"))
    a.say(Absent(family="b", choice="wait"))
    evening.run()
    assert a.refusals == ["table_sealed", "nobody_answers", "nobody_answers"]


def test_a_pause_holds_up_steps_and_nothing_else() -> None:
    evening = SealedEvening(5)
    in_the_middle(evening, 10)
    evening.said.clear()
    a = evening.clients[0]
    a.say(Pause(paused=True))
    evening.run()
    step = evening.table._games.sealed_game
    assert step is not None
    before = step.log_at
    for client in evening.clients:
        client.send(client.log.parcels())
        due = client.log.due
        assert due is not None
        if client.log.sealing.owners[due.seat] == client.person.me and due.opening is None:
            client.send(client.person.answer(due.seat, str(client.log.game.legal[0])).send)
    evening.run()
    assert step.log_at == before
    assert "paused" in [code for each in evening.clients for code in each.refusals]
    a.say(Pause(paused=False))
    evening.run()
    for client in evening.clients:
        # A signed step is sent again.
        client.compare()
        client.go()
        client.come()
        evening.run()
    for client in evening.clients:
        client.send(client.log.parcels(before.n if before else 0))
    evening.run()
    assert phase(evening) == "result"


def test_of_keys_that_the_key_of_a_game_brings_the_last_counts_beside_the_one_in_use() -> None:
    evening = SealedEvening(6)
    in_the_middle(evening, 12)
    _, b, _ = evening.clients
    sealing = evening.table.sealing
    assert sealing is not None
    keys = [evening.table.new_key_of(sealing.names.index("b")) for _ in range(2)]
    b.go()
    b.come()
    evening.run()
    assert b.refusals == []
    assert b.connection is not None
    assert None not in keys


@pytest.mark.parametrize("again", [False, True])
def test_a_host_who_takes_the_key_back_stops_the_count(again: bool) -> None:
    evening = SealedEvening(6)
    if again:
        evening.play()
    a, b, c = evening.clients
    for client in (b, c):
        client.say(SetReady(ready=True, game_key=client.new_key()))
    evening.run()
    a.say(Start(count_s=1, game_key=a.new_key()))
    a.say(SetReady(ready=False))
    evening.run()
    before = a.lobby.evening, evening.table.revision
    evening.wait(2)
    assert a.lobby.count_s is None
    assert (a.lobby.evening, evening.table.revision) == before
    assert phase(evening) != "playing"


def test_who_was_to_be_let_in_and_is_sent_away_does_not_come_back_by_name() -> None:
    evening = SealedEvening(6)
    in_the_middle(evening, 12)
    a, b, _ = evening.clients
    b.go()
    a.say(Absent(family=a.lobby.seats[1].family, choice="admit"))
    a.say(SendAway(name="b"))
    evening.run()
    b.key = None
    b.come()
    evening.run()
    assert b.refusals[-1] == "name_away"


def test_the_key_of_a_game_opens_no_seat_of_who_has_come_since() -> None:
    evening = SealedEvening(6)
    evening.play()
    b = evening.clients[1]
    sealing = evening.table.sealing
    assert sealing is not None
    one = sealing.names.index("b")
    assert phase(evening) == "result"
    assert evening.table.new_key_of(one) is not None
    b.say(Leave())
    evening.run()
    evening.carry_out(
        evening.table.receive(99, Hello(protocol=PROTOCOL, program="", name="b"), evening.now)
    )
    assert "b" in evening.table.names
    restored = Table.restore(evening.snapshot, evening.rng, evening._new_key)
    for table in (evening.table, restored):
        assert table.new_key_of(one) is None


def test_who_has_to_go_for_what_was_badly_signed_is_told_so_once_and_last() -> None:
    evening = SealedEvening(6)
    in_the_middle(evening, 12)
    a, *_ = evening.clients
    assert a.connection is not None
    parcel = a.log.entries[-1].parcel
    effects: list[Effect] = []
    for _ in range(8):
        bad = Sealed(((parcel.body, bytes(64)),))
        effects = evening.table.receive(a.connection, bad, evening.now)
    told = [each for each in effects if isinstance(each, Send | Close)]
    mine = [each for each in told if each.connection == a.connection]
    assert [type(each) for each in mine] == [Send, Close]


def test_who_is_sent_away_has_no_line_and_their_seat_is_voted_on() -> None:
    evening = SealedEvening(6)
    in_the_middle(evening, 12)
    a, b, _ = evening.clients
    a.say(SendAway(name="b"))
    evening.run()
    assert b.connection is None
    assert [seat.name for seat in a.lobby.seats] == ["a", "b", "c"]
    b.come()
    evening.run()
    assert b.refusals == ["unknown_key"]
    # Nor does the key of the game get them another, not even after a restart.
    sealing = evening.table.sealing
    assert sealing is not None
    restored = Table.restore(evening.snapshot, evening.rng, evening._new_key)
    for table in (evening.table, restored):
        without = [name for one, name in enumerate(sealing.names) if table.new_key_of(one) is None]
        assert without == ["b"]
    b.go()
    for _ in range(100):
        evening.wait(30)
    assert phase(evening) == "result"
    assert {entry.author for entry in a.log.entries[-20:]} >= {None}
    assert a.lobby.evening.games == 1
    # Whose cards are not open stands behind all others.
    assert a.lobby.evening.standings[-1].name == "b"
    a.say(SendAway(name="b"))
    evening.run()
    assert [seat.name for seat in a.lobby.seats] == ["a", "c"]


def test_all_may_leave() -> None:
    evening = SealedEvening(6)
    in_the_middle(evening, 12)
    for client in evening.clients:
        client.say(Leave())
    evening.run()
    assert phase(evening) == "lobby"


def test_votes_go_where_they_are_needed() -> None:
    evening = SealedEvening(7, "abcde")
    in_the_middle(evening, 25)
    for client in evening.clients:
        others = [
            said for parcel in heard(client) if isinstance(said := unpack(parcel.body), SeenBody)
        ]
        log = client.log
        for vote in others:
            due_after = log.entries[vote.n] if vote.n < log.height else None
            told_all = due_after is not None and due_after.said.what in ("open", "reveal")
            owner = due_after and log.sealing.owners[due_after.said.seat]
            assert told_all or due_after is None or owner == client.person.me


def test_a_person_is_told_where_others_logs_end() -> None:
    evening = SealedEvening(8)
    in_the_middle(evening, 8)
    evening.said.clear()
    a, b, c = evening.clients
    for each in evening.clients:
        each.heard.clear()
    b.compare()
    evening.run()
    log = b.log
    said = LogAt(gid=log.sealing.gid, n=log.height, tip=log.tip, person=1)
    assert said in a.heard
    assert said in c.heard
    assert [each for each in b.heard if isinstance(each, LogAt) and each.person is not None] == []


def test_somebody_is_told_their_whole_log_again_only_so_often() -> None:
    evening = SealedEvening(8, watchers="w")
    in_the_middle(evening, 8)
    evening.said.clear()
    watcher = evening.watchers[0]
    watcher.heard.clear()
    for _ in range(50):
        watcher.say(LogAt(gid=bytes(32), n=0, tip=bytes(32)))
    evening.run()
    assert len([each for each in watcher.heard if isinstance(each, LogAt)]) == 8


def test_spectators_send_nothing() -> None:
    evening = SealedEvening(8, watchers="w")
    in_the_middle(evening, 8)
    watcher = evening.watchers[0]
    watcher.send([evening.clients[0].log.entries[0].parcel])
    evening.run()
    assert watcher.refusals == ["not_seated"]


def test_forgeries_cost_the_line() -> None:
    evening = SealedEvening(8)
    in_the_middle(evening, 8)
    evening.said.clear()
    a, b, _ = evening.clients
    good = a.log.entries[-1].parcel
    for count in range(8):
        b.send([Parcel(good.body, bytes([count]) * 64)])
    evening.run()
    assert b.connection is None
    assert a.lobby.seats[1].name == "b"
    assert not a.lobby.seats[1].present


def test_a_vote_is_kept_before_it_counts() -> None:
    evening = SealedEvening(9, "abcd")
    in_the_middle(evening, 9)
    evening.said.clear()
    due = evening.clients[0].log.due
    assert due is not None
    owner = evening.clients[0].log.sealing.owners[due.seat]
    gone = next(each for each in evening.clients if each.person.me == owner)
    gone.go()
    for _ in range(4):
        evening.wait(30)
    there = [each for each in evening.clients if each is not gone]
    assert any(entry.author is None for entry in there[0].log.entries)
    kept = [unpack(each.body) for each in evening.parcels]
    assert len([each for each in kept if isinstance(each, MissingBody)]) >= 3
    evening.restart()
    evening.run()
    assert logs_agree(evening)
    assert not [each for each in kept if isinstance(each, DealBody) and each.person > 3]


def test_the_lobby_tells_that_a_table_is_sealed() -> None:
    assert SealedEvening(1).clients[0].lobby.settings == SEALED


def test_a_table_with_doors_is_not_sealed() -> None:
    evening = SealedEvening(1)
    evening.table.open_doors()
    for client in evening.clients[1:]:
        client.say(SetReady(ready=True, game_key=client.new_key()))
    evening.clients[0].say(Start(game_key=evening.clients[0].new_key()))
    evening.run()
    assert evening.clients[0].refusals == ["doors_open"]
    assert evening.table.phase == "lobby"
