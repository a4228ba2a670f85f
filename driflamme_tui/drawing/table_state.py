"""All that the table's widgets draw, as one value: built from a session, shown, and replaced."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from driflamme_tui.drawing.layout import WIDE, Layout
from driflamme_tui.model.motion_frames import Effect, Frame
from driflamme_tui.model.pending_question import Option, Question, Step
from driflamme_tui.text.cell_widths import wrapped
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
"""Cards that lie face up and eliminate others each time they are resolved."""

NO_EFFECT: Final = Effect()
"""Nothing is set apart."""


class Cursor(Struct, frozen=True):
    """What is being looked at: a stack, a covered card, a card of one's own, a player, a place."""

    index: int = -1
    """The stack of the Queue, from 0; -1 when something else is looked at."""
    depth: int = 0
    """How many cards down the stack."""
    card: Card = ""
    """The card of the hand, or set aside."""
    seat: Seat = -1
    """The player; -1 when something else is looked at."""
    place: Place | Move | None = None
    """What a click would choose where the pointer is."""


class PanelText(Struct, frozen=True):
    """What there is to say of one card."""

    title: str = ""
    here: str = ""
    """What the card would do where it is; empty where that says nothing."""
    rule: str = ""
    brief: str = ""
    """The rule where there is little room."""
    rows: Sequence[str] = ()
    """What follows, each in rows of its own; in one where there is little room."""


class Waiting(Struct, frozen=True):
    """What the prompt says while somebody else is asked, where a kind of table says more."""

    title: str = ""
    """For whom everybody waits; empty for the player who is asked."""
    text: str = ""
    """Why that may take long, and what the reader can do; or nothing."""
    way: str = ""
    """What a key does about it; or nothing."""
    action: str = ""
    """What a click does about it; or nothing."""


