"""Tests that the same arguments train the same weights, also after an interruption."""

import json
from argparse import Namespace
from collections.abc import Iterator
from hashlib import sha256
from math import log
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import NoReturn

import pytest

from engine.arena.contest import Contest
from engine.arena.pool import Task
from engine.arena.summary import Strength
from engine.bots import Bot, make_bot
from engine.bots.master_bot import Master
from engine.cards import CARDS, MAXIMUM_PLAYERS
from engine.record import Record
from engine.training import generations
from engine.training.fitting import MOMENTS, RoundStart, _win_expectation, fit, lessons
from engine.training.generations import _league, main, wins
from engine.training.self_play import TABLES, SelfPlay

TOY = ("--generations", "1", "--games", "10", "--gate", "2", "--iterations", "1")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "play_all", lambda tasks, *_: (task() for task in tasks))


def weights(run: Path) -> dict[str, object]:
    found = json.loads((run / "1.json").read_text())
    return {name: found[name] for name in ("win_expectation", "beliefs", "history", "losses")}


def test_a_run_is_the_same_again_and_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generations, "SIZES", (3,))
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert main([str(whole), *TOY]) == 0
    play, played = SelfPlay.play, 0

    def stopped(self: SelfPlay) -> tuple[int, str]:
        nonlocal played
        played += 1
        if played == 6:
            raise KeyboardInterrupt
        return play(self)

    monkeypatch.setattr(SelfPlay, "play", stopped)
    assert main([str(parts), *TOY]) == 130
    file = parts / "run.jsonl"
    file.write_bytes(file.read_bytes() + b'[5, "half a li')
    assert main([str(parts), *TOY]) == 0
    assert played == 6 + 5
    assert weights(whole) == weights(parts)
    # Train again: finished work is not repeated, and the trained bot plays.
    capsys.readouterr()
    assert main([str(whole), *TOY]) == 0
    assert "generation 1, accepted: " in capsys.readouterr().out
    bot = make_bot(f"grandmaster@{whole}/1.json", Random(1))
    assert isinstance(bot, Master)
    assert [*bot.learned.win_expectation] == weights(whole)["win_expectation"]


def test_who_judges_a_generation_and_which_games_it_learns_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, record = next(games(1)).play()
    learned: list[list[int]] = []
    contests: list[Contest] = []

    def fitted(known: dict[int, Record]) -> tuple[dict[str, object], dict[str, float]]:
        learned.append([*known])
        return {}, {}

    def summed(contest: Contest, _: object) -> SimpleNamespace:
        contests.append(contest)
        return SimpleNamespace(strengths=())

    monkeypatch.setattr(SelfPlay, "play", lambda self: (self.number, record))
    monkeypatch.setattr(Contest, "missing", lambda *_: [])
    monkeypatch.setattr(generations, "fit", fitted)
    monkeypatch.setattr(generations, "summarize", summed)
    monkeypatch.setattr(generations, "wins", lambda _: len(contests) != 2)
    assert main([str(tmp_path), *TOY, "--generations", "4", "--gate", "13"]) == 0
    assert learned == [[*range(10)], [*range(20)], [*range(30)], [*range(10, 40)]]
    assert {each.games for each in contests} == {3}
    one, three, four = (f"grandmaster@{tmp_path}/{number}.json" for number in (1, 3, 4))
    met = [[other for _, other in each.pairs] for each in contests]
    untaught = ["sharp", "steady"]
    assert (met[0], met[1]) == (untaught, [one, f"master@{tmp_path}/1.json", *untaught])
    assert met[3] == [three, one, f"master@{tmp_path}/1.json", *untaught]
    assert {alone for alone, _ in contests[3].pairs} == {four}
    # The progress is printed at every tenth of the games.
    assert capsys.readouterr().err.count("generation 1, games: ") == 10


