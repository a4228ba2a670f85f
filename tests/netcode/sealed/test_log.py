"""The log: honest games come through whole, and each cheater is caught by the check for it."""

import gc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from random import Random
from types import FunctionType, ModuleType

import pytest

from engine.actions import ACTIONS, REVEAL, Action, Place
from engine.cards import CARDS
from engine.game import Game
from engine.view import named
from netcode.sealed.encoding import EntryBody, pack
from netcode.sealed.log import MAXIMUM_AHEAD, SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proof_file import known_cards
from netcode.sealed.proofs import convicted, make_proof
from netcode.sealed.sealing import QUORUM, log_in
from tests.netcode.sealed.sealed_tables import SealedTable, doubled, played, struck, take_all, twin

Table = Callable[[int], SealedTable]
TABLES: list[Table] = [
    lambda seed: SealedTable(seed, 3, edition=1),
    lambda seed: SealedTable(seed, 4),
    lambda seed: SealedTable(seed, 5, edition=seed % 2 + 1),
    lambda seed: SealedTable(seed, owned=((0, 2), (1, 3))),
    lambda seed: SealedTable(seed, owned=((0, 2), (1,)), bots=(2,)),
]


def asks(question: str) -> Callable[[SealedLog], bool]:
    return lambda log: log.game.asked == question and log.height > 0


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 60), marks=pytest.mark.long)], ids=["few", "many"]
)
@pytest.mark.parametrize("make", TABLES)
def test_a_log_is_the_open_game(make: Table, seeds: range) -> None:
    for seed in seeds:
        table = make(seed)
        log = played(table, Random(seed))
        assert log.game.over
        orders = [
            table.owner(seat).orders[table.owner(seat).seats.index(seat)]
            for seat in range(len(table.sealing.owners))
        ]

        def cards(leaves: tuple[str, ...], orders: list[str] = orders) -> tuple[str, ...]:
            named = [
                [order[int(leaf)] for leaf in hand]
                for order, hand in zip(orders, leaves, strict=True)
            ]
            return tuple("".join(sorted(hand, key=CARDS.index)) for hand in named)

        deal = log.dealing.deal
        game = Game.start(deal._replace(hands=cards(deal.hands), aside=cards(deal.aside)))
        for entry in log.entries:
            if entry.said.what == "reveal":
                game = game.play(REVEAL)
            elif entry.said.what == "act":
                action = ACTIONS[entry.said.content[0]]
                token = action.token
                if isinstance(action, Place):
                    token = orders[game.turn][int(action.card)] + token[1:]
                game = game.play(ACTIONS[token])
        assert (game.over, game.pools, game.out) == (True, log.game.pools, log.game.out)
        assert log.verdict(0) == "unproven"
        for end in table.ends(log):
            assert log.take(end).status == "taken"
        assert {log.verdict(seat) for seat in range(game.players)} == {"proven"}
        last = log.entries[-1]
        for person in table.people:
            if person.person != last.author:
                log.take(person.seen(log.height, last.said.prev, log.tip))
        assert log.locked == log.height


def test_no_byte_of_a_game_can_be_another() -> None:
    table = SealedTable(1)
    whole = played(table, Random(1))
    log = SealedLog(table.dealt())
    for step, parcel in enumerate([*(entry.parcel for entry in whole.entries), *table.ends(whole)]):
        flat = parcel.body + parcel.signature
        for index in range(step % 23, len(flat), 23):
            changed = flat[:index] + bytes([flat[index] ^ 1]) + flat[index + 1 :]
            cut = len(parcel.body)
            outcome = log.take(Parcel(changed[:cut], changed[cut:]))
            assert outcome.status == "refused"
            assert outcome.proof is None
        assert log.take(parcel).status == "taken"
    assert not log.spent
    assert log.verdict(0) == "proven"


