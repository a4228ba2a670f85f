"""Tests that whole evenings at sealed tables, with all troubles, make no sent message false."""

from pathlib import Path

import pytest

from tests.netcode.simulation.test_simulation import assert_found
from tests.support.planted import plant
from tests.wings.sealed.evenings.planted_bugs import SEALED_PLANTS
from tests.wings.sealed.evenings.sealed_evening import SealedEvening

SEALED_SEEDS = (4, 2, 125)
"""Seeds of the sealed evenings that always run."""

SEALED_TRIED = (*SEALED_SEEDS, *range(102, 240))
"""Seeds of evenings for planted bugs. If other wings are missing, a rare bug needs many of them."""

SEALED_FIRST = {
    "a_commit_drops_some_parcels": 36,
    "cards_are_opened_at_once": 37,
    "who_begins_anew_in_the_deal_is_told_of_no_log": 30,
    "nobody_gives_their_part_of_the_deal_again": 31,
    "newcomers_are_told_of_the_latest_only": 30,
    "a_reveal_has_no_gate": 10,
    "a_gate_waits_for_a_majority": 5,
    "nobody_must_open_what_is_owed": 30,
    "an_own_step_is_sent_before_it_is_kept": 0,
    "everybody_is_told_before_it_is_kept": 49,
}
"""For each bug, the seed to try first."""


@pytest.mark.no_cover
def test_every_sealed_evening_comes_to_a_good_end(tmp_path: Path) -> None:
    for seed in SEALED_SEEDS:
        SealedEvening(seed, tmp_path).run()


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_many_sealed_evenings_come_to_a_good_end(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 50):
        SealedEvening(seed, tmp_path).run()


@pytest.mark.long
def test_equal_seeds_give_equal_sealed_evenings(tmp_path: Path) -> None:
    here, again = (SealedEvening(125, tmp_path / name).run() for name in ("here", "again"))
    assert here == again


@pytest.mark.no_cover
@pytest.mark.parametrize("name", SEALED_PLANTS)
def test_a_bug_planted_at_a_sealed_table_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(SEALED_PLANTS[name], monkeypatch)
    assert_found(SealedEvening, (SEALED_FIRST.get(name, SEALED_SEEDS[0]), *SEALED_TRIED), tmp_path)
