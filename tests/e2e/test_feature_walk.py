"""Pairs of features at one table: whoever is asked can answer, and all see every step."""

from collections.abc import Callable
from pathlib import Path

import pytest

from driflamme_tui.plain.json_player import JsonPlayer
from netcode.client.connection import ConnectError
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby
from netcode.wings.sealed.interpreter import SealedInterpreter
from tests.e2e.feature_walk import Walk, WalkError

WALKS = range(4)
"""Seeds of the walks that are always taken."""

STEPS = 8
LONG_STEPS = 30


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", WALKS)
def test_whatever_is_combined_games_can_be_played(seed: int, tmp_path: Path) -> None:
    Walk(seed, tmp_path).run(STEPS)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("hundred", range(20))
def test_whatever_is_combined_in_long_walks_too(hundred: int, tmp_path: Path) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        Walk(seed, tmp_path).run(LONG_STEPS)


# Bugs of the kind that pairs of features have had


def the_program_of_sealed_games_stays_at_ordinary_ones(patch: pytest.MonkeyPatch) -> None:
    hear = SealedInterpreter.receive

    def stay(self: SealedInterpreter, message: Message) -> None:
        was_sealed = self._is_sealed
        hear(self, message)
        self._is_sealed = was_sealed or self._is_sealed

    patch.setattr(SealedInterpreter, "receive", stay)


def revisions_of_sealed_and_ordinary_games_are_one_count(patch: pytest.MonkeyPatch) -> None:
    see_lobby = Session._see_lobby

    def count_on(self: Session, message: Lobby) -> None:
        lowest = self._lowest
        see_lobby(self, message)
        self._lowest = lowest

    patch.setattr(Session, "_see_lobby", count_on)


def all_that_is_typed_waits_for_an_answer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(JsonPlayer, "is_answer", lambda self, text: True)


Plant = Callable[[pytest.MonkeyPatch], None]

PLANTED: dict[Plant, int] = {
    the_program_of_sealed_games_stays_at_ordinary_ones: 2,
    revisions_of_sealed_and_ordinary_games_are_one_count: 2,
    all_that_is_typed_waits_for_an_answer: 9,
}
"""With the seed of the walk that finds each."""


@pytest.mark.no_cover
@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_bug_is_found(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises((WalkError, ConnectError)) as found:
        Walk(PLANTED[plant], tmp_path).run(STEPS)
    print(repr(found.value), found.value.__notes__)


def test_equal_seeds_give_equal_walks(tmp_path: Path) -> None:
    first, again = (_taken(tmp_path / each) for each in ("first", "again"))
    assert first == again


def _taken(folder: Path) -> tuple[list[str], int]:
    walk = Walk(2, folder)
    walk.run(STEPS)
    return walk.done, walk.loop.steps
