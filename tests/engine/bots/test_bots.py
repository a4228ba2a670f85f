"""Tests rules for all bots."""

import sys
from hashlib import sha256
from itertools import islice
from random import Random

import pytest

from engine.arena.contest import Series, simulate
from engine.bots import BOTS, SearchingBot, UnknownBotError, bot_class, make_bot
from engine.notation import format_position, parse_view
from engine.views import project, view
from tests.engine.random_games import random_game
from tests.engine.referee import check_trace

every_bot = pytest.mark.parametrize("name", BOTS)
searching_bot = pytest.mark.parametrize(
    "name", [name for name in BOTS if issubclass(bot_class(name), SearchingBot)]
)


@pytest.fixture(autouse=True)
def a_few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    for bot in map(bot_class, BOTS):
        if issubclass(bot, SearchingBot):
            monkeypatch.setattr(bot, "iterations", 2)


def test_all_play_whole_games_of_every_kind_by_the_rules() -> None:
    lines: list[str] = []
    names = tuple(BOTS)[1:]  # Other tests play games of `random`.
    series = Series(games=12, players=None, edition=None, seed=1, bots=names)
    assert {name for played in simulate(series, lines.append) for name in played.bots} == {*names}
    assert check_trace(lines).games == 12


@every_bot
def test_same_view_same_legal_answer_though_it_was_read_from_its_notation(name: str) -> None:
    for seed in range(2):
        for game in random_game(seed).games[:-1:3]:
            seen = view(game, game.turn)
            read = parse_view(format_position(seen), game.turn)
            (answer,) = {make_bot(name, Random(5)).choose(each) for each in (seen, read)}
            assert answer in game.legal


PLAY = {
    "random": "db7ad1ab88d55811",
    "novice": "06c55ab99708d549",
    "learner": "17882e740339ff6f",
    "steady": "247f8184a7ccc931",
    "sharp": "785d9bf62d9aea5e",
    "master": "22cd99ac4532c03c",
    "grandmaster": "98d6b09de15ab1d4",
}
"""For each bot, a digest of its weights and answers. An intended change needs a new digest."""


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info[:2] != (3, 11),
    reason="other systems and versions of Python round sums of fractions otherwise",
)
@every_bot
def test_nobody_plays_otherwise_than_before(name: str) -> None:
    said = []
    for seed in range(2):
        for game, events_seen in islice(random_game(seed).questions(), seed, None, 9):
            bot = make_bot(name, Random(seed), (60).__gt__)
            bot.observe([project(event, game.turn) for event in events_seen])
            seen = view(game, game.turn)
            if isinstance(bot, SearchingBot):
                said += [f"{a} {share:.6f} {tried}" for a, share, tried in bot.weigh(seen)]
            said.append(str(bot.choose(seen)))
    assert sha256("\n".join(said).encode()).hexdigest()[:16] == PLAY.get(name)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        UnknownBotError, match=r"no bot called 'stedy': choose one of random, novice, "
    ):
        make_bot("stedy", Random(0))


@searching_bot
def test_a_search_weighs_every_answer_best_first_and_stops_when_told(name: str) -> None:
    counts: list[int] = []

    def keep_going(made: int) -> bool:
        counts.append(made)
        return made < 20

    for game in random_game(3).games[:-1:5]:
        counts.clear()
        bot = make_bot(name, Random(1), keep_going)
        assert isinstance(bot, SearchingBot)
        weighed = bot.weigh(view(game, game.turn))
        assert sorted(str(each.action) for each in weighed) == sorted(map(str, game.legal))
        assert all(0 <= each.share <= 1 for each in weighed)
        # A search may end before 20 tries if the bot is certain of its answer.
        assert counts == list(range(len(counts)))
        assert 8 <= sum(each.tried for each in weighed) == min(len(counts), 20)


@searching_bot
def test_a_search_that_must_not_begin_still_answers(name: str) -> None:
    for game in random_game(4).games[:-1:5]:
        bot = make_bot(name, Random(1), lambda made: False)
        assert bot.choose(view(game, game.turn)) in game.legal
