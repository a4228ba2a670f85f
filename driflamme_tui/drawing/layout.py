"""How the table shares out the screen: sizes of cards and heights of zones.

One unbroken row of small cards is better than two rows of big ones, since adjacency is the
game; only when the narrowest cards overflow a row is the Queue broken into rows. Sizes are
chosen for all the cards that may still come in a round, so that nothing shifts under the hand
of somebody who is choosing; once so many are gone that larger cards have room, these are drawn.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.model.knowledge import knowledge
from engine.cards import HAND, ROYAL_DECREE, UNKNOWN
from engine.position import PLACE, cards_in, height
from engine.views import View

MINIMUM_WIDTH: Final = 60
"""Columns below which a request for more room covers the screen."""
MINIMUM_HEIGHT: Final = 20
"""Rows below which a request for more room covers the screen."""

COMFORTABLE_WIDTH: Final = 80
"""Columns below which the prompt takes more rows and the hand stands closer."""
COMFORTABLE_HEIGHT: Final = 24
"""Rows below which players have two rows."""

HEADER: Final = 1
"""Rows of the header."""
KEYS: Final = 1
"""Rows of the key bar."""
HAND_TITLE: Final = 1
"""Rows above the cards of the hand."""
RAIL: Final = 1
"""Rows above the stacks of the Queue, for their positions."""

PROMPT: Final = 3
"""Rows of the prompt: the question, and two of consequence."""
PROMPT_TALL: Final = 4
"""Rows of the prompt where rows are plenty and columns few."""
PROMPT_NARROW: Final = 5
"""Rows of the prompt on a narrow screen, where question and consequence may be long."""

HAND_MARGIN: Final = 3
"""Columns of the hand beside its cards."""
SPACIOUS_HAND: Final = 38
"""Columns that the hand keeps, however few cards are left."""
NARROW_HAND: Final = 30
"""Columns that it keeps on a narrow screen."""
HELP_WIDTH: Final = 30
"""Columns that the help beside the hand keeps, however large the cards."""
HELP_NARROW: Final = 20
"""Columns that the help beside the hand keeps on a narrow screen."""
EVENTS: Final = 3
"""Rows that the events keep before the cards of the hand may be larger than the smallest."""
KNOWING: Final = 8
"""Rows of the events from which what is publicly known stands beside them."""
TEACHING: Final = 12
"""Rows of the events from which what the ten cards do stands beside them, too."""

UPRIGHT: Final = 11
"""Rows below the hand on a screen that is high and narrow, as of a phone held upright: its cards
are named there, and the help has all columns, so that it is told in full."""
UPRIGHT_LEAST: Final = 6
"""Fewer rows there are left to the events, which keep two otherwise."""
NAMES: Final = 2
"""Rows of them for the names."""

WIDE: Final = 120
"""Columns from which what is publicly known stands beside the events."""
ROOMY: Final = 150
"""Columns from which what is publicly known stands with what the ten cards do."""
TALL: Final = 32
"""Rows from which zones have air between them and seats a fourth row."""

TABS: Final = 4
"""Rows for covered cards that a Queue of high cards has room for."""

MARGIN: Final = 1
"""Stacks that may come back before cards that have grown within a round are smaller again."""

BREAK: Final = 4
"""Columns at either end of a row for the number and sign of the neighbour in the next."""


class CardSize(Struct, frozen=True):
    """One size of card."""

    name: str
    width: int
    """Columns of the card itself."""
    height: int
    pitch: int
    """Columns from one card to the next; where it is less than the width, a card lies on its
    neighbour's frame."""

    def across(self, cards: int) -> int:
        """Return the columns that so many cards in a row take."""
        return cards * self.pitch + max(0, self.width - self.pitch)


