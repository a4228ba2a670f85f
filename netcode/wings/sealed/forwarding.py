"""Forwards signed parcels of a sealed table to their receivers, and compares logs."""

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.limits import COMPARISONS, Buckets, spend
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Spectator
from netcode.table.wing_records import WingRecords
from netcode.wings.sealed.messages import LogAt, Sealed
from netcode.wings.sealed.sealings import sealings_of, store_sealings
from netcode.wings.sealed.takeover_seats import TakeoverSeats

if TYPE_CHECKING:
    from netcode.wings.sealed.sealed_game import SealedGame


class ParcelForwarder(Struct):
    """Forwards the parcels of a table's sealed game, and refuses invalid parcels."""

    participants: Participants
    games: Games
    connections: Connections
    takeover_seats: TakeoverSeats
    records: WingRecords
    _comparisons: Buckets = field(default_factory=partial(Buckets, COMPARISONS))
    """The buckets that limit comparisons of logs, by name of the participant."""

    def take(
        self,
        connection: int,
        participant: Participant,
        game: "SealedGame | None",
        message: Sealed,
        now: float,
    ) -> None:
        """Handle signed parcels: forward the new ones up to the first invalid one.

        Raises NotAllowedError for a spectator, without a game, during a pause, and for an invalid
        parcel. A parcel of a later step or of another branch raises nothing: the logs are compared.
        """
        from netcode.wings.sealed.game.encoding import is_address

        if isinstance(participant, Spectator):
            raise NotAllowedError("not_seated")
        if game is None:
            raise NotAllowedError("no_game")
        addresses = tuple(each for each in message.parcels if is_address(each[0]))
        if addresses:
            self.takeover_seats.receive_addresses(connection, game.sealing, addresses)
            message = Sealed(tuple(each for each in message.parcels if each not in addresses))
        received = game.receive(message, paused=self.games.paused)
        self.games.moves += received.steps
        if received.begins:
            store_sealings(self.records, replace(sealings_of(self.records), broken=()))
        if received.ends:
            self.games.finish()
        refused = received.refused
        for person, each in received.messages.items():
            self.send(each, None if person is None else game.persons[person])
        if received.begins and game.log_at is not None:
            # A person who restarted during the deal signs nothing before receiving the end of the
            # log.
            self.send(game.log_at)
        if refused in ("gap", "other_branch"):
            self.compare(connection, participant, game, None, now)
        elif refused == "paused":
            raise NotAllowedError("paused")
        elif refused:
            if refused in ("malformed", "bad_signature"):
                # Honest programs never send parcels that another person did not sign, so count a
                # strike.
                self.connections.strike(connection)
            raise NotAllowedError("parcel_refused", check=refused)

    def send(self, message: Sealed | LogAt, family: str | None = None) -> None:
        """Send a message to everybody, or only to the person who plays a family."""
        for connection, participant in self.participants.connected():
            if family is None or family == participant.family:
                self.connections.send(connection, message)

    def compare(
        self,
        connection: int,
        participant: Participant,
        game: "SealedGame | None",
        at: LogAt | None,
        now: float,
    ) -> None:
        """Send a person the parcels that their log lacks, and send its end to the other persons.

        `at` is the end of the person's log, or None if it is unknown; then nothing is sent to the
        others. Calls that are too frequent do nothing. Raises NotAllowedError without a game.
        """
        if spend(now, self._comparisons.of(participant.name, now)):
            return
        if game is None:
            raise NotAllowedError("no_game")
        for message in game.messages_after(at):
            self.connections.send(connection, message)
        family = participant.family
        if at is not None and family in game.persons and self.games.phase == "playing":
            theirs = replace(at, person=game.persons.index(family))
            for other in game.persons:
                if other != family:
                    self.send(theirs, other)
