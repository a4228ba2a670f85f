"""Applies a player's conditional answers to a question."""

from typing import NamedTuple

from engine.actions import LEAVE
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View
from netcode.wings.days.messages import Condition


class Outcome(NamedTuple):
    """A conditional answer to one question, and the conditional answers that stay after it."""

    token: str | None
    """The answer, as a token; None if the player must answer."""
    conditions: tuple[Condition, ...]


def outcome(view: View, conditions: tuple[Condition, ...]) -> Outcome:
    """Apply a player's conditional answers to the present question in their view.

    Placing a card changes nothing. The question about a face-down card withdraws its conditional
    answer if the condition is not met. Any other question withdraws all conditional answers, since
    the player has more to decide than they expected.
    """
    if view.question == PLACE:
        return Outcome(None, conditions)
    if view.question != LEAVE_OR_REVEAL:
        return Outcome(None, ())
    owner, card, *_ = view.queue[view.at]
    name = f"{view.families[owner]}{card}"
    condition = next((each for each in conditions if each.card == name), None)
    if condition is None:
        return Outcome(None, conditions)
    if condition.until_round is None or view.round < condition.until_round:
        return Outcome(LEAVE.token, conditions)
    return Outcome(None, tuple(each for each in conditions if each is not condition))
