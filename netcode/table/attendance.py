"""Handles arrivals and departures of people: newcomers, returns, lost connections, removals."""

import math
from collections.abc import Callable
from functools import partial

from msgspec import Struct, field

from netcode.limits import NEWCOMERS, Buckets
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import PROTOCOL, Hello
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.table.connections import Connections, ConnectionState
from netcode.table.errors import NotAllowedError
from netcode.table.games import REMATCH_COUNT_S, Games
from netcode.table.people.absence import AWAY_BOT, end_absence
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants
from netcode.table.people.seats import KeyRing, Participant, Seat, Spectator, key_hash


class Attendance(Struct):
    """Admits people to a table, and keeps the seats of absent people for some time."""

    new_key: Callable[[], bytes]
    participants: Participants
    host_role: HostRole
    games: Games
    connections: Connections
    _newcomers: Buckets = field(default_factory=partial(Buckets, NEWCOMERS))

    # Arrivals

    def greet(self, connection: int, state: ConnectionState, hello: Hello, now: float) -> None:
        """Give the sender of a Hello a new place, or their former one.

        A client with another version of the protocol gets a Goodbye instead. Raises NotAllowedError
        if the Hello is refused.
        """
        if hello.protocol != PROTOCOL:
            older = "upgrade_client" if hello.protocol < PROTOCOL else "upgrade_host"
            self.connections.dismiss(
                connection, older, {"theirs": PROTOCOL, "yours": hello.protocol}
            )
            return
        if state.participant is not None:
            raise NotAllowedError("already_greeted")
        hashed = None if hello.key is None else key_hash(hello.key)
        is_owner = self.host_role.is_owners(hashed)
        participant: Participant | None = None
        if is_owner:
            participant = self.participants.host()
        elif hashed is not None:
            participant = self.participants.opened_by(hashed)
            if participant is None:
                raise NotAllowedError(UNKNOWN_KEY)
        key = None if is_owner else hello.key
        was_awake = self.participants.awake
        if participant is None:
            key = self.new_key()
            newcomers = self._newcomers.of(state.network, now)
            wait = 0.0 if is_owner else newcomers.wait(now)
            if wait:
                raise NotAllowedError("too_many_came", seconds=int(wait) + 1)
            participant = self._let_in(connection, hello, key, now)
            participant.host = is_owner
            self.host_role.welcome_opener(participant, connection)
            newcomers.take(now)
        else:
            assert participant.keys is not None
            assert hashed is not None
            self._resume(connection, participant, now)
            if key is None:
                key = self.new_key()
                participant.keys = participant.keys.offering(key)
            else:
                participant.keys = participant.keys.used(hashed)
        state.seat(participant, key)
        if self.participants.awake and not was_awake:
            self.games.wake(now)

    def sit_down(self, state: ConnectionState, family: FamilyLetter, now: float) -> None:
        """Give the spectator on a connection a seat with a family, and a new key.

        Raises NotAllowedError if no seat is free, or if the family is taken.
        """
        spectator = state.participant
        assert isinstance(spectator, Spectator)
        # Start the waiting time even if no seat is free: a seat may become free when it ends.
        self._expect_the_absent(now)
        seat = self._take_seat(partial(self.participants.seat_spectator, spectator, family))
        seat.newcomer = self.games.phase == "result"
        self._change_key(state, seat, spectator)

    def give_seat(self, spectator: Spectator, seat: Seat, now: float) -> None:
        """Give a bot's seat in the running game to a spectator."""
        taken = self.participants.give_bots_seat(seat, spectator)
        # The connection receives the whole game again, as the seat's player may know it.
        self._change_key(self.connections.state_of(spectator.connection), taken, spectator)
        self.games.hand_over(taken)
        self.games.grant_first_look(taken, now)

    def _change_key(self, state: ConnectionState, seat: Seat, spectator: Spectator) -> None:
        """Give a former spectator's connection a seat and the seat's new key."""
        key = self.new_key()
        state.seat(seat, key)
        # The Welcome with the new key may be lost, so the old key stays valid for now.
        seat.keys = spectator.keys.changed(key)

    def _let_in(self, connection: int, hello: Hello, key: bytes, now: float) -> Participant:
        """Give a newcomer a place.

        If the host admits this, the newcomer gets the seat of an absent player of the same name. A
        game that all its players have deserted ends. Raises NotAllowedError if there is no place.
        """
        if hello.spectator:
            return self.participants.watch(hello.name, connection, key)
        namesake = self.participants.called(hello.name)
        is_away = isinstance(namesake, Seat) and not namesake.present
        if isinstance(namesake, Seat) and is_away and namesake.admits:
            self._resume(connection, namesake, now)
            namesake.keys = KeyRing.of(key)
            return namesake
        participants = self.participants
        deserted = (
            not self.host_role.owner
            and not participants.awake
            and self.games.time_control.is_deserted([*participants.persons], now)
        )
        if self.games.phase != "lobby" and is_away and not deserted:
            raise NotAllowedError("name_away", name=hello.name)
        if self.games.phase == "playing" and not deserted:
            raise NotAllowedError("game_under_way")
        if self.games.phase != "lobby" and deserted:
            self.participants.require_place(hello.name, instead_of=self.participants.persons)
            self.games.end(now)
        # Start the waiting time even if no seat is free: a seat may become free when it ends.
        self._expect_the_absent(now)
        seat = self._take_seat(partial(participants.sit, hello.name, connection, key))
        seat.newcomer = self.games.phase == "result"
        return seat

    def _take_seat(self, sit: Callable[[], Seat]) -> Seat:
        """Call `sit`, and return the new seat. At a full table, first remove a seat that may yield.

        Raises NotAllowedError if `sit` does, and then nothing changes.
        """
        participants, seats = self.participants, self.participants.seats
        yielding = self.games.yielding_seat() if len(seats) >= participants.most else None
        if yielding is not None:
            participants.seats = [each for each in seats if each is not yielding]
        try:
            return sit()
        except NotAllowedError:
            participants.seats = seats
            raise

    def _resume(self, connection: int, participant: Participant, now: float) -> None:
        """Connect a returning person to their place; dismiss their former connection if it is open.

        A player who returns during their own decision gets some time to read the position.
        """
        if participant.connection is not None:
            self.connections.dismiss(participant.connection, "replaced")
        elif isinstance(participant, Seat):
            end_absence(participant)
            self.games.grant_return_time(participant, now)
        participant.connection = connection

    def _expect_the_absent(self, now: float) -> None:
        """Start the time for which a resumed lobby keeps the seats of absent players.

        Until this time ends, a person without a valid key cannot join under the name of an absent
        player, unless the host admits them.
        """
        for seat in self.participants.persons:
            if seat.away_since == math.inf:
                seat.away_since = now

    # Departures

    def connection_ended(
        self, participant: Participant, now: float, *, has_left: bool = False
    ) -> None:
        """Handle the end of a participant's connection; with `has_left`, they left for good.

        The table forgets a spectator, and frees the seat of a player who left and does not play.
        All other seats count as absent. If all persons of a game have left, the game ends.
        """
        participants, in_lobby = self.participants, self.games.phase == "lobby"
        if isinstance(participant, Spectator):
            participants.spectators.remove(participant)
        elif has_left and (in_lobby or not self.games.plays(participant)):
            participants.seats.remove(participant)
        else:
            participant.connection, participant.away_since = None, now
            self.games.time_control.absence_began(participant, has_left=has_left)
            if not in_lobby:
                participant.ready = False
                if all(seat.left for seat in participants.persons):
                    # Nobody will return, so make the table free for others.
                    self.games.end(now)
                    return
        if self.games.is_another_wanted and self.games.starts_at() == math.inf:
            self.games.count_to_start(REMATCH_COUNT_S, now)
        if not participants.awake:
            # The other players may return soon, so let no bot answer for them yet.
            for seat in participants.persons:
                seat.has_bot_answered = False

    def send_away(self, participant: Participant, now: float) -> None:
        """Remove a person for good: their key becomes invalid.

        Outside the lobby a bot gets the person's seat, if the kind of game asks bots.
        """
        connection = participant.connection
        if connection is not None:
            self.connections.dismiss(connection, "removed")
        is_needed = self.games.phase != "lobby" and self.games.kind.asks_bots
        if isinstance(participant, Seat) and is_needed:
            taken = self.games.evening.bot_names
            self.games.hand_over(self.participants.give_to_bot(participant, AWAY_BOT, taken))
        else:
            # No bot takes the place. Without a valid key the person cannot return to it.
            participant.keys = KeyRing()
            if isinstance(participant, Seat):
                participant.admits = False
            self.connection_ended(participant, now, has_left=True)

    # Seats of absent players in the lobby

    def free_seats(self, now: float) -> None:
        """Free the seats of players who were absent from the lobby for too long.

        Outside the lobby, do nothing.
        """
        if self.games.phase != "lobby":
            return
        participants, keeps_seat = self.participants, self.games.keeps_seat
        participants.seats = [seat for seat in participants.seats if keeps_seat(seat, now)]
