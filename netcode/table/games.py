"""The games of a table, one after the other: its phase, who is to answer, and until when.

Who may ask for what is left to `requests.py`, the games themselves to their kind (`play.py`).
"""

from collections.abc import Callable
from itertools import cycle
from math import inf
from typing import Final

from msgspec import Struct

from engine.actions import Action
from netcode.protocol.evening import Evening, SeatResult
from netcode.protocol.fields import Phase
from netcode.protocol.messages import Clock, Reason
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Think
from netcode.table.errors import NotAllowedError
from netcode.table.finished_game import EndedGame
from netcode.table.people.absence import (
    AWAY_BOT,
    AWAY_GRACE_S,
    TIMER_SLACK_S,
    answers_for,
    count_bot_answer,
    keeps_seat,
)
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat, places_of
from netcode.table.play import Kind, Play, Saved
from netcode.table.snapshot import NO_MEMORY, KeptGame, Snapshot
from netcode.workers.thinking_time import budget_s

RETURN_S: Final = 10.0
"""How much time somebody who comes back to a decision has at least, once: enough to choose."""


class DecisionClock(Struct):
    """Counts the seconds that are left of a decision."""

    asked_at: float = 0.0
    """Since when it has been asked for, as far as bots are concerned: anew after a pause."""
    stopped_with_s: float = 0.0
    """How much was left when it stopped last, or when it was asked for."""
    out_at: float | None = None
    """When the time is out; None while it does not run."""
    was_raised: bool = False
    """Whether this decision has been given more time."""

    @property
    def state(self) -> tuple[float, float | None]:
        """A value that differs when more has changed than the present time."""
        return self.stopped_with_s, self.out_at

    def message(self, revision: int, now: float) -> Clock:
        """Return what is told of the time for the decision of a revision."""
        left_ms = round(1000 * self.left_s(now))
        return Clock(revision=revision, left_ms=left_ms, running=self.out_at is not None)

    def let_run(self, now: float, *, runs: bool) -> None:
        """Let the time run from now, or stand still."""
        if not runs:
            self.stopped_with_s, self.out_at = self.left_s(now), None
        elif self.out_at is None:
            self.out_at = now + self.stopped_with_s

    def left_s(self, now: float) -> float:
        """Return how many seconds are left."""
        return self.stopped_with_s if self.out_at is None else max(0.0, self.out_at - now)

    def raise_to(self, seconds: float, now: float) -> None:
        """See to it that so much is left, once in a decision: not for each reconnect anew."""
        if not self.was_raised and self.left_s(now) < seconds:
            runs = self.out_at is not None
            self.was_raised, self.stopped_with_s, self.out_at = True, seconds, None
            self.let_run(now, runs=runs)


REMATCH_COUNT_S: Final = 3
"""Time from the last player's wish for another game to its start, to take one back."""


