"""What somebody's games add up to: victories, places, influence, and what each card brought.

Each game is replayed from its record, and nothing but the sums is kept. Only finished games say
anything. Which games they are, and which seats in them were whose, is for the caller to say.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from statistics import fmean
from typing import Any, Final, NamedTuple

from engine.cards import AMBUSH, CARDS, Card, Seat
from engine.events import AmbushSprung, Eliminated, Gained, Placed, Revealed, Stole
from engine.ranking import owner_of, owners_of, places, total
from engine.record import Record, Step, replay

FORMAT: Final = "driflamme-statistics"
"""What `fields` says that it returns."""
VERSION: Final = 1
"""The version of `fields`: it goes up when a field means something else, not when one is added."""


class Kind(NamedTuple):
    """A kind of table."""

    players: int
    """How many players there are: 3 to 5, or 2 at a table for two."""
    edition: int


class Result(NamedTuple):
    """How one game ended for whoever these statistics are of."""

    game: int
    """The number that the caller gave the game."""
    players: int
    edition: int
    influence: int
    """The influence at the end, of both seats together at a table for two."""
    place: int
    """The place, from 1; who shares one has the better, as both victors have the first."""
    winners: int
    """How many won; more than one shared the victory."""

    @property
    def kind(self) -> Kind:
        """The kind of table at which it was played."""
        return Kind(self.players, self.edition)

    @property
    def won(self) -> bool:
        """Whether it was a victory, alone or shared."""
        return self.place == 1

    @property
    def share(self) -> float:
        """The part of the victory: a half if two shared it, 0 if others won."""
        return 1 / self.winners if self.won else 0.0


class Bank(NamedTuple):
    """Influence that was taken from one card by revealing it."""

    game: int
    round: int
    card: Card
    influence: int
    """What went into the pool: of a Conspiracy, twice what lay on it."""


class Spring(NamedTuple):
    """An Ambush that somebody else's card ran into."""

    game: int
    round: int
    attacker: Card
    """The card that ran into it, and was discarded unless it had left the Queue by itself."""
    bait: int
    """Influence that lay on the Ambush, and was lost."""
    influence: int
    """What the Ambush brought."""


@dataclass(slots=True)
class CardFigures:
    """What became of one's own copies of a card, and what they brought."""

    placed: int = 0
    revealed: int = 0
    eliminated: int = 0
    """How often somebody else's card eliminated it, face up or face down."""
    eliminations: int = 0
    """Cards that it eliminated, own ones included."""
    banked: int = 0
    """Influence that lay on it and was taken by revealing it; of a Conspiracy twice as much."""
    gained: int = 0
    """What its ability brought: the gain of an Heir, a Lord or an Ambush, 1 for each card that it
    eliminated, what a Spy stole. What a Shapeshifter copied counts as the Shapeshifter's."""

    @property
    def influence(self) -> int:
        """All that it brought. What others took from its owner meanwhile is not deducted."""
        return self.banked + self.gained

    @property
    def each(self) -> float | None:
        """What it brought each time that it was placed."""
        return self.influence / self.placed if self.placed else None


class Tally(NamedTuple):
    """Results of some games, added up."""

    games: int
    wins: int
    """Victories, alone or shared."""
    shared: int
    """How many victories were shared."""
    share: float
    """The sum of victories where a shared one counts as its part."""
    expected: float
    """What `share` would be if all players were equally good."""
    average_influence: float | None
    """Influence at the end of a game; None of no games."""
    average_place: float | None
    """Place at the end of a game, from 1; None of no games."""

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Tally":
        """Add up."""
        return cls(
            len(results),
            sum(each.won for each in results),
            sum(each.won and each.winners > 1 for each in results),
            sum(each.share for each in results),
            sum(1 / each.players for each in results),
            fmean(each.influence for each in results) if results else None,
            fmean(each.place for each in results) if results else None,
        )


