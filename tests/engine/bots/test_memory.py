"""Tests that a seat's memory is equal for all viewers, and after a repetition of all events."""

from collections.abc import Sequence
from random import Random

import pytest

from engine.actions import Action
from engine.arena.contest import Series, play_game
from engine.bots import Bot, make_bot
from engine.bots.base import Weighed
from engine.bots.experience import Experience
from engine.bots.master_bot import Grandmaster
from engine.bots.memory import Memory
from engine.events import Event, Moved, Placed, RoundBegan
from engine.game import Deal, Game
from engine.views import View, project, view
from tests.engine.lines import game_at
from tests.engine.random_games import random_game


def questions_of(seed: int) -> list[tuple[Game, list[Event]]]:
    """Return each position of a random game with the events before it."""
    return [*random_game(seed).questions()]


def remembered(game: Game, memory: Memory) -> list[tuple[str, ...]]:
    return [memory.traits(index, 0) for index in range(len(game.queue))]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_remembered_lies_as_the_queue_does_and_is_the_same_for_all(seed: int) -> None:
    running, heard = Memory(), 0
    for game, events in questions_of(seed):
        running.observe([project(event, 0) for event in events[heard:]])
        heard = len(events)
        assert running.fits(view(game, 0))
        for viewer in (None, game.turn):
            rebuilt = Memory()
            rebuilt.observe([project(event, viewer) for event in events])
            assert remembered(game, rebuilt) == remembered(game, running)


def test_a_grandmaster_told_all_again_answers_as_one_who_was_there() -> None:
    there, heard = make_bot("grandmaster", Random(1), (40).__gt__), 0
    for game, events in questions_of(3)[::9]:
        news = [project(event, game.turn) for event in events]
        there.observe([project(event, game.turn) for event in events[heard:]])
        heard = len(events)
        back = make_bot("grandmaster", Random(9), (40).__gt__)
        back.observe(news)
        there.rng = Random(9)
        assert there.choose(view(game, game.turn)) == back.choose(view(game, game.turn))


def test_what_a_grandmaster_was_told_changes_what_it_believes() -> None:
    game, events = questions_of(3)[40]
    informed, deaf = (Grandmaster(Random(1)) for _ in range(2))
    informed.observe([project(event, game.turn) for event in events])
    seen = view(game, game.turn)
    with_it, without = (bot.worlds(seen) for bot in (informed, deaf))
    dealt = [
        [with_it.sample().hands for _ in range(20)],
        [without.sample().hands for _ in range(20)],
    ]
    assert dealt[0] != dealt[1]


@pytest.mark.parametrize(("number", "least", "most"), [(1, 0.3, 0.45), (4, 0.05, 0.2)])
def test_a_card_is_placed_the_more_like_chance_the_earlier_in_the_game(
    number: int, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.start(Deal.shuffled(Random(1), "rbg"))
    seen = view(game, game.turn)
    seen.round = number
    best, near, gone = seen.legal[:3]
    weighed = (Weighed(best, 0.4, 40), Weighed(near, 0.385, 30), Weighed(gone, 0.4, 10))
    monkeypatch.setattr(Grandmaster, "weigh", lambda *_: weighed)
    bot = Grandmaster(Random(2))
    chosen = [bot.choose(seen) for _ in range(400)]
    assert gone not in chosen
    assert least < chosen.count(near) / len(chosen) < most


def test_a_bot_in_a_series_is_told_what_its_seat_may_know_once_and_in_order() -> None:
    heard: list[list[Event]] = []

    class Listening(Bot):
        name = "listening"
        mine: list[Event]

        def observe(self, events: Sequence[Event]) -> None:
            self.mine.extend(events)

        def choose(self, view: View) -> Action:
            memory = Memory()
            memory.observe(self.mine)
            assert memory.fits(view)
            return view.legal[0]

    def make(name: str, rng: Random) -> Bot:
        bot = Listening(rng)
        bot.mine = []
        heard.append(bot.mine)
        return bot

    play_game(Series(1, 3), 0, make=make)
    assert all(len(mine) > 30 for mine in heard)


# Learning in a search


def test_a_search_learns_where_others_place_what_they_hold() -> None:
    game = game_at("2 3 b* rS,gl,bh1,rp *r3,b2,g2")
    experience = Experience((0,), (0, 1, 2), Random(1).random)
    chosen: list[str] = []
    for _ in range(400):
        experience.begin(0)
        action = experience.answer(game)
        chosen.append(str(action))
        good = str(action).endswith("<")
        experience.learn([0.0, float(good), 0.0])
    assert set(chosen) <= set(map(str, game.legal))
    assert sum(each.endswith("<") for each in chosen[-100:]) > 80


def test_a_search_that_learns_only_when_to_reveal_places_by_chance() -> None:
    game = game_at("2 3 b* rS,gl,bh1,rp *r3,b2,g2")
    experience = Experience((0,), (0, 1, 2), Random(1).random, all_decisions=False)
    starts = 0
    for _ in range(400):
        experience.begin(0)
        starts += str(experience.answer(game)).endswith("<")
        experience.learn([0.0, 1.0, 0.0])
    assert 100 < starts < 260


@pytest.mark.parametrize(
    ("stacks", "decree", "target", "destination", "where"),
    [
        ("b r g", 2, 1, 2, "again"),  # a single card leaves a gap, and the Decree closes it
        ("b r g", 2, 3, 1, "back"),
        ("b r g", 2, 3, 2, "back"),
        ("b r g", 2, 3, 3, "again"),
        ("bb r g", 2, 1, 2, "back"),  # no gap: another card lies below
        ("bb r g", 2, 1, 3, "again"),
    ],
)
def test_a_moved_card_is_remembered_by_the_side_of_the_decree_where_it_lies_now(
    stacks: str, decree: int, target: int, destination: int, where: str
) -> None:
    memory, seats = Memory(), "rbg"
    events: list[Event] = [RoundBegan(1, 0)]
    for position, stack in enumerate(stacks.split(), 1):
        for height, family in enumerate(stack, 1):
            spot = "^" if height > 1 else ">"
            events.append(Placed(seats.index(family), "?", spot, position, height))
    owner = seats.index(stacks.split()[target - 1][0])
    memory.observe([*events, Moved(0, decree, target, destination, owner, "?", False)])
    assert f"moved other {where} 1" in memory.traits(destination - 1, 0)
