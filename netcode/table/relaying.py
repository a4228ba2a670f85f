"""What is signed at a sealed table: taken in, passed on to those whom it is for, and compared."""

from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.limits import COMPARISONS, Buckets
from netcode.protocol.sealed_messages import LogAt, Sealed
from netcode.table.carriers import Carriers
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Spectator, family_of


class Relaying(Struct):
    """Relays the parcels of a table's sealed game; raises NotAllowedError."""

    participants: Participants
    games: Games
    connections: Connections
    carriers: Carriers
    _comparisons: Buckets = field(default_factory=partial(Buckets, COMPARISONS))
    """By name."""

    def receive(
        self, connection: int, participant: Participant, message: Sealed | LogAt, now: float
    ) -> str:
        """Take in what is signed, or compare logs; return why it was refused, if it was.

        Logs are compared where something does not fit, or when somebody asks.
        """
        if not self.games.settings.sealed:
            raise NotAllowedError("table_not_sealed")
        refused = (
            self._take(connection, participant, message) if isinstance(message, Sealed) else ""
        )
        if isinstance(message, LogAt) or refused in ("gap", "other_branch"):
            if not self._comparisons.wait(participant.name, now):
                self._comparisons.take(participant.name, now)
                at = message if isinstance(message, LogAt) else None
                self._compare(connection, participant, at)
            return ""
        return refused

    def send(self, message: Sealed | LogAt, family: str | None = None) -> None:
        """Send what is relayed to everybody, or to the person with a family alone."""
        for connection, participant in self.participants.connected():
            if family is None or family == family_of(participant):
                self.connections.send(connection, message)

    def _take(self, connection: int, participant: Participant, message: Sealed) -> str:
        """Take in parcels and pass on what is news; return why the first was refused that was."""
        from netcode.sealed.encoding import is_address

        if isinstance(participant, Spectator):
            raise NotAllowedError("not_seated")
        game = self.games.relayed
        told = tuple(each for each in message.parcels if is_address(each[0]))
        if told and game is not None:
            self.carriers.hear(connection, game.sealing, told)
            message = Sealed(tuple(each for each in message.parcels if each not in told))
        if game is None:
            raise NotAllowedError("no_game")
        missing = game.missing
        news, refused = self.games.take_parcels(message)
        for person, each in news.items():
            self.send(each, None if person is None else game.persons[person])
        if game.missing != missing and game.log_at is not None:
            # Whoever has begun anew during the deal signs nothing before.
            self.send(game.log_at)
        return refused

    def _compare(self, connection: int, participant: Participant, at: LogAt | None) -> None:
        """Tell somebody what is missing in their log, and other persons where it ends."""
        game = self.games.relayed
        if game is None:
            raise NotAllowedError("no_game")
        for message in game.told(at):
            self.connections.send(connection, message)
        family = family_of(participant)
        if at is not None and family in game.persons and self.games.phase == "playing":
            theirs = replace(at, person=game.persons.index(family))
            for other in game.persons:
                if other != family:
                    self.send(theirs, other)
