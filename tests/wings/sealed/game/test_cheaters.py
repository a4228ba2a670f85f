"""Tests cheaters at a sealed table: each is caught and named to everybody, and play continues.

Each cheater sends parcels that their own program would not sign. In some tests the host cheats.
"""

import asyncio
import dataclasses
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import CARDS
from engine.events import GameEnded
from netcode.client.history_writer import HistoryWriter
from netcode.limits import MAXIMUM_STRIKES
from netcode.protocol.fields import Message
from netcode.protocol.messages import EndGame
from netcode.storage.history import Filter, History
from netcode.wings.sealed.game.cheat_proofs import make_proof
from netcode.wings.sealed.game.encoding import (
    DealBody,
    EntryBody,
    SealBody,
    SealingBody,
    pack,
    unpack,
)
from netcode.wings.sealed.game.game_log import MAXIMUM_AHEAD, SealedLog
from netcode.wings.sealed.game.parcels import Parcel, public_key, signed_parcel
from netcode.wings.sealed.game.proven_record import read_seal, verify_record
from netcode.wings.sealed.game.sealed_person import PersonSecrets, SealedPerson
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.messages import Sealed
from netcode.wings.sealed.news import Notice, SealedRecord
from tests.wings.sealed.sealed_world import SealedWorld, Someone, dealt

ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the curve's group."""

Until = Callable[[SealedLog, int], bool]


def begun(seed: int = 1) -> tuple[SealedWorld, Someone, list[Someone]]:
    """Return a world of three persons, the one who cheats, and the two others."""
    world = dealt(seed=seed)
    return world, world.people[1], world.people[::2]


def entry(cheat: Someone, what: str, *content: object, **changes: object) -> Parcel:
    """Return a cheater's entry for the due step."""
    log = cheat.world.log
    said = EntryBody(log.sealing.gid, log.height + 1, log.tip, cheat.seat or 0, what, content)
    return signed_parcel(cheat.own.key, replace(said, **changes))


def is_due(log: SealedLog, seat: int, question: str) -> bool:
    due = log.due
    return (
        due is not None
        and due.opening is None
        and (due.seat, log.game.question) == (seat, question)
    )


def may_place(log: SealedLog, seat: int) -> bool:
    return is_due(log, seat, "*") and log.height > 5


def may_reveal(log: SealedLog, seat: int) -> bool:
    return is_due(log, seat, "?")


def must_open(log: SealedLog, seat: int) -> bool:
    return log.due is not None and log.due.opening is not None and log.due.seat == seat


def owes(log: SealedLog, seat: int) -> bool:
    return must_open(log, seat) and log.due is not None and not log.due.struck


def top(cheat: Someone) -> int:
    game = cheat.world.log.game
    return int(game.queue[game.at][1])


def set_aside(cheat: Someone) -> Parcel:
    return entry(cheat, "act", f"{cheat.world.log.dealing.aside(1)[0]}>")


def placed_twice(cheat: Someone) -> Parcel:
    game = cheat.world.log.game
    spent = next(str(leaf) for leaf in range(10) if str(leaf) not in game.hands[1] + game.aside[1])
    return entry(cheat, "act", f"{spent}>")


def another_card(cheat: Someone) -> Parcel:
    leaf, card, salt = cheat.own.opening(1, top(cheat))
    return entry(cheat, "reveal", leaf, CARDS[(CARDS.index(card) + 1) % 10], salt)


def another_salt(cheat: Someone) -> Parcel:
    return entry(cheat, "reveal", *cheat.own.opening(1, top(cheat))[:2], bytes(32))


def another_leaf(cheat: Someone) -> Parcel:
    return entry(cheat, "reveal", *cheat.own.opening(1, (top(cheat) + 1) % 10))


def copied(cheat: Someone) -> Parcel:
    return entry(cheat, "reveal", *cheat.world.people[0].own.opening(0, top(cheat)))


def not_due(cheat: Someone) -> Parcel:
    return entry(cheat, "open", *cheat.own.opening(1, 3))


def spare(cheat: Someone) -> Parcel:
    due = cheat.world.log.due
    assert due is not None
    assert due.opening is not None
    return entry(cheat, "open", *cheat.own.opening(1, (due.opening[1] + 1) % 10))


