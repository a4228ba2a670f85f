"""Follows a table for its reader, without a screen: question, pictures, news and clock."""

from collections.abc import Callable
from typing import Final, Protocol

from driflamme_tui.drawing.layout import Layout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question
from driflamme_tui.screens.countdown import Countdown, soonest
from driflamme_tui.screens.table.animation import Animation
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.screens.table.event_lines import EventLines
from driflamme_tui.screens.table.moment import moment_of, names_at, table_names_at
from driflamme_tui.screens.table.table_clock import TableClock
from driflamme_tui.screens.table.table_news import News, TableNews
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.event_words import forced_sentence
from driflamme_tui.wording.program.joining_words import steady_latency
from driflamme_tui.wording.program.people_words import refused_in_game
from engine.actions import Action
from engine.views import View


class TableKind(Protocol):
    """The differences between kinds of tables: the questions, and the animation of events."""

    def question(self, view: View) -> Question | None:
        """Return the reader's question at a view; None if this kind of table asks nothing there."""

    def blocked(self) -> str:
        """Return the reason why no answer is possible now; "" if one is possible."""

    def decided_sentence(self, *, was_lost: bool) -> str:
        """Return the sentence stating that a bot has decided for the reader.

        `was_lost` is True if the connection was lost before the decision.
        """

    def pictures_wanted(self) -> bool:
        """Return True if events should be animated."""


SENDS_BEFORE_S: Final = 0.5
"""Seconds before the end of the time at which a prepared answer is sent.

The latency is added to these seconds.
"""

MOST_LATENCY_S: Final = 1.0
"""Maximum latency, in seconds, that is added to `SENDS_BEFORE_S`.

A bad connection, or a host that delays replies, must not make the program send a choice long before
the end.
"""


class ShownTable:
    """The table as its reader sees it, with their answers."""

    def __init__(
        self,
        player_seat: PlayerSeat,
        terminal: Terminal,
        kind: TableKind,
        chosen: Callable[[], object],
    ) -> None:
        """Begin before the first view.

        Args:
            player_seat: The reader's seat at the table.
            terminal: Has the time, the signs and the settings.
            kind: Decides about questions and pictures.
            chosen: Is called after each change of the reader's choice.
        """
        self._sitting, self._terminal, self._kind = player_seat, terminal, kind
        self.answering = Answering(
            player_seat, terminal, self.prompter, self.answer, kind.blocked, chosen
        )
        self.animation, self.event_lines = Animation(), EventLines()
        self.news = TableNews()
        self.forced = ""
        """The latest forced decision, as a sentence; "" without one."""
        self._clock = TableClock(terminal)
        self._is_paused = False
        self._latency_ms: int | None = None
        """The latency that is displayed, in milliseconds; None if unknown."""

    def update(self) -> News | None:
        """Update from the session, and return the changes; None before the first view."""
        player_seat, answering = self._sitting, self.answering
        is_lost = player_seat.lost is not None
        news = self.news.update(player_seat.session, is_lost=is_lost)
        if news is None:
            return None
        self._clock.update(player_seat.session.clock)
        if news.is_new_view:
            self._begin(news)
        if news.refusal is not None:
            answering.notice = refused_in_game(
                news.refusal, player_seat.lobby, self._terminal.glyphs
            )
        if player_seat.lobby.paused != self._is_paused:
            # The next key may have been meant for the table before the pause, or in it.
            self._is_paused = player_seat.lobby.paused
            if not self._is_paused:
                # The notice may say that nothing can be answered.
                answering.notice = ""
            answering.guard()
        if news.refusal is not None or is_lost or not answering.stood_in:
            answering.taking_back = False
        self._latency_ms = steady_latency(self._latency_ms, player_seat.latency_ms)
        return news

    def _begin(self, news: News) -> None:
        """Begin with a new view: start its animation, and ask the reader's question."""
        player_seat, answering, terminal, view = (
            self._sitting,
            self.answering,
            self._terminal,
            news.view,
        )
        is_unanswered = answering.question is not None and news.is_unanswered
        wanted = self._kind.pictures_wanted() and player_seat.lost is None
        pace_s = terminal.settings.reading if player_seat.asks else 0.0
        self.animation.see(
            view,
            player_seat.session,
            terminal.clock(),
            pace_s,
            wanted=wanted,
            answered=player_seat.answered,
        )
        self.forced = forced_sentence(
            news.events, table_names_at(player_seat, view, terminal.glyphs)
        )
        is_yours = player_seat.asks and view.turn in view.viewers and not view.over
        answering.ask(self._kind.question(view) if is_yours else None)
        if answering.question is not None:
            answering.stood_for = ""
        if is_unanswered and not answering.stood_in:
            answering.stood_for = self._kind.decided_sentence(was_lost=news.was_lost)

    def answer(self, action: Action) -> None:
        """Send an answer, and store the revision that it answers."""
        session = self._sitting.session
        self.news.answered = session.revision
        self.animation.answered(self.answering.view, session)
        self._sitting.answer(action)

    def prompter(self) -> Prompter:
        """Return the prompter that formulates the question."""
        view = self.answering.view
        return Prompter(view, names_at(self._sitting, view), self._terminal.glyphs)

    def moment(self, layout: Layout) -> TableState:
        """Return everything that the widgets draw now."""
        return moment_of(
            self._sitting,
            self.answering,
            self.animation,
            self.event_lines,
            glyphs=self._terminal.glyphs,
            layout=layout,
            now=self._terminal.clock(),
            countdown=self.countdown(),
            latency_ms=self._latency_ms,
            forced=self.forced,
        )

    def countdown(self) -> Countdown | None:
        """Return the clock of the question if it is running, or if the game is paused.

        Otherwise return None.
        """
        return self._clock.running(self._sitting)

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the clock or the animation changes, or an answer must be sent.

        Returns None if no such change comes.
        """
        countdown = self.countdown()
        clock = None if countdown is None else countdown.next_change(now)
        return soonest(self.animation.reel.next_change(now), clock, self._sends_in(now))

    def _sends_in(self, now: float) -> float | None:
        """Return the seconds until a prepared answer is sent.

        Returns None without a prepared answer or a running clock, and once the time is up.
        """
        countdown = self.countdown()
        if countdown is None or not countdown.clock.running or self.open_question() is None:
            return None
        left = countdown.left_s(now)
        if left <= 0 or self.answering.prepared is None:
            return None
        latency_s = min(MOST_LATENCY_S, (self._latency_ms or 0) / 1000)
        return max(0.0, left - SENDS_BEFORE_S - latency_s)

    def send_prepared(self) -> bool:
        """Send the prepared answer if the time is nearly up; return True if it was sent.

        Until then the choice stays in this program.
        """
        action = self.answering.prepared
        if action is None or self._sends_in(self._terminal.clock()) != 0:
            return False
        self.answer(action)
        self.answering.stood_for = _("Your time was up, so your choice was played.")
        return True

    def open_question(self) -> int | None:
        """Return the revision of the question that the reader must answer.

        Returns None if it is not the reader's turn, if the answer is already sent, or if the reader
        cannot answer now.
        """
        player_seat, news, answering = self._sitting, self.news, self.answering
        is_answered = news.revision == news.answered or player_seat.session.pending is not None
        is_stopped = player_seat.lost is not None or answering.stood_in
        waits = answering.question is not None and not is_answered and not is_stopped
        return news.revision if waits else None
