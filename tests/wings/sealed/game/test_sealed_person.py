"""Tests a person's program: its messages about other persons' steps, and the use of its log."""

from random import Random

import pytest

from netcode.wings.sealed.game.encoding import SealedError
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealed_person import PersonNews, PersonOutput, SealedPerson
from netcode.wings.sealed.game.votes import GONE_S, Situation
from netcode.wings.sealed.messages import Sealed
from tests.wings.sealed.game.sealed_tables import log_of
from tests.wings.sealed.game.stand_in import plant_stand_in
from tests.wings.sealed.sealed_world import NAMES, Someone, dealt


@pytest.fixture(autouse=True)
def cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


def begun_again(one: Someone) -> SealedPerson:
    """Return a person's program after a restart."""
    return SealedPerson.restore(Random(1), one.disk.records)


def test_logs_that_are_none() -> None:
    whole = dealt().people[0].disk.records
    for kept in ([b""], [b"\x93\xa3key"], whole[1:], [whole[0], *whole[2:]]):
        with pytest.raises(SealedError, match="bad_file"):
            SealedPerson.restore(Random(1), kept)
    # Any beginning of a log is a valid log.
    for length in range(len(whole) + 1):
        SealedPerson.restore(Random(1), whole[:length])


def test_what_is_on_disk_makes_the_same_again_and_nothing_is_written_twice() -> None:
    world = dealt()
    everybody = set(range(3))
    now = Situation(waited_s=GONE_S, agreeing=everybody, connected=everybody)
    world.play_to(30)
    for one in world.people:
        back = begun_again(one)
        assert (back.state, log_of(back).tip) == (one.person.state, one.log.tip)
        assert back.parcels() == one.person.parcels()
        back.log_at(one.log.height, one.log.tip)
        assert back.output().keep == ()
        back.receive(one.person.parcels())
        assert back.output() == PersonOutput()
        back.advance(now, 0)
        assert back.output().keep == ()


def parts_of(one: Someone, kind: str) -> list[Parcel]:
    assert one.person.dealing is not None
    return [one.person.dealing.parcels[kind, person] for person in range(3)]


def sealed_anew(one: Someone) -> SealedPerson:
    """Return a person's program at the moment after sealing."""
    return SealedPerson.restore(Random(1), one.disk.records[:2])


def test_parts_of_a_deal_that_come_before_the_seals_are_asked_for_again() -> None:
    one = dealt().people[0]
    seals, (mine, *deals) = parts_of(one, "seal"), parts_of(one, "deal")
    anew = sealed_anew(one)
    anew.receive(deals)
    output = anew.output()
    assert (output.send, output.news, output.compare) == ((), (), True)
    # The person's own part of the deal, of which nothing was on disk, is the same as before.
    anew.receive(seals)
    assert anew.output().send == (mine,)
    assert (anew.log, anew.waiting_for, anew.counted) == (None, (1, 2), one.log.sealing.gid)
    anew.receive(deals)
    assert anew.output().send == ()
    assert log_of(anew).tip == one.log.tip_of(0)


def test_who_has_the_proof_stops_also_those_who_have_begun_to_play() -> None:
    world = dealt()
    ada, bob, cem = world.people
    both = [parts_of(bob, "deal")[1], bob.own.deal(bytes(32))]
    other = sealed_anew(cem)
    other.receive([*parts_of(cem, "seal"), *both])
    output = other.output()
    again = SealedPerson.restore(Random(1), [*cem.disk.records[:2], *output.keep])
    again.resend()
    # A host accepts no proof from players, but it accepts the parcels that form a proof.
    for said in (output.send, again.output().send):
        assert {*both} <= {*said}
    for each in (ada.person, begun_again(ada)):
        each.receive(output.send)
        assert each.output().news == (PersonNews("two_deals", 1),)
        assert each.state == "frozen"


def test_two_end_unfinished_once_one_has_cheated() -> None:
    world = dealt(NAMES[:2], two=True)
    cheat, log = world.deciding, world.log
    seat = log.game.turn
    other = world.others(cheat)[0]
    said = [
        cheat.own.act(1, log.tip, seat, f"{leaf}>")
        for leaf in (log.dealing.aside(seat)[0], log.game.hands[seat][0])
    ]
    cheat.cheat(said[0], said[0])
    assert other.codes == [("illegal", cheat.name), ("no_votes_at_two", cheat.name)]
    assert other.news.notices[0].values["why"] == "not_in_hand"
    assert (other.news.stage, other.log.verdict(seat)) == ("frozen", "unfinished")
    cheat.cheat(said[1])
    assert other.codes[2:] == [("two_contents", cheat.name)]
    # The parcels that `other` sends prove both offences to a new log.
    relay = SealedLog(log.dealing)
    other.person.log_at(0, relay.tip)
    outcomes = [relay.take(each) for each in other.person.output().send]
    assert [each.code for each in outcomes] == ["illegal", "two_contents"]


def test_going_back_is_told_and_survives_a_restart() -> None:
    world = dealt(NAMES)
    owner, log = world.deciding, world.log
    holder, *others = (one for one in world.people if one is not owner)
    answer = owner.own.act(1, log.tip, log.game.turn, log.game.legal[0].token)
    there = SealedLog(log.dealing)
    for each in others:
        there.take(each.own.missing(1, log.tip))
    there.take(there.default())
    for parcels in ([answer], there.parcels(), [answer], [answer]):
        holder.down.append(Sealed(tuple(parcels)))
        world.flow()
    assert holder.codes == [("went_back", owner.name)]
    assert holder.news.notices[0].values["names"] == tuple(each.name for each in others)
    assert holder.log.tip == there.tip
    back = begun_again(holder)
    assert back.log is not None
    assert (back.log.late, back.is_compared) == ({1: answer}, False)
    with pytest.raises(SealedError, match="not_your_turn"):
        back.answer(there.game.turn, there.game.legal[0])
    back.log_at(1, there.tip)
    assert back.output().compare is False
    assert back.is_compared
