"""Tests whole evenings with all troubles: every sent message stays true, and every game ends.

scripts/test tests/netcode/simulation --seed 1234

scripts/test --long tests/netcode/simulation --seeds 100000
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.netcode.simulation.conftest import ALWAYS
from tests.netcode.simulation.evening import Evening, Outcome
from tests.netcode.simulation.planted import PLANTS
from tests.support.planted import plant

QUIET_SEED = 23
"""The seed of an evening with two persons and a bot."""

TRIED_FIRST = {
    "the_bot_in_the_seat_of_somebody_sent_away_is_not_recorded": 42,
    "an_act_that_has_counted_is_not_known": 1,
    "the_revision_of_an_act_is_not_looked_at": 15,
    "everybody_is_told_before_it_is_kept": 1,
    "a_commit_drops_some_answers": 41,
    "some_answers_are_kept_with_the_next": 29,
    "what_comes_during_a_commit_counts_as_kept": 17,
    "most_changes_of_a_table_are_not_kept": 54,
    "what_counted_is_forgotten_with_a_crash": 36,
    "a_resumed_table_counts_on_from_too_low": 39,
    "a_key_changes_with_each_use": 54,
    "the_keys_of_a_table_are_not_kept": 39,
    "a_lost_key_opens_whatever_is_in_the_place_of_its_seat": 10,
    "somebody_sees_with_the_eyes_of_others": 6,
    "an_event_is_left_out": 15,
    "what_was_said_is_not_kept": 54,
    "the_client_never_sends_an_act_again": 5,
    "the_client_forgets_its_key": 16,
    "the_client_has_no_heartbeat": 37,
}
"""For each bug, the seed of the shortest known evening that finds it."""

TRIED_LAST = range(200)
"""Seeds to try if the usual evenings miss a bug that shows in only one evening of thirty."""

STRIDE = 61
"""Number of the host's moments between the crashes of two evenings in ordinary tests."""

PARTS = 4
"""Number of ordinary tests among which the evenings with a crash are divided."""


def live(seed: int, folder: Path, crash_at: int | None = None) -> Outcome:
    try:
        return Evening(seed, folder, crash_at).run()
    except Exception as error:
        again = f"scripts/test tests/netcode/simulation --seed {seed}"
        error.add_note(f"in the evening of seed {seed}; again with: {again}")
        raise


def assert_found(evening: type[Evening], seeds: Sequence[int], folder: Path) -> None:
    """Run one evening after the other until one finds the planted bug; fail if none does."""
    for seed in dict.fromkeys(seeds):
        try:
            evening(seed, folder).run()
        except Exception as error:
            print(f"found in the evening of seed {seed}: {error!r}")
            return
    pytest.fail("no evening finds this bug")


@pytest.mark.no_cover
def test_every_evening_comes_to_a_good_end(chunk: Sequence[int], tmp_path: Path) -> None:
    for seed in chunk:
        live(seed, tmp_path)


@pytest.mark.long
@pytest.mark.no_cover
def test_many_evenings_come_to_a_good_end(long_chunk: Sequence[int], tmp_path: Path) -> None:
    for seed in long_chunk:
        live(seed, tmp_path)


def test_the_seed(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    print(live(pytestconfig.getoption("--seed"), tmp_path))


@pytest.mark.no_cover
@pytest.mark.parametrize("first", range(PARTS))
def test_the_host_may_crash_at_any_moment(first: int, tmp_path: Path) -> None:
    moments = live(QUIET_SEED, tmp_path / "whole", 10**9).host_moments
    for moment in range(first * STRIDE, moments, PARTS * STRIDE):
        outcome = live(QUIET_SEED, tmp_path / str(moment), moment)
        assert outcome.crashes == 2, "once, and at the end of the evening"


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("first", range(40))
def test_the_host_may_crash_at_every_moment(first: int, tmp_path: Path) -> None:
    moments = live(QUIET_SEED, tmp_path / "whole", 10**9).host_moments
    for moment in range(first, moments, 40):
        live(QUIET_SEED, tmp_path / str(moment), moment)


def test_equal_seeds_give_equal_evenings_also_in_other_programs(tmp_path: Path) -> None:
    seeds = range(2)
    here = [repr(live(seed, tmp_path / "here")) for seed in seeds]
    again = [repr(live(seed, tmp_path / "again")) for seed in seeds]
    assert here == again
    assert len(set(here)) == len(here)
    program = (
        "import sys; from pathlib import Path;"
        "from tests.netcode.simulation.evening import Evening;"
        f"[print(Evening(seed, Path(sys.argv[1])).run()) for seed in range({len(seeds)})]"
    )
    there = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "there"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert there.stdout.splitlines() == here


@pytest.mark.no_cover
@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(PLANTS[name], monkeypatch)
    assert_found(Evening, (TRIED_FIRST.get(name, 0), *ALWAYS, *TRIED_LAST), tmp_path)
