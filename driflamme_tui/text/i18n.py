"""Translates every text that a player reads.

Texts are translated when they are shown, not when modules are imported, so the language may change
while the program runs. Before `set_language`, and for untranslated texts, the language is English.

Catalogues are in `locale/LANGUAGE/LC_MESSAGES`. `scripts/catalogues` collects their texts in the
core and in wings. They are arguments of `_`, `ngettext`, `counted` and `pgettext`, values of the
type `engine.texts.Text`, and the prose in `prose/*.md`.
"""

import gettext as _gettext
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from engine.texts import Text, Translate

DOMAIN: Final = "driflamme"
"""The name of the catalogues."""
LOCALE_DIRECTORY: Final = Path(__file__).parents[1] / "locale"
"""The folder of the catalogues."""
PROSE_DIRECTORY: Final = Path(__file__).parents[1] / "prose"
"""The folder of long texts."""
ENGLISH: Final = "en"
"""The language of the texts in the code, which needs no catalogue."""
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables from which gettext takes the language."""

PROGRAM: Final = "driflamme"
"""The program's name in texts with commands to type."""
_COMMAND: Final = rf"\b{PROGRAM}(?= [a-z-]|  )"
_started_as = os.environ.get("DRIFLAMME_STARTED_AS") or PROGRAM

_catalogue = _gettext.NullTranslations()
_language = ENGLISH


def set_language(language: str | None) -> None:
    """Show texts in a language such as "fr"; None means the system's language.

    The environment names the system's language, or else Windows does. If the language has no
    catalogue, texts are in English.
    """
    global _catalogue, _language
    if language is None:
        language = _windows_language()
    languages = _system_languages() if language is None else [language]
    _catalogue = _gettext.translation(DOMAIN, LOCALE_DIRECTORY, languages, fallback=True)
    _language = _catalogue.info().get("language") or ENGLISH


def _system_languages() -> list[str]:
    """Return the system's languages in order of preference, up to English.

    English has no catalogue, so gettext itself would skip it and take the next language.
    """
    languages = next(filter(None, map(os.environ.get, _VARIABLES)), "").split(":")
    english = (at for at, each in enumerate(languages) if known_language(each) == ENGLISH)
    return languages[: next(english, None)]


def _windows_language() -> str | None:
    """Return the language of Windows; None on other systems, or if the environment names one."""
    if sys.platform == "win32":
        # Import here, since other systems do not need it.
        import ctypes
        import locale

        if not any(map(os.environ.get, _VARIABLES)):
            number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
            return locale.windows_locale.get(number, ENGLISH)
    return None


def started_as() -> str:
    """Return the command that started the program: its name or, from a clone, its path."""
    return _started_as


def as_typed(text: str) -> str:
    """Return a text in which the program is named by the command that started it."""
    return text if _started_as == PROGRAM else re.sub(_COMMAND, lambda _match: _started_as, text)


def language() -> str:
    """Return the language of shown texts, such as "fr"."""
    return _language


def known_language(name: str) -> str | None:
    """Return the language for a name such as fr, FR or fr_CA.UTF-8; None if it is unknown."""
    code = re.split("[-_.@]", name, maxsplit=1)[0].lower()
    return code if code in available_languages() else None


def available_languages() -> list[str]:
    """Return English and every language with a catalogue."""
    catalogues = LOCALE_DIRECTORY.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return [ENGLISH, *sorted(path.parent.parent.name for path in catalogues)]


def name_of_language(language: str) -> str:
    """Return the name of a language in that language itself, for its speakers."""
    own: Annotated[Text, "own name"] = "English"
    return _catalogue_of(language).pgettext("own name", own)


def translator(language: str) -> Translate:
    """Return a function that translates texts into a language, even if another one is set.

    Without a catalogue for the language, texts stay in English.
    """
    return _catalogue_of(language).gettext


def in_all_languages(message: str, context: str | None = None) -> list[str]:
    """Return a text in every available language, in the order of `available_languages`.

    `context` is the gettext context of the text, if it has one.
    """
    catalogues = [_catalogue_of(each) for each in available_languages()]
    if context is None:
        return [catalogue.gettext(message) for catalogue in catalogues]
    return [catalogue.pgettext(context, message) for catalogue in catalogues]


def _catalogue_of(language: str) -> _gettext.NullTranslations:
    return _gettext.translation(DOMAIN, LOCALE_DIRECTORY, [language], fallback=True)


def search_form(text: str) -> str:
    """Return a text in lower case and without accents, for searches."""
    parts = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _filled(text: str, values: Mapping[str, object]) -> str:
    return text.format(**values) if values else text


def _(message: str, /, **values: object) -> str:
    """Translate a text, and insert values into its placeholders.

    Commands in the text begin as the program was started, as in `as_typed`.
    """
    return _filled(as_typed(_catalogue.gettext(message)), values)


def ngettext(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Translate a text in the plural form for the number `n`, which is also a placeholder."""
    text = as_typed(_catalogue.ngettext(singular, plural, n))
    return _filled(text, {"n": n, **values})


def counted(message: str, n: int, /, **values: object) -> str:
    """Translate a text with a number.

    English has one form for all numbers, other languages may have several.
    """
    return ngettext(message, message, n, **values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Translate a text whose meaning or available space depends on a context."""
    return _filled(_catalogue.pgettext(context, message), values)


def comma_list(texts: Iterable[str]) -> str:
    """Return texts with the language's comma between them."""
    return _(", ").join(texts)


@cache
def prose(name: str, folder: Path = PROSE_DIRECTORY) -> dict[str, list[str]]:
    """Return the paragraphs of a file of prose by their titles, all untranslated."""
    return paragraphs_by_title((folder / f"{name}.md").read_text(encoding="utf-8"))


def paragraphs_by_title(text: str) -> dict[str, list[str]]:
    r"""Return the paragraphs of a long text by their titles, all untranslated.

    >>> paragraphs_by_title("# One\n\nThis goes\non.\n\nThat, too.\n\n# Two\n\nThe end.")
    {'One': ['This goes on.', 'That, too.'], 'Two': ['The end.']}

    Each line of a list is a paragraph. Indented lines are typed exactly, in any language.
    Pictures are left out.

    >>> paragraphs_by_title("# Three\n\n- Red.\n- Blue.\n\n    driflamme play\n    driflamme learn")
    {'Three': ['- Red.', '- Blue.', '    driflamme play\n    driflamme learn']}

    The mark of a line that is deleted with a wing is left out. Such a line leaves a blank one.

    >>> paragraphs_by_title("# Four\n\nSail away. <!-- wing: boats -->\n\n\n    driflamme play")
    {'Four': ['Sail away.', '    driflamme play']}
    """
    text = re.sub(r"\n{3,}", "\n\n", re.sub(r" *<!-- wing: \w+ -->", "", text))
    sections = (each.split("\n\n") for each in text.strip().removeprefix("# ").split("\n\n# "))
    return {
        title: [paragraph for block in blocks for paragraph in _paragraphs(block)]
        for title, *blocks in sections
    }


TYPED_INDENT: Final = "    "
"""The beginning of prose lines that a reader must type exactly."""


def _paragraphs(block: str) -> list[str]:
    if block.startswith("!["):
        return []
    if block.startswith(TYPED_INDENT):
        return [block]
    return block.splitlines() if block.startswith("- ") else [" ".join(block.splitlines())]


def with_decimal_sign(number: str) -> str:
    """Return a number with the language's decimal sign, such as 0,9 in French."""
    return number.replace(".", pgettext("decimal sign", "."))
