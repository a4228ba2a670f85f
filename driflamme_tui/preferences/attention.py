"""How a player who looks elsewhere is told that it is their turn: bell, notice, and title.

`Attention` is told what is asked, whether the terminal has the focus and what time it is, and gives
out what to send; it has no clock and no terminal. What is sent never says more than that it is the
reader's turn, so no card can show up among a desktop's notices.
"""

import os
from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from driflamme_tui.preferences.settings import NOTICE, OFF, Settings
from driflamme_tui.text.i18n import _

PATIENCE_S: Final = 10.0
"""Seconds without an answer after which somebody who seems to be there is called too."""

LAST_CALL_S: Final = 10.0
"""Seconds before the time for an answer is over at which the player is called again."""

BELL: Final = "\a"
"""Has a terminal ring its bell."""

_ENDED: Final = "\x1b\\"
"""Ends a sequence that a terminal obeys."""

KEEP_TITLE: Final = "\x1b[22;2t"
"""Has a terminal set its title aside; one that cannot ignores it."""

RESTORE_TITLE: Final = "\x1b[23;2t"
"""Has a terminal bring back the title that it has set aside."""


class Attention(Struct):
    """What has been done so far to call the player."""

    focused: bool = True
    """Whether the terminal has the focus, as far as it says so."""
    _asked: object = None
    """What is asked: another value is another question; None is none."""
    _since: float = 0.0
    _called: set[str] = field(default_factory=set)
    _titled: bool = False

    def update(
        self, asked: object, now: float, left: float | None, settings: Settings
    ) -> Iterable[str]:
        """Return what to send the terminal now.

        Args:
            asked: What the reader is asked; the same value for the same question, None for none.
            now: The time, in seconds.
            left: Seconds that are left to answer; None without a limit.
            settings: The player's.
        """
        sent: list[str] = []
        if asked != self._asked:
            self._asked, self._since, self._called = asked, now, set()
        due = asked is not None and self._due(now, left)
        if due and settings.bell != OFF:
            sent.append(BELL)
            if settings.bell == NOTICE:
                sent.append(notice(_("It is your turn.")))
        wanted = settings.title and asked is not None
        if wanted and not self._titled:
            sent += [KEEP_TITLE, title(_("* your turn - Driflamme"))]
        elif self._titled and not wanted:
            sent.append(RESTORE_TITLE)
        self._titled = wanted
        return sent

    def leave(self) -> Iterable[str]:
        """Return what leaves the terminal as it was."""
        titled, self._titled = self._titled, False
        return [RESTORE_TITLE] if titled else []

    def next_change(self, now: float, left: float | None) -> float | None:
        """Return in how many seconds to update again; None if nothing comes by itself."""
        if self._asked is None:
            return None
        waits = []
        if "asked" not in self._called:
            waits.append(self._since + PATIENCE_S - now)
        if "late" not in self._called and left is not None:
            waits.append(left - LAST_CALL_S)
        return max(0.0, min(waits)) if waits else None

    def _due(self, now: float, left: float | None) -> bool:
        """Whether there is reason to call, which there is once."""
        reasons = set()
        if not self.focused or now - self._since >= PATIENCE_S:
            reasons.add("asked")
        if left is not None and left <= LAST_CALL_S:
            reasons |= {"asked", "late"}
        new = reasons - self._called
        self._called |= new
        return bool(new)


def title(text: str) -> str:
    """Return what gives the terminal a title (OSC 2)."""
    return f"\x1b]2;{clean(text)}{_ENDED}"


def notice(text: str) -> str:
    """Return what has the terminal show a notice (OSC 9), through tmux if that lies between."""
    told = f"\x1b]9;{clean(text)}\a"
    if "TMUX" in os.environ:
        # Tmux passes on what is wrapped like this, if it is allowed to, and swallows it otherwise.
        doubled = told.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}{_ENDED}"
    return told


def clean(text: str) -> str:
    """Return a text without anything that a terminal would obey."""
    return "".join(sign for sign in text if sign.isprintable())
