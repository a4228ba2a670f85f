"""Computes the layout of the table: sizes of cards and heights of zones.

Neighbours decide the game, so one row of small cards is better than two rows of large ones. The
Queue has several rows only if the smallest cards do not fit in one.

Sizes are chosen for all cards that may still come in a round, so that nothing moves while a player
chooses. Cards grow within a round once enough stacks have gone.
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
"""Minimum columns of the screen. Below it, a request for a larger window covers the screen."""
MINIMUM_HEIGHT: Final = 20
"""Minimum rows of the screen. Below it, a request for a larger window covers the screen."""

COMFORTABLE_WIDTH: Final = 80
"""Columns below which the prompt has more rows and the hand has less space beside it."""
COMFORTABLE_HEIGHT: Final = 24
"""Rows below which players have two rows."""

HEADER: Final = 1
"""Number of rows that the header of the table fills."""
KEYS: Final = 1
"""Rows of the key bar."""
HAND_TITLE: Final = 1
"""Rows above the cards of the hand."""
RAIL: Final = 1
"""Rows of positions above the stacks of the Queue."""

PROMPT: Final = 3
"""Rows of the prompt: the question, and two for the effect."""
PROMPT_TALL: Final = 4
"""Rows of the prompt on a screen of `TALL` rows but fewer than `WIDE_COLUMNS` columns."""
PROMPT_NARROW: Final = 5
"""Rows of the prompt on a narrow screen, where question and effect may be long."""

HAND_MARGIN: Final = 3
"""Columns beside the cards of the hand."""
SPACIOUS_HAND: Final = 38
"""Minimum columns of the hand, except on a narrow screen."""
NARROW_HAND: Final = 30
"""Minimum columns of the hand on a narrow screen."""
HELP_WIDTH: Final = 30
"""Minimum columns of the card help beside the hand, except on a narrow screen."""
HELP_NARROW: Final = 20
"""Minimum columns of the card help beside the hand on a narrow screen."""
EVENTS: Final = 3
"""Minimum rows of the events. If fewer are left, the hand has small cards."""
KNOWING: Final = 8
"""Minimum rows of the events for showing public knowledge beside them."""
TEACHING: Final = 12
"""Minimum rows of the events for also showing the ten cards' rules beside them."""

UPRIGHT: Final = 11
"""Maximum rows below the hand on a screen with fewer columns than `COMFORTABLE_WIDTH`, such as that
of a phone held upright. These rows show the names of the cards, and the card help below them.
"""
UPRIGHT_LEAST: Final = 6
"""Minimum rows below the hand, for names and card help, on an upright screen. If fewer are left,
the events get all of them.
"""
NAMES: Final = 2
"""Rows below the hand that show names of cards on an upright screen."""

WIDE_COLUMNS: Final = 120
"""Minimum columns of the screen for showing public knowledge beside the events."""
ROOMY: Final = 150
"""Minimum columns of the screen for also showing the ten cards' rules."""
TALL: Final = 32
"""Minimum rows of the screen for space between zones and a fourth row of seats."""

TABS: Final = 4
"""Rows that stay free below the Queue, for covered cards, if its cards have one of `TALL_SIZES`."""

MARGIN: Final = 1
"""Number of stacks that may return before cards that have grown must shrink again within a round.
"""

BREAK: Final = 4
"""Columns at both ends of a row of the Queue, for number and sign of the neighbour in the next
row.
"""


class CardSize(Struct, frozen=True):
    """One of the sizes in which the table draws cards, with the distances between cards."""

    name: str
    width: int
    """Columns of the card itself."""
    height: int
    pitch: int
    """Columns from one card to the next. If they are fewer than the width, a card overlaps its
    neighbour's frame.
    """

    def across(self, cards: int) -> int:
        """Return the columns of a row with this number of cards."""
        return cards * self.pitch + max(0, self.width - self.pitch)


