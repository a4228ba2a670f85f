"""What each card does: in one line for lists, and in a few sentences for whoever asks."""

from typing import Final

from driflamme_tui.text.i18n import _
from engine.cards import CHARACTERS, Card
from engine.words import N_

_SUMMARIES: Final = {
    "A": N_("Eliminates the first or the last card of the Queue."),
    "S": N_("Eliminates a card right beside it."),
    "P": N_("Steals 1 from the pool of a player who owns a neighbour."),
    "H": N_("Gains 2, unless another Heir is face up on top of its stack."),
    "F": N_("Copies one face-up Character beside it, for this time only."),
    "L": N_("Gains 1, and 1 more for each neighbour of its own family."),
    "X": N_("Eliminates any top card, itself included, and is then discarded."),
    "D": N_("Moves any other top card to another place, never onto a card."),
    "M": N_("Gains 4, and takes the attacker along, when an opponent eliminates it."),
    "C": N_("Pays twice the influence that lies on it."),
}

_HELP: Final = {
    "A": N_(
        "Each time it is resolved, the Archer eliminates the first or the last card of the "
        "Queue, whichever you choose, and you gain 1. It must shoot even if both are your own, "
        "and it can hit itself when it stands at an end. Covered cards are out of its reach."
    ),
    "S": N_(
        "Each time it is resolved, the Soldier eliminates the top card on one side of it, and "
        "you gain 1. It must strike even if all it reaches is your own. Alone in the Queue it "
        "does nothing."
    ),
    "P": N_(
        "Each time it is resolved, the Spy steals 1 from the pool of a player who owns a card "
        "beside it; what lies on cards is safe from it. You choose a player, not a card, so two "
        "neighbours of one family are one choice. From an empty pool, or your own, it gets "
        "nothing."
    ),
    "H": N_(
        "Each time it is resolved, the Heir gains 2 if no other Heir is face up and uncovered "
        "anywhere in the Queue. Face-down and covered Heirs do not bother it. While two stand "
        "in the open, neither is paid."
    ),
    "F": N_(
        "Each time it is resolved, the Shapeshifter does what one face-up Character beside it "
        "does, as if that were printed on it. It keeps its own name: as an Heir it only minds "
        "other face-up Shapeshifters. Copying another Shapeshifter, or having nobody to copy, "
        "brings nothing."
    ),
    "L": N_(
        "Each time it is resolved, the Lord gains 1, and 1 more for each card of its own family "
        "right beside it, face up or face down. Of a stack beside it, only the top card counts "
        "in the second edition, and every card in the first. What lies beneath the Lord never "
        "counts."
    ),
    "X": N_(
        "Once revealed, the Assassination eliminates any top card of the Queue, and you gain 1. "
        "It may be your own card or the Assassination itself. Then it is discarded."
    ),
    "D": N_(
        "Once revealed, the Royal Decree lifts any other top card, whoever owns it, and puts it "
        "down somewhere else on its own, with all that lies on it. A card that lands before the "
        "Decree waits for the next round; one that lands behind it is resolved this round, even "
        "if it was already. Then the Decree is discarded."
    ),
    "M": N_(
        "The Ambush wants to be eliminated: if an opponent's card does it, you gain 4 and the "
        "attacking card is discarded, though its owner still gains 1. Reveal it yourself and "
        "you lose what lies on it, gain 1, and discard it. If your own card "
        "eliminates it you gain just 1 in the second edition; in the first you gain 2, and your "
        "attacking card is discarded."
    ),
    "C": N_(
        "Leave the Conspiracy for as long as you dare: when you reveal it, you take twice the "
        "influence that lies on it, and it is discarded. If it is eliminated first, or never "
        "revealed, you get nothing."
    ),
}


def card_summary(card: Card) -> str:
    """Return what a card does in one sentence of at most 75 columns (in English)."""
    return _(_SUMMARIES[card])


def card_help(card: Card) -> str:
    """Return what there is to know about a card, in two to four sentences."""
    return _(_HELP[card])


def card_kind(card: Card) -> str:
    """Return whether a card is a Character or an Intrigue."""
    return _("Character") if card in CHARACTERS else _("Intrigue")
