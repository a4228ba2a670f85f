"""Defines the sets of signs for cards and lines: Unicode, those of most fonts, and ASCII.

Every sign is one cell wide. Signs and letters identify families, and frames identify the state of a
card, so that nothing depends on colour.
"""

import locale
import os
import sys
import unicodedata
from typing import Final

from msgspec import Struct, field

FrameSigns = tuple[str, str, str, str, str, str]
"""Top left, horizontal, top right, vertical, bottom left, bottom right."""


class Glyphs(Struct, frozen=True):
    """A set of signs. The defaults are those for Unicode."""

    families: dict[str, str] = field(
        default_factory=lambda: {"r": "▲", "b": "●", "g": "◆", "y": "★", "v": "■"}
    )
    """The sign of each family on seats, cards and events."""
    letter_follows: bool = True
    """True if a family's letter follows its sign. In ASCII the letter is the sign."""
    gap: str = ""
    """The text between a family's sign and its letter, since signs of other fonts may overlap
    it.
    """
    face_up: FrameSigns = ("┌", "─", "┐", "│", "└", "┘")
    face_down: FrameSigns = ("╔", "═", "╗", "║", "╚", "╝")
    legal: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    """The frame of a card that may be chosen."""
    chosen: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    hatch: str = "░"
    dot: str = "•"
    """One influence."""
    coin: str = "◉"
    """Five influence."""
    times: str = "×"
    """Before the height of a stack."""
    tab: str = "╰"
    """Before a covered card below its stack."""
    resolved: str = "━"
    """The rail over resolved stacks."""
    ahead: str = "┄"
    """The rail over stacks that resolve later."""
    end: str = "▸"
    """The end of the rail from left to right."""
    end_left: str = "◂"
    """The end of the rail from right to left."""
    resolving: tuple[str, str] = ("▼", "▼")
    """Around the resolving position."""
    chosen_mark: tuple[str, str] = ("▸", "◂")
    """Around the chosen position."""
    bar: str = "┃"
    """An end of the Queue where a card may be placed."""
    look: str = "▴"
    """Below the card that the reader looks at."""
    turn: str = "▸"
    """Before the player whose turn it is, and before the last event."""
    first: str = "⚑"
    """After the name of the first player."""
    first_next: str = "⚐"
    """After the name of the next round's first player."""
    back: str = "▯"
    """A card in an opponent's hand."""
    round_done: str = "■"
    round_ahead: str = "□"
    divider: str = "│"
    dash: str = "—"
    separator: str = "·"
    ellipsis: str = "…"
    cut: str = "…"
    """After a name or text that was cut."""
    away: str = "◌"
    paused: str = "‖"
    """Before the text of a pause."""
    line: str = "●"
    """Before the quality of the connection."""
    arrows: str = "←→"
    up_down: str = "↑↓"
    sorted: tuple[str, str] = (" ▴", " ▾")
    """After the heading of the sorted column: ascending, descending."""
    nothing: str = "·"
    """No knowledge, in the table of public knowledge."""
    covered: str = "↓"
    """After the position of a covered card in the table of public knowledge."""
    ready: str = "✓"
    cross: str = "✕"
    threat: str = "!"
    """Over a card that is being eliminated."""
    won: str = "♛"
    """Before the winner of a game."""
    across: str = " ▏▎▍▌▋▊▉█"
    """The last cell of a bar that grows to the right, from empty to full."""
    upwards: str = " ▁▂▃▄▅▆▇█"
    """The top cell of a column that grows upwards, from empty to full."""
    shade: str = "▒"
    """A cell of the other part of a bar with two parts."""
    unicode: bool = True
    """True if texts may have characters beyond ASCII."""

    def tag(self, family: str) -> str:
        """Return a family's sign and letter."""
        sign = f"{self.families[family]}{self.gap}{family}"
        return sign if self.letter_follows else f"[{family}]"

    def plain(self, text: str) -> str:
        """Return a text in the characters of this set, each as wide as before."""
        if self.unicode or text.isascii():
            return text
        return "".join(_plain(character) for character in text)