GRAND: Final = CardSize("grand", 17, 12, 18)
"""Like `FULL`, with more space, and the card's mark in the middle."""
LARGE: Final = CardSize("large", 14, 10, 15)
"""Like `GRAND`, with less space inside."""
FULL: Final = CardSize("full", 11, 8, 12)
"""Name and purpose are shown in full."""
COMPACT: Final = CardSize("compact", 9, 6, 9)
"""Name, one line of purpose, and dots with a number."""
MINIMAL: Final = CardSize("minimal", 6, 4, 6)
"""A short name and a mark for the card's purpose."""
NARROW_CARD: Final = CardSize("narrow", 6, 4, 5)
"""Like `MINIMAL`, with overlapping frames."""
MICRO: Final = CardSize("micro", 6, 3, 6)
"""A frame around only the name."""
SLIM: Final = CardSize("slim", 6, 3, 5)
"""Like `MICRO`, with overlapping frames."""
TINY: Final = CardSize("tiny", 5, 2, 5)
"""Two rows without a frame."""
CHIP: Final = CardSize("chip", 6, 1, 7)
"""One row, only for a hand: letter and name."""

SIZES: Final = (FULL, COMPACT, MINIMAL, NARROW_CARD)
"""Sizes of a Queue in one row, largest first."""

TALL_SIZES: Final = (GRAND, LARGE, FULL)
"""Sizes of a Queue on a large screen, largest first. With more stacks the cards become as narrow as
the cards of `SIZES`, but keep their height.
"""

ROW_SIZES: Final = (MINIMAL, NARROW_CARD, MICRO, SLIM, TINY)
"""Sizes of a Queue in several rows, largest first."""

HAND_SIZES: Final = (*TALL_SIZES, COMPACT, MINIMAL, NARROW_CARD, MICRO, SLIM, CHIP)
"""Sizes of the hand, largest first."""

CHOICES: Final = ("auto", FULL.name, COMPACT.name, MINIMAL.name, MICRO.name)
"""The sizes of cards that a player may choose."""

AIRY: Final = 16
"""Minimum pitch, in columns, at which a card leaves one column as a gap. Every name fits in the
other columns.
"""

NAME_COLUMNS: Final = 7
"""Minimum columns within a frame to show every name."""

_STEPS: Final = (*TALL_SIZES, COMPACT, *ROW_SIZES)
"""All sizes of a Queue, largest first."""

_CHOSEN: Final = {size.name: size for size in (FULL, COMPACT, MINIMAL, MICRO)}


