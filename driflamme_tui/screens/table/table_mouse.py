"""How a player answers by mouse: what clicks on the table's widgets do to the question.

This part of the table's screen knows which widget was clicked but none of how the table looks.
"""

from typing import Final

from textual import on

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.screens.table.table_answers import TableAnswers
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from engine.actions import ACTIONS, END, ON, START, Action, Move, Place
from engine.position import PLACE

EDGE: Final = 0.25
"""The outer part of one's own stack at an end that, clicked, means the end and not the stack."""


class TableMouse(TableAnswers):
    """Turns clicks into a choice, as keys do."""

    @on(Queue.Pressed)
    def _queue_pressed(self, message: Queue.Pressed) -> None:
        question = self._ready()
        if question is None or question.step in (Step.CARD, Step.LEAVE_OR_REVEAL):
            if message.index >= 0:
                self.cursor = Cursor(message.index)
                self.show()
            return
        if self._guarded():
            return
        position = message.index + 1
        if question.step is Step.SPOT:
            spot = _spot_at(question, message.index, message.across)
            if spot in (START, END):
                self._choose(lambda asked: asked.choose_spot(spot), click=True)
                return
        elif question.step is Step.DESTINATION:
            position = _destination_at(self.state(), question, message.index, message.across)
        self._choose_position(position, click=True)

    @on(Queue.Hovered)
    def _queue_hovered(self, message: Queue.Hovered) -> None:
        state, index = self.state(), message.index
        cursor = Cursor(index) if index >= 0 else None
        if state.answerable and state.question is not None and index >= 0:
            place = _place_at(state, state.question, index, message.across)
            cursor = Cursor(index, place=place) if place is not None else cursor
        self.point_at(cursor)

    @on(Hand.Pressed)
    def _hand_pressed(self, message: Hand.Pressed) -> None:
        question = self._ready()
        if question is None or question.view.asked != PLACE:
            self.cursor = Cursor(card=message.card)
            self.show()
        elif not self._guarded():
            placing = question.picked if question.step is Step.SPOT else None
            if placing is None or placing.card != message.card:
                question.choose_card(message.card)
                question.confirm()
                self._changed()

    @on(Seats.Pressed)
    def _seat_pressed(self, message: Seats.Pressed) -> None:
        asked = self.question is not None and self.question.step is Step.PLAYER
        if not asked:
            self.cursor = Cursor(seat=self.view.families.index(message.family))
            self.show()
        elif self._ready() is not None and not self._guarded():
            self._choose_family(message.family, click=True)

    @on(Prompt.OptionPressed)
    def _option_pressed(self, message: Prompt.OptionPressed) -> None:
        if not self._guarded():
            self._choose(lambda asked: asked.choose_action(message.token), click=True)

    @on(Prompt.Confirmed)
    def _prompt_confirmed(self) -> None:
        if self.question is None or self.question.choice is not None or self.stood_in():
            self.action_confirm()


def _spot_at(question: Question, index: int, across: float) -> str:
    """Return where a card goes that is put down at a stack: an end of the Queue, or onto it."""
    view = question.view
    own = index >= 0 and view.queue[index][0] == view.viewer
    edge = EDGE if own else 0.5
    if index < 0:
        return END
    if index == 0 and across <= edge:
        return START
    return END if index == len(view.queue) - 1 and across >= 1 - edge else ON


def _destination_at(state: TableState, question: Question, index: int, across: float) -> int:
    """Return the position of a card that is put down at a stack: a gap, at its nearer half."""
    _stacks, _at, carried = state.queue()
    lifted = question.picked.position - 1 if question.picked else -1
    alone = question.choice is not None or question.view.queue[lifted][4] is None
    if index == carried and question.choice is not None:
        return carried + 1
    gap = index if across < 0.5 else index + 1
    return (gap if not alone or gap <= carried else gap - 1) + 1


def _place_at(
    state: TableState, question: Question, index: int, across: float
) -> Place | Move | None:
    """Return the legal answer that a click at a stack would choose, if it puts a card down."""
    action: Action | None = None
    if question.step is Step.SPOT and question.picked and question.picked.card:
        spot = _spot_at(question, index, across)
        position = index + 1 if spot == ON else ""
        action = ACTIONS.get(f"{question.picked.card}{spot}{position}")
    elif question.step is Step.DESTINATION and question.picked:
        position = _destination_at(state, question, index, across)
        action = ACTIONS.get(f"{question.picked.position}>{position}")
    legal = isinstance(action, Place | Move) and action in question.legal
    return action if legal and isinstance(action, Place | Move) else None
