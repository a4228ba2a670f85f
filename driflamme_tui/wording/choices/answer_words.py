"""What a bot would answer, in a sentence: for hints, and for the teacher of a replay.

It says what, and not why, nor what that would be worth: those who ask say that themselves.
"""

from typing import TYPE_CHECKING, Final

from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from engine.actions import END, START, Action, Copy, Eliminate, Leave, Move, Place, Reveal, Steal

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
