"""What becomes of a table's games: they start, go on by answers, pause and end; all are told.

Whether somebody may have it so has been judged by `request_checks.py`.
"""

from msgspec import Struct

from engine.actions import Action
from engine.view import seats_of
from netcode.table.broadcast import Broadcast
from netcode.table.games import Games
from netcode.table.journal_entries import KeptEnd, PendingEntries
from netcode.table.people.absence import away, count_bot_answer
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants


class GameControl(Struct):
    """Starts, continues, pauses and ends the games of a table."""

    participants: Participants
    host_role: HostRole
    games: Games
    broadcast: Broadcast
    entries: PendingEntries

    def start(self, now: float) -> None:
        """Begin a game."""
        self.entries.add(self.games.begin(now))
        self.broadcast.send_lobby()
        self.broadcast.send_states(since=0)

    def act(self, seat: int, token: str, number: int | None, now: float) -> None:
        """Play a seat's answer; raises NotAllowedError, and then nothing has changed."""
        play = self.games.play
        since = 0 if play is None else play.length
        self.entries.add(self.games.act(seat, token, number, now))
        is_over = self.games.phase == "result"
        if is_over:
            self._keep_end()
        self.broadcast.send_states(since)
        if is_over:
            self.broadcast.send_lobby()

    def act_for(self, seat: int, revision: int, action: Action, now: float) -> None:
        """Play a bot's answer for a seat, if a bot may answer so, and may now."""
        games, asked = self.games, self.games.asked
        if asked is None or not games.accepts_from_bot(seat, revision, action, now):
            return
        before = away(asked, games.phase)
        count_bot_answer(asked)
        if away(asked, games.phase) != before:
            self.broadcast.send_lobby()
        self.act(seat, action.token, None, now)

    def pause(self, paused: bool, now: float) -> None:
        """Stop the game for a while, or go on."""
        if self.games.paused != paused:
            self.games.pause(paused, now)
            self.broadcast.send_lobby()

    def open_lobby(self, now: float, ended_by: str | None = None) -> None:
        """Go back to the lobby from a result, or from a game that somebody has ended."""
        if self.games.phase == "playing":
            self._keep_end()
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
        play = self.games.play
        assert play is not None
        owned = self.host_role.owner is not None
        hosts = [seat for seat in self.participants.seats if owned and seat.host]
        viewers = map(self.participants.viewer_of, hosts)
        own = tuple(place for viewer in viewers for place in seats_of(viewer))
        self.entries.add(KeptEnd(play.number, play.record(), play.ending(), own))
