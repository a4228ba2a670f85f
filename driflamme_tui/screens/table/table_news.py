"""Finds the changes at a table since its screen was last drawn.

The module needs no screen.
"""

from collections.abc import Sequence

from msgspec import Struct

from engine.events import Event
from engine.views import View
from netcode.client.session import Session, is_same_view
from netcode.protocol.messages import Refused


class News(Struct, frozen=True):
    """The changes at a table since its screen was last drawn."""

    view: View
    is_new_view: bool
    """True if the table has a new view. Everything about the former view is then outdated."""
    events: Sequence[Event]
    """The events that led to a new view; empty at the first view, and without a new view."""
    is_unanswered: bool
    """True if the reader did not answer the former view."""
    was_lost: bool
    """True if the connection was lost at some time during the former view."""
    refusal: Refused | None
    """The host's new refusal; None without a new one."""


class TableNews:
    """Remembers which part of a session a table has shown, and the reader's latest answer."""

    def __init__(self) -> None:
        self.revision = 0
        """The revision of the shown view; 0 before the first view."""
        self.answered = 0
        """The revision of the view that the reader answered last; 0 before the first answer."""
        self._view: View | None = None
        self._has_shown = False
        """True after the first view. Events before the first view are not news."""
        self._refusal: Refused | None = None
        self._lost_at: View | None = None
        """The view at which the connection was lost; None if no loss is relevant any more."""

    def update(self, session: Session, *, is_lost: bool) -> News | None:
        """Return the news of a session; None before its first view."""
        view = session.view
        if view is None:
            return None
        if is_lost:
            self._lost_at = view
        elif session.revision == self.revision and view is not self._lost_at:
            # The connection is back and no decision was missed, so the old view is still valid.
            self._lost_at = None
        # After a Welcome the revision is 0 for a moment. The reader's choice must survive this
        # moment.
        is_new_view = session.revision > 0 and self._is_new(view, session.revision)
        events = session.events[session.fresh :] if is_new_view and self._has_shown else ()
        is_unanswered, was_lost = self.answered != self.revision, self._lost_at is not None
        refusal = session.refusal
        is_refused = not is_new_view and refusal is not self._refusal
        self._view, self._refusal = view, refusal
        if is_new_view:
            self.revision, self._has_shown, self._lost_at = session.revision, True, None
        return News(
            view, is_new_view, events, is_unanswered, was_lost, refusal if is_refused else None
        )

    def _is_new(self, view: View, revision: int) -> bool:
        """Return True if a view is new. A restarted host may use an earlier revision again."""
        shown = self._view
        if revision != self.revision or shown is None:
            return True
        return shown is not view and not is_same_view(shown, view)
