"""How a player answers: what keys and clicks do to the question that is asked.

A plain object, without widgets: whoever shows it tells it what was pressed or clicked, and draws
it anew. It draws nothing and judges no rule.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.choices.prompts import Prompter
from driflamme_tui.wording.program.people_words import paused_sentence
from engine.actions import ACTIONS, END, ON, START, Action, Move, Place
from engine.cards import CARDS, ROYAL_DECREE, Seat
from engine.legal import Refusal, why_not
from engine.position import PLACE, cards_in
from engine.views import View
from netcode.protocol.messages import Here

DIGITS_S: Final = 0.6
"""Two digits within this time are one number."""

EDGE: Final = 0.25
"""The outer part of one's own stack at an end that, clicked, means the end and not the stack."""


class Looking:
    """What is looked at: what the mouse points at or, if wanted, what the arrow keys are on."""

    def __init__(self, zones: Callable[[], list[list[Cursor]]]) -> None:
        """Look at nothing yet; `zones` tells what could be, in groups that are never empty."""
        self.cursor: Cursor | None = None
        """What is looked at."""
        self.on = False
        """Whether the arrow keys move the cursor, and do nothing else."""
        self._zones = zones

    def point(self, cursor: Cursor | None) -> None:
        """Look at what the mouse is on, unless the keys look around."""
        if not self.on:
            self.cursor = cursor

    def toggle(self, view: View) -> None:
        """Start or stop looking with the arrow keys, at the card that is being resolved."""
        zones = self._zones()
        self.on, self.cursor = not self.on and bool(zones), None
        if self.on:
            at = min(view.at, len(view.queue) - 1)
            self.cursor = Cursor(at) if at >= 0 else zones[0][0]

    def along(self, by: int, *, mirrored: bool) -> None:
        """Look at the next card, screen-wise."""
        if self.cursor is not None:
            zone, whole = self._zone(), replace(self.cursor, depth=0)
            by = -by if mirrored and self.cursor.index >= 0 else by
            self.cursor = zone[(zone.index(whole) + by) % len(zone)]

    def edge(self, index: int) -> None:
        """Look at the first card of the zone, or with -1 at the last."""
        self.cursor = self._zone()[index]

    def next_zone(self) -> None:
        """Go on to the next zone."""
        zones, zone = self._zones(), self._zone()
        now = zones.index(zone) if zone in zones else -1
        self.cursor = zones[(now + 1) % len(zones)][0]

    def depth(self, by: int, view: View) -> None:
        """Look a card further down a stack, or further up."""
        cursor = self.cursor
        if cursor is not None and 0 <= cursor.index < len(view.queue):
            deepest = len(cards_in(view.queue[cursor.index])) - 1
            self.cursor = Cursor(cursor.index, max(0, min(deepest, cursor.depth + by)))

    def _zone(self) -> list[Cursor]:
        """Return what can be looked at beside the cursor, which is on one of it as a whole."""
        assert self.cursor is not None
        whole = replace(self.cursor, depth=0)
        return next((zone for zone in self._zones() if whole in zone), [whole])