@dataclass(slots=True)
class Statistics:
    """Somebody's games, added up one by one, in the order in which they were played.

    >>> from random import Random
    >>> from engine.arena.contest import Series, simulate
    >>> statistics = Statistics()
    >>> for played in simulate(Series(games=5, seed=1)):
    ...     record = Record(played.deal, tuple(map(str, played.actions)))
    ...     statistics.add(record, own=(0,), game=played.number)
    ...
    >>> statistics.total.games, statistics.total.wins
    (5, 1)
    >>> statistics.fields()["best"]
    {'game': 3, 'players': 4, 'edition': 2, 'influence': 9, 'place': 2, 'winners': 1}
    """

    results: list[Result] = field(default_factory=list)
    """The result of every finished game, in the order in which they were added."""
    unfinished: int = 0
    """Games that were broken off; nothing else is told of them."""
    unreadable: int = 0
    """Games whose record breaks the rules: whoever gets a RecordError from `add` counts them."""
    cards: dict[Card, CardFigures] = field(
        default_factory=lambda: {card: CardFigures() for card in CARDS}
    )
    """The figures of each card, in the order of the rules."""
    longest_bank: Bank | None = None
    """The most influence that was ever taken from one card; of equal ones the first."""
    best_ambush: Spring | None = None
    """The Ambush that brought most; of those, the one with most influence on it for a bait."""

    @property
    def total(self) -> Tally:
        """All games."""
        return Tally.of(self.results)

    @property
    def kinds(self) -> dict[Kind, Tally]:
        """The games of each kind of table."""
        return {
            kind: Tally.of([each for each in self.results if each.kind == kind])
            for kind in sorted({each.kind for each in self.results})
        }

    @property
    def best(self) -> Result | None:
        """The game with most influence at its end; of equal ones the first."""
        return max(self.results, key=lambda each: each.influence, default=None)

    @property
    def streaks(self) -> list[int]:
        """Victories in a row, alone or shared, game after game; 0 after another result."""
        return [*accumulate(self.results, lambda n, each: (n + 1) * each.won, initial=0)]

    def add(self, record: Record, own: Collection[Seat], game: int = 0) -> None:
        """Add a game in which the user had some seats; one that was broken off only counts as such.

        Raises RecordError for a record that breaks the rules, of which nothing has been counted,
        and ValueError for a seat that does not exist.

        Args:
            record: The game.
            own: The user's seats in it.
            game: By which number its result is found again.
        """
        players = len(record.deal.families)
        if not own or not all(0 <= seat < players for seat in own):
            raise ValueError(f"a game of {players} has no seats {sorted(own)}")
        steps = list(replay(record))
        if not steps or not steps[-1].after.over:
            self.unfinished += 1
            return
        end, everybody = steps[-1].after, owners_of(record.settings, players)
        me, found = owner_of(everybody, min(own)), places(end, everybody)
        kind = len(everybody), end.edition.number
        winners = sum(found[seats[0]] == 1 for seats in everybody)
        self.results.append(Result(game, *kind, total(end, me), found[me[0]], winners))
        # A player who took a seat in the middle of the game decided nothing before that.
        taken = [record.players[seat].step for seat in own] if record.players else [0]
        for step in steps[max(taken) :]:
            self._count(step, own, game)

    def fields(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON; averages of nothing are None."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "unfinished": self.unfinished,
            "unreadable": self.unreadable,
            **_rounded(self.total._asdict()),
            "longest_streak": max(self.streaks),
            "streak": self.streaks[-1],
            "best": self.best and self.best._asdict(),
            "longest_bank": self.longest_bank and self.longest_bank._asdict(),
            "best_ambush": self.best_ambush and self.best_ambush._asdict(),
            "tables": [
                kind._asdict() | _rounded(tally._asdict()) for kind, tally in self.kinds.items()
            ],
            "cards": {
                card: _rounded({**asdict(figures), "each": figures.each})
                for card, figures in self.cards.items()
            },
            "results": [each._asdict() for each in self.results],
        }

    def _count(self, step: Step, own: Collection[Seat], game: int) -> None:
        """Add what one decision led to."""
        bait, attacker = 0, ""
        moment = game, step.before.round
        for event in step.events:
            match event:
                case Eliminated():
                    bait, attacker = event.influence, event.card
                    if event.seat in own:
                        self.cards[event.card].eliminations += 1
                        self.cards[event.card].gained += ELIMINATION_GAIN
                    elif event.victim in own and event.victim_card in self.cards:
                        self.cards[event.victim_card].eliminated += 1
                case Placed(seat=seat, card=card) if seat in own and card in self.cards:
                    self.cards[card].placed += 1
                case Revealed(seat=seat, card=card, taken=taken) if seat in own:
                    self.cards[card].revealed += 1
                    self.cards[card].banked += taken
                    if taken:
                        bank = Bank(*moment, card, taken)
                        known = self.longest_bank or bank
                        self.longest_bank = max(known, bank, key=lambda each: each.influence)
                case Gained() | Stole() if event.seat in own:
                    self.cards[event.card].gained += event.influence
                case AmbushSprung() if event.seat in own:
                    self.cards[AMBUSH].gained += event.influence
                    if event.attacker not in own:
                        spring = Spring(*moment, attacker, bait, event.influence)
                        best = self.best_ambush or spring
                        self.best_ambush = max(
                            best, spring, key=lambda each: (each.influence, each.bait)
                        )
                case _:
                    pass


ELIMINATION_GAIN: Final = 1
"""What eliminating a card brings, whosever it was."""


DECIMALS: Final = 3
"""How many decimals numbers in `fields` have that are not whole."""


def _rounded(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, DECIMALS) if isinstance(value, float) else value
        for name, value in fields.items()
    }
