"""Calls a player who looks elsewhere when it is their turn: bell, notice and title.

`Attention` receives the present question, the focus of the terminal and the time, and returns what
to send. It has no clock and no terminal. A call only says that it is the reader's turn, so no
notice on a desktop can show a card.
"""

import os
from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from driflamme_tui.preferences.settings import NOTICE, OFF, Settings
from driflamme_tui.text.i18n import _

PATIENCE_S: Final = 10.0
"""Seconds without an answer after which a player whose terminal has the focus is called too."""

LAST_CALL_S: Final = 10.0
"""Seconds before the end of the time at which the player is called again."""

BELL: Final = "\a"
"""Rings the terminal's bell."""

_ENDED: Final = "\x1b\\"
"""Ends an escape sequence."""

KEEP_TITLE: Final = "\x1b[22;2t"
"""Makes a terminal save its title. A terminal that cannot do so ignores it."""

RESTORE_TITLE: Final = "\x1b[23;2t"
"""Makes a terminal restore its saved title."""


class Attention(Struct):
    """The calls of a player so far."""

    focused: bool = True
    """True if the terminal has the focus, as far as it reports that."""
    _question: object = None
    """The present question; None for none. An unequal value is another question."""
    _since: float = 0.0
    _called: set[str] = field(default_factory=set)
    _titled: bool = False

    def update(
        self, question: object, now: float, left: float | None, settings: Settings
    ) -> Iterable[str]:
        """Return what to send to the terminal now.

        Args:
            question: What the reader is asked; the same value for the same question, None for none.
            now: The time, in seconds.
            left: Seconds that are left to answer; None without a limit.
            settings: The player's.
        """
        sent: list[str] = []
        if question != self._question:
            self._question, self._since, self._called = question, now, set()
        due = question is not None and self._due(now, left)
        if due and settings.bell != OFF:
            sent.append(BELL)
            if settings.bell == NOTICE:
                sent.append(notice(_("It is your turn.")))
        wanted = settings.title and question is not None
        if wanted and not self._titled:
            sent += [KEEP_TITLE, title(_("* your turn - Driflamme"))]
        elif self._titled and not wanted:
            sent.append(RESTORE_TITLE)
        self._titled = wanted
        return sent

    def leave(self) -> Iterable[str]:
        """Return what restores the terminal."""
        titled, self._titled = self._titled, False
        return [RESTORE_TITLE] if titled else []

    def next_change(self, now: float, left: float | None) -> float | None:
        """Return the seconds until the next update; None if nothing changes by itself."""
        if self._question is None:
            return None
        waits = []
        if "asked" not in self._called:
            waits.append(self._since + PATIENCE_S - now)
        if "late" not in self._called and left is not None:
            waits.append(left - LAST_CALL_S)
        return max(0.0, min(waits)) if waits else None

    def _due(self, now: float, left: float | None) -> bool:
        """Return True once when there is a reason to call."""
        reasons = set()
        if not self.focused or now - self._since >= PATIENCE_S:
            reasons.add("asked")
        if left is not None and left <= LAST_CALL_S:
            reasons |= {"asked", "late"}
        new = reasons - self._called
        self._called |= new
        return bool(new)


def title(text: str) -> str:
    """Return the sequence that sets the terminal's title (OSC 2)."""
    return f"\x1b]2;{clean(text)}{_ENDED}"


def notice(text: str) -> str:
    """Return the sequence that shows a notice (OSC 9), also through tmux."""
    sequence = f"\x1b]9;{clean(text)}\a"
    if "TMUX" in os.environ:
        # Tmux forwards a wrapped sequence if it is allowed to, and discards it otherwise.
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}{_ENDED}"
    return sequence


def clean(text: str) -> str:
    """Return a text without control characters."""
    return "".join(sign for sign in text if sign.isprintable())
