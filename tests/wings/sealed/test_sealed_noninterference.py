"""Tests that no data of a sealed host depends on hidden cards: in memory, on disk or in the log.

Two worlds differ only in cards that nobody has opened: every answer, salt, nonce and key is the
same. An ideal hash makes their seals equal. Then all messages to the host must be equal, and so
must all its data.
"""

import logging
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.cards import Seat
from netcode.protocol.messages import Chat
from netcode.storage.store import Store
from netcode.wings.sealed.game import cheat_proofs, sealed_person
from netcode.wings.sealed.game.encoding import Opening, digest, one_byte
from netcode.wings.sealed.game.proven_record import known_cards
from netcode.wings.sealed.game.sealed_person import PersonSecrets
from netcode.wings.sealed.game.sealing import Sealing
from tests.netcode.table.reachable import dump, texts
from tests.wings.sealed.sealed_world import BEGAN, NAMES, SealedWorld, Someone

Orders = dict[int, tuple[str, ...]]
"""For each person's index, one string for each of their seats: the card of each of its leaves."""

LONG = [
    pytest.param(range(first, first + 100), marks=pytest.mark.long) for first in range(4, 2000, 100)
]


def blind(gid: bytes, seat: Seat, opening: Opening) -> bytes:
    """Return a leaf that hides its card from any computer, and binds nobody."""
    leaf, _, salt = opening
    return digest("leaf", gid, one_byte(seat), one_byte(leaf), salt)


@pytest.fixture
def _ideal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheat_proofs, "leaf_hash", blind)
    monkeypatch.setattr(sealed_person, "leaf_hash", blind)


class Talkative(Someone):
    """A program that reveals its favourite card in its first line of chat."""

    has_said = False

    def take(self) -> None:
        super().take()
        if self.height >= 0 and not self.has_said:
            self.has_said = True
            self.send_as_player(Chat(text=f"My best is {self.own.orders[0][0]}."))


def world_of(seed: int, orders: Orders | None, steps: int, someone: type[Someone]) -> SealedWorld:
    """Return a world after up to this many steps; `orders` replaces the drawn orders."""
    rng = Random(seed)
    options: dict[str, Any] = rng.choice(
        [
            {},
            {"names": NAMES[: rng.randint(4, 5)], "watchers": 1},
            {"names": NAMES[:2], "two": True},
            {"names": NAMES[:2], "bots": 2, "edition": 1},
        ]
    )
    with pytest.MonkeyPatch.context() as patch:
        drawn = PersonSecrets.drawn

        def redrawn(rng: Random, key: bytes, sealing: Sealing, me: int) -> PersonSecrets:
            own = drawn(rng, key, sealing, me)
            if orders is None:
                return own
            return PersonSecrets(
                own.gid, own.person, own.seats, own.key, orders[me], own.salts, own.nonce
            )

        patch.setattr(PersonSecrets, "drawn", redrawn)
        world = SealedWorld(seed=seed, someone=someone, **options)
        for one in world.people:
            # A session that sees cards would answer by them.
            one.is_blind = True
        world.begin()
        world.run(lambda: all(one.height >= steps for one in world.people))
    return world


def traded(world: SealedWorld, rng: Random) -> Orders:
    """Return orders in which unopened cards have traded places."""
    orders: Orders = {}
    for one in world.people:
        secrets, own = one.own, []
        for seat, order in zip(secrets.seats, secrets.orders, strict=True):
            known = max((known_cards(each.log)[seat] for each in world.people), key=_opened)
            hidden = [leaf for leaf, card in enumerate(known) if card == "?"]
            cards = [order[leaf] for leaf in hidden]
            rng.shuffle(cards)
            trade = dict(zip(hidden, cards, strict=True))
            own.append("".join(trade.get(leaf, card) for leaf, card in enumerate(order)))
        orders[secrets.person] = tuple(own)
    return orders


def _opened(known: str) -> int:
    return len(known) - known.count("?")


def on_disk(world: SealedWorld, path: Path) -> bytes:
    """Return the files of the journal after everything was stored."""
    store = Store.open(path)
    for keep in world.kept:
        store.commit({1: keep}, BEGAN)
    store.close()
    return b"".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


def pair(seed: int, someone: type[Someone] = Someone) -> tuple[SealedWorld, SealedWorld]:
    """Return two worlds that differ only in hidden cards."""
    steps = Random(seed).randint(0, 35)
    one = world_of(seed, None, steps, someone)
    orders = traded(one, Random(seed))
    other = world_of(seed, orders, steps, someone)
    assert any(each.own.orders != orders[each.own.person] for each in one.people)
    return one, other


def differ(one: SealedWorld, other: SealedWorld) -> bool:
    """Return True if the hosts' memory or stored states differ."""
    return dump(one.table) != dump(other.table) or one.kept != other.kept


@pytest.mark.usefixtures("_ideal")
@pytest.mark.parametrize("seeds", [range(4), *LONG])
def test_a_host_has_the_same_whatever_is_hidden(
    seeds: range, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for seed in seeds:
        files = []
        one, other = pair(seed)
        assert not differ(one, other)
        for name, world in (("one", one), ("other", other)):
            files.append(on_disk(world, tmp_path / f"{name}-{seed}.db"))
        assert files[0] == files[1]
    assert not caplog.records


@pytest.mark.usefixtures("_ideal")
def test_a_program_that_tells_a_card_is_found() -> None:
    assert any(differ(*pair(seed, Talkative)) for seed in range(3))


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 100))]
)
def test_a_memory_dump_has_no_secret(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    steps = rng.randint(0, 45)
    world = SealedWorld(NAMES[: rng.randint(3, 5)], seed)
    world.begin()
    if seed % 3 == 2:
        # All cards are sealed, and no nonce is revealed.
        world.run(
            lambda: all(each.play.person and each.person.me is not None for each in world.people)
        )
    else:
        world.run(lambda: all(each.height >= steps for each in world.people))
    memory = b"\0".join(texts(world.table)) + on_disk(world, tmp_path / "tables.db")
    for one in world.people:
        secrets = one.own
        known = known_cards(one.log) if one.height >= 0 else {}
        assert secrets.key not in memory
        assert (secrets.nonce in memory) == (seed % 3 != 2)
        for seat, order, salts in zip(secrets.seats, secrets.orders, secrets.salts, strict=True):
            assert order.encode() not in memory
            for leaf, salt in enumerate(salts):
                is_open = seat in known and known[seat][leaf] != "?"
                assert is_open or salt not in memory
    # The dump contains public data, so it would contain secrets too.
    assert world.people[0].person.public_key in memory
