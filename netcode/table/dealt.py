"""The ordinary kind of game: the table deals the cards and knows all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from random import Random

from engine.cards import Seat as SeatIndex
from engine.edition import EDITIONS
from engine.game import Deal
from engine.record import RecordedPlayer
from netcode.protocol.table_settings import TableSettings
from netcode.table.live_game import LiveGame
from netcode.table.people.participants import Participants
from netcode.table.play import Kind


@dataclass(eq=False)
class Dealt(Kind):
    """Deals the games of one table."""

    _rng: Random
    _participants: Participants
    _unix_time: Callable[[], float]

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> LiveGame:
        """Return a new game with a fresh deal."""
        families, seats = self._participants.families, self._participants.seats
        deal = Deal.shuffled(self._rng, families, EDITIONS[settings.edition], first)
        players = tuple(
            RecordedPlayer(family, seat.name, seat.bot)
            for family, seat in zip(families, cycle(seats), strict=False)
        )
        return LiveGame(number, deal, settings, players, int(self._unix_time()))
