"""What speaks for one way or the other, where the learner is free to choose."""

from typing import Final

from driflamme_tui.model.pending_question import Question, Step
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
}
"""What speaks for places of a card, by the card."""

_LAST_PLACED: Final = {
    SOLDIER: _PLACED[SOLDIER],
    LORD: N_(
        "The Lord gains more beside your own cards. On top of one of them it keeps that card from "
        "acting, and what lies on the card is lost."
    ),
}
"""What speaks for places in the last round, after which nothing is worth protecting."""

_ONLY_HEIR: Final = N_(
    "No other Heir is face up: revealed while that is so, yours gains 2. Near the start it acts "
    "before most others can hit it."
)
"""Advice on placing an Heir while no other is face up."""

_SECOND_HEIR: Final = N_(
    "While {green}'s Heir is face up, yours gains nothing when revealed. Left, it gathers 1 a "
    "round as well as any card."
)
"""Advice on placing an Heir while an opponent's is face up."""

_LAST_SECOND_HEIR: Final = N_(
    "While {green}'s Heir is face up, yours gains nothing when revealed, and what it gathers is "
    "lost now. Your other card may bring more."
)
"""Advice on that in the last round."""

_LAST_CARDS: Final = {
    frozenset((SOLDIER, HEIR)): N_(
        "A card placed now acts once at most. An Heir gains 2, if no other is face up; a Soldier "
        "gains 1, and may hit a card before it earns once more."
    ),
    frozenset((SOLDIER, LORD)): N_(
        "A card placed now acts once at most. A Lord gains 1, and 1 more for each of your cards "
        "beside it; a Soldier gains 1, and may hit a card before it earns once more."
    ),
    frozenset((HEIR, LORD)): N_(
        "A card placed now acts once at most. An Heir gains 2, if no other is face up; a Lord "
        "gains 1, and 1 more for each of your cards beside it."
    ),
}
"""Advice on which card to place in the last round, by the two cards in hand."""

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
"""Advice by the step of a question, where nothing else is more to the point."""

_LAST_REVEAL: Final = N_(
    "Last chance: what you leave is lost. Reveal: you take what lies on the card, and it acts. But "
    "if it would have to hit your own card, think twice."
)
"""Advice on leaving or revealing in the last round."""

_LAST_TARGET: Final = N_(
    "A card of the leader that has still to act, or to pay, is worth most now. A face-down card "
    "may be an Ambush."
)
"""Advice on what to hit in the last round."""


def advice(question: Question) -> str:
    """Return what to consider in answering a question, to be translated; "" if nothing special."""
    step, view = question.step, question.view
    is_last = view.round == ROUNDS
    if step is Step.SPOT and question.picked is not None:
        if question.picked.card == HEIR:
            if not _is_an_heir_face_up(question):
                return _ONLY_HEIR
            return _LAST_SECOND_HEIR if is_last else _SECOND_HEIR
        return (_LAST_PLACED if is_last else _PLACED).get(question.picked.card or "", "")
    if is_last and step is Step.CARD:
        return _LAST_CARDS.get(frozenset(view.hands[view.turn]), "")
    if is_last and step is Step.LEAVE_OR_REVEAL:
        return _LAST_REVEAL
    if is_last and step is Step.TARGET:
        return _LAST_TARGET
    return _STEPS.get(step, "")


def _is_an_heir_face_up(question: Question) -> bool:
    return any(card == HEIR and face_up for _seat, card, face_up, *_rest in question.view.queue)
