"""The signs that cards and lines are drawn with, in sets: Unicode, what most fonts have, and ASCII.

Every sign is one cell wide. Families are told apart by sign and letter, states of a card by its
frame, so that nothing depends on colour.
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
    """One set of signs: those for Unicode, where no others are given."""

    families: dict[str, str] = field(
        default_factory=lambda: {"r": "▲", "b": "●", "g": "◆", "y": "★", "v": "■"}
    )
    """By family letter; as a player's sign on seats, cards and events."""
    letter_follows: bool = True
    """Whether a family's letter is written after its sign; in ASCII the letter is the sign."""
    gap: str = ""
    """Between a family's sign and its letter in texts: signs of other fonts may overlap it."""
    face_up: FrameSigns = ("┌", "─", "┐", "│", "└", "┘")
    face_down: FrameSigns = ("╔", "═", "╗", "║", "╚", "╝")
    legal: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    """Around a face-up or face-down card that may be chosen."""
    chosen: FrameSigns = ("┏", "━", "┓", "┃", "┗", "┛")
    hatch: str = "░"
    dot: str = "•"
    """One influence."""
    coin: str = "◉"
    """Five influence."""
    times: str = "×"
    """Before the height of a stack."""
    tab: str = "╰"
    """Before a covered card that hangs under its stack."""
    resolved: str = "━"
    """The rail over stacks that have been resolved."""
    ahead: str = "┄"
    """The rail over stacks still to come."""
    end: str = "▸"
    """The rail's end, which tells the direction, left to right."""
    end_left: str = "◂"
    """The rail's end, right to left."""
    resolving: tuple[str, str] = ("▼", "▼")
    """Around the position that is being resolved."""
    chosen_mark: tuple[str, str] = ("▸", "◂")
    """Around the position that is chosen."""
    bar: str = "┃"
    """An end of the Queue where a card may be put."""
    look: str = "▴"
    """Under the card that is looked at."""
    turn: str = "▸"
    """Before the player whose turn it is, and the last event."""
    first: str = "⚑"
    """After the name of the first player."""
    first_next: str = "⚐"
    """After the name of who is first player in the next round."""
    back: str = "▯"
    """A card in another player's hand."""
    round_done: str = "■"
    round_ahead: str = "□"
    divider: str = "│"
    dash: str = "—"
    separator: str = "·"
    ellipsis: str = "…"
    cut: str = "…"
    """After a name or a text that has been cut."""
    away: str = "◌"
    paused: str = "‖"
    """Before word of a pause."""
    line: str = "●"
    """Before the quality of the line to the host."""
    arrows: str = "←→"
    up_down: str = "↑↓"
    sorted: tuple[str, str] = (" ▴", " ▾")
    """After the heading by which a list is sorted: upwards, downwards."""
    nothing: str = "·"
    """Nothing known, in the table of public knowledge."""
    covered: str = "↓"
    """After the position of a covered card there."""
    ready: str = "✓"
    cross: str = "✕"
    threat: str = "!"
    """Over a card that is being eliminated."""
    won: str = "♛"
    """Before whoever won a game."""
    across: str = " ▏▎▍▌▋▊▉█"
    """A bar's last cell, from empty to full, as it grows to the right."""
    upwards: str = " ▁▂▃▄▅▆▇█"
    """The same of a column, as it grows upwards."""
    shade: str = "▒"
    """A cell of the other part of a bar that has two."""
    unicode: bool = True
    """Whether texts may have characters beyond ASCII."""

    def tag(self, family: str) -> str:
        """Return a family's sign and letter."""
        sign = f"{self.families[family]}{self.gap}{family}"
        return sign if self.letter_follows else f"[{family}]"

    def plain(self, text: str) -> str:
        """Return a text as this set can write it, every character in as many cells as before."""
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
"""The nearest ASCII character of signs that Unicode does not take apart."""


def _plain(character: str) -> str:
    """Return the nearest ASCII character, as wide as this one."""
    if character.isascii():
        return character
    if character in _ASCII_FOR:
        return _ASCII_FOR[character]
    # Commands without a screen need no rich.
    from rich.cells import cell_len

    letter = unicodedata.normalize("NFKD", character)[0]
    return letter if letter.isascii() else "?" * cell_len(character)


UNICODE: Final = Glyphs()
"""The signs of a terminal that can show them."""

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
"""The signs of a terminal whose font has few: all are in WGL4, which nearly every font has, but
heavy lines, which bitmap fonts have too."""

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
"""The signs of a terminal that can show ASCII only."""

WIDE_LANGUAGES: Final = ("zh", "ja", "ko")
"""Locales whose terminals may draw our signs two cells wide."""


def suitable_glyphs(is_wide: bool = False) -> Glyphs:
    """Return the set that suits this terminal; with `is_wide` it draws signs two cells wide."""
    if is_wide:
        return ASCII
    on_windows: bool = sys.platform == "win32"
    if on_windows:
        # The terminals of today say who they are; the old console has few of our signs.
        return UNICODE if {"WT_SESSION", "TERM_PROGRAM"} & os.environ.keys() else ASCII
    if os.environ.get("TERM") == "linux":
        return ASCII
    language = locale.setlocale(locale.LC_CTYPE, None)
    # In these Python itself takes UTF-8; the terminal need not.
    if language in ("C", "POSIX"):
        return ASCII
    if "UTF-8" not in locale.getpreferredencoding(False).upper().replace("UTF8", "UTF-8"):
        return ASCII
    if language.startswith(WIDE_LANGUAGES):
        return ASCII
    # Xterm's own font is a bitmap.
    return BASIC if "XTERM_VERSION" in os.environ else UNICODE


def glyphs_of(choice: str, is_wide: bool = False) -> Glyphs:
    """Return the signs that a setting names, for a terminal that may draw them two cells wide."""
    named = {"unicode": UNICODE, "basic": BASIC, "ascii": ASCII}
    return named.get(choice) or suitable_glyphs(is_wide)
