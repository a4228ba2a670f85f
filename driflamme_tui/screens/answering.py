"""How a player answers at the table: what keys and clicks do to the question being asked.

This half of the table's screen knows which widget was clicked but none of how the table looks;
`table.py` lays it out and draws it.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType

from driflamme_tui.i18n import _
from driflamme_tui.question import Question, Step
from driflamme_tui.screens.base import SessionScreen
from driflamme_tui.screens.overlays import EventsOverlay, KnownOverlay
from driflamme_tui.table_state import Cursor, TableState
from driflamme_tui.widgets.bars import Prompt, Seats
from driflamme_tui.widgets.hand import Hand
from driflamme_tui.widgets.panels import Events
from driflamme_tui.widgets.queue import Queue
from engine.actions import END, START
from engine.cards import CARDS, FAMILIES
from engine.position import PLACE, cards_in
from engine.view import View

GUARD_S: Final = 0.4
"""Enter and clicks do nothing for so long after a question appears: they were meant for what
stood there before."""

SECOND_CLICK_S: Final = 0.3
"""A second click on the choice confirms it, but not one that was half of a double click."""

DIGITS_S: Final = 0.6
"""Two digits within this time are one number."""

EDGE: Final = 0.25
"""The outer part of one's own stack at an end that, clicked, means the end and not the stack."""


def _keys() -> Iterator[BindingType]:
    yield Binding("left", "walk(-1)", show=False, id="table.left")
    yield Binding("right", "walk(1)", show=False, id="table.right")
    yield Binding("up", "depth(-1)", show=False, id="table.up")
    yield Binding("down", "depth(1)", show=False, id="table.down")
    yield Binding("tab", "look_on", show=False, id="table.look-on")
    yield Binding("home", "walk_to(0)", show=False, id="table.first")
    yield Binding("end", "walk_to(-1)", show=False, id="table.last")
    yield Binding("enter", "confirm", show=False, id="table.confirm")
    yield Binding("escape", "back", show=False, id="table.back")
    yield Binding("less_than_sign", "spot('<')", show=False, id="table.start")
    yield Binding("greater_than_sign", "spot('>')", show=False, id="table.end")
    yield Binding("circumflex_accent", "spot('^')", show=False, id="table.stack")
    yield Binding("plus", "answer('+')", show=False, id="table.leave")
    yield Binding("exclamation_mark", "answer('!')", show=False, id="table.reveal")
    for digit in "0123456789":
        yield Binding(digit, f"digit('{digit}')", show=False, id=f"table.digit-{digit}")
    for letter in f"{CARDS.lower()}{FAMILIES}":
        keys = f"{letter},{letter.upper()}"
        yield Binding(keys, f"letter('{letter}')", show=False, id=f"table.letter-{letter}")
    yield Binding("i", "look", show=False, id="table.look")
    yield Binding("k", "known", show=False, id="table.known")
    yield Binding("e", "events", show=False, id="table.events")
    yield Binding("question_mark,f1", "help", show=False, id="table.help")
    yield Binding("q", "leave", show=False, id="table.leave-table")


