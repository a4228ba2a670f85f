"""Shows notices of sealed games in the app, and the way to invite players to a moved table."""

from typing import Final

from driflamme_tui.app.app_parts import AppPart, AppParts
from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import PeopleCommands, SessionCommands
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.sealed.sealed_words import is_dealing, notice_sentence
from netcode.client.session import Session
from netcode.wings.sealed.news import SealedNews, sealed_news


class SealedInApp(AppPart):
    """Shows the notices of sealed games in the app."""

    def __init__(self, app: StyledApp) -> None:
        self._app: Final = app
        self._notified: tuple[Session | None, int] = None, 0
        """The session of the last notices, None before the first, and the number of its notices
        that need no warning any more.
        """

    def begin(self) -> None:
        """Show a notice about new invitations, if this machine has taken over the table."""
        table = self._app.player_seat.table
        if table is not None and table.has_moved:
            text = _(
                "Players who do not come back need a new link: press {who}, then {invitation}."
            )
            ways = key(SessionCommands.people), key(PeopleCommands.invitation)
            self._app.warn(text.format(who=ways[0], invitation=ways[1]))

    def session_changed(self) -> None:
        """Show the last notice if it is new."""
        news = sealed_news(self._app.player_seat.session)
        if news is not None:
            self._show_notices(news)

    def keeps_result(self) -> bool:
        """Return True if the result must stay, because the next game is still being dealt."""
        lobby = self._app.player_seat.session.lobby
        return lobby is not None and is_dealing(lobby)

    def _show_notices(self, news: SealedNews) -> None:
        """Show the last notice if it is new.

        Leave out a notice about a player against whom the reader's program votes at once.
        """
        session = self._app.player_seat.session
        before, count = self._notified
        watches = session.family is None and news.stage == "playing"
        if before is not session:
            # A new spectator was not present at earlier notices, so count them as shown.
            count = len(news.notices) if watches else 0
        for notice in news.notices[count:][-1:]:
            if notice.name not in news.left_be:
                self._app.warn(notice_sentence(notice))
        self._notified = session, len(news.notices)


SEAM: Final = AppParts(SealedInApp)
