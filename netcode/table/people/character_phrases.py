"""What bots with a character say: seldom, and by nothing but what everybody has seen."""

from collections.abc import Callable, Sequence, Set
from random import Random
from typing import Final

from engine import cards
from engine.events import AmbushSprung, Eliminated, Event, Gained, Revealed, RoundBegan, Stole
from netcode.protocol.fields import PhraseName
from netcode.table.people.seats import Seat

MOST: Final = 2
"""How often one bot says something in a game, at most; and never in two rounds that follow."""

CHANCE: Final = 0.4
"""How often it does so where a phrase fits, if nobody has in that round."""

MUCH: Final = 3
"""How much influence at once is worth a word."""


def _cautious(event: Event, own: Set[cards.Seat]) -> PhraseName | None:
    """Keep out of it when others are struck."""
    match event:
        case Eliminated(seat=seat, victim=victim) if own.isdisjoint((seat, victim)):
            return "nothing"
        case AmbushSprung(seat=seat, attacker=attacker) if own.isdisjoint((seat, attacker)):
            return "touch"
    return None


def _greedy(event: Event, own: Set[cards.Seat]) -> PhraseName | None:
    """Give thanks for what it gets, and envy others what they get."""
    match event:
        case Stole(seat=seat, influence=1) if seat in own:
            return "thanks"
        case (
            Gained(seat=seat, influence=gain)
            | Revealed(seat=seat, taken=gain)
            | AmbushSprung(seat=seat, influence=gain)
        ) if gain >= MUCH:
            return "thanks" if seat in own else "lucky"
    return None


def _vengeful(event: Event, own: Set[cards.Seat]) -> PhraseName | None:
    """Hold against others what they do to it, and praise who makes an attacker pay."""
    match event:
        case Eliminated(seat=seat, victim=victim) | Stole(seat=seat, victim=victim, influence=1):
            return "revenge" if victim in own and seat not in own else None
        case AmbushSprung(seat=seat, attacker=attacker) if own.isdisjoint((seat, attacker)):
            return "clever"
    return None


FITTING: Final[dict[str | None, Callable[[Event, Set[cards.Seat]], PhraseName | None]]] = {
    "cautious": _cautious,
    "greedy": _greedy,
    "vengeful": _vengeful,
}
"""By the name of a bot, the phrase that fits an event, seen from its places in the game."""


class CharacterPhrases:
    """Decides which bot of a table says what, and when: at most one of them in a round."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._game = self._round = 0
        self._said: list[tuple[int, Seat]] = []
        """In which rounds of the game somebody has said something, and who."""

    def after(
        self, game: int, events: Sequence[Event], seats: Sequence[Seat]
    ) -> tuple[Seat, PhraseName] | None:
        """Return who says what after an answer, by its events as a spectator is told them."""
        if game != self._game:
            self._game, self._round, self._said = game, 1, []
        said = None
        for event in events:
            if isinstance(event, RoundBegan):
                self._round = event.round
            for place, seat in enumerate(seats):
                fitting = FITTING.get(seat.bot)
                # The other place is its second family's, at a table for two.
                phrase = fitting and fitting(event, {place, place + len(seats)})
                if phrase and self._may_speak(seat) and self._rng.random() < CHANCE:
                    self._said.append((self._round, seat))
                    said = seat, phrase
        return said

    def _may_speak(self, seat: Seat) -> bool:
        rounds = [each for each, who in self._said if who is seat]
        return (
            all(each != self._round for each, _ in self._said)
            and self._round - 1 not in rounds
            and len(rounds) < MOST
        )
