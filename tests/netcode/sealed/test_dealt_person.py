"""One person's program: it opens nothing too early, votes as it must, and no evening is stuck."""

from random import Random

import pytest

from netcode.sealed.encoding import EndBody, EntryBody, SealedError, SeenBody, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
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


class Evening:
    """Persons around a relay, over lines that lose every few parcels, with crashes."""

    def __init__(self, table: SealedTable, seed: int, loss: float, crashes: float) -> None:
        self.rng = Random(seed)
        self.loss = loss
        self.crashes = crashes
        self.dealing = table.dealt()
        self.relay = SealedLog(self.dealing)
        self.secrets = table.people
        self.people = {
            own.person: DealtPerson(own, self.dealing, is_compared=True) for own in table.people
        }
        self.now = 0
        self.since = dict.fromkeys(self.people, (0, 0))

    def play(self, leave_at: dict[int, int]) -> None:
        """Play to the end; `leave_at` has who leaves for good, and at which height."""
        while not self.is_over:
            self.now += 4
            assert self.now < 9_000, "the evening is stuck"
            for person in self.rng.sample(sorted(self.people), len(self.people)):
                if self.relay.height >= leave_at.get(person, 1_000):
                    del self.people[person]
                else:
                    self.turn(person)

    @property
    def is_over(self) -> bool:
        return all(
            one.log.game.over and set(self.people) <= set(one.log.ends)
            for one in self.people.values()
        )

    def turn(self, person: int) -> None:
        rng = self.rng
        if rng.random() < self.crashes:
            kept = self.people[person].log.parcels()
            self.people[person] = DealtPerson(self.secrets[person], self.dealing)
            take_all(self.people[person].log, kept)
        one = self.people[person]
        if not one.is_compared or one.log.tip != self.relay.tip or rng.random() < 0.05:
            self.compare(one)
        log, due = one.log, one.log.due
        if self.since[person][0] != log.height:
            self.since[person] = (log.height, self.now)
        said = []
        if due and due.opening is None and due.seat in self.secrets[person].seats:
            said = one.answer(due.seat, rng.choice(log.game.legal).token)
        situation = Situation(
            waited_s=self.now - self.since[person][1],
            agreeing={p for p, each in self.people.items() if each.log.tip == log.tip},
            connected=set(self.people),
        )
        said += one.advance(situation, END_S)
        if one.is_offered_vote:
            one.vote_missing()
        for parcel in said:
            self.check_gate(one.log, parcel)
            for other in (self.relay, *(each.log for each in self.people.values())):
                if rng.random() >= self.loss:
                    other.take(parcel)

    def compare(self, one: DealtPerson) -> None:
        since = max(0, min(one.log.height, self.relay.height) - 3)
        take_all(self.relay, one.log.parcels(since))
        take_all(one.log, self.relay.parcels(since))
        one.is_compared = True

    def check_gate(self, log: SealedLog, parcel: Parcel) -> None:
        said = unpack(parcel.body)
        if isinstance(said, EndBody):
            assert log.locked == said.n
        if isinstance(said, EntryBody) and said.what in ("open", "reveal"):
            assert log.locked >= said.n - 1


@pytest.mark.parametrize(
    ("seeds", "loss", "crashes"),
    [
        (range(1), 0.3, 0.03),
        pytest.param(range(20), 0.0, 0.0, marks=pytest.mark.long),
        pytest.param(range(1, 40), 0.3, 0.03, marks=pytest.mark.long),
    ],
    ids=["rough", "calm", "many"],
)
@pytest.mark.parametrize(
    ("persons", "leave_at"),
    [
        pytest.param(3, {}, marks=pytest.mark.long),
        (3, {1: 10}),
        (4, {2: 25}),
        pytest.param(5, {}, marks=pytest.mark.long),
        (5, {0: 12, 3: 20}),
    ],
)
def test_evenings_come_to_an_end(
    persons: int, leave_at: dict[int, int], seeds: range, loss: float, crashes: float
) -> None:
    for seed in seeds:
        evening = Evening(SealedTable(seed, persons), seed, loss, crashes)
        evening.play(leave_at)
        take_all(evening.relay, next(iter(evening.people.values())).log.parcels())
        for log in (evening.relay, *(one.log for one in evening.people.values())):
            assert (log.tip, log.frozen, log.cheated) == (evening.relay.tip, "", set())
            assert not log.spent
            verdicts = [log.verdict(seat) for seat in range(persons)]
            assert verdicts == [
                "unproven" if seat in leave_at else "proven" for seat in range(persons)
            ]


def test_two_play_without_votes() -> None:
    table = SealedTable(3, owned=((0, 2), (1, 3)))
    evening = Evening(table, 3, 0.2, 0.02)
    evening.play({})
    take_all(evening.relay, evening.people[0].log.parcels())
    assert {evening.relay.verdict(seat) for seat in range(4)} == {"proven"}


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