_ASCII_FOR: Final = dict(
    zip(
        "—–·•×✕’‘“”„«»Łł…‹›→←",
        '--..xx\'\'"""<>Ll.<>><',
        strict=True,
    )
)
"""The nearest ASCII character of characters that Unicode does not decompose."""


def _plain(character: str) -> str:
    """Return the nearest ASCII character of the same width."""
    if character.isascii():
        return character
    if character in _ASCII_FOR:
        return _ASCII_FOR[character]
    # Import here, since commands without a screen do not need rich.
    from rich.cells import cell_len

    letter = unicodedata.normalize("NFKD", character)[0]
    return letter if letter.isascii() else "?" * cell_len(character)


UNICODE: Final = Glyphs()
"""The signs for terminals that can show Unicode."""

BASIC: Final = Glyphs(
    families={"r": "▲", "b": "●", "g": "♦", "y": "☼", "v": "■"},
    gap=" ",
    coin="◙",
    tab="└",
    ahead="─",
    end="►",
    end_left="◄",
    chosen_mark=("►", "◄"),
    look="▲",
    turn="►",
    first="1st",
    first_next="next",
    back="▪",
    round_ahead="·",
    away="○",
    paused="║",
    sorted=(" ▲", " ▼"),
    ready="√",
    cross="×",
    won="♣",
    across=" ▌█",
    upwards=" ▄█",
)
"""The signs for fonts with few characters. All are in WGL4, which nearly every font has, except
heavy lines, which bitmap fonts have too.
"""

ASCII: Final = Glyphs(
    families={"r": "r", "b": "b", "g": "g", "y": "y", "v": "v"},
    letter_follows=False,
    face_up=("/", "-", "\\", "|", "\\", "/"),
    face_down=("/", "=", "\\", "#", "\\", "/"),
    legal=("*", "=", "*", "!", "*", "*"),
    chosen=("@", "=", "@", "@", "@", "@"),
    hatch=":",
    dot=".",
    coin="o",
    times="x",
    tab="`",
    resolved="=",
    ahead="-",
    end=">",
    end_left="<",
    resolving=("V", "V"),
    chosen_mark=(">", "<"),
    bar="!",
    look="^",
    turn=">",
    first="1st",
    first_next="next",
    back="#",
    round_done="#",
    round_ahead=".",
    divider="|",
    dash="-",
    separator=".",
    ellipsis="...",
    cut="~",
    away="?",
    paused="||",
    line="+",
    arrows="Arrows",
    up_down="Up Down",
    sorted=(" ^", " v"),
    nothing=".",
    covered="v",
    ready="*",
    cross="x",
    won="*",
    across=" #",
    upwards=" .:#",
    shade="=",
    unicode=False,
)
"""The signs for terminals that show only ASCII."""

WIDE_LANGUAGES: Final = ("zh", "ja", "ko")
"""Languages whose terminals may draw these signs two cells wide."""


def suitable_glyphs(is_wide: bool = False) -> Glyphs:
    """Return the set for this terminal; `is_wide` means that it draws signs two cells wide."""
    if is_wide:
        return ASCII
    on_windows: bool = sys.platform == "win32"
    if on_windows:
        # Modern terminals set these variables. Without them it is the old console, with few signs.
        return UNICODE if {"WT_SESSION", "TERM_PROGRAM"} & os.environ.keys() else ASCII
    if os.environ.get("TERM") == "linux":
        return ASCII
    language = locale.setlocale(locale.LC_CTYPE, None)
    # Use ASCII: in these locales Python uses UTF-8, but the terminal may not.
    if language in ("C", "POSIX"):
        return ASCII
    if "UTF-8" not in locale.getpreferredencoding(False).upper().replace("UTF8", "UTF-8"):
        return ASCII
    if language.startswith(WIDE_LANGUAGES):
        return ASCII
    # By default xterm uses a bitmap font, which has few signs.
    return BASIC if "XTERM_VERSION" in os.environ else UNICODE


def glyphs_of(choice: str, is_wide: bool = False) -> Glyphs:
    """Return the set of a setting, for a terminal that may draw signs two cells wide."""
    named = {"unicode": UNICODE, "basic": BASIC, "ascii": ASCII}
    return named.get(choice) or suitable_glyphs(is_wide)