def test_entries_come_in_any_order_and_more_than_once() -> None:
    table = SealedTable(2)
    whole = played(table, Random(2))
    log = SealedLog(table.dealt())
    rng = Random(1)
    parcels = [entry.parcel for entry in whole.entries]
    while log.height < whole.height:
        some = parcels[log.height : log.height + 8]
        for parcel in rng.sample(some, len(some)):
            assert log.take(parcel).status in ("taken", "held", "ignored")
    assert log.tip == whole.tip
    assert take_all(SealedLog(table.dealt()), parcels) == set()


def test_too_many_entries_that_do_not_follow() -> None:
    table = SealedTable(2)
    whole = played(table, Random(2))
    log = SealedLog(table.dealt())
    later = [entry.parcel for entry in whole.entries[1 : MAXIMUM_AHEAD + 2]]
    codes = [log.take(parcel)[:2] for parcel in later]
    assert codes == [("held", "gap")] * MAXIMUM_AHEAD + [("refused", "gap")]
    log.take(whole.entries[0].parcel)
    assert log.height == MAXIMUM_AHEAD + 1


def bytes_within(whole: object) -> set[bytes]:
    """Return every piece of bytes that can be reached from an object, but by way of code."""
    seen: dict[int, object] = {}
    pieces = set()
    waiting = [whole]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType):
            continue
        seen[id(one)] = one
        if isinstance(one, bytes):
            pieces.add(one)
        waiting += gc.get_referents(one)
    return pieces


def test_a_relay_holds_nothing_that_is_hidden() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.game.round == 4)
    opened = {
        (entry.said.seat, entry.said.content[0])
        for entry in log.entries
        if entry.said.what in ("reveal", "open")
    }
    assert opened
    everything = b"|".join(bytes_within(log))
    for seat, person in enumerate(table.people):
        assert person.key not in everything
        for leaf, salt in enumerate(person.salts[0]):
            assert (salt in everything) == ((seat, leaf) in opened)
    # Nonces are everybody's from the deal on, and nobody's before.
    assert all(person.nonce in everything for person in table.people)
    before = b"|".join(bytes_within(table.dealing()))
    assert table.seals[0].body in before
    assert not any(person.nonce in before for person in table.people)


# Cheaters. Each is caught by the check that is for them; the others' logs stay as they were.


def refusal(log: SealedLog, parcel: Parcel) -> str:
    """Return the code by which an entry is refused: it changes nothing but that it is known."""
    before = (log.height, log.tip)
    outcome = log.take(parcel)
    assert outcome.status == "refused"
    assert (log.height, log.tip) == before
    return outcome.code


def at_first(seed: int = 1, persons: int = 3) -> tuple[SealedTable, SealedLog]:
    table = SealedTable(seed, persons)
    return table, SealedLog(table.dealt())


def test_who_has_answered_illegally_has_answered() -> None:
    table, log = at_first()
    first = log.game.turn
    person = table.owner(first)
    nonsense = person.act(1, log.tip, first, "+")
    assert refusal(log, nonsense) == "illegal"
    assert refusal(log, nonsense) == "illegal"
    assert not log.frozen
    outcome = log.take(person.act(1, log.tip, first, f"{log.game.hands[first][0]}>"))
    assert (outcome.code, log.frozen) == ("two_contents", "two_contents")
    assert outcome.proof is not None
    assert convicted(table.sealing, outcome.proof) == ("two_contents", person.person)
    assert log.verdict(first) == "cheated"


def at_reveal(seed: int = 1, persons: int = 3) -> tuple[SealedTable, SealedLog, int, int]:
    """Return a log in which a seat is asked to leave or reveal a leaf."""
    table = SealedTable(seed, persons)
    log = played(table, Random(seed), asks("?"))
    return table, log, log.game.turn, int(log.game.queue[log.game.at][1])


