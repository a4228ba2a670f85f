"""The ordinary kind of game: the table deals the cards and knows all of them."""

from collections.abc import Callable
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


class DealtKind(Kind):
    """Deals the games of one table."""

    def __init__(
        self, rng: Random, participants: Participants, unix_time: Callable[[], float]
    ) -> None:
        self._rng = rng
        self._participants = participants
        self._unix_time = unix_time

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> LiveGame:
        """Return a new game with a fresh deal."""
        families, seats = self._participants.families, self._participants.seats
        deal = Deal.shuffled(self._rng, families, EDITIONS[settings.edition], first)
        players = tuple(
            RecordedPlayer(family, seat.name, seat.bot)
            for family, seat in zip(families, cycle(seats), strict=False)
        )
        return LiveGame(number, deal, settings, players, int(self._unix_time()))
