"""Teach the searching bots: let bots play, and learn from their games.

    teach=".venv/bin/python scripts/lib/teach_bots.py"
    $teach play --games 12000 --seats rollout,steady quick.jsonl
    $teach play --games 3000 --seats master,master,master,master,steady strong.jsonl
    $teach learn quick.jsonl strong.jsonl

`play` appends records of games, one a line; stopped and started again, it goes on where it was.
Each seat is taken by one of those named; `rollout` is how imagined games go on. `learn` makes
`engine/bots/learned.json` from such games and says, of games that it kept aside, how well what was
learned foretells them: the mean loss is the negative logarithm of what was thought likely of what
happened; that of pure chance stands beside it.

Both things learned are conditional logit models (McFadden 1974): which seat wins
(`win_expectation.py`) and which card lies hidden somewhere (`beliefs.py`). The same games give the
same file. Teaching can be repeated with what was learned: `play` always uses the file as it is.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import Final, Generic, TypeAlias, TypeVar

from engine.actions import ACTIONS, Action
from engine.bots import BOTS, Bot, SearchingBot, make_bot
from engine.bots.beliefs import ASIDE, in_hand, in_queue
from engine.bots.rollout import answer
from engine.bots.win_expectation import Counted, Weights, terms
from engine.bots.worlds import unseen
from engine.cards import CARDS, FAMILIES, ROUNDS, UNKNOWN, Card, Seat
from engine.edition import EDITIONS
from engine.game import Deal, Game
from engine.position import cards_in
from engine.ranking import ranking
from engine.record import Record, RecordedPlayer
from engine.view import view

LEARNED: Final = Path(__file__).resolve().parents[2] / "engine" / "bots" / "learned.json"

ROLLOUT: Final = "rollout"
"""Who plays as imagined games go on."""

STRONG_COUNTS: Final = 3
"""So many times counts a game in which somebody searched: what wins against those who search is
what matters, and of such games there are few."""

ASIDE_PART: Final = 8
"""One in so many games is kept aside, to see how well it is foretold."""

MOMENTS: Final = 8
"""Of a game from which beliefs are learned; more of the same game say little new."""

EPOCHS: Final = 4
"""How often each case is learned from."""

RATE: Final = 0.1
"""How much is learned from a first case."""

Sample = TypeVar("Sample")
Key = TypeVar("Key", bound=Hashable)
Begun: TypeAlias = tuple[int, int, list[Counted], tuple[Seat, ...]]
"""A round that began: its number, how many players, what they have, and who won in the end."""

Hidden: TypeAlias = tuple[tuple[str, ...], str, Card]
"""A hidden card: the traits of its place, what it could be, and what it is."""

Option: TypeAlias = Sequence[tuple[Key, float]]
"""What speaks for a choice: weights by their keys, and how many times each counts."""


def main() -> None:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(description="Teach the searching bots.")
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="append records of games between bots")
    playing.add_argument("file", type=Path)
    playing.add_argument("--games", type=int, required=True)
    playing.add_argument("--seats", required=True, help="who plays: names, joined by commas")
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--iterations", type=int, default=60)
    learning = commands.add_parser("learn", help="make learned.json from records")
    learning.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.command == "play":
        names = arguments.seats.split(",")
        play(arguments.file, arguments.games, names, arguments.seed, arguments.iterations)
    else:
        learn(arguments.files)


# Playing


def play(path: Path, games: int, names: Sequence[str], seed: int, iterations: int) -> None:
    """Append records of games until the file has so many."""
    there = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
    with path.open("a", encoding="utf-8") as file:
        for number in range(there, games):
            file.write(play_game(Random(f"teach {seed} {number}"), names, iterations) + "\n")
            file.flush()


def play_game(rng: Random, names: Sequence[str], iterations: int) -> str:
    """Return the record of a game at a random table."""
    families = FAMILIES[: rng.choice((3, 4, 4, 4, 5))]
    deal = Deal.shuffled(rng, families, EDITIONS[rng.choice((1, 2))])
    seated = [rng.choice(names) for _ in families]
    bots = [
        None if name == ROLLOUT else make_bot(name, rng, lambda made: made < iterations)
        for name in seated
    ]
    game = Game.start(deal)
    actions = []
    while not game.over:
        bot = bots[game.turn]
        action = answer(game, rng.random) if bot is None else bot.choose(view(game, game.turn))
        actions.append(str(action))
        game.advance(action)
    players = [
        RecordedPlayer(family, name, name) for family, name in zip(families, seated, strict=True)
    ]
    return Record(deal, tuple(actions), players=tuple(players)).to_json()


# Learning


def learn(paths: Sequence[Path]) -> None:
    """Make `learned.json`."""
    records = [
        Record.from_json(line)
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    strong = [record for record in records if somebody_searched(record)]
    quick = [record for record in records if not somebody_searched(record)]
    fresh = strong[::ASIDE_PART]
    known = [record for number, record in enumerate(strong) if number % ASIDE_PART]
    learned = {
        "win_expectation": learn_win_expectation(quick + known * STRONG_COUNTS, fresh),
        # Who does not search leaves other cards than one that does.
        "beliefs": learn_beliefs(known, fresh),
    }
    LEARNED.write_text(_lines(learned) + "\n", encoding="utf-8")


def steps(record: Record) -> Iterator[tuple[Game, Action]]:
    """Yield each position of a game, which is then changed, and what was answered there."""
    game = Game.start(record.deal)
    for token in record.actions:
        yield game, ACTIONS[token]
        game.advance(ACTIONS[token])


def somebody_searched(record: Record) -> bool:
    """Return whether a bot that looks ahead took part."""
    return any(issubclass(BOTS.get(each.name, Bot), SearchingBot) for each in record.players)


class Logit(Generic[Key]):
    """A conditional logit model: a choice is as likely as exp(the sum of its weights) says.

    Learned by stochastic gradient descent with a step of its own for each weight (AdaGrad, Duchi,
    Hazan, Singer 2011).
    """

    def __init__(self) -> None:
        self.weights: defaultdict[Key, float] = defaultdict(float)
        self._squares: defaultdict[Key, float] = defaultdict(lambda: 1.0)

    def likely(self, options: Sequence[Option[Key]]) -> list[float]:
        """Return how likely each option is."""
        weights = self.weights
        scores = [sum(weights[key] * times for key, times in option) for option in options]
        most = max(scores)
        powers = [exp(score - most) for score in scores]
        total = sum(powers)
        return [power / total for power in powers]

    def loss(self, options: Sequence[Option[Key]], chosen: Sequence[float]) -> float:
        """Return how surprising it is that the options were chosen in these parts."""
        likely = self.likely(options)
        return -sum(part * log(each) for part, each in zip(chosen, likely, strict=True) if part)

    def step(self, options: Sequence[Option[Key]], chosen: Sequence[float]) -> None:
        """Learn from one choice."""
        slopes: defaultdict[Key, float] = defaultdict(float)
        for option, part, each in zip(options, chosen, self.likely(options), strict=True):
            for key, times in option:
                slopes[key] += (each - part) * times
        for key, slope in slopes.items():
            self._squares[key] += slope * slope
            self.weights[key] -= RATE * slope / sqrt(self._squares[key])


def fit(
    what: str,
    known: list[Sample],
    fresh: list[Sample],
    expand: Callable[[Sample], tuple[Sequence[Option[Key]], Sequence[float]]],
) -> Logit[Key]:
    """Return a model of what is known, and print how well it foretells what is not."""
    model = Logit[Key]()
    rng = Random(0)
    for _ in range(EPOCHS):
        rng.shuffle(known)
        for sample in known:
            model.step(*expand(sample))
    cases = [expand(sample) for sample in fresh]
    loss = sum(model.loss(*case) for case in cases) / len(cases)
    chance = sum(log(len(options)) for options, _ in cases) / len(cases)
    print(f"{what}: mean loss {loss:.4f}, of chance {chance:.4f}, {len(known)} cases", flush=True)
    return model


def learn_win_expectation(known: list[Record], fresh: list[Record]) -> Weights:
    """Return what each term is worth, by round."""

    def rounds(records: Iterable[Record]) -> list[Begun]:
        found = []
        for record in records:
            begun: dict[int, list[Counted]] = {}
            game = Game.start(record.deal)
            for game, _ in steps(record):
                if game.round not in begun:
                    begun[game.round] = terms(game)
            winners = ranking(game)[0]
            found += [
                (number, game.players, each, winners)
                for number, each in begun.items()
                if number > 1
            ]
        return found

    def expand(case: Begun) -> tuple[list[list[tuple[tuple[int, str], float]]], list[float]]:
        number, players, each, winners = case
        options: list[list[tuple[tuple[int, str], float]]] = [[] for _ in range(players)]
        for seat, term, times in each:
            options[seat].append(((number, term), times))
        return options, [(seat in winners) / len(winners) for seat in range(players)]

    model = fit("win expectation", rounds(known), rounds(fresh), expand)
    terms_of: list[list[str]] = [[] for _ in range(ROUNDS + 1)]
    for number, term in model.weights:
        terms_of[number].append(term)
    return [
        {term: round(model.weights[number, term], 4) for term in sorted(found)}
        for number, found in enumerate(terms_of)
    ]


def learn_beliefs(known: list[Record], fresh: list[Record]) -> dict[str, dict[Card, float]]:
    """Return what each trait of a hidden card's place says, by trait."""

    def hidden(records: Iterable[Record]) -> list[Hidden]:
        found: list[Hidden] = []
        for number, record in enumerate(records):
            moments = set(Random(number).sample(range(len(record.actions)), MOMENTS))
            for at, (game, _) in enumerate(steps(record)):
                if at in moments:
                    found += hidden_cards(game)
        return found

    def expand(case: Hidden) -> tuple[list[list[tuple[tuple[str, Card], float]]], list[float]]:
        traits, cards, truth = case
        options: list[list[tuple[tuple[str, Card], float]]] = [
            [((trait, card), 1.0) for trait in traits] for card in cards
        ]
        return options, [float(card == truth) for card in cards]

    model = fit("beliefs", hidden(known), hidden(fresh), expand)
    traits = sorted({trait for trait, _ in model.weights})
    return {
        trait: {card: round(model.weights[trait, card], 3) for card in CARDS} for trait in traits
    }


def hidden_cards(game: Game) -> Iterator[tuple[tuple[str, ...], str, Card]]:
    """Yield, of each card hidden from who is asked: its traits, what it could be, what it is."""
    seen = view(game, game.turn)
    for seat in range(game.players):
        cards = unseen(seen, seat)
        if not cards:
            continue
        for index, stack in enumerate(seen.queue):
            if stack[0] == seat:
                pairs = zip(cards_in(stack), cards_in(game.queue[index]), strict=True)
                for depth, ((card, _, _), (truth, _, _)) in enumerate(pairs):
                    if card == UNKNOWN:
                        yield in_queue(seen, index, depth), cards, truth
        for truth in game.hands[seat]:
            yield in_hand(seen, seat), cards, truth
        for truth in game.aside[seat]:
            yield ASIDE, cards, truth


def _lines(learned: Mapping[str, object]) -> str:
    """Return JSON with a line for each row, so that changes can be read."""
    text = json.dumps(learned, ensure_ascii=False, separators=(",", ":"))
    return text.replace("},", "},\n")


if __name__ == "__main__":
    main()
