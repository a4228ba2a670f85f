"""A person's program for its whole life: what it keeps, sends and tells, and that it comes back."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as changed

from netcode.protocol.messages import TableSettings
from netcode.sealed.encoding import SealBody, SealedError, Seat, pack, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel, signed
from netcode.sealed.sealed_person import PersonNews, PersonOutput, PersonSecrets, SealedPerson
from netcode.sealed.sealing import Expected
from netcode.sealed.votes import GONE_S, Situation
from tests.netcode.sealed.sealed_tables import TABLE, sealing_body

UNIX_S = 1_800_003_600


class Person:
    """A program with its log: what it tells, and what it would send."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.program = SealedPerson(self.rng)
        self.kept: list[bytes] = []
        self.news: list[PersonNews] = []
        self.did(self.program.get_ready())

    def did(self, output: PersonOutput) -> list[Parcel]:
        self.kept += output.keep
        self.news += output.news
        return [*output.send]

    def restart(self) -> None:
        state, position = self.program.state, self.program.position
        self.program = SealedPerson.restore(self.rng, self.kept)
        assert (self.program.state, self.program.position) == (state, position)

    @property
    def codes(self) -> list[tuple[str, int | None]]:
        return [(news.code, news.about) for news in self.news]


class Room:
    """Persons around a relay that only passes on; each restarts now and then."""

    def __init__(
        self,
        seed: int,
        owned: tuple[tuple[int, ...], ...] = ((0,), (1,), (2,)),
        edition: int = 2,
        restarts: float = 0.0,
    ) -> None:
        self.rng = Random(seed)
        self.owned = owned
        self.restarts = restarts
        self.people = [Person(seed * 10 + index) for index in range(len(owned))]
        self.settings = TableSettings(edition=edition, sealed=True)
        body = sealing_body([bytes(32)] * len(owned), owned, self.settings)
        persons = tuple(
            changed(each, key=person.program.public_key)
            for each, person in zip(body.persons, self.people, strict=True)
        )
        self.body = changed(body, persons=persons)
        self.passed: list[Parcel] = [Parcel(pack(self.body))]

    def expected(self, person: int, **more: object) -> Expected:
        usual = Expected(
            key=self.people[person].program.public_key,
            own=self.owned[person],
            table=TABLE,
            seats=self.body.seats,
            settings=self.settings,
            host=0,
            first=None,
        )
        return replace(usual, **more)  # type: ignore[arg-type]

    def give(self, parcels: Iterable[Parcel], *, but: int | None = None) -> None:
        """Give parcels to all, and whatever they say to that, until nobody says anything."""
        waiting = [(but, parcel) for parcel in parcels]
        while waiting:
            source, parcel = waiting.pop(0)
            self.passed.append(parcel)
            for index, person in enumerate(self.people):
                if index != source:
                    said = person.did(person.program.receive([parcel], self.expected(index)))
                    waiting += [(index, each) for each in said]
                if self.rng.random() < self.restarts:
                    person.restart()
                    waiting += [(index, each) for each in person.did(person.program.resend())]
                    self.compare(person)

    def compare(self, person: Person) -> None:
        for other in self.people:
            position = other.program.position
            if other is not person and position and person.program.position:
                self.passed += person.did(person.program.log_at(*position))
                back = other.did(other.program.log_at(*person.program.position))
                person.did(person.program.receive(back))

    def deal(self) -> None:
        self.give(self.passed[:1])
        assert {person.program.state for person in self.people} == {"playing"}

    def now(self) -> Situation:
        there = set(range(len(self.people)))
        return Situation(waited_s=GONE_S, agreeing=there, connected=there)

    def play(self) -> None:
        """Play at random to the last card that is opened."""
        for _ in range(2_000):
            if all(one.program.is_done for one in self.people):
                return
            for index, person in enumerate(self.people):
                self.turn(index, person)
        raise AssertionError("nobody gets on")

    def turn(self, index: int, person: Person) -> None:
        program = person.program
        if not program.is_compared:
            self.compare(person)
        log = program.log
        assert log is not None
        due = log.due
        mine = due is not None and due.opening is None and due.seat in self.owned[index]
        if mine and program.is_compared:
            assert due is not None
            token = self.rng.choice(log.game.legal).token
            self.give(person.did(program.answer(due.seat, token)), but=index)
        self.give(person.did(person.program.advance(self.now(), UNIX_S)), but=index)

    def forged(self, person: int) -> PersonSecrets:
        """Return the secrets of a person, as a program that cheats has them."""
        own = self.people[person].program._secrets
        assert own is not None
        return own

    def log(self) -> SealedLog:
        log = self.people[0].program.log
        assert log is not None
        return log


