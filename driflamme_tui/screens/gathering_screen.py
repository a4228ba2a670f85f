"""Defines the base class of lobby and result: ready players, free seats, and the countdown."""

from functools import cached_property
from math import ceil

from driflamme_tui.screens.base.list_page import Page
from driflamme_tui.screens.base.screen_face import sections_of
from driflamme_tui.screens.countdown import next_second, soonest
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.seat.sections import Sections
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.settings_words import free_families
from netcode.protocol.messages import ChooseFamily, Lobby, SetReady
from netcode.protocol.refusal_sentences import refusal_sentence


class GatheringScreen(SessionScreen, Page):
    """A table between games."""

    shown: Lobby | None = None
    """The lobby that the screen shows; None before the first one."""
    starts_at: float | None = None
    """The time, by the app's clock, at which the next game starts; None without a countdown."""

    @cached_property
    def sections(self) -> Sections:
        """The sections of wings on this screen."""
        return sections_of(self)

    def sync(self) -> None:
        """Redraw everything from the session. A new lobby clears the notice."""
        before, lobby = self.shown, self.lobby
        if before is not lobby:
            self.shown, self.notice = lobby, ""
            if before is not None:
                self.lobby_changed(before)
        self._count(before)
        super().sync()

    def lobby_changed(self, before: Lobby) -> None:
        """Update the screen after a change of the lobby, which was `before`.

        The default does nothing.
        """

    def _count(self, before: Lobby | None) -> None:
        """Store the end of a new countdown, or drop a countdown that has stopped.

        If the countdown has stopped, set a notice with the reason. A present notice stays, unless
        the connection is lost.
        """
        lobby, lost = self.lobby, self.player_seat.lost is not None
        if lobby.count_s is not None and not lost:
            if self.starts_at is None:
                self.starts_at = self.terminal.clock() + lobby.count_s
            return
        if self.starts_at is None:
            return
        self.starts_at = None
        if self.notice and not lost:
            # The present notice already states the reason.
            return
        self.good = False
        there = {seat.name for seat in lobby.seats}
        gone = [seat.name for seat in before.seats if seat.name not in there] if before else []
        self.notice = _("The countdown has stopped.")
        if lost:
            self.notice = _("The connection is lost: the countdown has stopped.")
        elif gone:
            self.notice = _("{name} has left: the countdown has stopped.", name=gone[0])
        elif lobby.missing is not None:
            why = refusal_sentence(lobby.missing, _)
            self.notice = _("{why} The countdown has stopped.", why=why)

    @property
    def count(self) -> int:
        """Whole seconds until the start, at least 1; 0 without a countdown."""
        if self.starts_at is None:
            return 0
        return max(1, ceil(self.starts_at - self.terminal.clock()))

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the countdown, or the wait for a reconnection, changes.

        Returns None without either.
        """
        counted = None if self.starts_at is None else next_second(self.starts_at - now)
        return soonest(super().next_change(now), counted)

    def ready_words(self) -> str:
        """Return the label of the key bar's entry that makes the reader ready.

        A spectator's label offers a seat, and a ready player's label withdraws the readiness.
        Returns "" for a player who is not ready, since the command's own label is then right.
        """
        own = self.lobby.your_seat
        if own is None:
            return _("sit down")
        return _("not yet") if own.ready else ""

    @property
    def may_get_ready(self) -> bool:
        """True if the reader has a seat at the table, or can take a free seat."""
        return self.lobby.you is not None or bool(free_families(self.lobby))

    def action_ready(self) -> None:
        """Declare the reader ready; if the reader is ready already, not ready.

        For a spectator, ask for the first free seat, if there is one.
        """
        own, free = self.lobby.your_seat, free_families(self.lobby)
        if own is None and free:
            self.player_seat.send(ChooseFamily(family=free[0]))
        elif own is not None:
            self.player_seat.send(SetReady(ready=not own.ready))
