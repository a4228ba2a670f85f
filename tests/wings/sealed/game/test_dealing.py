"""Tests that nobody can see or steer a deal, and that everybody is warned of a player who tries."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from netcode.protocol.messages import Lobby
from netcode.protocol.table_settings import TableSettings
from netcode.wings.sealed.game.cheat_proofs import conviction_of, make_proof
from netcode.wings.sealed.game.dealing import draw_aside
from netcode.wings.sealed.game.encoding import (
    SUBSETS,
    SealedError,
    SealingBody,
    digest,
    draw,
    one_byte,
    pack,
)
from netcode.wings.sealed.game.parcels import public_key
from netcode.wings.sealed.game.sealing import Sealing, check_sealing
from netcode.wings.sealed.game.six_digits import six_digits
from tests.support.tables import lobby
from tests.wings.sealed.game.sealed_tables import SealedTable, sealing_body

KEYS = [digest("test", one_byte(number)) for number in range(5)]
ALONE = ((0,), (1,), (2,))
SOUND = sealing_body(KEYS[:3], ALONE)
RENAMED = (changed(SOUND.seats[0], name="Eve"), *SOUND.seats[1:])
FAST = TableSettings(pace_ms=1, sealed=True)


def test_everybody_comes_to_the_same_deal() -> None:
    table = SealedTable(1)
    dealing = table.dealt()
    assert dealing.is_dealt
    deal = dealing.deal
    for hand, aside in zip(deal.hands, deal.aside, strict=True):
        assert "".join(sorted(hand + aside)) == "0123456789"
        assert len(aside) == 3
    other = table.dealing()
    for parcel in reversed(table.deals()):
        other.take(parcel)
    assert (other.deal, other.genesis) == (deal, dealing.genesis)
    assert len(six_digits(dealing.genesis).replace(" ", "")) == 6


def lobby_of(said: SealingBody, host: str = "r") -> Lobby:
    """Return the message about a sealing to the second person at a table."""
    seats = [
        {"family": seat.family, "name": seat.name, "bot": seat.bot, "host": seat.family == host}
        for seat in said.seats
    ]
    settings = dict(said.settings)
    return lobby("", "b", seats=seats, settings=settings, host=host == "b")


EXPECTED: dict[str, Any] = {
    "lobby": lobby_of(SOUND),
    "key": public_key(KEYS[1]),
    "before": None,
    "counted": frozenset(),
}


@pytest.mark.parametrize(
    ("known", "code"),
    [
        ({"key": public_key(KEYS[0])}, "not_my_seats"),
        ({"lobby": changed(EXPECTED["lobby"], you="g")}, "not_my_seats"),
        ({"lobby": changed(EXPECTED["lobby"], seats=EXPECTED["lobby"].seats[:2])}, "other_table"),
        ({"lobby": lobby_of(changed(SOUND, seats=RENAMED))}, "other_table"),
        ({"lobby": lobby_of(sealing_body(KEYS[:3], ALONE, FAST))}, "other_table"),
        ({"before": 0}, "wrong_first"),
        ({"counted": frozenset({KEYS[0]})}, "broken_hidden"),
        ({"counted": frozenset(bytes([i]) * 32 for i in range(9))}, "too_many_broken"),
    ],
)
def test_a_sealing_that_is_not_what_one_expects(known: dict[str, Any], code: str) -> None:
    sealing = Sealing(pack(SOUND))
    check_sealing(sealing, **EXPECTED)
    with pytest.raises(SealedError) as error:
        check_sealing(sealing, **EXPECTED | known)
    assert error.value.code == code


def test_settings_that_a_sealing_does_not_contain_may_have_any_value() -> None:
    """`latecomers` stands for all settings of a table that are no rules of its games."""
    known = dict(SOUND.settings)
    others = TableSettings().by_name().keys() - known.keys()
    assert "latecomers" in others
    newer = changed(EXPECTED["lobby"].settings, latecomers="watch")
    check_sealing(
        Sealing(pack(SOUND)),
        **EXPECTED | {"lobby": changed(EXPECTED["lobby"], settings=newer)},
    )


def test_a_counted_deal_is_told_and_a_bot_is_the_hosts() -> None:
    sealing = Sealing(pack(changed(SOUND, broken=(KEYS[0],))))
    check_sealing(sealing, **EXPECTED | {"counted": frozenset({KEYS[0]})})
    said = sealing_body(KEYS[:2], ((0,), (1, 2)), bots=(2,))
    check_sealing(Sealing(pack(said)), **EXPECTED | {"lobby": lobby_of(said, "b")})
    with pytest.raises(SealedError, match="not_my_seats"):
        check_sealing(Sealing(pack(said)), **EXPECTED | {"lobby": lobby_of(said)})
    said = sealing_body(KEYS[:3], ((0,), (1,), (2, 3)), bots=(3,))
    check_sealing(Sealing(pack(said)), **EXPECTED | {"lobby": lobby_of(said, "g")})
    with pytest.raises(SealedError, match="other_table"):
        check_sealing(Sealing(pack(said)), **EXPECTED | {"lobby": lobby_of(said)})


def test_no_proof_convicts_who_is_honest() -> None:
    table = SealedTable(1)
    deals = table.deals()
    ada, bob = table.seals[:2]
    doubled = replace(table.people[0], orders=("S" * 10,))
    for reason, parcels in [
        ("two_seals", [ada, ada]),
        ("two_seals", [ada, bob]),
        ("two_deals", [deals[0], deals[0]]),
        ("two_deals", [ada, deals[0]]),
        ("wrong_nonce", [ada, deals[0]]),
        ("wrong_nonce", [ada, deals[1]]),
        ("false_opening", [ada, table.people[0].open(1, bytes(32), 0, 3)]),
        ("card_twice", [ada, table.people[0].end(9, bytes(32), 0)]),
        (
            "card_twice",
            [ada, *(table.people[0].open(1, bytes(32), 0, leaf) for leaf in (3, 4))],
        ),
        # Cards other than the sealed cards are another offence than a repeated card.
        (
            "card_twice",
            [ada, *(doubled.open(1, bytes(32), 0, leaf) for leaf in (3, 4))],
        ),
        ("something", [ada, deals[0]]),
    ]:
        with pytest.raises(SealedError, match="bad_proof"):
            conviction_of(table.sealing, make_proof(reason, *parcels))


# Statistics: a person who sees the others' seals and chooses later parcels steers nothing.


SEEN = digest("test", b"seals")


def chi_square(deals: int, aside: Callable[[Random], tuple[int, ...]], seed: int) -> float:
    rng = Random(seed)
    times = Counter(aside(rng) for _ in range(deals))
    return sum((times[subset] - deals / 120) ** 2 * 120 / deals for subset in SUBSETS)


def grinder(rng: Random) -> tuple[int, ...]:
    """Let the owner try four nonces for a hand with the first three leaves; return the best."""
    gid, others = rng.randbytes(32), [rng.randbytes(32) for _ in range(2)]
    tries = [
        draw_aside(gid, SEEN, 0, 0, {0: rng.randbytes(32), 1: others[0], 2: others[1]})
        for _ in range(4)
    ]
    return min(tries, key=lambda aside: len({0, 1, 2} & set(aside)))


def naive(rng: Random) -> tuple[int, ...]:
    """Return the best of four nonces in a draw that depends on the owner's nonce.

    The statistics must detect this attack.
    """
    gid, others = rng.randbytes(32), rng.randbytes(64)
    tries = [
        SUBSETS[draw(120, "aside", gid, SEEN, one_byte(0), others, rng.randbytes(32))]
        for _ in range(4)
    ]
    return min(tries, key=lambda aside: len({0, 1, 2} & set(aside)))


@pytest.mark.parametrize("deals", [2_400, pytest.param(120_000, marks=pytest.mark.long)])
def test_nobody_steers_a_deal(deals: int) -> None:
    assert chi_square(deals, grinder, seed=7) < 173


def test_the_statistics_tell_a_deal_that_is_steered() -> None:
    assert chi_square(2_400, naive, seed=7) > 400
