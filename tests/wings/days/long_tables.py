"""Sessions at tables whose games may last for days."""

from typing import Final

from engine.views import View
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.wings.days.messages import CallSet, Condition, Conditions
from tests.support.tables import evening_session, gathered

LONG: Final[dict[str, object]] = {"added": {"days.hours": 24}}
"""The settings of a table with a day for each decision."""

NOW: Final = 1_000_000
CALLS: Final[dict[str, object]] = {"until": NOW + 7200, "calls": True}
"""The values in the lobby of a host that calls players."""

PLACED: Final = 6
"""The step of the evening at which Blaise has a face-down card in the Queue."""


def long_session(step: int = PLACED, viewer: str = "b", **fields: object) -> Session:
    usual: dict[str, object] = {"settings": LONG, "parts": {"days": CALLS}}
    return evening_session(step, viewer, **{**usual, **fields})


def long_lobby(
    settings: dict[str, object] | None = None, parts: dict[str, object] | None = None
) -> Session:
    """Return a host's session in a lobby, by default with a day for each decision."""
    chosen = LONG if settings is None else settings
    return gathered("rbg", "b", settings=chosen, parts={"days": parts or {}}, host=True)


def view_of(session: Session) -> View:
    assert session.view is not None
    return session.view


CONDITION: Final = Condition(card="bH", until_round=3)
CONFIRMED: Final[tuple[Message, ...]] = (CallSet("ann@example.org"), Conditions((CONDITION,)))
