"""How strong a user is by past games, and who plays against them then."""

from collections.abc import Sequence

import pytest

from netcode.storage.even_games import BEGINS, LADDER, even_bots, level_of
from netcode.table.finished_game import PastGame, PastPlayer


def games(places: Sequence[int], *bots: str | None, two: bool = False) -> list[PastGame]:
    """Return games in which the user, in the first seat, had these places among three others."""
    return [
        PastGame(
            id=number + 1,
            began=number,
            ended=number + 1,
            outcome="finished",
            edition=2,
            players=tuple(
                PastPlayer(family, family, bot, 5, place if family == "r" else 1 + (place == 1))
                for family, bot in zip("rbgy", (None, *bots), strict=True)
            ),
            own=(0, 2) if two else (0,),
            decisions=60,
            rounds=6,
            origin="own",
        )
        for number, place in enumerate(places)
    ]


def test_who_wins_meets_stronger_bots_and_who_loses_weaker_ones() -> None:
    level = level_of([])
    assert level == BEGINS
    assert level_of(games([1], *["steady"] * 3)) > level > level_of(games([4], *["novice"] * 3))
    assert level_of(games([1] * 60, *["grandmaster"] * 3)) == len(LADDER) - 1
    assert level_of(games([4] * 60, *["random"] * 3)) == 0


def test_a_loss_against_the_strong_says_less_than_one_against_the_weak() -> None:
    weak, strong = (level_of(games([4], *[bot] * 3)) for bot in ("novice", "grandmaster"))
    assert weak < strong < BEGINS


def test_who_wins_every_game_meets_grandmaster_soon() -> None:
    past: list[PastGame] = []
    for _ in range(8):
        past += games([1], *even_bots(level_of(past), 3))
    assert set(even_bots(level_of(past), 3)) == {"grandmaster"}


def test_a_table_for_two_says_nothing() -> None:
    assert level_of(games([1] * 9, *["steady"] * 3, two=True)) == BEGINS


def test_bots_are_as_strong_together_as_the_user() -> None:
    for level in (0.0, 1.0, 1.3, 2.5, 5.0):
        levels = [LADDER.index(bot) for bot in even_bots(level, 3)]
        assert max(levels) - min(levels) <= 1
        assert sum(levels) / 3 == pytest.approx(level, abs=0.34)
