"""English words for the things of the game, marked for translation.

The engine speaks in codes and letters; whoever shows them to a player passes a `translate`
function (gettext's, say). `N_` marks a text for the catalogues without translating it here.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Translate: TypeAlias = Callable[[str], str]


def N_(text: str) -> str:  # noqa: N802 - the name that message extractors know
    """Mark a text for translation where it is used later."""
    return text


def untranslated(text: str) -> str:
    """Leave a text in English."""
    return text


CARD_NAMES: Final = {
    "A": N_("Archer"),
    "S": N_("Soldier"),
    "P": N_("Spy"),
    "H": N_("Heir"),
    "F": N_("Shapeshifter"),
    "L": N_("Lord"),
    "X": N_("Assassination"),
    "D": N_("Royal Decree"),
    "M": N_("Ambush"),
    "C": N_("Conspiracy"),
}
"""The English name of each card."""

FAMILY_NAMES: Final = {
    "r": N_("Red"),
    "b": N_("Blue"),
    "g": N_("Green"),
    "y": N_("Yellow"),
    "v": N_("Violet"),
}
"""The English name of each family."""


class ExplainedError(ValueError):
    """An error whose text is a sentence for a player: a template and what to fill into it."""

    def __init__(self, template: str, **values: str | int) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return what is wrong as one sentence."""
        return translate(self.template).format(**self.values)
