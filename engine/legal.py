"""Lists the legal answers to a question, and explains why any other answer is illegal.

Both tasks use only facts that the asked player can see. So the host's game and a client's view give
equal results.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.abilities import CHOICES
from engine.actions import (
    LEAVE_AND_REVEAL,
    Action,
    Copy,
    Eliminate,
    Move,
    Place,
    Steal,
    placements,
    placements_on,
)
from engine.cards import ARCHER, ASSASSINATION, CARD_NAMES, FAMILY_NAMES, SHAPESHIFTER, SOLDIER, SPY
from engine.position import LEAVE_OR_REVEAL, OVER, PLACE, Position
from engine.texts import Text, Translate, untranslated

_OR: Final[Text] = " or "

SENTENCES: Final[dict[str, Text]] = {
    "game_over": "The game is over.",
    "opening_due": "The game is waiting for a card to be shown.",
    "asked_to_place": "Place a card from your hand.",
    "asked_to_leave_or_reveal": "Leave or reveal your face-down card at position {position}.",
    "asked_for_ability": "Use your {card} at position {position}.",
    "not_in_hand": "Your hand has no {card}.",
    "empty_queue": "The Queue is empty: your card becomes the Queue.",
    "no_such_position": "There is no position {position}: the Queue ends at {last}.",
    "not_your_stack": (
        "The card at position {position} is not yours: you can stack only on your own top card."
    ),
    "archer_reach": "Your {card} must eliminate the first or the last card: position {choices}",
    "soldier_reach": "Your {card} must eliminate a neighbour: position {choices}",
    "assassination_reach": "Your {card} must eliminate a top card: position {choices}",
    "spy_reach": "Your {card} must steal from the owner of a neighbour: {choices}",
    "copy_reach": "Your {card} must copy a face-up Character beside it: position {choices}",
    "decree_itself": "The Royal Decree cannot move itself.",
    "decree_same_place": "The card at position {position} stands there already.",
    "decree_no_such_place": (
        "The card at position {position} can go to positions 1 to {last}, not to {destination}."
    ),
}
"""The sentence for each refusal, by its code. Each sentence addresses the asked player."""

_REACH: Final = {
    ARCHER: "archer_reach",
    SOLDIER: "soldier_reach",
    ASSASSINATION: "assassination_reach",
    SPY: "spy_reach",
    SHAPESHIFTER: "copy_reach",
}


class Refusal(NamedTuple):
    """The reason why an action is illegal: a key of `SENTENCES`, and the values of its sentence."""

    code: str
    values: Mapping[str, str | int | tuple[str | int, ...]]
    """Values for the sentence: `card` is a letter, `choices` are positions or families, others are
    numbers.
    """

    def sentence(self, translate: Translate = untranslated) -> str:
        """Return the reason as one sentence for the asked player."""
        words = {
            name: _word(value, translate) if name in ("card", "choices") else value
            for name, value in self.values.items()
        }
        return translate(SENTENCES[self.code]).format(**words)


class IllegalAction(ValueError):  # noqa: N818 - it is the action that is illegal
    """Raised if the rules forbid the action in this position. `refusal` has the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence())
        self.refusal = refusal


def legal_actions(position: Position) -> tuple[Action, ...]:
    """Return every legal answer to the question of the position.

    Returns () after the end, and while a sealed game waits for a player to open a card. Equal
    positions give the answers in equal order: if every bot fails, a host plays the first answer.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> print(*legal_actions(game))
    x1 x3
    """
    question = position.question
    if question == PLACE:
        return legal_placements(position)
    if question == LEAVE_OR_REVEAL:
        return LEAVE_AND_REVEAL
    choices = CHOICES.get(question)
    return () if choices is None else choices(position, position.at)


def legal_placements(position: Position) -> tuple[Action, ...]:
    """Return every placement that is legal for the player whose turn it is."""
    seat = position.turn
    hand = position.hands[seat]
    ways = placements(hand)
    if not position.queue:
        return ways.alone
    answers = ways.at_an_end
    for index, stack in enumerate(position.queue):
        if stack[0] == seat:
            on_stack = ways.on_stack.get(index + 1)
            answers += on_stack or placements_on(hand, index + 1)
    return answers


def why_not(position: Position, action: Action) -> Refusal | None:
    """Return the reason why an action is illegal at the present question; None if it is legal.

    >>> from engine.actions import ACTIONS
    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> why_not(game, ACTIONS["x4"]).sentence()
    'Your Soldier must eliminate a neighbour: position 1 or 3'
    >>> why_not(game, ACTIONS["x3"])
    """
    answers = legal_actions(position)
    if action in answers:
        return None
    question = position.question
    if question == OVER:
        return Refusal("game_over", {})
    if not answers:
        return Refusal("opening_due", {})
    if question == PLACE:
        return _why_not_place(position, action)
    here = position.at + 1
    if question == LEAVE_OR_REVEAL:
        return Refusal("asked_to_leave_or_reveal", {"position": here})
    # Name the resolving card itself: a Shapeshifter may have copied the present ability.
    card = position.queue[position.at][1]
    if not isinstance(action, type(answers[0])):
        return Refusal("asked_for_ability", {"card": card, "position": here})
    if isinstance(action, Move):
        return _why_not_move(position, action)
    choices = tuple(
        answer.family if isinstance(answer, Steal) else answer.position
        for answer in answers
        if isinstance(answer, Steal | Eliminate | Copy)
    )
    return Refusal(_REACH[question], {"card": card, "choices": choices})


def _why_not_place(position: Position, action: Action) -> Refusal:
    if not isinstance(action, Place):
        return Refusal("asked_to_place", {})
    if action.card not in position.hands[position.turn]:
        return Refusal("not_in_hand", {"card": action.card})
    if not position.queue:
        return Refusal("empty_queue", {})
    if action.position > len(position.queue):
        return _no_such_position(position, action.position)
    return Refusal("not_your_stack", {"position": action.position})


def _why_not_move(position: Position, action: Move) -> Refusal:
    last = len(position.queue)
    if action.position > last:
        return _no_such_position(position, action.position)
    if action.position == position.at + 1:
        return Refusal("decree_itself", {})
    if action.position == action.destination:
        return Refusal("decree_same_place", {"position": action.position})
    places = last if position.queue[action.position - 1][4] is None else last + 1
    return Refusal(
        "decree_no_such_place",
        {"position": action.position, "last": places, "destination": action.destination},
    )


def _no_such_position(position: Position, wanted: int) -> Refusal:
    return Refusal("no_such_position", {"position": wanted, "last": len(position.queue)})


def _word(value: str | int | tuple[str | int, ...], translate: Translate) -> str:
    if isinstance(value, tuple):
        words = [_word(each, translate) for each in value]
        return translate(_OR).join(filter(None, (", ".join(words[:-1]), words[-1])))
    if isinstance(value, str):
        # An unopened card has no name: show the letter that stands for it.
        return translate(CARD_NAMES.get(value) or FAMILY_NAMES.get(value) or value)
    return str(value)