SPENT: dict[str, tuple[Until, Callable[[Someone], Parcel], str]] = {
    "plays what was set aside": (may_place, set_aside, "illegal"),
    "plays a card twice": (may_place, placed_twice, "illegal"),
    "plays nonsense": (may_reveal, lambda bob: entry(bob, "act", "x9"), "illegal"),
    "reveals another card": (may_reveal, another_card, "false_opening"),
    "reveals with another salt": (may_reveal, another_salt, "false_opening"),
    "reveals the card of another": (may_reveal, copied, "false_opening"),
    "reveals another leaf": (may_reveal, another_leaf, "wrong_leaf"),
    "reveals by an act": (may_reveal, lambda bob: entry(bob, "act", "!"), "illegal"),
    "opens what is not due": (may_reveal, not_due, "no_opening_due"),
    "opens a spare card": (must_open, spare, "wrong_leaf"),
    "acts while a card is struck": (must_open, lambda bob: entry(bob, "act", "+"), "opening_due"),
}


@pytest.mark.parametrize("cheat", SPENT)
def test_a_step_that_was_cheated_at_is_spent_and_the_others_go_on(cheat: str) -> None:
    until, make, code = SPENT[cheat]
    world, bob, others = begun()
    world.hold(bob, until)
    said, height = make(bob), world.height
    bob.cheat(said)
    assert bob.refusals == [code]
    for one in others:
        assert (code, "Bob") in one.codes
        assert one.news.is_vote_wanted or one.news.vote_about is None
    assert world.height == height
    assert (1 in world.log.cheated) == (code == "false_opening")
    # The notice comes once, and the journal stores the proof.
    kept = world.parcels
    assert kept.count(said) == 1
    bob.cheat(said, said)
    assert world.parcels == kept
    world.restart()
    assert (1 in world.log.cheated) == (code == "false_opening")


@pytest.mark.parametrize("cheat", ["plays a card twice", "reveals another card"])
def test_who_cheated_and_is_gone_is_the_last_of_a_game_that_ends(cheat: str) -> None:
    until, make, code = SPENT[cheat]
    world, bob, others = begun()
    world.hold(bob, until)
    bob.cheat(make(bob))
    bob.go()
    world.play()
    for one in others:
        codes = {code for code, _ in one.codes} - {code, "late_answer"}
        assert codes
        assert codes <= {"voted_default", "struck_unopened"}
        assert one.news.verdicts[::2] == ("proven",) * 2
        assert one.news.verdicts[1] == ("cheated" if code == "false_opening" else "unproven")
        assert place_of(one, "Bob") == 3


def place_of(one: Someone, name: str) -> int:
    """Return a person's place in the only game."""
    return next(each.places for each in one.lobby.evening.standings if each.name == name)


def second_way(cheat: Someone) -> Parcel:
    body, signature = entry(cheat, "act", "+")
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    return Parcel(body, signature[:32] + scalar.to_bytes(32, "little"))


def of_nothing(cheat: Someone) -> Parcel:
    return Parcel(pack(replace(unpack(entry(cheat, "default").body), seat=1)))


def far_away(cheat: Someone) -> Parcel:
    return cheat.own.missing(cheat.world.height + 9, bytes(32))


def in_place_of_step(cheat: Someone) -> Parcel:
    return cheat.own.missing(cheat.world.height + 1, cheat.world.log.tip)


def opened(card: str) -> Callable[[Someone], Parcel]:
    return lambda bob: entry(bob, "reveal", top(bob), card, bytes(32))


REFUSED: dict[str, tuple[Callable[[Someone], Parcel], str, tuple[str, str] | None]] = {
    "signs for another": (
        lambda bob: entry(bob, "act", "+", seat=0),
        "bad_signature",
        ("bad_signature", ""),
    ),
    "signs a second way": (second_way, "bad_signature", ("bad_signature", "")),
    "opens a card of no name": (opened(""), "malformed", ("malformed", "")),
    "opens two cards at once": (opened("SP"), "malformed", ("malformed", "")),
    "makes a default of nothing": (of_nothing, "too_few_votes", ("too_few_votes", "")),
    "brings another game": (
        lambda bob: entry(bob, "act", "+", gid=bytes(32)),
        "other_game",
        None,
    ),
    "is a step ahead": (lambda bob: entry(bob, "act", "+", n=bob.world.height + 2), "", None),
    "votes on their own step": (in_place_of_step, "own_step", ("own_step", "Bob")),
    "votes about what is far away": (far_away, "vote_out_of_range", None),
    "sends a proof": (
        lambda bob: make_proof("two_votes", in_place_of_step(bob), far_away(bob)),
        "malformed",
        ("bad_proof", ""),
    ),
}
"""For each cheat, the parcel, the host's refusal, and the notices to others if the host forwards
it.
"""


