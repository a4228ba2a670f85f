"""Tests the levels of bots that should be as strong as the user."""

import asyncio
import threading
from collections.abc import Sequence

import pytest
import typer

from driflamme_tui.cli.shared_options import parse_bots
from driflamme_tui.preferences.matched_bots import (
    BEGINS,
    EVEN_BOT,
    LADDER,
    level_of,
    matched_bots,
    seat_bots,
)
from driflamme_tui.preferences.remembered import last_bot, remember
from netcode.storage.history import History
from netcode.table.errors import StoreError
from netcode.table.finished_game import PastGame, PastPlayer


def test_without_a_past_game_they_are_easy_to_beat() -> None:
    assert asyncio.run(seat_bots(("steady", EVEN_BOT, EVEN_BOT))) == (
        "steady",
        "learner",
        "learner",
    )


def test_no_screen_waits_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def opened(**_how: object) -> History:
        threads.append(threading.current_thread())
        raise StoreError("Another program is writing.")

    monkeypatch.setattr(History, "open", opened)
    assert asyncio.run(seat_bots((EVEN_BOT,))) == ("learner",)
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("text", "usual", "bots"),
    [
        ("even", None, [EVEN_BOT] * 3),
        ("2:even,novice", None, [EVEN_BOT, EVEN_BOT, "novice"]),
        ("2:even", None, [EVEN_BOT] * 2),
        (None, EVEN_BOT, [EVEN_BOT] * 3),
        ("2", EVEN_BOT, [EVEN_BOT] * 2),
        ("2", None, ["steady"] * 2),
    ],
)
def test_they_are_asked_for_like_others_and_may_be_the_usual_ones(
    text: str | None, usual: str | None, bots: list[str]
) -> None:
    assert list(parse_bots(text, 3, 2, 4, usual)) == bots
    assert len(parse_bots("even", 0, most=4)) == 1, "there is room for friends"


def test_it_is_remembered_that_they_were_chosen() -> None:
    remember(bot=EVEN_BOT)
    assert last_bot() == EVEN_BOT


def test_they_are_named_where_a_name_is_that_of_no_bot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        parse_bots("foo", 3, 2, 4)
    assert capsys.readouterr().err.endswith("master, grandmaster, even.\n")


def games(places: Sequence[int], *bots: str, two: bool = False) -> list[PastGame]:
    """Return games of three bots and the user, who sits first and had these places."""
    return [
        PastGame(
            id=number,
            began=number,
            ended=number + 1,
            outcome="finished",
            edition=2,
            players=(
                PastPlayer(family="r", name="You", bot=None, score=0, place=place),
                *(
                    PastPlayer(family=family, name="Bot", bot=bot, score=0, place=1 + (place == 1))
                    for family, bot in zip("bgy", bots, strict=True)
                ),
            ),
            own=(0, 2) if two else (0,),
            decisions=60,
            rounds=6,
            origin="own",
        )
        for number, place in enumerate(places, 1)
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
        past += games([1], *matched_bots(level_of(past), 3))
    assert set(matched_bots(level_of(past), 3)) == {"grandmaster"}


def test_a_table_for_two_says_nothing() -> None:
    assert level_of(games([1] * 9, *["steady"] * 3, two=True)) == BEGINS


def test_bots_are_as_strong_together_as_the_user() -> None:
    for level in (0.0, 1.0, 1.3, 2.5, 5.0):
        levels = [LADDER.index(bot) for bot in matched_bots(level, 3)]
        assert max(levels) - min(levels) <= 1
        assert sum(levels) / 3 == pytest.approx(level, abs=0.34)