GRAND: Final = CardSize("grand", 17, 12, 18)
"""As `FULL`, with air, and its mark in the middle."""
LARGE: Final = CardSize("large", 14, 10, 15)
"""As `GRAND`, with less air."""
FULL: Final = CardSize("full", 11, 8, 12)
"""Name and purpose in full."""
COMPACT: Final = CardSize("compact", 9, 6, 9)
"""Name, one line of purpose, and dots with a number."""
MINIMAL: Final = CardSize("minimal", 6, 4, 6)
"""A short name and a mark for what the card does."""
NARROW: Final = CardSize("narrow", 6, 4, 5)
"""As `MINIMAL`, with cards on each other's frames."""
MICRO: Final = CardSize("micro", 6, 3, 6)
"""A frame around the name alone."""
SLIM: Final = CardSize("slim", 6, 3, 5)
"""As `MICRO`, with cards on each other's frames."""
TINY: Final = CardSize("tiny", 5, 2, 5)
"""Two rows without a frame."""
CHIP: Final = CardSize("chip", 6, 1, 7)
"""One row, for a hand only: letter and name."""

SIZES: Final = (FULL, COMPACT, MINIMAL, NARROW)
"""Sizes for a Queue in one row, from the largest."""

TALL_SIZES: Final = (GRAND, LARGE, FULL)
"""Sizes that a Queue begins with where there is room, from the largest; with more stacks its cards
are as narrow as those of `SIZES` and lose nothing of their height."""

ROW_SIZES: Final = (MINIMAL, NARROW, MICRO, SLIM, TINY)
"""Sizes for a Queue in rows, from the largest."""

HAND_SIZES: Final = (*TALL_SIZES, COMPACT, MINIMAL, NARROW, MICRO, SLIM, CHIP)
"""Sizes for the hand, from the largest."""

CHOICES: Final = ("auto", FULL.name, COMPACT.name, MINIMAL.name, MICRO.name)
"""What a player may choose as the size of cards."""

AIRY: Final = 16
"""Columns from which a card leaves one to the next: names stand whole in the others."""

NAMED: Final = 7
"""Columns within a card's frame in which every name stands in one row."""

_STEPS: Final = (*TALL_SIZES, COMPACT, *ROW_SIZES)
"""All sizes of a Queue, from the largest."""

_CHOSEN: Final = {size.name: size for size in (FULL, COMPACT, MINIMAL, MICRO)}


class Layout(Struct, frozen=True, kw_only=True):
    """Where everything goes on a screen of one size, for a Queue of up to so many stacks."""

    width: int
    height: int
    card: CardSize
    per_row: int
    """Stacks in one row of the Queue."""
    rows: int
    tabs: int
    """Rows under each row of stacks, for the covered cards that hang there."""
    hand_card: CardSize
    air: int
    """Empty rows between zones."""
    seats: int
    """Rows for the players."""
    prompt: int
    """Rows for the question and what the present choice would do."""
    watching: int = 0
    """Rows that a spectator has where the hand would be; 0 for a player."""
    kept: int = 0
    """Rows at the bottom that are for something else, such as the tutor of the lesson."""
    below: int = 0
    """Rows below the cards of the hand, for their names, and for the help."""

    @property
    def queue_height(self) -> int:
        """Rows of the Queue with its rail and tabs."""
        return self.rows * self.row_height

    @property
    def row_height(self) -> int:
        """Rows of one row of stacks."""
        return RAIL + self.card.height + self.tabs

    def outgrows(self, other: "Layout") -> bool:
        """Whether the Queue has cards of a larger size than another, or as large in fewer rows.

        Cards that lie on each other's frames are no growth.
        """
        rank = [size.name for size in _STEPS].index
        if self.rows > other.rows or self.card.pitch < self.card.width:
            return False
        return (rank(self.card.name), self.rows) < (rank(other.card.name), other.rows)

    @property
    def left(self) -> int:
        """The column of the first stack of a Queue that is broken or has room at its sides."""
        if self.rows == 1 and self.width < WIDE:
            return 1
        return 1 + max(0, self.width - 2 - self.card.across(self.per_row)) // 2

    @property
    def hand_height(self) -> int:
        """Rows of the hand, which are those of the help beside it."""
        return self.watching or HAND_TITLE + self.hand_card.height + self.below

    @property
    def free(self) -> int:
        """Rows that Queue, hand and events share."""
        fixed = HEADER + self.seats + self.prompt + KEYS + self.kept
        return self.height - fixed - 3 * self.air

    @property
    def events_height(self) -> int:
        """Rows that are left for the events."""
        return max(0, self.free - self.queue_height - self.hand_height)

    @property
    def help_width(self) -> int:
        """Columns that the help beside the hand keeps."""
        return HELP_WIDTH if self.width >= COMFORTABLE_WIDTH else HELP_NARROW

    @property
    def hand_least(self) -> int:
        """Columns that the hand keeps when few cards are left: room for what is set aside."""
        return SPACIOUS_HAND if self.width >= COMFORTABLE_WIDTH else NARROW_HAND

    @property
    def knows(self) -> bool:
        """Whether what is publicly known stands beside the events."""
        return self.width >= WIDE and self.events_height >= KNOWING

    @property
    def teaches(self) -> bool:
        """Whether the ten cards stand there with it."""
        return self.width >= ROOMY and self.events_height >= TEACHING


