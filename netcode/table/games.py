"""Runs the games of a table in sequence: the phase, the asked player, and the time.

`requests.py` decides which requests are allowed. The kind of game (`play.py`) makes the games.
"""

from collections.abc import Callable
from itertools import cycle
from math import inf
from typing import TYPE_CHECKING, Final, Protocol

from engine.actions import Action
from netcode.protocol.evening import Evening, SeatResult
from netcode.protocol.fields import Phase
from netcode.protocol.messages import Away, Reason
from netcode.protocol.table_settings import TableSettings
from netcode.table.decision_clock import RETURN_S, DecisionClock
from netcode.table.effects import Think
from netcode.table.errors import NotAllowedError
from netcode.table.people.absence import (
    AWAY_BOT,
    AWAY_GRACE_S,
    TIMER_SLACK_S,
)
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, places_of
from netcode.table.people.time_control import TimeControl
from netcode.table.play import Kind, Play, Saved
from netcode.table.snapshot import KeptGame, Snapshot
from netcode.workers.thinking_time import budget_s

if TYPE_CHECKING:
    from netcode.table.finished_game import EndedGame

REMATCH_COUNT_S: Final = 3
"""Seconds between the last player's wish for another game and its start. In this time players can
withdraw their wishes.
"""


class GameListener(Protocol):
    """Handles events of a table's games, and decides the table's time control."""

    def started(self) -> None:
        """Handle the beginning of a game."""

    def answered(self, seat: Seat) -> None:
        """Handle an answer from a seat, by its player or a bot."""

    def finished(self) -> None:
        """Handle the end of a game that was played to its end."""

    def abandoned(self) -> None:
        """Handle the early end of an unfinished game."""

    def pause_changed(self) -> None:
        """Handle the beginning or end of a pause."""

    def time_control(self) -> TimeControl:
        """Return the table's present treatment of time and absent people."""


