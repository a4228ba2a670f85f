"""The part of a table that counts laughs."""

from typing import Final

from netcode.protocol.fields import Message
from netcode.table.errors import NotAllowedError
from netcode.table.parts import PartPlace, TablePart, TablePartKind
from netcode.table.people.seats import Participant

from .messages import Laugh, Laughed
from .settings import MOST


class LaughCounter(TablePart):
    """Counts the laughs of one table."""

    def __init__(self, place: PartPlace) -> None:
        """Begin with the stored count."""
        super().__init__(place)
        self._laughs = 0 if place.stored is None else int(place.stored.data)
        place.show(n=self._laughs)

    def receive(self, participant: Participant, message: Message, now: float) -> bool:
        """Count a laugh, and notify all others. Return False for a message of another part."""
        if not isinstance(message, Laugh):
            return False
        if 0 < self.place.settings.value(MOST) <= self._laughs:
            raise NotAllowedError("no_more_laughs")
        self._laughs += 1
        self.place.store(str(self._laughs).encode())
        self.place.show(n=self._laughs)
        for each in self.place.people:
            if each is not participant:
                self.place.send(Laughed(participant.name), to=each)
        return True


SEAM: Final = TablePartKind("laughs", LaughCounter)
