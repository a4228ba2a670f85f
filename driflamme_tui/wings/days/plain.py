"""Adds long games to the line-by-line mode: calls, and conditional answers."""

from collections.abc import Iterator
from typing import Annotated, Final

from driflamme_tui.plain.line_player import LineEffect
from driflamme_tui.plain.wing_lines import InGame, WingLines
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.ahead.ahead_words import (
    cards_to_leave,
    choices,
    condition_of,
    condition_words,
    with_condition,
)
from driflamme_tui.wings.days.ahead.confirmed_values import confirmed_values, parse_address
from driflamme_tui.wording.game.names import card_name
from engine.texts import ExplainedError, Text
from netcode.wings.days.messages import SetCall, SetConditions

_WORDS: Final[tuple[Annotated[Text, "typed"], ...]] = (
    "ahead",
    "call",
    "no call",
    "hours",
    "bank",
    "pauses",
    "nights",
    "weekends",
)
"""The commands as they are typed."""


def _call(_player: InGame, address: str) -> LineEffect:
    """Return a message that sets the address for calls, or the reason why it is invalid."""
    try:
        return SetCall(parse_address(address))
    except ExplainedError as error:
        return error.sentence(_)


def _ahead(player: InGame, rest: str) -> LineEffect:
    """Return a message that sets a card's conditional answer: `2 3` is card 2, answer 3.

    For other texts, return the list of cards and possible answers.
    """
    view = player.session.view
    cards = [] if view is None or view.over else cards_to_leave(view)
    if view is None or not cards:
        return _("You have no face-down card in the Queue.")
    chosen = rest.split()
    if len(chosen) != 2 or not all(each.isdecimal() for each in chosen):
        return [*_listed(player)]
    card, condition = (int(each) - 1 for each in chosen)
    if not 0 <= card < len(cards):
        return [*_listed(player)]
    options = [*choices(view, cards[card][0])]
    if not 0 <= condition < len(options):
        return [*_listed(player)]
    conditions = confirmed_values(player.session).conditions
    return SetConditions(with_condition(conditions, cards[card][0], options[condition]))


def _listed(player: InGame) -> Iterator[str]:
    """Yield the cards with their conditional answers, and the possible answers, with numbers."""
    view = player.session.view
    if view is None:
        return
    cards = cards_to_leave(view)
    conditions = confirmed_values(player.session).conditions
    for number, (card, position) in enumerate(cards, 1):
        words = condition_words(condition_of(card, conditions))
        text = _("Card {number}, your {card} at {position}: {condition}.")
        yield text.format(
            number=number, card=card_name(card[1:]), position=position, condition=words
        )
    for number, condition in enumerate(choices(view, cards[0][0]), 1):
        yield _(
            "Instruction {number}: {condition}.",
            number=number,
            condition=condition_words(condition),
        )
    yield _("Type ahead, the number of a card and that of an instruction, such as: ahead 1 2.")


SEAM: Final = WingLines(
    in_lobby={"call *": _call, "no call": SetCall("")},
    in_game={"call *": _call, "no call": SetCall(""), "ahead": _ahead, "ahead *": _ahead},
    topics={
        "chat": ("call ADDRESS: in a long game, get calls there on your turn; no call ends them.",),
        "game": ("ahead: in a long game, leave your face-down cards without being asked.",),
        "host": (
            "hours, bank or pauses, and a value: in the lobby, the host sets the clock of a long"
            " game.",
        ),
    },
    messages=(SetCall, SetConditions),
    words=_WORDS,
)
"""The lines of long games."""