def test_openings_that_nobody_asked_for() -> None:
    table, log, seat, leaf = at_reveal()
    assert refusal(log, table.owner(seat).open(log.height + 1, log.tip, seat, leaf)) == (
        "no_opening_due"
    )
    table, log = at_first()
    first = log.game.turn
    assert refusal(log, table.owner(first).open(1, log.tip, first, 0, "reveal")) == "illegal"
    table, log = at_first()
    end = table.people[0].end(0, log.tip, 0)
    assert refusal(log, end) == "other_branch"


def test_answers_of_who_is_not_asked() -> None:
    table, log = at_first()
    first = log.game.turn
    other = (first + 1) % 3
    act = table.owner(other).act(1, log.tip, other, f"{log.game.hands[other][0]}>")
    assert refusal(log, act) == "not_your_turn"
    forged = table.owner(other).act(1, log.tip, first, f"{log.game.hands[first][0]}>")
    assert refusal(log, forged) == "bad_signature"
    assert log.take(table.answer(log, Random(1))).status == "taken"


def at_strike(cards: str = CARDS) -> tuple[SealedTable, SealedLog]:
    """Return a log in which another's struck card, one of some, has to be opened."""

    def is_there(table: SealedTable, log: SealedLog) -> bool:
        if not struck(log) or log.game.queue[log.game.at][0] == log.game.turn:
            return False
        leaf = int(log.game.queue[log.game.opening][1])
        return table.owner(log.game.turn).opening(log.game.turn, leaf)[1] in cards

    for seed in range(40):
        table = SealedTable(seed)
        log = played(table, Random(seed), partial(is_there, table))
        if log.due is not None:
            return table, log
    raise AssertionError("no such strike in forty games")


def test_an_unopened_card_is_owed_before_anything_else() -> None:
    table, log = at_strike()
    due = log.due
    assert due is not None
    assert due.opening is not None
    seat, leaf = due.opening
    for parcel in table.default(log):
        assert log.take(parcel).status == "taken"
    assert [owed[:2] for owed in log.game.owed] == [(seat, str(leaf))]
    rng = Random(1)
    while log.game.turn != seat and log.due is not None:
        assert log.take(table.answer(log, rng)).status == "taken"
    assert log.due is not None
    assert log.due.opening == (seat, leaf)
    pools = log.game.pools
    token = str(log.game.legal[0])
    debtor = twin(log)
    act = table.owner(seat).act(log.height + 1, log.tip, seat, token)
    assert refusal(debtor, act) == "opening_owed"
    # The debtor's question can be defaulted; the opening is still due at the next one.
    for parcel in table.default(debtor):
        assert debtor.take(parcel).status == "taken"
    # Who opens is asked again, and the pools are as they were.
    assert log.take(table.owner(seat).open(log.height + 1, log.tip, seat, leaf)).status == "taken"
    after = log.due
    assert after is not None
    assert after == (seat, None, False)
    assert log.game.pools == pools


def test_an_ambush_that_was_not_opened_is_paid_in_the_end() -> None:
    table, log = at_strike("M")
    due = log.due
    assert due is not None
    assert due.opening is not None
    seat, leaf = due.opening
    opening = table.owner(seat).open(log.height + 1, log.tip, seat, leaf)
    for parcel in table.default(log):
        log.take(parcel)
    assert known_cards(log)[seat][leaf] == "?"
    # The opening comes too late to be in the log, and is known all the same.
    assert log.take(opening).code == "late"
    assert known_cards(log)[seat][leaf] == "M"
    assert log.game.owed[0][:2] == (seat, str(leaf))
    while log.due is not None:
        log.take(table.answer(log, Random(1)))
    for end in table.ends(log):
        log.take(end)
    known = known_cards(log)
    assert known == {index: own.orders[0] for index, own in enumerate(table.people)}
    shown = named(log.game, known)
    paid = [after - before for after, before in zip(shown.pools, log.game.pools, strict=True)]
    assert paid == [4 if index == seat else 0 for index in range(3)]


