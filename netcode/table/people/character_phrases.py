"""What bots with a character say: seldom, and by nothing but what everybody has seen."""

from collections.abc import Iterator, Sequence, Set
from random import Random
from typing import Final

from engine import cards
from engine.events import AmbushSprung, Eliminated, Event, Gained, Revealed, RoundBegan, Stole
from netcode.protocol.fields import PhraseName
from netcode.table.people.seats import Seat

TALKING: Final = ("cautious", "greedy", "vengeful")
"""The bots that say something."""

MOST: Final = 2
"""How often one bot says something in a game, at most; and never in two rounds that follow."""

CHANCE: Final = 0.4
"""How often it does so where a phrase fits, if nobody has in that round."""

MUCH: Final = 3
"""How much influence at once is worth a word."""


def fitting(bot: str | None, event: Event, own: Set[cards.Seat]) -> PhraseName | None:
    """Return the phrase by which a bot would answer an event, seen from its places in the game."""
    match bot, event:
        case "cautious", Eliminated(seat=seat, victim=victim) if own.isdisjoint((seat, victim)):
            return "nothing"
        case "cautious" | "vengeful", AmbushSprung(seat=seat, attacker=attacker) if own.isdisjoint(
            (seat, attacker)
        ):
            return "touch" if bot == "cautious" else "clever"
        case "greedy", Stole(seat=seat, influence=1) if seat in own:
            return "thanks"
        case "greedy", (
            Gained(seat=seat, influence=gain)
            | Revealed(seat=seat, taken=gain)
            | AmbushSprung(seat=seat, influence=gain)
        ) if gain >= MUCH:
            return "thanks" if seat in own else "lucky"
        case "vengeful", (
            Eliminated(seat=seat, victim=victim) | Stole(seat=seat, victim=victim, influence=1)
        ) if victim in own and seat not in own:
            return "revenge"
    return None


class CharacterPhrases:
    """Decides which bot of a table says what, and when: at most one of them in a round."""

    def __init__(self, rng: Random) -> None:
        """Begin at a table of such randomness, of which it takes the same whatever is said."""
        self._table_rng = self._rng = rng
        self._game = self._round = 0
        self._said: list[tuple[int, Seat]] = []
        """In which rounds of the game somebody has said something, and who."""

    def after(
        self, game: int, events: Sequence[Event], seats: Sequence[Seat]
    ) -> Iterator[tuple[Seat, PhraseName]]:
        """Yield who says what after an answer, by its events as a spectator is told them."""
        talking = [(place, seat) for place, seat in enumerate(seats) if seat.bot in TALKING]
        if talking and game != self._game:
            self._game, self._round, self._said = game, 1, []
            self._rng = Random(self._table_rng.getrandbits(64))
        for event in events if talking else ():
            if isinstance(event, RoundBegan):
                self._round = event.round
            for place, seat in talking:
                # The other place is its second family's, at a table for two.
                phrase = fitting(seat.bot, event, {place, place + len(seats)})
                rounds = [each for each, who in self._said if who is seat]
                is_enough = len(rounds) == MOST or self._round - 1 in rounds
                is_quiet = all(each != self._round for each, _ in self._said) and not is_enough
                if phrase and is_quiet and self._rng.random() < CHANCE:
                    self._said.append((self._round, seat))
                    yield seat, phrase
