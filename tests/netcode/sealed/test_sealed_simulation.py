"""Sealed games through all troubles: nothing that was certain is lost, and every game goes on.

A game that fails says its seed; to see it again: `Evening(seed).run()` under `plant_stand_in`.
"""

from collections.abc import Sequence

import pytest

from tests.netcode.sealed.planted_in_sealed import SIMULATED, Plant
from tests.netcode.sealed.sealed_evening import Evening
from tests.netcode.sealed.stand_in import plant_stand_in

ALWAYS = range(6)
"""Seeds of the games that are always played."""

LONG = 10_000
"""How many games `--long` plays."""

PART = 250
"""Games of one test among these."""


@pytest.fixture(autouse=True)
def _cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


def live(seeds: Sequence[int]) -> None:
    for seed in seeds:
        try:
            Evening(seed).run()
        except Exception as error:
            error.add_note(f"in the game of seed {seed}")
            raise


def test_games_come_to_a_good_end() -> None:
    live(ALWAYS)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("first", range(0, LONG, PART))
def test_many_games_come_to_a_good_end(first: int) -> None:
    live(range(first, first + PART))


def test_equal_seeds_give_equal_games() -> None:
    assert [steps(seed) for seed in (1, 2)] == [steps(seed) for seed in (1, 2)]


def steps(seed: int) -> tuple[str, int, float]:
    evening = Evening(seed)
    return evening.run(), evening.world.steps, evening.world.now


@pytest.mark.no_cover
@pytest.mark.parametrize("plant", SIMULATED, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        live([SIMULATED[plant], *range(40)])
