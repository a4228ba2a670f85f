"""What happens at a table, and who is told of it: one class that carries things out.

Whether somebody may have it so is for `table.py` to judge, which has judged before it calls.
Nothing here refuses anything but an action that the rules do not allow.
"""

import math

from engine.actions import Action
from engine.view import Viewer, seats_of
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import PROGRAM, PROTOCOL, HostMessage, Welcome
from netcode.table.absence import (
    AWAY_BOT,
    LOBBY_GRACE_S,
    MAXIMUM_LAPSES,
    away,
    came_back,
    keeps_seat,
    was_answered_for,
)
from netcode.table.chat import Conversation
from netcode.table.connections import Connections
from netcode.table.effects import Alarm, Effect, Keep, Warm
from netcode.table.entries import (
    Ended,
    Keeper,
    KeptEnd,
    KeptTable,
    Snapshot,
    keep_seat,
    restore_participants,
    restore_play,
    seat_traits,
)
from netcode.table.games import Games
from netcode.table.host_role import HostRole
from netcode.table.lobby import lobbies
from netcode.table.participants import Participant, Participants, Seat, Spectator, family_of


class TableCore:
    """All that a table consists of, and what becomes of it."""

    def __init__(self, participants: Participants, host_role: HostRole, games: Games) -> None:
        """Begin with what is known without being kept."""
        self.participants = participants
        self.host_role = host_role
        self.games = games
        self.conversation = Conversation()
        self.connections = Connections()
        self.invitation = ""
        self.code: str | None = None
        self.secret: bytes | None = None
        self._shown: list[int] = []
        """The connections to which a State goes now, without everybody else."""
        self._clock_told = games.clock_state
        self._alarm_at: float | None = None
        """When the shell calls `Table.alarm`, if it is to."""
        self._keeper = Keeper(self.kept())

    def restore(self, kept: Snapshot) -> None:
        """Go on from what was kept, with all persons away; raises StoreError."""
        participants = restore_participants(kept)
        play = restore_play(kept, participants)
        self.participants.seats, self.participants.two = participants.seats, participants.two
        self.games.restore(kept, play)
        self.conversation.restore(kept.table.muted, kept.table.silenced)
        self._keeper = Keeper(kept.table)

    def finish(self) -> None:
        """Take note that the table is closed for good."""
        self._keeper.keep(Ended())

    # Coming and going

    def resume(
        self, connection: int, participant: Participant, used: bytes, key: bytes, now: float
    ) -> None:
        """Let somebody have their place back on a new connection.

        Args:
            connection: The new one; the old one, if there is any, is closed.
            participant: Their place.
            used: The hash of the key that they showed.
            key: Their next one.
            now: The time.
        """
        if participant.connection is not None:
            self.connections.dismiss(participant.connection, "replaced")
        elif isinstance(participant, Seat):
            came_back(participant)
            self.games.returned(participant, now)
        participant.connection = connection
        if participant.keys is not None:
            participant.keys.change(used, key)

    def welcome(self, connection: int, participant: Participant, key: bytes) -> None:
        """Tell somebody who has come all that there is to know, and the others of them."""
        self.host_role.settle()
        self.connections.send(
            connection,
            Welcome(
                protocol=PROTOCOL,
                program=PROGRAM,
                family=family_of(participant),
                key=key,
                host=participant.host,
                acted=participant.acted if isinstance(participant, Seat) else 0,
            ),
        )
        self.tell_all()
        talk = self.conversation.so_far()
        if talk.lines:
            self.connections.send(connection, talk)
        self.show(connection, participant)

    def part(self, participant: Participant, now: float, left: bool = False) -> None:
        """Do without somebody whose connection is no more theirs."""
        participants, in_lobby = self.participants, self.games.phase == "lobby"
        if isinstance(participant, Spectator):
            participants.spectators.remove(participant)
        elif in_lobby and left:
            participants.seats.remove(participant)
        else:
            participant.connection, participant.away_since, participant.left = None, now, left
            if not in_lobby:
                participant.ready = False
                if all(seat.left for seat in participants.persons):
                    # Nobody means to come back, so the table is free for others.
                    self.open_lobby(now)
                    return
        if not participants.awake:
            # Whoever is the first to return, the others may be about to as well.
            for seat in participants.persons:
                seat.stood_in = False
        self.host_role.settle()
        self.tell_all()

    def stay_away(self, connection: int) -> None:
        """Wait for the opener no more, if that was their connection."""
        if self.host_role.give_up_opener(connection):
            self.tell_all()

    def send_away(self, participant: Participant, now: float) -> None:
        """Do without somebody for good: their key opens nothing any more."""
        connection = participant.connection
        if connection is not None:
            self.connections.dismiss(connection, "removed")
        if isinstance(participant, Seat) and self.games.phase != "lobby":
            self.participants.give_to_bot(participant, AWAY_BOT)
            self.host_role.settle()
            self.tell_all()
        else:
            self.part(participant, now, left=True)

    def strike(self, connection: int, now: float) -> None:
        """Count something without sense, which may cost the connection."""
        participant = self.connections.strike(connection)
        if participant is not None:
            # A lobby keeps no seat for who was shown the door; a game has nobody else for it.
            self.part(participant, now, left=self.games.phase == "lobby")

    def expect_the_absent(self, now: float) -> None:
        """Count from now on how long a resumed lobby keeps the seats of those not back yet.

        They may never be: who was told of no key before the host was gone has none to come with,
        and until their seat is free even their own name is taken.
        """
        for seat in self.participants.persons:
            if seat.away_since == math.inf:
                seat.away_since = now

    def pass_time(self, now: float) -> None:
        """Do what only the passing of time brings about, and look for the next of it."""
        self._alarm_at = None
        participants = self.participants
        overdue_at = self.host_role.overdue_at(self._is_frozen)
        if overdue_at is not None and now >= overdue_at:
            if not self.host_role.do_without():
                self._thaw(now)
            self.tell_all()
        if self.games.phase == "lobby":
            kept = [seat for seat in participants.seats if keeps_seat(seat, now)]
            if len(kept) < len(participants.seats):
                participants.seats = kept
                self.host_role.settle()
                self.tell_all()

    def take_back(self, seat: Seat) -> None:
        """Give a seat back to its person, if they have let the clock run out but are there."""
        stood_in = seat.lapses >= MAXIMUM_LAPSES
        seat.lapses = 0
        if stood_in:
            self.tell_all()

    # Games

    def start(self, now: float) -> None:
        """Begin a game."""
        self._keeper.keep(self.games.begin(now))
        self.tell_all()
        self._show_all(since=0)

    def act(self, seat: int, token: str, number: int | None, now: float) -> None:
        """Play a seat's answer; raises NotAllowedError, and then nothing has changed."""
        play = self.games.play
        since = 0 if play is None else play.length
        self._keeper.keep(self.games.act(seat, token, number, now))
        if self.games.phase == "result":
            self._keep_end()
        self._show_all(since)
        if self.games.phase == "result":
            self.tell_all()

    def stand_in(self, seat: int, revision: int, action: Action, now: float) -> None:
        """Let a bot answer for a seat, if it may, and may now."""
        games, asked = self.games, self.games.asked
        if asked is None or not games.awaits(seat, revision, action, now):
            return
        before = away(asked, games.phase)
        was_answered_for(asked)
        if away(asked, games.phase) != before:
            self.tell_all()
        self.act(seat, action.token, None, now)

    def pause(self, paused: bool, now: float) -> None:
        """Stop the game for a while, or go on."""
        if self.games.paused != paused:
            self.games.pause(paused, now)
            self.tell_all()

    def open_lobby(self, now: float, ended_by: str | None = None) -> None:
        """End what was, with those who are there.

        Args:
            now: The time.
            ended_by: Who wanted that in the middle of a game, if somebody did.
        """
        if self.games.phase == "playing":
            self._keep_end()
        self.games.end(now, ended_by)
        self.host_role.settle()
        self.tell_all()

    def _keep_end(self) -> None:
        """Have the game kept as it is now, which is its end."""
        play = self.games.play
        assert play is not None
        owned = self.host_role.owner is not None
        hosts = [seat for seat in self.participants.seats if owned and seat.host]
        own = tuple(place for seat in hosts for place in seats_of(self.participants.eyes(seat)))
        self._keeper.keep(KeptEnd(play.number, play.record(), play.ending(), own))

    def _is_frozen(self) -> bool:
        """Whether something waits for the host's word to go on."""
        persons = self.participants.persons
        return self.games.paused or any(seat.absence == "wait" for seat in persons)

    def _thaw(self, now: float) -> None:
        """Let go on what waits for the host's word."""
        for seat in self.participants.persons:
            if seat.absence == "wait":
                seat.absence = "grace"
        self.games.pause(False, now)

    # What is said

    def show(self, connection: int, participant: Participant, since: int = 0) -> None:
        """Send somebody the game as they may know it, if there is one."""
        self._show(connection, self.participants.eyes(participant), family_of(participant), since)

    def tell_all(self) -> None:
        """Send everybody everything about the table but the game and the talk."""
        if self.games.has_searching_bots:
            self.connections.do(Warm())
        for news in lobbies(
            self.participants,
            self.games,
            muted=self.conversation.muted(self.participants),
            silenced=self.conversation.silenced,
            invitation=self.invitation,
            code=self.code,
            secret=self.secret,
        ):
            self.connections.do(news)

    def say(self, participant: Participant, text: str, network: str, now: float) -> None:
        """Pass a line of chat on; raises NotAllowedError."""
        self._send_all(self.conversation.say(participant, text, network, now))

    def mute(self, name: str, muted: bool) -> None:
        """Let somebody chat no more, or again; raises NotAllowedError."""
        if self.conversation.mute(self.participants, name, muted):
            self.tell_all()

    def silence(self, silenced: bool) -> None:
        """Let spectators chat no more, or again."""
        if self.conversation.silenced != silenced:
            self.conversation.silenced = silenced
            self.tell_all()

    def _send_all(self, message: HostMessage) -> None:
        for connection, _ in self.participants.connected():
            self.connections.send(connection, message)

    def _show_all(self, since: int) -> None:
        for seat in self.participants.seats:
            if seat.connection is not None:
                self._show(seat.connection, self.participants.eyes(seat), seat.family, since)
        for spectator in self.participants.spectators:
            self._show(spectator.connection, None, None, since)

    def _show(self, connection: int, viewer: Viewer, you: FamilyLetter | None, since: int) -> None:
        play = self.games.play
        if play is not None:
            state = play.state(viewer, you, self.games.revision, since)
            self.connections.send(connection, state)
            self._shown.append(connection)

    def _tell_whole(self) -> None:
        """Send the whole game to those who got its last State, when it ended or later."""
        play = self.games.play
        if play is not None and play.over and self._shown:
            record = play.record_frame(self.games.revision)
            for connection in self._shown:
                self.connections.send_frame(connection, record)

    def _tell_time(self, now: float) -> None:
        """Send a Clock to those who got a State, and to everybody if it is news."""
        clock, state = self.games.clock(now), self.games.clock_state
        if clock is not None and state != self._clock_told:
            self._send_all(clock)
        elif clock is not None:
            for connection in self._shown:
                self.connections.send(connection, clock)
        self._shown.clear()
        self._clock_told = state

    # What is to be done

    def flush(self, now: float | None) -> list[Effect]:
        """Return what is to be done: first to keep what the rest may tell of.

        Args:
            now: The time; None if nothing has happened that time matters to.
        """
        if now is not None:
            self._look_ahead(now)
        if not self.participants.has_persons and not self.participants.spectators:
            self.conversation.forget()
        entries = self._keeper.flush(self._traits(), self.kept)
        return [*map(Keep, entries), *self.connections.flush()]

    def _look_ahead(self, now: float) -> None:
        """See to clocks, bots and alarms, as they are to be after what has happened."""
        self.games.tick(now)
        self._tell_whole()
        self._tell_time(now)
        think = self.games.question(now)
        if think is not None:
            self.connections.do(think)
        self.host_role.watch(now)
        due = self._alarm_due()
        if due is not None and (self._alarm_at is None or due < self._alarm_at):
            self._alarm_at = due
            self.connections.do(Alarm(max(0.0, due - now)))

    def _alarm_due(self) -> float | None:
        """Return when time alone brings something about, if it does."""
        overdue_at = self.host_role.overdue_at(self._is_frozen)
        if self.games.phase != "lobby":
            return overdue_at
        away = (seat.away_since for seat in self.participants.persons if not seat.present)
        dues = [since + LOBBY_GRACE_S for since in away if since < math.inf]
        if overdue_at is not None:
            dues.append(overdue_at)
        return min(dues, default=None)

    def _traits(self) -> tuple[object, ...]:
        """Return all that `kept` is made of, but for what each act changes."""
        games = self.games
        seats = [seat_traits(seat) for seat in self.participants.seats]
        said = self.conversation.all_muted, self.conversation.silenced
        owner = self.host_role.owner
        return games.settings, games.phase, games.paused, said, seats, owner, games.begun

    def kept(self) -> KeptTable:
        """Return what is to be kept of the table as it is now."""
        return KeptTable(
            settings=self.games.settings,
            phase=self.games.phase,
            paused=self.games.paused,
            muted=self.conversation.all_muted,
            seats=tuple(map(keep_seat, self.participants.seats)),
            owner=self.host_role.owner,
            games=self.games.begun,
            revision=self.games.revision,
            silenced=self.conversation.silenced,
        )
