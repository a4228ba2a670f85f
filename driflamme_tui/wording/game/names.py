"""What cards and families are called, at full length and where there is little room."""

from typing import Final

from driflamme_tui.text.i18n import NP_, _, pgettext
from engine.cards import Card, Family
from engine.words import CARD_NAMES, FAMILY_NAMES

_SEVEN_COLUMNS: Final = {
    "A": NP_("card in 7 columns", "Archer"),
    "S": NP_("card in 7 columns", "Soldier"),
    "P": NP_("card in 7 columns", "Spy"),
    "H": NP_("card in 7 columns", "Heir"),
    "F": NP_("card in 7 columns", "Shifter"),
    "L": NP_("card in 7 columns", "Lord"),
    "X": NP_("card in 7 columns", "Assassn"),
    "D": NP_("card in 7 columns", "Decree"),
    "M": NP_("card in 7 columns", "Ambush"),
    "C": NP_("card in 7 columns", "Conspir"),
}

_FOUR_COLUMNS: Final = {
    "A": NP_("card in 4 columns", "Arch"),
    "S": NP_("card in 4 columns", "Sold"),
    "P": NP_("card in 4 columns", "Spy"),
    "H": NP_("card in 4 columns", "Heir"),
    "F": NP_("card in 4 columns", "Shap"),
    "L": NP_("card in 4 columns", "Lord"),
    "X": NP_("card in 4 columns", "Assn"),
    "D": NP_("card in 4 columns", "Decr"),
    "M": NP_("card in 4 columns", "Ambu"),
    "C": NP_("card in 4 columns", "Cons"),
}

_PURPOSE_IN_NINE_COLUMNS: Final = {
    "A": NP_("purpose in 9 columns, 2 lines", "eliminate\nan end"),
    "S": NP_("purpose in 9 columns, 2 lines", "eliminate\nbeside it"),
    "P": NP_("purpose in 9 columns, 2 lines", "steal 1\nbeside it"),
    "H": NP_("purpose in 9 columns, 2 lines", "+2 if no\nother up"),
    "F": NP_("purpose in 9 columns, 2 lines", "copy one\nbeside it"),
    "L": NP_("purpose in 9 columns, 2 lines", "+1, +1 by\neach kin"),
    "X": NP_("purpose in 9 columns, 2 lines", "eliminate\nany card"),
    "D": NP_("purpose in 9 columns, 2 lines", "move any\none card"),
    "M": NP_("purpose in 9 columns, 2 lines", "+4 if it\nis killed"),
    "C": NP_("purpose in 9 columns, 2 lines", "tokens\npay twice"),
}

_PURPOSE_IN_SEVEN_COLUMNS: Final = {
    "A": NP_("purpose in 7 columns", "x ends"),
    "S": NP_("purpose in 7 columns", "x next"),
    "P": NP_("purpose in 7 columns", "steal 1"),
    "H": NP_("purpose in 7 columns", "+2 solo"),
    "F": NP_("purpose in 7 columns", "copies"),
    "L": NP_("purpose in 7 columns", "+1 +kin"),
    "X": NP_("purpose in 7 columns", "x any"),
    "D": NP_("purpose in 7 columns", "moves 1"),
    "M": NP_("purpose in 7 columns", "trap +4"),
    "C": NP_("purpose in 7 columns", "x2 inf"),
}


def card_name(card: Card) -> str:
    """Return the name of a card."""
    return _(CARD_NAMES[card])


def family_name(family: Family) -> str:
    """Return the name of a family."""
    return _(FAMILY_NAMES[family])


def edition_name(edition: int) -> str:
    """Return an edition's name."""
    return _("second edition") if edition == 2 else _("first edition")


def card_name_for(card: Card, columns: int) -> str:
    """Return the longest name of a card that fits; below 4 columns, the beginning of one."""
    seven = pgettext("card in 7 columns", _SEVEN_COLUMNS[card])
    for name in (card_name(card), seven):
        if len(name) <= columns:
            return name
    return pgettext("card in 4 columns", _FOUR_COLUMNS[card])[: max(0, columns)]


def card_purpose(card: Card, columns: int) -> list[str]:
    """Return what a card does, to be written on it: two lines from 9 columns on, else one of 7."""
    if columns >= 9:
        return pgettext(
            "purpose in 9 columns, 2 lines", _PURPOSE_IN_NINE_COLUMNS[card]
        ).splitlines()
    return [pgettext("purpose in 7 columns", _PURPOSE_IN_SEVEN_COLUMNS[card])]
