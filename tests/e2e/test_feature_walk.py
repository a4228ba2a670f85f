"""Tests pairs of features at one table: the deciding player can answer, and all see every step."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from netcode.client.connection import ConnectError
from netcode.client.session import Session
from netcode.protocol.messages import Lobby
from tests.e2e.walk.people import WalkError
from tests.e2e.walk.walk import Walk

WALKS = range(4)
"""Seeds of the walks that always run."""

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


def the_settings_of_the_first_lobby_stay(patch: pytest.MonkeyPatch) -> None:
    see_lobby = Session._see_lobby

    def stay(self: Session, message: Lobby) -> None:
        first = message if self.lobby is None else self.lobby
        see_lobby(self, replace(message, settings=first.settings))

    patch.setattr(Session, "_see_lobby", stay)


def a_finished_game_has_no_record(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Session, "_see_record", lambda self, message: None)


Plant = Callable[[pytest.MonkeyPatch], None]

PLANTED: dict[Plant, int] = {
    the_settings_of_the_first_lobby_stay: 0,
    a_finished_game_has_no_record: 4,
}
"""The planted bugs, each with the seed of a walk that finds it."""


@pytest.mark.no_cover
@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_bug_is_found(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises((WalkError, ConnectError)) as found:
        # Leave out features of wings, so that the walk is the same for any set of wings.
        Walk(PLANTED[plant], tmp_path, features=()).run(STEPS)
    print(repr(found.value), found.value.__notes__)


def test_equal_seeds_give_equal_walks(tmp_path: Path) -> None:
    first, again = (_taken(tmp_path / each) for each in ("first", "again"))
    assert first == again


def _taken(folder: Path) -> tuple[list[str], int]:
    walk = Walk(2, folder)
    walk.run(STEPS)
    return walk.done, walk.loop.steps
