"""What the options screen calls the settings and their values, and what it says of each."""

from typing import Final

from driflamme_tui.preferences.settings import Value
from driflamme_tui.text.i18n import NP_, _, available_languages, name_of_language, pgettext
from engine.words import N_

NAME: Final = "setting"
"""The context in which names of settings are translated: up to 14 cells."""

VALUE: Final = "value"
"""The context in which their values are: a word, since all of them stand in one row."""

_NAMES: Final = {
    "theme": NP_("setting", "Colours"),
    "glyphs": NP_("setting", "Symbols"),
    "language": NP_("setting", "Language"),
    "animation": NP_("setting", "Animation"),
    "pace": NP_("setting", "Pace"),
    "cards": NP_("setting", "Cards"),
    "bell": NP_("setting", "Your turn"),
    "title": NP_("setting", "Title"),
}

_VALUES: Final[dict[Value, str]] = {
    "dark": NP_("value", "dark"),
    "light": NP_("value", "light"),
    "contrast": NP_("value", "strong"),
    "auto": NP_("value", "auto"),
    "unicode": NP_("value", "Unicode"),
    "ascii": NP_("value", "ASCII"),
    "full": NP_("value", "large"),
    "compact": NP_("value", "medium"),
    "minimal": NP_("value", "small"),
    "micro": NP_("value", "tiny"),
    "off": NP_("value", "off"),
    "bell": NP_("value", "bell"),
    "notice": NP_("value", "notice"),
}

_SENTENCES: Final = {
    "theme": N_("The colours; strong has the most contrast."),
    "glyphs": N_("The symbols for cards and lines; auto takes ASCII where the rest may not show."),
    "language": N_("The language of all texts; auto takes the system's."),
    "animation": N_("Whether what happens is shown as it moves; any key skips it."),
    "pace": N_(
        "How long each action of the others stays on screen before the next, when animation is on."
    ),
    "cards": N_("How large cards are, as far as there is room; auto takes the largest in one row."),
    "bell": N_(
        "How to call you when it is your turn and you look elsewhere; notice rings as well."
    ),
    "title": N_("Whether the title of the terminal says that it is your turn."),
}


def setting_name(name: str) -> str:
    """Return what a setting is called."""
    return pgettext(NAME, _NAMES[name])


def setting_sentence(name: str) -> str:
    """Return what a setting is about."""
    return _(_SENTENCES[name])


def value_name(value: Value) -> str:
    """Return what a value is called."""
    if isinstance(value, bool):
        return pgettext("value", "on") if value else pgettext("value", "off")
    if isinstance(value, int | float):
        return pgettext("value", "none") if not value else _("{n} s").format(n=f"{value:g}")
    if value in available_languages():
        return name_of_language(value)
    return pgettext(VALUE, _VALUES[value]) if value in _VALUES else value
