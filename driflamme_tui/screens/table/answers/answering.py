"""Applies keys and clicks to the present question of a player.

`Answering` is a plain object without widgets. Its screen passes keys and clicks to it, and redraws
afterwards. This module draws nothing and checks no rule.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.screens.table.answers.aiming import aimed_at, place_at
from driflamme_tui.screens.table.answers.hands import Hands
from driflamme_tui.screens.table.answers.looking import Looking, zones_of
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.program.people_words import paused_sentence
from engine.actions import END, ON, START, Action
from engine.cards import CARDS, ROYAL_DECREE
from engine.legal import Refusal, why_not
from engine.position import PLACE
from engine.views import View
from netcode.protocol.messages import Here

DIGITS_S: Final = 0.6
"""Seconds within which two digits make one number."""


class Answering:
    """The question, the player's choices so far, and the reason why the last key had no effect."""

    def __init__(
        self,
        player_seat: PlayerSeat,
        terminal: Terminal,
        prompter: Callable[[], Prompter],
        answer: Callable[[Action], None],
        why_not: Callable[[], str] = str,
        chosen: Callable[[], object] = lambda: None,
    ) -> None:
        """Start without a question.

        Args:
            player_seat: The reader's seat at the table.
            terminal: Has the time, and the delay before a new question accepts answers.
            prompter: Returns the object that words refusals.
            answer: Receives each confirmed answer.
            why_not: Returns the reason why no answer is possible now; "" if one is possible.
            chosen: Is called after each change of the reader's choice.
        """
        self.question: Question | None = None
        """The reader's question; None while it is not their turn."""
        self.look = Looking(lambda: zones_of(self.view, self.hands.of(self.view)))
        """The card or player that the reader looks at."""
        self.notice = ""
        """A sentence about the last key or click, mostly a refusal; "" for none."""
        self.hands = Hands()
        """The hands of a reader with two families."""
        self.taking_back = False
        """True if the reader has asked for their seat back from a bot, and has not answered
        since.
        """
        self.stood_for = ""
        """The sentence stating that a bot has decided for the reader; "" once the reader has chosen
        something.
        """
        self._sitting = player_seat
        self._terminal, self._prompter, self._answer = terminal, prompter, answer
        self._why_not, self._chosen = why_not, chosen
        # Stored at once: the session may change before the screen first asks for its view.
        self._view: View | None = player_seat.session.view
        self._question_at = self._chosen_at = 0.0
        self._digits = ("", 0.0)

    @property
    def view(self) -> View:
        """The latest view of the game. A table screen opens only after the first view."""
        self._view = self._sitting.session.view or self._view
        assert self._view is not None
        return self._view

    @property
    def mirrored(self) -> bool:
        """True if the Queue is drawn from right to left."""
        return self._sitting.lobby.settings.direction == "left"

    def ask(self, question: Question | None) -> None:
        """Use a new view. `question` is None unless the reader must answer."""
        self.hands.update(self.view, question)
        self.question = question
        self.notice = ""
        self._digits = ("", 0.0)
        self.guard()
        self.look.point(None)

    def guard(self) -> None:
        """Accept no confirmation for a moment. Call this when the contents have changed."""
        self._question_at = self._terminal.clock()

    @property
    def guarded(self) -> bool:
        """True if keys and clicks were probably meant for the contents before the last change."""
        return self._terminal.clock() - self._question_at < self._terminal.guard_s

    # Conditions for an answer

    @property
    def stood_in(self) -> bool:
        """True if a bot plays for the reader, who is present."""
        own = self._sitting.lobby.your_seat
        return own is not None and own.bot is None and own.away == "bot"

    @property
    def stopped(self) -> bool:
        """True if nobody can answer: the connection is lost, or the host has paused the game."""
        return self._sitting.lost is not None or self._sitting.lobby.paused

    @property
    def frozen(self) -> bool:
        """True if no answer can be chosen: nobody can answer, or an answer is being sent."""
        return self.stopped or self._sitting.session.pending is not None

    @property
    def answerable(self) -> Question | None:
        """The question, if the reader can choose an answer now; otherwise None."""
        return None if self.frozen or self.stood_in or self._why_not() else self.question

    @property
    def prepared(self) -> Action | None:
        """The whole answer that the reader has chosen but not confirmed.

        None if the choice is no whole answer, or if the reader cannot answer now.
        """
        question = self.answerable
        choice = None if question is None else question.choice
        return None if choice is None else choice.action

    @property
    def replaced(self) -> bool:
        """True if a bot plays for the reader, who can take the seat back now."""
        return self.stood_in and not self.stopped and not self.taking_back

    def ready(self) -> Question | None:
        """Return the question if the reader can choose an answer now; otherwise None.

        If the table, the connection or a pause prevents answers, set the notice to the reason. If a
        bot plays the reader's seat, request the seat back. While an answer is being sent, only
        return None.
        """
        if self.question is not None and (why := self._why_not()):
            self.notice = why
            return None
        if self._refuse_if_stopped():
            return None
        return self.question if self._sitting.session.pending is None else None

    def _refuse_if_stopped(self) -> bool:
        """Return True if the reader is asked, but cannot answer now.

        Then set the notice to the reason. If a bot plays the reader's seat, request the seat back
        once.
        """
        lobby = self._sitting.lobby
        if lobby.phase != "playing" or lobby.you is None:
            return False
        if self.question is None and not self.stood_in:
            return False
        if self._sitting.lost is not None:
            self.notice = _("The connection is lost: you can answer once it is back.")
        elif lobby.paused:
            self.notice = paused_sentence(is_host=lobby.host)
        elif not self.stood_in:
            return False
        elif not self.taking_back:
            self.taking_back = True
            self._sitting.send(Here())
        return True

    # Effects of keys

    @property
    def may_walk(self) -> bool:
        """True if there are options or cards to move through."""
        return self.look.on or self.answerable is not None

    @property
    def may_go_down(self) -> bool:
        """True if the keys up and down choose something."""
        return self.look.on or self.can_reveal

    @property
    def may_go_back(self) -> bool:
        """True if there is a choice to drop, or if the reader is looking at cards."""
        question = self.answerable
        return self.look.on or (question is not None and question.is_begun)

    @property
    def may_stack(self) -> bool:
        """True if the card can be put on a stack."""
        return self.answerable is not None and self.answerable.can_stack

    @property
    def may_choose_end(self) -> bool:
        """True if the card can be put at an end of the Queue."""
        return self.answerable is not None and self.answerable.can_choose_end

    @property
    def can_reveal(self) -> bool:
        """True if the question is whether to leave or reveal a card."""
        question = self.answerable
        return question is not None and question.step is Step.LEAVE_OR_REVEAL

    @property
    def has_other_hand(self) -> bool:
        """True if the reader has the hands of two families, and the game is not over."""
        return self.hands.has_other(self.view)

    @property
    def may_look_on(self) -> bool:
        """True for a player who can look at a further zone, or at another hand."""
        return (self.look.on or self.has_other_hand) and self.view.viewer is not None

    # Keys

    def walk(self, by: int) -> None:
        """Choose the option `by` places further on the screen.

        While looking, look at the card `by` places further.
        """
        if self.look.on:
            self.look.along(by, mirrored=self.mirrored)
        elif (question := self.ready()) is not None:
            along_the_queue = question.step not in (Step.CARD, Step.LEAVE_OR_REVEAL)
            question.walk(-by if along_the_queue and self.mirrored else by)
            self.changed()

    def walk_to(self, index: int) -> None:
        """Choose the first option, or with -1 the last.

        While looking, look at the first or last card.
        """
        if self.look.on and self.look.cursor is not None:
            self.look.edge(index)
        elif (question := self.ready()) is not None:
            question.choose(index if index >= 0 else len(question.options) - 1)
            self.changed()

    def depth(self, by: int) -> None:
        """While looking at a stack, look `by` cards deeper, or higher if `by` is negative.

        Otherwise, at the question to leave or reveal a card, go forward by `by` options, or back if
        `by` is negative. At other questions, do nothing.
        """
        if self.look.on and self.look.cursor is not None and self.look.cursor.index >= 0:
            self.look.depth(by, self.view)
        elif (question := self.ready()) is not None and question.step is Step.LEAVE_OR_REVEAL:
            self.walk(by)

    def toggle_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        self.look.toggle(self.view)

    def other_hand(self) -> None:
        """Show the hand of the reader's other family, if any, and stop looking at a card."""
        if not self.has_other_hand:
            return
        self.hands.show_other(self.view)
        if self.look.cursor is not None and self.look.cursor.card:
            self.look.cursor, self.look.on = None, False

    def confirm(self) -> None:
        """Confirm the present choice; without one, choose the first option.

        While looking, stop looking. Just after a change of the contents, do nothing.
        """
        if self.look.on:
            self.toggle_look()
        elif (question := self.ready()) is not None and not self.guarded:
            action = question.confirm()
            if action is not None:
                self._answer(action)
            self.changed()

    def back(self) -> None:
        """Stop looking, or drop the present choice."""
        if self.look.on:
            self.toggle_look()
        elif self.question is not None and not self.frozen and self.question.back():
            self.changed()

    def side(self, side: str) -> None:
        """Choose an end of the Queue for the card that is placed or moved.

        `side` is `START` for the left end on the screen, and `END` for the right one.
        """
        if self.mirrored:
            side = {START: END, END: START}[side]
        self.spot(side)

    def spot(self, spot: str) -> None:
        """Choose the start, the end or an own stack for the card that is placed or moved.

        If no card is chosen yet, or the reader has no stack for the card, set the notice to the
        reason. For other questions, do nothing.
        """
        question = self.ready()
        if question is None or question.view.question not in (PLACE, ROYAL_DECREE):
            return
        if question.step in (Step.CARD, Step.LIFTED):
            if question.choice is None:
                self.notice = _("Choose a card first.")
                return
            question.confirm()
        if question.step is Step.DESTINATION:
            if spot != ON:
                self._choose_position(1 if spot == START else question.places)
        elif question.choose_spot(spot) or (spot == START and question.choose_spot(END)):
            self.changed()
        else:
            self.notice = _("You can stack only on your own top card.")

    def choose_action(self, token: str, *, click: bool = False) -> None:
        """Choose an option of the present step by its action's token, such as to leave or reveal.

        With `click`, a second click on the same option confirms it, unless it is a double click.
        """
        self._choose(lambda pending: pending.choose_action(token), click=click)

    def digit(self, digit: str) -> None:
        """Choose a position for a card; while looking, move the cursor to the stack there.

        Two digits in quick succession form one number.
        """
        if not self.look.on and self.ready() is None:
            return
        stacks = len(self.view.queue)
        before, then = self._digits
        now = self._terminal.clock()
        number = f"{before}{digit}" if now - then < DIGITS_S else digit
        if int(number) > stacks + 1:
            number = digit
        self._digits = (number, now)
        position = int(number)
        if self.look.on:
            if 1 <= position <= stacks:
                self.look.cursor = Cursor(position - 1)
        elif position:
            self._choose_position(position)

    def letter(self, letter: str) -> None:
        """Choose a card or a player by letter, if the reader can answer now.

        If a card to place is not in the hand, set the notice to this reason.
        """
        question = self.ready()
        if question is None:
            return
        if question.step is Step.PLAYER:
            if letter in question.view.families:
                self._choose_family(letter)
        elif question.choose_card(letter.upper()):
            self.changed()
        elif question.view.question == PLACE and letter.upper() in CARDS:
            self.notice = _("You do not have that card in hand.")

    def choose_of(self, question: Question, index: int) -> None:
        """Choose an option from a list, if the list was made for the present question."""
        if question is self.ready():
            question.choose(index)
            self.changed()

    # Clicks

    def hover(self, state: Callable[[], TableState], cursor: Cursor | None, across: float) -> bool:
        """Look at the thing under the pointer; return True if it has changed.

        Args:
            state: Returns the present moment.
            cursor: The thing under the pointer. None for nothing; a cursor without values beside an
                empty Queue.
            across: The pointer's place across the thing, as a fraction of its width.
        """
        if cursor is not None and cursor.index >= 0:
            cursor = replace(cursor, place=place_at(state(), cursor.index, across))
        elif cursor == Cursor():
            cursor = None
        is_new = cursor != self.look.cursor
        if is_new:
            self.look.point(cursor)
        return is_new

    def click(self, state: TableState, cursor: Cursor, across: float) -> None:
        """Choose the clicked card or stack, or look at it.

        If the shown hand is not the hand that must answer, a click on its cards has no effect.
        """
        if not cursor.card:
            self._click_stack(state, cursor.index, across)
        elif self.hands.is_of(self.view.turn):
            self._click_card(cursor.card)

    def _click_stack(self, state: TableState, index: int, across: float) -> None:
        """Choose a stack or a gap beside it. At a question about neither, look at the stack.

        Index -1 is beyond all stacks. Just after a change of the contents, choose nothing.
        """
        question = self.ready()
        if question is None or question.step in (Step.CARD, Step.LEAVE_OR_REVEAL):
            if index >= 0:
                self.look.cursor = Cursor(index)
            return
        if self.guarded:
            return
        aimed = aimed_at(state, question, index, across)
        if aimed is None:
            self._choose_position(index + 1, click=True)
        else:
            self._choose(
                lambda pending: pending.choose_action(str(aimed)),
                lambda pending: why_not(pending.view, aimed),
                click=True,
            )

    def _click_card(self, card: str) -> None:
        """Pick a card of the hand to place. If no card can be placed now, look at this card.

        Just after a change of the contents, pick no card.
        """
        question = self.ready()
        if question is None or question.view.question != PLACE:
            self.look.cursor = Cursor(card=card)
        elif not self.guarded:
            placing = question.picked if question.step is Step.SPOT else None
            if placing is None or placing.card != card:
                question.choose_card(card)
                question.confirm()
                self.changed()

    def click_player(self, family: str) -> None:
        """Choose the player of a family. If the question is another one, look at this player."""
        if self.question is None or self.question.step is not Step.PLAYER:
            self.look.cursor = Cursor(seat=self.view.families.index(family))
        elif self.ready() is not None and not self.guarded:
            self._choose_family(family, click=True)

    def click_answer(self, token: str) -> None:
        """Choose an answer by its token, together with its card.

        Just after a change of the contents, do nothing.
        """
        if not self.guarded:
            self._choose(lambda pending: pending.choose_answer(token), click=True)

    # Choosing

    def changed(self) -> None:
        """Report a change of the choice. Clear the notice, and show the hand of the question.

        Outside the looking mode, look at nothing.
        """
        self._chosen_at = self._terminal.clock()
        self.hands.show_of(self.question)
        self.notice = self.stood_for = ""
        self._chosen()
        self.look.point(None)

    def _choose(
        self,
        choose: Callable[[Question], bool],
        refusal: Callable[[Question], Refusal | None] = lambda _pending: None,
        *,
        click: bool = False,
    ) -> None:
        """Choose something if the reader can answer now.

        If it is illegal, set the notice to the reason. A second click on the same choice, a little
        later, confirms it.
        """
        question = self.ready()
        if question is None:
            return
        before = question.choice
        if not choose(question):
            refused = refusal(question)
            self.notice = self.notice if refused is None else self._prompter().why_not(refused)
        elif not click or before is None or question.choice != before:
            self.changed()
        elif self._terminal.clock() - self._chosen_at >= self._terminal.second_click_s:
            self.confirm()

    def _choose_position(self, position: int, *, click: bool = False) -> None:
        def refusal(question: Question) -> Refusal | None:
            there = 1 <= position <= len(question.view.queue)
            refused = question.refusal_at(position) if there else None
            if refused is not None:
                self.look.point(Cursor(position - 1))
            return refused

        self._choose(lambda pending: pending.choose_position(position), refusal, click=click)

    def _choose_family(self, family: str, *, click: bool = False) -> None:
        self._choose(
            lambda pending: pending.choose_family(family),
            lambda pending: pending.refusal_of(family),
            click=click,
        )