class TableState(Struct, frozen=True):
    """One moment of the table, as its reader sees it."""

    view: View
    players: Sequence[SeatInfo]
    """Who plays each seat of the view."""
    glyphs: Glyphs
    layout: Layout
    question: Question | None = None
    """None while the reader is not asked."""
    cursor: Cursor | None = None
    looking: bool = False
    """Whether keys move the cursor rather than the choice."""
    mirrored: bool = False
    """Whether the Queue is shown resolving from right to left."""
    sent: bool = False
    """Whether an answer is on its way to the host."""
    lost: str = ""
    """That the line to the host is lost, and when it is tried again; or nothing."""
    paused: bool = False
    """Whether the host has stopped the game for a while."""
    host: bool = False
    """Whether the reader is the host."""
    stood_in: bool = False
    """Whether a bot plays for the reader, who is here: their time ran out."""
    taking_back: bool = False
    """Whether the reader has asked for their seat back."""
    time_left: int | None = None
    """Seconds for the decision that is asked; None without a clock."""
    time_runs: bool = False
    """Whether the time runs down now."""
    latency_ms: int | None = None
    """How long a message takes to the host and back; None if it is not known."""
    room: str = ""
    """What the table is called, if it has a name that can be said."""
    talk: Sequence[Line] = ()
    """The last of what was said at the table."""
    spoken: bool = False
    """Whether the last line of a chat that has no place of its own is to be seen all the same."""
    spoken_last: bool = False
    """Whether nothing has happened since that was said."""
    notice: str = ""
    """Why the last key or click was refused, or nothing."""
    advice: tuple[str, str] = ("", "")
    """What a panel says below the choice: a sentence, and what follows where there is room."""
    suggested: Action | None = None
    """The answer that a panel marks."""
    beside: PanelText | None = None
    """What a panel says beside the hand, until the reader looks at something."""
    prefers_text: bool = False
    """Whether a panel needs the place beside the hand, where it has room for one thing only."""
    heading: Sequence[str] = ()
    """What stands at the right of the header, the most important first."""
    after: str | None = None
    """What leads on once the game is over; None for the result."""
    forced: str = ""
    """What the rules have just decided without asking anybody, and why; or nothing."""
    log: Sequence[tuple[Seat | None, str]] = field(default_factory=tuple)
    """What happened: whose event it is, or None for the table's own, and the sentence."""
    effect: Effect = NO_EFFECT
    """What is set apart because it is just happening."""
    laid_open: bool = False
    """Whether the reader has no seat and sees all cards: looking back at a game."""
    telling: bool = False
    """Whether the last event is being told in pictures; then nothing is asked yet."""
    brief: bool = False
    """Whether sentences call players by sign and letter, where names have no room."""
    frame: Frame | None = None
    """The picture that is shown, if it is one; the view is already that of the picture."""
    again: bool = False
    """Whether it has been told before, and the reader wants to see it again."""
    stays: tuple[Seat | None, str] | None = None
    """What mattered most, or happened last, since the reader's last answer, told like the log."""
    change: Sequence[int] = ()
    """How much influence each seat has won or lost since then; nothing where that is unknown."""
    owners: Owners | None = None
    """Who plays which seats; each plays one unless told."""
    waiting: Waiting = Waiting()
    """What a kind of table says while somebody else is asked."""
    halted: tuple[str, str] | None = None
    """Why the game cannot go on, as a title and a sentence; None while it can."""
    marks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What seats say of players in place of how they do, by name: at length, and in 5 columns."""
    hand_of: Seat | None = None
    """Whose hand a reader with two families is shown; None for the one that they play now."""

    @property
    def answerable(self) -> bool:
        """Whether the reader is asked, and nothing keeps them from answering."""
        return self.question is not None and not (self.lost or self.paused or self.stood_in)

    def is_like(self, other: "TableState") -> bool:
        """Return whether two moments differ at most in the present choice and the cursor.

        The question is the same object then, with another choice.
        """
        if self.cursor == other.cursor:
            return self == other
        return self == replace(other, cursor=self.cursor)

    @property
    def choice_made(self) -> object:
        """The whole choice so far: what was picked, and the option that is chosen now."""
        return None if self.question is None else (self.question.picked, self.question.chosen)

    @property
    def prompter(self) -> Prompter:
        """Return what words this moment's question."""
        names = ["" if self.brief else player.name for player in self.players]
        return Prompter(self.view, names, self.glyphs)

    def fitting(self, say: Callable[[Prompter], str], width: int, rows: int = 1) -> str:
        """Return what a prompter says: with names or, without the room, with signs and letters."""
        text = say(self.prompter)
        if len(wrapped(text, width, width)) <= rows:
            return text
        return say(replace(self, brief=True).prompter)

    @property
    def you(self) -> Seat | None:
        """The reader's seat; of two the one whose hand is shown."""
        return self.view.viewer if self.hand_of is None else self.hand_of

    def is_yours(self, seat: Seat) -> bool:
        """Whether a seat is the reader's."""
        return seat in self.view.viewers

    def queue(self) -> tuple[list[Stack], int, int]:
        """Return the stacks as they are to be shown, which resolves, and which is being moved.

        While a Royal Decree's card is being carried it is shown in its new place. -1 for none.
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
        """The present choice."""
        return self.question.choice if self.question is not None else None

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be chosen now."""
        return self.question.options if self.question is not None and self.answerable else ()

    def legal_positions(self) -> frozenset[int]:
        """Return the positions of the Queue that may be chosen now."""
        if self.question is not None and self.question.step is Step.DESTINATION:
            return frozenset()
        return frozenset(option.position for option in self.options if option.position)

    def chosen_position(self) -> int:
        """Return the position of the Queue that the present choice is about, or 0."""
        return self.choice.position if self.choice else 0

    def legal_ends(self) -> frozenset[str]:
        """Return the ends of the Queue where the card being placed may go."""
        actions = (option.action for option in self.options)
        return frozenset(each.spot for each in actions if isinstance(each, Place)) - {ON}

    def chosen_end(self) -> str:
        """Return `START`, `END` or nothing: the end that is chosen for the card being placed."""
        action = self.choice.action if self.choice else None
        return action.spot if isinstance(action, Place) and action.spot != ON else ""

    def chosen_card(self) -> Card:
        """Return the card of the hand that is chosen or being placed, or nothing."""
        question = self.question
        if question is None or self.you != self.view.turn:
            return ""
        if question.picked and question.picked.card:
            return question.picked.card
        return question.choice.card or "" if question.choice else ""

    @property
    def suggested_position(self) -> int:
        """The position of the Queue that the suggested answer acts on, or 0."""
        action = self.suggested
        return action.position if isinstance(action, Eliminate | Copy | Move) else 0

    @property
    def first_next(self) -> Seat:
        """Return who begins the next round, where that is to be seen; -1 for nobody."""
        view = self.view
        near = view.at == len(view.queue) - 1 >= 0 or self.looking
        if view.round == ROUNDS or not (near or self.layout.width >= WIDE):
            return -1
        return (view.first + 1) % view.players

    def reached(self) -> frozenset[int]:
        """Return the positions of the reader's cards that others can eliminate face up.

        Those that have been resolved in this round are no danger any more.
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
        """Return the families of which one may be chosen."""
        return frozenset(option.family for option in self.options if option.family)
