"""Computes a player's statistics: victories, places, influence, and figures of each card.

`Statistics` replays each game from its record and stores only sums. Only finished games count. The
caller chooses the games and the player's seats in them.
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
"""The value of the field `format` in `fields`."""
VERSION: Final = 1
"""The version of `fields`. It rises when a field changes its meaning, but not when a field is
added.
"""


class Kind(NamedTuple):
    """The tables whose results are summed separately: number of players, and edition."""

    players: int
    """Number of players: 3 to 5, or 2 at a table for two."""
    edition: int


class Result(NamedTuple):
    """The result of one game for the player whom the statistics are about."""

    game: int
    """The caller's number for the game."""
    players: int
    edition: int
    influence: int
    """Influence of the player at the end: the sum of both seats at a table for two."""
    place: int
    """The place, from 1. Players with equal results share the better place: two winners have place
    1.
    """
    winners: int
    """Number of victors. More than one share the victory."""

    @property
    def kind(self) -> Kind:
        """The number of players and the edition, by which results are summed."""
        return Kind(self.players, self.edition)

    @property
    def won(self) -> bool:
        """True for a victory, alone or shared."""
        return self.place == 1

    @property
    def share(self) -> float:
        """The share of the victory: 1/2 if two players shared it, 0 for a defeat."""
        return 1 / self.winners if self.won else 0.0


class Bank(NamedTuple):
    """The influence that one revealing of a card brought."""

    game: int
    round: int
    card: Card
    influence: int
    """Influence added to the pool. A Conspiracy adds twice the influence on it."""


class Spring(NamedTuple):
    """An own Ambush that an opponent's card eliminated."""

    game: int
    round: int
    attacker: Card
    """The card that eliminated the Ambush."""
    bait: int
    """Influence that was on the Ambush, and was lost."""
    influence: int
    """Influence that the Ambush gained by its ability."""


@dataclass(slots=True)
class CardFigures:
    """The player's figures for one card, over all games."""

    placed: int = 0
    revealed: int = 0
    eliminated: int = 0
    """Number of times that an opponent's card eliminated this card, face up or face down."""
    eliminations: int = 0
    """Number of cards that this card eliminated, including the player's own."""
    banked: int = 0
    """Influence taken by revealing this card. A Conspiracy takes twice the influence on it."""
    gained: int = 0
    """Influence from this card's ability: the gain of an Heir, a Lord or an Ambush, 1 for each
    eliminated card, and stolen influence. A copied ability counts for the Shapeshifter.
    """

    @property
    def influence(self) -> int:
        """All influence that the card brought: `banked` and `gained`."""
        return self.banked + self.gained

    @property
    def each(self) -> float | None:
        """Average influence for each time that the card was placed; None if it was never placed."""
        return self.influence / self.placed if self.placed else None


class Tally(NamedTuple):
    """The sums and averages of several results."""

    games: int
    wins: int
    """Victories, alone or shared."""
    shared: int
    """Number of shared victories."""
    share: float
    """The sum of the shares of victories."""
    expected: float
    """The value that `share` would have if all players were equally strong."""
    average_influence: float | None
    """Average influence at the end; None without games."""
    average_place: float | None
    """Average place, from 1; None without games."""

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Tally":
        """Return the sums and averages of some results."""
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
    """The statistics of a player, to which the caller adds games in the order of play.

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
    """The result of every finished game, in the order of `add`."""
    unfinished: int = 0
    """Number of interrupted games. They count nowhere else."""
    unreadable: int = 0
    """Number of games whose record breaks the rules. The caller of `add` must count them here."""
    cards: dict[Card, CardFigures] = field(
        default_factory=lambda: {card: CardFigures() for card in CARDS}
    )
    """The figures of each card, in the order of the rules."""
    longest_bank: Bank | None = None
    """The revealing of a card that brought the most influence; the earliest of several equal ones.
    None before the first revealing of a card with influence.
    """
    best_ambush: Spring | None = None
    """The Ambush with the largest gain, then with most influence on it. None before the first."""

    @property
    def total(self) -> Tally:
        """The sums of all games."""
        return Tally.of(self.results)

    @property
    def kinds(self) -> dict[Kind, Tally]:
        """The sums of each kind of table."""
        return {
            kind: Tally.of([each for each in self.results if each.kind == kind])
            for kind in sorted({each.kind for each in self.results})
        }

    @property
    def best(self) -> Result | None:
        """The game with most influence at the end; the earliest if several are equal.

        None without games.
        """
        return max(self.results, key=lambda each: each.influence, default=None)

    @property
    def streaks(self) -> list[int]:
        """After each game, the number of victories in a row, alone or shared; 0 after a defeat.

        The first item, 0, stands before the first game.
        """
        return [*accumulate(self.results, lambda n, each: (n + 1) * each.won, initial=0)]

    def add(self, record: Record, own: Collection[Seat], game: int = 0) -> None:
        """Add a game of the player. An interrupted game only increases `unfinished`.

        Args:
            record: The game.
            own: The player's seats in the game.
            game: The caller's number for the game, which its result repeats.

        Raises:
            RecordError: The record breaks the rules. Nothing of the game is counted.
            ValueError: `own` is empty or has a seat that does not exist.
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
        # A player who took over a seat during the game did not make the earlier decisions.
        taken = [record.players[seat].step for seat in own] if record.players else [0]
        for step in steps[max(taken) :]:
            self._count(step, own, game)

    def fields(self) -> dict[str, Any]:
        """Return all statistics as plain data for JSON. Averages without games are None."""
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
        """Count the events of one decision: figures of cards, `longest_bank` and `best_ambush`."""
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
"""Influence gained by eliminating any card."""


DECIMALS: Final = 3
"""Number of decimals that `fields` rounds fractions to."""


def _rounded(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, DECIMALS) if isinstance(value, float) else value
        for name, value in fields.items()
    }
