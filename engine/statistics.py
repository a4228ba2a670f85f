"""What somebody's games add up to: victories, places, influence, and what each card brought.

Each game is replayed from its record, and nothing but the sums is kept. Only finished games say
anything. Which games they are, and which seats in them were whose, is for the caller to say.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple

from engine.cards import AMBUSH, CARDS, Card, Seat
from engine.events import AmbushSprung, Eliminated, Event, Gained, Placed, Revealed, Stole
from engine.game import Game
from engine.ranking import Owner, Owners, owner_of, owners_of, places, total
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
    kind: Kind
    influence: int
    """The influence at the end, of both seats together at a table for two."""
    place: int
    """The place, from 1; who shares one has the better, as both victors have the first."""
    winners: int
    """How many won; more than one shared the victory."""

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


@dataclass(slots=True)
class Tally:
    """Results of some games, added up."""

    games: int = 0
    wins: int = 0
    """Victories, alone or shared."""
    shared: int = 0
    """How many victories were shared."""
    share: float = 0.0
    """The sum of victories where a shared one counts as its part."""
    par: float = 0.0
    """What `share` would be if all players were equally good."""
    influence: int = 0
    places: int = 0
    """The sum of all places."""

    def add(self, result: Result) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += result.won
        self.shared += result.won and result.winners > 1
        self.share += result.share
        self.par += 1 / result.kind.players
        self.influence += result.influence
        self.places += result.place

    @property
    def average_influence(self) -> float | None:
        """Influence at the end of a game."""
        return self.influence / self.games if self.games else None

    @property
    def average_place(self) -> float | None:
        """Place at the end of a game, from 1."""
        return self.places / self.games if self.games else None


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

    total: Tally = field(default_factory=Tally)
    unfinished: int = 0
    """Games that were broken off; nothing else is told of them."""
    unreadable: int = 0
    """Games whose record breaks the rules: whoever gets a RecordError from `add` counts them."""
    kinds: dict[Kind, Tally] = field(default_factory=dict)
    cards: dict[Card, CardFigures] = field(
        default_factory=lambda: {card: CardFigures() for card in CARDS}
    )
    """The figures of each card, in the order of the rules."""
    results: list[Result] = field(default_factory=list)
    """The result of every finished game, in the order in which they were added."""
    best: Result | None = None
    """The game with most influence at its end; of equal ones the first."""
    longest_bank: Bank | None = None
    """The most influence that was ever taken from one card; of equal ones the first."""
    best_ambush: Spring | None = None
    """The Ambush that brought most; of those, the one with most influence on it for a bait."""
    streak: int = 0
    """Victories, alone or shared, without another result since."""
    longest_streak: int = 0

    def add(self, record: Record, own: Collection[Seat], game: int = 0) -> None:
        """Add a game, to its end or to where it was broken off, by a number, and one's own seats.

        Raises RecordError for a record that breaks the rules, of which nothing has been counted,
        and ValueError for a seat that does not exist.
        """
        players = len(record.deal.families)
        if not own or not all(0 <= seat < players for seat in own):
            raise ValueError(f"a game of {players} has no seats {sorted(own)}")
        steps = list(replay(record))
        if not steps or not steps[-1].after.over:
            self.unfinished += 1
            return
        everybody = owners_of(record.settings, players)
        result = _result(game, steps[-1].after, everybody, owner_of(everybody, min(own)))
        self.results.append(result)
        self.total.add(result)
        self.kinds.setdefault(result.kind, Tally()).add(result)
        if self.best is None or result.influence > self.best.influence:
            self.best = result
        self.streak = self.streak + 1 if result.won else 0
        self.longest_streak = max(self.longest_streak, self.streak)
        for step in steps:
            self._count(step, own, game)

    def fields(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON; averages of nothing are None."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "unfinished": self.unfinished,
            "unreadable": self.unreadable,
            **_tally_fields(self.total),
            "longest_streak": self.longest_streak,
            "streak": self.streak,
            "best": None if self.best is None else _result_fields(self.best),
            "longest_bank": None if self.longest_bank is None else self.longest_bank._asdict(),
            "best_ambush": None if self.best_ambush is None else self.best_ambush._asdict(),
            "tables": [
                {**kind._asdict(), **_tally_fields(self.kinds[kind])} for kind in sorted(self.kinds)
            ],
            "cards": {
                card: {**asdict(figures), "each": _rounded(figures.each)}
                for card, figures in self.cards.items()
            },
            "results": list(map(_result_fields, self.results)),
        }

    def _count(self, step: Step, own: Collection[Seat], game: int) -> None:
        """Add what one decision led to."""
        bait, attacker = 0, ""
        for event in step.events:
            if isinstance(event, Eliminated):
                bait, attacker = event.influence, event.card
                victim = self.cards.get(event.victim_card)
                if victim and event.victim in own and event.seat not in own:
                    victim.eliminated += 1
            if isinstance(event, _COUNTED) and event.seat in own:
                self._credit(event)
                if isinstance(event, Revealed) and event.taken:
                    bank = Bank(game, step.before.round, event.card, event.taken)
                    known = self.longest_bank
                    if known is None or bank.influence > known.influence:
                        self.longest_bank = bank
                if isinstance(event, AmbushSprung) and event.attacker not in own:
                    spring = Spring(game, step.before.round, attacker, bait, event.influence)
                    best = self.best_ambush
                    if best is None or _worth(spring) > _worth(best):
                        self.best_ambush = spring

    def _credit(self, event: Event) -> None:
        """Add what an event says of the card that brought it about."""
        if isinstance(event, Placed):
            if event.card in self.cards:
                self.cards[event.card].placed += 1
        elif isinstance(event, Revealed):
            figures = self.cards[event.card]
            figures.revealed += 1
            figures.banked += event.taken
        elif isinstance(event, Gained | Stole):
            self.cards[event.card].gained += event.influence
        elif isinstance(event, Eliminated):
            figures = self.cards[event.card]
            figures.eliminations += 1
            figures.gained += ELIMINATION_GAIN
        elif isinstance(event, AmbushSprung):
            self.cards[AMBUSH].gained += event.influence


ELIMINATION_GAIN: Final = 1
"""What eliminating a card brings, whosever it was."""

_COUNTED: Final = (Placed, Revealed, Gained, Stole, Eliminated, AmbushSprung)
"""Events that tell something of a card."""


def _tally_fields(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "shared": tally.shared,
        "share": _rounded(tally.share),
        "expected": _rounded(tally.par),
        "average_influence": _rounded(tally.average_influence),
        "average_place": _rounded(tally.average_place),
    }


def _result_fields(result: Result) -> dict[str, Any]:
    fields = result._asdict()
    kind: Kind = fields.pop("kind")
    return {"game": fields.pop("game"), **kind._asdict(), **fields}


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, DECIMALS)


DECIMALS: Final = 3
"""How many decimals numbers in `fields` have that are not whole."""


def _worth(spring: Spring) -> tuple[int, int]:
    return spring.influence, spring.bait


def _result(game: int, end: Game, everybody: Owners, me: Owner) -> Result:
    found = places(end, everybody)
    kind = Kind(len(everybody), end.edition.number)
    winners = sum(found[seats[0]] == 1 for seats in everybody)
    return Result(game, kind, total(end, me), found[me[0]], winners)