class Games:
    """The games of one table: the one that is under way or just over, and how many there were."""

    def __init__(
        self,
        participants: Participants,
        host_role: HostRole,
        settings: TableSettings,
        unix_time: Callable[[], float],
        kind_of: Callable[[TableSettings], Kind],
    ) -> None:
        """Begin in a lobby; the other arguments are those of `Table`."""
        self.settings = settings
        """What the host has decided; it changes in the lobby only."""
        self.phase: Phase = "lobby"
        self.play: Play | None = None
        """The game that is under way or just over."""
        self.memory = NO_MEMORY
        """What the kind of the games keeps from one to the next, in MessagePack."""
        self.begun = 0
        """How many games have begun."""
        self.revision = 0
        """Counts what has happened in all games of the table."""
        self.paused = False
        """Whether the host has stopped the game for a while."""
        self.evening = Evening()
        """What the games that came to their end have brought everybody: see `standing`."""
        self.has_local_guests = False
        """Whether guests play with programs on this machine, which have their cards."""
        self.count_s: int | None = None
        """How many seconds are counted to the next game; None while that is not so."""
        self.ended_by: str | None = None
        """Who ended the last game before its end; None unless that has been just now."""
        self.ended: list[EndedGame] = []
        """Those that have come to their end and are to be kept."""
        self.moves = 0
        """How many answers have come and are to be kept."""
        self._starts_at = inf
        """When the next game begins, if that is counted."""
        self._counted_for: list[Seat] = []
        """Who was to play when the count began."""
        self._kind_of = kind_of
        self._participants = participants
        self._host_role = host_role
        self._unix_time = unix_time
        self.clock = DecisionClock()
        """Of the decision that is asked for."""
        self._thought: tuple[int, str, float] | None = None
        """The last question to a bot: the revision, the bot, and when it is to answer."""

    @property
    def kind(self) -> Kind:
        """The kind of game that is played, or will be next."""
        return self._kind_of(self.settings)

    def restore(self, kept: Snapshot, play: Play | None) -> None:
        """Go on from what was kept; whoever is asked has the whole time again."""
        self.begun, self.revision = kept.game.begun, kept.game.revision
        self.evening = kept.table.evening
        self.memory = kept.table.memory
        self.play = play
        if play is not None:
            self.phase = "result" if play.over else "playing"
            self.paused = kept.table.paused and not play.over
            self.clock = DecisionClock(0.0, self.settings.clock_s)

    def kept(self) -> KeptGame:
        """Return what is to be kept of the games as they are now."""
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
    def asked(self) -> Seat | None:
        """The seat that is to answer; None if the table asks nobody."""
        turn = None if self.play is None or self.phase != "playing" else self.play.turn
        if turn is None:
            return None
        # The game counts its places by families.
        seats = self._participants.seats
        return seats[turn % len(seats)]

    def plays(self, participant: Participant) -> bool:
        """Whether somebody has a part in the game under way, or in one just over that holds it."""
        play = self.play
        if play is None or not (self.phase == "playing" or play.holds_seats):
            return False
        return participant.family in tuple(play.families)

    @property
    def stands_still(self) -> bool:
        """Whether nothing goes on, because of a pause or because nobody is there."""
        return self.paused or not self._participants.awake

    @property
    def standing(self) -> Evening:
        """What the evening has come to, with the results that may still change."""
        results = () if self.play is None else self.play.late_results()
        return self.evening.after(results) if results else self.evening

    # Changes

    def begin(self, now: float) -> None:
        """Begin a game of all who are seated; if that fails, nothing has changed."""
        first = self._first_player(self._participants.families)
        number = self.begun + 1
        play = self.kind.begin(number, first, self.settings)
        self.keep_unsettled()
        self.stop_count()
        self.evening = self.standing
        if self.evening.is_decided(self.settings.best_of):
            self.evening = Evening()
        self.play = play
        self.begun = number
        self.revision += 1
        self.phase, self.ended_by = "playing", None
        for seat in self._participants.seats:
            seat.ready, seat.newcomer = False, False
            self.kind.take_back(seat)
        self.clock = DecisionClock(now, self.settings.clock_s)

    def count_to_start(self, seconds: int, now: float) -> None:
        """Begin a game in so many seconds, unless something is missing for one by then."""
        self.count_s, self._starts_at = seconds, now + seconds
        self._counted_for = [*self._participants.seats]

    @property
    def is_another_wanted(self) -> bool:
        """Whether a game is over, and all who are there want another that can begin."""
        there = [seat.ready for seat in self._participants.persons if seat.present]
        return self.phase == "result" and any(there) and all(there) and self.missing() is None

    def stop_count(self) -> None:
        """Begin no game by itself any more."""
        self.count_s, self._starts_at = None, inf

    def starts_at(self) -> float:
        """Return when a game begins by itself; infinity if none does.

        A count stops when something is missing, nobody is there any more, or others are to play
        than when it began.
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
        """Record the present player of a seat as its holder, if its game is still under way."""
        if self.play is not None and self.phase == "playing":
            at = int(self._unix_time())
            self.play.hand_over(seat.families, seat.name, seat.bot, at)

    def act(self, seat: Seat, token: str, now: float) -> None:
        """Play somebody's answer; raises NotAllowedError, and then nothing has changed."""
        play, asked = self.play, self.asked
        if play is None or asked is None:
            raise NotAllowedError("no_game")
        if seat is not asked:
            raise NotAllowedError("not_your_turn", family=play.families[play.turn or 0])
        play.act(token)
        self.revision += 1
        self.moves += 1
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
        """Play a bot's answer for a seat, if a bot may answer so, and may now."""
        play, asked, due = self.play, self.asked, self._due()
        is_due = due is not None and now >= due - TIMER_SLACK_S
        if play is None or asked is None or not (is_due and self.expects(seat, revision)):
            return
        if play.is_legal(action):
            count_bot_answer(asked)
            self.act(asked, action.token, now)

    def finish(self) -> None:
        """Show the result of the game, and have it kept once nothing about it can change."""
        self.phase = "result"
        if self.play is not None and self.play.is_settled:
            self._keep_end()

    def keep_unsettled(self) -> None:
        """Have a game kept that is over, although its result could still change."""
        if self.phase == "result" and self.play is not None and not self.play.is_settled:
            self._keep_end()

    def _keep_end(self) -> None:
        """Have the game kept in the history as it is now, which is its end."""
        owned = self._host_role.owner is not None
        owners = [seat for seat in self._participants.seats if owned and seat.host]
        play, at = self.play, int(self._unix_time())
        record = None if play is None else play.record(at)
        if play is not None and record is not None:
            own = places_of(owners, play.families)
            self.ended.append(EndedGame(record, play.ending(), own, at))

    def pause(self, paused: bool, now: float) -> None:
        """Stop the game for a while, or go on."""
        stood_still = self.stands_still
        self.paused = paused
        if stood_still and not self.stands_still:
            self.wake(now)

    @property
    def is_frozen(self) -> bool:
        """Whether something waits for the host's word to go on."""
        persons = self._participants.persons
        return self.paused or any(seat.absence == "wait" for seat in persons)

    def unfreeze(self, now: float) -> None:
        """Go on without the host's word."""
        for seat in self._participants.persons:
            if seat.absence == "wait":
                seat.absence = "grace"
        self.pause(False, now)

    def wake(self, now: float) -> None:
        """Go on when somebody is there again; those who may be about to return get their grace."""
        self.clock.asked_at = now
        for seat in self._participants.persons:
            if not seat.present:
                seat.away_since = now

    def silent_s(self, seat: Seat, now: float) -> float:
        """Return for how many seconds somebody has left a question unanswered, pauses apart."""
        if seat is not self.asked or self.stands_still:
            return 0.0
        return now - self.clock.asked_at

    def grant_return_time(self, seat: Seat, now: float) -> None:
        """See to it that somebody who is back has time to look."""
        if seat is self.asked:
            self.clock.raise_to(min(RETURN_S, self.settings.clock_s), now)

    def end(self, now: float, ended_by: str | None = None) -> None:
        """Go back to the lobby, with the seats of all who are there or may be back in seconds."""
        if self.phase == "playing":
            self._keep_end()
        self.keep_unsettled()
        self.evening = self.standing
        if self.play is not None:
            self.kind.put_away(self.play)
        self.stop_count()
        self.play = None
        self.phase, self.paused, self.ended_by = "lobby", False, ended_by
        participants = self._participants
        participants.seats = [seat for seat in participants.seats if keeps_seat(seat, now)]
        for seat in participants.seats:
            seat.ready, seat.lapses = False, 0
            self.kind.take_back(seat)

    # The decision that is asked for

    def tick(self, now: float) -> Think | None:
        """Let the time of whoever is asked run, or stand still; call it after any change.

        Returns what a bot is to be asked, unless it has been asked just that.
        """
        play = self.play
        if play is None or play.turn is None:
            self._thought = None
            return None
        asked = None if self.stands_still else self.asked
        waited_for = "bot" if asked is None else answers_for(asked)
        self.clock.let_run(now, runs=waited_for in ("no", "grace"))
        due = self._due()
        if asked is None or due is None:
            self._thought = None
            return None
        bot = asked.bot or AWAY_BOT
        thought = self.revision, bot, due
        if thought == self._thought:
            return None
        self._thought = thought
        viewer = self._participants.viewer_of(asked)
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
        """Whether a bot's answer for a seat may still count, now or later."""
        play = self.play
        return (
            play is not None
            and (seat, revision) == (play.turn, self.revision)
            and self._due() is not None
        )

    @property
    def has_searching_bots(self) -> bool:
        """Whether any seat's bot needs time to think here."""
        if not self.kind.asks_bots:
            return False
        bots = (seat.bot for seat in self._participants.seats)
        return any(bot is not None and budget_s(bot, self.settings.think_ms) for bot in bots)

    def missing(self) -> Reason | None:
        """Return why no game can be started now, or None if one can, or is under way.

        From a lobby nobody starts without those who may be back in seconds.
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
        in_lobby = self.phase == "lobby"
        if in_lobby and first != "random" and participants.seat_of(first) is None:
            return Reason(code="first_not_seated", values={"family": first})
        if in_lobby or kind.needs_everybody:
            lost = tuple(seat.name for seat in persons if not seat.present)
            if lost:
                return Reason(code="connection_lost", values={"names": lost})
        waited_for = tuple(
            seat.name for seat in persons if seat.present and not seat.ready and not seat.host
        )
        return Reason(code="not_ready", values={"names": waited_for}) if waited_for else None

    def _first_player(self, families: str) -> int | None:
        """Return who begins the next game: as the host chose, and then once round the table."""
        if self.play is not None:
            return (self.play.first + 1) % len(families)
        first = self.settings.first
        return None if first == "random" else families.index(first)

    def _due(self) -> float | None:
        """Return when a bot is to answer, or None if none is."""
        seat, out_at = self.asked, self.clock.out_at if self.settings.clock_s else None
        who = "wait" if seat is None or self.stands_still else answers_for(seat)
        if seat is None or who == "wait":
            return None
        if who == "no":
            return out_at
        due = self.clock.asked_at + self.settings.pace_ms / 1000
        if who == "bot":
            return due
        return min(max(due, seat.away_since + AWAY_GRACE_S), inf if out_at is None else out_at)
