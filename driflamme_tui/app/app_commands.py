"""What can be done on every screen and has no key: themes, for instance. The palette lists it.

To add a command, yield another `Choice` from `app_commands`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from driflamme_tui.text.i18n import _

if TYPE_CHECKING:
    from driflamme_tui.app.app import DriflammeApp


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of the command palette."""

    text: str
    """What it does, translated; without a full stop."""
    run: Callable[[], object]
    """Does it; may be a coroutine function."""
    keys: str = ""
    """The key that does the same, as a person reads it."""


def app_commands(app: "DriflammeApp") -> Iterator[Choice]:
    """Return what can be done on every screen."""
    yield Choice(_("end the program"), app.exit)
