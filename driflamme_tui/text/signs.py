"""Defines the sets of signs for cards and lines: Unicode, the signs in most fonts, and ASCII.

Every sign is one cell wide. Signs and letters identify families, and frames identify the state of a
card, so that nothing depends on colour alone.
"""

import locale
import os
import sys
import unicodedata
from typing import Final

from msgspec import Struct, field

FrameSigns = tuple[str, str, str, str, str, str]
"""The signs of a frame: top left, horizontal, top right, vertical, bottom left, bottom right."""


class Glyphs(Struct, frozen=True):
    """A set of signs. The default values are the Unicode signs."""

    families: dict[str, str] = field(
        default_factory=lambda: {"r": "▲", "b": "●", "g": "◆", "y": "★", "v": "■"}
    )
    """The sign of each family on seats, cards and events."""
    letter_follows: bool = True
    """True if a family's letter stands after its sign. In ASCII the letter itself is the sign."""
    gap: str = ""
    """The text between a family's sign and its letter. A space keeps the wide signs of some fonts
    from covering the letter.
    """
    face_up: FrameSigns = ("┌", "─", "┐", "│", "└", "┘")
    face_down: FrameSigns = ("╔", "═", "╗", "║", "╚", "╝")
    legal: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    """The frame of a card that may be chosen."""
    chosen: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    hatch: str = "░"
    dot: str = "•"
    """The sign for 1 influence."""
    coin: str = "◉"
    """The sign for 5 influence."""
    times: str = "×"
    """The sign before the height of a stack."""
    tab: str = "╰"
    """The sign before a covered card below its stack."""
    resolved: str = "━"
    """The rail above stacks that have resolved."""
    ahead: str = "┄"
    """The rail above stacks that will resolve."""
    end: str = "▸"
    """The sign at the end of a rail that runs from left to right."""
    end_left: str = "◂"
    """The sign at the end of a rail that runs from right to left."""
    resolving: tuple[str, str] = ("▼", "▼")
    """The signs around the resolving position."""
    chosen_mark: tuple[str, str] = ("▸", "◂")
    """The signs around the chosen position."""
    bar: str = "┃"
    """The sign for an end of the Queue where a card may be placed."""
    look: str = "▴"
    """The sign below the card at which the reader looks."""
    turn: str = "▸"
    """The sign before the player who must answer, and before the last event."""
    first: str = "⚑"
    """The sign after the name of the first player."""
    first_next: str = "⚐"
    """The sign after the name of the first player of the next round."""
    back: str = "▯"
    """The sign for a card in an opponent's hand."""
    round_done: str = "■"
    round_ahead: str = "□"
    divider: str = "│"
    dash: str = "—"
    separator: str = "·"
    ellipsis: str = "…"
    cut: str = "…"
    """The sign after a name or text that was cut."""
    away: str = "◌"
    paused: str = "‖"
    """The sign before the text of a pause."""
    line: str = "●"
    """The sign before the quality of the connection."""
    arrows: str = "←→"
    up_down: str = "↑↓"
    sorted: tuple[str, str] = (" ▴", " ▾")
    """The signs after the heading of the sorted column: ascending, descending."""
    nothing: str = "·"
    """The sign for an empty entry, for example of a card about which nothing is known."""
    covered: str = "↓"
    """The sign after the position of a covered card, in the table of public knowledge."""
    ready: str = "✓"
    cross: str = "✕"
    threat: str = "!"
    """The sign after the position of a card that an opponent's face-up card can eliminate."""
    won: str = "♛"
    """The sign for the winner of a game, and for a victory."""
    across: str = " ▏▎▍▌▋▊▉█"
    """The signs for the last cell of a bar that grows to the right, from empty to full."""
    upwards: str = " ▁▂▃▄▅▆▇█"
    """The signs for the top cell of a column that grows upwards, from empty to full."""
    shade: str = "▒"
    """The sign for the second part of a bar with two parts."""
    unicode: bool = True
    """True if texts may have characters beyond ASCII."""

    def tag(self, family: str) -> str:
        """Return a family's sign and letter, such as `▲r`; in ASCII only the letter, as `[r]`."""
        sign = f"{self.families[family]}{self.gap}{family}"
        return sign if self.letter_follows else f"[{family}]"

    def plain(self, text: str) -> str:
        """Return a text in the characters of this set: unchanged, or with ASCII characters only.

        A replaced character is as wide as before. Without a near character it becomes `?`.
        """
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
"""The nearest ASCII characters for characters that Unicode does not decompose."""


def _plain(character: str) -> str:
    """Return the nearest ASCII character of the same width; without one, a `?` for each cell."""
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
"""The signs for fonts with few characters. All of them are in WGL4, which nearly every font covers,
except heavy lines, which bitmap fonts also have.
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
"""Languages whose terminals may draw the signs of `UNICODE` two cells wide."""


def suitable_glyphs(*, is_wide: bool = False) -> Glyphs:
    """Return the set of signs that suits the system, the locale and the terminal.

    `is_wide` is True if the terminal draws signs two cells wide.
    """
    if is_wide:
        return ASCII
    on_windows: bool = sys.platform == "win32"
    if on_windows:
        # Modern terminals set one of these variables. The old console does not, and has few signs.
        return UNICODE if {"WT_SESSION", "TERM_PROGRAM"} & os.environ.keys() else ASCII
    if os.environ.get("TERM") == "linux":
        return ASCII
    language = locale.setlocale(locale.LC_CTYPE, None)
    # In these locales Python uses UTF-8, but the terminal may not. So use ASCII.
    if language in ("C", "POSIX"):
        return ASCII
    if "UTF-8" not in locale.getpreferredencoding(False).upper().replace("UTF8", "UTF-8"):
        return ASCII
    if language.startswith(WIDE_LANGUAGES):
        return ASCII
    # By default xterm uses a bitmap font, which has few signs.
    return BASIC if "XTERM_VERSION" in os.environ else UNICODE


def glyphs_of(choice: str, *, is_wide: bool = False) -> Glyphs:
    """Return the set of signs that a player has chosen; for "auto", the suitable set.

    `is_wide` is True if the terminal draws signs two cells wide.
    """
    named = {"unicode": UNICODE, "basic": BASIC, "ascii": ASCII}
    return named.get(choice) or suitable_glyphs(is_wide=is_wide)
