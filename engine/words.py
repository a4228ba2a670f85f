"""Texts for players: how they are marked for translation, and errors that are one.

The engine speaks in codes and letters; whoever shows them to a player passes a `translate`
function (gettext's, say). `N_` marks a text for the catalogues without translating it here.
"""

from collections.abc import Callable
from typing import TypeAlias

Translate: TypeAlias = Callable[[str], str]


def N_(text: str) -> str:  # noqa: N802 - the name that message extractors know
    """Mark a text for translation where it is used later."""
    return text


def untranslated(text: str) -> str:
    """Leave a text in English."""
    return text


class ExplainedError(ValueError):
    """An error whose text is a sentence for a player: a template and what to fill into it."""

    def __init__(self, template: str, **values: str | int) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return what is wrong as one sentence."""
        return translate(self.template).format(**self.values)