class AnsweringScreen(SessionScreen):
    """Turns keys and clicks into a choice, and a confirmed choice into an answer."""

    BINDINGS: ClassVar[list[BindingType]] = list(_keys())

    def __init__(self) -> None:
        super().__init__()
        self.question: Question | None = None
        """The reader's question, while they are asked."""
        self.cursor: Cursor | None = None
        """What is looked at."""
        self.looking = False
        """Whether the arrow keys move the look cursor instead of the choice."""
        self.notice = ""
        """Why the last key or click was refused, or nothing."""
        self._asked_at = 0.0
        self._chosen_at = 0.0
        self._digits: tuple[str, float] = ("", 0.0)

    def state(self) -> TableState | None:
        """Return the present moment of the table, or None before the first view."""
        raise TypeError("the table's screen says what it shows")

    def show(self) -> None:
        """Draw the present moment."""
        raise TypeError("the table's screen says how it is drawn")

    def ask(self, view: View) -> None:
        """Begin with a new view: ask its question, if it is the reader who is asked."""
        mine = view.viewer is not None and view.turn == view.viewer and not view.over
        self.question = Question(view) if mine else None
        self.notice = ""
        self._asked_at = self.app.clock()
        self._digits = ("", 0.0)
        if not self.looking:
            self.cursor = None

    # Keys

    def _ready(self) -> Question | None:
        """Return the question if an answer can be worked on: it is asked, and none is sent."""
        return self.question if self.app.session.pending is None else None

    def _guarded(self) -> bool:
        return self.app.clock() - self._asked_at < self.app.guard_s

    def _changed(self) -> None:
        self._chosen_at = self.app.clock()
        self.notice = ""
        if not self.looking:
            self.cursor = None
        self.show()

    def action_walk(self, by: int) -> None:
        """Choose the next option, screen-wise; or look at the next stack."""
        if self.looking:
            self._look_along(by)
            return
        question = self._ready()
        if question is None:
            return
        state = self.state()
        along_the_queue = question.step not in (Step.CARD, Step.LEAVE_OR_REVEAL)
        if state and state.mirrored and along_the_queue:
            by = -by
        question.walk(by)
        self._changed()

    def action_walk_to(self, index: int) -> None:
        """Choose the first option, or with -1 the last."""
        question = self._ready()
        if question is not None:
            question.choose(index if index >= 0 else len(question.options) - 1)
            self._changed()

    def action_depth(self, by: int) -> None:
        """Look a card further down a stack, or further up; otherwise choose like the side keys."""
        view = self.app.session.view
        if not self.looking or self.cursor is None or self.cursor.card or view is None:
            question = self._ready()
            if question is not None and question.step is Step.LEAVE_OR_REVEAL:
                self.action_walk(by)
            return
        deepest = len(cards_in(view.queue[self.cursor.index])) - 1
        self.cursor = Cursor(self.cursor.index, max(0, min(deepest, self.cursor.depth + by)))
        self.show()

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        view = self.app.session.view
        if view is None:
            return
        self.looking = not self.looking
        self.cursor = None
        if self.looking:
            hand = view.hands[view.viewer] if view.viewer is not None else ""
            if view.queue:
                self.cursor = Cursor(max(0, view.at))
            elif hand:
                self.cursor = Cursor(card=hand[0])
        self.show()

    def action_look_on(self) -> None:
        """While looking, go from the Queue to the hand and back."""
        view = self.app.session.view
        if not self.looking or view is None or view.viewer is None:
            return
        hand = view.hands[view.viewer]
        if self.cursor is not None and self.cursor.card and view.queue:
            self.cursor = Cursor(0)
        elif hand:
            self.cursor = Cursor(card=hand[0])
        self.show()

    def _look_along(self, by: int) -> None:
        state, cursor = self.state(), self.cursor
        if state is None or cursor is None:
            return
        view = state.view
        if cursor.card and view.viewer is not None:
            hand = view.hands[view.viewer]
            self.cursor = Cursor(card=hand[(hand.index(cursor.card) + by) % len(hand)])
        elif view.queue:
            by = -by if state.mirrored else by
            self.cursor = Cursor((cursor.index + by) % len(view.queue))
        self.show()

    def action_confirm(self) -> None:
        """Confirm the present choice; with none, choose the first option."""
        question = self._ready()
        view = self.app.session.view
        if view is not None and view.over:
            self.app.show_result()
        elif self.looking:
            self.action_look()
        elif question is not None and not self._guarded():
            action = question.confirm()
            if action is not None:
                self.app.answer(action)
            self._changed()

    def action_back(self) -> None:
        """Stop looking, or drop the present choice."""
        if self.looking:
            self.action_look()
            return
        question = self._ready()
        if question is not None and question.back():
            self._changed()

    def action_spot(self, spot: str) -> None:
        """Choose the start, the end or an own stack for the card being placed."""
        question = self._ready()
        if question is None or question.view.asked != PLACE:
            return
        if question.step is Step.CARD:
            if question.choice is None:
                self._refuse(_("Choose a card first."))
                return
            question.confirm()
        if question.choose_spot(spot) or (spot == START and question.choose_spot(END)):
            self._changed()
        else:
            self._refuse(_("You stack only on your own top card."))

    def action_answer(self, token: str) -> None:
        """Choose to leave or to reveal."""
        question = self._ready()
        if question is not None and question.choose_action(token):
            self._changed()

    def action_digit(self, digit: str) -> None:
        """Choose what stands at a position; two quick digits are one number."""
        question = self._ready()
        view = self.app.session.view
        if view is None or (question is None and not self.looking):
            return
        before, then = self._digits
        now = self.app.clock()
        number = f"{before}{digit}" if now - then < DIGITS_S else digit
        if int(number) > len(view.queue) + 1:
            number = digit
        self._digits = (number, now)
        position = int(number)
        if self.looking:
            if 1 <= position <= len(view.queue):
                self.cursor = Cursor(position - 1)
                self.show()
        elif position:
            self._choose_position(position)

    def action_letter(self, letter: str) -> None:
        """Choose a card of the hand or a player."""
        question = self._ready()
        if question is None:
            return
        if question.step is Step.PLAYER:
            if letter in question.view.families:
                self._choose_family(letter)
        elif question.choose_card(letter.upper()):
            self._changed()
        elif question.view.asked == PLACE and letter.upper() in CARDS:
            self._refuse(_("You do not have that card in hand."))

    def action_known(self) -> None:
        """Show what is publicly known of every card."""
        state = self.state()
        if state is not None:
            self.app.push_screen(KnownOverlay(state))

    def action_events(self) -> None:
        """Show all events of the game."""
        state = self.state()
        if state is not None:
            self.app.push_screen(EventsOverlay(state))

    def action_noop(self) -> None:
        """Do nothing: the key bar only tells of these keys."""

    # Clicks

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
        if question.step is Step.SPOT:
            self._spot_pressed(question, message.index, message.across)
        elif question.step is Step.DESTINATION:
            self._destination_pressed(question, message.index, message.across)
        elif question.step is Step.PLAYER:
            view = question.view
            self._choose_family(view.families[view.queue[message.index][0]], click=True)
        else:
            self._choose_position(message.index + 1, click=True)

    def _spot_pressed(self, question: Question, index: int, across: float) -> None:
        view = question.view
        last = len(view.queue) - 1
        own = index >= 0 and view.queue[index][0] == view.viewer
        edge = EDGE if own else 0.5
        if index < 0:
            self._pressed(lambda: question.choose_spot(END))
        elif index == 0 and across <= edge:
            self._pressed(lambda: question.choose_spot(START))
        elif index == last and across >= 1 - edge:
            self._pressed(lambda: question.choose_spot(END))
        else:
            self._choose_position(index + 1, click=True)

    def _destination_pressed(self, question: Question, index: int, across: float) -> None:
        """A click between two stacks, at the nearer half of either, is the gap between them."""
        state = self.state()
        if state is None:
            return
        _stacks, _at, carried = state.queue()
        lifted = question.picked.position - 1 if question.picked else -1
        alone = question.choice is not None or question.view.queue[lifted][4] is None
        if index == carried and question.choice is not None:
            self._pressed(lambda: question.choose_position(carried + 1))
            return
        gap = index if across < 0.5 else index + 1
        destination = gap if not alone or gap <= carried else gap - 1
        self._choose_position(destination + 1, click=True)

    @on(Queue.Hovered)
    def _queue_hovered(self, message: Queue.Hovered) -> None:
        if not self.looking:
            self.cursor = Cursor(message.index) if message.index >= 0 else None
            self.show()

    @on(Hand.Hovered)
    def _hand_hovered(self, message: Hand.Hovered) -> None:
        if not self.looking:
            self.cursor = Cursor(card=message.card) if message.card else None
            self.show()

    @on(Hand.Pressed)
    def _hand_pressed(self, message: Hand.Pressed) -> None:
        question = self._ready()
        if question is None or question.view.asked != PLACE:
            self.cursor = Cursor(card=message.card)
            self.show()
        elif not self._guarded():
            if question.step is Step.SPOT and question.picked:
                if question.picked.card != message.card:
                    question.choose_card(message.card)
                    question.confirm()
                    self._changed()
                return
            question.choose_card(message.card)
            question.confirm()
            self._changed()

    @on(Seats.Pressed)
    def _seat_pressed(self, message: Seats.Pressed) -> None:
        question = self._ready()
        if question is not None and question.step is Step.PLAYER and not self._guarded():
            self._choose_family(message.family, click=True)

    @on(Prompt.OptionPressed)
    def _option_pressed(self, message: Prompt.OptionPressed) -> None:
        question = self._ready()
        if question is not None and not self._guarded():
            self._pressed(lambda: question.choose_action(message.token))

    @on(Prompt.Confirmed)
    def _prompt_confirmed(self) -> None:
        question = self._ready()
        if question is None or question.choice is not None:
            self.action_confirm()

    @on(Events.Pressed)
    def _events_pressed(self) -> None:
        self.action_events()

    # Choosing

    def _pressed(self, choose: Callable[[], bool]) -> bool:
        """Choose by a click; a second click on the same choice, a little later, confirms it."""
        question = self._ready()
        if question is None:
            return False
        before = question.chosen
        if not choose():
            return False
        again = before is not None and question.chosen == before
        if again and self.app.clock() - self._chosen_at >= self.app.second_click_s:
            self.action_confirm()
        elif not again:
            self._changed()
        return True

    def _choose_position(self, position: int, *, click: bool = False) -> None:
        question = self._ready()
        if question is None:
            return
        if click:
            chosen = self._pressed(lambda: question.choose_position(position))
        else:
            chosen = question.choose_position(position)
            if chosen:
                self._changed()
        if not chosen:
            refusal = question.refusal_at(position) if self._exists(question, position) else None
            if refusal is not None:
                self._refuse(refusal.sentence(_))
            elif question.step is Step.PLAYER and self._exists(question, position):
                view = question.view
                self._choose_family(view.families[view.queue[position - 1][0]], click=click)

    def _choose_family(self, family: str, *, click: bool = False) -> None:
        question = self._ready()
        if question is None:
            return
        if click:
            chosen = self._pressed(lambda: question.choose_family(family))
        else:
            chosen = question.choose_family(family)
            if chosen:
                self._changed()
        if not chosen:
            refusal = question.refusal_of(family)
            if refusal is not None:
                self._refuse(refusal.sentence(_))

    def _refuse(self, sentence: str) -> None:
        self.notice = sentence
        self.show()

    def _exists(self, question: Question, position: int) -> bool:
        return 1 <= position <= len(question.view.queue)
