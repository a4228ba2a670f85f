"""Builds the sentences of a hint: the teacher's choice, its expected result, and a reason.

The reasons are facts that everybody can see on the table. The teacher's search gives no reasons.
"""

from driflamme_tui.model.prospects import prospect
from driflamme_tui.text.i18n import _, counted, ngettext
from driflamme_tui.wings.hints.hint_conditions import is_useful
from driflamme_tui.wording.choices.answer_words import CLOSE, answer_sentence, close_call, percent
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.names import bot_name
from engine.actions import ACTIONS, Action, Eliminate, Leave, Place, Reveal, Steal
from engine.bots import TEACHER
from engine.bots.influence_estimates import RulesOfThumb
from engine.cards import AMBUSH, ROUNDS
from engine.texts import Text
from engine.views import View
from netcode.workers.questions import BotAnswer

DANGEROUS = 0.4
"""Minimum probability of an elimination that is a reason for revealing a card."""

HARMLESS = 0.15
"""Probability of an elimination below which face-up cards are no threat."""

LAST_EARLY_ROUND = 3
"""The last round in which the remaining time is a reason for placing a card."""


def others_play() -> str:
    """Return the reason why there are no hints at a table with other people."""
    return _("Hints are only for games against bots: other people play here.")


def no_question_sentence() -> str:
    """Return the reason why there is no hint during another player's turn."""
    return _("Ask for a hint when you have a decision to take: you are not asked now.")


def hint_of(thought: BotAnswer, prompter: Prompter) -> tuple[str, str]:
    """Return the teacher's choice and a reason, both as sentences; the reason may be "".

    If the teacher failed or thought too briefly, the first sentence says that there is no hint.
    """
    action = ACTIONS.get(thought.token)
    if action is None or action not in prompter.view.legal or not is_useful(thought):
        return _("{bot} has no hint for you this time.", bot=bot_name(TEACHER)), ""
    best = thought.weights[0][1]
    other = min(best, thought.weights[1][1])
    answer = answer_sentence(bot_name(TEACHER), action, prompter)
    sentence = f"{answer} {_worth(action, best, other)}"
    if best - other < CLOSE:
        return sentence, close_call()
    return sentence, _reason(action, prompter)


def _worth(action: Action, best: float, other: float) -> str:
    """Return a sentence with the expected victories after the two best choices, in percent."""
    text: Text = "That way it expects to win {best} of games; {other} with its second choice."
    if isinstance(action, Leave):
        text = "That way it expects to win {best} of games from here; {other} if you reveal it."
    elif isinstance(action, Reveal):
        text = "That way it expects to win {best} of games from here; {other} if you leave it."
    return _(text, best=percent(best), other=percent(other))


def _reason(action: Action, prompter: Prompter) -> str:
    """Return a plain reason for an action; "" if no fact on the table speaks for it."""
    view = prompter.view
    match action:
        case Leave():
            return _why_leave(view)
        case Reveal():
            return _why_reveal(view)
        case Place(card=card):
            if view.round == ROUNDS:
                return ""
            if view.round <= LAST_EARLY_ROUND and card != AMBUSH:
                left = ROUNDS - view.round
                return ngettext(
                    "It has {n} more round to gather influence.",
                    "It has {n} more rounds to gather influence.",
                    left,
                )
        case Eliminate(position=position):
            owner, _card, _face_up, influence, _covered = view.queue[position - 1]
            if owner != view.turn and influence > 1:
                return counted("The {n} influence on it is lost then.", influence)
            return _ahead(prompter, owner)
        case Steal(family=family):
            return _ahead(prompter, view.seat_of(family))
    return ""


def _ahead(prompter: Prompter, seat: int) -> str:
    """Return the sentence stating that an opponent has more influence than every other opponent.

    Returns "" if that is false.
    """
    view = prompter.view
    others = [pool for each, pool in enumerate(view.pools) if each not in (seat, *view.viewers)]
    if seat == view.turn or view.pools[seat] <= max(others, default=-1):
        return ""
    return _("{name} is ahead of your other opponents.", name=prompter.names[seat])


def _why_leave(view: View) -> str:
    card = view.queue[view.at][1]
    if card == AMBUSH:
        return _("An Ambush gains most where somebody attacks it.")
    if RulesOfThumb(view).danger(view.at) <= HARMLESS:
        return _("No face-up attacker can reach it before its next turn.")
    return ""


def _why_reveal(view: View) -> str:
    if view.round == ROUNDS:
        return _("What lies on cards after this round is lost.")
    if RulesOfThumb(view).danger(view.at) >= DANGEROUS:
        return _("Left face down it may well be eliminated, with all that lies on it.")
    prospect_now = prospect(view, view.at)
    brings = prospect_now.taken + prospect_now.gain
    if brings > 1:
        return counted("It brings you {n} influence at once.", brings)
    return ""
