"""Shows the list of a club's tables in the app, before the player joins one of them."""

from functools import partial
from typing import TYPE_CHECKING, Final

from driflamme_tui.app.app_parts import AppPart, AppParts
from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.text.i18n import _
from netcode.client.reconnection import News
from netcode.protocol.messages import Refused
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.wings.clubs.messages import Club, League

if TYPE_CHECKING:
    from driflamme_tui.wings.clubs.club_screen import ClubScreen


class ClubsInApp(AppPart):
    """Shows the club through which the player joins a table."""

    def __init__(self, app: StyledApp) -> None:
        self._app: Final = app
        self._club: Club | None = None
        """The last list of a club's tables; None if the player came through no club."""

    def begin(self) -> None:
        """Forget the last club, because the player has taken a seat at another place."""
        self._club = None

    def receive(self, news: News) -> None:
        """Show the tables of a club, or its league."""
        if isinstance(news, Club):
            self._show_tables(news)
        elif isinstance(news, League):
            self._show_league(news)

    def show_refusal(self, refused: Refused) -> bool:
        """Show a table's refusal below the list of tables, or ask for another name if it is taken.

        Return False if the app does not show the list.
        """
        screen = self._screen()
        if screen is None:
            return False
        sentence = refusal_sentence(refused, _)
        if refused.code == "name_taken":
            self._ask_name(sentence)
        else:
            screen.deliver(partial(screen.show_notice, sentence))
        return True

    def screen_before(self) -> "ClubScreen | None":
        """Return a screen with the last list of tables; None if the player came through no club."""
        from driflamme_tui.wings.clubs.club_screen import ClubScreen

        return None if self._club is None else ClubScreen(self._club)

    def _screen(self) -> "ClubScreen | None":
        """Return the list of tables in the stack of screens; None if it is not there."""
        from driflamme_tui.wings.clubs.club_screen import ClubScreen

        lowest = self._app.lowest_screen
        return lowest if isinstance(lowest, ClubScreen) else None

    def _show_tables(self, club: Club) -> None:
        """Show the tables of a club. Screens above the list stay."""
        from driflamme_tui.wings.clubs.club_screen import ClubScreen

        self._club, screen = club, self._screen()
        if screen is None:
            self._app.change_screen(ClubScreen(club))
        else:
            screen.show(club)

    def _show_league(self, league: League) -> None:
        """Show the league, unless the player has left the list of tables meanwhile."""
        from driflamme_tui.wings.clubs.league_screen import LeagueScreen

        if isinstance(self._app.screen, LeagueScreen):
            self._app.screen.show(league)
        elif self._app.screen is self._screen():
            self._app.push_screen(LeagueScreen(league, self._app.player_seat.name))

    def _ask_name(self, wrong: str) -> None:
        """Ask for another name, and join the chosen table under it unless the player cancels.

        `wrong` is the reason why the present name is refused.
        """
        from driflamme_tui.screens.overlays.code_overlay import NameOverlay

        seat = self._app.player_seat

        def typed(name: str | None) -> None:
            if name is not None and isinstance(seat, SeatSession):
                seat.rename(name)

        self._app.push_screen(NameOverlay(seat.name, wrong), typed)


SEAM: Final = AppParts(ClubsInApp)
