"""Cheaters at a sealed table: each is caught by a check, told by name, and the table goes on.

Each is a client whose parcels are not what its own program would have signed.
"""

import asyncio
import dataclasses
import sqlite3
from collections.abc import Callable
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine.cards import CARDS
from engine.events import GameEnded
from netcode.client.client_history import ClientHistory
from netcode.client.sealed_news import Notice, SealedRecord
from netcode.client.sealed_play import TICK_S
from netcode.protocol.messages import LogAt, Sealed
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import DealBody, EntryBody, SealBody, SealingBody, pack, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel, public_key, signed
from netcode.sealed.proof_file import read_seal, verified
from netcode.sealed.sealed_person import DealtPerson, PersonSecrets
from netcode.sealed.sealing import Sealing
from netcode.storage.history import Filter, History
from tests.netcode.client.sealed_company import Company, Someone
from tests.support.own_logs import records_of

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group of the curve."""


def entry(cheat: Someone, what: str, *content: object, **changes: object) -> Parcel:
    """Return what a cheater signs for the step that is due."""
    log = cheat.company.log
    said = EntryBody(log.sealing.gid, log.height + 1, log.tip, cheat.seat or 0, what, content)
    return signed(cheat.own.key, replace(said, **changes))


def is_asked(log: SealedLog, seat: int, question: str) -> bool:
    due = log.due
    return (
        due is not None and due.opening is None and (due.seat, log.game.asked) == (seat, question)
    )


def may_place(log: SealedLog, seat: int) -> bool:
    return is_asked(log, seat, "*")


def may_reveal(log: SealedLog, seat: int) -> bool:
    return is_asked(log, seat, "?")


def must_open(log: SealedLog, seat: int) -> bool:
    return log.due is not None and log.due.opening is not None and log.due.seat == seat


def owes(log: SealedLog, seat: int) -> bool:
    return must_open(log, seat) and log.due is not None and not log.due.struck


def top(cheat: Someone) -> int:
    game = cheat.company.log.game
    return int(game.queue[game.at][1])


def aside(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", f"{cheat.company.log.dealing.aside(cheat.seat or 0)[0]}>")]


def twice(cheat: Someone) -> list[Parcel]:
    game = cheat.company.log.game
    spent = next(str(leaf) for leaf in range(10) if str(leaf) not in game.hands[1] + game.aside[1])
    return [entry(cheat, "act", f"{spent}>")]


def renamed(cheat: Someone) -> list[Parcel]:
    leaf, card, salt = cheat.own.opening(1, top(cheat))
    other = CARDS[(CARDS.index(card) + 1) % 10]
    return [entry(cheat, "reveal", leaf, other, salt)]


def copied(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "reveal", *cheat.company.people[0].own.opening(0, top(cheat)))]


def chatter(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "open", *cheat.own.opening(1, 3))]


def spare(cheat: Someone) -> list[Parcel]:
    due = cheat.company.log.due
    assert due is not None
    assert due.opening is not None
    return [entry(cheat, "open", *cheat.own.opening(1, (due.opening[1] + 1) % 10))]


def rushed(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "+")]


def silly(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "x9")]


SPENT: dict[str, tuple[Callable[[SealedLog, int], bool], Callable[[Someone], list[Parcel]], str]]
SPENT = {
    "AsidePlayer": (may_place, aside, "illegal"),
    "TwicePlayer": (lambda log, seat: may_place(log, seat) and log.height > 5, twice, "illegal"),
    "Renamer": (may_reveal, renamed, "false_opening"),
    "Copycat": (may_reveal, copied, "false_opening"),
    "Chatterbox": (may_reveal, chatter, "no_opening_due"),
    "SpareAmbush": (must_open, spare, "wrong_leaf"),
    "Rusher": (must_open, rushed, "opening_due"),
    "Nonsense": (may_reveal, silly, "illegal"),
}


@pytest.mark.parametrize("name", SPENT)
def test_a_step_that_was_cheated_at_is_spent_and_the_others_go_on(
    tmp_path: Path, name: str
) -> None:
    until, cheated, code = SPENT[name]
    company = Company(tmp_path)
    company.seal()
    bob = company.people[1]
    company.hold(bob, until)
    assert until(company.log, 1)
    bob.cheat(*cheated(bob))
    others = [company.people[0], company.people[2]]
    for one in others:
        assert (code, "Bob") in one.codes
        assert one.news.is_vote_wanted or one.news.vote_about is None
    height = company.log.height
    company.play(lambda: company.log.height > height)
    company.release()
    height = company.log.height
    company.play(lambda: company.log.height > height + 3 and name != "Renamer")
    for one in others:
        assert one.news.verdicts in ((), ("proven", "cheated", "proven"))
        told = {code for code, _ in one.codes} - {code, "late_answer"}
        assert told in ({"voted_default"}, {"struck_unopened"})


def test_a_copy_that_is_handed_out_again_and_again_is_compared_once_a_second(
    tmp_path: Path,
) -> None:
    company = Company(tmp_path)
    company.seal()
    ada, _, cem = company.people
    company.play(lambda: company.log.height > 4 and is_asked(company.log, 0, "*"))
    stale = entry(cem, "act", "+")
    cem.cheat(stale)
    height = company.log.height
    company.play(lambda: company.log.height > height)
    copies = [Sealed(((stale.body, stale.signature),))] * 20

    def asked() -> int:
        said = []
        for copy in copies:
            ada.play.from_host(copy, company.now)
            said.append(ada.play.tick(company.now))
        return sum(isinstance(each, LogAt) for one in said for each in one.sent)

    assert asked() == 1
    company.now += TICK_S
    assert asked() == 1
    # What is behind at another place is compared at once.
    company.play(lambda: company.log.height > height + 3)
    assert asked() == 1


def forged(cheat: Someone) -> Parcel:
    return entry(cheat, "act", "+", seat=0)


def malleable(cheat: Someone) -> Parcel:
    body, signature = entry(cheat, "act", "+")
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    return Parcel(body, signature[:32] + scalar.to_bytes(32, "little"))


def blank(cheat: Someone) -> Parcel:
    return entry(cheat, "reveal", top(cheat), "", bytes(32))


def letters(cheat: Someone) -> Parcel:
    return entry(cheat, "reveal", top(cheat), "SP", bytes(32))


def stuffed(cheat: Someone) -> Parcel:
    said = unpack(entry(cheat, "default").body)
    return Parcel(pack(replace(said, seat=cheat.company.log.game.turn)))


def elsewhere(cheat: Someone) -> Parcel:
    return entry(cheat, "act", "+", gid=bytes(32))


def early(cheat: Someone) -> Parcel:
    return entry(cheat, "act", "+", n=cheat.company.log.height + 2)


def test_what_even_a_host_that_cheats_passes_on_changes_nothing(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.seal()
    bob = company.people[1]
    company.play(lambda: may_reveal(company.log, 1))
    height = company.log.height
    company.relay.colludes = True
    told: list[tuple[str, str]] = []
    for cheated, code in (
        (forged, "bad_signature"),
        (malleable, ""),
        (blank, "malformed"),
        (letters, ""),
        (stuffed, "too_few_votes"),
        (elsewhere, ""),
        (early, ""),
    ):
        bob.cheat(cheated(bob))
        # It is told once, and of nobody: whoever wrote it, the host has sent it.
        told += [(code, "")] if code else []
        assert [one.codes for one in company.people[::2]] == [told, told]
    assert company.log.height == height
    company.relay.colludes = False
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}


def forked(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "+"), entry(cheat, "open", 1, "A", bytes(32))]


def second_thought(cheat: Someone) -> list[Parcel]:
    return [entry(cheat, "act", "x9"), entry(cheat, "act", "+")]


def wavering(cheat: Someone) -> list[Parcel]:
    last = cheat.company.log.entries[-1]
    own, n = cheat.own, cheat.company.log.height
    return [own.missing(n, last.said.prev), own.seen(n, last.said.prev, last.tip)]


@pytest.mark.parametrize(
    ("cheated", "code"),
    [(forked, "two_contents"), (second_thought, "two_contents"), (wavering, "two_votes")],
)
def test_who_signs_two_things_ends_the_game_under_their_name(
    tmp_path: Path, cheated: Callable[[Someone], list[Parcel]], code: str
) -> None:
    company = Company(tmp_path)
    company.seal()
    bob = company.people[1]
    company.hold(
        bob, lambda log, seat: may_reveal(log, seat) and log.entries[-1].author not in (None, seat)
    )
    bob.cheat(*cheated(bob))
    height = company.log.height
    for one in (company.people[0], company.people[2]):
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
        assert verified(line).convictions == [(code, 1)]
    assert company.log.height == height


async def keep(one: Someone, path: Path) -> None:
    """Have somebody's client keep what it was told of the game."""
    assert one.session.record is not None
    history = ClientHistory("joined", _path=path)
    history.see(one.session, SealedRecord(one.session.revision, one.session.record.to_json()))
    await history.settled()


