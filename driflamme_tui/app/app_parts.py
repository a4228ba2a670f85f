"""Defines the parts that wings add to the app, besides the screens of tables.

A table for one person and bots has no such parts, since no other person can join the table.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec import Struct
from textual.screen import Screen

from driflamme_tui.app.styled_app import StyledApp
from netcode.client.reconnection import News
from netcode.isolation import IsolatedParts
from netcode.protocol.messages import Refused
from netcode.registry import wing_values

SEAM: Final = "app_parts"
"""The name of the seam for parts of the app, and of a wing's module that serves this seam."""


class AppPart:
    """A part of the app. Each method does nothing by default."""

    def begin(self) -> None:
        """Prepare for the table to which the player goes, before its first message arrives."""

    def receive(self, news: News) -> None:
        """Called with a message or a change of the connection, once the session has it."""

    def show_refusal(self, refused: Refused) -> bool:
        """Try to show a refusal's reason on the present screen; return True if it is shown."""
        return False

    def session_changed(self) -> None:
        """Update this part after a change of the session, before the screen shows the change."""

    def shown(self) -> None:
        """Update this part after the screen has shown a change of the session."""

    def keeps_result(self) -> bool:
        """Return True to keep the result screen after the table has left the result phase."""
        return False

    def screen_before(self) -> Screen[Any] | None:
        """Return the screen to return to after leaving a table; None for the start screen."""
        return None


class AppParts(Struct, frozen=True):
    """The seam `app_parts`: a part that a wing brings to the app."""

    build: Callable[[StyledApp], AppPart]


def build_parts(app: StyledApp) -> IsolatedParts[AppPart]:
    """Build the parts that wings bring to an app.

    A part that cannot be built is logged and left out.
    """
    parts = IsolatedParts[AppPart]()
    for seam in wing_values("driflamme_tui", SEAM, AppParts):
        parts.add(partial(seam.build, app))
    return parts
