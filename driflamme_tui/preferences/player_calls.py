"""Calls a player who looks elsewhere: by bell, notice and title.

`PlayerCalls` receives the present question, news of the table, the focus of the terminal and the
time, and returns the sequences to send. The class has no clock and no terminal. A call names an
event and at most a person, so no notice on a desktop can show a card or a line of chat.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct, field

from driflamme_tui.preferences.settings import ALL, NONE, Settings
from driflamme_tui.text.i18n import _

PATIENCE_S: Final = 10.0
"""Seconds without an answer after which a player is called even if the terminal has the focus."""

LAST_CALL_S: Final = 10.0
"""Seconds before the end of the time limit at which the player is called once more."""

BELL: Final = "\a"
"""The sequence that rings the terminal's bell."""

_ENDED: Final = "\x1b\\"
"""The sequence that ends a longer escape sequence."""

KEEP_TITLE: Final = "\x1b[22;2t"
"""The sequence that makes a terminal save its title. Terminals that cannot do so ignore it."""

RESTORE_TITLE: Final = "\x1b[23;2t"
"""The sequence that makes a terminal restore its saved title."""

PROGRAM: Final = "Driflamme"
"""The title of notices, and the end of titles."""

IDENTIFIER: Final = "driflamme"
"""The identifier by which a terminal replaces an earlier notice."""


class PlayerCalls(Struct):
    """Decides when to call a player, and remembers the calls so far."""

    focused: bool = True
    """True if the terminal has the focus. A terminal that does not report its focus counts as
    focused.
    """
    _question: object = None
    """A value that identifies the present question; None without a question."""
    _since: float = 0.0
    _called: set[str] = field(default_factory=set)
    _news: str = ""
    """The latest news that came while the terminal did not have the focus; "" without such news."""
    _title: str = ""
    """The title that this program has set; "" if it has set none."""

    def update(
        self, question: object, now: float, left: float | None, settings: Settings
    ) -> Iterable[str]:
        """Return the sequences to send to the terminal now.

        Args:
            question: A value that identifies the reader's question; None without a question.
            now: The time, in seconds.
            left: Seconds that are left to answer; None without a limit.
            settings: The player's settings.
        """
        sent: list[str] = []
        if question != self._question:
            self._question, self._since, self._called = question, now, set()
        due = question is not None and self._due(now, left)
        if due and settings.calls != NONE:
            sent += [BELL, *notice(_("It is your turn."), os.environ)]
        return [*sent, *self._retitled(settings)]

    def report(self, sentence: str, settings: Settings) -> Iterable[str]:
        """Return the sequences that report news of the table.

        Return [] if the terminal has the focus, or if the settings do not call the player for all
        news.
        """
        if self.focused or settings.calls != ALL:
            return []
        self._news = sentence
        return [BELL, *notice(sentence, os.environ), *self._retitled(settings)]

    def look(self, settings: Settings, *, focused: bool) -> Iterable[str]:
        """Record the focus of the terminal; return the sequences that update its title."""
        self.focused = focused
        if focused:
            self._news = ""
        return self._retitled(settings)

    def leave(self) -> Iterable[str]:
        """Forget the question and the news; return the sequences that restore the terminal."""
        self._question, self._news = None, ""
        return self._retitled(Settings())

    def next_change(self, now: float, left: float | None) -> float | None:
        """Return the seconds until the next update; None if time changes nothing."""
        if self._question is None:
            return None
        waits = []
        if "asked" not in self._called:
            waits.append(self._since + PATIENCE_S - now)
        if "late" not in self._called and left is not None:
            waits.append(left - LAST_CALL_S)
        return max(0.0, min(waits)) if waits else None

    def _due(self, now: float, left: float | None) -> bool:
        """Return True if there is a new reason to call; each reason counts only once."""
        reasons = set()
        if not self.focused or now - self._since >= PATIENCE_S:
            reasons.add("asked")
        if left is not None and left <= LAST_CALL_S:
            reasons |= {"asked", "late"}
        new = reasons - self._called
        self._called |= new
        return bool(new)

    def _retitled(self, settings: Settings) -> Iterable[str]:
        """Return the sequences that change the title of the terminal; [] if nothing changes."""
        wanted, before = "", self._title
        if settings.calls != NONE and self._question is not None:
            wanted = _("* your turn - Driflamme")
        elif settings.calls == ALL and self._news:
            wanted = f"* {self._news.rstrip('.')} - {PROGRAM}"
        self._title = wanted
        if wanted == before:
            return []
        if not wanted:
            return [RESTORE_TITLE]
        return [title(wanted)] if before else [KEEP_TITLE, title(wanted)]


def title(text: str) -> str:
    """Return the sequence that sets the terminal's title (OSC 2)."""
    return f"\x1b]2;{clean(text)}{_ENDED}"


def notice(text: str, environment: Mapping[str, str]) -> Iterable[str]:
    """Return the sequence that shows a notice on the desktop; [] if the terminal has none.

    For tmux the sequence is wrapped. The settings of tmux decide whether it is forwarded.
    """
    payload = clean(text)
    match notice_number(environment):
        case 9:
            # Begin with the program's name: a text that begins with a number and a semicolon would
            # be another command.
            sent = f"\x1b]9;{PROGRAM}: {payload}\a"
        case 99:
            sent = f"\x1b]99;i={IDENTIFIER}:o=unfocused;{payload}{_ENDED}"
        case 777:
            # Semicolons separate the fields, so replace them in the sentence.
            sent = f"\x1b]777;notify;{PROGRAM};{payload.replace(';', ',')}\a"
        case _:
            return []
    if "TMUX" in environment:
        doubled = sent.replace("\x1b", "\x1b\x1b")
        return [f"\x1bPtmux;{doubled}{_ENDED}"]
    return [sent]


def notice_number(environment: Mapping[str, str]) -> int:
    """Return the number of the terminal's escape command for notices; 0 without a command.

    9 comes from iTerm2, 777 from urxvt and 99 from kitty.
    """
    kind, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if "KITTY_WINDOW_ID" in environment or kind == "xterm-kitty":
        return 99
    if kind.startswith(("foot", "rxvt", "xterm-ghostty")) or program in ("WezTerm", "ghostty"):
        return 777
    if "WEZTERM_PANE" in environment or "GHOSTTY_RESOURCES_DIR" in environment:
        return 777
    if program in ("iTerm.app", "WarpTerminal") or environment.get("LC_TERMINAL") == "iTerm2":
        return 9
    return 0


def clean(text: str) -> str:
    """Return a text without control characters."""
    return "".join(sign for sign in text if sign.isprintable())
