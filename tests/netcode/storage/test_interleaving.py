"""Tables share commits, and yet each is kept as if it were alone."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol.messages import AddBot, BackToLobby, SetReady, Start
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import Snapshot
from tests.engine.random_games import examples
from tests.support.kept import OPENED, store_at
from tests.support.pretend import Network, Participant, asked, play_on, seated


@cache
def evening(seed: int) -> list[Keep]:
    """Return what an evening of two games and a lobby between them asks to keep."""
    rng = Random(seed)
    network = Network(rng)
    network.carry_out(network.table.open(OPENED))
    guests = seated(network, "abcd"[: rng.randint(2, 4)])
    guests[0].say(AddBot(bot="steady"))
    for _ in range(2):
        for participant in guests[1:]:
            participant.say(SetReady(ready=True))
        guests[0].say(Start())
        play_some(guests, rng)
        guests[0].say(BackToLobby())
    return network.kept


def play_some(guests: list[Participant], rng: Random) -> None:
    """Play to the end, or not quite, with somebody coming and going."""
    for _ in range(rng.choice((30, 1000))):
        participant = asked(guests)
        if participant is None:
            guests[0].network.wait(10.0)
        else:
            play_on([participant], 1)
        if guests[0].phase() == "result":
            return
        if rng.random() < 0.1:
            guests[-1].drop()
            guests[-1].come_back()


TABLES = 3


def kept_alone(number: int) -> Snapshot:
    with TemporaryDirectory() as folder:
        store = store_at(Path(folder) / "tables.db")
        for keep in evening(number):
            store.commit({number: keep}, 0)
        kept = loaded(store, number)
    assert kept.game.begun == 2
    assert len(evening(number)) > 50
    return kept


alone = cache(kept_alone)


def loaded(store: Store, number: int) -> Snapshot:
    try:
        return store.load(number)
    finally:
        store.close()


@examples(25)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_in_whatever_order_and_batches_tables_commit_each_loads_as_if_alone(
    rng: Random, largest_batch: int
) -> None:
    rest = {number: list(evening(number)) for number in range(1, TABLES + 1)}
    with TemporaryDirectory() as folder:
        store = store_at(Path(folder) / "tables.db")
        while rest:
            batch: dict[int, Keep] = {}
            for _ in range(rng.randint(1, largest_batch)):
                if rest:
                    number = rng.choice(list(rest))
                    batch[number] = rest[number].pop(0)
                    if not rest[number]:
                        del rest[number]
            store.commit(batch, rng.randint(0, 3))
        found = {number: store.load(number) for number in range(1, TABLES + 1)}
        store.close()
    assert found == {number: alone(number) for number in found}