class Answering:
    """The question, how far the player has come with it, and why the last key did nothing."""

    def __init__(
        self,
        sitting: Sitting,
        terminal: Terminal,
        prompter: Callable[[], Prompter],
        answer: Callable[[Action], None],
        held: Callable[[], str] = str,
        chosen: Callable[[], object] = lambda: None,
    ) -> None:
        """Answer nothing yet.

        Args:
            sitting: Whose table it is.
            terminal: Knows the time, and for how long after a question nothing answers it.
            prompter: Returns what words refusals.
            answer: Is given each answer that is confirmed.
            held: Returns why nothing can be answered now; "" if something can.
            chosen: Is called when the reader has made another choice.
        """
        self.question: Question | None = None
        """The reader's question, while they are asked."""
        self.look = Looking(self._zones)
        """What is looked at."""
        self.notice = ""
        """Why the last key or click was refused, or nothing."""
        self.hand_of: Seat | None = None
        """Whose hand a reader with two families is shown; None for any other reader."""
        self.taking_back = False
        """Whether the reader has asked for their seat back from a bot, and has no answer yet."""
        self.stood_for = ""
        """That a bot has decided for the reader, who has done nothing since."""
        self._sitting = sitting
        self._terminal, self._prompter, self._answer = terminal, prompter, answer
        self._held, self._chosen = held, chosen
        self._view: View | None = None
        self._asked_at = self._chosen_at = 0.0
        self._digits = ("", 0.0)

    @property
    def view(self) -> View:
        """The game as it was told last; nobody comes to the table before there is one."""
        self._view = self._sitting.session.view or self._view
        assert self._view is not None
        return self._view

    @property
    def mirrored(self) -> bool:
        """Whether the Queue is shown resolving from right to left."""
        return self._sitting.lobby.settings.direction == "left"

    def ask(self, question: Question | None) -> None:
        """Begin with a new view, and with its question if it is the reader who is asked."""
        view = self.view
        if not view.viewers[1:]:
            self.hand_of = None
        elif question is not None or view.asked == PLACE or self.hand_of not in view.viewers:
            # While cards are resolved it stays what it is, until the other family is asked.
            self.hand_of = view.viewer
        self.question = question
        self.notice = ""
        self._digits = ("", 0.0)
        self.guard()
        self.look.point(None)

    def guard(self) -> None:
        """Confirm nothing for a moment: what comes now was meant for what stood there before."""
        self._asked_at = self._terminal.clock()

    @property
    def guarded(self) -> bool:
        """Whether what comes now was meant for what stood there before."""
        return self._terminal.clock() - self._asked_at < self._terminal.guard_s

    # Whether there is anything to answer

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays for the reader, who is here."""
        own = self._sitting.lobby.own_seat
        return own is not None and own.bot is None and own.away == "bot"

    @property
    def stopped(self) -> bool:
        """Whether nobody can play: the line is lost, or the host has stopped the game."""
        return self._sitting.lost is not None or self._sitting.lobby.paused

    @property
    def frozen(self) -> bool:
        """Whether no answer can be worked on: nobody can play, or one is on its way."""
        return self.stopped or self._sitting.session.pending is not None

    @property
    def answerable(self) -> Question | None:
        """The question if an answer can be worked on at this moment."""
        return None if self.frozen or self.stood_in or self._held() else self.question

    @property
    def replaced(self) -> bool:
        """Whether a bot plays for the reader, who can take their seat back now."""
        return self.stood_in and not self.stopped and not self.taking_back

    def ready(self) -> Question | None:
        """Return the question if an answer can be worked on: it is asked, and none is sent.

        If none can be although somebody plays, the notice says why; and whoever finds a bot in
        their seat takes it back.
        """
        if self.question is not None and (why := self._held()):
            self.notice = why
            return None
        if self._refuse_if_stopped():
            return None
        return self.question if self._sitting.session.pending is None else None

    def _refuse_if_stopped(self) -> bool:
        """Say why the reader cannot answer now, if so; return whether that was said."""
        lobby = self._sitting.lobby
        if lobby.phase != "playing" or lobby.you is None:
            return False
        if self.question is None and not self.stood_in:
            return False
        if self._sitting.lost is not None:
            self.notice = _("The connection is lost: you can answer once it is back.")
        elif lobby.paused:
            self.notice = paused_sentence(lobby.host)
        elif not self.stood_in:
            return False
        elif not self.taking_back:
            self.taking_back = True
            self._sitting.say(Here())
        return True

    # What can be done

    @property
    def may_walk(self) -> bool:
        """Whether there is something to go through."""
        return self.look.on or self.answerable is not None

    @property
    def may_go_down(self) -> bool:
        """Whether the keys up and down choose something."""
        return self.look.on or self.is_asked_to_reveal

    @property
    def may_go_back(self) -> bool:
        """Whether there is something to drop, or to stop."""
        question = self.answerable
        begun = question is not None and (question.picked or question.chosen is not None)
        return self.look.on or bool(begun)

    @property
    def may_stack(self) -> bool:
        """Whether a card can be placed."""
        return self._chooses_place(Step.CARD, Step.SPOT)

    @property
    def may_choose_end(self) -> bool:
        """Whether a card can be placed, or moved."""
        return self.may_stack or self._chooses_place(Step.LIFTED, Step.DESTINATION)

    @property
    def is_asked_to_reveal(self) -> bool:
        """Whether the reader leaves or reveals a card now."""
        return self._step is Step.LEAVE_OR_REVEAL

    @property
    def has_other_hand(self) -> bool:
        """Whether the reader has two families' hands."""
        return len(self.view.viewers) > 1 and not self.view.over

    @property
    def may_look_on(self) -> bool:
        """Whether there is a hand to look at, or another hand."""
        return (self.look.on or self.has_other_hand) and self.view.viewer is not None

    @property
    def _step(self) -> Step | None:
        question = self.answerable
        return None if question is None else question.step

    def _chooses_place(self, card: Step, place: Step) -> bool:
        """Whether a place is asked at one step, or a card is chosen at the one before."""
        question = self.answerable
        begun = question is not None and question.choice is not None
        return self._step is place or (self._step is card and begun)

    # Keys

    def walk(self, by: int) -> None:
        """Choose the next option, screen-wise; or look at the next card."""
        if self.look.on:
            self.look.along(by, mirrored=self.mirrored)
        elif (question := self.ready()) is not None:
            along_the_queue = question.step not in (Step.CARD, Step.LEAVE_OR_REVEAL)
            question.walk(-by if along_the_queue and self.mirrored else by)
            self.changed()

    def walk_to(self, index: int) -> None:
        """Choose the first option, or with -1 the last; or look there."""
        if self.look.on and self.look.cursor is not None:
            self.look.edge(index)
        elif (question := self.ready()) is not None:
            question.choose(index if index >= 0 else len(question.options) - 1)
            self.changed()

    def depth(self, by: int) -> None:
        """Look a card further down a stack, or further up; otherwise choose like the side keys."""
        if self.look.on and self.look.cursor is not None and self.look.cursor.index >= 0:
            self.look.depth(by, self.view)
        elif (question := self.ready()) is not None and question.step is Step.LEAVE_OR_REVEAL:
            self.walk(by)

    def toggle_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        self.look.toggle(self.view)

    def other_hand(self) -> None:
        """Show the hand of the reader's other family, or the first again."""
        if not self.view.viewers[1:] or self.view.over:
            return
        self.hand_of = next(seat for seat in self.view.viewers if seat != self.hand_of)
        if self.look.cursor is not None and self.look.cursor.card:
            self.look.cursor, self.look.on = None, False

    def _zones(self) -> list[list[Cursor]]:
        """Return what can be looked at now, in groups that are never empty."""
        view, you = self.view, self.view.viewer if self.hand_of is None else self.hand_of
        zones = [
            [Cursor(index) for index in range(len(view.queue))],
            [Cursor(card=card) for card in (view.hands[you] if you is not None else "")],
            [Cursor(card=card) for card in (view.aside[you] if you is not None else "")],
            [Cursor(seat=seat) for seat in range(view.players)],
        ]
        return [zone for zone in zones if zone]

    def confirm(self) -> None:
        """Confirm the present choice, or choose the first option; or stop looking."""
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

    def spot(self, spot: str) -> None:
        """Choose the start, the end or an own stack for the card being placed, or moved."""
        question = self.ready()
        if question is None or question.view.asked not in (PLACE, ROYAL_DECREE):
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
            self.notice = _("You stack only on your own top card.")

    def choose_action(self, token: str, *, click: bool = False) -> None:
        """Choose to leave or to reveal."""
        self._choose(lambda asked: asked.choose_action(token), click=click)

    def digit(self, digit: str) -> None:
        """Choose what stands at a position; two quick digits are one number."""
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
        """Choose a card or a player."""
        question = self.ready()
        if question is None:
            return
        if question.step is Step.PLAYER:
            if letter in question.view.families:
                self._choose_family(letter)
        elif question.choose_card(letter.upper()):
            self.changed()
        elif question.view.asked == PLACE and letter.upper() in CARDS:
            self.notice = _("You do not have that card in hand.")

    def choose_of(self, question: Question, index: int) -> None:
        """Choose one of what was listed a moment ago, if the same is still asked."""
        if question is self.ready():
            question.choose(index)
            self.changed()

    # Clicks

    def click(self, state: TableState, cursor: Cursor, across: float) -> None:
        """Choose what was clicked, or look at it: a card of the hand, or a stack."""
        if not cursor.card:
            self._click_stack(state, cursor.index, across)
        elif self.hand_of in (None, self.view.turn):
            self._click_card(cursor.card)

    def _click_stack(self, state: TableState, index: int, across: float) -> None:
        """Choose a stack of the Queue, or a place beside it; or look at it, -1 is beside all."""
        question = self.ready()
        if question is None or question.step in (Step.CARD, Step.LEAVE_OR_REVEAL):
            if index >= 0:
                self.look.cursor = Cursor(index)
            return
        if self.guarded:
            return
        aimed = _aimed_at(state, question, index, across)
        if aimed is None:
            self._choose_position(index + 1, click=True)
        else:
            self._choose(
                lambda asked: asked.choose_action(str(aimed)),
                lambda asked: why_not(asked.view, aimed),
                click=True,
            )

    def _click_card(self, card: str) -> None:
        """Pick up a card of the hand to place it, or look at it."""
        question = self.ready()
        if question is None or question.view.asked != PLACE:
            self.look.cursor = Cursor(card=card)
        elif not self.guarded:
            placing = question.picked if question.step is Step.SPOT else None
            if placing is None or placing.card != card:
                question.choose_card(card)
                question.confirm()
                self.changed()

    def click_player(self, family: str) -> None:
        """Choose a player, or look at one."""
        if self.question is None or self.question.step is not Step.PLAYER:
            self.look.cursor = Cursor(seat=self.view.families.index(family))
        elif self.ready() is not None and not self.guarded:
            self._choose_family(family, click=True)

    def click_answer(self, token: str) -> None:
        """Choose an answer by its token, with the card that it is about."""
        if not self.guarded:
            self._choose(lambda asked: asked.choose_answer(token), click=True)

    # Choosing

    def changed(self) -> None:
        """Take note that the choice is another."""
        self._chosen_at = self._terminal.clock()
        if self.hand_of is not None and self.question is not None:
            self.hand_of = self.question.view.turn
        self.notice = self.stood_for = ""
        self._chosen()
        self.look.point(None)

    def _choose(
        self,
        choose: Callable[[Question], bool],
        refusal: Callable[[Question], Refusal | None] = lambda _asked: None,
        *,
        click: bool = False,
    ) -> None:
        """Choose, if an answer can be worked on; or say why that is no choice.

        A second click on the same choice, a little later, confirms it.
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

        self._choose(lambda asked: asked.choose_position(position), refusal, click=click)

    def _choose_family(self, family: str, *, click: bool = False) -> None:
        self._choose(
            lambda asked: asked.choose_family(family),
            lambda asked: asked.refusal_of(family),
            click=click,
        )


def _aimed_at(
    state: TableState, question: Question, index: int, across: float
) -> Place | Move | None:
    """Return the answer that puts a card down at a stack, legal or not; None if none does."""
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
        # A gap, at the nearer half; the card that is carried stands where it would.
        _stacks, _at, carried = state.queue()
        gap = index if across < 0.5 else index + 1
        alone = question.choice is not None or view.queue[picked.position - 1][4] is None
        if index == carried and question.choice is not None:
            gap = carried
        elif alone and gap > carried:
            gap -= 1
        action = ACTIONS.get(f"{picked.position}>{gap + 1}")
    return action if isinstance(action, Place | Move) else None


def place_at(state: TableState, index: int, across: float) -> Place | Move | None:
    """Return the legal answer that a click at a stack would choose, if it puts a card down."""
    question = state.question if state.answerable else None
    action = None if question is None else _aimed_at(state, question, index, across)
    return action if question is not None and action in question.legal else None