def test_who_does_not_open_what_was_struck_may_not_go_on(tmp_path: Path) -> None:
    company = Company(tmp_path, seed=2)
    company.seal()
    bob = company.people[1]
    company.hold(bob, must_open)
    struck = company.log.height + 1
    company.play(lambda: company.log.height > struck and owes(company.log, 1))
    due = company.log.due
    assert due is not None
    assert due.opening is not None
    assert not due.struck
    bob.cheat(entry(bob, "act", "+"))
    for one in (company.people[0], company.people[2]):
        assert one.codes[0] == ("struck_unopened", "Bob")
        assert one.codes[-1] == ("opening_owed", "Bob")
    company.play(lambda: company.log.height > struck + 9)
    company.release()
    company.play()
    assert company.people[0].news.verdicts == ("proven",) * 3


def test_a_reveal_that_a_host_holds_back_is_shown_to_all_as_soon_as_it_can_be(
    tmp_path: Path,
) -> None:
    company = Company(tmp_path)
    company.seal()
    bob, others = company.people[1], company.people[::2]
    held: list[Parcel] = []

    def hold(whose: Someone, parcel: Parcel) -> bool:
        said = unpack(parcel.body)
        if whose is bob and isinstance(said, EntryBody) and said.what == "reveal":
            held.append(parcel)
            return True
        return False

    company.relay.lose = hold
    company.play(lambda: bool(held))
    step = company.log.height + 1
    bob.is_here = False
    company.relay.tell_lobby()
    # What the host knows by now, nobody else does.
    company.play(lambda: company.log.height == step)
    company.flow()
    assert company.log.entries[-1].author is None
    assert ("held_back", "Bob") not in others[1].codes
    company.relay.lose = lambda whose, parcel: False
    bob.come()
    company.flow()
    for one in company.people:
        told = next((each for each in one.news.notices if each.code == "held_back"), None)
        assert told == Notice(code="held_back", name="Bob", values={"n": step, "names": ("Ada",)})
        assert one.play.person is not None
        assert one.play.person.log is not None
        assert one.play.person.log.late == {step: held[0]}
    company.play()
    for one in company.people:
        assert one.session.record is not None
        assert read_seal(one.session.record.seal or "").late == {step: held[0]}
        assert one.news.verdicts == ("proven",) * 3