@pytest.mark.parametrize(
    ("owned", "restarts"),
    [
        (((0,), (1,), (2,)), 0.02),
        (((0, 2), (1, 3)), 0.02),
        (((0,), (1,), (2,), (3,), (4,)), 0.0),
    ],
)
def test_an_evening_from_the_keys_to_the_last_card(
    owned: tuple[tuple[int, ...], ...], restarts: float
) -> None:
    room = Room(1, owned, restarts=restarts)
    room.deal()
    assert len({person.program.dealing.genesis for person in room.people}) == 1  # type: ignore[union-attr]
    room.play()
    for person in room.people:
        room.compare(person)
        log = person.program.log
        assert log is not None
        assert person.program.is_done
        assert person.program.waiting_for == ()
        assert {log.verdict(seat) for seat in range(log.game.players)} == {"proven"}
        assert person.news == []
        back = SealedPerson.restore(None, person.kept)
        assert back.log is not None
        assert (back.log.parcels(), back.log.late) == (log.parcels(), log.late)
        # Once more nothing is written that is there already.
        assert back.advance(room.now(), UNIX_S) == PersonOutput()


def test_who_only_watches_has_all_and_signs_nothing() -> None:
    room = Room(2)
    room.deal()
    room.play()
    watcher = SealedPerson(None)
    assert watcher.state == "idle"
    output = watcher.receive(room.passed)
    assert output == PersonOutput()
    assert (watcher.state, watcher.me) == ("over", None)
    assert watcher.position == room.people[0].program.position
    assert watcher.advance(room.now(), UNIX_S) == PersonOutput()
    # Whoever has it has it all, and can hand it on.
    other = SealedPerson(None)
    other.receive(watcher.parcels())
    assert (other.state, other.position) == ("over", watcher.position)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"own": (1,)}, "not_my_seats"),
        ({"table": bytes(15) + b"x"}, "other_table"),
        ({"settings": TableSettings(edition=1, sealed=True)}, "other_table"),
        ({"seats": (Seat("r", "Zoe", None),)}, "other_table"),
        ({"first": 1}, "wrong_first"),
        ({"counted": frozenset({bytes(32)})}, "broken_hidden"),
    ],
)
def test_a_sealing_that_is_not_what_the_lobby_says(more: dict[str, object], code: str) -> None:
    room = Room(1)
    person = room.people[0]
    assert person.did(person.program.receive(room.passed, room.expected(0, **more))) == []
    assert person.codes == [(code, None)]
    assert person.program.state == "keyed"
    # A right one is taken all the same; a second is not.
    assert len(person.did(person.program.receive(room.passed, room.expected(0)))) == 1
    second = Parcel(pack(changed(room.body, game=2)))
    assert person.did(person.program.receive([second], room.expected(0))) == []
    assert person.codes[-1] == ("sealed_already", None)


def test_a_program_that_comes_back_says_the_same_again() -> None:
    room = Room(1)
    person = room.people[0]
    seal = person.did(person.program.receive(room.passed, room.expected(0)))
    person.restart()
    assert person.program.counted is None
    assert person.did(person.program.resend()) == seal
    others = [
        p.did(p.program.receive(room.passed, room.expected(i))) for i, p in enumerate(room.people)
    ]
    before = [*person.kept]
    deal = person.did(person.program.receive([parcel for said in others for parcel in said]))
    assert len(deal) == 1
    assert person.program.counted == person.program.sealing.gid  # type: ignore[union-attr]
    person.restart()
    assert person.program.waiting_for == (1, 2)
    assert person.did(person.program.resend()) == [*seal, *deal]
    # If it was gone before its part was on disk, that part is made anew, and is the same.
    person.kept = before + person.kept[len(before) : len(before) + 2]
    person.program = SealedPerson.restore(person.rng, person.kept)
    assert person.did(person.program.resend()) == [*seal, *deal]