def fit(
    width: int,
    height: int,
    stacks: int,
    tallest: int,
    *,
    chosen: str = CHOICES[0],
    watching: int = 0,
    kept: int = 0,
    hand: int = HAND,
) -> Layout:
    """Return the layout for a Queue of up to `stacks` stacks, up to `tallest` cards high.

    Args:
        width: Of the screen.
        height: Of the screen.
        stacks: How many stacks there may be before sizes may change again.
        tallest: How high they may be.
        chosen: The size of cards that the player wants, one of `CHOICES`; where it has no room,
            the largest that has.
        watching: How many players there are, if the reader is none of them.
        kept: Rows at the bottom that are for something else.
        hand: How many cards the hand has.
    """
    tall = height >= TALL
    seats = 4 if tall else 3 if height >= COMFORTABLE_HEIGHT else 2
    prompt = PROMPT_TALL if tall and width < WIDE else PROMPT
    if width < COMFORTABLE_WIDTH:
        prompt = PROMPT_NARROW
    base = Layout(
        width=width,
        height=height,
        card=MINIMAL,
        per_row=1,
        rows=1,
        tabs=1,
        hand_card=MINIMAL,
        air=int(tall),
        seats=seats,
        prompt=prompt,
        watching=watching and 2,
        kept=kept,
    )
    layout = next(_queues(_QueueSpace(base, max(1, stacks), tallest, chosen)))
    if chosen in (CHOICES[0], FULL.name):
        room = width - 2 - 2 * BREAK * (layout.rows > 1)
        layout = replace(layout, card=_widened(layout.card, layout.per_row, room))
    if watching:
        # What is known stands where the hand would be, if there are rows for it.
        wanted = HAND_TITLE + MINIMAL.height if layout.knows else watching + 1
        more = max(0, min(wanted - layout.watching, layout.events_height - 1))
        return replace(layout, watching=layout.watching + more)
    layout = _with_hand(layout)
    if width < COMFORTABLE_WIDTH and not kept:
        below = min(UPRIGHT, layout.events_height - 2)
        layout = replace(layout, below=below if below >= UPRIGHT_LEAST else 0)
    room = layout.hand_card.across(HAND) if width >= WIDE else layout.hand_least - HAND_MARGIN
    named = hand * (NAMED + 2)
    if width < WIDE and named + HAND_MARGIN <= width - layout.help_width:
        room = max(room, named)
    if layout.below:
        room = width - HAND_MARGIN
    return replace(layout, hand_card=_widened(layout.hand_card, hand, room))


