"""The part of a table that counts laughs."""

from math import inf
from typing import Final

from netcode.protocol.fields import Message
from netcode.table.errors import NotAllowedError
from netcode.table.parts import PartPlace, TablePart, TablePartKind
from netcode.table.people.seats import Participant

from .messages import Laugh, Laughed
from .settings import MOST

LASTS_S: Final = 10.0


class LaughCounter(TablePart):
    """Counts the laughs of one table, and shows while a player laughs."""

    def __init__(self, place: PartPlace) -> None:
        """Begin with the stored count."""
        super().__init__(place)
        self._laughs = 0 if place.stored is None else int(place.stored.data)
        self._ends_at = inf
        place.show(n=self._laughs, goes=False)

    def receive(self, participant: Participant, message: Message, now: float) -> bool:
        """Count a laugh, and notify all others. Return False for a message of another part.

        Raises NotAllowedError after the maximum number of laughs.
        """
        if not isinstance(message, Laugh):
            return False
        if 0 < self.place.settings.value(MOST) <= self._laughs:
            raise NotAllowedError("no_more_laughs")
        self._laughs += 1
        self._ends_at = now + LASTS_S
        self.place.store(str(self._laughs).encode())
        self.place.show(n=self._laughs, goes=True)
        for each in self.place.people:
            if each is not participant:
                self.place.send(Laughed(participant.name), to=each)
        return True

    def alarm_at(self, now: float) -> float:
        """Return the time at which the last laugh ends; infinity if no laugh lasts."""
        return self._ends_at

    def alarm(self, now: float) -> None:
        """Show that the last laugh has ended."""
        self._ends_at = inf
        self.place.show(n=self._laughs, goes=False)


SEAM: Final = TablePartKind("laughs", LaughCounter)
