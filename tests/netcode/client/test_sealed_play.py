"""A client's own program at a sealed table: what it signs, and what its session is shown."""

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.actions import ACTIONS
from engine.bots.memory import Memory
from engine.events import GameEnded, Placed
from engine.notation import format_position
from netcode.client.sealed_news import LeaveBe, VoteMissing
from netcode.protocol.messages import Clock, Refused, SetReady, Start
from netcode.sealed.encoding import DealBody, EndBody, EntryBody, SealBody, unpack
from netcode.sealed.parcels import Parcel
from netcode.sealed.proof_file import verified
from netcode.sealed.votes import GONE_S, SILENT_S, STALLED_S
from tests.netcode.client.sealed_company import Company, Someone
from tests.netcode.sealed.stand_in import plant_stand_in
from tests.support.own_logs import records_of


@pytest.fixture(autouse=True)
def cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


@pytest.mark.parametrize(
    "settings",
    [
        {"watchers": 1},
        {"persons": 2, "two": True, "edition": 1},
        {"persons": 2, "bots": 2, "first": "b"},
        pytest.param({"persons": 5, "watchers": 2}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_a_game_is_played_to_its_end(tmp_path: Path, settings: dict[str, int]) -> None:
    company = Company(tmp_path, **settings)
    company.seal()
    assert len({one.news.digits for one in company.people}) == 1
    company.play()
    seats = len(company.log.sealing.owners)
    for one in company.people:
        assert (one.news.stage, one.news.verdicts, one.codes) == ("over", ("proven",) * seats, [])
        assert one.news.bot_owner == ("Ada" if "bots" in settings else "")
        record = one.session.record
        assert record is not None
        assert verified(record.to_json()).verdict(0) == "proven"
        assert one.session.events == company.people[-1].session.events or one.seat is not None
        one.play.close()
    assert not any(map(records_of, tmp_path.glob("*.db"))), "nobody needs these secrets any more"
    assert not (tmp_path / "watchers.db").exists(), "who watches keeps nothing"


def test_nobody_is_shown_what_is_not_theirs(tmp_path: Path) -> None:
    company = Company(tmp_path, persons=2, bots=1, watchers=1)
    company.seal()
    for one in company.people:
        view = one.session.view
        assert view is not None
        shown = [seat for seat in range(3) if "?" not in view.hands[seat] + view.aside[seat]]
        assert shown == ([] if one.seat is None else [one.seat])
    company.play(lambda: company.people[0].play.think is not None)
    think = company.people[0].play.think
    assert think is not None
    assert (think.seat, think.view.viewers) == (2, (2,))
    assert "?" in think.view.hands[0]


def test_a_bot_is_told_what_its_seat_has_seen_happen_also_after_a_restart(tmp_path: Path) -> None:
    company = Company(tmp_path, persons=2, bots=1)
    company.seal()
    host = company.people[0]
    for step in (0, 14, 40):
        company.play(partial(has_steps, company, step))
        company.play(lambda: host.play.think is not None)
        told = host.play.think
        assert told is not None
        memory = Memory()
        memory.observe(told.events)
        assert memory.fits(told.view)
        placed = [event for event in told.events if isinstance(event, Placed)]
        assert all((event.card == "?") == (event.seat != told.seat) for event in placed)
        host.go()
        host.restart()
        host.come()
        company.flow(lambda: host.play.think is not None)
        assert host.play.think is not None
        assert host.play.think.events == told.events


def has_steps(company: Company, steps: int) -> bool:
    return company.log.height >= steps


@pytest.mark.parametrize("restarts", [False, True])
def test_who_comes_back_goes_on_where_they_were(tmp_path: Path, restarts: bool) -> None:
    company = Company(tmp_path, persons=3, watchers=1)
    company.seal()
    for step in range(0, 60, 4):
        company.play(partial(has_steps, company, step))
        one = company.people[step // 4 % 4]
        one.go()
        if restarts:
            one.restart()
        one.come()
        company.flow()
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}
    assert not company.log.cheated


@pytest.mark.parametrize("kind", [SealBody, DealBody, EntryBody, EndBody])
def test_what_was_signed_and_got_lost_is_sent_again_and_nothing_else(
    tmp_path: Path, kind: type
) -> None:
    company = Company(tmp_path)
    bob = company.people[1]
    lost: list[Parcel] = []

    def lose(whose: Someone, parcel: Parcel) -> bool:
        if whose is bob and isinstance(unpack(parcel.body), kind) and not lost:
            lost.append(parcel)
            return True
        return False

    company.relay.lose = lose
    company.seal()
    company.play(lambda: bool(lost))
    bob.go()
    bob.restart()
    bob.come()
    company.flow()
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}
    assert not company.log.proofs


def test_an_answer_comes_to_nothing_that_may_not_be(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    asked = next(one for one in company.people if one.legal)
    other = next(one for one in company.people if one is not asked)
    for one, token, code in (
        (asked, "x1", "rules.asked_to_place"),
        (other, "A>", "not_your_turn"),
    ):
        one.say(one.session.act(ACTIONS[token]))
        company.flow()
        assert one.session.refusal is not None
        assert one.session.refusal.code == code
        assert one.session.pending is None
    assert not company.log.height
    company.relay.tell_lobby(paused=True)
    company.flow()
    asked.answer()
    assert asked.session.refusal == Refused(code="paused", number=2)


def test_who_closes_their_program_once_ready_is_dealt_cards_when_they_are_back(
    tmp_path: Path,
) -> None:
    company = Company(tmp_path)
    host, bob, cem = company.people
    for one in company.people:
        one.come()
    company.flow()
    for one in (cem, bob):
        one.say(SetReady(True))
    company.flow()
    bob.go()
    bob.restart()
    bob.come()
    company.flow()
    host.say(Start())
    company.flow()
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}


def test_an_answer_is_said_twice_while_a_card_is_opened(tmp_path: Path) -> None:
    """The second is not refused, or the question would be asked once more."""
    company = Company(tmp_path)
    company.seal()
    held: list[Someone] = []

    def is_held() -> bool:
        for one in company.people:
            log = None if one.play.person is None else one.play.person.log
            if not held and log and log.due and log.due.opening and one.session.pending:
                held.append(one)
        return bool(held)

    company.play(is_held)
    (one,) = held
    act = one.session.pending
    assert act is not None
    one.say(act)
    assert one.session.pending is act
    company.flow()
    assert one.session.refusal is None
    assert one.session.revision > act.revision
    company.play()


def test_whoever_lets_the_clock_run_out_is_answered_for_by_their_own_program(
    tmp_path: Path,
) -> None:
    company = Company(tmp_path, clock_s=10)
    company.seal()
    asked = next(one for one in company.people if one.legal)
    assert {one.session.clock for one in company.people} == {
        Clock(revision=1, left_ms=10_000, running=True)
    }
    company.wait(9)
    assert asked.play.think is None
    company.wait(1)
    assert [one.play.think is not None for one in company.people].count(True) == 1
    for one in company.people:
        assert one.play.wake_at is not None
        assert one.play.wake_at > company.now, "nobody goes round while all wait"
    asked.answer()
    company.flow()
    assert company.log.height == 1
    assert company.log.entries[0].author is not None


def test_who_answers_for_somebody_with_two_families_knows_both(tmp_path: Path) -> None:
    company = Company(tmp_path, persons=2, two=True, clock_s=10)
    company.seal()
    company.play(partial(has_steps, company, 9))
    company.flow()
    asked = next(one for one in company.people if one.legal)
    company.wait(10)
    think, view = asked.play.think, asked.session.view
    assert think is not None
    assert view is not None
    assert format_position(think.view) == format_position(view)
    assert think.view.viewers == view.viewers
    placed = {event.seat: event.card != "?" for event in think.events if isinstance(event, Placed)}
    assert placed == {seat: seat in view.viewers for seat in range(4)}


def test_a_host_who_speaks_of_another_clock_has_nobody_answered_for(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    company.relay.tell_lobby(settings=replace(company.settings, clock_s=5))
    company.flow()
    company.wait(30)
    assert [one.play.think for one in company.people] == [None] * 3


def test_a_deal_that_cannot_be_as_the_lobby_says_is_refused(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.lobby = replace(company.lobby, settings=replace(company.settings, first="y"))
    company.seal()
    for one in company.people:
        assert one.session.sealed is not None
        assert one.session.sealed.notices[-1].code == "other_table"


def test_the_clock_stands_still_in_a_pause(tmp_path: Path) -> None:
    company = Company(tmp_path, clock_s=10)
    company.seal()
    company.wait(4)
    company.relay.tell_lobby(paused=True)
    company.flow()
    for one in company.people:
        assert one.session.clock == Clock(revision=1, left_ms=6_000, running=False)
    company.wait(60)
    assert all(one.play.think is None for one in company.people)
    company.relay.tell_lobby(paused=False)
    company.flow()
    assert company.people[0].session.clock == Clock(revision=1, left_ms=6_000, running=True)


def test_a_step_that_does_not_come_is_voted_about(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    gone = next(one for one in company.people if one.legal)
    others = [one for one in company.people if one is not gone]
    name = company.lobby.seats[gone.seat or 0].name
    gone.go()
    company.flow()
    for _ in range(GONE_S):
        assert others[0].news.vote_about is None
        company.wait()
    for one in others:
        assert (one.news.vote_about, one.news.is_vote_wanted) == (name, True)
        one.say(VoteMissing())
        if one is others[0]:
            assert (one.news.vote_about, one.news.is_vote_wanted) == (name, False)
        company.flow()
    for one in others:
        assert one.codes == [("voted_default", name)]
        assert one.news.away == (name,)
        one.say(LeaveBe(name, True))
        assert one.news.left_be == (name,)
    company.play()
    for one in others:
        assert sorted(one.news.verdicts) == ["proven", "proven", "unproven"]
        assert one.session.view is not None
    events = others[0].session.events
    assert isinstance(events[-1], GameEnded)
    assert gone.seat not in events[-1].winners
    # Who comes back at last shows their cards.
    gone.come()
    company.flow()
    company.wait()
    for one in company.people:
        assert one.news.verdicts == ("proven",) * 3
        assert one.session.record is not None
        assert verified(one.session.record.to_json()).verdict(gone.seat or 0) == "proven"


def test_whoever_is_let_be_holds_the_others_up_for_a_second(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    gone = next(one for one in company.people if one.legal)
    gone.go()
    waited = []
    for _ in range(4):
        company.play(partial(is_due, company, gone))
        company.flow()
        height, since = company.log.height, company.now
        while company.log.height == height:
            company.wait()
            for one in company.people:
                if one is not gone and one.news.is_vote_wanted:
                    one.say(VoteMissing())
                    one.say(LeaveBe(company.lobby.seats[gone.seat or 0].name, True))
            company.flow()
        waited.append(company.now - since)
    assert waited == [GONE_S, 1, 1, 1]


def test_whoever_is_there_and_silent_holds_the_others_up_for_a_minute_once(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    silent = next(one for one in company.people if one.legal)
    others = [one for one in company.people if one is not silent]
    company.held = silent
    waited = []
    for _ in range(3):
        company.play(partial(is_due, company, silent))
        company.flow()
        since = company.now
        while not all(one.news.is_vote_wanted for one in others):
            company.wait()
        waited.append(company.now - since)
        company.play(lambda: not is_due(company, silent))
    assert waited == [STALLED_S, SILENT_S, SILENT_S]


def is_due(company: Company, one: Someone) -> bool:
    return company.log.due is not None and company.log.due.seat == one.seat


def test_who_comes_back_while_a_vote_is_offered_has_a_minute_once(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    gone = next(one for one in company.people if one.legal)
    other = next(one for one in company.people if one is not gone)
    for seconds in (STALLED_S, 1):
        gone.go()
        for _ in range(STALLED_S):
            company.wait()
        assert other.news.is_vote_wanted
        gone.come()
        company.flow()
        for _ in range(seconds - 1):
            company.wait()
            assert other.news.vote_about is None
        company.wait()
        assert other.news.is_vote_wanted


def test_whose_struck_card_does_not_come_is_said_at_once(tmp_path: Path) -> None:
    company = Company(tmp_path, bots=2)
    company.seal()
    company.play(lambda: company.log.due is not None and company.log.due.struck)
    due = company.log.due
    assert due is not None
    owner = company.log.sealing.owners[due.seat]
    gone, other = company.people[owner], company.people[owner - 1]
    gone.go()
    company.flow()
    company.wait()
    assert other.news.struck_of == other.news.missed == company.lobby.seats[owner].name
    gone.come()
    company.flow()
    company.play(lambda: company.log.due is None or not company.log.due.struck)
    company.flow()
    assert not other.news.struck_of


def test_a_table_plays_again_with_new_keys_and_the_next_to_begin(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    company.play()
    before = company.log
    company.relay.tell_lobby(phase="result")
    company.flow()
    for one in company.people[1:]:
        one.say(SetReady(True))
    company.flow()
    keys = set(company.relay.keys.values())
    assert not keys & set(before.sealing.keys)
    company.relay.first = (before.dealing.deal.first + 1) % 3
    company.people[0].say(Start())
    company.flow()
    assert company.relay.log is not before
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}


def test_a_deal_that_was_broken_off_is_counted_by_all_even_after_a_restart(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.relay.lose = lambda whose, parcel: isinstance(unpack(parcel.body), DealBody)
    company.seal()
    assert {one.news.stage for one in company.people} == {"dealing"}
    assert {one.news.waiting_for for one in company.people} == {
        ("Bob", "Cem"),
        ("Ada", "Cem"),
        ("Ada", "Bob"),
    }
    gid = company.relay.gid
    company.relay.tell_lobby(phase="lobby")
    company.flow()
    assert {one.session.sealed for one in company.people} == {None}
    company.people[1].restart()
    company.relay.lose = lambda whose, parcel: False
    company.seal()
    assert [one.codes for one in company.people] == [[("broken_hidden", "")]] * 3
    company.relay.broken = (gid,)
    company.relay.tell_lobby(phase="lobby")
    company.flow()
    company.seal()
    assert {one.news.broken for one in company.people} == {1}
    company.relay.tell_lobby(phase="lobby")
    company.relay.broken = ()
    company.flow()
    company.people[1].restart()
    company.seal()
    assert {one.news.stage for one in company.people} == {"playing"}
