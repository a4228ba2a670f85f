"""Builds the texts of the prompt: the question, and the effect of each answer."""

from collections.abc import Iterable
from typing import Final

from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.i18n import _, counted
from driflamme_tui.wording.choices.consequences import Consequences, one_of
from driflamme_tui.wording.game.card_texts import CARD_TEXTS, card_summary
from driflamme_tui.wording.game.names import card_name
from engine.cards import AMBUSH, CONSPIRACY, UNKNOWN, Card
from engine.position import LEAVE_OR_REVEAL, PLACE, unseen_cards
from engine.texts import Text

_TAKES: Final[dict[tuple[bool, bool], Text]] = {
    (False, False): "Revealed, it gives you what lies on it.",
    (True, False): "Revealed, it gives you what lies on it; an Ambush loses that.",
    (False, True): "Revealed, it gives you what lies on it; a Conspiracy gives twice that.",
    (True, True): (
        "Revealed, it gives you what lies on it; an Ambush loses that, a Conspiracy "
        "gives twice that."
    ),
}
"""The effect of revealing on the influence on a card that may be one of several cards.

The first value of a key is True if the card may be an Ambush, the second if it may be a Conspiracy.
"""

_TAKES_OF_ONE: Final[dict[Card, Text]] = {
    AMBUSH: "Revealed, it loses what lies on it.",
    CONSPIRACY: "Revealed, it gives you twice what lies on it.",
}
"""The effect of revealing on the influence on a card that is certainly of this name."""


class Prompter(Consequences, frozen=True):
    """Formulates the question of a view for its reader."""

    def _shout(self, position: int) -> str:
        """Return the card at a position as `at` does, with its name in capitals."""
        seat, card, _face_up, _influence, _covered = self.view.queue[position - 1]
        if card == UNKNOWN:
            return self.at(position)
        return f"{self.tag(seat)} {_upper(card)} {position}"

    def placed(self, card: Card, position: int) -> str:
        """Return a card's name and position, without its owner."""
        return f"{card_name(card)} {position}"

    def sequence(self, moves: Iterable[str], between: str = " ") -> str:
        """Return moves in a row, with a separator and the text `between` two moves."""
        return f" {self.glyphs.separator}{between}".join(moves)

    def title(self, question: Question) -> str:
        """Return the question. For a reader with two families, name the family."""
        title = self._title(question)
        return f"{self.tag(self.view.turn)} {title}" if len(self.view.viewers) > 1 else title

    def _title(self, question: Question) -> str:
        view = self.view
        step = question.step
        if step is Step.CARD:
            return _("YOUR TURN — which card?")
        if step is Step.SPOT and question.picked and question.picked.card:
            return _("PLACE YOUR {card} — where?", card=_upper(question.picked.card))
        if step is Step.DESTINATION and question.picked:
            return _("MOVE {card} — to which place?", card=self._shout(question.picked.position))
        card = _upper(view.queue[view.at][1])
        ability = view.question
        if ability not in (view.queue[view.at][1], LEAVE_OR_REVEAL):
            card = _("{card} AS {ability}", card=card, ability=_upper(ability))
        if ability == LEAVE_OR_REVEAL:
            text = _("YOUR {card} AT {position} is face down — leave or reveal it?")
        else:
            text = _(CARD_TEXTS[ability].asks)
        return text.format(card=card, position=view.at + 1)

    def waiting(self) -> str:
        """Return the question as a sentence for everybody except the asked player."""
        view = self.view
        who = self.who(view.turn)
        if view.question == PLACE:
            return _("{who} places a card", who=who)
        if view.question == LEAVE_OR_REVEAL:
            sentence = _("{who} leaves or reveals {position}")
        else:
            sentence = _(CARD_TEXTS[view.question].waits)
        return sentence.format(who=who, position=view.at + 1)

    def may(self) -> str:
        """Return the options of the asked player in one or two sentences."""
        view = self.view
        if view.question == PLACE:
            return _(
                "Each player puts one card from hand, face down, at an end or on their own stack."
            )
        if view.question == LEAVE_OR_REVEAL:
            seat, card, _face_up, influence, _covered = view.queue[view.at]
            if not influence:
                return _("No influence lies on the card; leaving adds 1.")
            lies = counted("{n} influence lies on the card; leaving adds 1.", influence)
            candidates = unseen_cards(view, seat) if card == UNKNOWN else card
            return f"{lies} {_(_revealing_takes(candidates))}"
        return card_summary(view.question)

    def verb(self, question: Question) -> str:
        """Return the label of Enter: the verb for the present choice; before one, "first one"."""
        if question.choice is None:
            return _("first one")
        return {
            Step.CARD: _("take"),
            Step.SPOT: _("place"),
            Step.LEAVE_OR_REVEAL: _("confirm"),
            Step.TARGET: _("eliminate"),
            Step.PLAYER: _("steal"),
            Step.COPIED: _("copy"),
            Step.LIFTED: _("lift"),
            Step.DESTINATION: _("put down"),
        }[question.step]

    def consequence(self, question: Question) -> str:
        """Return the effect of the present choice; before a choice, the options."""
        choice = question.choice
        if choice is None:
            return self._invitation(question.step)
        if choice.action is not None:
            return self.effect(choice.action)
        if choice.card is not None:
            own = any(stack[0] == self.view.turn for stack in self.view.queue)
            if self.view.queue and not own:
                # Describe only the card: the question already says that it can go to either end.
                return card_summary(choice.card)
            return _(
                "{card}: {summary} {spots}",
                card=card_name(choice.card),
                summary=card_summary(choice.card),
                spots=self._spots(),
            )
        return self.lifting(choice.position)

    def _invitation(self, step: Step) -> str:
        if step in (Step.CARD, Step.SPOT):
            return self._spots()
        if step is Step.DESTINATION:
            return _("Choose where it will stand, as a stack of its own.")
        if step is Step.LIFTED:
            return _("It keeps the influence on it, and never goes onto another card.")
        return self.may()

    def _spots(self) -> str:
        view = self.view
        if not view.queue:
            return _("The Queue is empty: your card will be the first in it.")
        own = [position for position, stack in enumerate(view.queue, 1) if stack[0] == view.turn]
        if not own:
            return _("It may go to either end; the start is resolved first.")
        return _(
            "It may go to either end, or on your own card at {positions}.", positions=one_of(own)
        )


def _revealing_takes(candidates: str) -> Text:
    """Return the effect of revealing on the influence of a card that is one of `candidates`."""
    if candidates in _TAKES_OF_ONE:
        return _TAKES_OF_ONE[candidates]
    return _TAKES[AMBUSH in candidates, CONSPIRACY in candidates]


def _upper(card: Card) -> str:
    return card_name(card).upper()


def placement_sentence() -> str:
    """Return the sentence that explains the placement of cards to a waiting reader."""
    return _(
        "Everybody puts one card face down. Then the Queue is resolved, from its start to its end."
    )
