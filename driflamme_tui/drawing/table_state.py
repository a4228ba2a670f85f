"""Defines one value with everything that the table's widgets draw. A new value replaces it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from driflamme_tui.drawing.layout import WIDE_COLUMNS, Layout
from driflamme_tui.model.motion_frames import Effect, Frame
from driflamme_tui.model.pending_question import Option, Question, Step
from driflamme_tui.text.cell_widths import wrap_text
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.choices.prompts import Prompter
from engine.abilities import CHOICES
from engine.actions import ON, Action, Copy, Eliminate, Move, Place
from engine.cards import ARCHER, ROUNDS, SOLDIER, Card, Family, Seat
from engine.position import Stack, move_top
from engine.ranking import Owners
from engine.views import View
from netcode.protocol.messages import Line, SeatInfo

ATTACKERS: Final = ARCHER + SOLDIER
"""Cards that lie face up and eliminate others each time they resolve."""

NO_EFFECT: Final = Effect()
"""An effect that highlights nothing."""


class Cursor(Struct, frozen=True):
    """The thing at which the reader looks: a stack, a card, a player, or a place for a card."""

    index: int = -1
    """The index of the stack, from 0; -1 for any other thing."""
    depth: int = 0
    """Number of cards above the card in its stack."""
    card: Card = ""
    """The card of the hand, or a card set aside; "" for any other thing."""
    seat: Seat = -1
    """The seat of the player; -1 for any other thing."""
    place: Place | Move | None = None
    """The answer that a click at the pointer would choose; None if a click there chooses none."""


class PanelText(Struct, frozen=True):
    """The text of the card panel, mostly about one card."""

    title: str = ""
    here: str = ""
    """The card's effect in its present place; "" without an effect to mention."""
    rule: str = ""
    brief: str = ""
    """A short form of the rule; "" without one."""
    rows: Sequence[str] = ()
    """Texts that replace the rule, each in rows of its own; () to show the rule."""
    instead: str = ""
    """The text if not even a clause of `here` fits; "" to cut `here` anywhere."""


class Waiting(Struct, frozen=True):
    """The prompt while another player is asked, for kinds of tables that have such a text."""

    title: str = ""
    """The title; "" for the usual one about the asked player."""
    text: str = ""
    """The reason why the decision may take long, with the reader's options; "" for no text."""
    way: str = ""
    """The text that names a useful key; "" for no text."""
    action: str = ""
    """The action of a click; "" for no action."""


