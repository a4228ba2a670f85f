"""Fits weights to games: for each player's chance to win, and for each hidden card.

Both are conditional logit models (McFadden 1974): the likelihood of an option is exp(the sum of its
weights), relative to the other options. Some games are held out to measure the fit. The loss is the
mean negative logarithm of the likelihood of the true outcomes. The loss of pure chance is reported
beside it. The same games give the same weights.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.bots.beliefs import ASIDE, in_hand, in_queue
from engine.bots.memory import Memory
from engine.bots.win_expectation import terms
from engine.cards import CARDS, ROUNDS, UNKNOWN, Card
from engine.events import Event, RoundBegan
from engine.game import Game
from engine.position import cards_in, unseen_cards
from engine.ranking import owners, ranking_of_owners
from engine.record import Record, replay
from engine.views import project, view

KEPT_ASIDE: Final = 9
"""One game in this many is held out. Kinds of tables take turns, so games of each kind are held
out.
"""

MOMENTS: Final = 6
"""Number of decisions of a game whose hidden cards the beliefs are fitted to. More of a game would
add little.
"""

PRIOR: Final = 12.0
"""Weight of the prior that expectation weights are near 0, as a number of cases."""

WHO: Final = "by "
"""Prefix of the terms for a player's bot. Their weights are fitted, but not stored."""

STEPS: Final = 12
"""Maximum number of steps of Newton's method. It usually needs fewer."""

EPOCHS: Final = 6
"""Number of passes over all hidden cards."""

BATCH: Final = 512
"""Number of hidden cards in a batch."""

RATE: Final = 0.1
"""The learning rate at the beginning (AdaGrad: Duchi, Hazan, Singer 2011)."""

Floats: TypeAlias = NDArray[np.float64]

Losses: TypeAlias = dict[str, float]
"""The mean loss on held-out games for each kind of weights; the keys that end with ` by chance` are
for pure chance.
"""


class RoundStart(NamedTuple):
    """The beginning of a round, from which the fitted terms estimate the victory."""

    round: int
    has: tuple[Mapping[str, float], ...]
    """For each player, the number of times that each term counts."""
    won: tuple[float, ...]
    """For each player, the share of the victory at the end."""


class HiddenCard(NamedTuple):
    """A case for the beliefs: a card that the asked player could not see."""

    traits: tuple[str, ...]
    remembered: tuple[str, ...]
    """The traits of the card's history."""
    cards: str
    """The cards that the hidden card could have been."""
    truth: Card


class Lessons(NamedTuple):
    """The cases from some games, for fitting."""

    begun: list[RoundStart]
    hidden: list[HiddenCard]


def lessons(games: Iterable[tuple[int, Record]]) -> Lessons:
    """Return the cases of games; each game comes with its number.

    The setting `bots` of each record names the bots of its players.
    """
    found = Lessons([], [])
    for number, record in games:
        everybody = owners(len(record.deal.families), two=record.settings.get("two") is True)
        moments = set(Random(number).sample(range(len(record.actions)), MOMENTS))
        memory = Memory()
        events: Sequence[Event] = [RoundBegan(1, record.deal.first)]
        begun: dict[int, tuple[Mapping[str, float], ...]] = {}
        end = None
        for at, step in enumerate(replay(record)):
            memory.observe([project(event, None) for event in events])
            if step.before.round not in begun:
                counted = terms(step.before, everybody)
                # Add a term for each player's bot. Otherwise the weights of the cards that strong
                # bots prefer would include the strength of these bots.
                bots = str(record.settings["bots"]).split(",")
                has: tuple[dict[str, float], ...] = tuple({WHO + bot: 1.0} for bot in bots)
                for seat, term, times in counted:
                    [mine] = [has[i] for i, own in enumerate(everybody) if seat in own]
                    mine[term] = mine.get(term, 0.0) + times
                begun[step.before.round] = has
            if at in moments:
                found.hidden.extend(_hidden_cards(step.before, memory))
            events, end = step.events, step.after
        assert end is not None
        winners = ranking_of_owners(end, everybody)[0]
        won = tuple((own in winners) / len(winners) for own in everybody)
        found.begun.extend(RoundStart(*each, won) for each in begun.items() if each[0] > 1)
    return found


def _hidden_cards(game: Game, memory: Memory) -> Iterator[HiddenCard]:
    """Yield each card that is hidden from the asked player."""
    seen = view(game, game.turn)
    for seat in range(game.players):
        cards = unseen_cards(seen, seat)
        if not cards:
            continue
        for index, stack in enumerate(seen.queue):
            if stack[0] == seat:
                pairs = zip(cards_in(stack), cards_in(game.queue[index]), strict=True)
                for depth, ((card, _, _), (truth, _, _)) in enumerate(pairs):
                    if card == UNKNOWN:
                        past = memory.traits(index, depth)
                        yield HiddenCard(in_queue(seen, index, depth), past, cards, truth)
        for truth in game.hands[seat]:
            yield HiddenCard(in_hand(seen, seat), (), cards, truth)
        for truth in game.aside[seat]:
            yield HiddenCard(ASIDE, (), cards, truth)


