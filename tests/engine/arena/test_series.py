"""Tests that series of games between bots are reproducible, fair to seats, and summed right."""

import json
from collections import Counter
from hashlib import sha256

import pytest

from engine.arena.contest import Budget, Series, play_game, simulate
from engine.arena.summary import BotScore, BotTally, student_95, wilson_interval
from engine.bots import UnknownBotError


def trace_of(series: Series) -> list[str]:
    lines: list[str] = []
    for _ in simulate(series, lines.append):
        pass
    return lines


def test_a_seed_gives_the_same_trace_wherever_and_whenever_and_another_seed_another() -> None:
    lines = trace_of(Series(6, None, None, seed=3, bots=("steady", "random")))
    assert sha256("\n".join(lines).encode()).hexdigest()[:16] == "f7fa507f00ff0285"
    assert trace_of(Series(1, seed=3)) != trace_of(Series(1, seed=4))


def test_a_game_depends_on_its_number_and_not_on_those_before_it() -> None:
    series = Series(8, players=None, edition=None, seed=3, bots=("steady",))
    in_order = [list[str]() for _ in range(8)]
    for number in range(8):
        play_game(series, number, in_order[number].append)
    backwards = [list[str]() for _ in range(8)]
    for number in reversed(range(8)):
        play_game(series, number, backwards[number].append)
    assert in_order == backwards
    assert [line for lines in in_order for line in lines] == trace_of(series)


def test_families_are_the_first_of_all_and_everybody_begins_at_times() -> None:
    deals = [json.loads(line) for line in trace_of(Series(60, players=4)) if '"deal"' in line]
    assert {deal["families"] for deal in deals} == {"rbgy"}
    assert {deal["first"] for deal in deals} == set("rbgy")


def test_mixed_games_are_of_every_kind_equally_often() -> None:
    series = Series(60, players=None, edition=None)
    kinds = Counter(series.kind(number)[:2] for number in range(60))
    assert kinds == {(players, edition): 10 for players in (3, 4, 5) for edition in (1, 2)}


@pytest.mark.parametrize("bots", [("steady",), ("steady", "random"), ("steady",) * 3])
@pytest.mark.parametrize("players", [3, 4, 5, None])
def test_each_bot_sits_in_each_seat_equally_often(
    players: int | None, bots: tuple[str, ...]
) -> None:
    games = 360
    series = Series(games, players, edition=None, bots=bots)
    seats = Counter(
        (len(seating), seat)
        for seating in map(series.seating, range(games))
        for seat, bot in enumerate(seating)
        if bot == "steady"
    )
    for size in (3, 4, 5) if players is None else (players,):
        assert len({seats[size, seat] for seat in range(size)}) == 1


def test_seats_left_over_are_filled_with_random_bots() -> None:
    assert sorted(Series(1, 4, bots=("steady",)).seating(0)) == ["random"] * 3 + ["steady"]
    assert Series(1, 5).seating(0) == ("random",) * 5


def test_more_bots_than_seats_take_turns_at_sitting_out() -> None:
    series = Series(4, 3, 2, bots=("steady", "steady", "steady", "random"))
    out = [seating.count("random") for seating in map(series.seating, range(4))]
    assert sorted(out) == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("games", "players", "edition"), [(0, 4, 2), (1, 2, 2), (1, 6, 2), (1, 4, 3)]
)
def test_numbers_out_of_range_are_refused(games: int, players: int, edition: int) -> None:
    with pytest.raises(ValueError, match=r"game|edition"):
        Series(games, players, edition)


def test_a_bot_that_nobody_knows_is_refused_before_the_first_game() -> None:
    with pytest.raises(UnknownBotError):
        Series(1, bots=("steady", "stedy"))


def test_the_tally_shares_victories_and_knows_par() -> None:
    series = Series(90, players=None, seed=2, bots=("steady",))
    tally = BotTally()
    played = list(simulate(series))
    for game in played:
        tally.add(game)
    steady, random = tally.scores()
    assert (steady.bot, random.bot) == ("steady", "random")
    assert tally.games == 90
    assert tally.decisions == sum(len(game.actions) for game in played)
    assert steady.seats == 90
    assert random.seats == sum(len(game.bots) for game in played) - 90
    assert steady.wins + random.wins == pytest.approx(90)
    assert any(len(game.winners) > 1 for game in played)
    assert steady.par == pytest.approx(sum(1 / len(game.bots) for game in played) / 90)
    assert steady.par * steady.seats + random.par * random.seats == pytest.approx(90)


@pytest.mark.parametrize(
    ("wins", "seats", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (50, 100, 0.4038, 0.5962),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (2.5, 10, 0.0809, 0.5578),
    ],
)
def test_wilson_interval(wins: float, seats: int, low: float, high: float) -> None:
    assert wilson_interval(wins, seats) == pytest.approx((low, high), abs=5e-5)
    assert BotScore("any", seats, wins, 0.25, seats).interval == wilson_interval(wins, seats)


@pytest.mark.parametrize(
    ("degrees", "table"), [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)]
)
def test_student_s_bound_is_that_of_the_tables(degrees: int, table: float) -> None:
    assert student_95(degrees) == pytest.approx(table, rel=0.035 if degrees == 2 else 0.008)


def test_a_budget_stops_a_bot_by_iterations_or_by_the_clock() -> None:
    assert Budget().keep_going() is None
    going = Budget(iterations=2).keep_going()
    assert going is not None
    assert [going(done) for done in range(4)] == [True, True, False, False]
    for seconds, goes_on in ((0.0, False), (1e9, True)):
        clock = Budget(seconds=seconds).keep_going()
        assert clock is not None
        clock(0)
        assert clock(1) is goes_on