@pytest.mark.parametrize("cheat", REFUSED)
def test_what_is_no_step_at_all_changes_nothing_and_is_passed_on_to_nobody(cheat: str) -> None:
    make, code, codes = REFUSED[cheat]
    world, bob, others = begun()
    world.hold(bob, may_reveal)
    said, height, kept = make(bob), world.height, len(world.kept)
    bob.cheat(said)
    assert bob.refusals == ([code] if code else [])
    assert [one.codes for one in others] == [[], []]
    # The program does not trust a host that forwards the parcel.
    world.colludes = True
    bob.cheat(said)
    bob.cheat(said)
    assert [one.codes for one in others] == [[codes] if codes else []] * 2
    assert (len(world.kept), world.height) == (kept, height)
    world.colludes = False
    world.release()
    world.play_to(height + 4)
    for one in world.people:
        assert not one.log.cheated
        assert one.log.tip == world.log.tip


def forked(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "+"), entry(cheat, "open", 1, "A", bytes(32))]


def second_thought(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "x9"), entry(cheat, "act", "+")]


def wavering(cheat: Someone) -> list[Parcel]:
    last = cheat.world.log.entries[-1]
    own, n = cheat.own, cheat.world.height
    return [own.missing(n, last.decoded.prev), own.seen(n, last.decoded.prev, last.tip)]


@pytest.mark.parametrize(
    ("cheated", "code"),
    [(forked, "two_contents"), (second_thought, "two_contents"), (wavering, "two_votes")],
)
def test_who_signs_two_things_ends_the_game_under_their_name(
    tmp_path: Path, cheated: Callable[[Someone], list[Parcel]], code: str
) -> None:
    world, bob, others = begun()
    world.hold(
        bob, lambda log, seat: may_reveal(log, seat) and log.entries[-1].author not in (None, seat)
    )
    bob.cheat(*cheated(bob))
    assert bob.refusals[-1] == code
    height = world.height
    for one in others:
        assert (code, "Bob") in one.codes
        assert (one.news.stage, one.news.verdicts) == (
            "frozen",
            ("unfinished", "cheated", "unfinished"),
        )
        one.answer()
        path = tmp_path / f"{one.seat}.db"
        asyncio.run(keep(one, path))
        with History.open(path) as history:
            (game,) = history.games(Filter(outcome="cheated"))
            (line,) = history.export_all()
            assert game.own == (one.seat,)
            assert history.import_lines(StringIO(line)).known == 1
        assert verify_record(line).convictions == [(code, 1)]
    world.flow()
    assert world.height == height
    world.restart()
    assert (world.log.frozen, world.log.cheated) == (code, {1})
    world.people[0].send_as_player(EndGame())
    world.flow()
    assert others[1].lobby.phase == "lobby"


async def keep(one: Someone, path: Path) -> None:
    """Let a person's client store its knowledge of the game."""
    assert one.session.record is not None
    history = HistoryWriter("joined", _path=path)
    history.see(one.session, SealedRecord(one.session.revision, one.session.record.to_json()))
    await history.settled()


def other_nonce(cheat: Someone) -> list[Parcel]:
    seals = cheat.world.game._dealing.seals_digest
    return [signed_parcel(cheat.own.key, DealBody(cheat.own.gid, 1, seals, bytes(32)))]


def two_nonces(cheat: Someone) -> list[Parcel]:
    return [cheat.own.deal(cheat.world.game._dealing.seals_digest), *other_nonce(cheat)]


def two_seals(cheat: Someone) -> list[Parcel]:
    said = unpack(cheat.own.seal().body)
    assert isinstance(said, SealBody)
    return [signed_parcel(cheat.own.key, replace(said, nonce_commit=bytes(32)))]


def is_deal(_: Someone, parcel: Parcel) -> bool:
    return isinstance(unpack(parcel.body), DealBody)


def nothing(_: Someone, __: Parcel) -> bool:
    return False


