"""Sends each connection of a table the changes since the last messages on it.

Clients request no updates. After each input, the table compares its state with the values that it
last sent on each connection.
"""

from collections.abc import Callable
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from netcode.protocol.messages import PROGRAM, PROTOCOL, Guessing, Lobby, SeatInfo, Welcome
from netcode.table.chat import Conversation
from netcode.table.connections import Connections, ConnectionState
from netcode.table.effects import Warm
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat
from netcode.table.seat_wishes import SeatWishes
from netcode.table.snapshot import NO_ACCESS, TableAccess


class Invited(Struct):
    """The invitation to the table, as the host set it."""

    link: str = ""
    opened: TableAccess = NO_ACCESS
    is_secret: bool = False
    """True if guests need the secret or the code. Everybody at the table then receives the secret
    and the code.
    """
    wrong_guesses: int = 0
    """Number of wrong guesses at the code to report to the host; 0 for too few to report."""


class Broadcast(Struct):
    """Sends everybody at a table the changes that they may know."""

    participants: Participants
    games: Games
    conversation: Conversation
    connections: Connections
    invited: Invited
    wishes: SeatWishes
    complete: tuple[Callable[[Lobby], Lobby], ...]
    """Functions that add to a lobby the values of kinds of games and of the table's parts."""
    _lobby: Lobby | None = None
    _clock_sent: tuple[int, float, float | None] | None = None
    """The revision and the state of the clock that were last sent to everybody; None before."""

    def send_changes(self, now: float | None, lobby: Lobby | None) -> None:
        """Send each connection the changes since its last messages.

        If `lobby` is None, the last lobby is still valid. If `now` is None, no clock is sent.
        """
        games, connections = self.games, self.connections
        # Keep the same object for an equal lobby, so that comparing it later is fast.
        if lobby is not None and lobby != self._lobby:
            self._lobby = lobby
            if games.has_searching_bots:
                connections.effects.append(Warm())
        is_over, line_count = games.phase == "result", self.conversation.line_count
        there, shown = [], []
        for connection, state in connections.states.items():
            participant = state.participant
            if participant is None:
                continue
            there.append(connection)
            if state.key is not None:
                self._welcome(connection, participant, state.key)
                state.key = None
            # Send the last State of a game before the lobby that shows the result.
            ends = is_over and state.game == games.begun
            if ends and self._send_game(connection, participant, state):
                shown.append(connection)
            you, host = participant.family, participant.host
            if state.lobby is not self._lobby or state.sent_as != (you, host):
                assert self._lobby is not None
                state.lobby, state.sent_as = self._lobby, (you, host)
                connections.send(connection, replace(self._lobby, you=you, host=host))
            wrong = self.invited.wrong_guesses if host else 0
            if state.wrong_guesses != wrong:
                state.wrong_guesses = wrong
                connections.send(connection, Guessing(wrong))
            if state.lines < line_count:
                talk, state.lines = self.conversation.since(state.lines), line_count
                if talk.lines:
                    connections.send(connection, talk)
            if not ends and self._send_game(connection, participant, state):
                shown.append(connection)
        if shown and games.play is not None and games.play.over:
            record = games.play.record_message(games.revision)
            if record is not None:
                for connection in shown:
                    connections.send(connection, record)
        if now is not None and games.settings.clock_s and games.deciding_seat is not None:
            self._send_clock(there, shown, now)

    def lobby(self) -> Lobby:
        """Return the lobby, without the fields about its receiver."""
        games, participants = self.games, self.participants
        lobby = Lobby(
            phase=games.phase,
            seats=tuple(map(self._seat_info, participants.seats)),
            spectators=tuple([spectator.name for spectator in participants.spectators]),
            settings=games.settings,
            missing=games.missing(),
            muted=self.conversation.muted(participants),
            silenced=self.conversation.silenced,
            paused=games.paused,
            wishes=self.wishes.open(),
            count_s=games.count_s if games.starts_at() < inf else None,
            evening=games.standing,
            invitation=self.invited.link,
            code=self.invited.opened.code if self.invited.is_secret else None,
            secret=self.invited.opened.secret if self.invited.is_secret else None,
            ended_by=games.ended_by,
            you=None,
            host=False,
        )
        for complete in self.complete:
            lobby = complete(lobby)
        return lobby

    def _welcome(self, connection: int, participant: Participant, key: bytes) -> None:
        message = Welcome(
            protocol=PROTOCOL,
            program=PROGRAM,
            family=participant.family,
            key=key,
            host=participant.host,
            acted=participant.acted if isinstance(participant, Seat) else 0,
        )
        self.connections.send(connection, message)

    def _send_game(self, connection: int, participant: Participant, state: ConnectionState) -> bool:
        """Send a connection its news of the game, if there are any.

        Return True if it received a State.
        """
        games, play = self.games, self.games.play
        begins, state.game = state.game != games.begun, games.begun
        if begins:
            state.events, state.viewer = 0, None
            if games.plays(participant):
                state.viewer = self.participants.viewer_of(participant)
            for message in () if play is None else play.first_messages():
                self.connections.send(connection, message)
        if play is None or not (begins or state.revision != games.revision):
            return False
        you = None if state.viewer is None else participant.family
        state_message = play.state(state.viewer, you, games.revision, state.events)
        if state_message is None:
            return False
        if games.overdue:
            overdue = tuple([index for index in games.overdue if index >= state.events])
            state_message = replace(state_message, overdue=overdue)
        state.revision, state.events = games.revision, state.events + len(state_message.events)
        self.connections.send(connection, state_message)
        return True

    def _send_clock(self, there: list[int], shown: list[int], now: float) -> None:
        """Send a Clock to connections that received a State, or to all if the clock has changed."""
        revision, clock = self.games.revision, self.games.clock
        state = revision, *clock.state
        is_news, self._clock_sent = state != self._clock_sent, state
        for connection in there if is_news else shown:
            self.connections.send(connection, clock.message(revision, now))

    def _seat_info(self, seat: Seat) -> SeatInfo:
        games, phase = self.games, self.games.phase
        away = games.time_control.absence_shown(seat, phase)
        if seat.bot is not None or (phase == "playing" and not games.kind.asks_bots):
            # Report no absence: bots are never away, and nobody answers for absent people in a
            # game that asks no bots.
            away = "no"
        return SeatInfo(
            family=seat.family,
            second=seat.second,
            name=seat.name,
            bot=seat.bot,
            ready=seat.ready or seat.bot is not None,
            present=seat.present,
            away=away,
            admits=seat.admits,
            host=seat.host,
        )
