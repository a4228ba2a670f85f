"""The base of the lobby: the chosen line, a seat or a setting, and changes of it."""

from typing import Final

from textual.containers import VerticalScroll

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.remembered import remember
from driflamme_tui.screens.gathering_screen import GatheringScreen
from driflamme_tui.screens.lobby.lobby_view import LobbyView
from driflamme_tui.screens.lobby.setting_rows import (
    BOT_KIND,
    changed_settings,
    next_bot,
    settings_of,
)
from driflamme_tui.text.i18n import _
from netcode.protocol.fields import checked
from netcode.protocol.messages import (
    ChangeBot,
    ChangeSettings,
    Lobby,
    MoveSeat,
    SeatInfo,
    ShuffleSeats,
)

EDITION: Final = LobbyCommands.edition


class ChoosingScreen(GatheringScreen):
    """A screen with seats and settings, of which one is chosen and can be changed."""

    def __init__(self) -> None:
        super().__init__()
        self.view = LobbyView(self)
        """The contents, and the chosen line."""

    @property
    def chosen(self) -> SeatInfo | Command | None:
        """The seat or setting that keys apply to; only the host chooses seats."""
        return self.view.chosen

    def moment(self) -> object:
        """Return the chosen line, which commands of the palette apply to."""
        return self.view.moment

    @property
    def scrolled(self) -> VerticalScroll:
        """The list with the chosen line."""
        return self.view.scrolled

    def action_select(self, line: int | str | Command) -> None:
        """Choose a seat, by its row or the name in it, or a setting; scroll to it."""
        self.view.line = self.lobby.seats[line].name if isinstance(line, int) else line
        self.sync()
        self.call_after_refresh(self.view.scroll_to_chosen)

    def action_move(self, by: int) -> None:
        """Choose another seat or setting; for guests this only shows explanations."""
        lines, chosen = self.view.lines(), self.view.moment
        now = lines.index(chosen) if chosen in lines else -(by > 0)
        self.action_select(lines[(now + by) % len(lines)])

    def action_page(self, by: int) -> None:
        """Choose the line one page away; scroll a page if none is chosen."""
        lines, chosen = self.view.lines(), self.view.moment
        if chosen not in lines:
            super().action_page(by)
            return
        line = lines.index(chosen) + by * max(1, self.scrolled.size.height - 1)
        self.action_select(lines[max(0, min(line, len(lines) - 1))])

    def keep_choice(self, before: Lobby) -> None:
        """Choose no other player in place of one who has left: the host, or a setting."""
        if isinstance(self.view.line, Command):
            if self.view.line not in settings_of(self.lobby):
                self.view.line = EDITION
            return
        chosen = self.view.line or next((seat.name for seat in before.seats), "")
        there = {seat.name for seat in self.lobby.seats}
        own = self.lobby.your_seat
        if chosen in there:
            self.view.line = chosen
        elif self.lobby.host:
            self.view.line = EDITION if own is None else own.name

    def returns_to_chosen(self) -> bool:
        """Scroll to the chosen line if it is out of view; return True if so."""
        if self.view.shows_chosen():
            return False
        self.view.scroll_to_chosen()
        return True

    # Changing it

    def action_change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot, to the next or previous value.

        If the chosen line is out of view, only scroll to it.
        """
        chosen = self.chosen
        if not self.lobby.host or chosen is None or not self.returns_to_chosen():
            self._change(by)

    def _change(self, by: int) -> None:
        """Change the chosen setting, or the chosen bot."""
        chosen = self.chosen
        if not self.lobby.host or chosen is None:
            return
        if chosen == BOT_KIND:
            self._add_such(next_bot(self.view.bot, by, even=True))
            self.sync()
        elif isinstance(chosen, Command):
            self.player_seat.say(ChangeSettings(settings=changed_settings(self.lobby, chosen, by)))
        elif chosen.bot is not None:
            bot = next_bot(chosen.bot, by)
            self.player_seat.say(checked({"family": chosen.family, "bot": bot}, ChangeBot))
            self._add_such(bot)

    def _add_such(self, bot: str) -> None:
        """Set the kind of the bots that are added from now on."""
        self.view.bot = bot
        remember(bot=bot)

    def action_level(self, row: int) -> None:
        """Choose the bot in a seat, and change it to the next kind of bot."""
        self.action_select(row)
        self._change(1)

    def action_setting(self, name: str) -> None:
        """Choose a setting, and change it if the reader is the host."""
        for setting in settings_of(self.lobby):
            if setting.id == f"lobby.{name}":
                self.action_select(setting)
                self._change(1)

    # The order of seats

    def action_move_seat(self, by: int) -> None:
        """Move the chosen seat before or after its neighbour; from an end it goes to the other."""
        seats, seat = self.lobby.seats, self.chosen
        if isinstance(seat, SeatInfo) and not self.returns_to_chosen():
            # The seat stays chosen, wherever it goes.
            self.view.line = seat.name
            place = (seats.index(seat) + by) % len(seats)
            self.player_seat.say(checked({"family": seat.family, "place": place}, MoveSeat))

    def action_shuffle(self) -> None:
        """Put the seats into a random order."""
        self.player_seat.say(ShuffleSeats())
        # The notice stays only if nobody has moved.
        self.show_notice(_("The seats have been shuffled."), good=True)
