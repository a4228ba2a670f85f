"""Tests the layout of the table on the screen, and that clicks find the drawn parts."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import (
    CHIP,
    CHOICES,
    COMPACT,
    FULL,
    GRAND,
    HAND_MARGIN,
    HEADER,
    HELP_WIDTH,
    KEYS,
    LARGE,
    MICRO,
    MINIMAL,
    NAME_COLUMNS,
    NARROW_CARD,
    RAIL,
    SLIM,
    TINY,
    WIDE_COLUMNS,
    CardSize,
    Layout,
    QueueSpace,
    fit,
)
from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.widgets.table.queue import Geometry
from driflamme_tui.wording.game.names import card_name, card_name_for
from engine.cards import CARDS, HAND, MAXIMUM_STACKS
from tests.support.tables import seen

RANK = ("tiny", "micro slim", "minimal narrow", "compact", "full", "large", "grand")


def rank(card: CardSize) -> int:
    """Return the rank of a card's size, by width."""
    return next(rank for rank, names in enumerate(RANK) if card.name in names)


def drawn(card: CardSize, width: int, height: int = 0) -> CardSize:
    """Return a card's size with this width and height; a height of 0 keeps the card's own."""
    return replace(card, width=width, height=height or card.height, pitch=width)


WIDTHS = (60, 67, 79, 80, 96, 119, 120, 150, 160, 200)
HEIGHTS = (20, 22, 23, 24, 28, 31, 32, 40, 50, 60)
STACKS = range(1, MAXIMUM_STACKS + 1)
TALLEST = (1, 2, 3, 6)


fitted = cache(fit)


@cache
def layouts() -> list[tuple[int, int, Layout]]:
    """Return all layouts, each with the number of stacks and the height of the tallest."""
    return [
        (stacks, tallest, fitted(width, height, stacks, tallest))
        for width in WIDTHS
        for height in HEIGHTS
        for stacks in STACKS
        for tallest in TALLEST
    ]


def rows_taken(layout: Layout) -> int:
    """Return the number of rows of all zones except the events."""
    zones = layout.seats, layout.queue_height, layout.hand_height
    return HEADER + layout.prompt + KEYS + sum(zones) + layout.air * len(zones)


def test_the_zones_never_need_more_rows_than_there_are() -> None:
    for _stacks, _tallest, layout in layouts():
        assert rows_taken(layout) + layout.events_height == layout.height
        assert layout.events_height >= 0


def test_every_stack_has_its_place_within_the_width() -> None:
    for stacks, _tallest, layout in layouts():
        assert layout.per_row * layout.rows >= stacks
        assert layout.card.across(layout.per_row) <= layout.width - 2
        assert (layout.rows - 1) * layout.per_row < stacks, "no row is empty"


def test_the_queue_is_one_row_for_as_long_as_the_narrowest_cards_allow() -> None:
    for stacks, _tallest, layout in layouts():
        assert (layout.rows == 1) == (TINY.across(stacks) <= layout.width - 2)
        if NARROW_CARD.across(stacks) <= layout.width - 2:
            assert layout.card.height >= MINIMAL.height


def test_a_whole_hand_fits_beside_the_help() -> None:
    for _stacks, _tallest, layout in layouts():
        # When a Queue leaves no row for larger cards, two cards have been played.
        cards = HAND - 2 * (layout.hand_card.height == CHIP.height)
        hand = layout.hand_card.across(cards) + HAND_MARGIN
        assert hand <= layout.width - layout.help_width * (not layout.below)


def test_covered_cards_have_a_row_or_are_counted_on_the_frame() -> None:
    for _stacks, tallest, layout in layouts():
        if rank(layout.card) >= rank(NARROW_CARD):
            assert 1 <= layout.tabs <= max(1, tallest - 1)
        else:
            assert 0 <= layout.tabs <= 1


def test_at_80_by_24_covered_cards_are_always_seen_in_an_unbroken_queue() -> None:
    for stacks in range(1, 16):
        for tallest in TALLEST:
            layout = fit(80, 24, stacks, tallest)
            assert layout.tabs == max(1, tallest - 1)
            assert layout.events_height >= 1


def test_a_larger_screen_never_makes_smaller_cards() -> None:
    for stacks in STACKS:
        for tallest in TALLEST:
            for height in HEIGHTS:
                wider = [fitted(width, height, stacks, tallest) for width in WIDTHS]
                ranks = [rank(layout.card) for layout in wider if layout.rows == 1]
                assert ranks == sorted(ranks)
            for width in (60, 80, 120):
                # From 32 rows on, the zones have more rows, so compare cards separately there.
                for heights in ((24, 28, 31), (32, 40, 50, 60)):
                    taller = [rank(fitted(width, high, stacks, tallest).card) for high in heights]
                    assert taller == sorted(taller)


