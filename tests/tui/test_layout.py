"""How the table shares out the screen, and that a click finds what is drawn under it."""

from collections.abc import Iterator

import pytest

from driflamme_tui.widgets.layout import (
    COMPACT,
    EVENTS,
    FULL,
    HAND_MARGIN,
    HEADER,
    HELP_WIDTH,
    KEYS,
    MICRO,
    MINIMAL,
    MINIMUM_HEIGHT,
    MINIMUM_WIDTH,
    PROMPT,
    RAIL,
    Layout,
    fit,
)
from driflamme_tui.widgets.queue import Geometry
from engine.cards import HAND, MAXIMUM_STACKS

RANK = {MICRO: 0, MINIMAL: 1, COMPACT: 2, FULL: 3}

WIDTHS = (80, 81, 90, 96, 100, 117, 120, 131, 160, 200)
HEIGHTS = (24, 25, 27, 28, 31, 32, 36, 40, 50, 60)
STACKS = range(1, MAXIMUM_STACKS + 1)
TALLEST = range(1, 7)


def layouts() -> Iterator[tuple[int, int, Layout]]:
    """Yield every layout, with its number of stacks and the height of the tallest."""
    for width in WIDTHS:
        for height in HEIGHTS:
            for stacks in STACKS:
                for tallest in TALLEST:
                    yield stacks, tallest, fit(width, height, stacks, tallest)


def rows_taken(layout: Layout) -> int:
    """Return the rows of all zones but the events."""
    zones = layout.seats, layout.queue_height, layout.hand_height
    return HEADER + PROMPT + KEYS + sum(zones) + layout.air * len(zones)


def test_the_zones_never_need_more_rows_than_there_are() -> None:
    for _stacks, _tallest, layout in layouts():
        assert rows_taken(layout) + layout.events_height == layout.height
        assert layout.events_height >= 0


def test_every_stack_has_its_place_within_the_width() -> None:
    for stacks, _tallest, layout in layouts():
        assert layout.per_row * layout.rows >= stacks
        assert layout.per_row * layout.card.pitch <= layout.width - 2
        assert (layout.rows - 1) * layout.per_row < stacks, "no row is empty"


def test_the_queue_is_one_row_for_as_long_as_the_smallest_cards_allow() -> None:
    for stacks, _tallest, layout in layouts():
        assert (layout.rows == 1) == (stacks * MINIMAL.pitch <= layout.width - 2)
        assert layout.card in ((MINIMAL, MICRO) if layout.rows > 1 else (FULL, COMPACT, MINIMAL))


def test_a_whole_hand_fits_beside_the_help() -> None:
    for _stacks, _tallest, layout in layouts():
        hand = HAND * layout.hand_card.pitch + HAND_MARGIN
        assert hand <= layout.width - HELP_WIDTH


def test_the_hand_is_larger_than_minimal_only_if_events_keep_some_rows() -> None:
    for _stacks, _tallest, layout in layouts():
        if RANK[layout.hand_card] > RANK[MINIMAL]:
            assert layout.events_height >= EVENTS
            assert RANK[layout.hand_card] <= RANK[layout.card]


def test_covered_cards_have_a_row_or_are_counted_on_the_frame() -> None:
    for _stacks, tallest, layout in layouts():
        if layout.card is not MICRO:
            assert 1 <= layout.tabs <= max(1, tallest - 1)
        else:
            assert 0 <= layout.tabs <= 1


def test_at_80_by_24_covered_cards_are_always_seen_in_an_unbroken_queue() -> None:
    for stacks in range(1, 14):
        for tallest in TALLEST:
            layout = fit(80, 24, stacks, tallest)
            assert layout.tabs == max(1, tallest - 1)
            assert layout.events_height >= 1


def test_more_stacks_never_make_larger_cards() -> None:
    for width in WIDTHS:
        for height in HEIGHTS:
            for tallest in TALLEST:
                ranks = [RANK[fit(width, height, stacks, tallest).card] for stacks in STACKS]
                assert ranks == sorted(ranks, reverse=True)


def test_a_larger_screen_never_makes_smaller_cards() -> None:
    for stacks in STACKS:
        for tallest in TALLEST:
            for height in HEIGHTS:
                wider = [RANK[fit(width, height, stacks, tallest).card] for width in WIDTHS]
                assert wider == sorted(wider)
            for width in WIDTHS:
                taller = [RANK[fit(width, height, stacks, tallest).card] for height in HEIGHTS]
                assert taller == sorted(taller)


def test_a_wider_screen_never_makes_more_rows() -> None:
    for stacks in STACKS:
        rows = [fit(width, 24, stacks, 2).rows for width in WIDTHS]
        assert rows == sorted(rows, reverse=True)


@pytest.mark.parametrize(
    ("size", "stacks", "tallest", "card", "rows"),
    [
        ((80, 24), 5, 2, COMPACT, 1),
        ((80, 24), 9, 2, MINIMAL, 1),
        ((80, 24), 13, 3, MINIMAL, 1),
        ((80, 24), 14, 2, MICRO, 2),
        ((80, 24), 26, 2, MICRO, 2),
        ((80, 24), 27, 2, MICRO, 3),
        ((80, 24), 30, 6, MICRO, 3),
        ((120, 40), 20, 6, MINIMAL, 2),
        ((120, 24), 20, 6, MICRO, 2),
        ((120, 40), 9, 3, FULL, 1),
        ((120, 40), 13, 3, COMPACT, 1),
        ((120, 40), 19, 3, MINIMAL, 1),
        ((160, 50), 13, 3, FULL, 1),
    ],
)
def test_sizes_of_the_design(
    size: tuple[int, int], stacks: int, tallest: int, card: object, rows: int
) -> None:
    layout = fit(*size, stacks, tallest)
    assert (layout.card, layout.rows) == (card, rows)


def test_rows_are_filled_evenly() -> None:
    assert [fit(80, 24, stacks, 1).per_row for stacks in (14, 15, 20, 26, 27, 30)] == [
        7,
        8,
        10,
        13,
        9,
        10,
    ]


def test_the_smallest_screen_is_what_everything_fits_on() -> None:
    assert (MINIMUM_WIDTH, MINIMUM_HEIGHT) == (80, 24)


# Where a stack stands, and which stack is at a cell


def geometries() -> Iterator[Geometry]:
    for size in ((80, 24), (97, 33), (120, 40), (200, 60)):
        for planned in (1, 2, 5, 9, 13, 14, 20, 27, 30):
            layout = fit(*size, planned, 3)
            for stacks in {1, max(1, planned // 2), planned}:
                for mirrored in (False, True):
                    yield Geometry(layout, stacks, size[0], mirrored)


def cells_of(geometry: Geometry, index: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a stack: its rail, its top card and its tabs."""
    x, y = geometry.place(index)
    for row in range(geometry.layout.row_height):
        for column in range(geometry.layout.card.width):
            yield x + column, y + row


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


def test_across_grows_from_the_side_that_resolves_first() -> None:
    for geometry in geometries():
        for index in range(geometry.stacks):
            x, y = geometry.place(index)
            hits = [geometry.hit(x + column, y) for column in range(geometry.layout.card.width)]
            across = [hit[1] for hit in hits if hit is not None]
            assert across == sorted(across, reverse=geometry.mirrored)
            assert len(set(across)) == len(across)
            assert min(across) < 0.2
            assert max(across) > 0.8


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
            assert x + geometry.layout.card.width == geometry.width - 1
        else:
            assert x == 1


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