def test_entries_of_other_games_and_steps() -> None:
    table, log = at_first()
    other, elsewhere = at_first(seed=9)
    assert refusal(log, other.answer(elsewhere, Random(1))) == "other_game"
    first = table.answer(log, Random(1))
    assert log.take(first).status == "taken"
    assert log.take(first).status == "ignored"
    due = log.due
    assert due is not None
    seat = due.seat
    act = table.owner(seat).act(2, bytes(32), seat, f"{log.game.hands[seat][0]}>")
    assert refusal(log, act) == "other_branch"


def test_two_answers_for_one_step() -> None:
    table, log = at_first()
    first = log.game.turn
    one, other = (
        table.owner(first).act(1, log.tip, first, f"{leaf}>") for leaf in log.game.hands[first][:2]
    )
    log.take(one)
    log.take(table.answer(log, Random(1)))
    outcome = log.take(other)
    assert (outcome.code, log.frozen) == ("two_contents", "two_contents")
    assert log.take(table.answer(log, Random(1))).code == "frozen"
    assert log.verdict((first + 1) % 3) == "unfinished"
    # Whoever had the other answer learns it from the proof.
    assert outcome.proof is not None
    told = SealedLog(table.dealt())
    told.take(other)
    told.take(outcome.proof)
    assert told.frozen == "two_contents"


@pytest.mark.parametrize("steps", [0, 3])
@pytest.mark.parametrize("reason", ["two_seals", "two_deals", "wrong_nonce"])
def test_who_has_dealt_twice_stops_also_those_who_play(reason: str, steps: int) -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.height == steps)
    bob, seal = table.people[1], log.dealing.parcels["seal", 1]
    other = replace(bob, nonce=bytes(32))
    wrong = other.deal(log.dealing.seals_digest)
    second = other.seal() if reason == "two_seals" else wrong
    told = twin(log)
    if reason == "wrong_nonce":
        told.take(make_proof(reason, seal, wrong))
    else:
        proof = log.take(second).proof
        assert proof is not None
        assert convicted(table.sealing, proof) == (reason, 1)
        assert log.frozen == reason
        told.take(proof)
    assert told.frozen == reason
    assert told.take(table.answer(told, Random(1))).code == "frozen"
    assert [told.verdict(seat) for seat in range(3)] == ["unfinished", "cheated", "unfinished"]
    # What everybody has signed the end of stands.
    over = played(table, Random(1))
    for end in table.ends(over):
        over.take(end)
    over.take(second)
    assert over.frozen == ""


def test_a_log_that_is_frozen_ignores_what_it_has_and_takes_nothing_else() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.height == 2)
    answer = table.answer(log, Random(1))
    default = table.default(log)
    take_all(log, [*default, answer])
    assert [*log.late.values()] == [answer]
    has = [*log.dealing.parcels.values(), log.entries[0].parcel, *default, answer]
    owner = table.owner(log.game.turn)
    other = replace(owner, nonce=bytes(32))
    log.take(make_proof("two_seals", owner.seal(), other.seal()))
    assert {log.take(parcel).status for parcel in has} == {"ignored"}
    entry = table.answer(log, Random(1))
    login = log_in(table.sealing, 0, table.keys[0], bytes(32), bytes(32))
    for parcel in (entry, Parcel(entry.body), other.seal(), login, Parcel(table.sealing.body)):
        assert log.take(parcel).code == "frozen"
    assert log.take(Parcel(b"", entry.signature)).code == "malformed"


def test_proofs_are_taken_one_of_each_kind_a_person_whatever_has_frozen_the_log() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), lambda log: log.height == 3)
    for person in (1, 2, 1):
        seals = [replace(table.people[person], nonce=bytes([n]) * 32).seal() for n in range(2)]
        log.take(make_proof("two_seals", *seals))
    assert log.convictions == [("two_seals", 1), ("two_seals", 2)]
    assert len(log.proofs) == 2


