"""Follows the clock of the present question."""

from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.screens.countdown import Countdown
from driflamme_tui.seat.player_seat import PlayerSeat
from netcode.protocol.messages import Clock


class TableClock:
    """The latest clock of the host, which the system clock continues."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._countdown: Countdown | None = None

    def update(self, clock: Clock | None) -> None:
        """Follow the host's latest clock; None if there is none."""
        if clock is None:
            self._countdown = None
        elif self._countdown is None or self._countdown.clock is not clock:
            self._countdown = Countdown(clock, self._terminal.clock())

    def running(self, player_seat: PlayerSeat) -> Countdown | None:
        """Return the clock of the present question, if it is running or the game is paused.

        Returns None without such a clock, after the game, and while the connection is lost.
        """
        session, countdown = player_seat.session, self._countdown
        view = session.view
        if countdown is None or player_seat.lost is not None or view is None or view.over:
            return None
        if countdown.clock.revision != session.revision:
            return None
        return countdown if countdown.clock.running or player_seat.lobby.paused else None
