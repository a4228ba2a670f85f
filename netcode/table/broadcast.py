"""What everybody at a table is told, each as much as they may know: lobby, game, clock and chat."""

from math import inf

from msgspec.structs import replace

from netcode.protocol.messages import PROGRAM, PROTOCOL, Away, HostMessage, Lobby, SeatInfo, Welcome
from netcode.protocol.sealed_messages import LogAt, Sealed
from netcode.table.carriers import Carriers
from netcode.table.chat import Conversation
from netcode.table.connections import Connections
from netcode.table.effects import Warm
from netcode.table.games import Games
from netcode.table.people.absence import away
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, family_of


class Broadcast:
    """Sends what has changed to those who are at the table."""

    def __init__(
        self,
        participants: Participants,
        games: Games,
        conversation: Conversation,
        connections: Connections,
        carriers: Carriers,
    ) -> None:
        self.invitation = ""
        """What others join with."""
        self.code: str | None = None
        """What can be said aloud instead, if anything can."""
        self.secret: bytes | None = None
        """What the invitation holds; None if nobody needs it."""
        self._participants = participants
        self._games = games
        self._conversation = conversation
        self._connections = connections
        self._carriers = carriers
        self._shown: list[int] = []
        """The connections to which a State goes with the present input."""
        self._clock_sent = games.clock_state

    def welcome(self, connection: int, participant: Participant, key: bytes) -> None:
        """Tell somebody who has come all that there is to know, and the others of them."""
        message = Welcome(
            protocol=PROTOCOL,
            program=PROGRAM,
            family=family_of(participant),
            key=key,
            host=participant.host,
            acted=participant.acted if isinstance(participant, Seat) else 0,
        )
        self._connections.send(connection, message)
        self.send_lobby()
        talk = self._conversation.so_far()
        if talk.lines:
            self._connections.send(connection, talk)
        self.send_state(connection, participant)

    def lobby(self) -> Lobby:
        """Return all about the table but its game and its chat, without whom it is for."""
        games, participants = self._games, self._participants
        return Lobby(
            phase=games.phase,
            seats=tuple(map(self._seat_info, participants.seats)),
            spectators=tuple(spectator.name for spectator in participants.spectators),
            settings=games.settings,
            missing=games.missing(),
            muted=self._conversation.muted(participants),
            silenced=self._conversation.silenced,
            paused=games.paused,
            count_s=games.count_s if games.starts_at() < inf else None,
            evening=games.standing,
            invitation=self.invitation,
            code=self.code,
            secret=self.secret,
            ended_by=games.ended_by,
            dealing=None if games.relayed is None else games.relayed.missing,
            carriers=self._carriers.names(),
            you=None,
            host=False,
        )

    def send_lobby(self) -> None:
        """Send everybody all about the table but its game and its chat."""
        if self._games.has_searching_bots:
            self._connections.request(Warm())
        lobby = self.lobby()
        for connection, participant in self._participants.connected():
            mine = replace(lobby, you=family_of(participant), host=participant.host)
            self._connections.send(connection, mine)

    def send_state(self, connection: int, participant: Participant, since: int = 0) -> None:
        """Send somebody the game as they may know it, if there is one, with its latest events."""
        relayed, play = self._games.relayed, self._games.live
        if relayed is not None:
            for message in relayed.told():
                self._connections.send(connection, message)
        if play is not None:
            viewer, you = None, None
            if self._games.plays(participant):
                viewer, you = self._participants.viewer_of(participant), family_of(participant)
            state = play.state(viewer, you, self._games.revision, since)
            self._connections.send(connection, state)
            self._shown.append(connection)

    def send_states(self, since: int) -> None:
        """Send everybody the game as they may know it, with the events from `since` on."""
        for connection, participant in self._participants.connected():
            self.send_state(connection, participant, since)

    def send_to_all(self, message: HostMessage) -> None:
        """Send everybody the same."""
        for connection, _ in self._participants.connected():
            self._connections.send(connection, message)

    def send_relayed(self, message: Sealed | LogAt, family: str | None) -> None:
        """Send what is relayed to everybody, or to the person with a family alone."""
        for connection, participant in self._participants.connected():
            if family is None or family == family_of(participant):
                self._connections.send(connection, message)

    def finish(self, now: float) -> None:
        """Send what goes with the States of an input: the whole game if it is over, the clock."""
        play = self._games.live
        if play is not None and play.over and self._shown:
            record = play.record_message(self._games.revision)
            for connection in self._shown:
                self._connections.send(connection, record)
        self._send_clock(now)
        self._shown.clear()

    def _send_clock(self, now: float) -> None:
        """Send a Clock to those who got a State, and to everybody if it is news."""
        clock = self._games.clock(now)
        if clock is None:
            return
        state = self._games.clock_state
        if state != self._clock_sent:
            self.send_to_all(clock)
        else:
            for connection in self._shown:
                self._connections.send(connection, clock)
        self._clock_sent = state

    def _seat_info(self, seat: Seat) -> SeatInfo:
        return SeatInfo(
            family=seat.family,
            second=seat.second,
            name=seat.name,
            bot=seat.bot,
            ready=seat.ready or seat.bot is not None,
            present=seat.present,
            away=self._away(seat),
            admits=seat.admits,
            host=seat.host,
        )

    def _away(self, seat: Seat) -> Away:
        """Return what is told of a seat's person; nobody answers for them in a sealed game."""
        phase = self._games.phase
        return "no" if self._games.settings.sealed and phase == "playing" else away(seat, phase)