@pytest.mark.parametrize("where", ["in play", "at the end"])
def test_a_family_with_a_card_twice_is_found_out(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = "AAAAAAAAAA" if where == "in play" else "ASPHFLXDMM"
    doubled(monkeypatch, order)
    company = Company(tmp_path)
    company.people[1].is_blind = True
    company.seal()
    company.play()
    for one in (company.people[0], company.people[2]):
        assert one.news.verdicts == ("proven", "cheated", "proven")
        assert ("card_twice", "Bob") in one.codes
        events = one.session.events
        assert isinstance(events[-1], GameEnded)
        assert 1 not in events[-1].winners


def doubled(monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    """Have Bob's program choose which cards it has."""
    drawn = PersonSecrets.drawn.__func__  # type: ignore[attr-defined]

    def draw(cls: type, rng: Random, key: bytes, sealing: Sealing, person: int) -> PersonSecrets:
        own: PersonSecrets = drawn(cls, rng, key, sealing, person)
        return dataclasses.replace(own, orders=(order,)) if person == 1 else own

    said: set[Parcel] = set()

    def sign(self: DealtPerson, parcel: Parcel) -> list[Parcel]:
        if parcel in said:
            return []
        said.add(parcel)
        self.log.take(parcel)
        return [*self.log.votes_on(self.log.height).values(), parcel]

    monkeypatch.setattr(PersonSecrets, "drawn", classmethod(draw))
    # An honest program signs nothing that its own log refuses.
    monkeypatch.setattr(DealtPerson, "_sign", sign)


def other_nonce(cheat: Someone) -> list[Parcel]:
    dealing = dealing_of(cheat)
    return [signed(cheat.own.key, DealBody(cheat.own.gid, 1, dealing.seals_digest, bytes(32)))]


def two_nonces(cheat: Someone) -> list[Parcel]:
    return [cheat.own.deal(dealing_of(cheat).seals_digest), *other_nonce(cheat)]


def two_seals(cheat: Someone) -> list[Parcel]:
    said = unpack(cheat.own.seal().body)
    assert isinstance(said, SealBody)
    return [signed(cheat.own.key, replace(said, nonce_commit=bytes(32)))]


def dealing_of(cheat: Someone) -> Dealing:
    dealing = cheat.company.relay.dealing
    assert dealing is not None
    return dealing


@pytest.mark.parametrize(
    ("cheated", "code"),
    [(other_nonce, "wrong_nonce"), (two_nonces, "two_deals"), (two_seals, "two_seals")],
)
def test_who_cheats_at_the_deal_stops_it_under_their_name(
    tmp_path: Path, cheated: Callable[[Someone], list[Parcel]], code: str
) -> None:
    company = Company(tmp_path)
    bob = company.people[1]
    company.relay.lose = lambda whose, parcel: isinstance(unpack(parcel.body), DealBody)
    company.seal()
    company.relay.lose = lambda whose, parcel: False
    bob.cheat(*cheated(bob))
    for one in (company.people[0], company.people[2]):
        assert (one.news.stage, one.codes) == ("frozen", [(code, "Bob")])
        assert one.news.digits is None
    assert company.relay.log is None


def test_different_seals_for_different_people_are_noticed_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host tells Ada another seal of Bob's: their programs show each other what they have."""
    company = Company(tmp_path)
    ada, bob, cem = company.people
    company.relay.lose = lambda whose, parcel: isinstance(unpack(parcel.body), DealBody)
    send = company.relay.send

    def lie(parcels: list[Parcel], people: list[Someone] | None = None) -> None:
        said = [unpack(each.body) for each in parcels]
        is_bobs = [isinstance(each, SealBody) and each.person == 1 for each in said]
        pairs = zip(parcels, is_bobs, strict=True)
        send([two_seals(bob)[0] if his else each for each, his in pairs], [ada])
        send(parcels, [bob, cem])

    monkeypatch.setattr(company.relay, "send", lie)
    company.seal()
    company.relay.lose = lambda whose, parcel: False
    for one in (ada, bob, cem):
        one.go()
        one.come()
    company.flow()
    for one in (ada, cem):
        assert one.news.stage == "frozen"
        assert ("two_seals", "Bob") in one.codes


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ("key", "not_my_seats"),
        ("twin", "equal_keys"),
        ("weak", "weak_key"),
        ("name", "other_table"),
        ("first", "wrong_first"),
        ("settings", "other_table"),
        ("broken", ""),
    ],
)
def test_nobody_seals_what_is_not_as_they_know_it(
    tmp_path: Path, changes: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    company = Company(tmp_path)
    begin = company.relay.sealing_body

    def lie() -> SealingBody:
        said = begin()
        ada, bob, cem = said.persons
        match changes:
            case "key":
                return replace(said, persons=(ada, replace(bob, key=public_key(bytes(32))), cem))
            case "twin":
                return replace(said, persons=(ada, replace(bob, key=ada.key), cem))
            case "weak":
                return replace(said, persons=(ada, replace(bob, key=bytes(32)), cem))
            case "name":
                seats = (said.seats[0], replace(said.seats[1], name="Bot"), said.seats[2])
                return replace(said, seats=seats)
            case "first":
                return replace(said, first=2)
            case "settings":
                settings = tuple(
                    (name, 1 if name == "edition" else value) for name, value in said.settings
                )
                return replace(said, settings=settings)
        return replace(said, broken=(bytes(32),))

    monkeypatch.setattr(company.relay, "sealing_body", lie)
    company.seal()
    bob = company.people[1]
    if code:
        assert bob.codes == [(code, "")]
        assert bob.news.stage == "sealing"
        assert company.relay.dealing is None or not company.relay.dealing.is_sealed
    else:
        # More deals broken off than one knows of are no harm; the number is shown.
        assert bob.news.broken == 1
        company.play()


def test_a_key_seals_once(tmp_path: Path) -> None:
    company = Company(tmp_path)
    company.relay.lose = lambda whose, parcel: True
    company.seal()
    bob, relay = company.people[1], company.relay
    first = bob.play.person
    assert first is not None
    assert relay.sealing is not None
    said = unpack(relay.sealing.body)
    assert isinstance(said, SealingBody)
    relay.sealing = Parcel(pack(replace(said, game=2)))
    relay.send([relay.sealing])
    company.flow()
    assert bob.play.person is first
    assert not bob.up
    # Nor does it after a restart, when the host says that there was no other.
    bob.go()
    bob.restart()
    relay.dealing = Dealing(Sealing(relay.sealing.body))
    sent: list[Parcel] = []
    relay.lose = lambda whose, parcel: bool(sent.append(parcel)) or True  # type: ignore[func-returns-value]
    bob.come()
    company.flow()
    assert {unpack(parcel.body).gid for parcel in sent} <= {first.sealing.gid}  # type: ignore[union-attr]
    assert ("sealed_already", "") in bob.codes


def test_a_program_whose_disk_has_forgotten_takes_its_own_step_back_first(tmp_path: Path) -> None:
    """An honest one: nothing else is signed for the step that the file does not have any more."""
    company = Company(tmp_path)
    company.seal()
    bob = company.people[1]
    company.play(lambda: company.log.height > 3)
    bobs = tmp_path / "1.db"
    before = len(records_of(bobs))
    height = company.log.height
    company.play(lambda: company.log.height > height + 5)
    bob.go()
    bob.restart()
    with closing(sqlite3.connect(bobs)) as database, database:
        database.execute("DELETE FROM sealed_records WHERE id > ?", (before,))
    bob.come()
    company.flow()
    company.play()
    assert {one.news.verdicts for one in company.people} == {("proven",) * 3}
    assert not company.log.proofs
