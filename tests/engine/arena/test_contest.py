"""Tests that every bot of a contest gets the same deals, and every machine the same results."""

import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import engine
from engine.arena.contest import BotFailedError, Budget, Contest, DealResult
from engine.arena.pool import WorkerError, play_all
from engine.arena.results import (
    DECIDES_NO_GAME,
    Results,
    ResultsError,
    describe,
    digest,
    open_results,
    read_deal,
    write_deal,
)
from engine.arena.summary import BotTally, summarize
from engine.game import Deal
from tests.engine.arena.failing import FAILING, KILLING, TELLING

PAIRS = (("random", "steady"), ("steady", "random"))
SMALL = Contest(("random", "steady"), games=4, players=(3, 4), editions=(1, 2), pairs=PAIRS)


@cache
def played() -> list[DealResult]:
    return [job.play() for job in SMALL.missing()]


def play_elsewhere(contest: Contest, workers: int) -> list[DealResult]:
    return list(play_all((job.play for job in contest.missing()), workers))


def results_in(file: Path, contest: Contest) -> AbstractContextManager[Results[DealResult]]:
    return open_results(file, describe(contest), partial(read_deal, contest.seed, contest.budget))


def test_a_deal_is_the_same_for_every_line_up_and_from_every_seat() -> None:
    deals: dict[int, Deal] = {}
    for job in Contest(("random", "steady", "sharp"), games=8, pairs=PAIRS).jobs():
        assert deals.setdefault(job.deal, job.cards()) == job.cards()
    assert len(deals) == 2
    assert deals[0] != deals[1]


@pytest.mark.parametrize("bots", [("random", "steady"), ("random", "steady", "sharp", "master")])
@pytest.mark.parametrize("pairs", [PAIRS, ()])
def test_each_bot_of_a_line_up_plays_a_deal_equally_often_from_every_seat(
    bots: tuple[str, ...], pairs: tuple[tuple[str, str], ...]
) -> None:
    for job in Contest(bots, games=7, players=(3, 4, 5), pairs=pairs).jobs():
        for seat in range(job.players):
            assert Counter(seating[seat] for seating in job.seatings()) == Counter(job.bots)


def test_who_sits_beside_whom_changes_from_deal_to_deal() -> None:
    contest = Contest(("random", "steady", "sharp", "master"), games=40)
    seatings = [job.seatings()[0] for job in contest.jobs()]
    beside = {seats[(seats.index("random") + 1) % 4] for seats in seatings}
    assert beside == {"steady", "sharp", "master"}


def test_everybody_meets_everybody() -> None:
    four = ("master", "random", "sharp", "steady")
    assert Contest(four[:2], 1).line_ups(4) == [("master", "master", "random", "random")]
    assert Contest(four[:2], 1).line_ups(3) == [
        ("master", "master", "random"),
        ("master", "random", "random"),
    ]
    assert Contest(four, 1).line_ups(3) == [
        ("master", "random", "sharp"),
        ("master", "random", "steady"),
        ("master", "sharp", "steady"),
        ("random", "sharp", "steady"),
    ]


def test_of_a_pair_one_sits_alone_among_bots_of_the_other_kind() -> None:
    assert Contest(("random", "steady"), 1, pairs=PAIRS).line_ups(4) == [
        ("random", "steady", "steady", "steady"),
        ("steady", "random", "random", "random"),
    ]


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert Counter(job.players for job in SMALL.jobs()) == {3: 2 * 4, 4: 4}


def test_worker_processes_give_what_is_played_here() -> None:
    assert sorted(play_elsewhere(SMALL, 2), key=str) == sorted(played(), key=str)


def test_a_bot_that_fails_in_a_worker_is_told_of_with_the_position() -> None:
    contest = Contest(("random", FAILING), games=8)
    with pytest.raises(
        BotFailedError, match=r"failed in game \d, at 2 1 .* \(ValueError: {oh no}\)"
    ):
        play_elsewhere(contest, 1)


def test_a_worker_loads_the_engine_only() -> None:
    with pytest.raises(BotFailedError) as caught:
        play_elsewhere(Contest(("random", TELLING), games=8), 1)
    loaded = set(str(caught.value).split())
    assert "engine" in loaded
    # Workers must not load modules of the program that started them: pytest, or the command line.
    assert not loaded & {"pytest", "_pytest", "driflamme_tui", "netcode", "typer", "openskill"}


def test_a_worker_that_is_killed_is_told_of() -> None:
    contest = Contest(("random", KILLING), games=8)
    with pytest.raises(WorkerError, match="ended in the middle"):
        play_elsewhere(contest, 2)


def test_a_worker_ends_with_who_started_it() -> None:
    play = (
        "from engine.arena.pool import play_all\n"
        "from tests.engine.arena.failing import orphaned\n"
        "list(play_all([orphaned], 1))"
    )
    # `run` waits for the end of the worker, which shares the output.
    run = subprocess.run([sys.executable, "-c", play], capture_output=True, check=False)
    assert run.returncode == -signal.SIGKILL


