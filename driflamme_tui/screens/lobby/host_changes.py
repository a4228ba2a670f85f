"""Sends the host's changes in the lobby: settings, bots, and the order of seats."""

from collections.abc import Callable
from typing import Final

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.preferences.remembered import remember
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.lobby.lobby_view import LobbyView
from driflamme_tui.screens.lobby.setting_rows import BOT_KIND, changed_settings, next_bot
from driflamme_tui.text.i18n import _
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import ChangeBot, ChangeSettings, MoveSeat, SeatInfo, ShuffleSeats


class HostChanges:
    """Sends the host's changes of the chosen line, and of the order of the seats."""

    def __init__(self, screen: GatheringScreen, view: LobbyView) -> None:
        self._screen: Final = screen
        self._view: Final = view
        self._is_shuffling = False
        """True from the host's request to shuffle until the seats have another order."""

    def in_view(self, change: Callable[[], object]) -> None:
        """Make a change if the chosen line is visible; otherwise only scroll to it."""
        if self._view.shows_chosen():
            change()
        else:
            self._view.scroll_to_chosen()

    def change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot, to the next or previous value.

        The new kind of a bot is also stored for bots that the host adds later. Does nothing for a
        guest, or if a person's seat or no line is chosen.
        """
        screen, chosen = self._screen, self._view.chosen
        if not screen.lobby.host or chosen is None:
            return
        if chosen == BOT_KIND:
            self._add_such(next_bot(self._view.bot, by, even=True))
            screen.sync()
        elif isinstance(chosen, Command):
            settings = changed_settings(screen.lobby, chosen, by)
            screen.player_seat.send(ChangeSettings(settings=settings))
        elif chosen.bot is not None:
            bot = next_bot(chosen.bot, by)
            screen.player_seat.send(
                checked_struct({"family": chosen.family, "bot": bot}, ChangeBot)
            )
            self._add_such(bot)

    def _add_such(self, bot: str) -> None:
        """Set the kind of bots that the host adds from now on, also at later tables."""
        self._view.bot = bot
        remember(bot=bot)

    def move_seat(self, by: int) -> None:
        """Move the chosen seat by `by` places. Beyond the last place, continue at the first.

        Does nothing if a setting or nothing is chosen.
        """
        seats, seat = self._screen.lobby.seats, self._view.chosen
        if isinstance(seat, SeatInfo):
            # Follow the seat by its name, so that it stays chosen in its new place.
            self._view.line, self._is_shuffling = seat.name, False
            place = (seats.index(seat) + by) % len(seats)
            self._screen.player_seat.send(
                checked_struct({"family": seat.family, "place": place}, MoveSeat)
            )

    def shuffle(self) -> None:
        """Ask the table for a random order of the seats, and show a notice until it comes.

        Without a connection, show no notice.
        """
        if self._screen.player_seat.send(ShuffleSeats()):
            self._is_shuffling = True
            # The table answers only with another order, which replaces this notice.
            self._screen.show_notice(
                _("The seats have been shuffled, and nobody has moved."), good=True
            )

    def reordered(self) -> str:
        """Return the host's sentence after a shuffle; "" after the move of one seat.

        A second call returns "".
        """
        was_shuffled, self._is_shuffling = self._is_shuffling, False
        return _("The seats have been shuffled.") if was_shuffled else ""