@pytest.mark.parametrize(
    ("cheated", "code"),
    [(other_nonce, "wrong_nonce"), (two_nonces, "two_deals"), (two_seals, "two_seals")],
)
def test_who_cheats_at_the_deal_stops_it_under_their_name(
    cheated: Callable[[Someone], list[Parcel]], code: str
) -> None:
    world = SealedWorld()
    bob, others = world.people[1], world.people[::2]
    world.lose = is_deal
    world.seal()
    world.lose = nothing
    bob.cheat(*cheated(bob))
    for one in others:
        assert (one.news.stage, one.codes) == ("frozen", [(code, "Bob")])
        assert one.news.digits is None
        one.restart()
    world.restart()
    for one in others:
        assert one.news.stage == "frozen"
        assert one.lobby.dealing is not None
    world.people[0].send_as_player(EndGame())
    world.seal()
    world.play()
    assert world.phase == "result"


@pytest.mark.parametrize("where", ["in play", "at the end"])
def test_a_family_with_a_card_twice_is_found_out(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = "AAAAAAAAAA" if where == "in play" else "ASPHFLXDMM"
    doubled(monkeypatch, order)
    world = SealedWorld()
    bob, others = world.people[1], world.people[::2]
    bob.is_blind = True
    world.seal()
    world.play(lambda: world.phase == "result" and all(one.is_over for one in others))
    world.flow()
    for one in others:
        assert one.news.verdicts == ("proven", "cheated", "proven")
        assert ("card_twice", "Bob") in one.codes
        events = one.session.events
        assert isinstance(events[-1], GameEnded)
        assert 1 not in events[-1].winners
        assert place_of(one, "Bob") == 3


def doubled(monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    """Let Bob's program seal cards in this order, and sign parcels that its own log refuses."""
    drawn = PersonSecrets.drawn.__func__  # type: ignore[attr-defined]

    def draw(cls: type, rng: Random, key: bytes, sealing: Sealing, person: int) -> PersonSecrets:
        own: PersonSecrets = drawn(cls, rng, key, sealing, person)
        return dataclasses.replace(own, orders=(order,)) if person == 1 else own

    said: set[Parcel] = set()

    def sign(self: SealedPerson, log: SealedLog, parcel: Parcel) -> bool:
        if parcel in said:
            return False
        said.add(parcel)
        log.take(parcel)
        self._send += [*log.votes_on(log.height).values(), parcel]
        return True

    monkeypatch.setattr(PersonSecrets, "drawn", classmethod(draw))
    # An honest program signs nothing that its own log refuses.
    monkeypatch.setattr(SealedPerson, "_sign", sign)


def test_who_does_not_open_what_was_struck_may_not_go_on() -> None:
    world, bob, others = begun(seed=2)
    world.hold(bob, must_open)
    struck = world.height + 1
    world.play(lambda: world.height > struck and owes(world.log, 1))
    bob.cheat(entry(bob, "act", "+"))
    for one in others:
        # Ignore the notice "program_silent": Bob's program does not know the last step.
        codes = [each for each in one.codes if each[0] != "program_silent"]
        assert codes[0] == ("struck_unopened", "Bob")
        assert codes[-1] == ("opening_owed", "Bob")
    world.play(lambda: world.height > struck + 9)
    world.release()
    world.play()
    assert others[0].news.verdicts == ("proven",) * 3


def test_who_floods_is_not_listened_to_for_long() -> None:
    world, bob, _ = begun()
    world.hold(bob, may_reveal)
    kept = len(world.kept)
    bob.cheat(*(entry(bob, "act", "+", n=world.height + 2 + ahead) for ahead in range(40)))
    assert len(world.kept) == kept
    assert "gap" not in bob.refusals
    assert len(world.log._withheld) <= MAXIMUM_AHEAD
    world.silent_one = None
    bob.cheat(*[Parcel(entry(bob, "act", "+").body, bytes(64))] * 20)
    assert bob.connection is not None
    assert world.strikes[bob.connection] >= MAXIMUM_STRIKES


# Cheating hosts


def test_a_reveal_that_a_host_holds_back_is_shown_to_all_as_soon_as_it_can_be() -> None:
    world, bob, others = begun()
    withheld: list[Parcel] = []

    def hold(whose: Someone, parcel: Parcel) -> bool:
        said = unpack(parcel.body)
        if whose is bob and isinstance(said, EntryBody) and said.what == "reveal":
            withheld.append(parcel)
            return True
        return False

    world.lose = hold
    world.play(lambda: bool(withheld))
    step = world.height + 1
    bob.go()
    # Only the host knows these parcels.
    world.play(lambda: world.height == step)
    world.flow()
    assert world.log.entries[-1].author is None
    assert ("withheld", "Bob") not in others[1].codes
    world.lose = nothing
    bob.come()
    world.flow()
    for one in world.people:
        notice = next((each for each in one.news.notices if each.code == "withheld"), None)
        assert notice == Notice(code="withheld", name="Bob", values={"n": step, "names": ("Ada",)})
        assert one.log.late == {step: withheld[0]}
    world.play()
    for one in world.people:
        assert one.session.record is not None
        assert read_seal(one.session.record.seal or "").late == {step: withheld[0]}
        assert one.news.verdicts == ("proven",) * 3


def test_different_seals_for_different_people_are_noticed_by_all() -> None:
    """The host sends Ada another seal of Bob's; their programs compare their seals."""
    world = SealedWorld()
    ada, bob, cem = world.people
    world.lose = is_deal

    def lie(whose: Someone, message: Message) -> Message:
        if whose is not ada or not isinstance(message, Sealed):
            return message
        bobs = {bob.own.seal(): two_seals(bob)[0]} if bob.play.person else {}
        return Sealed(tuple(bobs.get(Parcel(*each), each) for each in message.parcels))

    world.twist = lie
    world.seal()
    world.lose = nothing
    for one in world.people:
        one.go()
        one.come()
    world.flow()
    for one in (ada, cem):
        assert one.news.stage == "frozen"
        assert ("two_seals", "Bob") in one.codes


Lie = Callable[[SealingBody], SealingBody]


def with_bobs_key(key: Callable[[SealingBody], bytes]) -> Lie:
    return lambda said: replace(
        said,
        persons=(said.persons[0], replace(said.persons[1], key=key(said)), *said.persons[2:]),
    )


SEALINGS: dict[str, tuple[Lie, str]] = {
    "another key": (with_bobs_key(lambda _: public_key(bytes(32))), "not_my_seats"),
    "a key twice": (with_bobs_key(lambda said: said.persons[0].key), "equal_keys"),
    "a weak key": (with_bobs_key(lambda _: bytes(32)), "weak_key"),
    "another name": (
        lambda said: replace(
            said, seats=(said.seats[0], replace(said.seats[1], name="Bot"), said.seats[2])
        ),
        "other_table",
    ),
    "another first": (lambda said: replace(said, first=2), "wrong_first"),
    "another edition": (
        lambda said: replace(
            said,
            settings=tuple((name, 1 if name == "edition" else it) for name, it in said.settings),
        ),
        "other_table",
    ),
}


@pytest.mark.parametrize("lie", SEALINGS)
def test_nobody_seals_what_is_not_as_they_know_it(lie: str) -> None:
    world = SealedWorld()
    change, code = SEALINGS[lie]

    def altered(_: Someone, message: Message) -> Message:
        said = unpack(message.parcels[0][0]) if isinstance(message, Sealed) else None
        if isinstance(said, SealingBody):
            return Sealed(((pack(change(said)), b""),))
        return message

    world.twist = altered
    world.seal()
    bob = world.people[1]
    assert bob.codes == [(code, "")]
    assert bob.news.stage == "sealing"
    assert len(world.game._dealing.seals) < 3


def test_a_key_seals_once() -> None:
    world = SealedWorld()
    world.lose = lambda whose, parcel: True
    world.seal()
    bob = world.people[1]
    first, said = bob.person, len(bob.sent)
    sealing = unpack(world.game.sealing.body)
    assert isinstance(sealing, SealingBody)
    second = Sealed(((pack(replace(sealing, game=2)), b""),))
    bob.receive(second)
    assert bob.person is first
    assert len(bob.sent) == said
    # After a restart, the host sends only the second sealing.
    bob.go()
    bob.restart()
    world.twist = lambda whose, message: second if isinstance(message, Sealed) else message
    bob.come()
    world.flow()
    sent = [Parcel(*each) for one in bob.sent for each in getattr(one, "parcels", ())]
    assert {unpack(parcel.body).gid for parcel in sent} <= {world.game.sealing.gid}  # type: ignore[union-attr]
    assert ("sealed_already", "") in bob.codes


def test_a_program_whose_disk_has_forgotten_takes_its_own_step_back_first() -> None:
    """An honest program signs nothing new for the step that its log has lost."""
    world, bob, _ = begun()
    world.play(lambda: world.height > 3)
    before = len(bob.disk.records)
    world.play_to(world.height + 6)
    bob.go()
    bob.restart()
    bob.disk.forget_after(before)
    bob.come()
    world.flow()
    world.play()
    assert {one.news.verdicts for one in world.people} == {("proven",) * 3}
    assert not world.log.proofs
