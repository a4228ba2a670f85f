"""Interprets pressed keys: keypads, letter case, other keyboard layouts, and held keys.

This module reads no clock. The app passes each key with its time.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Final, Literal, TypeAlias

from driflamme_tui.keymap.key_bindings import name_of_character
from engine.texts import Text

_KEYPAD: Final = {
    "add": "plus",
    "subtract": "minus",
    "multiply": "asterisk",
    "divide": "slash",
    "decimal": "full_stop",
    "equal": "equals_sign",
    "separator": "comma",
}
"""Textual's names of signs, by Textual's names of keypad keys under the kitty protocol."""

_LATIN: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_CYRILLIC: Final = "йцукенгшщзхъфывапролджэячсмитьбюё"
_UKRAINIAN: Final = {"і": "s", "ї": "]", "є": "'", "ў": "o"}
_SHIFTED: Final = str.maketrans("[];',.`", '{}:"<>~')
_BY_POSITION: Final = {
    **dict(zip(_CYRILLIC, _LATIN, strict=True)),
    **_UKRAINIAN,
}
"""The sign of a key on a US layout, by the letter of that key on a Cyrillic layout."""


def latin_sign(letter: str) -> str:
    """Return the sign on a US keyboard at the place of a Cyrillic letter; "" for other letters."""
    sign = _BY_POSITION.get(letter.lower(), "")
    return sign.upper().translate(_SHIFTED) if letter.isupper() else sign


def meant_key(name: str, character: str | None, is_bound: Callable[[str], bool]) -> str:
    """Return the bound key that a key stands for, by Textual's names.

    Returns the key itself if no bound key fits.

    A key of the keypad stands for its character. A letter without a binding stands for the same
    letter in the other case, and a Cyrillic letter for the Latin letter at its place.
    """
    return next(filter(is_bound, _readings(name, character or "")), _KEYPAD.get(name, name))


def _readings(name: str, character: str) -> Iterator[str]:
    yield name
    yield _KEYPAD.get(name, name)
    if len(character) == 1 and character.isprintable() and "+" not in name:
        signs = character, character.swapcase()
        latin = latin_sign(character)
        for sign in (*signs, latin, latin.swapcase()):
            if len(sign) == 1:
                yield name_of_character(sign)


UNKNOWN_KEY: Final[Text] = "{key} does nothing here; {help} lists the keys."
UNKNOWN_CAPITAL: Final[Text] = "{key} does nothing here (CapsLock?); {help} lists the keys."
UNKNOWN_LAYOUT: Final[Text] = (
    "{key} does nothing here (another keyboard layout?); {help} lists the keys."
)


def unknown_key_text(character: str) -> Annotated[Text, "sentence"]:
    """Return the sentence for a character that no command of the screen has as its key."""
    if not character.isascii():
        return UNKNOWN_LAYOUT
    return UNKNOWN_CAPITAL if character.isupper() else UNKNOWN_KEY


# Keys that are held down

REPEAT_S: Final = 0.1
"""Maximum seconds between two signals of a held key: slow consoles send ten signals a second."""

PAUSE_S: Final = 0.4
"""Maximum seconds between two signals of a held key over a slow connection."""

DELAY_S: Final = 2.0
"""Maximum seconds before a held key begins to repeat."""

SETTLE_S: Final = 0.12
"""Seconds after which a key that was not repeated counts as pressed."""

Press: TypeAlias = Literal["pressed", "unsure", "held"]
"""A key's state: pressed, held, or not yet known.

Terminals do not report whether a key is held. The second signal of a key may mean either, and the
third one shows which.
"""


class KeyRepeats:
    """Distinguishes held keys from repeated key presses."""

    def __init__(self) -> None:
        self._key, self._at, self._is_down = "", float("-inf"), False

    def judge(self, key: str, at: float) -> Press:
        """Return the state of a key that arrives at the time `at`, in seconds.

        The same key within `REPEAT_S`, or `PAUSE_S` once it is held, is "held". A slower one within
        `DELAY_S` is "unsure": the caller should wait `SETTLE_S` for the next key.
        """
        gap, is_same = at - self._at, key == self._key
        self._key, self._at = key, at
        if not is_same or gap >= DELAY_S:
            self._is_down = False
            return "pressed"
        self._is_down = gap <= (PAUSE_S if self._is_down else REPEAT_S)
        return "held" if self._is_down else "unsure"
