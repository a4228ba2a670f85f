"""Decides which hand a reader with two families sees."""

from driflamme_tui.model.pending_question import Question
from engine.cards import Seat
from engine.position import PLACE
from engine.views import View


class Hands:
    """The hands of a reader, one of which is shown."""

    def __init__(self) -> None:
        self.shown: Seat | None = None
        """The seat whose hand is shown; None for a reader without a second family."""

    def of(self, view: View) -> Seat | None:
        """Return the seat whose hand is shown; None for a spectator."""
        return view.viewer if self.shown is None else self.shown

    def update(self, view: View, question: Question | None) -> None:
        """Show the hand that a new view is about.

        During the resolution the hand changes only when the other family must answer.
        """
        if not view.viewers[1:]:
            self.shown = None
        elif question is not None or view.question == PLACE or self.shown not in view.viewers:
            self.shown = view.viewer

    def show_of(self, question: Question | None) -> None:
        """If the reader has two families, show the hand of the question, if there is a question."""
        if self.shown is not None and question is not None:
            self.shown = question.view.turn

    def has_other(self, view: View) -> bool:
        """Return True if the reader has another hand to show. After the game, return False."""
        return len(view.viewers) > 1 and not view.over

    def show_other(self, view: View) -> None:
        """Show the hand of the reader's other family."""
        self.shown = next(seat for seat in view.viewers if seat != self.shown)

    def is_of(self, seat: Seat) -> bool:
        """Return True if the hand of a seat is shown, or if the reader has no second family."""
        return self.shown in (None, seat)