class TableState(Struct, frozen=True):
    """One moment of the table, as its reader sees it."""

    view: View
    players: Sequence[SeatInfo]
    """The player of each seat of the view."""
    glyphs: Glyphs
    layout: Layout
    question: Question | None = None
    """The reader's question; None while the reader is not asked."""
    cursor: Cursor | None = None
    looking: bool = False
    """True if keys move the cursor instead of the choice."""
    mirrored: bool = False
    """True if the Queue is shown from right to left."""
    sent: bool = False
    """True if an answer was sent to the host, and the table does not show it yet."""
    lost: str = ""
    """The text about a lost connection and the next attempt; "" while connected."""
    is_closed: bool = False
    """True if the connection is lost because the host has closed the table for now."""
    paused: bool = False
    """True if the host has paused the game."""
    host: bool = False
    stood_in: bool = False
    """True if a bot plays for the reader, who is present but has run out of time."""
    taking_back: bool = False
    """True if the reader has asked for their seat back."""
    has_clock: bool = False
    """True if the time for a decision is limited at this table."""
    time_left: int | None = None
    """Seconds left for the decision; None without a clock."""
    time_runs: bool = False
    """True while the clock counts down."""
    latency_ms: int | None = None
    """Milliseconds that a message takes to the host and back; None if unknown."""
    prefix: str = ""
    """The prefix of the table's spoken code; "" for a table without a code."""
    talk: Sequence[Line] = ()
    """The last lines of chat."""
    spoken: bool = False
    """True if the last chat line must be shown although the chat has no space of its own."""
    spoken_last: bool = False
    """True if no event has followed the last chat line."""
    notice: str = ""
    """A sentence in place of the effect of the choice; "" for none.

    It has the reason why a key or click was refused, or the answer that a bot gave for the reader.
    """
    advice: tuple[str, str] = ("", "")
    """A panel's text below the choice: a sentence, and more text that is shown if it fits. Both are
    "" without advice.
    """
    suggested: Action | None = None
    """The answer that a panel recommends; None if it recommends none."""
    beside: PanelText | None = None
    """A panel's text beside the hand, shown while the reader looks at nothing; None without one."""
    prefers_text: bool = False
    """True to show card help, not public knowledge, if only one of them fits beside the hand."""
    heading: Sequence[str] = ()
    """Texts at the right of the header, most important first."""
    after: str | None = None
    """The label of the next step after the game; None if the result is the next step."""
    forced: str = ""
    """The latest decision that the rules made without a question, with the reason; "" before any.
    """
    log: Sequence[tuple[Seat | None, str]] = field(default_factory=tuple)
    """The events. Each has its sentence, and the seat of its player or None for the table."""
    effect: Effect = NO_EFFECT
    """The highlight of the present event."""
    laid_open: bool = False
    """True if the reader has no seat but sees all cards, as in a replay."""
    is_animated: bool = False
    """True while the last event is shown in pictures. No question is shown meanwhile."""
    brief: bool = False
    """True if sentences must name players by sign and letter, because names do not fit."""
    frame: Frame | None = None
    """The picture that is shown; None without one. `view` is then the view of the picture."""
    deadline: str = ""
    """The text in `heading` with the time left of a wing's clock; "" without one. If space is
    short, it stays longer than other texts.
    """
    again: bool = False
    """True while events are shown a second time."""
    stays: tuple[Seat | None, str] | None = None
    """The most important event since the reader's last answer, or else the last one, in the form of
    `log`. None without an event.
    """
    change: Sequence[int] = ()
    """For each seat, the change of influence since the reader's last answer.

    Empty if unknown.
    """
    owners: Owners | None = None
    """The owners of the seats; None if each seat has its own."""
    waiting: Waiting = Waiting()
    """The text that this kind of table shows while another player is asked."""
    halted: tuple[str, str] | None = None
    """Title and sentence about the reason why the game cannot continue; None if it can."""
    marks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Texts about players, by name, that seats show instead of their state. Each player has a long
    text and a text of 5 columns.
    """
    hand_of: Seat | None = None
    """For a reader with two families, the seat whose hand is shown; None for the seat that they
    play now.
    """

    @property
    def answerable(self) -> bool:
        """True if the reader is asked, and can answer now."""
        return self.question is not None and not (self.lost or self.paused or self.stood_in)

    def is_like(self, other: "TableState") -> bool:
        """Return True if two moments differ at most in the present choice and the cursor.

        Their question is then the same object, with another choice.
        """
        if self.cursor == other.cursor:
            return self == other
        return self == replace(other, cursor=self.cursor)

    @property
    def choice_made(self) -> object:
        """The whole choice in this and earlier steps, for comparison with other moments.

        None without a question.
        """
        return None if self.question is None else (self.question.picked, self.question.chosen)

    @property
    def prompter(self) -> Prompter:
        """The prompter of this moment's question."""
        names = ["" if self.brief else player.name for player in self.players]
        return Prompter(self.view, names, self.glyphs)

    def fitting(self, sentence_of: Callable[[Prompter], str], width: int, rows: int = 1) -> str:
        """Return a text with players' names, or with signs and letters if the names do not fit.

        Args:
            sentence_of: Makes the text with a prompter.
            width: Columns of the space for the text.
            rows: Rows of the space for the text. A text with signs and letters may need more.
        """
        text = sentence_of(self.prompter)
        if len(wrap_text(text, width, width)) <= rows:
            return text
        return sentence_of(replace(self, brief=True).prompter)

    @property
    def you(self) -> Seat | None:
        """The reader's seat; None for a spectator. Of two seats, the one with the shown hand."""
        return self.view.viewer if self.hand_of is None else self.hand_of

    def is_yours(self, seat: Seat) -> bool:
        """Return True if a seat belongs to the reader."""
        return seat in self.view.viewers

    def queue(self) -> tuple[list[Stack], int, int]:
        """Return the shown stacks, and the indexes of the resolving stack and of the moving stack.

        An index is -1 if there is no such stack. A card that a Royal Decree moves is shown in its
        new place.
        """
        view = self.view
        question = self.question
        if question is None or question.step is not Step.DESTINATION or question.picked is None:
            return view.queue, view.at, -1
        lifted = question.picked.position - 1
        choice = question.choice
        if choice is None:
            return view.queue, view.at, lifted
        queue = list(view.queue)
        at = move_top(queue, view.at, lifted, choice.position - 1)
        return queue, at, choice.position - 1

    @property
    def choice(self) -> Option | None:
        """The present choice; None without one."""
        return self.question.choice if self.question is not None else None

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the question; () if the reader cannot answer now."""
        return self.question.options if self.question is not None and self.answerable else ()

    def legal_positions(self) -> frozenset[int]:
        """Return the positions of the Queue that can be chosen now.

        Empty while the player chooses the destination of a card that a Royal Decree moves.
        """
        if self.question is not None and self.question.step is Step.DESTINATION:
            return frozenset()
        return frozenset(option.position for option in self.options if option.position)

    def chosen_position(self) -> int:
        """Return the position in the Queue that is chosen now; 0 if none is."""
        return self.choice.position if self.choice else 0

    def legal_ends(self) -> frozenset[str]:
        """Return the ends of the Queue where the card can be placed."""
        actions = (option.action for option in self.options)
        return frozenset(each.spot for each in actions if isinstance(each, Place)) - {ON}

    def chosen_end(self) -> str:
        """Return the end that is chosen for the card being placed: `START`, `END` or ""."""
        action = self.choice.action if self.choice else None
        return action.spot if isinstance(action, Place) and action.spot != ON else ""

    def chosen_card(self) -> Card:
        """Return the card of the hand that is chosen or being placed; "" before a choice."""
        question = self.question
        if question is None or self.you != self.view.turn:
            return ""
        if question.picked and question.picked.card:
            return question.picked.card
        return question.choice.card or "" if question.choice else ""

    @property
    def suggested_position(self) -> int:
        """The position in the Queue of the suggested answer.

        0 without a suggestion, and for an answer without a position.
        """
        action = self.suggested
        return action.position if isinstance(action, Eliminate | Copy | Move) else 0

    @property
    def first_next(self) -> Seat:
        """The first player of the next round; -1 in the last round.

        On a narrow screen also -1, until the last card resolves or the reader looks around.
        """
        view = self.view
        near = view.at == len(view.queue) - 1 >= 0 or self.looking
        if view.round == ROUNDS or not (near or self.layout.width >= WIDE_COLUMNS):
            return -1
        return (view.first + 1) % view.players

    def reached(self) -> frozenset[int]:
        """Return the positions of the reader's cards that opponents' face-up cards can eliminate.

        Attackers that have already resolved in this round do not count.
        """
        view = self.view
        return frozenset(
            action.position
            for index, (seat, card, face_up, _influence, _covered) in enumerate(view.queue)
            if card in ATTACKERS and face_up and not self.is_yours(seat) and index >= view.at
            for action in CHOICES[card](view, index)
            if isinstance(action, Eliminate) and self.is_yours(view.queue[action.position - 1][0])
        )

    def families_to_choose(self) -> frozenset[Family]:
        """Return the families that can be chosen."""
        return frozenset(option.family for option in self.options if option.family)