class Layout(Struct, frozen=True, kw_only=True):
    """The layout of a screen, for a Queue with up to a given number of stacks."""

    width: int
    height: int
    card: CardSize
    per_row: int
    """Number of stacks in one row of the Queue."""
    rows: int
    tabs: int
    """Rows for covered cards below each row of stacks."""
    hand_card: CardSize
    air: int
    """Empty rows between zones."""
    seats: int
    """Rows for the players."""
    prompt: int
    """Rows for the question and the effect of the present choice."""
    watching: int = 0
    """Rows that a spectator sees in place of a hand; 0 for a player."""
    kept: int = 0
    """Rows that are reserved at the bottom, for example for the panel of the lesson; 0 for none."""
    below: int = 0
    """Rows below the cards of the hand, for their names and the card help; 0 except on an upright
    screen.
    """

    @property
    def queue_height(self) -> int:
        """Rows of the Queue with its rail and tabs."""
        return self.rows * self.row_height

    @property
    def row_height(self) -> int:
        """Height of one row of stacks, in terminal rows."""
        return RAIL + self.card.height + self.tabs

    def outgrows(self, other: "Layout") -> bool:
        """Return True if this layout has larger cards than another, or equal cards in fewer rows.

        A layout with more rows than the other, or with overlapping frames, never outgrows it.
        """
        rank = [size.name for size in _STEPS].index
        if self.rows > other.rows or self.card.pitch < self.card.width:
            return False
        return (rank(self.card.name), self.rows) < (rank(other.card.name), other.rows)

    @property
    def left(self) -> int:
        """The column of the first stack.

        A single row begins at column 1 if the screen has fewer than `WIDE_COLUMNS` columns. Any
        other Queue is centred.
        """
        if self.rows == 1 and self.width < WIDE_COLUMNS:
            return 1
        return 1 + max(0, self.width - 2 - self.card.across(self.per_row)) // 2

    @property
    def hand_height(self) -> int:
        """Rows of the hand and the card help; for a spectator, of the zone in their place."""
        return self.watching or HAND_TITLE + self.hand_card.height + self.below

    @property
    def free(self) -> int:
        """Rows that Queue, hand and events share."""
        fixed = HEADER + self.seats + self.prompt + KEYS + self.kept
        return self.height - fixed - 3 * self.air

    @property
    def events_height(self) -> int:
        """Rows of the events."""
        return max(0, self.free - self.queue_height - self.hand_height)

    @property
    def help_width(self) -> int:
        """Minimum columns of the card help beside the hand."""
        return HELP_WIDTH if self.width >= COMFORTABLE_WIDTH else HELP_NARROW

    @property
    def hand_least(self) -> int:
        """Minimum columns of the hand, enough for the cards set aside."""
        return SPACIOUS_HAND if self.width >= COMFORTABLE_WIDTH else NARROW_HAND

    @property
    def knows(self) -> bool:
        """True if public knowledge is shown beside the events."""
        return self.width >= WIDE_COLUMNS and self.events_height >= KNOWING

    @property
    def teaches(self) -> bool:
        """True if the rules of the ten cards are shown together with public knowledge."""
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
        width: Columns of the screen.
        height: Rows of the screen.
        stacks: Maximum number of stacks until sizes may change again.
        tallest: Maximum number of cards in a stack.
        chosen: The player's size of cards, one of `CHOICES`. If it does not fit, the largest size
            that fits is used.
        watching: Number of players for a spectator; 0 for a player.
        kept: Rows reserved at the bottom.
        hand: Number of cards in the hand.
    """
    tall = height >= TALL
    seats = 4 if tall else 3 if height >= COMFORTABLE_HEIGHT else 2
    prompt = PROMPT_TALL if tall and width < WIDE_COLUMNS else PROMPT
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
        free = width - 2 - 2 * BREAK * (layout.rows > 1)
        layout = replace(layout, card=_widened(layout.card, layout.per_row, free))
    if watching:
        # A spectator has no hand: use its rows for public knowledge if enough are free.
        wanted = HAND_TITLE + MINIMAL.height if layout.knows else watching + 1
        more = max(0, min(wanted - layout.watching, layout.events_height - 1))
        return replace(layout, watching=layout.watching + more)
    layout = _with_hand(layout)
    if width < COMFORTABLE_WIDTH and not kept:
        below = min(UPRIGHT, layout.events_height - 2)
        layout = replace(layout, below=below if below >= UPRIGHT_LEAST else 0)
    free = (
        layout.hand_card.across(HAND) if width >= WIDE_COLUMNS else layout.hand_least - HAND_MARGIN
    )
    named = hand * (NAME_COLUMNS + 2)
    if width < WIDE_COLUMNS and named + HAND_MARGIN <= max(layout.hand_least, width - HELP_WIDTH):
        free = max(free, named)
    if layout.below:
        free = width - HAND_MARGIN
    return replace(layout, hand_card=_widened(layout.hand_card, hand, free))


def _widened(size: CardSize, cards: int, free: int) -> CardSize:
    """Return a size widened so that `cards` cards fill the free columns.

    The pitch grows to at most `AIRY`.
    """
    pitch = max(size.pitch, min(free // max(1, cards), max(size.pitch, AIRY)))
    air = int(pitch >= AIRY or size.height == CHIP.height)
    return replace(size, width=max(size.width, pitch - air), pitch=pitch)


class _QueueSpace(Struct, frozen=True):
    """The measures from which the place and size of the Queue's cards are computed."""

    base: Layout
    stacks: int
    tallest: int
    chosen: str
    """The size of cards that the player has chosen, or `auto`."""

    @property
    def spare(self) -> int:
        """Rows that Queue and events share."""
        return _spare(self.base)

    @property
    def tabs(self) -> int:
        """Rows for the covered cards of the highest stack."""
        return max(1, self.tallest - 1)

    def in_rows(self, size: CardSize, events: int = 0) -> tuple[Layout, int]:
        """Return a layout with evenly filled rows of cards, and the free rows below each.

        `events` is the number of rows to leave for events.
        """
        rows = -(-self.stacks // _most(self.base, size))
        layout = replace(self.base, card=size, rows=rows, per_row=-(-self.stacks // rows))
        return layout, (self.spare - events) // rows - RAIL - size.height


def _queues(space: _QueueSpace) -> Iterator[Layout]:
    """Yield the layouts in which the Queue fits, best first."""
    yield from _with_chosen_cards(space)
    yield from _in_one_high_row(space)
    yield from _in_one_row(space)
    yield from _in_few_rows(space)


def _with_chosen_cards(space: _QueueSpace) -> Iterator[Layout]:
    """Yield the layout with cards of the size that the player has chosen.

    Yield nothing if the player has chosen `auto`, or if that size does not fit.
    """
    size = _CHOSEN.get(space.chosen)
    if size is None:
        return
    layout, free = space.in_rows(size)
    if free >= min(1, space.tallest - 1):
        most = space.tabs if size.height > MICRO.height else 1
        yield replace(layout, tabs=min(most, free))


def _in_one_high_row(space: _QueueSpace) -> Iterator[Layout]:
    """Yield layouts of one row, with the highest cards that fit the screen.

    Yield nothing on a small screen, or if the player has chosen a size.
    """
    base = space.base
    if base.width < WIDE_COLUMNS or base.height < TALL or space.chosen != CHOICES[0]:
        return
    queue_rows = _rows_for_queue(base.height)
    high = [size for size in TALL_SIZES if RAIL + size.height + TABS <= queue_rows] or [FULL]
    height = high[0].height
    left = min(space.tabs, space.spare - EVENTS - RAIL - height)
    for size in (*high, *SIZES[1:]):
        layout, _free = space.in_rows(size)
        if layout.rows == 1 and left >= 1:
            yield replace(layout, card=replace(size, height=height), tabs=left)


def _in_one_row(space: _QueueSpace) -> Iterator[Layout]:
    """Yield layouts of one row, largest cards first; none is larger than the chosen size."""
    queue_rows, largest = _rows_for_queue(space.base.height), _CHOSEN.get(space.chosen, FULL).height
    for size in SIZES:
        if size.height > largest:
            continue
        layout, free = space.in_rows(size)
        free = min(free, queue_rows - RAIL - size.height)
        needed = 1 if size.height == MINIMAL.height else max(2, space.tallest - 1)
        if layout.rows == 1 and free >= needed:
            yield replace(layout, tabs=min(space.tabs, free))


def _in_few_rows(space: _QueueSpace) -> Iterator[Layout]:
    """Yield layouts with as few rows as possible, largest cards first.

    The last layout has the smallest cards, even if they do not fit.
    """
    fewest, _free = space.in_rows(TINY)
    for margin in (2 * BREAK, 0):
        for size in ROW_SIZES[:-1]:
            is_framed = size.height >= MINIMAL.height
            layout, free = space.in_rows(size, EVENTS * is_framed)
            fits = size.across(layout.per_row) <= space.base.width - 2 - margin
            if layout.rows == fewest.rows and fits and free >= int(is_framed):
                tabs = space.tabs if is_framed else min(1, space.tallest - 1)
                yield replace(layout, tabs=min(tabs, free))
    yield replace(fewest, tabs=0)


def _most(base: Layout, size: CardSize) -> int:
    """Return the number of cards of a size that fit in a row."""
    return max(1, (base.width - 2 - max(0, size.width - size.pitch)) // size.pitch)


def _spare(base: Layout) -> int:
    """Return the rows of Queue and events if the hand has its smallest size."""
    spare = base.free - (base.watching or HAND_TITLE + CHIP.height)
    # A screen with reserved rows shows no events: there, the hand's size is more important.
    larger = spare - (MINIMAL.height - CHIP.height)
    return larger if base.kept and larger > RAIL + MINIMAL.height else spare


def _with_hand(layout: Layout) -> Layout:
    """Return the layout with the largest hand that leaves space beside and below it."""
    wanted = KNOWING if layout.width < ROOMY else TEACHING
    if layout.width < WIDE_COLUMNS or layout.kept:
        wanted = EVENTS
    whole, small, others = [], [], []
    for size in HAND_SIZES:
        with_hand = replace(layout, hand_card=size)
        if (
            size.height > max(layout.card.height, MINIMAL.height)
            or size.across(HAND) + HAND_MARGIN > layout.width - layout.help_width
            or with_hand.hand_height + layout.queue_height > layout.free
        ):
            continue
        # The reserved rows may leave no rows for events.
        least = 0 if layout.kept else EVENTS if size.height > MINIMAL.height else 1
        if size.height >= MINIMAL.height and with_hand.events_height >= wanted:
            whole.append(with_hand)
        elif with_hand.events_height >= least:
            small.append(with_hand)
        others.append(with_hand)
    # If no event fits anyway, choose the largest hand, to fill the screen.
    return [*whole, *small, *others, replace(layout, hand_card=CHIP)][0]


def _rows_for_queue(height: int) -> int:
    """Return the Queue's share of a screen's rows: 6 of 20, 10 of 24, 13 of 40, 16 of 50."""
    if height < COMFORTABLE_HEIGHT:
        return 10 - (COMFORTABLE_HEIGHT - height)
    return 10 + (height - COMFORTABLE_HEIGHT) * 6 // 26


class QueueSpace(Struct, frozen=True):
    """The space that the Queue of a round has needed so far, and may still need."""

    stacks: int = 0
    """Maximum number of stacks so far, including stacks that are certain. The rows have space for
    them.
    """
    possible: int = 0
    """Number of stacks that are possible later. Cards become small enough for them, if that costs
    no row.
    """
    tallest: int = 0
    hand: int = HAND
    """Number of cards in a hand at the beginning of the round."""
    gone: int = 0
    """Number of stacks that were possible, but are no longer, since cards were resolved."""

    def after(self, view: View) -> "QueueSpace":
        """Return the space for everything up to a view, and everything still possible.

        The space begins anew with each round, and at the end of the game.
        """
        hand = HAND + 1 - view.round
        past = QueueSpace() if view.over or hand != self.hand else self
        tallest = max((height(stack) for stack in view.queue), default=1)
        stacks = possible = len(view.queue)
        if view.question == PLACE:
            stacks += sum(len(in_hand) == hand for in_hand in view.hands)
            possible = stacks
            tallest += 1
        elif tallest > 1 and decree_may_come(view):
            possible += 1
            if view.question == ROYAL_DECREE:
                stacks = possible
        gone = max(0, past.possible - possible)
        return QueueSpace(
            max(past.stacks, stacks),
            max(past.possible, possible),
            max(past.tallest, tallest),
            hand,
            0 if view.question == PLACE else min(max(past.gone, gone), gone + MARGIN),
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
        """Return the layout for a screen of this size; `fit` explains the other arguments.

        The layout stays the same in a round until larger cards fit the remaining stacks and
        `MARGIN` more.
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
    """Return True if a Royal Decree may still resolve in this round, to the reader's knowledge."""
    if view.question == ROYAL_DECREE:
        return True
    ahead = view.queue[max(0, view.at) :]
    for seat in range(view.players):
        unseen = not knowledge(view, seat)[ROYAL_DECREE]
        cards = [card for stack in ahead if stack[0] == seat for card, _up, _n in cards_in(stack)]
        if ROYAL_DECREE in cards or (unseen and UNKNOWN in cards):
            return True
    return False