def fit(games: Mapping[int, Record]) -> tuple[dict[str, Any], Losses]:
    """Return the weights in the format of `learned.json`, and their losses."""
    known = lessons(each for each in games.items() if each[0] % KEPT_ASIDE)
    fresh = lessons(each for each in games.items() if each[0] % KEPT_ASIDE == 0)
    losses: Losses = {}
    weights: list[dict[str, float]] = [{}, {}]
    for number in range(2, ROUNDS + 1):
        cases, others = ([b for b in all_.begun if b.round == number] for all_ in (known, fresh))
        names = sorted({term for case in cases for has in case.has for term in has})
        found = _win_expectation(cases, names)
        pairs = zip(names, found, strict=True)
        weights.append({name: round(float(w), 4) for name, w in pairs if not name.startswith(WHO)})
        losses[f"round {number}"] = _surprise(others, names, found)
        losses[f"round {number} by chance"] = float(np.mean([log(len(c.won)) for c in others]))
    learned: dict[str, Any] = {"win_expectation": weights}
    by_place: Callable[[HiddenCard], tuple[str, ...]] = lambda case: case.traits  # noqa: E731
    by_past: Callable[[HiddenCard], tuple[str, ...]] = lambda case: case.traits + case.remembered  # noqa: E731
    for name, traits_of in (("beliefs", by_place), ("history", by_past)):
        learned[name], losses[name] = _beliefs(known.hidden, fresh.hidden, traits_of)
    losses["beliefs by chance"] = float(np.mean([log(len(case.cards)) for case in fresh.hidden]))
    return learned, {what: round(loss, 4) for what, loss in losses.items()}


def _cases(cases: Sequence[RoundStart], names: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """Return counts of terms, 0 or -inf for present or absent players, and the results."""
    most = max(len(case.won) for case in cases)
    number = {name: at for at, name in enumerate(names)}
    counts = np.zeros((len(cases), most, len(names)))
    absent = np.full((len(cases), most), -np.inf)
    won = np.zeros((len(cases), most))
    for at, case in enumerate(cases):
        won[at, : len(case.won)] = case.won
        absent[at, : len(case.won)] = 0.0
        for player, has in enumerate(case.has):
            for term, times in has.items():
                if term in number:
                    counts[at, player, number[term]] = times
    return counts, absent, won


def _likely(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: Floats = powers / powers.sum(axis=1, keepdims=True)
    return likely


def _win_expectation(cases: Sequence[RoundStart], names: Sequence[str]) -> Floats:
    """Return the weight of each term, by Newton's method."""
    counts, absent, won = _cases(cases, names)
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        likely = _likely(counts @ weights + absent)
        slope = np.einsum("np,npt->t", likely - won, counts) + PRIOR * weights
        mean = np.einsum("np,npt->nt", likely, counts)
        curve = np.tensordot(counts * likely[:, :, None], counts, ((0, 1), (0, 1)))
        curve += PRIOR * np.eye(len(names)) - mean.T @ mean
        weights -= np.linalg.solve(curve, slope)
    return weights


def _surprise(cases: Sequence[RoundStart], names: Sequence[str], weights: Floats) -> float:
    counts, absent, won = _cases(cases, names)
    likely = np.maximum(_likely(counts @ weights + absent), 1e-12)
    return float(-(won * np.log(likely)).sum(axis=1).mean())


def _beliefs(
    known: Sequence[HiddenCard],
    fresh: Sequence[HiddenCard],
    traits_of: Callable[[HiddenCard], tuple[str, ...]],
) -> tuple[dict[str, dict[Card, float]], float]:
    """Return the weight of each trait for each card, and the mean loss."""
    names = sorted({trait for case in known for trait in traits_of(case)})
    number = {name: at for at, name in enumerate(names, 1)}
    # Row 0 stays 0. It pads cases that have fewer traits than others, and stands for unknown
    # traits.
    weights = np.zeros((len(names) + 1, len(CARDS)))
    squares = np.ones_like(weights)

    def arrays(cases: Sequence[HiddenCard]) -> tuple[NDArray[np.int32], Floats, NDArray[np.int32]]:
        rows = [[number.get(trait, 0) for trait in traits_of(case)] for case in cases]
        width = max(map(len, rows), default=0)
        traits = np.array([row + [0] * (width - len(row)) for row in rows], dtype=np.int32)
        seen = [[0.0 if card in case.cards else -np.inf for card in CARDS] for case in cases]
        truths = [CARDS.index(case.truth) for case in cases]
        return traits, np.array(seen), np.array(truths, dtype=np.int32)

    traits, seen, truths = arrays(known)
    rng = np.random.default_rng(0)
    for _ in range(EPOCHS):
        order = rng.permutation(len(truths))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            slopes = _likely(weights[traits[batch]].sum(axis=1) + seen[batch])
            slopes[np.arange(len(batch)), truths[batch]] -= 1
            total = np.zeros_like(weights)
            np.add.at(total, traits[batch], slopes[:, None, :])
            total[0] = 0.0
            squares += total * total
            weights -= RATE * total / np.sqrt(squares)
    traits, seen, truths = arrays(fresh)
    likely = _likely(weights[traits].sum(axis=1) + seen)[np.arange(len(truths)), truths]
    found = {
        name: {card: round(float(w), 3) for card, w in zip(CARDS, weights[at], strict=True)}
        for name, at in number.items()
    }
    return found, float(-np.log(np.maximum(likely, 1e-12)).mean())