def test_the_same_deals_give_the_same_summary_in_whatever_order_they_come() -> None:
    finished = [*played()]
    summary = summarize(SMALL, finished)
    assert summary.complete
    assert summary.games == 8 * 3 + 4 * 4
    Random(1).shuffle(finished)
    assert summarize(SMALL, finished) == summary
    assert [(each.bot, each.against) for each in summary.strengths[:2]] == [
        ("random", "steady"),
        ("steady", "random"),
    ]
    assert [rating.player for rating in summary.ratings] == ["steady", "random"]


def test_a_file_of_results_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    finished = played()
    with results_in(file, SMALL) as results:
        for result in finished[:5]:
            results.add(write_deal(result))
    file.write_text(file.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    with results_in(file, SMALL) as results:
        assert list(results.found) == finished[:4]
        for result in reversed(finished[4:]):
            results.add(write_deal(result))
    longer = Contest(SMALL.bots, 60, SMALL.players, SMALL.editions, pairs=PAIRS)
    for contest in (SMALL, longer):
        with results_in(file, contest) as results:
            assert sorted(results.found, key=str) == sorted(finished, key=str)


def refuses(file: Path, contest: Contest, why: str) -> None:
    """Assert that a file is refused for a contest, and unchanged."""
    before = file.read_bytes()
    with pytest.raises(ResultsError, match=why), results_in(file, contest):
        pass
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "changed",
    [{"bots": ("steady", "random")}, {"seed": 1}, {"budget": Budget(iterations=5)}, {"pairs": ()}],
)
def test_a_file_of_another_contest_is_refused(changed: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with results_in(file, SMALL):
        refuses(file, SMALL, "another arena")
    refuses(file, replace(SMALL, **changed), "other arguments")
    with results_in(file, SMALL):
        pass


@pytest.mark.parametrize("text", ["a diary", "a diary\n", "{}\n", "[1]\n", "\xff\n"])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text(text, encoding="latin-1")
    refuses(file, SMALL, "does not hold")


@pytest.mark.parametrize(
    "change",
    [
        *({"games": []}, {"bots": 3}, {"deal": "no"}),
        {"games": [{"seats": ["a"] * 3, "places": [2] * 3, "influence": [1] * 3, "decisions": 1}]},
    ],
)
def test_a_line_that_says_nothing_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with results_in(file, SMALL) as results:
        results.add(write_deal(played()[0]) | change)
    refuses(file, SMALL, "does not hold")


def test_more_games_of_the_same_few_deals_make_nothing_surer() -> None:
    rng = Random(0)
    winners = [rng.randrange(4) for _ in range(100)]
    widths = []
    for times in (1, 8):
        tally = BotTally()
        for deal, winner in enumerate(winners):
            for _ in range(times):
                tally.count(("steady", "random", "random", "random"), [winner], 1, deal)
        low, high = next(s for s in tally.scores() if s.bot == "steady").interval
        widths.append(high - low)
    assert widths[1] == pytest.approx(widths[0])


def test_intervals_hold_what_is_true_95_times_in_100() -> None:
    rng = Random(3)
    hits = 0
    for _ in range(400):
        tally = BotTally()
        for deal in range(40):
            luck = rng.random() < 0.5
            for _ in range(4):
                wins = rng.random() < (0.5 if luck else 0.1)
                tally.count(("steady", "random"), [0 if wins else 1], 1, deal)
        low, high = next(s for s in tally.scores() if s.bot == "steady").interval
        hits += low <= 0.3 <= high
    assert 370 <= hits <= 390


def test_the_digest_of_the_engine_is_of_all_that_is_loaded_to_play_and_of_nothing_else(
    tmp_path: Path,
) -> None:
    play = (
        "import sys, engine.arena.contest\n"
        "from random import Random\n"
        "from engine.bots import BOTS, make_bot\n"
        "for name in BOTS: make_bot(name, Random(1))\n"
        "print(*(module.__file__ for name, module in sys.modules.items()"
        " if name.startswith('engine')))"
    )
    run = subprocess.run([sys.executable, "-c", play], check=True, capture_output=True, text=True)
    root = Path(engine.__file__).parent
    loaded = {Path(each).relative_to(root).as_posix() for each in run.stdout.split()}
    shutil.copytree(root, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    before = digest(tmp_path / "engine", DECIDES_NO_GAME)
    assert before == digest(root, DECIDES_NO_GAME)
    for path in sorted((tmp_path / "engine").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{text}#", encoding="utf-8")
        changes = digest(tmp_path / "engine", DECIDES_NO_GAME) != before
        name = path.relative_to(tmp_path / "engine").as_posix()
        assert changes == (name in loaded), name
        path.write_text(text, encoding="utf-8")
