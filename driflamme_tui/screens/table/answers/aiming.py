"""Finds the place in the Queue where a click puts a card."""

from typing import Final

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.pending_question import Question, Step
from engine.actions import ACTIONS, END, ON, START, Action, Move, Place

EDGE: Final = 0.25
"""The fraction of an own stack's width where a click means the end of the Queue.

This part lies at the outer side of the first and of the last stack.
"""


def aimed_at(
    state: TableState, question: Question, index: int, across: float
) -> Place | Move | None:
    """Return the answer, legal or not, that puts a card at a stack.

    Returns None if no card is being placed or moved.

    Args:
        state: The moment of the table.
        question: The reader's question.
        index: The index of the stack, from 0; -1 for the space beyond all stacks.
        across: The place across the stack, from 0 at the side that resolves first to 1 at the
            other.
    """
    picked, view = question.picked, question.view
    action: Action | None = None
    if question.step is Step.SPOT and picked is not None:
        own = index >= 0 and view.queue[index][0] == view.viewer
        edge = EDGE if own else 0.5
        spot = f"{ON}{index + 1}"
        if index == 0 and across <= edge:
            spot = START
        elif index < 0 or (index == len(view.queue) - 1 and across >= 1 - edge):
            spot = END
        action = ACTIONS.get(f"{picked.card}{spot}")
    elif question.step is Step.DESTINATION and picked is not None:
        # Choose the gap on the nearer side. A moved card is drawn at its new place.
        _stacks, _at, moving = state.queue()
        gap = index if across < 0.5 else index + 1
        alone = question.choice is not None or view.queue[picked.position - 1][4] is None
        if index == moving and question.choice is not None:
            gap = moving
        elif alone and gap > moving:
            gap -= 1
        action = ACTIONS.get(f"{picked.position}>{gap + 1}")
    return action if isinstance(action, Place | Move) else None


def place_at(state: TableState, index: int, across: float) -> Place | Move | None:
    """Return the legal answer that a click at a stack chooses.

    Returns None if the click puts down no card, if that is illegal, or if no answer is possible
    now. `index` and `across` are those of `aimed_at`.
    """
    question = state.question if state.answerable else None
    action = None if question is None else aimed_at(state, question, index, across)
    return action if question is not None and action in question.legal else None
