"""How a player answers at the table: what keys do to the question being asked.

This part of the table's screen lays nothing out and draws nothing: `table_mouse.py` adds the mouse,
and `table.py` the widgets.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.screens.base.command_screen import Choice
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.screens.table.cards_screen import CardsScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import card_name
from driflamme_tui.wording.program.people_words import paused_sentence
from driflamme_tui.wording.program.sealed_words import vote_words
from engine.actions import END, ON, START
from engine.cards import CARDS, ROYAL_DECREE, Seat
from engine.position import PLACE
from engine.view import View
from netcode.client.sealed_news import LeaveBe, VoteMissing
from netcode.protocol.messages import Here, Pause

GUARD_S: Final = 0.4
"""Enter and clicks do nothing for so long after a question appears: they were meant for what
stood there before."""

SECOND_CLICK_S: Final = 0.3
"""A second click on the choice confirms it, but not one that was half of a double click."""

DIGITS_S: Final = 0.6
"""Two digits within this time are one number."""


class TableAnswers(CardsScreen, SessionScreen):
    """Turns keys and clicks into a choice, and a confirmed choice into an answer."""

    BINDINGS = bindings("table")

    def __init__(self) -> None:
        super().__init__()
        self.question: Question | None = None
        """The reader's question, while they are asked."""
        self.hand_of: Seat | None = None
        """Whose hand a reader with two families is shown; None for any other reader."""
        self.taking_back = False
        """Whether the reader has asked for their seat back from a bot, and has no answer yet."""
        self.stood_for = ""
        """That a bot has decided for the reader, who has done nothing since."""
        self.answered = 0
        """The revision that the reader has answered last."""
        self.answered_at: tuple[View, int] | None = None
        """What stood on the table then, and how many events had happened; or at the first sight of
        it, or what a spectator saw when the round began."""
        self._view: View | None = None
        self._asked_at = 0.0
        self._chosen_at = 0.0
        self._digits: tuple[str, float] = ("", 0.0)

    @property
    def view(self) -> View:
        """The game as it was told last; nobody comes to the table before there is one."""
        self._view = self.services.session.view or self._view
        assert self._view is not None
        return self._view

    def ask(self, view: View) -> None:
        """Begin with a new view: ask its question, if it is the reader who is asked."""
        mine = view.turn in view.viewers and not view.over
        if not view.viewers[1:]:
            self.hand_of = None
        elif mine or view.asked == PLACE or self.hand_of not in view.viewers:
            # While cards are resolved it stays what it is, until the other family is asked.
            self.hand_of = view.viewer
        self.question = Question(view) if mine else None
        self.notice = ""
        self._asked_at = self.services.clock()
        self._digits = ("", 0.0)
        if not self.looking:
            self.cursor = None

    def writing_ended(self) -> None:
        """Take note that a key has just ended the writing: one too many is not for the game."""
        self._asked_at = self.services.clock()

    # Keys

    def _ready(self) -> Question | None:
        """Return the question if an answer can be worked on: it is asked, and none is sent.

        If none can be although somebody plays, it says why; and whoever finds a bot in their seat
        takes it back.
        """
        if self._stopped():
            return None
        return self.question if self.services.session.pending is None else None

    def _stopped(self) -> bool:
        """Whether nobody, or not the reader, can answer now; then that has been told."""
        lobby = self.lobby
        if lobby.phase != "playing" or lobby.you is None:
            return False
        if self.question is None and not self.stood_in():
            return False
        if self.services.lost is not None:
            self._refuse(_("The line is lost: nothing can be answered until it is back."))
        elif lobby.paused:
            self._refuse(paused_sentence(lobby.host))
        elif not self.stood_in():
            return False
        elif not self.taking_back:
            self.taking_back = True
            self.services.say(Here())
            self.show()
        return True

    def stood_in(self) -> bool:
        """Whether a bot plays for the reader, who is here."""
        own = self.lobby.own_seat
        return own is not None and own.bot is None and own.away == "bot"

    def moment(self) -> object:
        """Return what stays the same for as long as a command means the same here."""
        return self.services.session.revision

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        view, question = self.view, self._answerable()
        step = None if question is None else question.step
        if command in (
            TableCommands.left,
            TableCommands.right,
            TableCommands.first,
            TableCommands.last,
        ):
            return self.looking or question is not None
        if command in (TableCommands.up, TableCommands.down):
            return self.looking or step is Step.LEAVE_OR_REVEAL
        if command == TableCommands.confirm:
            return view.over or self.looking or question is not None or self._replaced()
        if command == TableCommands.back:
            begun = question is not None and (question.picked or question.chosen is not None)
            return self.looking or bool(begun)
        if command in (TableCommands.start, TableCommands.end, TableCommands.stack):
            begun = question is not None and question.choice is not None
            moves = step is Step.DESTINATION or (step is Step.LIFTED and begun)
            places = step is Step.SPOT or (step is Step.CARD and begun)
            return places or (moves and command != TableCommands.stack)
        if command in (TableCommands.leave, TableCommands.reveal):
            return step is Step.LEAVE_OR_REVEAL
        if command == TableCommands.result:
            return view.over and self.can(TableCommands.confirm)
        if command == TableCommands.replay:
            return view.over and self.services.session.record is not None
        if command == TableCommands.other_hand:
            return len(view.viewers) > 1 and not view.over
        if command == TableCommands.look_on:
            # The key shows the other hand while nobody looks around.
            return (self.looking or self.can(TableCommands.other_hand)) and view.viewer is not None
        if command == TableCommands.pause:
            return self.lobby.host and self.lobby.phase == "playing"
        if command == TableCommands.vote:
            state = self.state()
            return state.question is None and bool(vote_words(state.sealed, state.asked.name)[1])
        return super().can(command)

    def choices(self) -> Iterator[Choice]:
        """Return what may be chosen now, as the prompt would say it."""
        question, state = self._answerable(), self.state()
        if question is None or question.step is Step.LEAVE_OR_REVEAL:
            return
        for index, option in enumerate(question.options):
            if option.card is not None:
                text = _("choose your {card}").format(card=card_name(option.card))
            elif option.action is not None:
                text = state.prompter.effect(option.action)
            else:
                text = _("choose {card}").format(card=state.prompter.at(option.position))
            yield Choice(text, partial(self._choose_of, question, index))

    def _choose_of(self, question: Question, index: int) -> None:
        """Choose one of what was listed a moment ago, if the same is still asked."""
        if question is self._ready():
            question.choose(index)
            self._changed()

    def _answerable(self) -> Question | None:
        """Return the question if an answer can be worked on at this moment; says nothing."""
        return None if self._frozen() or self.stood_in() else self.question

    def _frozen(self) -> bool:
        """Whether no answer can be worked on: nobody can play, or one is on its way."""
        waiting = self.services.session.pending is not None
        return waiting or self.services.lost is not None or self.lobby.paused

    def _replaced(self) -> bool:
        """Whether a bot plays for the reader, who can take their seat back now."""
        stopped = self.services.lost is not None or self.lobby.paused
        return self.stood_in() and not stopped and not self.taking_back

    def _guarded(self) -> bool:
        return self.services.clock() - self._asked_at < self.services.guard_s

    def _changed(self) -> None:
        self._chosen_at = self.services.clock()
        if self.hand_of is not None and self.question is not None:
            self.hand_of = self.question.view.turn
        self.notice = self.stood_for = ""
        if not self.looking:
            self.cursor = None
        self.show()

    def action_walk(self, by: int) -> None:
        """Choose the next option, screen-wise; or look at the next stack."""
        if self.looking:
            self._look_along(by)
            return
        question = self._ready()
        if question is not None:
            along_the_queue = question.step not in (Step.CARD, Step.LEAVE_OR_REVEAL)
            question.walk(-by if along_the_queue and self.state().mirrored else by)
            self._changed()

    def action_walk_to(self, index: int) -> None:
        """Choose the first option, or with -1 the last; or look there."""
        if self.looking and self.cursor is not None:
            cursor = _whole(self.cursor)
            self.cursor = next(zone[index] for zone in self._zones() if cursor in zone)
            self.show()
            return
        question = self._ready()
        if question is not None:
            question.choose(index if index >= 0 else len(question.options) - 1)
            self._changed()

    def action_depth(self, by: int) -> None:
        """Look a card further down a stack, or further up; otherwise choose like the side keys."""
        if self.looking and self.cursor is not None and self.cursor.index >= 0:
            super().action_depth(by)
            return
        question = self._ready()
        if question is not None and question.step is Step.LEAVE_OR_REVEAL:
            self.action_walk(by)

    def action_look(self) -> None:
        """Start or stop looking at cards with the arrow keys."""
        view = self.view
        self.looking = not self.looking
        self.cursor = None
        if self.looking:
            at = min(view.at, len(view.queue) - 1)
            self.cursor = Cursor(at) if at >= 0 else self._zones()[0][0]
        self.show()

    def action_other_hand(self) -> None:
        """Show the hand of the reader's other family, or the first again."""
        if not self.can(TableCommands.other_hand):
            return
        self.hand_of = next(seat for seat in self.view.viewers if seat != self.hand_of)
        if self.cursor is not None and self.cursor.card:
            self.cursor, self.looking = None, False
        self.show()

    def action_look_on(self) -> None:
        """While looking, go from the Queue to the hand, to what is set aside, and the players.

        A reader with two families who is not looking is shown the other hand by the same key.
        """
        if not self.looking:
            self.action_other_hand()
            return
        if self.cursor is not None:
            zones, cursor = self._zones(), _whole(self.cursor)
            now = next((index for index, zone in enumerate(zones) if cursor in zone), -1)
            self.cursor = zones[(now + 1) % len(zones)][0]
            self.show()

    def _zones(self) -> list[list[Cursor]]:
        """Return what can be looked at, in groups that are never empty."""
        view = self.view
        you = view.viewer if self.hand_of is None else self.hand_of
        zones = [
            [Cursor(index) for index in range(len(view.queue))],
            [Cursor(card=card) for card in (view.hands[you] if you is not None else "")],
            [Cursor(card=card) for card in (view.aside[you] if you is not None else "")],
            [Cursor(seat=seat) for seat in range(view.players)],
        ]
        return [zone for zone in zones if zone]

    def _look_along(self, by: int) -> None:
        if self.cursor is None:
            return
        cursor = _whole(self.cursor)
        by = -by if self.state().mirrored and cursor.index >= 0 else by
        zone = next((zone for zone in self._zones() if cursor in zone), [cursor])
        self.cursor = zone[(zone.index(cursor) + by) % len(zone)]
        self.show()

    def action_confirm(self) -> None:
        """Confirm the present choice; with none, choose the first option."""
        if self.view.over:
            self.services.show_result(True)
            return
        if self.looking:
            self.action_look()
            return
        question = self._ready()
        if question is not None and not self._guarded():
            action = question.confirm()
            if action is not None:
                self.answered = self.services.session.revision
                self.answered_at = self.view, len(self.services.session.events)
                self.services.answer(action)
            self._changed()

    def action_back(self) -> None:
        """Stop looking, or drop the present choice."""
        if self.looking:
            self.action_look()
            return
        if self.question is not None and not self._frozen() and self.question.back():
            self._changed()

    def action_spot(self, spot: str) -> None:
        """Choose the start, the end or an own stack for the card being placed, or moved."""
        question = self._ready()
        if question is None or question.view.asked not in (PLACE, ROYAL_DECREE):
            return
        if question.step in (Step.CARD, Step.LIFTED):
            if question.choice is None:
                self._refuse(_("Choose a card first."))
                return
            question.confirm()
        if question.step is Step.DESTINATION:
            if spot != ON:
                self._choose_position(1 if spot == START else question.places)
        elif question.choose_spot(spot) or (spot == START and question.choose_spot(END)):
            self._changed()
        else:
            self._refuse(_("You stack only on your own top card."))

    def action_answer(self, token: str) -> None:
        """Choose to leave or to reveal."""
        self._choose(lambda asked: asked.choose_action(token))

    def action_digit(self, digit: str) -> None:
        """Choose what stands at a position; two quick digits are one number."""
        if not self.looking and self._ready() is None:
            return
        stacks = len(self.view.queue)
        before, then = self._digits
        now = self.services.clock()
        number = f"{before}{digit}" if now - then < DIGITS_S else digit
        if int(number) > stacks + 1:
            number = digit
        self._digits = (number, now)
        position = int(number)
        if self.looking:
            if 1 <= position <= stacks:
                self.cursor = Cursor(position - 1)
                self.show()
        elif position:
            self._choose_position(position)

    def action_letter(self, letter: str) -> None:
        """Choose a card or a player; once the game is over some letters do what the result's do.

        While the line is lost, Red's letter tries it; where a vote is offered, Violet's votes.
        """
        if letter == "r" and self.retries():
            return
        if letter == "r" and self.can(TableCommands.replay):
            self.action_replay()
            return
        if letter == "v" and self.can(TableCommands.result):
            self.action_confirm()
            return
        if letter == "v" and self.can(TableCommands.vote):
            self.action_vote()
            return
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

    def action_replay(self) -> None:
        """Look back at the game that is over."""
        record = self.services.session.record
        if record is not None:
            self.services.show_replay(record)

    def action_pause(self) -> None:
        """Pause the game, or go on with it; the host's."""
        if self.can(TableCommands.pause):
            self.services.say(Pause(paused=not self.lobby.paused))

    def action_vote(self) -> None:
        """Vote that a step has not come, or choose whether to vote at once about somebody away."""
        news = self.services.session.sealed
        if news is None or not self.can(TableCommands.vote):
            return
        name = news.missed or self.state().asked.name
        if name in news.away:
            self.services.say(LeaveBe(name=name, chosen=name not in news.left_be))
        else:
            self.services.say(VoteMissing())

    # Choosing

    def _choose(
        self, choose: Callable[[Question], bool], *, click: bool = False
    ) -> Question | None:
        """Choose, if an answer can be worked on; return the question if that is no choice.

        A second click on the same choice, a little later, confirms it.
        """
        question = self._ready()
        if question is None:
            return None
        before = question.choice
        if not choose(question):
            return question
        if not click or before is None or question.choice != before:
            self._changed()
        elif self.services.clock() - self._chosen_at >= self.services.second_click_s:
            self.action_confirm()
        return None

    def _choose_position(self, position: int, *, click: bool = False) -> None:
        question = self._choose(lambda asked: asked.choose_position(position), click=click)
        if question is None or not 1 <= position <= len(question.view.queue):
            return
        refusal = question.refusal_at(position)
        if refusal is not None:
            if not self.looking:
                self.cursor = Cursor(position - 1)
            self._refuse(self.state().prompter.why_not(refusal))

    def _choose_family(self, family: str, *, click: bool = False) -> None:
        question = self._choose(lambda asked: asked.choose_family(family), click=click)
        refusal = None if question is None else question.refusal_of(family)
        if refusal is not None:
            self._refuse(self.state().prompter.why_not(refusal))

    def _refuse(self, sentence: str) -> None:
        self.notice = sentence
        self.show()


def _whole(cursor: Cursor) -> Cursor:
    """Return the stack of a cursor that is on one of its covered cards, or the cursor itself."""
    return replace(cursor, depth=0)
