"""Shows a returning player the story of the running game."""

from functools import partial
from typing import Final

from driflamme_tui.app.app_parts import AppPart, AppParts
from driflamme_tui.app.styled_app import StyledApp
from driflamme_tui.screens.table.table_screen import TableScreen


class DaysInApp(AppPart):
    """Shows the story of a game once after each return of its player."""

    def __init__(self, app: StyledApp) -> None:
        self._app: Final = app
        self._is_new = True
        """True until the first game at the present table was shown."""

    def begin(self) -> None:
        """Let the next game count as a return, because the player has joined another table."""
        self._is_new = True

    def shown(self) -> None:
        """Show the story once the table of a running game is on the screen.

        A player who has not answered in an earlier visit gets no story.
        """
        seat, table = self._app.player_seat, self._app.lowest_screen
        if self._is_new and isinstance(table, TableScreen) and seat.session.view is not None:
            self._is_new = False
            if seat.answered is not None:
                table.deliver(partial(self._show_story, table))

    def _show_story(self, table: TableScreen) -> None:
        """Show the story of a running game, if others have acted since the reader's answer."""
        from driflamme_tui.wings.days.story_overlay import StoryOverlay

        since, seat = table.animation.since, table.player_seat
        if since is None or since[1] != seat.answered or table.view.over:
            return
        actors = {getattr(event, "seat", None) for event in seat.session.events[since[1] :]}
        if actors - {None, *table.view.viewers}:
            # The story shows the missed chat too.
            table.chat_was_read()
            self._app.push_screen(StoryOverlay(table, *since), partial(_step, table))


def _step(table: TableScreen, wanted: bool | None) -> None:
    if wanted:
        table.repeat_events(is_stepped=True)


SEAM: Final = AppParts(DaysInApp)
"""The part that shows the story after a return."""