def test_a_card_twice_at_the_end_or_nothing() -> None:
    table = doubled(SealedTable(1), 0)
    log = SealedLog(table.dealt())
    while log.due is not None:
        # Nobody reveals anything, so nothing shows before the end.
        action: Action = log.game.legal[0]
        due = log.due
        log.take(table.owner(due.seat).act(log.height + 1, log.tip, due.seat, action.token))
    ends = table.ends(log)
    assert [log.take(end).status for end in ends] == ["taken"] * 3
    assert (log.convictions, log.proofs) == ([("card_twice", 0)], [])
    assert [log.verdict(seat) for seat in range(3)] == ["cheated", "proven", "proven"]
    assert log.frozen == ""
    crashed = twin(log)
    for end in ends[1:]:
        crashed.take(end)
    assert [crashed.verdict(seat) for seat in range(3)] == ["unproven", "proven", "proven"]
    # An end that comes late is as good.
    late = table.people[0].end(log.height, log.tip, 2_000_000_000)
    assert crashed.take(late).status == "taken"
    assert crashed.verdict(0) == "cheated"


def test_an_end_of_other_cards_or_another_log() -> None:
    table = SealedTable(1)
    log = played(table, Random(1))
    ada = table.people[0]
    other = replace(ada, orders=(ada.orders[0][::-1],))
    assert refusal(log, other.end(log.height, log.tip, 0)) == "false_opening"
    assert refusal(log, ada.end(log.height, bytes(32), 0)) == "other_branch"
    assert log.take(ada.end(log.height, log.tip, 0)).status == "taken"
    assert log.take(ada.end(log.height, log.tip, 1)).status == "ignored"


# Votes


def test_certificates_that_are_none() -> None:
    table, log = at_first(persons=4)
    owner = table.sealing.owners[log.game.turn]
    others = [person for person in table.people if person.person != owner]
    default = log.default()
    assert refusal(log, default) == "too_few_votes"
    assert refusal(log, table.people[owner].missing(1, log.tip)) == "own_step"
    for _ in range(3):
        log.take(others[0].missing(1, log.tip))
        log.take(others[1].missing(1, bytes(32)))
    log.take(others[1].missing(1, log.tip))
    assert refusal(log, default) == "too_few_votes"
    assert log.take(others[2].missing(1, log.tip)).status == "taken"
    assert log.take(default).status == "taken"
    assert len(log.certificate(log.entries[0].said)) == 3


def test_no_votes_at_two() -> None:
    table = SealedTable(1, owned=((0, 2), (1, 3)))
    log = SealedLog(table.dealt())
    for person in table.people:
        log.take(person.missing(1, log.tip))
    assert refusal(log, log.default()) == "no_votes_at_two"
    assert log.locked == 0


def test_votes_that_are_too_many_or_too_far() -> None:
    table = SealedTable(1)
    log = played(table, Random(1), asks("?"))
    owner = table.sealing.owners[log.game.turn]
    voter = table.people[(owner + 1) % 3]
    n = log.height + 1
    codes = [log.take(voter.missing(n, bytes([i]) * 32)).code for i in range(3)]
    assert codes == ["", "", "too_many_votes"]
    assert log.take(voter.missing(n + 1, bytes(32))).code == "vote_out_of_range"
    log = played(table, Random(1), lambda log: log.height == 12)
    assert log.take(voter.missing(3, bytes(32))).code == "vote_out_of_range"


def test_who_has_voted_missing_takes_the_answer_with_others_who_saw_it() -> None:
    table = SealedTable(1)
    owner = table.sealing.owners[table.dealt().deal.first]
    me, other = (person for person in table.people if person.person != owner)
    log = SealedLog(table.dealt(), me.person)
    answer, prev = table.answer(log, Random(1)), log.tip
    relay = SealedLog(table.dealt())
    relay.take(answer)
    log.take(me.missing(1, prev))
    assert log.take(answer)[:2] == ("held", "voted_missing")
    assert log.take(other.seen(1, prev, relay.tip)).status == "taken"
    assert (log.tip, log.locked) == (relay.tip, 1)


