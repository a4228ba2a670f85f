"""Applies a player's conditional answers to a question."""

from typing import NamedTuple

from engine.actions import LEAVE
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View
from netcode.wings.days.messages import Condition


class Outcome(NamedTuple):
    """The result for one question to a player."""

    token: str | None
    """The answer; None if the player must answer."""
    conditions: tuple[Condition, ...]
    """The conditional answers that stay."""


def outcome(view: View, conditions: tuple[Condition, ...]) -> Outcome:
    """Return the result for the present question in a player's view.

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
    if _is_met(view, condition):
        return Outcome(LEAVE.token, conditions)
    return Outcome(None, tuple(each for each in conditions if each is not condition))


def _is_met(view: View, condition: Condition) -> bool:
    """Return True if a condition lets the resolving card stay as it is."""
    if condition.until_round is not None and view.round >= condition.until_round:
        return False
    beside = [view.queue[at] for at in (view.at - 1, view.at + 1) if 0 <= at < len(view.queue)]
    is_alone = all(owner in view.viewers for owner, *_ in beside)
    return is_alone or not condition.unless_beside