@pytest.mark.parametrize(
    ("size", "stacks", "tallest", "card", "rows"),
    [
        ((80, 24), 5, 2, replace(COMPACT, width=15, pitch=15), 1),
        ((80, 24), 9, 2, drawn(MINIMAL, 8), 1),
        ((80, 24), 14, 2, NARROW_CARD, 1),
        ((80, 24), 16, 2, drawn(MICRO, 8), 2),
        ((80, 24), 26, 2, SLIM, 2),
        ((60, 20), 11, 3, NARROW_CARD, 1),
        ((60, 20), 12, 2, drawn(MICRO, 8), 2),
        ((60, 20), 30, 6, TINY, 3),
        ((200, 20), 30, 6, MINIMAL, 1),
        ((120, 40), 20, 6, replace(NARROW_CARD, height=FULL.height), 1),
        ((120, 40), 9, 3, drawn(FULL, 13), 1),
        ((120, 40), 13, 3, drawn(COMPACT, 9, FULL.height), 1),
        ((120, 40), 19, 3, drawn(MINIMAL, 6, FULL.height), 1),
        ((160, 50), 10, 3, replace(LARGE, width=15), 1),
        ((200, 60), 11, 3, GRAND, 1),
        ((200, 60), 30, 6, drawn(MINIMAL, 6, GRAND.height), 1),
    ],
)
def test_sizes_of_the_design(
    size: tuple[int, int], stacks: int, tallest: int, card: object, rows: int
) -> None:
    layout = fit(*size, stacks, tallest)
    assert (layout.card, layout.rows) == (card, rows)


def test_every_size_that_a_player_may_choose_fits_or_gives_way() -> None:
    for width in (60, 80, 120, 200):
        for height in (20, 24, 32, 50):
            for stacks in (1, 9, 13, 15, 30):
                for chosen in CHOICES:
                    layout = fit(width, height, stacks, 3, chosen=chosen)
                    assert rows_taken(layout) + layout.events_height == height
                    assert layout.card.across(layout.per_row) <= width - 2
                    assert layout.per_row * layout.rows >= stacks
    assert fit(160, 50, 13, 2, chosen="micro").card is MICRO
    assert fit(80, 40, 13, 2, chosen="compact").card is COMPACT, "in two rows"
    assert fit(80, 24, 13, 2, chosen="full").card == MINIMAL, "there is no room"
    assert fit(160, 50, 5, 2, chosen="minimal").card is MINIMAL


def test_a_spectator_has_a_row_for_every_player_where_the_hand_would_be() -> None:
    for width, height in ((80, 24), (80, 40), (100, 30)):
        assert fit(width, height, 9, 2, watching=5).hand_height == 6
    for width in WIDTHS:
        for height in HEIGHTS:
            layout = fit(width, height, 30, 6, watching=5)
            assert rows_taken(layout) + layout.events_height == height


# The number of stacks with reserved space


def space_at(line: str) -> QueueSpace:
    return QueueSpace().after(seen(line))


def test_while_cards_are_placed_room_is_kept_for_all_that_may_come() -> None:
    assert space_at("2 3 b* rS,bh2,gP *r3,b5,g2") == QueueSpace(5, 5, 2, 5)


def test_a_place_is_kept_for_a_decree_only_while_one_may_come() -> None:
    tall = "rS/ra,bh,bl"
    assert space_at(f"2 3 b?2 {tall} *r3,b5,g2").possible == 3, "all that is ahead is known"
    assert space_at(f"2 3 b?2 {tall},gl *r3,b5,g2").possible == 5, "that may be one"
    assert space_at(f"2 3 b?2 {tall},gl *r3,b5,g2:ASPH:FXM:DC").possible == 4, "Green's is out"
    assert space_at("2 3 b?2 rS,bh,bl,gl *r3,b5,g2").possible == 4, (
        "no card leaves a place of its own"
    )


def test_the_place_for_a_decree_does_not_break_the_queue_before_one_is_there() -> None:
    possible, moved = QueueSpace(15, 16, 3), QueueSpace(16, 16, 3)
    assert possible.layout(80, 24).rows == 1
    assert moved.layout(80, 24).rows == 2
    assert QueueSpace(12, 13, 3).layout(80, 24) == fit(80, 24, 13, 3)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (160, 50)])
@pytest.mark.parametrize("most", range(5, 22))
def test_cards_grow_once_as_stacks_go_and_only_with_a_margin(
    size: tuple[int, int], most: int
) -> None:
    kept = QueueSpace(most, most, 2).layout(*size)
    grown = [QueueSpace(most, most, 2, gone=gone).layout(*size) for gone in range(most)]
    changes = [index for index in range(1, most) if grown[index] != grown[index - 1]]
    assert grown[0] == kept
    assert len(changes) <= 1
    for gone in changes:
        larger = grown[gone]
        assert larger.rows * larger.per_row > most - gone, "one may come back"
        assert larger.card.across(larger.per_row) <= size[0] - 2
        assert larger.card.pitch >= larger.card.width
        assert larger.rows < kept.rows or larger.card.pitch > kept.card.pitch
    last = grown[-2]
    squeezed = last.card.pitch < last.card.width
    assert not squeezed, "two cards do not lie on each other"


