"""Names answers in sentences and labels, for hints, the replay's teacher and puzzles.

The texts contain neither reasons nor values; callers add them.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.game.card_texts import card_summary
from driflamme_tui.wording.game.names import card_name
from engine.actions import (
    ACTIONS,
    END,
    START,
    Action,
    Copy,
    Eliminate,
    Leave,
    Move,
    Place,
    Reveal,
    Steal,
)
from engine.texts import Text

CLOSE: Final = 0.015
"""Minimum difference of two winning shares to call one answer better. A smaller one may be
chance.
"""


class Answer(NamedTuple):
    """The texts about an answer."""

    would: Text
    """The sentence stating that a bot would give this answer."""
    label: Text
    """The answer in a few words; "" if the name of the chosen card or player is enough."""
    brief: Text = ""
    """A short label that begins with the place; "" if the label is short enough."""


_ANSWERS: Final = {
    Leave: Answer("{bot} would leave it.", "Leave it"),
    Reveal: Answer("{bot} would reveal it.", "Reveal it"),
    START: Answer(
        "{bot} would put the {card} at the start.", "{card}, at the start", "start: {card}"
    ),
    END: Answer("{bot} would put the {card} at the end.", "{card}, at the end", "end: {card}"),
    Place: Answer(
        "{bot} would put the {card} on the stack at {position}.",
        "{card}, on stack {position}",
        "on {position}: {card}",
    ),
    Eliminate: Answer("{bot} would eliminate {card}.", ""),
    Steal: Answer("{bot} would steal from {player}.", ""),
    Copy: Answer("{bot} would copy {card}.", ""),
    Move: Answer(
        "{bot} would move {card} to {position}.", "{card}, to {position}", "to {position}: {card}"
    ),
}
"""The texts of each kind of answer, and of a card that is placed at an end."""


def percent(share: float) -> str:
    """Return a share as a whole percentage."""
    return _("{n}%", n=round(share * 100))


def close_call() -> str:
    """Return the sentence for two answers that are equally good."""
    return _("It is a close call.")


def _texts_of(action: Action, prompter: Prompter) -> tuple[Answer, dict[str, object]]:
    """Return the texts of an answer, and the values of their placeholders."""
    texts = _ANSWERS[type(action)]
    match action:
        case Place(card=card, spot=spot, position=position):
            if spot in (START, END):
                # In an empty Queue, start and end are the same place, so use one text for both.
                texts = _ANSWERS[spot if prompter.view.queue else END]
            return texts, {"card": card_name(card), "position": position}
        case Steal(family=family):
            return texts, {"player": prompter.who(prompter.view.seat_of(family))}
        case Move(position=position, destination=destination):
            return texts, {"card": prompter.at(position), "position": destination}
        case Eliminate(position=position) | Copy(position=position):
            return texts, {"card": prompter.at(position)}
    return texts, {}


def answer_sentence(who: str, action: Action, prompter: Prompter) -> str:
    """Return the sentence about the answer that the bot `who` would give at the prompter's view."""
    texts, values = _texts_of(action, prompter)
    return _(texts.would, bot=who, **values)


def answer_label(action: Action, prompter: Prompter, *, brief: bool = False) -> str:
    """Return an answer in a few words.

    With `brief`, it begins with the place, so that a cut end leaves the difference.
    """
    texts, values = _texts_of(action, prompter)
    label = (brief and texts.brief) or texts.label
    return _(label, **values) if label else " ".join(map(str, values.values()))


class JudgedAnswer(Struct, frozen=True):
    """An answer and its expected result."""

    token: str
    label: str
    """The name of the answer in a few words."""
    brief: str
    """A shorter name, which begins with the place."""
    share: float
    """The expected share of the victory after the answer."""
    best: bool
    given: bool
    """True for the given or chosen answer."""
    why: str
    """The answer's effect."""


def judged_answers(
    answers: Sequence[tuple[str, float]], given_token: str, prompter: Prompter, most: int
) -> Iterator[JudgedAnswer]:
    """Yield the answers, best first: at most `most` of them, but always the best and the given one.

    Args:
        answers: The tokens of the answers with their chances of victory, best first.
        given_token: The token of the given or chosen answer; "" for none.
        prompter: Describes the effects of the answers.
        most: Maximum number of answers that fit.
    """
    ranks = list(range(len(answers)))[: max(1, most)]
    tokens = [token for token, _share in answers]
    given = tokens.index(given_token) if given_token in tokens else None
    if given is not None and given not in ranks:
        ranks[max(1, most - 1) :] = [given]
    for rank in ranks:
        token, share = answers[rank]
        action = ACTIONS[token]
        effect = prompter.effect(action)
        why = effect[:1].upper() + effect[1:] + ("" if effect.endswith(".") else ".")
        if isinstance(action, Place):
            why = f"{why} {card_summary(action.card)}"
        label, brief = (answer_label(action, prompter, brief=each) for each in (False, True))
        yield JudgedAnswer(token, label, brief, share, not rank, rank == given, why)
