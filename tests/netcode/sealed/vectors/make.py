"""Makes the vectors by which other programs are held against this one: `python -m` this module."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from msgspec import msgpack
from msgspec.structs import replace as changed

from engine.actions import REVEAL
from engine.position import LEAVE_OR_REVEAL, PLACE
from netcode.sealed.encoding import (
    AddressBody,
    AnyBody,
    EndBody,
    EntryBody,
    LoginBody,
    ProofBody,
    SealBody,
    SealingBody,
    digest,
    draw,
    one_byte,
    pack,
    unpack,
)
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel, is_weak, public_key, signed
from netcode.sealed.proof_file import sealed_record
from netcode.sealed.proofs import leaf_hash, make_proof, nonce_hash
from netcode.sealed.sealed_person import PersonSecrets
from netcode.sealed.six_digits import six_digits
from tests.netcode.sealed.sealed_tables import SealedTable, doubled, hesitant, played, struck
from tests.netcode.sealed.test_signing import WEAK

FOLDER = Path(__file__).parent

Part = list[str]
Case = tuple[str, str, list[Parcel]]
"""Why and with which code the last of these parcels is refused."""


def part(parcel: Parcel) -> Part:
    return [parcel.body.hex(), parcel.signature.hex()]


def seal(parts: list[Part]) -> str:
    """Return the field of a record that has these parts."""
    parcels = [[bytes.fromhex(each) for each in both] for both in parts]
    return b64encode(msgpack.encode(["sealed", parcels])).decode()


def fields(body: bytes) -> Any:
    """Return a body as JSON, with bytes in hexadecimal digits."""

    def shown(value: Any) -> Any:
        if isinstance(value, list):
            return [shown(each) for each in value]
        return {"hex": value.hex()} if isinstance(value, bytes) else value

    return shown(msgpack.decode(body))


def bodies() -> dict[str, Any]:
    """Return hashes, keys and one body of each kind."""
    table = SealedTable(1)
    ada, gid, other = table.people[0], table.sealing.gid, bytes(range(32))
    log = played(table, Random(1), lambda log: log.height == 2)
    said = [Parcel(table.sealing.body), *table.seals[:1], *table.deals()[:1]]
    said += [ada.act(1, other, 0, "3>"), ada.act(2, other, 0, "3^12")]
    said += [ada.open(3, other, 0, 3, "reveal"), ada.open(4, other, 0, 3), log.default()]
    said += [
        ada.missing(5, other),
        ada.seen(5, other, bytes(32)),
        ada.end(70, other, 1_800_000_000),
    ]
    said.append(
        make_proof("two_contents", *(ada.act(1, other, 0, token) for token in ("3>", "4>")))
    )
    said.append(signed(ada.key, LoginBody(gid, 0, other, bytes(32))))
    addresses = ("192.0.2.1:4000", "[2001:db8::1]:4000")
    said.append(signed(ada.key, AddressBody(gid, 0, other, 1_800_000_000, 0, addresses)))
    nonces = {person.person: person.nonce for person in table.people}
    dealing = log.dealing
    return {
        "hashes": [
            {
                "tag": tag,
                "parts": [each.hex() for each in parts],
                "digest": digest(tag, *parts).hex(),
            }
            for tag, parts in [
                ("game", [bytes.fromhex("93010203")]),
                ("nonce", [gid, one_byte(0), ada.nonce]),
                ("leaf", [gid, one_byte(0), one_byte(9), b"M", other]),
                ("sign", [said[3].body]),
                ("entry", [said[3].body]),
            ]
        ],
        "draws": [
            {
                "options": options,
                "tag": "test",
                "part": other.hex(),
                "drawn": draw(options, "test", other),
            }
            for options in (3, 4, 5, 120)
        ],
        "keys": [
            {"key": key, "is_weak": is_weak(bytes.fromhex(key))}
            for key in (*WEAK, *(public_key(key).hex() for key in table.keys))
        ],
        "bodies": [
            {
                "part": part(each),
                "fields": fields(each.body),
                "secret_key": ada.key.hex() if each.signature else None,
            }
            for each in said
        ],
        "deal": {
            "gid": gid.hex(),
            "leaf": leaf_hash(gid, 0, ada.opening(0, 0)).hex(),
            "opening": [0, ada.opening(0, 0)[1], ada.opening(0, 0)[2].hex()],
            "nonces": {str(person): nonce.hex() for person, nonce in nonces.items()},
            "commitment": nonce_hash(gid, 0, ada.nonce).hex(),
            "seals": [part(each) for each in table.seals],
            "D": dealing.seals_digest.hex(),
            "genesis": dealing.genesis.hex(),
            "asides": [list(dealing.aside(seat)) for seat in range(3)],
            "first": dealing.deal.first,
            "phrase": six_digits(dealing.genesis),
        },
    }


def games() -> dict[str, list[Part]]:
    """Return the parts of whole games from which the refused ones begin."""
    return {"three": _parts(_three()), "four": _parts(hesitant(7, edition=1, ends=3))}


def _parts(log: SealedLog) -> list[Part]:
    from netcode.sealed.proof_file import _course

    return [part(each) for each in _course(log)]


def _three() -> SealedLog:
    table = SealedTable(5)
    log = played(table, Random(5))
    for end in table.ends(log):
        log.take(end)
    return log


def sealings() -> Iterator[Case]:
    """Yield sealings that are refused."""
    table = SealedTable(5)
    said = unpack(table.sealing.body)
    assert isinstance(said, SealingBody)
    seats, persons = said.seats, said.persons
    settings = dict(said.settings)

    def with_settings(**more: Any) -> SealingBody:
        return changed(said, settings=tuple(sorted({**settings, **more}.items())))

    bot = changed(seats[0], bot="steady")
    weak = changed(persons[0], key=bytes.fromhex(WEAK[0]))
    wrong: list[tuple[str, str, SealingBody]] = [
        ("another version", "other_rules", changed(said, version=2)),
        ("other rules", "other_rules", changed(said, rules=2)),
        ("a setting is missing", "bad_sealing", changed(said, settings=said.settings[1:])),
        ("an unknown setting", "bad_sealing", with_settings(more=1)),
        ("a setting out of its bounds", "bad_sealing", with_settings(edition=3)),
        ("not a sealed table", "bad_sealing", with_settings(sealed=False)),
        ("settings not sorted", "bad_sealing", changed(said, settings=said.settings[::-1])),
        ("two persons with three seats", "bad_sealing", with_settings(two=True)),
        ("a family twice", "bad_sealing", changed(said, seats=(seats[0], seats[0], seats[2]))),
        ("a first player without a seat", "bad_sealing", changed(said, first=3)),
        ("a seat of nobody", "bad_sealing", changed(said, persons=persons[:2])),
        ("persons not in order", "bad_sealing", changed(said, persons=persons[::-1])),
        ("a person with a bot alone", "bad_sealing", changed(said, seats=(bot, *seats[1:]))),
        (
            "seats not in order",
            "bad_sealing",
            changed(
                said, persons=(changed(persons[0], seats=(1, 0)), changed(persons[2], seats=(2,)))
            ),
        ),
        (
            "one person",
            "too_few_persons",
            changed(said, persons=(changed(persons[0], seats=(0, 1, 2)),)),
        ),
        (
            "a key twice",
            "equal_keys",
            changed(said, persons=(*persons[:2], changed(persons[2], key=persons[0].key))),
        ),
        ("a weak key", "weak_key", changed(said, persons=(weak, *persons[1:]))),
    ]
    yield from ((why, code, [Parcel(pack(each))]) for why, code, each in wrong)
    yield from (
        (f"another version, and {why}", "bad_sealing", [Parcel(msgpack.encode(each))])
        for why, each in _misshapen(changed(said, version=2))
    )
    no_settings = changed(said, version=2, settings=())
    yield "another version without settings", "other_rules", [Parcel(pack(no_settings))]
    body = table.sealing.body
    yield "bytes after the end", "bad_sealing", [Parcel(body + b"\xc0")]
    yield (
        "a number in a longer form",
        "bad_sealing",
        [Parcel(body.replace(b"sealing\x01", b"sealing\xcc\x01"))],
    )
    yield "a signature where there is none", "bad_sealing", [Parcel(body, bytes(64))]


def _misshapen(said: SealingBody) -> Iterator[tuple[str, list[Any]]]:
    """Yield a sealing in which a part is of another type: by why, as plain data."""
    plain = msgpack.decode(pack(said))
    yield "settings that are no list", [*plain[:6], 7, *plain[7:]]
    short = [[key[:31], seats] for key, seats in plain[9]]
    yield "keys of 31 bytes", [*plain[:9], short, plain[10]]


def refused() -> Iterator[Case]:
    """Yield the parcels of records of which the last is refused."""
    yield from sealings()
    table, other = SealedTable(5), SealedTable(6)
    ada, bob = table.people[:2]
    start = [Parcel(table.sealing.body)]
    sealed, deals = [*start, *table.seals], table.deals()
    said = unpack(table.seals[0].body)
    assert isinstance(said, SealBody)
    again = replace(bob, nonce=bytes(32))

    def by(person: PersonSecrets, body: AnyBody) -> Parcel:
        return signed(person.key, body)

    yield "a seal of another game", "other_game", [*start, other.seals[0]]
    yield "a person who is none", "no_such_person", [*start, by(ada, changed(said, person=3))]
    yield "signed by another", "bad_signature", [*start, by(bob, said)]
    yield "a seal without a signature", "malformed", [*start, Parcel(table.seals[0].body)]
    yield (
        "more leaves than seats",
        "malformed",
        [*start, by(ada, changed(said, leaves=said.leaves * 2))],
    )
    yield "copied leaves", "equal_leaves", [*sealed[:2], by(bob, changed(said, person=1))]
    yield "two seals", "two_seals", [*sealed, again.seal()]
    yield "a seal twice", "superfluous", [*sealed, table.seals[0]]
    yield "a deal before the seals", "seals_missing", [*sealed[:3], deals[0]]
    yield "a deal for other seals", "different_seals", [*sealed, ada.deal(bytes(32))]
    yield "another nonce", "wrong_nonce", [*sealed, again.deal(table.dealt().seals_digest)]
    yield "two deals", "two_deals", [*sealed, deals[1], bob.deal(bytes(32))]
    entry = ada.act(1, bytes(32), 0, "3>")
    yield "an entry before the deal", "malformed", [*sealed, entry]
    yield "an unsigned entry before the deal", "malformed", [*sealed, Parcel(entry.body)]
    elsewhere = by(ada, EntryBody(bytes(32), 1, bytes(32), 0, "act", ("3>",)))
    yield "an entry of another game before the deal", "other_game", [*sealed, elsewhere]
    login = by(ada, LoginBody(table.sealing.gid, 0, bytes(32), bytes(32)))
    yield "a log-in before the deal", "malformed", [*sealed, login]
    both = make_proof("two_seals", ada.seal(), replace(ada, nonce=bytes(32)).seal())
    yield "a proof before the deal", "two_seals", [*sealed, both]
    yield "a signature of 63 bytes", "bad_signature", [*start, Parcel(ada.seal().body, bytes(63))]
    twice = by(ada, changed(said, leaves=said.leaves * 2))
    yield "another seal, of more leaves", "two_seals", [*sealed, twice]
    yield "a sealing again", "malformed", [*sealed, *start]
    yield from entries(table)
    yield from openings()
    yield from ends(table)


def entries(table: SealedTable) -> Iterator[Case]:
    """Yield entries and votes that are refused after two steps of a game."""
    log = played(table, Random(5), lambda log: log.height == 2)
    begun = _all(log)
    seat, n, tip, gid = log.game.turn, log.height + 1, log.tip, log.sealing.gid
    mine, next_one = table.owner(seat), table.owner((seat + 1) % 3)
    token = f"{log.game.hands[seat][0]}>"
    right = EntryBody(gid, n, tip, seat, "act", (token,))
    act = signed(mine.key, right)

    def case(why: str, code: str, *parcels: Parcel) -> Case:
        return why, code, [*begun, *parcels]

    def entry(why: str, code: str, **more: Any) -> Case:
        return case(why, code, signed(mine.key, changed(right, **more)))

    yield entry("of another game", "other_game", gid=bytes(32))
    yield entry("a seat that is none", "bad_signature", seat=3)
    yield entry("of somebody else's seat", "bad_signature", seat=(seat + 1) % 3)
    yield case("another signature", "bad_signature", Parcel(act.body, bytes(64)))
    yield entry("a step too far", "gap", n=n + 1)
    yield entry("after another step", "other_branch", prev=bytes(32))
    yield case("out of turn", "not_your_turn", next_one.act(n, tip, (seat + 1) % 3, "0>"))
    aside = log.dealing.deal.aside[seat][0]
    yield entry("a card that is set aside", "illegal", content=(f"{aside}>",))
    yield entry("a token that is none", "illegal", content=("jump",))
    yield entry("a reveal without an opening", "illegal", content=(REVEAL.token,))
    yield entry("a token of nine characters", "malformed", content=("123456789",))
    yield entry("an act of two tokens", "malformed", content=(token, token))
    yield entry("another kind of answer", "malformed", what="pass")
    yield entry("step 0", "malformed", n=0)
    yield case("an opening that is not due", "no_opening_due", mine.open(n, tip, seat, 0))
    yield case("a reveal that is not asked for", "illegal", mine.open(n, tip, seat, 0, "reveal"))
    yield case("a default without votes", "too_few_votes", log.default())
    votes = [table.people[one].missing(n, tip) for one in range(3) if table.people[one] is not mine]
    yield case("a default with one vote", "too_few_votes", votes[0], log.default())
    yield case(
        "a default that is signed",
        "bad_signature",
        *votes,
        Parcel(log.default().body, act.signature),
    )
    yield case("a vote about one's own step", "own_step", mine.missing(n, tip))
    yield case("a vote about a later step", "vote_out_of_range", next_one.missing(n + 1, tip))
    yield case(
        "two votes",
        "two_votes",
        votes[0],
        next_one.seen(n, tip, tip)
        if next_one.missing(n, tip) == votes[0]
        else table.people[(seat + 2) % 3].seen(n, tip, tip),
    )
    yield case(
        "an answer after the vote of somebody else",
        "not_your_turn",
        *votes,
        log.default(),
        next_one.act(n, tip, (seat + 1) % 3, "0>"),
    )
    yield case(
        "two answers", "two_contents", act, mine.act(n, tip, seat, f"{log.game.hands[seat][1]}>")
    )
    yield case("an end before the end", "other_branch", mine.end(log.height, tip, 1_800_000_000))
    nothing = make_proof("two_contents", act, act)
    yield case("a proof of nothing", "bad_proof", nothing)
    yield case("a proof that is signed", "malformed", Parcel(nothing.body, act.signature))
    both = make_proof("two_contents", act, mine.act(n, tip, seat, f"{log.game.hands[seat][1]}>"))
    yield case("an entry after a fork", "frozen", both, act)
    yield case(
        "a log-in",
        "superfluous",
        signed(mine.key, LoginBody(gid, mine.person, bytes(32), bytes(32))),
    )
    yield case("a sealing again after the deal", "malformed", begun[0])
    yield case("a seal without a signature after the deal", "bad_signature", Parcel(begun[1].body))
    yield case("an act without a signature", "bad_signature", Parcel(act.body))
    yield case("a signature of 63 bytes on an act", "bad_signature", Parcel(act.body, bytes(63)))
    yield case("a vote without a signature", "bad_signature", Parcel(votes[0].body))
    past = EntryBody(gid, n, tip, (seat + 1) % 3, "default", ())
    yield case(
        "a past default of another seat", "other_branch", *votes, log.default(), Parcel(pack(past))
    )
    yield case("the same late answer", "superfluous", *votes, log.default(), act, act)
    late = mine.act(n, tip, seat, "jump")
    yield case("another late answer", "two_contents", *votes, log.default(), late, act)
    yield from _frozen(begun, both, [*votes, log.default(), act], next_one)
    yield from _proofs(begun, mine, act)
    two = SealedTable(1, owned=((0, 2), (1, 3)))
    pair = SealedLog(two.dealt())
    yield "a default at two persons", "no_votes_at_two", [*_all(pair), pair.default()]


def _frozen(
    begun: list[Parcel], fork: Parcel, late: list[Parcel], other: PersonSecrets
) -> Iterator[Case]:
    """Yield what is refused, and as what, after a fork was proven."""
    seal = unpack(begun[1].body)
    assert isinstance(seal, SealBody)
    login = signed(other.key, LoginBody(seal.gid, other.person, bytes(32), bytes(32)))
    again = replace(other, nonce=bytes(32)).seal()
    for why, code, parcel in [
        ("without its signature", "frozen", Parcel(late[-1].body)),
        ("a signed proof", "frozen", Parcel(fork.body, late[-1].signature)),
        ("that cannot be read", "malformed", Parcel(b"", late[-1].signature)),
        ("a sealing", "frozen", begun[0]),
        ("a log-in", "frozen", login),
        ("another seal", "frozen", again),
        ("the same seal", "superfluous", begun[1]),
        ("the same entry", "superfluous", next(part for part in begun if b"entry" in part.body)),
        *(("the same again", "superfluous", part) for part in (late[0], late[-2], late[-1])),
    ]:
        yield f"after a fork, {why}", code, [*begun, *late, fork, parcel]


def _proofs(begun: list[Parcel], ada: PersonSecrets, act: Parcel) -> Iterator[Case]:
    """Yield proofs that are none, and such that hold: the same again is one too many."""
    said, entry = ada.seal().said, act.said
    assert isinstance(said, SealBody)
    assert isinstance(entry, EntryBody)
    wide = signed(ada.key, changed(said, leaves=said.leaves * 2))
    login = signed(ada.key, LoginBody(said.gid, said.person, bytes(32), bytes(32)))
    opened = [ada.open(entry.n, entry.prev, entry.seat, leaf) for leaf in (0, 1)]
    nonce = ada.deal(bytes(32))
    default = Parcel(pack(changed(entry, what="default", content=())))
    unsigned = Parcel(act.body)
    fork = make_proof("two_contents", act, ada.act(entry.n, entry.prev, entry.seat, "jump"))
    for why, code, proof in [
        ("no such reason", "bad_proof", make_proof("three_seals", act, act)),
        ("no such reason, a bad signature", "bad_signature", make_proof("x", act, unsigned)),
        ("three entries", "bad_proof", make_proof("two_contents", act, *opened)),
        ("one parcel", "malformed", make_proof("two_contents", act)),
        ("of a proof", "malformed", make_proof("two_contents", act, fork)),
        ("of a sealing", "malformed", make_proof("two_contents", act, begun[0])),
        ("of a log-in", "bad_proof", make_proof("two_contents", act, login)),
        ("of a default", "bad_proof", make_proof("two_contents", act, default)),
        ("a card twice, a longer seal", "bad_proof", make_proof("card_twice", wide, *opened)),
        ("an opening that fits", "bad_proof", make_proof("false_opening", ada.seal(), opened[0])),
    ]:
        yield f"a proof, {why}", code, [*begun, proof]
    for reason, parcels in [
        ("two_seals", [ada.seal(), wide]),
        ("false_opening", [wide, opened[0]]),
        ("wrong_nonce", [signed(ada.key, changed(wide.said, nonce_commit=bytes(32))), nonce]),
    ]:
        proof = make_proof(reason, *parcels)
        yield f"{reason} by a longer seal, again", "superfluous", [*begun, proof, proof]


def openings() -> Iterator[Case]:
    """Yield what is refused where a card is struck, revealed or owed."""
    table, rng = SealedTable(1), Random(1)
    log = played(table, rng, struck)
    due, n, tip = log.due, log.height + 1, log.tip
    assert due is not None
    assert due.opening is not None
    seat, leaf = due.opening
    owner = table.owner(seat)
    liar = replace(owner, salts=(owner.salts[0][::-1],))
    yield (
        "an answer while a struck card is to open",
        "opening_due",
        [*_all(log), owner.act(n, tip, seat, "0>")],
    )
    yield "another leaf", "wrong_leaf", [*_all(log), owner.open(n, tip, seat, (leaf + 1) % 10)]
    yield "another salt", "false_opening", [*_all(log), liar.open(n, tip, seat, leaf)]
    for parcel in table.default(log):
        log.take(parcel)
    while log.due is not None and log.game.turn != seat:
        log.take(table.answer(log, rng))
    assert log.game.asked in (PLACE, LEAVE_OR_REVEAL)
    token = log.game.legal[0].token
    yield (
        "an answer while a card is owed",
        "opening_owed",
        [*_all(log), owner.act(log.height + 1, log.tip, seat, token)],
    )
    yield from _twice()


def _twice() -> Iterator[Case]:
    """Yield a card that is opened twice in one family."""
    table, rng = doubled(SealedTable(1), 0), Random(1)
    log = SealedLog(table.dealt())
    while log.due is not None:
        answer = table.answer(log, rng)
        before = _all(log)
        if log.take(answer).code == "card_twice":
            yield "a card twice", "card_twice", [*before, answer]
            return


def ends(table: SealedTable) -> Iterator[Case]:
    """Yield what is refused once a game is over."""
    log = played(table, Random(5))
    ada, n, tip = table.people[0], log.height, log.tip
    end = ada.end(n, tip, 1_800_000_000)
    said = unpack(end.body)
    assert isinstance(said, EndBody)
    yield "an answer after the end", "no_game", [*_all(log), ada.act(n + 1, tip, 0, "+")]
    yield "an end of another step", "other_branch", [*_all(log), ada.end(n - 1, tip, 0)]
    false = signed(ada.key, changed(said, openings=(said.openings[0][::-1],)))
    yield "other cards at the end", "false_opening", [*_all(log), false]
    longer = signed(ada.key, changed(said, openings=said.openings * 2))
    yield "an end of more seats", "false_opening", [*_all(log), longer]
    alone = [*_all(log), *table.ends(log)]
    far = ada.act(n + 9, tip, 0, "+")
    yield "an entry far ahead after all ends", "superfluous", [*alone, far]
    yield "an unsigned entry after all ends", "bad_signature", [*alone, Parcel(far.body)]
    yield "an end twice", "superfluous", [*_all(log), end, ada.end(n, tip, 0)]
    votes = [
        make_proof("two_seals", *(replace(ada, nonce=bytes([i]) * 32).seal() for i in pair))
        for pair in ((0, 1), (1, 2))
    ]
    yield "a second proof against one person", "superfluous", [*_all(log), *votes]
    assert isinstance(unpack(votes[0].body), ProofBody)


def _all(log: SealedLog) -> list[Parcel]:
    from netcode.sealed.proof_file import _course

    return _course(log)


def records() -> dict[str, Any]:
    """Return records, the seal of each as the first parts of a whole game and what follows."""
    whole = games()

    def begun(parts: list[Part]) -> dict[str, Any]:
        name, same = max(
            ((name, _same(parts, each)) for name, each in whole.items()), key=lambda each: each[1]
        )
        return {"game": name, "first": same, "then": parts[same:]}

    def line(said: dict[str, Any]) -> dict[str, Any]:
        parts = msgpack.decode(b64decode(said.pop("seal")))[1]
        return begun([part(Parcel(*each)) for each in parts]) | {"fields": json.dumps(said)}

    return {
        "games": whole,
        "refused": [
            {"why": why, "code": code, **begun([part(each) for each in parcels])}
            for why, code, parcels in refused()
        ],
        "lines": [{"why": why, "found": found, **line(said)} for why, found, said in lines()],
        "files": [
            {"why": why, "convicted": convicted, "lines": [line(_fields(log)) for log in logs]}
            for why, convicted, logs in files()
        ],
    }


def lines() -> Iterator[tuple[str, str | list[str], dict[str, Any]]]:
    """Yield records, and of each the verdict of every seat or the field that is not right."""
    log, table = _three(), SealedTable(5)
    proven, said = ["proven"] * 3, _fields(log)
    ada, *others = said["players"]
    yield "whole", proven, dict(said)
    yield "of whom it is nobody asks", proven, said | {"own": {"r": [7]}}
    yield "null", proven, said | {"outcome": None, "own": None, "more": None}
    yield "more keys", proven, said | {"deal": said["deal"] | {"more": 1}}
    player = {"more": 1, "family": ada["family"], "name": "A\ufffda"}
    yield "a sign not shown, no bot", proven, said | {"players": [player, *others]}
    for name in ("A\ufffd", "A\ufffdA", "A\u0378a"):
        yield f"the name {name!a}", "players", said | {"players": [ada | {"name": name}, *others]}
    yield "another field", "more", said | {"more": 0}
    yield "the first that is wrong", "began", said | {"began": 0, "outcome": "", "actions": []}
    two = _fields(log)
    two["seal"] = seal([*_parts(log)[:-2], *_parts(log)[:-3:-1]])
    yield "ends in another order", "seal", dict(two)
    yield "before the outcome", "seal", two | {"outcome": "", "more": 1}
    votes = [table.people[1].missing(3, log.tip), table.people[1].seen(3, log.tip, log.tip)]
    log.take(make_proof("two_votes", *votes))
    yield "the end of who has cheated opens nothing", _verdicts(log), _fields(log)
    log = played(table, Random(5))
    yield "ended by nobody", ["unproven"] * 3, _fields(log) | {"ended": None}
    log.take(make_proof("two_votes", *votes))
    yield "frozen", ["unfinished", "cheated", "unfinished"], _fields(log)


def files() -> Iterator[tuple[str, list[tuple[str, int]], list[SealedLog]]]:
    """Yield records of one game, and what their parcels prove together of whom."""
    table = SealedTable(5)
    begun = [played(table, Random(5), lambda log: log.height == 2) for _ in range(2)]
    seat = begun[0].game.turn
    for leaf, log in zip(begun[0].game.hands[seat], begun, strict=False):
        log.take(table.owner(seat).act(3, log.tip, seat, f"{leaf}>"))
    yield "another answer in each", [("two_contents", table.sealing.owners[seat])], begun
    ada = table.people[0]
    proof = make_proof("two_seals", ada.seal(), replace(ada, nonce=bytes(32)).seal())
    frozen, whole = SealedLog(table.dealt()), _three()
    frozen.take(proof)
    yield "a proof in one, the other whole", [("two_seals", 0)], [frozen, whole]


def _fields(log: SealedLog) -> dict[str, Any]:
    """Return the record of a log as JSON has it, with its outcome."""
    said: dict[str, Any] = json.loads(sealed_record(log).to_json())
    outcome = "cheated" if log.frozen else "abandoned"
    return said | {"outcome": "finished" if log.game.over else outcome}


def _verdicts(log: SealedLog) -> list[str]:
    return [log.verdict(seat) for seat in range(log.game.players)]


def _same(one: list[Part], other: list[Part]) -> int:
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other))
    )


FILES: dict[str, Callable[[], dict[str, Any]]] = {"bodies.json": bodies, "records.json": records}


def written(name: str) -> str:
    return json.dumps(FILES[name](), indent=1) + "\n"


if __name__ == "__main__":
    for name in FILES:
        (FOLDER / name).write_text(written(name))
