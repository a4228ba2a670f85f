"""The whole rules, with the rulings where the printed rules are silent, in our own words.

They stand in `prose/rules.md`, from where they are translated paragraph by paragraph.
"""

from typing import Final, NamedTuple

from driflamme_tui.text.i18n import _, prose
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.card_words import card_help
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS, Card

CARDS_AT: Final = 4
"""How many parts of the rules come before what each card does."""

RULINGS: Final = "Rulings"
"""The title of the last part."""


class Section(NamedTuple):
    """One part of the rules."""

    title: str
    paragraphs: list[str]


def rules_sections() -> list[Section]:
    """Return the whole rules, in the order in which one learns them."""
    cards = [
        _("{card} ({letter}): {text}").format(
            card=card_name(card), letter=card, text=card_help(card)
        )
        for card in CARDS
    ]
    *parts, (_rulings, rulings) = prose("rules").items()
    sections = [Section(_(title), [_(text) for text in texts]) for title, texts in parts]
    sections.insert(CARDS_AT, Section(_("The ten cards"), cards))
    numbered = [ruling(number) for number in range(1, len(rulings) + 1)]
    return [*sections, Section(_(RULINGS), numbered)]


def ruling(number: int) -> str:
    """Return a ruling with its number, counted from 1."""
    return _("{number}. {ruling}").format(
        number=number, ruling=_(prose("rules")[RULINGS][number - 1])
    )


def rulings_on(card: Card) -> list[str]:
    """Return the rulings that concern a card."""
    return [ruling(number) for number in CARD_TEXTS[card].rulings]
