"""One person's program: it opens nothing too early, votes as it must, and no evening is stuck."""

from random import Random

import pytest

from netcode.sealed.encoding import EndBody, EntryBody, SealedError, SeenBody, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.sealed_person import DealtPerson
from netcode.sealed.votes import (
    AFTER_CLOCK_S,
    AWAY_S,
    GONE_S,
    PAUSED_S,
    STALLED_S,
    Situation,
    away,
    may_open,
    missing_vote,
    owed_seen,
)
from tests.netcode.sealed.sealed_tables import SealedTable, played, struck, take_all, twin

END_S = 1_800_003_600


CALM = Situation(waited_s=0, agreeing=set(range(5)), connected=set(range(5)))
LATER = Situation(waited_s=10, agreeing=set(range(5)), connected=set(range(5)))


def test_nothing_is_opened_before_the_step_before_is_sure_to_stay() -> None:
    table = SealedTable(1, 5)
    relay = played(table, Random(1), struck)
    due = relay.due
    assert due is not None
    owner = table.sealing.owners[due.seat]
    person = DealtPerson(table.people[owner], relay.dealing, is_compared=True)
    take_all(person.log, relay.parcels())
    restarted = DealtPerson(table.people[owner], relay.dealing)
    take_all(restarted.log, relay.parcels())
    striker = relay.entries[-1].author
    assert striker != owner
    assert not [p for p in person.advance(LATER, END_S) if isinstance(unpack(p.body), EntryBody)]
    # One more who has it makes it sure; nobody waits for a majority.
    other = next(own for own in table.people if own.person not in (owner, striker))
    for log in (person.log, restarted.log):
        log.take(other.seen(relay.height, relay.entries[-1].said.prev, relay.tip))
    assert restarted.advance(LATER, END_S) == []
    assert may_open(person.log)
    said = [unpack(parcel.body) for parcel in person.advance(CALM, END_S)]
    assert isinstance(said[-1], EntryBody)
    assert said[-1].what == "open"


def test_who_forks_the_last_act_gets_nobodys_cards() -> None:
    table = SealedTable(1, 5)
    relay = played(table, Random(1))
    last = relay.entries[-1]
    holder = next(own for own in table.people if own.person != last.author)
    person = DealtPerson(holder, relay.dealing, is_compared=True)
    for entry in relay.entries:
        person.log.take(entry.parcel)
    assert person.log.locked < person.log.height
    said = [unpack(parcel.body) for parcel in person.advance(LATER, END_S)]
    assert {type(one) for one in said} == {SeenBody}
    other = next(own for own in table.people if own.person not in (last.author, holder.person))
    person.log.take(other.seen(last.said.n, last.said.prev, last.tip))
    assert isinstance(unpack(person.advance(LATER, END_S)[-1].body), EndBody)


def test_nothing_is_signed_before_logs_are_compared_nor_what_is_illegal() -> None:
    table = SealedTable(1)
    first = table.dealt().deal.first
    person = DealtPerson(table.people[first], table.dealt())
    token = person.log.game.legal[0].token
    with pytest.raises(SealedError, match="not_your_turn"):
        person.answer(first, token)
    assert person.advance(LATER, END_S) == []
    person.is_compared = True
    for illegal in ("!", "+", "S>", "x1"):
        with pytest.raises(SealedError, match="illegal"):
            person.answer(first, illegal)
    with pytest.raises(SealedError, match="not_your_turn"):
        person.answer((first + 1) % 3, token)
    assert not person.log.spent
    assert len(person.answer(first, token)) == 1


def test_when_a_step_may_be_voted_missing() -> None:
    table = SealedTable(1)
    log = SealedLog(table.dealt())
    owner = log.game.turn
    me = (owner + 1) % 3

    def vote(waited_s: float, **more: object) -> str:
        known = {"agreeing": {0, 1, 2}, "connected": {0, 1, 2}, **more}
        return missing_vote(log, me, Situation(waited_s=waited_s, **known))  # type: ignore[arg-type]

    gone = {0, 1, 2} - {owner}
    assert (vote(STALLED_S - 1), vote(STALLED_S)) == ("no", "offer")
    assert (vote(GONE_S - 1, connected=gone), vote(GONE_S, connected=gone)) == ("no", "offer")
    assert missing_vote(log, owner, LATER) == "no"
    assert vote(STALLED_S, agreeing={me, owner}) == "no"
    assert (vote(STALLED_S, paused_s=1), vote(STALLED_S, paused_s=PAUSED_S + 1)) == ("no", "offer")
    # Whom one lets be is voted about at once, but only while they are away.
    assert vote(AWAY_S, connected=gone, left_be={owner}) == "no"
    for parcel in table.default(log):
        log.take(parcel)
    rng = Random(1)
    while log.game.turn != owner:
        log.take(table.answer(log, rng))
    assert away(log, owner)
    assert vote(AWAY_S, connected=gone, left_be={owner}) == "sign"
    assert vote(AWAY_S, left_be={owner}) == "no"
    log.take(table.answer(log, rng))
    assert not away(log, owner)
    # Who has answered illegally has answered: nobody needs to wait.
    owner = log.game.turn
    me = (owner + 1) % 3
    log.take(table.owner(owner).act(log.height + 1, log.tip, owner, "nothing"))
    assert vote(0) == "offer"
    assert AFTER_CLOCK_S < GONE_S


def test_who_has_a_step_tells_those_who_miss_it() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.height == 2)
    author = log.entries[-1].author
    me, other = (person for person in table.people if person.person != author)
    mine = twin(log, me.person)
    assert owed_seen(mine, me.person) == []
    mine.take(other.missing(2, log.entries[-1].said.prev))
    assert owed_seen(mine, me.person) == [2]
    mine.take(me.seen(2, log.entries[-1].said.prev, log.tip))
    assert owed_seen(mine, me.person) == []


def test_who_may_open_is_told_that_the_step_stays_and_needs_not_say_so() -> None:
    table = SealedTable(1, 5)
    log = played(
        table,
        Random(1),
        lambda log: log.game.asked == "?" and log.game.turn != log.entries[-1].author,
    )
    owner, author = log.game.turn, log.entries[-1].author
    for person in range(5):
        owed = owed_seen(log, person)
        assert owed == ([] if person in (owner, author) else [log.height])


def test_a_reveal_that_has_waited_too_long_is_let_go_of() -> None:
    table = SealedTable(1, 5)
    relay = played(
        table,
        Random(1),
        lambda log: log.game.asked == "?" and log.game.turn != log.entries[-1].author,
    )
    owner = relay.game.turn
    person = DealtPerson(table.people[owner], relay.dealing, is_compared=True)
    take_all(person.log, relay.parcels())
    assert person.answer(owner, "!") == []
    take_all(person.log, table.default(relay))
    assert may_open(person.log)
    said = [unpack(parcel.body) for parcel in person.advance(CALM, END_S)]
    assert not any(isinstance(one, EntryBody) for one in said)