def test_files_that_are_none() -> None:
    room = Room(1)
    room.deal()
    whole = room.people[0].kept
    for file in ([b""], [b"\x93\xa3key"], whole[1:], [whole[0], *whole[2:]]):
        with pytest.raises(SealedError, match="bad_file"):
            SealedPerson.restore(Random(1), file)
    # Any part of it from the start is one.
    for length in range(len(whole) + 1):
        SealedPerson.restore(Random(1), whole[:length])


def test_parts_of_a_deal_that_come_before_the_seals_are_asked_for_again() -> None:
    room = Room(1)
    person = room.people[0]
    mine = person.did(person.program.receive(room.passed, room.expected(0)))
    for index in (1, 2):
        room.people[index].did(
            room.people[index].program.receive(room.passed, room.expected(index))
        )
    seals = [room.forged(index).seal() for index in (1, 2)]
    other = room.people[1].program
    deals = [
        *other.receive([*mine, *seals]).send,
        *room.people[2].program.receive([*mine, *seals]).send,
    ]
    assert person.program.receive(deals) == PersonOutput(compare=True)
    assert len(person.did(person.program.receive(seals))) == 1
    assert person.program.log is None
    person.did(person.program.receive(deals))
    assert person.program.log is not None


def test_who_plays_with_made_up_players_hears_other_digits() -> None:
    phrases = set()
    for seed in range(5):
        room = Room(1)
        room.people[1:] = [Person(100 * seed + index) for index in (1, 2)]
        persons = tuple(
            changed(each, key=person.program.public_key)
            for each, person in zip(room.body.persons, room.people, strict=True)
        )
        room.body = changed(room.body, persons=persons)
        room.passed = [Parcel(pack(room.body))]
        room.deal()
        dealing = room.people[0].program.dealing
        assert dealing is not None
        phrases.add(dealing.genesis)
    assert len(phrases) == 5


def test_who_lost_their_last_act_takes_it_from_others_and_signs_no_other() -> None:
    room = Room(1)
    room.deal()
    seat = room.log().game.turn
    amnesiac = room.people[seat]
    room.give(amnesiac.did(amnesiac.program.answer(seat, room.log().game.legal[0].token)), but=seat)
    other = room.people[(seat + 1) % 3].program
    assert other.position is not None
    del amnesiac.kept[-1:]
    amnesiac.program = SealedPerson.restore(amnesiac.rng, amnesiac.kept)
    assert amnesiac.program.position is not None
    assert amnesiac.program.position[0] == 0
    with pytest.raises(SealedError, match="not_your_turn"):
        amnesiac.program.answer(seat, room.log().game.legal[1].token)
    assert amnesiac.did(amnesiac.program.advance(room.now(), UNIX_S)) == []
    assert amnesiac.program.log_at(*other.position).compare
    amnesiac.did(amnesiac.program.receive(other.log_at(0, room.log().tip_of(0)).send))
    assert amnesiac.program.position == other.position
    assert amnesiac.program.is_compared
    assert amnesiac.news == []


def test_who_has_the_proof_stops_also_those_who_have_begun_to_play() -> None:
    room = Room(1)
    for index, person in enumerate(room.people):
        person.did(person.program.receive(room.passed, room.expected(index)))
    seals = [room.forged(index).seal() for index in range(3)]
    one, other = room.people[:2]
    deals = [each.did(each.program.receive(seals))[-1] for each in (one, other)]
    dealing = one.program.dealing
    assert dealing is not None
    right = room.forged(2).deal(dealing.seals_digest)
    wrong = room.forged(2).deal(bytes(32))
    one.did(one.program.receive([deals[1], right]))
    assert one.program.position is not None
    # Relays take no proof from players, but what it is made of, also from who comes back.
    said = other.did(other.program.receive([wrong, right]))
    other.restart()
    for parcels in (said, other.did(other.program.resend())):
        assert {right, wrong} <= {*parcels}
    one.did(one.program.receive(said))
    assert (one.program.state, one.codes) == ("frozen", [("two_deals", 2)])
    one.restart()


