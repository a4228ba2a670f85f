"""A client's program at a sealed table, between session and host. The host forwards parcels.

It acts as a host for the session: it makes States, Clocks and Refuseds from the player's own log,
and parcels from the session's answers. It waits only for the disk: all signed parcels are stored
before they are sent. `now` is the time of each call, in seconds of one monotonic clock, and
`unix_s` returns the Unix time.
"""

import time
from collections.abc import Callable, Set
from contextlib import suppress
from functools import partial
from math import inf
from random import Random, SystemRandom
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.leaf_game import OPENING, named_event, named_game
from engine.legal import why_not
from engine.views import project, view
from netcode.protocol.fields import Message, Values
from netcode.protocol.messages import (
    Act,
    Clock,
    GameRecord,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.protocol.refusal_sentences import RULES_NAMESPACE
from netcode.table.decision_clock import RETURN_S, DecisionClock
from netcode.table.effects import Think
from netcode.table.people.absence import AWAY_BOT
from netcode.wings.sealed.game.cheat_proofs import FREEZING
from netcode.wings.sealed.game.encoding import SealedError, SealingBody
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel, in_frames
from netcode.wings.sealed.game.proven_record import sealed_record
from netcode.wings.sealed.game.sealed_person import SealedPerson
from netcode.wings.sealed.game.sealing import check_sealing
from netcode.wings.sealed.game.votes import Situation, away
from netcode.wings.sealed.logged_game import LoggedGame, LoggedGames, events_of
from netcode.wings.sealed.messages import LogAt, Sealed
from netcode.wings.sealed.news import LeaveBe, Notice, SealedNews, SealedRecord, VoteMissing
from netcode.wings.sealed.stored_logs import StoredLogs
from netcode.workers.thinking_time import budget_s

AGREEING_S: Final = 10.0
"""Seconds for which another person's report about their log is valid."""

ASKING_S: Final = 5.0
"""Seconds between this program's reports about its log while a step is missing."""

SLOW_S: Final = 5.0
"""Seconds to wait for a step before asking others about it."""

MISSED_S: Final = 10.0
"""Seconds to wait for a step, or a part of the deal, before a notice reports it missing."""

ENDS_S: Final = 10.0
"""Maximum seconds to wait at the end of a game until everybody has opened their cards."""

BARRED_S: Final = 2.0
"""Seconds for which no answer is signed after a default has replaced one."""

TICK_S: Final = 1.0
"""Seconds between two ticks while a game is running."""


class PlayOutput(NamedTuple):
    """The messages that result from calls."""

    messages: list[Message]
    """Messages for the session, in order."""
    sent: list[Message]
    """Messages for the host, in order. Everything that must be stored first is on disk."""


class SealedPlay:
    """Handles messages between a client's connections and its session, for the whole session.

    Call `tick` after each other call. Then `think` is the question for a bot, or None if no bot is
    asked. `wake_at` is the time of the next `tick`, or None if no work depends on time.
    """

    def __init__(
        self,
        logs: StoredLogs,
        unix_s: Callable[[], float] = time.time,
        rng: Random | None = None,
    ) -> None:
        self.think: Think | None = None
        self.wake_at: float | None = None
        self.on_change: Callable[[], None] = lambda: None
        """Called after a change without a message on the connection. The caller must then call
        `tick`.
        """
        self._unix_s: Final = unix_s
        self._logged_games: Final = LoggedGames(logs, rng or SystemRandom())
        self._lobby: Lobby | None = None
        self._is_new_connection = False
        """True if no parcel of a game has come since the last Welcome."""
        self._is_greeted = True
        """False from a Welcome until the next Lobby, at which the host gets the end of the log
        again.
        """
        self._game: LoggedGame | None = None
        """The present or last sealed game; None before the first."""
        self._left_be: set[str] = set()
        self._revision = 0
        self._clock = DecisionClock()
        self._clock_shown: object = None
        self._question: bytes | None = None
        """The tip of the log at the question whose time the clock measures; None without a
        question.
        """
        self._barred_until = 0.0
        self._act: Act | None = None
        """The player's answer that the program has still to sign; None if no answer waits."""
        self._paused_at: float | None = None
        self._news: SealedNews | None = None
        self._output = PlayOutput([], [])

    # Incoming

    def from_host(self, message: Message, now: float) -> None:
        """Accept a message from the host; the next `tick` returns its results.

        The host's own reports about the game are ignored.
        """
        match message:
            case Welcome():
                self._is_new_connection, self._is_greeted = True, False
                self._output.messages.append(message)
            case Lobby():
                self._see_lobby(message, now)
            case State() | GameRecord() | Clock() | Refused(code="parcel_refused"):
                # Ignore the host's messages about the game: only the player's own program reports
                # on it.
                pass
            case Sealed():
                self._take([Parcel(*each) for each in message.parcels])
            case LogAt():
                self._see_log_at(message, now)
            case _:
                self._output.messages.append(message)

    def from_player(self, message: Message) -> None:
        """Accept a message from the session or the player; the next `tick` returns its results."""
        match message:
            case SetReady() | Start():
                self._get_ready(message)
            case Act():
                self._act = message
            case VoteMissing():
                if self._game is not None:
                    self._game.person.vote_missing()
            case LeaveBe(name, chosen):
                (self._left_be.add if chosen else self._left_be.discard)(name)
            case _:
                self._output.sent.append(message)

    def from_bot(self, think: Think, action: Action) -> None:
        """Sign a bot's answer. Ignore it if another question is open, or if it is not allowed."""
        if think is self.think and self._game is not None:
            with suppress(SealedError):
                self._game.person.answer(think.seat, action)

    def tick(self, now: float) -> PlayOutput:
        """Do everything that is due now, and return the messages for the session and the host.

        Raises StoreError if a signed parcel cannot be stored, and SealedError if the log refuses
        the player's answer although the rules allow it.
        """
        game, lobby, act = self._game, self._lobby, self._act
        if game is not None:
            self._store_and_send(game, now)
        is_compared = game is None or game.person.is_compared
        if act is not None and is_compared and now >= self._barred_until:
            self._act = None
            code, values = self._try(act)
            if code:
                self._output.messages.append(Refused(code=code, values=values, number=act.number))
        self.wake_at, thought, self.think = None, self.think, None
        if game is not None and lobby is not None:
            there = game.persons_named({seat.name for seat in lobby.seats if seat.present})
            if game.person.log is not None:
                self._sign_due(game, game.person.log, lobby, there, now)
                self._store_and_send(game, now)
                self._show(game, game.person.log, lobby, thought, now)
            elif game.person.is_under_way:
                self.wake_at = now + TICK_S
                _watch_deal(game, lobby, now)
            news = game.news(there, self._left_be)
            if news != self._news:
                self._news = news
                self._output.messages.append(news)
        body, self._output = self._output, PlayOutput([], [])
        return body

    @property
    def person(self) -> SealedPerson | None:
        """The player's program in the present or last sealed game; None without a game."""
        return None if self._game is None else self._game.person

    def note(self, notice: Notice) -> None:
        """Add a notice about something outside the game. Without a game, do nothing."""
        if self._game is not None:
            self._game.notices.append(notice)

    def close(self) -> None:
        """Close the logs."""
        if self._game is not None:
            self._game.close()
        self._logged_games.close()

    # The lobby and readiness

    def _see_lobby(self, lobby: Lobby, now: float) -> None:
        game = self._game
        was_paused = self._paused_at is not None
        if game is not None and self._paused_at is not None and not lobby.paused:
            game.since += now - self._paused_at
        self._paused_at = (self._paused_at or now) if lobby.paused else None
        self._lobby = lobby
        if lobby.phase == "result" and game is not None and not game.has_ended:
            # A player who leaves at the result must have opened their cards before.
            lobby = replace(lobby, phase="playing")
        self._output.messages.append(lobby)
        if not lobby.settings.sealed:
            self._logged_games.throw_away()
        if game is None:
            pass
        elif lobby.phase == "lobby" or not lobby.settings.sealed:
            self._leave(game)
        elif not self._is_greeted or (was_paused and not lobby.paused):
            game.person.resend()
            game.should_report = True
            if not self._is_greeted:
                if game.person.sealing is not None:
                    clock_s = game.person.sealing.settings.clock_s
                    self._clock.raise_to(min(RETURN_S, clock_s), now)
                # Other persons may have returned only now, so begin to wait anew.
                game.since, game.unanswered_since = now, inf
        self._is_greeted = True

    def _leave(self, game: LoggedGame) -> None:
        """Close the log of a game that is over or cannot continue, and forget the game."""
        game.close()
        self._game = self._news = None

    def _get_ready(self, message: SetReady | Start) -> None:
        """Forward a player's readiness. For a sealed game, add the key of a stored log."""
        if isinstance(message, SetReady) and not message.ready:
            self._logged_games.throw_away()
        elif self._lobby and self._lobby.settings.sealed and self._lobby.phase != "playing":
            message = replace(message, game_key=self._logged_games.get_ready())
        self._output.sent.append(message)

    # Parcels

    def _take(self, parcels: list[Parcel]) -> None:
        for parcel in parcels:
            sealing = None if parcel.signature else _sealing(parcel)
            if sealing is not None:
                self._see_sealing(parcel, sealing)
                break
        if self._game is not None:
            person, had_begun = self._game.person, self._game.person.log is not None
            person.receive(parcels)
            if person.log is not None and person.me in person.log.ends:
                self._game.has_shown |= person.log.ends[person.me] in parcels
            if person.log is not None and not had_begun:
                # The deal that the sealing names as incomplete no longer counts. Keep its log,
                # since this host's statement about another deal or table may be false.
                body = person.log.sealing.decoded
                self._logged_games.broken(self._game, body, discounted=body.broken)
        self._is_new_connection = False

    def _see_sealing(self, parcel: Parcel, body: SealingBody) -> None:
        """Begin to play or watch the game of a sealing, unless a running game prevents this."""
        lobby, game, before = self._lobby, self._game, None
        if lobby is None or (game is not None and game.is_about(parcel)):
            return
        if game is not None:
            # A sealing must not move a player out of a running game, unless the connection is new.
            if game.person.is_under_way and not self._is_new_connection:
                return
            if game.person.log is not None and game.person.log.game.over:
                before = game.person.log.dealing.deal.first
            self._leave(game)
        game = self._game = self._logged_games.of(body, lobby.you)
        if game.person.sealing is None:
            counted = self._logged_games.broken(game, body)
            check = None
            if game.kept is not None:
                key = game.person.public_key
                check = partial(check_sealing, lobby=lobby, key=key, before=before, counted=counted)
            game.person.receive([parcel], check)
        else:
            game.person.resend()

    def _see_log_at(self, message: LogAt, now: float) -> None:
        game = self._game
        if game is None or game.person.sealing is None or message.gid != game.person.sealing.gid:
            return
        if message.person is not None:
            game.agreeing[message.person] = (message.n, message.tip), now
            log = game.person.log
            is_here = log is not None and (message.n, message.tip) == (log.height, log.tip)
            game.should_report |= is_here and now - game.sent_at >= ASKING_S
            return
        game.is_answered, game.unanswered_since = True, inf
        game.person.log_at(message.n, message.tip)

    def _store_and_send(self, game: LoggedGame, now: float) -> None:
        """Do the work of the player's program: store first, then send.

        Also send the end of the log if it must be reported. Other programs answer with the parcels
        that this log lacks.
        """
        output, log = game.person.output(), game.person.log
        if game.kept is not None:
            game.kept.keep(output.keep)
        self._output.sent.extend(in_frames(output.send))
        for news in output.news:
            game.add_news(news)
            if news.code == "went_back":
                self._barred_until = now + BARRED_S
        game.is_behind |= output.compare
        if log is None:
            return
        # Report an unchanged end at most once a second.
        is_new = log.tip != game.sent_after or now - game.sent_at >= TICK_S
        if game.should_report or (game.is_behind and is_new):
            self._output.sent.append(LogAt(gid=log.sealing.gid, n=log.height, tip=log.tip))
            game.sent_at, game.sent_after, game.is_answered = now, log.tip, False
            game.unanswered_since = min(game.unanswered_since, now)
            game.is_behind = game.should_report = False

    # Answers

    def _try(self, message: Act) -> tuple[str, Values]:
        """Try to sign the player's answer; return code and values of a refusal, or "" and {}.

        Raises SealedError if the log refuses an answer that the rules allow.
        """
        game, lobby, action = self._game, self._lobby, ACTIONS.get(message.action)
        log = None if game is None else game.person.log
        if game is None or log is None or lobby is None or log.due is None or log.frozen:
            return "no_game", {}
        if lobby.paused:
            return "paused", {}
        if message.revision != self._revision:
            return "late", {}
        if action is None:
            return "no_action", {}
        if log.due.opening is not None:
            # The question on the screen was answered already. A State follows.
            return "", {}
        seat = log.game.turn
        if seat not in game.person.player_seats:
            return "not_your_turn", {"family": log.game.families[seat]}
        try:
            game.person.answer(seat, action)
        except SealedError:
            refusal = None if game.seen is None else why_not(game.seen, action)
            if refusal is None:
                raise
            return RULES_NAMESPACE + refusal.code, dict(refusal.values)
        return "", {}

    # Consequences

    def _sign_due(
        self, game: LoggedGame, log: SealedLog, lobby: Lobby, there: Set[int], now: float
    ) -> None:
        """Sign everything that is due now, and report the end of the log if a step is missing."""
        person = game.person
        game.see_step(log, lobby, there, now)
        here = (log.height, log.tip)
        latest = now - AGREEING_S
        situation = Situation(
            waited_s=now - game.since,
            agreeing={
                one for one, (at, when) in game.agreeing.items() if at == here and when >= latest
            },
            connected=there,
            paused_s=0 if self._paused_at is None else now - self._paused_at,
            left_be=game.persons_named(self._left_be),
        )
        person.advance(situation, int(self._unix_s()))
        game.see_step(log, lobby, there, now)
        is_early, due = now - game.sent_at < ASKING_S, log.due
        if person.me is None:
            return
        if not (person.is_compared and game.is_answered):
            game.should_report |= not is_early
        elif due is not None and log.sealing.quorum is not None:
            owner = due.owner
            slow_s = min(SLOW_S, log.sealing.settings.clock_s or SLOW_S)
            # Without a step to wait for, report a new end to everybody at once.
            is_lost = away(log, owner) or log.is_spent
            is_slow = is_lost or now - game.since >= slow_s or owner not in there
            is_new = is_lost and game.sent_after != log.tip
            game.should_report |= is_slow and owner != person.me and (is_new or not is_early)
        if due is not None and not log.frozen and not lobby.paused:
            self._watch_step(game, log, lobby, there - situation.agreeing, now)

    def _watch_step(
        self, game: LoggedGame, log: SealedLog, lobby: Lobby, differing: Set[int], now: float
    ) -> None:
        """Add a notice if the host is silent, or the program of the person who owes the due step.

        `differing` are the connected persons whose programs have not reported the same log.
        """
        due, me = log.due, game.person.me
        if due is None or now - game.since < MISSED_S:
            return
        if now - game.unanswered_since >= MISSED_S - SLOW_S:
            game.add_missing(log.tip, "host_silent", lobby.host_name)
        elif log.sealing.quorum is not None and due.owner != me and due.owner in differing:
            game.add_missing(log.tip, "program_silent", log.sealing.shown[due.owner])

    def _show(
        self, game: LoggedGame, log: SealedLog, lobby: Lobby, thought: Think | None, now: float
    ) -> None:
        """Deliver the game, its record or its clock to the session; set the question for bots."""
        if not game.is_settled and not log.frozen:
            self.wake_at = now + TICK_S
            if log.game.over:
                if game.over_at is None and game.person.me in (None, *log.ends):
                    game.over_at = now
                if game.over_at is None or now - game.over_at < ENDS_S:
                    return
        if log.frozen in FREEZING and not log.game.over and not game.has_ended:
            # A frozen game will have no other end, so deliver its record with the proof now.
            line = sealed_record(log).to_json()
            self._output.messages.append(SealedRecord(self._revision, line))
            game.has_ended = True
        if log.game.question == OPENING:
            # Do not show this position: it lasts only until a card is opened.
            return
        if (state := game.state(self._revision + 1)) is not None:
            self._revision = state.revision
            self._output.messages.append(state)
            if log.game.over:
                line = sealed_record(log).to_json()
                self._output.messages.append(SealedRecord(state.revision, line))
                if lobby.phase == "result" and not game.has_ended:
                    self._output.messages.append(lobby)
                game.has_ended = True
        due = log.due
        if due is None or due.opening is not None or log.frozen:
            return
        bot, settings = log.sealing.decoded.seats[due.seat].bot, log.sealing.settings
        if log.tip != self._question:
            self._question = log.tip
            self._clock = DecisionClock(now, settings.clock_s)
        self._clock.let_run(now, runs=bot is None and not lobby.paused)
        if settings.clock_s:
            self._show_clock(now)
        if lobby.paused or not game.person.is_compared or due.seat not in game.person.owned:
            return
        delay_s = max(0.0, settings.pace_ms / 1000, self._barred_until - now)
        if bot is None:
            if not settings.clock_s or self._clock.left_s(now) > 0:
                return
            # The player's time has run out, so let a bot of this program answer.
            bot, delay_s = AWAY_BOT, 0.0
        if thought is not None and (thought.revision, thought.bot) == (self._revision, bot):
            self.think = thought
            return
        # At a table for two, a player has a second family.
        seats = log.sealing.decoded.seats
        person, name = game.person, seats[due.seat].name
        own = tuple(each for each in person.owned if seats[each].name == name)
        known = person.known(*own)
        self.think = Think(
            game=log.sealing.decoded.game,
            seat=due.seat,
            bot=bot,
            view=view(named_game(log.game, known), own),
            events=tuple([project(named_event(each, known), own) for each in events_of(log)]),
            revision=self._revision,
            delay_s=delay_s,
            budget_s=budget_s(bot, settings.think_ms),
        )

    def _show_clock(self, now: float) -> None:
        """Deliver the time left for the question, if it has changed."""
        out_at = self._clock.out_at
        if out_at is not None and out_at > now:
            self.wake_at = min(self.wake_at or out_at, out_at)
        shown = self._revision, *self._clock.state
        if shown != self._clock_shown:
            self._clock_shown = shown
            self._output.messages.append(self._clock.message(self._revision, now))


def _watch_deal(game: LoggedGame, lobby: Lobby, now: float) -> None:
    """Add a notice if a part of the deal is late and no other notice explains it."""
    person, sealing, dealing = game.person, game.person.sealing, game.person.dealing
    if sealing is None or dealing is None or game.notices or lobby.paused:
        return
    parts = len(dealing.parcels)
    if parts != game.dealt_parts[0]:
        game.dealt_parts = parts, now
    names = [sealing.shown[one] for one in person.waiting_for if one != person.me]
    body = [name for name in names if name in (lobby.dealing or ())]
    if names and now - game.dealt_parts[1] >= MISSED_S:
        game.add_missing(sealing.gid, "deal_missing", *(body or names))


def _sealing(parcel: Parcel) -> SealingBody | None:
    """Return the body of a parcel if it is a sealing; otherwise None.

    The sealing is not checked.
    """
    with suppress(SealedError):
        body = parcel.decoded
        return body if isinstance(body, SealingBody) else None
    return None
