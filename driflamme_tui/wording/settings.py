"""What the host decides about a table, in words."""

from driflamme_tui.i18n import _
from driflamme_tui.wording.names import family_name
from netcode.messages import Lobby


def edition_name(edition: int) -> str:
    """Return an edition's name."""
    return _("second edition") if edition == 2 else _("first edition")


def edition_note(edition: int) -> tuple[str, str]:
    """Return what is different in an edition, in two short sentences."""
    if edition == 2:
        return (
            _("A Lord counts top cards only."),
            _("Your own Ambush spares you."),
        )
    return (
        _("A Lord counts whole stacks."),
        _("Your own Ambush strikes back: +1."),
    )


def first_name(lobby: Lobby) -> str:
    """Return who is to be the first player."""
    first = lobby.settings.first
    if first == "random":
        return _("random")
    seat = next((seat for seat in lobby.seats if seat.family == first), None)
    return seat.name if seat else family_name(first)


def direction_name(direction: str) -> str:
    """Return towards which side the Queue goes on."""
    return _("left to right") if direction == "right" else _("right to left")


def pace_name(pace_ms: int) -> str:
    """Return how long bots take."""
    return _("{seconds} s a move").format(seconds=f"{pace_ms / 1000:g}")


def clock_name(clock_s: int) -> str:
    """Return how long a decision may take."""
    return _("{n} s a decision").format(n=clock_s) if clock_s else _("none")


def clock_note(clock_s: int) -> str:
    """Return what happens when the time is over; "" without a clock."""
    return _("Out of time, a bot decides.") if clock_s else ""
