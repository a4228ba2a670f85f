"""The games of a table, one after the other: its phase, who is to answer, and until when.

Who may ask for what is left to `requests.py`, the rules to `live_game.py`.
"""

import dataclasses
from collections.abc import Callable
from itertools import cycle
from math import inf
from random import Random
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import Action
from engine.edition import EDITIONS
from engine.game import Deal
from engine.record import RecordedPlayer
from netcode.protocol.evening import Evening, SeatResult
from netcode.protocol.fields import Phase, letters_of
from netcode.protocol.messages import MAXIMUM_BROKEN, Clock, Reason, Sealed
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Think
from netcode.table.errors import NotAllowedError
from netcode.table.finished_game import EndedGame
from netcode.table.live_game import LiveGame
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
from netcode.table.snapshot import KeptGame, Sealings, Snapshot
from netcode.workers.thinking_time import budget_s

if TYPE_CHECKING:
    from netcode.table.sealed_game import PassedOn, SealedGame

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

PLAYERS_OF_SEALED: Final = 2
"""How many persons must play a sealed game: whoever is alone has nobody to hide cards from."""


class Games:
    """The games of one table: the one that is under way or just over, and how many there were."""

    def __init__(
        self,
        rng: Random,
        participants: Participants,
        host_role: HostRole,
        settings: TableSettings,
        unix_time: Callable[[], float],
    ) -> None:
        """Begin in a lobby; the arguments are those of `Table`."""
        self.settings = settings
        """What the host has decided; it changes in the lobby only."""
        self.phase: Phase = "lobby"
        self.live: LiveGame | None = None
        """The game that is under way or just over, if the table holds its cards."""
        self.sealed_game: SealedGame | None = None
        """The game that is under way or just over, if it is sealed."""
        self.sealings = Sealings()
        """What the next sealing says of those before."""
        self.begun = 0
        """How many games have begun."""
        self.revision = 0
        """Counts what has happened in all games of the table."""
        self.paused = False
        """Whether the host has stopped the game for a while."""
        self.evening = Evening()
        """What the games that came to their end have brought everybody: see `standing`."""
        self.has_doors = False
        """Whether people play here with programs on the host's machine, which has their cards."""
        self.count_s: int | None = None
        """How many seconds are counted to the next game; None while that is not so."""
        self.ended_by: str | None = None
        """Who ended the last game before its end; None unless that has been just now."""
        self.ended: list[EndedGame] = []
        """Those that have come to their end and are to be kept."""
        self.moves = 0
        """How many answers, or steps of a sealed game, have come and are to be kept."""
        self._starts_at = inf
        """When the next game begins, if that is counted."""
        self._counted_for: list[Seat] = []
        """Who was to play when the count began."""
        self._rng = rng
        self._participants = participants
        self._host_role = host_role
        self._unix_time = unix_time
        self.clock = DecisionClock()
        """Of the decision that is asked for."""
        self._thought: tuple[int, str, float] | None = None
        """The last question to a bot: the revision, the bot, and when it is to answer."""

    def restore(
        self, kept: Snapshot, live: LiveGame | None, sealed_game: "SealedGame | None"
    ) -> None:
        """Go on from what was kept; whoever is asked has the whole time again."""
        self.begun, self.revision = kept.game.begun, kept.game.revision
        self.evening = kept.table.evening
        self.sealings = kept.table.sealings
        self.live, self.sealed_game = live, sealed_game
        play = self.play
        if play is not None:
            self.phase = "result" if play.over else "playing"
            self.paused = kept.table.paused and not play.over
            self.clock = DecisionClock(0.0, self.settings.clock_s)

    def kept(self) -> KeptGame:
        """Return what is to be kept of the games as they are now."""
        live, sealed_game = self.live, self.sealed_game
        return KeptGame(
            begun=self.begun,
            revision=self.revision,
            phase=self.phase,
            acted=tuple([seat.acted for seat in self._participants.seats]),
            record="" if live is None else live.opening,
            actions=() if live is None else live.actions,
            parcels=() if sealed_game is None else tuple(sealed_game.kept),
        )

    @property
    def play(self) -> "LiveGame | SealedGame | None":
        """The game that is under way or just over, of which more is asked by its kind alone."""
        return self.live or self.sealed_game

    @property
    def asked(self) -> Seat | None:
        """The seat that is to answer; None if no game is under way, or it is sealed."""
        if self.live is None or self.phase != "playing":
            return None
        # The game counts its places by families.
        seats = self._participants.seats
        return seats[self.live.turn % len(seats)]

    def plays(self, participant: Participant) -> bool:
        """Whether somebody has a part in the game that is under way, or just over unless sealed."""
        play = self.live or (self.sealed_game if self.phase == "playing" else None)
        return play is not None and participant.family in tuple(play.families)

    @property
    def stands_still(self) -> bool:
        """Whether nothing goes on, because of a pause or because nobody is there."""
        return self.paused or not self._participants.awake

    @property
    def standing(self) -> Evening:
        """What the evening has come to: a sealed game that is over counts by what is opened."""
        sealed_game = self.sealed_game
        if sealed_game is None or not sealed_game.over:
            return self.evening
        return self.evening.after(sealed_game.results())

    # Changes

    def begin(self, now: float) -> None:
        """Begin a game of all who are seated; if that fails, nothing has changed."""
        first = self._first_player(self._participants.families)
        number = self.begun + 1
        sealed = self.settings.sealed
        sealed_game = self._sealed(number, first) if sealed else None
        live = None if sealed else self._dealt(number, first)
        self.keep_unsettled()
        self.stop_count()
        self.evening = self.standing
        if self.evening.is_decided(self.settings.best_of):
            self.evening = Evening()
        self.live, self.sealed_game = live, sealed_game
        self.begun = number
        self.revision += 1
        self.phase, self.ended_by = "playing", None
        for seat in self._participants.seats:
            seat.ready, seat.newcomer, seat.game_key = False, False, None
        self.clock = DecisionClock(now, self.settings.clock_s)

    def _dealt(self, number: int, first: int | None) -> LiveGame:
        """Return a game that has just been dealt."""
        families, seats = self._participants.families, self._participants.seats
        edition = EDITIONS[self.settings.edition]
        deal = Deal.shuffled(self._rng, families, edition, first)
        players = tuple(
            RecordedPlayer(family, seat.name, seat.bot)
            for family, seat in zip(families, cycle(seats), strict=False)
        )
        return LiveGame(number, deal, self.settings, players, int(self._unix_time()))

    def _sealed(self, number: int, first: int | None) -> "SealedGame":
        """Return a game whose cards its players draw, with its sealing."""
        # It brings cryptography along, which an ordinary table does not need.
        from netcode.table.sealed_game import SealedGame, made_sealing

        if not self.sealings.table:
            self.sealings = Sealings(self._rng.randbytes(16))
        families = self._participants.families
        seats = zip(letters_of(families), cycle(self._participants.seats), strict=False)
        began = int(self._unix_time())
        sealing = made_sealing(self.sealings, number, began, self.settings, [*seats], first)
        return SealedGame(sealing)

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

    @property
    def lacks_keys(self) -> bool:
        """Whether somebody has brought no key for the sealed game to come."""
        persons = self._participants.persons
        return self.settings.sealed and any(seat.game_key is None for seat in persons)

    def starts_at(self) -> float:
        """Return when a game begins by itself; infinity if none does.

        A count stops when something is missing, nobody is there any more, or others are to play
        than when it began.
        """
        if self.count_s is not None and (
            self.missing() is not None
            or self.stands_still
            or self.lacks_keys
            or self._participants.seats != self._counted_for
        ):
            self.stop_count()
        return self._starts_at

    def hand_over(self, seat: Seat) -> None:
        """Record the present player of a seat as its holder, if its game is still under way."""
        if self.live is not None and self.phase == "playing":
            at = int(self._unix_time())
            self.live.hand_over(seat.families, seat.name, seat.bot, at)

    def act(self, seat: Seat, token: str, now: float) -> None:
        """Play somebody's answer; raises NotAllowedError, and then nothing has changed."""
        play, asked = self.live, self.asked
        if play is None or asked is None:
            raise NotAllowedError("no_game")
        if seat is not asked:
            raise NotAllowedError("not_your_turn", family=play.families[play.turn])
        play.act(token)
        self.revision += 1
        self.moves += 1
        if play.over:
            self.phase = "result"
            ending, seats = play.ending(), cycle(self._participants.seats)
            self.evening = self.evening.after(
                SeatResult(each.name, each.bot is not None, influence, place)
                for each, influence, place in zip(
                    seats, ending.scores, ending.places or (), strict=False
                )
            )
            for each in self._participants.seats:
                each.lapses = 0
            self._keep_end()
        else:
            self.clock = DecisionClock(now, self.settings.clock_s)

    def act_for(self, seat: int, revision: int, action: Action, now: float) -> None:
        """Play a bot's answer for a seat, if a bot may answer so, and may now."""
        play, asked, due = self.live, self.asked, self._due()
        is_due = due is not None and now >= due - TIMER_SLACK_S
        if play is None or asked is None or not (is_due and self.expects(seat, revision)):
            return
        if play.is_legal(action):
            count_bot_answer(asked)
            self.act(asked, action.token, now)

    def take_parcels(self, message: Sealed) -> "PassedOn":
        """Take in what is signed; return what has come of it."""
        game = self.sealed_game
        assert game is not None
        passed_on = game.receive(message, paused=self.paused)
        self.moves += passed_on.steps
        if passed_on.begins:
            self.sealings = replace(self.sealings, broken=())
        if passed_on.ends:
            self.phase = "result"
            if game.is_settled:
                self._keep_end()
        return passed_on

    def keep_unsettled(self) -> None:
        """Have a sealed game kept that is over, if somebody has not opened their cards."""
        sealed_game = self.sealed_game
        if self.phase == "result" and sealed_game is not None and not sealed_game.is_settled:
            self._keep_end()

    def _keep_end(self) -> None:
        """Have the game kept in the history as it is now, which is its end."""
        owned = self._host_role.owner is not None
        owners = [seat for seat in self._participants.seats if owned and seat.host]
        play = self.play
        record = None if play is None else play.record()
        if play is not None and record is not None:
            at = int(self._unix_time())
            if self.live is not None:
                record = dataclasses.replace(record, ended=at)
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
        broken = None if self.sealed_game is None else self.sealed_game.broken
        if broken is not None:
            self.sealings = replace(self.sealings, broken=(*self.sealings.broken, broken))
        self.stop_count()
        self.live = self.sealed_game = None
        self.phase, self.paused, self.ended_by = "lobby", False, ended_by
        participants = self._participants
        participants.seats = [seat for seat in participants.seats if keeps_seat(seat, now)]
        for seat in participants.seats:
            seat.ready, seat.lapses, seat.game_key = False, 0, None

    # The decision that is asked for

    def tick(self, now: float) -> Think | None:
        """Let the time of whoever is asked run, or stand still; call it after any change.

        Returns what a bot is to be asked, unless it has been asked just that.
        """
        play = self.live
        if play is None:
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
            game=play.number,
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
        play = self.live
        return (
            play is not None
            and (seat, revision) == (play.turn, self.revision)
            and self._due() is not None
        )

    @property
    def has_searching_bots(self) -> bool:
        """Whether any seat's bot needs time to think here."""
        if self.settings.sealed:
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
        persons, sealed = list(participants.persons), self.settings.sealed
        if sealed and self.has_doors:
            return Reason(code="doors_open")
        if sealed and len(persons) < PLAYERS_OF_SEALED:
            return Reason(code="too_few_persons")
        if sealed and len(persons) < seated and not any(seat.host for seat in persons):
            return Reason(code="bots_need_host")
        if sealed and len(self.sealings.broken) > MAXIMUM_BROKEN:
            return Reason(code="too_many_broken")
        in_lobby = self.phase == "lobby"
        if in_lobby and first != "random" and participants.seat_of(first) is None:
            return Reason(code="first_not_seated", values={"family": first})
        if in_lobby or sealed:
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
