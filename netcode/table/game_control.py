"""What becomes of a table's games: they start, go on by answers, pause and end; all are told.

Whether somebody may have it so has been judged by `request_checks.py`.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import Action
from netcode.protocol.messages import Talk
from netcode.protocol.sealed_messages import LogAt, Sealed
from netcode.table.broadcast import Broadcast
from netcode.table.chat import Conversation
from netcode.table.connections import Connections
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.absence import away, count_bot_answer
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, family_of


class GameControl(Struct):
    """Starts, continues, pauses and ends the games of a table."""

    participants: Participants
    host_role: HostRole
    games: Games
    conversation: Conversation
    connections: Connections
    broadcast: Broadcast

    def start(self, now: float) -> None:
        """Begin a game."""
        self.keep_opened()
        self.games.begin(now)
        self.broadcast.send_lobby()
        self.broadcast.send_states(since=0)

    def act(self, seat: int, token: str, now: float) -> None:
        """Play a seat's answer; raises NotAllowedError, and then nothing has changed."""
        play = self.games.live
        since = 0 if play is None else play.length
        self.games.act(seat, token, now)
        is_over = self.games.phase == "result"
        if is_over:
            self._keep_end()
        self.broadcast.send_states(since)
        if is_over:
            self.broadcast.send_lobby()

    def pass_on(self, said: Talk) -> None:
        """Have everybody told what somebody has said."""
        self.broadcast.send_to_all(said)

    def act_for(self, seat: int, revision: int, action: Action, now: float) -> None:
        """Play a bot's answer for a seat, if a bot may answer so, and may now."""
        games, asked = self.games, self.games.asked
        if asked is None or not games.accepts_from_bot(seat, revision, action, now):
            return
        before = away(asked, games.phase)
        count_bot_answer(asked)
        if away(asked, games.phase) != before:
            self.broadcast.send_lobby()
        self.act(seat, action.token, now)

    def pause(self, paused: bool, now: float) -> None:
        """Stop the game for a while, or go on."""
        if self.games.paused != paused:
            self.games.pause(paused, now)
            self.broadcast.send_lobby()

    def open_lobby(self, now: float, ended_by: str | None = None) -> None:
        """Go back to the lobby from a result, or from a game that somebody has ended."""
        if self.games.phase == "playing":
            self._keep_end()
        self.keep_opened()
        self.games.end(now, ended_by)
        self.host_role.settle()
        self.broadcast.send_lobby()

    def is_frozen(self) -> bool:
        """Whether something waits for the host's word to go on."""
        persons = self.participants.persons
        return self.games.paused or any(seat.absence == "wait" for seat in persons)

    def go_on_without_host(self, now: float) -> None:
        """Pass hosting on from a host who is overdue, or undo what only a host can undo."""
        if not self.host_role.replace_overdue():
            for seat in self.participants.persons:
                if seat.absence == "wait":
                    seat.absence = "grace"
            self.games.pause(False, now)
        self.broadcast.send_lobby()

    def _keep_end(self) -> None:
        """Have the game kept as it is now, which is its end."""
        owned = self.host_role.owner is not None
        self.games.keep_end([seat for seat in self.participants.seats if owned and seat.host])

    # Sealed games

    def take_parcels(self, message: Sealed) -> str:
        """Take in parcels and pass on what is news; return why the first was refused that was."""
        game = self.games.relayed
        if game is None:
            raise NotAllowedError("no_game")
        missing, height = game.missing, game.height
        come, told, refused = game.receive(message, paused=self.games.paused)
        self.games.acts += max(0, game.height - height)
        for person, news in told.items():
            self.broadcast.send_relayed(news, None if person is None else game.persons[person])
        if game.over and come:
            self.games.phase = "result"
            if game.is_settled:
                self._keep_end()
            self.broadcast.send_lobby()
        elif game.missing != missing:
            if game.log_at is not None:
                # Whoever has begun anew during the deal signs nothing before.
                self.broadcast.send_relayed(game.log_at, None)
                self.games.sealings = replace(self.games.sealings, broken=())
            self.broadcast.send_lobby()
        return refused

    def compare(self, connection: int, participant: Participant, at: LogAt | None) -> None:
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
                    self.broadcast.send_relayed(theirs, other)

    def keep_opened(self) -> None:
        """Have a sealed game kept that is over, if somebody has not opened their cards."""
        relayed = self.games.relayed
        if self.games.phase == "result" and relayed is not None and not relayed.is_settled:
            self._keep_end()
