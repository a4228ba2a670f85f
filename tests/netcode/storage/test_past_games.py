"""Tests the results of past games: evenings, ratings and the league."""

from itertools import count

import pytest
from msgspec.structs import replace

from netcode.protocol.evening import BestOf
from netcode.storage.past_evenings import (
    MOST_AT_ONCE,
    PAUSE_S,
    PastEvening,
    evenings_of,
    history_ratings,
)
from netcode.table.finished_game import Outcome, PastGame, PastHolder, PastPlayer

NUMBERS = count(1)
HOUR_S = 3600


def game(
    names: str,
    began: int | None,
    *,
    bots: str = "",
    outcome: Outcome = "finished",
    best_of: BestOf = 0,
) -> PastGame:
    """Return a past game of one hour; its players have one-letter names, in order of joining."""
    players = tuple(
        PastPlayer(
            family="rbgyv"[seat],
            name=name,
            bot="steady" if name in bots else None,
            score=20 - seat,
            place=seat + 1 if outcome == "finished" else None,
        )
        for seat, name in enumerate(names)
    )
    return PastGame(
        id=next(NUMBERS),
        began=began,
        ended=None if began is None else began + HOUR_S,
        outcome=outcome,
        edition=2,
        players=players,
        own=(0,),
        decisions=60,
        rounds=6,
        origin="own",
        best_of=best_of,
    )


def together(*games: PastGame) -> list[str]:
    """Return the number of games and the standings of each evening, the latest first."""
    return [
        f"{each.evening.games}: "
        + " ".join(f"{one.name}{one.wins}/{one.games}" for one in each.evening.standings)
        for each in evenings_of(games)
    ]


def test_games_soon_after_each_other_with_two_who_were_there_are_one_evening() -> None:
    assert together(
        game("abc", 0),
        game("bac", 2 * HOUR_S),
        game("bad", HOUR_S + 2 * HOUR_S + PAUSE_S - 1),
    ) == ["3: b2/3 a1/3 c0/2 d0/1"]


def test_a_long_pause_or_another_company_begins_another() -> None:
    assert together(game("abc", 0), game("abc", HOUR_S + PAUSE_S + 1)) == [
        "1: a1/1 b0/1 c0/1",
        "1: a1/1 b0/1 c0/1",
    ]
    assert together(game("abc", 0), game("ade", 2 * HOUR_S)) == [
        "1: a1/1 d0/1 e0/1",
        "1: a1/1 b0/1 c0/1",
    ]
    assert len(together(game("axy", 0, bots="xy"), game("bxy", 2 * HOUR_S, bots="xy"))) == 2


def test_an_evening_is_looked_for_among_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def is_decided(_: object) -> bool:
        nonlocal looked
        looked += 1
        return False

    monkeypatch.setattr(PastEvening, "is_decided", property(is_decided))
    games = [game("abc", 0) for _ in range(200)]
    for number, each in enumerate(games):
        players = tuple(replace(one, name=f"{one.name}{number}") for one in each.players)
        games[number] = replace(each, players=players)
    assert len(evenings_of(games)) == 200
    assert looked <= 200 * MOST_AT_ONCE


def test_a_match_that_is_decided_ends_the_evening_and_the_next_game_begins_another() -> None:
    names = ["abc", "abc", "bac", "abc", "bca"]
    games = [game(each, 2 * HOUR_S * n, best_of=3) for n, each in enumerate(names)]
    last, first = evenings_of(games)
    assert (first.evening.games, last.evening.games) == (2, 3)
    assert (first.is_decided, first.evening.leaders[0].name) == (True, "a")
    assert (last.is_decided, last.evening.leaders[0].name) == (True, "b")
    # Games of a match belong to another evening than games without one.
    after = evenings_of(
        [*(game("abc", 2 * HOUR_S * n) for n in range(3)), game("bac", 7 * HOUR_S, best_of=3)]
    )
    assert [each.evening.games for each in after] == [1, 3]


def test_what_was_broken_off_or_has_no_date_counts_nowhere() -> None:
    games = [game("abc", 0, outcome="abandoned"), game("abc", None), game("a", 0), game("", 0)]
    assert not evenings_of(games)
    assert not history_ratings(games)


def test_who_wins_more_is_rated_higher_and_more_games_are_surer() -> None:
    games = [game("abc", day * 86_400) for day in range(10)] + [game("cad", 20 * 86_400)]
    rated = {name: each for each in history_ratings(games) for name, _bot in (each.player,)}
    assert rated["a"].mu > rated["b"].mu > rated["c"].mu
    assert rated["a"].sigma < rated["d"].sigma
    assert [rated[name].games for name in "abcd"] == [11, 10, 11, 1]


def test_bots_are_rated_by_their_level_and_never_taken_for_a_person() -> None:
    rated = history_ratings([game("axy", 0, bots="xy")])
    assert sorted((each.player, each.games) for each in rated) == [
        (("a", False), 1),
        (("steady", True), 1),
    ]


def test_a_seat_that_changed_hands_rates_nobody() -> None:
    games = [game("abc", 0), game("cba", 86_400)]
    first, second, third = games[1].players
    taken = replace(first, step=20, former=(PastHolder("x", "steady", 0, 0),))
    games[1] = replace(games[1], players=(taken, second, third))
    rated = {name: each.games for each in history_ratings(games) for name, _bot in (each.player,)}
    assert rated == {"a": 2, "b": 2, "c": 1}
    left = replace(second, step=20, former=taken.former)
    games[1] = replace(games[1], players=(taken, left, third))
    assert [each.games for each in history_ratings(games)] == [1, 1, 1]


AUTUMN = 1_790_812_800
"""The beginning of October 2026, in Unix seconds."""
