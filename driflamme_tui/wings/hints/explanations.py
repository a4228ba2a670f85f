"""Explains each kind of decision in a player's first games.

An explanation describes the choices, and never recommends one.
"""

from typing import Final

from driflamme_tui.model.pending_question import Step
from driflamme_tui.text.i18n import _
from engine.cards import AMBUSH, CONSPIRACY, Card
from engine.texts import Text

_ABOUT: Final[dict[Step, Text]] = {
    Step.CARD: "It goes face down. Only you know which it is, and you decide when it is revealed.",
    Step.SPOT: (
        "The Queue is resolved from its start. The place decides who your card's neighbours are"
        " and when it acts."
    ),
    Step.LEAVE_OR_REVEAL: (
        "Left, it gathers 1 more, which is lost if it is eliminated. Revealed, it brings what "
        "lies on it, and acts."
    ),
    Step.TARGET: (
        "It leaves the Queue with the influence on it, and you gain 1. An opponent's face-down "
        "card may be an Ambush."
    ),
    Step.PLAYER: (
        "1 influence goes from their pool to yours, if any is there. What lies on cards stays "
        "there."
    ),
    Step.COPIED: (
        "Your Shapeshifter does what that card does, but from its own place, with its own"
        " neighbours."
    ),
    Step.LIFTED: "Moving a card changes who stands beside whom, and what is resolved when.",
    Step.DESTINATION: (
        "After the Decree it is still resolved this round. Before the Decree it is resolved only "
        "in the next round."
    ),
}


_ABOUT_LAST: Final[dict[Step, Text]] = {
    Step.CARD: (
        "This is the last round: only what is revealed in it still counts, and what stays in hand "
        "brings nothing."
    ),
    Step.LEAVE_OR_REVEAL: (
        "This is the last round: left, it brings nothing. Revealed, it brings what lies on it, and "
        "acts."
    ),
    Step.DESTINATION: (
        "After the Decree it is still resolved. Before the Decree it is not resolved any more: "
        "this is the last round."
    ),
}
"""The explanations for the last round, where they differ."""


_ABOUT_REVEALING: Final[dict[Card, Text]] = {
    AMBUSH: (
        "Left, it may yet be eliminated, which brings 4. Revealed, it loses what lies on it and "
        "brings 1."
    ),
    CONSPIRACY: (
        "Left, it gathers 1 more, which is lost if it is eliminated. Revealed, it brings twice "
        "what lies on it."
    ),
}
"""The explanations of leaving or revealing for cards that need explanations of their own."""

_ABOUT_REVEALING_LAST: Final[dict[Card, Text]] = {
    AMBUSH: (
        "This is the last round: left, it brings nothing unless an opponent's card eliminates it. "
        "Revealed, it loses what lies on it and brings 1."
    ),
    CONSPIRACY: (
        "This is the last round: left, it brings nothing. Revealed, it brings twice what lies on "
        "it."
    ),
}


def explanation(step: Step, card: Card = "", *, last: bool) -> str:
    """Return the explanation of a decision. In the last round it may be different.

    Args:
        step: The kind of thing that the player chooses.
        card: The resolving card, if there is one.
        last: True in the last round.
    """
    if step is Step.LEAVE_OR_REVEAL and card in _ABOUT_REVEALING:
        return _((_ABOUT_REVEALING_LAST if last else _ABOUT_REVEALING)[card])
    return _(_ABOUT_LAST.get(step, _ABOUT[step]) if last else _ABOUT[step])
