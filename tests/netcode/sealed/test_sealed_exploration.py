"""All that can happen at the end of a game of three: the numbers are those of the README."""

from types import SimpleNamespace

import pytest

from tests.netcode.sealed.planted_in_sealed import EXPLORED, Plant
from tests.netcode.sealed.sealed_exploration import Exploration, Result
from tests.netcode.sealed.sealed_tables import SealedTable
from tests.netcode.sealed.stand_in import plant_stand_in

LEAVE = {"?0": "+", "?1": "+", "?2": "+"}
"""Everybody leaves their card."""

STRIKE = {**LEAVE, "?0": "!", "A0": "x"}
"""The first reveals an Archer, and strikes another's card."""


def explored(
    patch: pytest.MonkeyPatch,
    cards: str = "LHA",
    tokens: dict[str, str] = LEAVE,
    liar: int | None = None,
    restarts: int = 0,
    steps: int = 1,
    states: int = 10**7,
) -> Result:
    exploration = Exploration(SealedTable(1), cards, tokens, liar, restarts, steps)
    start = SimpleNamespace(start=lambda _: exploration.start)
    patch.setattr("netcode.sealed.log.Game", start)
    return exploration.run(states)


@pytest.fixture(autouse=True)
def _cheap_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_stand_in(monkeypatch)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("liar", "restarts", "steps", "states", "depth"),
    [
        (None, 1, 1, 3_625, 12),
        (0, 0, 1, 936, 9),
        pytest.param(2, 0, 1, 12_600, 15, marks=pytest.mark.long),
        pytest.param(None, 0, 2, 41_096, 19, marks=pytest.mark.long),
    ],
)
def test_nothing_that_is_certain_is_undone_and_all_goes_on(
    monkeypatch: pytest.MonkeyPatch,
    liar: int | None,
    restarts: int,
    steps: int,
    states: int,
    depth: int,
) -> None:
    result = explored(monkeypatch, liar=liar, restarts=restarts, steps=steps)
    assert result.is_whole
    assert (result.states, result.depth) == (states, depth)
    assert bool(result.frozen) == (liar is not None)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "states", [1_000, pytest.param(250_000, marks=pytest.mark.long)], ids=["short", "long"]
)
@pytest.mark.parametrize(("liar", "restarts"), [(None, 1), (0, 0), (1, 0), (2, 0)])
def test_openings_wait_for_what_is_certain(
    monkeypatch: pytest.MonkeyPatch, liar: int | None, restarts: int, states: int
) -> None:
    result = explored(monkeypatch, "ALH", STRIKE, liar, restarts, steps=99, states=states)
    assert result.states > states


@pytest.mark.no_cover
@pytest.mark.parametrize("plant", EXPLORED, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        explored_twice(monkeypatch)


def explored_twice(patch: pytest.MonkeyPatch) -> None:
    for liar in (None, 2):
        explored(patch, liar=liar)