def test_what_cannot_be_trained_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--exploit", "grandmaster@nowhere.json"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    for file, text in (("run.jsonl", "{}\n"), ("1.json", "[")):
        run = tmp_path / file
        run.mkdir()
        (run / file).write_text(text)
        assert main([str(run), *TOY]) == 1
        assert str(run) in capsys.readouterr().err.splitlines()[-1]


def test_a_folder_keeps_to_its_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def again(tasks: list[Task[object]], *_: object) -> NoReturn:
        assert main([str(tmp_path), *TOY]) == 1
        raise KeyboardInterrupt

    monkeypatch.setattr(generations, "play_all", again)
    assert main([str(tmp_path), *TOY]) == 130
    assert (
        "run.jsonl is being written by another arena: wait, or choose another file.\n"
        in capsys.readouterr().err
    )
    assert main([str(tmp_path), *TOY, "--seed", "2"]) == 1
    assert "other arguments" in capsys.readouterr().err


def games(number: int) -> Iterator[SelfPlay]:
    return (SelfPlay(each, 3, ("steady",), 1) for each in range(number))


def test_the_games_that_are_learned_from_are_the_same_everywhere() -> None:
    league = ("random", "steady")
    games = [SelfPlay(each, 3, league, 1).play()[1] for each in range(len(TABLES))]
    assert sha256("\n".join(games).encode()).hexdigest()[:16] == "98b15829fc1a893e"


def test_games_of_every_kind_foretell_others_better_than_chance() -> None:
    played = (game.play() for game in games(80))
    known = {number: Record.from_json(record) for number, record in played}
    assert {(len(each.deal.families), each.settings["two"]) for each in known.values()} == {
        table for table, _ in TABLES
    }
    hidden = lessons(known.items()).hidden
    assert 0 < len(hidden) < len(known) * MOMENTS * MAXIMUM_PLAYERS * len(CARDS)
    learned, losses = fit(known)
    for what in ("round 4", "round 5", "round 6", "beliefs"):
        assert losses[what] < losses[f"{what} by chance"] - 0.02
    assert losses["history"] < losses["beliefs by chance"] - 0.02
    assert losses["round 6 by chance"] < log(4)
    assert learned["win_expectation"][6]["pool"] > 0.2


def test_who_plays_better_says_nothing_of_the_cards_they_like() -> None:
    better, worse, heir = {"by 1": 1.0}, {"by 0": 1.0}, {"down H": 1.0}
    cases = []
    for number in range(500):
        won = (1.0, 0.0) if number % 4 else (0.0, 1.0)
        liked = number % 5 > 0
        seats = ({**better, **heir}, worse) if liked else (better, {**worse, **heir})
        cases.append(RoundStart(6, seats, won))
    found = _win_expectation(cases, ["by 0", "by 1", "down H"])
    assert found[1] - found[0] > 0.8
    assert abs(found[2]) < 0.05
    # Without the player as a feature, the card would explain the victory.
    assert _win_expectation(cases, ["down H"])[0] > 0.2


def test_who_exploits_sits_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[str] = []

    def made(name: str, rng: Random, _: object) -> Bot:
        named.append(name)
        return make_bot("random", rng)

    monkeypatch.setattr("engine.training.self_play.make_bot", made)
    SelfPlay(2, 1, ("frozen", "newest"), 1, exploited="frozen").play()
    assert sorted(named) == ["frozen"] * 3 + ["newest"]


def strength(against: str, share: float, players: int = 4) -> Strength:
    par = 1 / players
    return Strength("new", against, players, 1, 100, share, share - 0.1, share + 0.1, par)


def test_a_generation_must_beat_the_last_and_lose_to_nobody() -> None:
    last, other = strength("last", 0.3), strength("other", 0.22)
    assert wins([last, other])
    assert not wins([strength("last", 0.25), other])
    assert not wins([strength("last", 0.24), other])
    assert not wins([last, strength("other", 0.1)])
    # Over all tables together, chance explains less than at one alone.
    assert wins([last, strength("last", 0.3, 3), other])
    assert not wins([last, strength("last", 0.26, 3), other])
    sizes = [strength("other", 1 / players - 0.07, players) for players in (3, 4, 5)]
    assert all(wins([last, each]) for each in sizes)
    assert not wins([last, *sizes])
    # Both editions have the same deals, and give no more information than one.
    assert wins([last, *sizes[:1] * 2])


def test_the_league_is_of_the_untaught_and_of_all_accepted(tmp_path: Path) -> None:
    options = Namespace(run=tmp_path, exploit="")
    assert _league(options, []) == ("steady", "sharp")
    one, three = f"@{tmp_path}/1.json", f"@{tmp_path}/3.json"
    assert _league(options, [1, 3]) == (
        *("steady", "sharp", f"master{one}", f"grandmaster{one}", f"grandmaster{three}"),
    )
    options.exploit = "master"
    assert _league(options, [1]) == ("master", f"grandmaster{one}")