def test_the_room_is_for_what_there_is_once_the_game_is_over() -> None:
    space = QueueSpace(15, 16, 3, 2)
    assert space.after(seen("2 6 b* rS,bH,gP *r3,b5,g2")).possible == 16, "it is the same round"
    assert space.after(seen("2 6 - rS,bH,gP *r3,b5,g2")).possible == 3
    assert space.after(seen("2 5 b* rS,bH,gP *r3,b5,g2")).possible < 15, "another round has begun"


# The place of a stack, and the stack at a cell


def geometries() -> Iterator[Geometry]:
    for size in ((60, 20), (80, 24), (97, 33), (120, 40), (200, 60)):
        for planned in (1, 2, 5, 11, 13, 15, 20, 27, 30):
            layout = fit(*size, planned, 3)
            for stacks in {1, max(1, planned // 2), planned}:
                for mirrored in (False, True):
                    yield Geometry(layout, stacks, size[0], mirrored)


def cells_of(geometry: Geometry, index: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a stack: rail, top card and tabs."""
    _x, y = geometry.place(index)
    for row in range(geometry.layout.row_height):
        for column in geometry.cells(index):
            yield column, y + row


def test_stacks_stand_within_the_screen_and_never_on_each_other() -> None:
    for geometry in geometries():
        cells = [cell for index in range(geometry.stacks) for cell in cells_of(geometry, index)]
        assert len(set(cells)) == len(cells)
        assert all(1 <= x < geometry.width - 1 for x, _y in cells)
        assert all(0 <= y < geometry.layout.queue_height for _x, y in cells)


def test_a_click_on_any_cell_of_a_stack_hits_that_stack() -> None:
    for geometry in geometries():
        for index in range(geometry.stacks):
            for x, y in cells_of(geometry, index):
                hit = geometry.hit(x, y)
                assert hit is not None
                assert hit[0] == index
                assert 0 <= hit[1] <= 1


def test_the_bars_stand_outside_the_ends_and_belong_to_them() -> None:
    for geometry in geometries():
        stacks = {cell for index in range(geometry.stacks) for cell in cells_of(geometry, index)}
        for bar, end in (
            (geometry.start_bar(), (0, 0.0)),
            (geometry.end_bar(), (geometry.stacks - 1, 1.0)),
        ):
            assert bar not in stacks
            assert 0 <= bar[0] < geometry.width
            assert geometry.hit(*bar) == end


def test_the_first_stack_is_on_the_side_where_the_direction_begins() -> None:
    for geometry in geometries():
        x, y = geometry.place(0)
        assert y == 0
        if geometry.mirrored:
            assert x + geometry.layout.card.width == geometry.width - geometry.layout.left
        else:
            assert x == geometry.layout.left
        if geometry.layout.rows == 1 and geometry.width < WIDE_COLUMNS:
            assert geometry.layout.left == 1


def test_from_120_columns_the_queue_stands_in_the_middle() -> None:
    for width, height in ((120, 24), (120, 40), (200, 60)):
        for stacks in (1, 9, 13, 20):
            layout = fit(width, height, stacks, 2)
            beside = width - layout.card.across(stacks)
            assert layout.left == beside // 2


def test_beside_the_stacks_of_a_row_is_the_outer_edge_of_its_last() -> None:
    for geometry in geometries():
        layout = geometry.layout
        rows = -(-geometry.stacks // layout.per_row)
        for row in range(layout.rows):
            y = row * layout.row_height + RAIL
            left, right = geometry.hit(0, y), geometry.hit(geometry.width - 1, y)
            if row >= rows:
                assert left is right is None
                continue
            first = row * layout.per_row
            last = min(geometry.stacks, first + layout.per_row) - 1
            ends = [(first, 0.0), (last, 1.0)]
            assert [left, right] == (ends[::-1] if geometry.mirrored else ends)


def test_nothing_is_hit_below_the_queue_or_in_an_empty_one() -> None:
    layout = fit(80, 24, 5, 2)
    assert Geometry(layout, 5, 80).hit(3, layout.queue_height) is None
    assert Geometry(layout, 0, 80).hit(3, 3) is None


def test_names_in_a_hand_are_broken_only_where_they_would_take_room_from_the_help() -> None:
    for width, hand in product(range(60, 120), range(1, 8)):
        layout = fit(width, 24, 8, 2, hand=hand)
        space = max(layout.hand_least, width - HELP_WIDTH)
        is_wide_enough = hand * (NAME_COLUMNS + 2) + HAND_MARGIN <= space
        if layout.hand_card.height == MINIMAL.height and is_wide_enough:
            assert layout.hand_card.width - 2 >= NAME_COLUMNS, (width, hand)


@pytest.mark.parametrize("language", available_languages())
def test_every_name_stands_in_one_row_of_a_card_that_is_wide_enough(language: str) -> None:
    set_language(language)
    for card in CARDS:
        size = replace(MINIMAL, width=NAME_COLUMNS + 2, pitch=NAME_COLUMNS + 2)
        canvas = Canvas(size.width, size.height)
        draw_card(canvas, 0, 0, size, Face("r", card, True), CardLook.PLAIN, key=True)
        shown = [strip.text[1:-1].strip() for strip in canvas.strips()[1:-1]]
        name = card_name_for(card, NAME_COLUMNS)
        assert shown in ([name, ""], card_name(card).split()), shown