def test_quorums_leave_no_room_for_two() -> None:
    """No step can be both locked and made a default unless somebody votes twice."""
    for persons, quorum in QUORUM.items():
        seers = persons - quorum
        everybody = range(persons)
        for author in everybody:
            others = [person for person in everybody if person != author]
            for seen in combinations(others, seers):
                assert all(set(seen) & set(missing) for missing in combinations(others, quorum))
            # And whoever is left when a vote is possible can lock what they have.
            for there in combinations(everybody, quorum):
                for me in there:
                    assert len({*there, me} - {author}) >= seers or me == author


# Two logs


def forked(persons: int) -> tuple[SealedTable, SealedLog, SealedLog, Parcel]:
    """Return two logs of one table: an answer that one holder has, and a default in its place."""
    table = SealedTable(1, persons)
    other = played(table, Random(1), lambda log: log.height == 4)
    mine = twin(other, (table.sealing.owners[other.game.turn] + 1) % persons)
    answer = table.answer(mine, Random(1))
    assert mine.take(answer).status == "taken"
    return table, mine, other, answer


def parcels_of(log: SealedLog) -> list[Parcel]:
    return [
        parcel for entry in log.entries for parcel in (*log.certificate(entry.said), entry.parcel)
    ]


def test_at_five_an_answer_that_one_had_is_undone_by_a_certificate() -> None:
    table, mine, other, answer = forked(5)
    owner = table.sealing.owners[other.game.turn]
    voters = [person for person in table.people if person.person not in (owner, mine.me)]
    for voter in voters:
        other.take(voter.missing(5, other.tip))
    other.take(other.default())
    rng = Random(3)
    while other.height < 9:
        assert other.take(table.answer(other, rng)).status == "taken"
    assert mine.locked < 5
    # Mine is the longer one, which decides nothing.
    assert take_all(mine, parcels_of(other)) == set()
    assert (mine.tip, mine.frozen) == (other.tip, "")
    # The author's answer is kept as news; the same person's second would be a fork.
    assert mine.late == {5: answer}
    assert mine.take(answer).status == "ignored"
    assert mine.tip == other.tip
    assert take_all(other, [*parcels_of(other)[:4], answer]) == {"late"}


def test_a_default_without_its_votes_undoes_nothing() -> None:
    table, mine, other, answer = forked(5)
    owner = table.sealing.owners[other.game.turn]
    voters = [person for person in table.people if person.person not in (owner, mine.me)]
    votes = [voter.missing(5, other.tip) for voter in voters]
    take_all(other, votes)
    default = other.default()
    assert take_all(mine, [*votes[1:], default]) == {"other_branch"}
    assert mine.entries[4].parcel == answer
    # Restarted with what it keeps, the log goes back as it does now.
    assert take_all(mine, [votes[0], default]) == set()
    again = SealedLog(mine.dealing, mine.me)
    take_all(again, mine.journal)
    for log in (mine, again):
        assert (log.entries[4].parcel, log.late) == (default, {5: answer})


def test_who_keeps_a_default_keeps_it() -> None:
    table, mine, other, _ = forked(5)
    owner = table.sealing.owners[other.game.turn]
    for voter in [person for person in table.people if person.person not in (owner, mine.me)]:
        other.take(voter.missing(5, other.tip))
    other.take(other.default())
    tip = other.tip
    assert take_all(other, parcels_of(mine)) == {"late"}
    assert (other.tip, other.frozen) == (tip, "")
    # But nobody can have voted that the answer is missing, and then go on from it.
    rng = Random(2)
    while mine.height < 8:
        mine.take(table.answer(mine, rng))
    take_all(other, parcels_of(mine))
    assert (other.tip, other.frozen) == (tip, "contradiction")
    went_on = {entry.author for entry in mine.entries[5:]} - {mine.me, owner}
    assert other.contradicted == went_on
    # Whoever has either log is told what stops it.
    for log in (twin(other), twin(mine)):
        take_all(log, other.lacking(log.height, log.tip))
        assert (log.frozen, log.contradicted) == ("contradiction", went_on)