def _widened(size: CardSize, cards: int, room: int) -> CardSize:
    """Return a size as wide as so many columns allow so many cards, for the sake of names."""
    pitch = max(size.pitch, min(room // max(1, cards), max(size.pitch, AIRY)))
    air = int(pitch >= AIRY or size.height == CHIP.height)
    return replace(size, width=max(size.width, pitch - air), pitch=pitch)


class _QueueSpace(Struct, frozen=True):
    """What a Queue has to be laid out in."""

    base: Layout
    stacks: int
    tallest: int
    chosen: str
    """The size of cards that the player wants."""

    @property
    def spare(self) -> int:
        """Rows that Queue and events may have."""
        return _spare(self.base)

    @property
    def tabs(self) -> int:
        """Rows that the highest stack needs for its covered cards."""
        return max(1, self.tallest - 1)

    def in_rows(self, size: CardSize, events: int = 0) -> tuple[Layout, int]:
        """Return rows of cards that are as full as each other, and what each has left for tabs."""
        rows = -(-self.stacks // _most(self.base, size))
        layout = replace(self.base, card=size, rows=rows, per_row=-(-self.stacks // rows))
        return layout, (self.spare - events) // rows - RAIL - size.height


def _queues(space: _QueueSpace) -> Iterator[Layout]:
    """Yield the layouts whose Queue has room, the best first."""
    yield from _with_chosen_cards(space)
    yield from _in_one_high_row(space)
    yield from _in_one_row(space)
    yield from _in_few_rows(space)


def _with_chosen_cards(space: _QueueSpace) -> Iterator[Layout]:
    """Yield the layout with cards of the size that the player wants."""
    size = _CHOSEN.get(space.chosen)
    if size is None:
        return
    layout, room = space.in_rows(size)
    if room >= min(1, space.tallest - 1):
        most = space.tabs if size.height > MICRO.height else 1
        yield replace(layout, tabs=min(most, room))


def _in_one_high_row(space: _QueueSpace) -> Iterator[Layout]:
    """Yield one row of cards as high as the screen allows, and as wide as the row does."""
    base = space.base
    if base.width < WIDE or base.height < TALL or space.chosen != CHOICES[0]:
        return
    queue_rows = _rows_for_queue(base.height)
    high = [size for size in TALL_SIZES if RAIL + size.height + TABS <= queue_rows] or [FULL]
    height = high[0].height
    left = min(space.tabs, space.spare - EVENTS - RAIL - height)
    for size in (*high, *SIZES[1:]):
        layout, _room = space.in_rows(size)
        if layout.rows == 1 and left >= 1:
            yield replace(layout, card=replace(size, height=height), tabs=left)


def _in_one_row(space: _QueueSpace) -> Iterator[Layout]:
    """Yield one row, of the largest cards that stand in it."""
    queue_rows, largest = _rows_for_queue(space.base.height), _CHOSEN.get(space.chosen, FULL).height
    for size in SIZES:
        if size.height > largest:
            continue
        layout, room = space.in_rows(size)
        room = min(room, queue_rows - RAIL - size.height)
        needed = 1 if size.height == MINIMAL.height else max(2, space.tallest - 1)
        if layout.rows == 1 and room >= needed:
            yield replace(layout, tabs=min(space.tabs, room))


def _in_few_rows(space: _QueueSpace) -> Iterator[Layout]:
    """Yield as few rows as it takes, with the largest cards in these; in the end one for sure."""
    fewest, _room = space.in_rows(TINY)
    for margin in (2 * BREAK, 0):
        for size in ROW_SIZES[:-1]:
            is_framed = size.height >= MINIMAL.height
            layout, room = space.in_rows(size, EVENTS * is_framed)
            fits = size.across(layout.per_row) <= space.base.width - 2 - margin
            if layout.rows == fewest.rows and fits and room >= int(is_framed):
                tabs = space.tabs if is_framed else min(1, space.tallest - 1)
                yield replace(layout, tabs=min(tabs, room))
    yield replace(fewest, tabs=0)


def _most(base: Layout, size: CardSize) -> int:
    """Return how many cards of a size stand in a row."""
    return max(1, (base.width - 2 - max(0, size.width - size.pitch)) // size.pitch)


def _spare(base: Layout) -> int:
    """Return the rows that Queue and events may have, if the hand is as small as can be."""
    spare = base.free - (base.watching or HAND_TITLE + CHIP.height)
    # Where there are no events to make room for, the hand comes before large cards in the Queue.
    larger = spare - (MINIMAL.height - CHIP.height)
    return larger if base.kept and larger > RAIL + MINIMAL.height else spare


def _with_hand(layout: Layout) -> Layout:
    """Return the layout with the largest cards in hand that leave room beside and below them."""
    wanted = KNOWING if layout.width < ROOMY else TEACHING
    if layout.width < WIDE or layout.kept:
        wanted = EVENTS
    whole, small, others = [], [], []
    for size in HAND_SIZES:
        held = replace(layout, hand_card=size)
        if (
            size.height > max(layout.card.height, MINIMAL.height)
            or size.across(HAND) + HAND_MARGIN > layout.width - layout.help_width
            or held.hand_height + layout.queue_height > layout.free
        ):
            continue
        # What is kept for something else may do without events.
        least = 0 if layout.kept else EVENTS if size.height > MINIMAL.height else 1
        if size.height >= MINIMAL.height and held.events_height >= wanted:
            whole.append(held)
        elif held.events_height >= least:
            small.append(held)
        others.append(held)
    # Without room for any event the hand is larger rather than the screen empty.
    return [*whole, *small, *others, replace(layout, hand_card=CHIP)][0]


def _rows_for_queue(height: int) -> int:
    """6 rows of 20, 10 of 24, 13 of 40, 16 of 50."""
    if height < COMFORTABLE_HEIGHT:
        return 10 - (COMFORTABLE_HEIGHT - height)
    return 10 + (height - COMFORTABLE_HEIGHT) * 6 // 26


class QueueRoom(Struct, frozen=True):
    """What a round has needed so far, and may need."""

    stacks: int = 0
    """How many stacks have stood in the Queue, or are sure to: there are no fewer rows than these
    need."""
    possible: int = 0
    """How many stacks may stand there yet: cards are small enough for these, but not at the cost of
    a row."""
    tallest: int = 0
    hand: int = HAND
    """How many cards a hand has when the round begins."""
    gone: int = 0
    """How many of the possible stacks are so no longer, since cards are resolved."""

    def after(self, view: View) -> "QueueRoom":
        """Return the room for what there was and for what a view may still lead to.

        When a round begins, and once the game is over, the room is for what there is alone.
        """
        hand = HAND + 1 - view.round
        past = QueueRoom() if view.over or hand != self.hand else self
        tallest = max((height(stack) for stack in view.queue), default=1)
        stacks = possible = len(view.queue)
        if view.asked == PLACE:
            stacks += sum(len(held) == hand for held in view.hands)
            possible = stacks
            tallest += 1
        elif tallest > 1 and decree_may_come(view):
            possible += 1
            if view.asked == ROYAL_DECREE:
                stacks = possible
        gone = max(0, past.possible - possible)
        return QueueRoom(
            max(past.stacks, stacks),
            max(past.possible, possible),
            max(past.tallest, tallest),
            hand,
            0 if view.asked == PLACE else min(max(past.gone, gone), gone + MARGIN),
        )

    def layout(
        self,
        width: int,
        height: int,
        *,
        chosen: str = CHOICES[0],
        watching: int = 0,
        kept: int = 0,
    ) -> Layout:
        """Return the layout for a screen of a size.

        It is that of the whole round until a larger size of card has room for what is left and a
        margin, and from then on the one with these.
        """

        def fitting(stacks: int) -> Layout:
            return fit(
                width,
                height,
                stacks,
                self.tallest,
                chosen=chosen,
                watching=watching,
                kept=kept,
                hand=self.hand,
            )

        layout, sure = fitting(self.possible), fitting(self.stacks)
        if layout.rows != sure.rows:
            layout = sure
        for gone in range(1, self.gone - MARGIN + 1):
            larger = fitting(self.possible - gone)
            if larger.outgrows(layout):
                return larger
        return layout


def decree_may_come(view: View) -> bool:
    """Whether a Royal Decree may yet be resolved this round, for all that the reader knows."""
    if view.asked == ROYAL_DECREE:
        return True
    ahead = view.queue[max(0, view.at) :]
    for seat in range(view.players):
        unseen = not knowledge(view, seat)[ROYAL_DECREE]
        cards = [card for stack in ahead if stack[0] == seat for card, _up, _n in cards_in(stack)]
        if ROYAL_DECREE in cards or (unseen and UNKNOWN in cards):
            return True
    return False
