"""Measures the value of conditional answers: the hours that they save, and the chances they cost.

Bots stand for people in four time zones, who sleep at night and return after some waking hours. A
conditional answer leaves a card that people usually leave, until the round in which they no longer
do so in most games. The same deals are played without conditional answers, by careful people, and
by bold ones. The bot `master` judges the share of the victory that conditional answers give away.

An earlier trial had cards that are left unless another family stands beside them. That saved no
time, since another card nearly always stands there, so the program does not offer it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

from engine.actions import ACTIONS, LEAVE, Action
from engine.bots import make_bot
from engine.bots.base import SearchingBot
from engine.cards import FAMILIES, ROUNDS
from engine.game import Deal, Game
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View, view
from netcode.wings.days.conditional_answers import outcome
from netcode.wings.days.messages import Condition
from netcode.wings.days.pauses import HOUR_S, Pauses
from scripts.lib.figures import Figure

ZONES: Final = (0, 1, -5, 9)
"""The hours by which the clocks of the players are ahead of UTC."""

LIMIT_S: Final = 24 * HOUR_S
"""Seconds after which a bot answers."""

MEDIAN_S: Final = 1.0 * HOUR_S
"""The median of the waking hours before an answer, in seconds. Their distribution is log-normal."""
SPREAD: Final = 1.1
"""The standard deviation of the logarithm of the waking hours before an answer."""

CAUTION: Final = {"careful": 0.85, "bold": 0.5}
"""By kind of people, the minimum value in `Usual` for which they prepare to leave a card."""

ITERATIONS: Final = 1500
"""Number of iterations for a judgement by the master."""

Usual: TypeAlias = Mapping[tuple[str, int], float]
"""The frequency, from 0 to 1, of leaving a card face down, by card and round."""


class Played(NamedTuple):
    """A game of the trial."""

    hours: float
    decisions: int
    prepared: tuple[View, ...]
    """The views at which a conditional answer was played, each as its player saw it."""


def usual_answers(games: int, rng: Random) -> Usual:
    """Let bots play games; return the frequency of leaving a card face down, as in `Usual`."""
    left, questions = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for _ in range(games):
        game = _dealt(rng)
        bots = [make_bot("steady", Random(rng.random())) for _ in game.families]
        while not game.over:
            action = bots[game.turn].choose(view(game, game.turn))
            if game.question == LEAVE_OR_REVEAL:
                key = game.queue[game.at][1], game.round
                questions[key] += 1
                left[key] += action == LEAVE
            game.advance(action)
    return {key: left[key] / number for key, number in questions.items()}


def _dealt(rng: Random) -> Game:
    return Game.start(Deal.shuffled(rng, FAMILIES[: len(ZONES)]))


def play(seed: int, usual: Usual, caution: float | None) -> Played:
    """Play a game in which everybody has this caution; None for no conditional answers."""
    game = _dealt(Random(f"{seed} deal"))
    bots = [make_bot("steady", Random(f"{seed} {seat}")) for seat in range(game.players)]
    conditions: list[tuple[Condition, ...]] = [()] * game.players
    now, there, decisions, prepared = 0.0, -1, 0, list[View]()
    while not game.over:
        seat = game.turn
        seen = view(game, seat)
        decisions += 1
        token, conditions[seat] = outcome(seen, conditions[seat])
        if token is not None:
            prepared.append(seen)
            game.advance(ACTIONS[token])
            continue
        if seat != there:
            # The player who has just answered is still at the table.
            now = _answered_at(now, ZONES[seat], Random(f"{seed} {seat} {decisions}"))
            there = seat
        action = bots[seat].choose(seen.copy())
        game.advance(action)
        if caution is not None and not game.over:
            conditions[seat] = _prepared(view(game, seat), seat, usual, caution)
    return Played(now / HOUR_S, decisions, tuple(prepared))


def _answered_at(now: float, zone: int, rng: Random) -> float:
    """Return the second at which a person answers a question of the second `now`, or a bot does."""
    waking_s = MEDIAN_S * rng.lognormvariate(0, SPREAD)
    return min(now + LIMIT_S, Pauses(True, False, zone * HOUR_S).ends_at(now, waking_s))


def _prepared(seen: View, seat: int, usual: Usual, caution: float) -> tuple[Condition, ...]:
    """Return a player's conditional answers for their face-down cards, after an answer."""
    found = []
    for at, (owner, card, face_up, *_) in enumerate(seen.queue):
        if owner != seat or face_up:
            continue
        is_ahead = seen.question == PLACE or at >= seen.at
        first = until = seen.round if is_ahead else seen.round + 1
        while until < ROUNDS and usual.get((card, until), 0.0) >= caution:
            until += 1
        if until > first:
            found.append(Condition(card=f"{seen.families[seat]}{card}", until_round=until))
    return tuple(found)


class Loss(NamedTuple):
    """The shares of the victory, from 0 to 1, that two answers to one question give away."""

    prepared: float
    """The loss of the conditional answer, as `master` judges it."""
    own: float
    """The loss of the answer that the player would have given."""


def losses(views: Sequence[View], rng: Random) -> list[Loss]:
    """Return the losses at questions that conditional answers have answered."""
    found = []
    for seen in views:
        master = make_bot("master", Random(rng.random()), lambda made: made < ITERATIONS)
        assert isinstance(master, SearchingBot)
        shares = {each.action: each.share for each in master.weigh(seen.copy())}
        own: Action = make_bot("steady", Random(rng.random())).choose(seen.copy())
        best = max(shares.values())
        found.append(Loss(best - shares[LEAVE], best - shares[own]))
    return found


def figures(games: int, judged: int, seed: int = 1) -> list[Figure]:
    """Return the figures of `games` games and up to `judged` answers for each kind of people."""
    usual = usual_answers(games, Random(f"{seed} usual"))
    plain = fmean(play(seed + n, usual, None).hours for n in range(games))
    found = [Figure("hours_of_a_game", round(plain, 1), "h")]
    for kind, caution in CAUTION.items():
        played = [play(seed + n, usual, caution) for n in range(games)]
        rng = Random(f"{seed} {kind}")
        views = [each for game in played for each in game.prepared]
        judgements = losses(rng.sample(views, min(judged, len(views))), rng)
        found += [
            Figure(f"hours_saved_by_{kind}", round(plain - fmean(e.hours for e in played), 1), "h"),
            Figure(f"prepared_by_{kind}", round(len(views) / games, 2), "answers/game"),
            Figure(
                f"lost_by_prepared_of_{kind}",
                max(0.001, round(100 * fmean([each.prepared for each in judgements]), 3)),
                "% of victory",
            ),
            Figure(
                f"lost_by_own_of_{kind}",
                max(0.001, round(100 * fmean([each.own for each in judgements]), 3)),
                "% of victory",
            ),
        ]
    return found
