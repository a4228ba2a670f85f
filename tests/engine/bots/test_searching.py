"""Tests searching bots: their answers in clear positions, and their share of victories."""

from random import Random

import pytest

from engine.actions import LEAVE, REVEAL
from engine.arena.contest import Series, simulate
from engine.arena.summary import BotTally
from engine.bots import BOTS, SearchingBot, bot_class, make_bot
from engine.bots.erring_bot import Learner
from engine.bots.learned_weights import MASTER_WEIGHTS
from engine.bots.master_bot import Grandmaster
from engine.bots.rollout import aim, reveals
from engine.bots.search import STARTERS, _ranked
from engine.bots.win_expectation import expectation, outcome, terms
from engine.cards import ROUNDS
from engine.game import Deal, Game
from engine.position import PLACE
from engine.ranking import each_alone, owners, sides
from engine.views import view
from tests.engine.lines import game_at, in_editions
from tests.engine.random_games import play_randomly

searching_bot = pytest.mark.parametrize(
    "name",
    [
        name
        for name, bot in zip(BOTS, map(bot_class, BOTS), strict=True)
        if issubclass(bot, SearchingBot) and not issubclass(bot, Learner)
    ],
)
"""Runs a test for each bot that plays the best answer of its search."""

ITERATIONS = 80


def answers(name: str, lines: list[str]) -> None:
    """Assert that a bot gives one of the answers at each line's end, in each of its editions."""
    for line, tokens in (each.split(": ") for each in lines):
        for each in in_editions(line):
            game = game_at(each)
            for seed in range(3):
                bot = make_bot(name, Random(seed), lambda made: made < ITERATIONS)
                assert str(bot.choose(view(game, game.turn))) in tokens.split()


ANSWERS = {
    "a conspiracy is cashed in the last round": ["6 r?1 rc3,bL,gL *r1,b3,g3: !"],
    "an heir is revealed when that wins": ["6 r?3 bL,gL,rh *r4,b5,g5: !"],
    "an ambush is left for the soldier that must spring it": ["6 r?1 rm,bS *r3,b4,g3: +"],
    "the leader is robbed when that wins": ["6 rP2 bH,rP,gL *r5,b6,g2: $b"],
    "an own rich card is spared": ["5 rS2 rc4,rS,gH *r3,b3,g3: x3"],
    "a rich card is killed rather than a poor one": ["5 rS2 bl5,rS,gF *r3,b4,g3: x1"],
    "a likely ambush is not sprung": ["6 rS2 bh,rS,gL *r4:A:PHF:LXDMC,b4:M:SPF:ALXDC,g2: x3"],
}
"""Positions of each test; after the colon, the answers that the bot may give."""


@searching_bot
@pytest.mark.parametrize("cases", ANSWERS.values(), ids=ANSWERS)
def test_its_answer(name: str, cases: list[str]) -> None:
    answers(name, cases)


def test_an_answer_that_left_the_race_is_compared_in_the_worlds_that_both_met() -> None:
    seen = view(game_at("2 6 r?1 rc3,bL,gL *r1,b3,g3"), 0)
    poor, rich = [0.2, 0.2], [0.8, 0.8, 0.8, 0.8]
    best, other = _ranked(seen, [LEAVE, REVEAL], [[0.1, 0.1], poor + rich], 6)
    assert (best.action, other.action) == (REVEAL, LEAVE)
    assert [best.share, other.share] == pytest.approx([0.6, 0.5])


def test_alone_against_random_one_wins_far_more_than_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Grandmaster, "iterations", 10)
    tally = BotTally()
    for played in simulate(Series(12, seed=2, bots=("grandmaster",))):
        tally.add(played)
    best = tally.scores()[0]
    assert best.bot == "grandmaster"
    assert best.interval[0] > 0.4


# The value of a game's end, and of the next round


def test_the_end_of_a_game_is_worth_the_part_of_the_victory_and_a_little_how_close_it_was() -> None:
    game = game_at("2 6 - bL,gL,rL,rH r9,*b9,g3")
    red, blue, green = outcome(game, each_alone(3))
    assert red > 0.97
    assert 0 < green < blue < 0.03


def test_two_seats_of_one_player_win_together() -> None:
    game = game_at("2 6 - bL,gL,rL,yL r9,*b6,g2,y6")
    first, second, third, fourth = outcome(game, owners(4, two=True))
    assert first == third < second == fourth


def test_no_seat_shuns_or_hunts_its_partner() -> None:
    everybody = owners(4, two=True)
    together, alone = sides(everybody), sides(each_alone(4))
    beside_soldier = game_at("2 3 r?2 gS,rp1,bp *r3,b2,g2,y2")
    assert reveals(beside_soldier, together) < reveals(beside_soldier, alone)
    strikes = game_at("2 3 gS2 rh3,gS,bp r3,*b2,g2,y2")
    at_partner, at_other = strikes.legal
    assert aim(strikes, together, at_partner) < 0 < aim(strikes, together, at_other)
    reached = {(seat, term) for seat, term, _ in terms(strikes, everybody)}
    assert (0, "own in reach") not in reached
    assert {(1, "in reach")} <= reached
    assert (0, "in reach") in {(seat, term) for seat, term, _ in terms(strikes, each_alone(4))}


def test_everything_that_a_seat_has_counts_and_nothing_else() -> None:
    met = set[str]()
    for seed in range(100):
        played = play_randomly(Deal.shuffled(Random(seed), "rbg"), Random(seed))
        for game in played.games:
            if game.question == PLACE and game.turn == game.first:
                met.update(term for _, term, _ in terms(game, each_alone(game.players)))
    assert len(MASTER_WEIGHTS.win_expectation) == ROUNDS + 1
    assert set[str]().union(*MASTER_WEIGHTS.win_expectation) == met


def test_who_has_more_may_expect_more_and_all_expect_one_victory() -> None:
    game = game_at("2 5 r* bH,gL,bp,rl2 *r3:AXD:SFM:PHC,b5:LXC:SFM:AD,g2:SPF:XDM:AHC")
    before = expectation(game, each_alone(3), MASTER_WEIGHTS.win_expectation)
    richer = Game.copy(game)
    richer.pools[0] += 3
    after = expectation(richer, each_alone(3), MASTER_WEIGHTS.win_expectation)
    assert sum(before) == pytest.approx(sum(after)) == pytest.approx(1)
    assert after[0] > before[0] + 0.05


def test_what_two_seats_have_counts_together() -> None:
    game = game_at("2 5 r* bH,gL,bp,rl2 *r5,b1,g5,y1")
    first, second, third, fourth = expectation(
        game, owners(4, two=True), MASTER_WEIGHTS.win_expectation
    )
    assert first == third > second == fourth


@searching_bot
def test_an_answer_that_is_to_be_judged_is_tried_however_little_it_promises(name: str) -> None:
    game = game_at("2 5 rD3 bs,bp,rD,gh,gp,yf,ya *r1,b1,g1,y1")
    there = make_bot(name, Random(1), (60).__gt__)
    assert isinstance(there, SearchingBot)
    untried = [each for each in there.weigh(view(game, game.turn)) if not each.tried]
    assert len(untried) == len(game.legal) - STARTERS > 0
    there.given = untried[0].action
    weighed = {each.action: each for each in there.weigh(view(game, game.turn))}
    assert weighed[untried[0].action].tried
