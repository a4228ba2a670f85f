"""What each card does: in one line for lists, and in a few sentences for whoever asks."""

from driflamme_tui.text.i18n import _, pgettext, prose
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from engine.cards import CARD_NAMES, CHARACTERS, Card


def card_summary(card: Card) -> str:
    """Return what a card does in one sentence of at most 75 columns (in English)."""
    return _(CARD_TEXTS[card].summary)


def card_help(card: Card) -> str:
    """Return what there is to know about a card, in two to four sentences."""
    (text,) = prose("cards")[CARD_NAMES[card]]
    return _(text)


def card_effect(card: Card) -> str:
    """Return what a card does in as few words as go on two lines of 30 columns."""
    return pgettext("effect, at most 60 signs", CARD_TEXTS[card].effect)


def what_if(card: Card) -> list[tuple[str, str]]:
    """Return questions about a card, each a word or two, with their answers."""
    return [(_(question), _(answer)) for question, answer in CARD_TEXTS[card].what_if]


def card_kind(card: Card) -> str:
    """Return whether a card is a Character or an Intrigue."""
    return _("Character") if card in CHARACTERS else _("Intrigue")