def test_a_default_that_follows_nothing_hides_no_fork() -> None:
    table, mine, _, answer = forked(3)
    said = mine.entries[4].said
    astray = EntryBody(said.gid, 5, bytes(32), said.seat, "default", ())
    author = table.people[mine.entries[4].author or 0]
    second = author.act(5, said.prev, said.seat, "0<" if "0>" in said.content else "0>")
    assert second != answer
    take_all(mine, [Parcel(pack(astray)), second])
    assert mine.frozen == "two_contents"


def contradicted(explicit: bool) -> tuple[SealedTable, SealedLog, set[int], int]:
    """Return a log of three after a certificate for a locked step; who signed that, who has it."""
    table, mine, other, _ = forked(3)
    owner = table.sealing.owners[other.game.turn]
    assert mine.me is not None
    rewriter = next(person for person in table.people if person.person not in (owner, mine.me))
    assert mine.locked == 5
    prev = other.tip
    if explicit:
        mine.take(table.people[mine.me].seen(5, prev, mine.tip))
    rng = Random(4)
    while not any(entry.author == rewriter.person for entry in mine.entries[5:]):
        assert mine.take(table.answer(mine, rng)).status == "taken"
    votes = [rewriter.missing(5, prev)]
    me = table.people[mine.me]
    for vote in (*votes, me.missing(5, prev)):
        other.take(vote)
    assert other.take(other.default()).status == "taken"
    height = mine.height
    take_all(mine, parcels_of(other))
    assert mine.height == height
    return table, mine, {rewriter.person, me.person}, me.person


def test_a_certificate_for_a_locked_step_freezes_and_names_who_signed_both() -> None:
    _, log, rewriters, _ = contradicted(explicit=False)
    assert (log.frozen, log.contradicted, log.cheated) == ("contradiction", rewriters, set())
    assert {log.verdict(seat) for seat in range(3)} == {"unfinished"}


def test_who_went_on_because_others_saw_it_is_not_named() -> None:
    table, log, rewriters, waverer = contradicted(explicit=True)
    assert (log.frozen, log.cheated, log.contradicted) == ("two_votes", {waverer}, set())
    # Also if what clears them comes later.
    table, log, rewriters, waverer = contradicted(explicit=False)
    assert log.contradicted == rewriters
    seen = table.people[waverer].seen(5, log.entries[4].said.prev, log.entries[4].tip)
    assert log.take(seen).code == "two_votes"
    assert (log.frozen, log.cheated, log.contradicted) == ("two_votes", {waverer}, set())


def test_an_author_alone_locks_nothing() -> None:
    table = SealedTable(1)
    log = played(
        table,
        Random(1),
        lambda log: log.height > 1 and log.entries[-1].author == log.entries[-2].author,
    )
    assert log.locked == log.height - 2
    holder = next(
        person.person for person in table.people if person.person != log.entries[-1].author
    )
    assert twin(log, holder).locked == log.height


def test_a_vote_of_the_owner_does_not_count_after_going_back() -> None:
    table, mine, other, _ = forked(5)
    owner = table.sealing.owners[other.game.turn]
    for voter in [person for person in table.people if person.person not in (owner, mine.me)]:
        other.take(voter.missing(5, other.tip))
    other.take(other.default())
    due = other.due
    assert due is not None
    early = table.owner(due.seat).missing(6, other.tip)
    assert other.take(early).code == "own_step"
    assert mine.take(early).status == "taken"
    take_all(mine, parcels_of(other))
    assert mine.tip == other.tip
    others = [person for person in table.people if person is not table.owner(due.seat)]
    for voter in others[:2]:
        mine.take(voter.missing(6, mine.tip))
    assert mine.take(mine.default()).code == "too_few_votes"
