"""Describes the table in sentences, for players without a screen."""

from collections.abc import Iterator, Sequence

from driflamme_tui.text.i18n import _, counted, ngettext
from driflamme_tui.wording.game.names import card_name, family_name, spoken_names
from engine.cards import ROUNDS, UNKNOWN, Card, Seat, in_order
from engine.position import PLACE, cards_in
from engine.ranking import Owners
from engine.texts import Text
from engine.views import View


def table_sentences(
    view: View, names: Sequence[str], owners: Owners | None = None
) -> Iterator[str]:
    """Yield the lines that describe the whole table. Cards that the reader may not see stay hidden.

    Args:
        view: The reader's view.
        names: The players' names, by seat.
        owners: The owners of the seats; by default each player has one seat.
    """
    if view.over:
        yield _("The game is over.")
    else:
        text: Text = "Round {round} of {rounds}, resolution. First player: {name}."
        if view.question == PLACE:
            text = "Round {round} of {rounds}, placement. First player: {name}."
        if view.viewers == (view.first,):
            text = "Round {round} of {rounds}, resolution. You are first player."
            if view.question == PLACE:
                text = "Round {round} of {rounds}, placement. You are first player."
        yield _(text, round=view.round, rounds=ROUNDS, name=names[view.first])
    for seat in range(view.players):
        yield _player(view, seat, names[seat])
    if not view.queue:
        yield _("The Queue is empty.")
    called = spoken_names(view.families, names, owners)
    for index in range(len(view.queue)):
        yield from _stack(view, index, called[view.queue[index][0]])
    for seat in view.viewers:
        yield hand(view, seat)
        yield _of_two(view, seat, _("Set aside: {cards}.", cards=_cards(view.aside[seat])))
    for seat in range(view.players):
        if seat not in view.viewers:
            yield from _laid_open(view, seat, called[seat])


def with_text(what: str, text: str) -> str:
    """Return a text after its label and a colon."""
    return _("{what}: {text}", what=what, text=text)


def queue_in_brief(view: View, names: Sequence[str], owners: Owners | None = None) -> str:
    """Return a sentence with the top cards of the Queue."""
    called = spoken_names(view.families, names, owners)
    cards = [
        f"{position} {_card(card, face_up, called[seat], view.viewers == (seat,))}"
        for position, (seat, card, face_up, *_rest) in enumerate(view.queue, 1)
    ]
    if not cards:
        return _("The Queue is empty.")
    return _("In the Queue now: {cards}.", cards=_("; ").join(cards))


def hand(view: View, seat: Seat) -> str:
    """Return a sentence with the cards in the reader's hand.

    If the reader has two families, name the family.
    """
    cards = view.hands[seat]
    text = _("Your hand is empty.")
    if cards:
        text = _("In your hand: {cards}.", cards=_cards(cards))
    return _of_two(view, seat, text)


def _laid_open(view: View, seat: Seat, name: str) -> Iterator[str]:
    """Yield sentences about another player's open cards, in hand and set aside."""
    for text, cards in (
        (_("{name} holds: {cards}."), view.hands[seat]),
        (_("{name} set aside: {cards}."), view.aside[seat]),
    ):
        if known := cards.replace(UNKNOWN, ""):
            yield text.format(name=name, cards=_cards(known))


def _of_two(view: View, seat: Seat, text: str) -> str:
    """Return a text that begins with the family if the reader has two families; else unchanged."""
    if len(view.viewers) < 2:
        return text
    return _("{family}: {text}", family=family_name(view.families[seat]), text=text)


def _player(view: View, seat: Seat, name: str) -> str:
    family = family_name(view.families[seat])
    pool = view.pools[seat]
    text = counted("{name}, {family}: {n} influence", pool, name=name, family=family)
    if name == family:
        text = counted("{family}: {n} influence", pool, family=family)
    if seat in view.viewers:
        text = counted("You, {family}: {n} influence", pool, family=family)
    number = len(view.hands[seat])
    holding = ngettext("{n} card in hand", "{n} cards in hand", number)
    parts = [text, holding]
    if out := in_order(view.out[seat]):
        parts.append(_("out: {cards}", cards=_cards(out)))
    return f"{_('; ').join(parts)}."


def _stack(view: View, index: int, name: str) -> Iterator[str]:
    seat = view.queue[index][0]
    # A reader with two families must know which family owns a card, so do not write "your".
    yours = view.viewers == (seat,)
    for depth, (card, face_up, influence) in enumerate(cards_in(view.queue[index])):
        what = _card(card, face_up, name, yours)
        if influence:
            what = counted("{card}, with {n} influence on it", influence, card=what)
        if depth:
            yield _("  beneath it: {card}", card=what)
        elif index == view.at:
            yield _("Position {n}, being resolved: {card}", n=index + 1, card=what)
        else:
            yield _("Position {n}: {card}", n=index + 1, card=what)


def _card(card: Card, face_up: bool, name: str, yours: bool) -> str:
    if card == UNKNOWN:
        return _("{name}, face down", name=name)
    if yours and face_up:
        return _("your {card}, face up", card=card_name(card))
    if yours:
        return _("your {card}, face down", card=card_name(card))
    if not face_up:
        return _("{name}, {card}, face down", name=name, card=card_name(card))
    return _("{name}, {card}, face up", name=name, card=card_name(card))


def _cards(cards: str) -> str:
    return ", ".join(card_name(card) for card in cards)
