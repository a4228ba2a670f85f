"""Tests the environment for learning programs: PettingZoo's own tests, and hidden cards."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra driflamme[pettingzoo] is not installed")

from pettingzoo.test import api_test, seed_test

from engine import bots
from engine.actions import ACTIONS
from engine.arena.pettingzoo_env import (
    ANSWERS,
    MOST,
    PILE,
    TABLE,
    OriflammeEnv,
    encode,
    env,
)
from engine.cards import FAMILIES, MAXIMUM_PLAYERS, Seat, in_order
from engine.game import Deal, Game
from engine.legal import IllegalAction
from engine.notation import format_position
from engine.views import view
from tests.engine.random_games import random_game
from tests.engine.test_noninterference import traded_action, traded_deal, trades

README = Path(bots.__file__).with_name("README.md")


def observed(game: Game, seat: Seat) -> bytes:
    """Return everything that an environment shows to a seat."""
    environment = OriflammeEnv(game.players, game.edition.number)
    environment._game = game
    seen = environment.observe(f"player_{seat}")
    return b"".join(seen[name].tobytes() for name in ("observation", "action_mask"))


@pytest.mark.parametrize(("players", "edition"), [(3, 1), (4, 2), (5, 1), (5, 2)])
@pytest.mark.filterwarnings("ignore:.*(should be gymnasium|not a NumPy array|all zeros)")
def test_it_passes_pettingzoo_s_own_tests(players: int, edition: int) -> None:
    api_test(env(players, edition), num_cycles=50)
    seed_test(lambda: env(players, edition), num_cycles=10)


def test_the_example_of_the_readme_runs() -> None:
    [example] = re.findall(
        r"```python\n(from engine.arena import .*?)```", README.read_text(), re.S
    )
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["env"].unwrapped.game.over


def test_an_observation_does_not_depend_on_what_its_seat_may_not_know() -> None:
    differing = 0
    for seed in range(24):
        rng = Random(seed)
        played = random_game(seed)
        length = rng.randrange(len(played.actions))
        seat = rng.randrange(played.games[0].players)
        by_seat = trades(seat, played.games[length], rng)
        other = Game.start(traded_deal(played.deal, by_seat))
        for game, action in zip(played.games[:length], played.actions[:length], strict=True):
            other = other.play(traded_action(game, action, by_seat))
        game = played.games[length]
        differing += format_position(other) != format_position(game)
        assert observed(other, seat) == observed(game, seat)
    assert differing > 12


def test_different_views_make_different_observations() -> None:
    seen: dict[bytes, str] = {}
    for seed in range(8):
        for game in random_game(seed).games:
            for seat in range(game.players):
                shown = view(game, seat)
                numbers = encode(shown)
                assert numbers.min() >= 0
                assert numbers.max() <= MOST
                end = TABLE + 3 * MAXIMUM_PLAYERS * PILE
                piles = numbers[TABLE:end].reshape(MAXIMUM_PLAYERS, 3, PILE)
                for each in range(game.players):
                    cards = (shown.hands[each], shown.aside[each], shown.out[each])
                    assert [*piles[each, :, 0]] == [*map(len, cards)], "how many each pile has"
                # Sort the discarded cards: the environment does not encode their order.
                shown.out = [in_order(cards) for cards in shown.out]
                line = f"{seat} {format_position(shown)}"
                assert seen.setdefault(numbers.tobytes(), line) == line
    assert len(seen) > 1000


def test_the_mask_is_the_legal_answers_of_who_is_asked_and_nothing_for_others() -> None:
    for game in random_game(3).games[:-1]:
        environment = OriflammeEnv(game.players, game.edition.number)
        environment._game = game
        for seat in range(game.players):
            mask = environment.observe(f"player_{seat}")["action_mask"]
            legal = [action for action, may in zip(ANSWERS, mask, strict=True) if may]
            assert set(legal) == set(game.legal if seat == game.turn else ())


def test_everybody_is_rewarded_with_their_share_of_the_victory() -> None:
    shares = set()
    for seed in (1, 13):  # in one of the two games, two players share the victory
        environment = env(players=5)
        environment.reset(seed=seed)
        rewards = dict.fromkeys(environment.agents, 0.0)
        rng = Random(seed)
        for agent in environment.agent_iter():
            seen, reward, ended, _, _ = environment.last()
            rewards[agent] += reward
            legal = [] if ended else [n for n, may in enumerate(seen["action_mask"]) if may]
            environment.step(rng.choice(legal) if legal else None)
        assert sum(rewards.values()) == pytest.approx(1)
        shares |= set(rewards.values())
    assert shares >= {0, 0.5, 1}


def test_a_seed_says_the_deals_and_what_is_illegal_is_refused() -> None:
    environment = OriflammeEnv(players=3, edition=1)
    lines = []
    for seed in (4, None, 4):
        environment.reset(seed=seed)
        lines.append(environment.render())
    assert lines[0] == lines[2] != lines[1]
    assert lines[0] == format_position(
        Game.start(Deal.shuffled(Random(4), FAMILIES[:3], environment.edition))
    )
    with pytest.raises(IllegalAction):
        environment.step(list(ACTIONS).index("+"))


@pytest.mark.parametrize(("players", "edition"), [(2, 1), (6, 1), (4, 3)])
def test_games_that_there_are_not_are_refused(players: int, edition: int) -> None:
    with pytest.raises(ValueError, match=r"players|edition"):
        env(players, edition)