class Games:
    """The games of one table: the present or last one, and their number."""

    def __init__(
        self,
        participants: Participants,
        host_role: HostRole,
        settings: TableSettings,
        unix_time: Callable[[], float],
        kind_of: Callable[[TableSettings], Kind],
        listener: GameListener,
    ) -> None:
        """Begin in a lobby. `kind_of` returns the kind of games for settings."""
        self.settings = settings
        """The host's settings. They change only in the lobby."""
        self.phase: Phase = "lobby"
        self.play: Play | None = None
        """The present game, or in the result phase the last one; None in the lobby."""
        self.begun = 0
        """Number of games so far."""
        self.revision = 0
        """The number of changes over all games of the table."""
        self.paused = False
        """True while the host has paused the game."""
        self.evening = Evening()
        """The results of all finished games, without a result that may still change (see
        `standing`).
        """
        self.has_local_guests = False
        """True if guests play with programs on this machine, which then also has their hidden
        cards.
        """
        self.count_s: int | None = None
        """Seconds of the countdown to the next game; None without a countdown."""
        self.ended_by: str | None = None
        """The name of the person who ended the last game early; None if nobody did, and from the
        beginning of the next game.
        """
        self.ended: list[EndedGame] = []
        """Ended games that are still to be stored."""
        self.moves = 0
        """Number of answers since the last stored state."""
        self._starts_at = inf
        """The time at which the countdown ends; infinity without a countdown."""
        self._counted_for: list[Seat] = []
        """The seats at the beginning of the countdown."""
        self._kind_of = kind_of
        self._listener = listener
        self._participants = participants
        self._host_role = host_role
        self._unix_time = unix_time
        self.clock = DecisionClock()
        self.overdue: tuple[int, ...] = ()
        """The decisions that a bot made because the time was up, each by the index of its first
        event.
        """
        self._thought: tuple[int, str, float] | None = None
        """The last question to a bot: the revision, the name of the bot, and the due time of its
        answer by the server's clock. None if no bot is asked.
        """

    @property
    def kind(self) -> Kind:
        """The kind of the present or next game."""
        return self._kind_of(self.settings)

    def restore(self, kept: Snapshot, play: Play | None) -> None:
        """Restore stored games. The asked player gets the whole time again."""
        self.begun, self.revision = kept.game.begun, kept.game.revision
        self.evening = kept.table.evening
        self.play = play
        if play is not None:
            self.phase = "result" if play.over else "playing"
            self.paused = kept.table.paused and not play.over
            self.clock = DecisionClock(0.0, self.settings.clock_s)

    def kept(self) -> KeptGame:
        """Return the state of the games for storing."""
        record, actions, pieces = Saved() if self.play is None else self.play.saved()
        return KeptGame(
            begun=self.begun,
            revision=self.revision,
            phase=self.phase,
            acted=tuple([seat.acted for seat in self._participants.seats]),
            record=record,
            actions=actions,
            pieces=pieces,
        )

    @property
    def deciding_seat(self) -> Seat | None:
        """The seat that must answer; None if the table asks nobody."""
        turn = None if self.play is None or self.phase != "playing" else self.play.turn
        if turn is None:
            return None
        # At a table for two, a game has two seats for each seat of the table.
        seats = self._participants.seats
        return seats[turn % len(seats)]

    def plays(self, participant: Participant) -> bool:
        """Return True if a participant plays in the running game.

        Also returns True for a player who keeps a seat in a game that is just over.
        """
        play = self.play
        if play is None or not (self.phase == "playing" or play.holds_seats):
            return False
        return participant.family in tuple(play.families)

    @property
    def time_control(self) -> TimeControl:
        """The present treatment of time and absent people."""
        return self._listener.time_control()

    @property
    def stands_still(self) -> bool:
        """True if the game is paused, or waits until a person is present."""
        waits_for_people = not self._participants.awake and self.time_control.stops_without_people()
        return self.paused or waits_for_people

    def answers_for(self, seat: Seat) -> Away:
        """Return the result of `TimeControl.who_answers` for a seat."""
        return self.time_control.who_answers(seat, is_deciding=seat is self.deciding_seat)

    def keeps_seat(self, seat: Seat, now: float) -> bool:
        """Return True if a lobby keeps the seat: its player is present, or may still return."""
        return seat.present or now < self.time_control.keeps_seat_until(seat, now)

    def yielding_seat(self) -> Seat | None:
        """Return the seat in the lobby that a newcomer gets at a full table.

        It is the seat of an absent person, but never the host's seat. Returns None outside the
        lobby, and if no seat yields now.
        """
        if self.phase != "lobby":
            return None
        persons = self._participants.persons
        away = [seat for seat in persons if not seat.present and not seat.host]
        return self.time_control.yielding_seat(away)

    def frees_seat_at(self, now: float) -> float:
        """Return the time at which the lobby frees the next seat; infinity if it will free none."""
        if self.phase != "lobby":
            return inf
        control, persons = self.time_control, self._participants.persons
        kept = [control.keeps_seat_until(seat, now) for seat in persons if not seat.present]
        return min(kept, default=inf)

    def looks_at(self, now: float) -> float:
        """Return the time at which to call `answers_for` again for the asked person.

        Returns infinity if no person is asked, or the game is paused.
        """
        seat = self.deciding_seat
        if self.paused or seat is None or seat.bot is not None:
            return inf
        return self.time_control.looks_at(now)

    def awaits_host_until(self, now: float) -> float:
        """Return the time until which a running game at least waits for its absent host.

        Returns minus infinity without a running game.
        """
        if self.phase != "playing":
            return -inf
        return self.time_control.awaits_host_until(now, is_frozen=self.is_frozen)

    @property
    def standing(self) -> Evening:
        """The evening, with results that may still change."""
        results = () if self.play is None else self.play.late_results()
        return self.evening.after(results) if results else self.evening

    # Changes

    def begin(self, now: float) -> None:
        """Begin a game of all seated players, in a new evening if the last one is decided.

        Raises NotAllowedError if the kind of game refuses to begin, and then nothing changes.
        """
        first = self._first_player(self._participants.families)
        number = self.begun + 1
        play = self.kind.begin(number, first, self.settings)
        self.keep_unsettled()
        self.stop_count()
        self.evening = self.standing
        if self.evening.is_decided(self.settings.best_of):
            self.evening = Evening()
        self.play = play
        self.overdue = ()
        self.begun = number
        self.revision += 1
        self.phase, self.ended_by = "playing", None
        for seat in self._participants.seats:
            seat.ready, seat.newcomer = False, False
            self.kind.take_back(seat)
        self.clock = DecisionClock(now, self.settings.clock_s)
        self._listener.started()

    def count_to_start(self, seconds: int, now: float) -> None:
        """Start the countdown to a game. It ends early if no game can begin: see `starts_at`."""
        self.count_s, self._starts_at = seconds, now + seconds
        self._counted_for = [*self._participants.seats]

    @property
    def is_another_wanted(self) -> bool:
        """True if a game is over, another one can begin, and everybody present wants it."""
        there = [seat.ready for seat in self._participants.persons if seat.present]
        return self.phase == "result" and any(there) and all(there) and self.missing() is None

    def stop_count(self) -> None:
        """Stop the countdown to a game, if one is running."""
        self.count_s, self._starts_at = None, inf

    def starts_at(self) -> float:
        """Return the time at which a game begins by itself; infinity if none does.

        Stops the countdown if no game can begin, a key is missing, the seats have changed, or the
        game would stand still.
        """
        if self.count_s is not None and (
            self.missing() is not None
            or self.stands_still
            or not self.kind.is_prepared(self._participants.persons)
            or self._participants.seats != self._counted_for
        ):
            self.stop_count()
        return self._starts_at

    def hand_over(self, seat: Seat) -> None:
        """Record the present player of a seat as its holder, if a game is running."""
        if self.play is not None and self.phase == "playing":
            at = int(self._unix_time())
            self.play.hand_over(seat.families, seat.name, seat.bot, at)

    def act(self, seat: Seat, token: str, now: float) -> None:
        """Play an answer.

        Raises NotAllowedError if the table does not ask this seat, or if the answer is illegal, and
        then nothing changes.
        """
        play, decider = self.play, self.deciding_seat
        if play is None or decider is None:
            raise NotAllowedError("no_game")
        if seat is not decider:
            raise NotAllowedError("not_your_turn", family=play.families[play.turn or 0])
        play.act(token)
        self.revision += 1
        self.moves += 1
        self._listener.answered(seat)
        if play.over:
            ending, seats = play.ending(), cycle(self._participants.seats)
            self.evening = self.evening.after(
                SeatResult(each.name, each.bot is not None, influence, place)
                for each, influence, place in zip(
                    seats, ending.scores, ending.places or (), strict=False
                )
            )
            for each in self._participants.seats:
                each.lapses = 0
            self.finish()
        else:
            self.clock = DecisionClock(now, self.settings.clock_s)

    def act_for(self, seat: int, revision: int, action: Action, now: float) -> None:
        """Play a bot's answer for a seat. Ignore an answer that is early, late or illegal."""
        play, decider = self.play, self.deciding_seat
        due = self._due(decider, self._waited_for(decider))
        is_due = due is not None and now >= due - TIMER_SLACK_S
        if play is None or decider is None or not (is_due and self.expects(seat, revision)):
            return
        if play.is_legal(action):
            out_at = self.clock.out_at if self.settings.clock_s else None
            is_clock_out = out_at is not None and now >= out_at - TIMER_SLACK_S
            if self.time_control.bot_answered(decider, is_clock_out=is_clock_out):
                self.overdue += (len(play.events_for(None)),)
            self.act(decider, action.token, now)

    def finish(self) -> None:
        """Show the result of the game. Request storing the game as soon as the result is final."""
        is_new, self.phase = self.phase == "playing", "result"
        if self.play is not None and self.play.is_settled:
            self._keep_end()
        if is_new:
            self._listener.finished()

    def keep_unsettled(self) -> None:
        """Request storing a finished game although its result could still change."""
        if self.phase == "result" and self.play is not None and not self.play.is_settled:
            self._keep_end()

    def _keep_end(self) -> None:
        """Request storing the present state of the game in the history, if cards were dealt."""
        owned = self._host_role.owner is not None
        owners = [seat for seat in self._participants.seats if owned and seat.host]
        play, at = self.play, int(self._unix_time())
        record = None if play is None else play.record(at)
        if play is not None and record is not None:
            own = places_of(owners, play.families)
            from netcode.table.finished_game import EndedGame

            self.ended.append(EndedGame(record, play.ending(), own, at))

    def set_paused(self, now: float, *, is_paused: bool) -> None:
        """Pause or continue the game."""
        stood_still, was_paused = self.stands_still, self.paused
        self.paused = is_paused
        if is_paused != was_paused:
            self._listener.pause_changed()
        if stood_still and not self.stands_still:
            self.wake(now)

    @property
    def is_frozen(self) -> bool:
        """True if the host has paused the game, or has decided to wait for an absent person."""
        persons = self._participants.persons
        return self.paused or any(seat.absence == "wait" for seat in persons)

    def unfreeze(self, now: float) -> None:
        """Continue without the host.

        Ends a pause, and the host's decisions to wait for absent players.
        """
        for seat in self._participants.persons:
            if seat.absence == "wait":
                seat.absence = "grace"
        self.set_paused(now, is_paused=False)

    def wake(self, now: float) -> None:
        """Continue when a person is present again. Absent players get their grace anew."""
        self.clock.question_at = now
        for seat in self._participants.persons:
            if not seat.present:
                seat.away_since = now

    def silent_s(self, seat: Seat, now: float) -> float:
        """Return the seconds for which a player has left a question open.

        The count begins again after a pause. It is 0 for a player who is not asked, and while the
        game stands still.
        """
        if seat is not self.deciding_seat or self.stands_still:
            return 0.0
        return now - self.clock.question_at

    def grant_first_look(self, seat: Seat, now: float) -> None:
        """If a player who takes a bot's seat must answer, grant time as if they were asked now."""
        if seat is self.deciding_seat:
            self.clock.question_at = now
            self.grant_return_time(seat, now)

    def grant_return_time(self, seat: Seat, now: float) -> None:
        """If a returning player must answer, raise their clock to give time to read the position.

        The clock gets at least `RETURN_S`, or `clock_s` if that is less.
        """
        if seat is self.deciding_seat:
            self.clock.raise_to(min(RETURN_S, self.settings.clock_s), now)

    def end(self, now: float, ended_by: str | None = None) -> None:
        """Return to the lobby; `ended_by` has the name of the person who ended a running game.

        A running game ends as unfinished. People who are present, or for whom the time control
        keeps the seats, stay seated.
        """
        is_early = self.phase == "playing"
        if is_early:
            self._keep_end()
        self.keep_unsettled()
        self.evening = self.standing
        if self.play is not None:
            self.kind.put_away(self.play)
        self.stop_count()
        self.play = None
        self.phase, self.paused, self.ended_by = "lobby", False, ended_by
        participants = self._participants
        participants.seats = [seat for seat in participants.seats if self.keeps_seat(seat, now)]
        for seat in participants.seats:
            seat.ready, seat.lapses = False, 0
            self.kind.take_back(seat)
        if is_early:
            self._listener.abandoned()

    # The present decision

    def tick(self, now: float) -> Think | None:
        """Start or stop the clock of the asked player. Call this after every change.

        Returns the question for a bot. Returns None if no bot is asked, or if the bot
        already has the question.
        """
        play = self.play
        if play is None or play.turn is None:
            self._thought = None
            return None
        seat = self.deciding_seat
        waited_for = self._waited_for(seat)
        self.clock.let_run(now, runs=waited_for in ("no", "grace"))
        due = self._due(seat, waited_for)
        if seat is None or due is None:
            self._thought = None
            return None
        bot = seat.bot or AWAY_BOT
        thought = self.revision, bot, due
        if thought == self._thought:
            return None
        self._thought = thought
        viewer = self._participants.viewer_of(seat)
        return Think(
            game=self.begun,
            seat=play.turn,
            bot=bot,
            view=play.seen_by(viewer),
            events=play.events_for(viewer),
            revision=self.revision,
            delay_s=max(0.0, due - now),
            budget_s=budget_s(bot, self.settings.think_ms),
        )

    def expects(self, seat: int, revision: int) -> bool:
        """Return True if a bot's answer for this revision can be played now or later."""
        play, decider = self.play, self.deciding_seat
        return (
            play is not None
            and (seat, revision) == (play.turn, self.revision)
            and self._due(decider, self._waited_for(decider)) is not None
        )

    @property
    def has_searching_bots(self) -> bool:
        """True if a bot at this table searches."""
        if not self.kind.asks_bots:
            return False
        bots = (seat.bot for seat in self._participants.seats)
        return any(bot is not None and budget_s(bot, self.settings.think_ms) for bot in bots)

    def missing(self) -> Reason | None:
        """Return the reason why no game can start; None if one can start or is running.

        A lobby also waits for the absent people whom the time control awaits.
        """
        if self.phase == "playing":
            return None
        participants = self._participants
        seated, least, first = len(participants.seats), participants.least, self.settings.first
        if seated < least:
            return Reason(code="too_few", values={"needed": least, "seated": seated})
        persons, kind = list(participants.persons), self.kind
        missing = kind.missing(persons, seated)
        if missing is not None:
            return missing
        in_lobby, control = self.phase == "lobby", self.time_control
        if in_lobby and first != "random" and participants.seat_of(first) is None:
            return Reason(code="first_not_seated", values={"family": first})
        lost = tuple(
            seat.name
            for seat in persons
            if not seat.present
            and (kind.needs_everybody or (in_lobby and control.start_awaits(seat)))
        )
        if lost:
            return Reason(code="connection_lost", values={"names": lost})
        waited_for = tuple(
            seat.name for seat in persons if seat.present and not seat.ready and not seat.host
        )
        return Reason(code="not_ready", values={"names": waited_for}) if waited_for else None

    def _first_player(self, families: str) -> int | None:
        """Return the first player of the next game; None if it is random.

        The host chooses the first player of the first game. Later first players follow clockwise.
        """
        if self.play is not None:
            return (self.play.first + 1) % len(families)
        first = self.settings.first
        return None if first == "random" else families.index(first)

    def _waited_for(self, decider: Seat | None) -> Away:
        """Return the result of `TimeControl.who_answers` for the deciding seat.

        It is "wait" if no seat is asked, or the game stands still.
        """
        if decider is None or self.stands_still:
            return "wait"
        return self.time_control.who_answers(decider, is_deciding=True)

    def _due(self, seat: Seat | None, who: Away) -> float | None:
        """Return the time at which a bot answers the present question; None if no bot will.

        `seat` is the deciding seat, and `who` the result of `_waited_for`.
        """
        if seat is None or who == "wait":
            return None
        out_at = self.clock.out_at if self.settings.clock_s else None
        if who == "no":
            return out_at
        due = self.clock.question_at + self.settings.pace_ms / 1000
        if who == "bot":
            return due
        return min(max(due, seat.away_since + AWAY_GRACE_S), inf if out_at is None else out_at)
