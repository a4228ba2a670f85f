"""Tests a client's program at a sealed table: its signatures, and its messages to the session."""

from collections import deque
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from engine.actions import ACTIONS
from engine.bots.memory import Memory
from engine.events import GameEnded, Placed
from netcode.protocol.fields import Message
from netcode.protocol.messages import Clock, EndGame, Lobby, Pause, Refused, State
from netcode.table.errors import StoreError
from netcode.wings.sealed.game.encoding import (
    DealBody,
    EndBody,
    EntryBody,
    SealBody,
    SealingBody,
    pack,
    unpack,
)
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import verify_record
from netcode.wings.sealed.game.votes import GONE_S, SILENT_S, STALLED_S
from netcode.wings.sealed.messages import Sealed
from netcode.wings.sealed.news import LeaveBe, VoteMissing, sealed_news
from netcode.wings.sealed.sealed_play import MISSED_S
from netcode.wings.sealed.sealings import Sealings, sealings_of, store_sealings
from tests.wings.sealed.game.stand_in import plant_stand_in
from tests.wings.sealed.sealed_world import NAMES, SealedWorld, Someone, dealt


@pytest.fixture(autouse=True)
def cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


@pytest.mark.parametrize(
    "settings",
    [
        {"watchers": 1},
        {"names": NAMES[:2], "two": True, "edition": 1},
        {"names": NAMES[:2], "bots": 2, "first": "b"},
        pytest.param({"names": NAMES[:5], "watchers": 2}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_games_are_played_one_after_the_other(settings: dict[str, Any]) -> None:
    world = SealedWorld(**settings)
    keys: set[bytes] = set()
    for game in (1, 2):
        world.seal()
        assert keys.isdisjoint(world.log.sealing.keys), "a key seals once"
        keys.update(world.log.sealing.keys)
        assert len({one.news.digits for one in world.everybody}) == 1
        world.play()
        seats = len(world.log.sealing.owners)
        for one in world.everybody:
            news = one.news
            assert (news.stage, news.verdicts, one.codes) == ("over", ("proven",) * seats, [])
            assert news.bot_owner == ("Ada" if "bots" in settings else "")
            assert (one.lobby.phase, one.lobby.evening.games) == ("result", game)
            assert one.lobby.dealing is None
            assert one.refusals == []
            assert not any(isinstance(each, State) for each in one.received)
            record = one.session.record
            assert record is not None
            assert verify_record(record.to_json()).verdict(0) == "proven"
            first = world.everybody[-1].session.events
            assert one.session.events == first or one.seat is not None
        first_seat = settings.get("first") == "b"
        assert world.log.dealing.deal.first == first_seat + game - 1
    for one in world.everybody:
        one.play.close()
        assert not one.disk.records, "secrets are kept that nobody needs any more"


def test_nobody_is_shown_what_is_not_theirs() -> None:
    world = dealt(names=NAMES[:2], bots=1, watchers=1)
    for one in world.everybody:
        view = one.session.view
        assert view is not None
        shown = [seat for seat in range(3) if "?" not in view.hands[seat] + view.aside[seat]]
        assert shown == ([] if one.seat is None else [one.seat])
    world.play(lambda: world.people[0].play.think is not None)
    think = world.people[0].play.think
    assert think is not None
    assert (think.seat, think.view.viewers) == (2, (2,))
    assert "?" in think.view.hands[0]


def test_a_bot_is_told_what_its_seat_has_seen_happen_also_after_a_restart() -> None:
    world = dealt(names=NAMES[:2], bots=1)
    host = world.people[0]
    for step in (0, 14, 40):
        world.play(partial(has_steps, world, step))
        world.play(lambda: host.play.think is not None)
        thinking = host.play.think
        assert thinking is not None
        memory = Memory()
        memory.observe(thinking.events)
        assert memory.fits(thinking.view)
        placed = [event for event in thinking.events if isinstance(event, Placed)]
        assert all((event.card == "?") == (event.seat != thinking.seat) for event in placed)
        host.go()
        host.restart()
        host.come()
        world.flow(lambda: host.play.think is not None)
        assert host.play.think is not None
        assert host.play.think.events == thinking.events


def has_steps(world: SealedWorld, steps: int) -> bool:
    return world.height >= steps


@pytest.mark.parametrize("kind", [SealBody, DealBody, EntryBody, EndBody])
def test_what_was_signed_and_got_lost_is_sent_again_and_nothing_else(kind: type) -> None:
    world = SealedWorld()
    bob = world.people[1]
    lost: list[Parcel] = []

    def lose(whose: Someone, parcel: Parcel) -> bool:
        if whose is bob and isinstance(unpack(parcel.body), kind) and not lost:
            lost.append(parcel)
            return True
        return False

    world.lose = lose
    world.seal()
    world.play(lambda: bool(lost))
    bob.go()
    bob.restart()
    bob.come()
    world.flow()
    world.play()
    assert {one.news.verdicts for one in world.people} == {("proven",) * 3}
    assert not world.log.proofs


def test_nothing_is_sent_that_could_not_be_kept() -> None:
    world = dealt()
    person = world.deciding
    person.disk.database.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError):
        person.answer()
    assert not world.on_the_way
    person.play.close()


def test_an_answer_comes_to_nothing_that_may_not_be() -> None:
    world = dealt()
    person = world.deciding
    other = world.others(person)[0]
    for one, token, code in (
        (person, "x1", "rules.asked_to_place"),
        (other, "A>", "not_your_turn"),
    ):
        one.send_as_player(one.session.act(ACTIONS[token]))
        world.flow()
        assert one.session.refusal is not None
        assert one.session.refusal.code == code
        assert one.session.pending is None
    assert not world.height
    world.people[0].send_as_player(Pause(paused=True))
    world.flow()
    person.send_as_player(person.session.act(person.legal[0]))
    assert person.session.refusal == Refused(code="paused", number=2)


def test_whoever_lets_the_clock_run_out_is_answered_for_by_their_own_program() -> None:
    world = dealt(clock_s=10)
    person = world.deciding
    assert {one.session.clock for one in world.people} == {
        Clock(revision=1, left_ms=10_000, running=True)
    }
    world.wait(9)
    assert person.play.think is None
    world.wait(1)
    assert [one.play.think is not None for one in world.people].count(True) == 1
    for one in world.people:
        assert one.play.wake_at is not None
        assert one.play.wake_at > world.now, "nobody goes round while all wait"
    person.answer()
    world.flow()
    assert world.height == 1
    assert world.log.entries[0].author is not None


def in_the_lobby(_: Someone, message: Message, **settings: object) -> Message:
    """Return a lobby with these settings changed; other messages are returned unchanged."""
    if not isinstance(message, Lobby):
        return message
    return replace(message, settings=replace(message.settings, **settings))


def test_a_host_who_speaks_of_another_clock_has_nobody_answered_for() -> None:
    world = dealt()
    world.twist = partial(in_the_lobby, clock_s=5)
    world.people[0].send_as_player(Pause(paused=False))
    world.flow()
    world.wait(30)
    assert [one.play.think for one in world.people] == [None] * 3


def test_the_clock_stands_still_in_a_pause() -> None:
    world = dealt(clock_s=10)
    world.wait(4)
    world.people[0].send_as_player(Pause(paused=True))
    world.flow()
    for one in world.people:
        assert one.session.clock == Clock(revision=1, left_ms=6_000, running=False)
    world.wait(60)
    assert all(one.play.think is None for one in world.people)
    world.people[0].send_as_player(Pause(paused=False))
    world.flow()
    assert world.people[0].session.clock == Clock(revision=1, left_ms=6_000, running=True)


def test_a_step_that_does_not_come_is_voted_about() -> None:
    world = dealt()
    gone = world.deciding
    others = world.others(gone)
    name = gone.name
    gone.go()
    world.flow()
    for _ in range(GONE_S):
        assert others[0].news.vote_about is None
        world.wait()
    for one in others:
        assert (one.news.vote_about, one.news.is_vote_wanted) == (name, True)
        one.send_as_player(VoteMissing())
        if one is others[0]:
            assert (one.news.vote_about, one.news.is_vote_wanted) == (name, False)
        world.flow()
    for one in others:
        assert one.codes == [("voted_default", name)]
        assert one.news.notices[0].values["names"] == tuple(each.name for each in others)
        assert one.news.away == (name,)
        one.send_as_player(LeaveBe(name, True))
        assert one.news.left_be == (name,)
    world.play()
    for one in others:
        assert sorted(one.news.verdicts) == ["proven", "proven", "unproven"]
        assert one.session.view is not None
    events = others[0].session.events
    assert isinstance(events[-1], GameEnded)
    assert gone.seat not in events[-1].winners
    # A person who returns in the end shows their cards.
    gone.come()
    world.flow()
    world.wait()
    for one in world.people:
        assert one.news.verdicts == ("proven",) * 3
        assert one.session.record is not None
        assert verify_record(one.session.record.to_json()).verdict(gone.seat or 0) == "proven"


def test_whoever_is_let_be_holds_the_others_up_for_a_second() -> None:
    world = dealt()
    gone = world.deciding
    gone.go()
    waited = []
    for _ in range(4):
        world.play(partial(is_due, world, gone))
        world.flow()
        height, since = world.height, world.now
        while world.height == height:
            world.wait()
            for one in world.people:
                if one is not gone and one.news.is_vote_wanted:
                    one.send_as_player(VoteMissing())
                    one.send_as_player(LeaveBe(gone.name, True))
            world.flow()
        waited.append(world.now - since)
    assert waited == [GONE_S, 1, 1, 1]


def test_whoever_is_there_and_silent_holds_the_others_up_for_a_minute_once() -> None:
    world = dealt()
    silent = world.deciding
    others = world.others(silent)
    world.silent_one = silent
    waited = []
    for _ in range(3):
        world.play(partial(is_due, world, silent))
        world.flow()
        since = world.now
        while not all(one.news.is_vote_wanted for one in others):
            world.wait()
        waited.append(world.now - since)
        world.play(lambda: not is_due(world, silent))
    assert waited == [STALLED_S, SILENT_S, SILENT_S]


def is_due(world: SealedWorld, one: Someone) -> bool:
    return world.log.due is not None and world.log.due.seat == one.seat


def test_whose_struck_card_does_not_come_is_said_at_once() -> None:
    world = dealt(bots=2)
    world.play(lambda: world.log.due is not None and world.log.due.struck)
    due = world.log.due
    assert due is not None
    owner = world.log.sealing.owners[due.seat]
    gone, other = world.people[owner], world.people[owner - 1]
    gone.go()
    world.flow()
    world.wait()
    assert other.news.struck_of == other.news.missed == gone.name
    gone.come()
    world.flow()
    world.play(lambda: world.log.due is None or not world.log.due.struck)
    world.flow()
    assert not other.news.struck_of


def test_a_deal_that_was_broken_off_is_counted_by_all_even_after_a_restart() -> None:
    world = SealedWorld()
    world.lose = lambda whose, parcel: isinstance(unpack(parcel.body), DealBody)
    world.seal()
    assert {one.news.stage for one in world.people} == {"dealing"}
    assert {one.news.waiting_for for one in world.people} == {
        ("Bob", "Cem"),
        ("Ada", "Cem"),
        ("Ada", "Bob"),
    }
    gid = world.game.sealing.gid
    world.lose = lambda whose, parcel: False
    for hidden in (True, False):
        world.people[0].send_as_player(EndGame())
        world.flow()
        world.restart()
        assert {sealed_news(one.session) for one in world.people} == {None}
        assert sealings_of(world.table._wing_records).broken == (gid,)
        world.people[1].restart()
        world.people[1].go()
        sealings = sealings_of(world.table._wing_records)
        if hidden:
            store_sealings(world.table._wing_records, replace(sealings, broken=()))
        world.seal()
        if hidden:
            assert [one.codes for one in world.people] == [[("broken_hidden", "")]] * 3
            store_sealings(world.table._wing_records, sealings)
    assert {one.news.broken for one in world.people} == {1}
    world.play_to(3)
    # A broken-off deal before the next game no longer counts.
    world.people[0].send_as_player(EndGame())
    world.flow()
    world.people[1].restart()
    world.people[1].go()
    world.seal()
    assert {one.news.broken for one in world.people} == {0}
    assert {one.news.stage for one in world.people} == {"playing"}


def test_a_host_that_names_a_deal_of_another_table_takes_no_cards_from_there() -> None:
    here = SealedWorld()
    # One deal is withheld, so the others count and wait.
    here.lose = lambda _, parcel: (
        isinstance(each := unpack(parcel.body), DealBody) and (each.person == 2)
    )
    here.seal()
    _, bob, _ = here.people
    sealing = here.game.sealing
    bob.go()
    bob.disk.close()
    there = SealedWorld(seed=9)
    victim = there.people[1]
    victim.go()
    victim.disk = bob.disk
    victim.restart()
    store_sealings(there.table._wing_records, Sealings(sealing.decoded.table, (sealing.gid,)))
    there.seal()
    there.play_to(2)
    there.people[1].disk.close()
    here.lose = lambda _, __: False
    bob.restart()
    for person in (bob, *here.people):
        if person is not bob:
            person.go()
        if not person.is_here:
            person.come()
        here.flow()
    assert [each.news.stage for each in here.people] == ["playing"] * 3
    assert bob.person.me == 1
    assert "key_missing" not in dict(bob.codes)


# Notices about missing parts


def notices_of(one: Someone, code: str) -> list[str]:
    """Return the persons named in the notices with a code."""
    return [name for each, name in one.codes if each == code]


class Withheld(deque[Message]):
    """A list for messages that the host withholds."""

    def append(self, message: Message, /) -> None:
        """Drop the message."""


def test_whoever_hears_nothing_reads_so_after_ten_seconds_and_so_do_the_others() -> None:
    """The host withholds everything from one person, who cannot know that the step is theirs."""
    world = dealt()
    behind = world.deciding
    others = world.others(behind)
    host = behind.lobby.host_name
    world.play(lambda: not is_due(world, behind))
    behind.down = Withheld()
    world.play(partial(is_due, world, behind))
    world.flow()
    for second in range(int(MISSED_S) + 1):
        assert second > MISSED_S - 1 or not any(one.codes for one in world.people)
        world.wait()
        world.flow()
    for one in others:
        assert notices_of(one, "program_silent") == [behind.name]
    assert notices_of(behind, "host_silent") == [host]
    for _ in range(20):
        world.wait()
    assert notices_of(behind, "host_silent") == [host], "once is enough"


def test_nobody_who_thinks_for_long_is_said_to_be_silent() -> None:
    world = dealt()
    for _ in range(40):
        world.wait()
        world.flow()
    for one in world.people:
        assert one.codes == []


@pytest.mark.parametrize("which", range(3))
def test_a_deal_that_is_shown_to_somebody_in_another_way_is_said_to_hang(which: int) -> None:
    world = SealedWorld()
    other = world.people[which]

    def twisted(whose: Someone, message: Message) -> Message:
        if whose is not other or not isinstance(message, Sealed):
            return message
        # Another deal of the same table has another number.
        parcels = []
        for body, signature in message.parcels:
            parcel = Parcel(body, signature)
            if not signature and isinstance(parcel.decoded, SealingBody):
                body = pack(replace(parcel.decoded, game=parcel.decoded.game + 1))
            parcels.append((body, signature))
        return replace(message, parcels=tuple(parcels))

    world.twist = twisted
    world.begin()
    world.flow()
    for _ in range(int(MISSED_S) + 2):
        assert not any(one.play.person and one.play.person.log for one in world.people)
        world.wait()
        world.flow()
    for one in world.people:
        assert [code for code, _ in one.codes] == ["deal_missing"], one.name
        (notice,) = one.news.notices
        if one is not other:
            assert notice.values["names"] == (other.name,)
