"""What speaks for one way or the other, where the learner is free to choose."""

from typing import Final

from driflamme_tui.question import Question, Step
from engine.cards import HEIR, LORD, ROUNDS, SOLDIER
from engine.words import N_

_PLACED: Final = {
    SOLDIER: N_(
        "The Soldier belongs beside something worth hitting. At an end it has one neighbour and "
        "no choice; and an Archer may be aiming at the ends."
    ),
    LORD: N_(
        "The Lord gains more beside your own cards, but then a Soldier finds both. On top of your "
        "own card it covers that."
    ),
    HEIR: N_(
        "While {green}’s Heir is face up, yours gains nothing when revealed. Left, it gathers 1 a "
        "round as well as any card."
    ),
}

_STEPS: Final = {
    Step.CARD: N_(
        "A Soldier hits, a Lord gains beside its own, an Heir gains 2 if it is the only one. Early "
        "is good for what gathers, late for surprises. The last card stays in hand."
    ),
    Step.LEAVE_OR_REVEAL: N_(
        "Leave: 1 more on the card, if nothing hits it before the next round. Reveal: what lies "
        "on it is safe, it acts now, and everybody knows it."
    ),
    Step.TARGET: N_(
        "A face-up card of the leader earns again and again. A face-down card may hold a bank, or "
        "be an Ambush."
    ),
    Step.PLAYER: N_("1 less for the leader is worth most. From an empty pool you get nothing."),
    Step.COPIED: N_("Count what each would bring from where your Shapeshifter stands."),
}

_LAST_REVEAL: Final = N_(
    "Last chance: what you leave is lost. Reveal: you take what lies on the card, and it acts. But "
    "if it would have to hit your own card, think twice."
)


def advice(question: Question) -> str:
    """Return what to consider in answering a question, to be translated; "" if nothing special."""
    step = question.step
    if step is Step.SPOT and question.picked is not None:
        return _PLACED.get(question.picked.card or "", "")
    if step is Step.LEAVE_OR_REVEAL and question.view.round == ROUNDS:
        return _LAST_REVEAL
    return _STEPS.get(step, "")


def all_advice() -> tuple[str, ...]:
    """Return every piece of it."""
    return (*_PLACED.values(), *_STEPS.values(), _LAST_REVEAL)