def test_whose_leaves_are_equal_is_told() -> None:
    for copied in (1, 2):
        room = Room(1)
        for index, person in enumerate(room.people):
            person.did(person.program.receive(room.passed, room.expected(index)))
        seals = [room.forged(index).seal() for index in range(3)]
        source, said = (unpack(seals[index].body) for index in (copied, 2))
        assert isinstance(said, SealBody)
        assert isinstance(source, SealBody)
        (leaves,) = said.leaves
        copy = changed(said, leaves=((*leaves[:9], source.leaves[0][0]),))
        seals[2] = signed(room.forged(2).key, copy)
        victim = room.people[0]
        victim.did(victim.program.receive(seals))
        assert victim.news == [PersonNews("equal_leaves", by=(*{copied, 2},))]


def test_an_illegal_answer_is_told_with_the_rules_reason() -> None:
    room = Room(1)
    room.deal()
    log = room.log()
    seat = log.game.turn
    aside = log.dealing.deal.aside[seat][0]
    room.give([room.forged(seat).act(1, log.tip, seat, f"{aside}>")] * 2, but=seat)
    other = room.people[(seat + 1) % 3]
    (told,) = other.news
    assert (told.code, told.about, told.n) == ("illegal", seat, 1)
    assert told.why is not None
    assert told.why.code == "not_in_hand"
    other.restart()
    both = [
        room.forged(seat).act(1, log.tip, seat, token)
        for token in (f"{aside}>", f"{log.game.hands[seat][0]}>")
    ]
    room.give(both[1:], but=seat)
    assert other.codes[1:] == [("two_contents", seat)]
    assert other.program.state == "frozen"
    # No proof is taken from players, but it can be made of what they have.
    relay = SealedLog(log.dealing)
    said = other.did(other.program.log_at(0, relay.tip))
    assert [unpack(parcel.body) for parcel in said] == [unpack(parcel.body) for parcel in both]
    assert [relay.take(parcel).code for parcel in said] == ["illegal", "two_contents"]
    other.restart()


def test_two_end_unfinished_once_one_has_cheated() -> None:
    room = Room(1, ((0, 2), (1, 3)))
    room.deal()
    log = room.log()
    cheat = log.sealing.owners[log.game.turn]
    room.give([room.forged(cheat).act(1, log.tip, log.game.turn, "+")], but=cheat)
    victim = room.people[1 - cheat]
    assert victim.codes == [("illegal", cheat), ("no_votes_at_two", cheat)]
    assert victim.program.state == "frozen"
    assert log.verdict(0) == "unfinished"


def test_going_back_is_told_and_survives_a_restart() -> None:
    room = Room(1, ((0,), (1,), (2,), (3,), (4,)))
    room.deal()
    log = room.log()
    owner = log.game.turn
    holder = room.people[(owner + 1) % 5]
    others = [index for index in range(5) if index not in (owner, (owner + 1) % 5)]
    answer = room.people[owner].did(
        room.people[owner].program.answer(owner, log.game.legal[0].token)
    )
    holder.did(holder.program.receive(answer))
    there = SealedLog(log.dealing)
    prev = log.tip
    for index in others:
        there.take(room.forged(index).missing(1, prev))
    there.take(there.default())
    holder.did(holder.program.receive(there.parcels()))
    assert holder.codes == [("went_back", owner)]
    assert holder.news[0].by == tuple(others)
    assert holder.program.position == (1, there.tip)
    holder.restart()
    assert not holder.program.is_compared
    with pytest.raises(SealedError, match="not_your_turn"):
        holder.program.answer((owner + 1) % 5, "0>")
    for _ in range(2):
        holder.did(holder.program.receive(answer))
    assert holder.codes == [("went_back", owner)]
    holder.restart()
    assert holder.program.log is not None
    assert holder.program.log.late


def test_what_others_send_that_is_nothing() -> None:
    room = Room(1)
    room.deal()
    person = room.people[0]
    forged = unpack(room.forged(1).act(1, room.log().tip, 1, "0>").body)
    stranger = signed(bytes(32), forged)
    output = person.program.receive([Parcel(b"nonsense"), stranger])
    assert [news.code for news in output.news] == ["malformed", "bad_signature"]
    assert {news.about for news in output.news} == {None}
    assert person.program.receive([Parcel(b"nonsense"), stranger]) == PersonOutput()
