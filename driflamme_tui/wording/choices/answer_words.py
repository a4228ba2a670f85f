"""What a bot would answer, in a sentence: for hints, and for the teacher of a replay.

It says what, and not why, nor what that would be worth: those who ask say that themselves.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

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

if TYPE_CHECKING:
    from driflamme_tui.wording.choices.prompts import Prompter

CLOSE: Final = 0.015
"""The difference between two shares below which it may be chance, and no reason would be one."""


def percent(share: float) -> str:
    """Return a share, rounded to whole parts of a hundred."""
    return _("{n}%").format(n=round(share * 100))


def close_call() -> str:
    """Return that it makes no difference which of two answers is given."""
    return _("It is a close call.")


def answer_sentence(who: str, action: Action, prompter: "Prompter") -> str:
    """Return what a bot that is called so would do at the prompter's view."""
    view = prompter.view
    match action:
        case Leave():
            return _("{bot} would leave it.").format(bot=who)
        case Reveal():
            return _("{bot} would reveal it.").format(bot=who)
        case Place(card=card, spot=spot) if spot == START and view.queue:
            text = _("{bot} would put the {card} at the start.")
            return text.format(bot=who, card=card_name(card))
        case Place(card=card, spot=spot) if spot in (START, END):
            text = _("{bot} would put the {card} at the end.")
            return text.format(bot=who, card=card_name(card))
        case Place(card=card, position=position):
            text = _("{bot} would put the {card} on the stack at {position}.")
            return text.format(bot=who, card=card_name(card), position=position)
        case Eliminate(position=position):
            text = _("{bot} would eliminate {card}.")
            return text.format(bot=who, card=prompter.at(position))
        case Steal(family=family):
            text = _("{bot} would steal from {name}.")
            return text.format(bot=who, name=prompter.who(view.seat_of(family)))
        case Copy(position=position):
            return _("{bot} would copy {card}.").format(bot=who, card=prompter.at(position))
        case Move(position=position, destination=destination):
            text = _("{bot} would move {card} to {position}.")
            return text.format(bot=who, card=prompter.at(position), position=destination)
    raise TypeError(f"{action} is no answer")


class Judged(Struct, frozen=True):
    """An answer, and what it promises."""

    token: str
    label: str
    """The answer in few words."""
    share: float
    """The part of the victory to expect of it."""
    best: bool
    given: bool
    """Whether it was given, or is chosen."""
    why: str
    """What it would do."""


def judged(
    answers: Sequence[tuple[str, float]], given_token: str, prompter: Prompter, most: int
) -> Iterator[Judged]:
    """Yield the answers, the best first; of many so many, the one that is set apart among them.

    Args:
        answers: Their tokens and what they promise, the best first.
        given_token: The one that was given, or is chosen; "" for none.
        prompter: Says what they would do.
        most: How many there is room for.
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
        yield Judged(token, answer_label(action, prompter), share, not rank, rank == given, why)


def answer_label(action: Action, prompter: Prompter) -> str:
    """Return an answer in few words."""
    match action:
        case Place(card=card, spot=spot) if spot == START and prompter.view.queue:
            return _("{card}, at the start").format(card=card_name(card))
        case Place(card=card, spot=spot) if spot in (START, END):
            return _("{card}, at the end").format(card=card_name(card))
        case Place(card=card, position=position):
            return _("{card}, on stack {n}").format(card=card_name(card), n=position)
        case Move(position=position, destination=destination):
            return _("{card}, to {n}").format(card=prompter.at(position), n=destination)
        case Steal(family=family):
            return prompter.who(prompter.view.seat_of(family))
        case Eliminate(position=position) | Copy(position=position):
            return prompter.at(position)
    return _("Leave it") if isinstance(action, Leave) else _("Reveal it")
