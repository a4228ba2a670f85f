"""Tests the zones of a table without running a screen: the place of each, and the omitted ones."""

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace
from textual.geometry import Size

from driflamme_tui.drawing.layout import CHOICES, HEADER
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.replay.playback import Playback
from driflamme_tui.screens.table.live_zones import LiveZones
from driflamme_tui.screens.table.table_zones import TableZones
from driflamme_tui.study.replay_zones import ReplayZones
from engine.replaying import ALL, Replay
from engine.views import View
from tests.support.tables import EVENING_STEPS, RECORD, evening_session, state_of

SIZES = [Size(60, 20), Size(80, 24), Size(100, 30), Size(120, 40), Size(60, 40), Size(200, 60)]

REPLAY = Replay.of(RECORD)


def moment(zones: TableZones, view: View, size: Size) -> TableState:
    return replace(state_of(view), layout=zones.layout(view, size, CHOICES[0]))


def charted(playback: Playback) -> ReplayZones:
    zones = ReplayZones(playback)
    zones.is_charted = True
    return zones


KINDS: dict[str, Callable[[], TableZones]] = {
    "usual": TableZones,
    "talk": lambda: LiveZones(lambda: True, lambda: False),
    "writing": lambda: LiveZones(lambda: False, lambda: True),
    "replay": lambda: ReplayZones(Playback(REPLAY)),
    "charted": lambda: charted(Playback(REPLAY)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_zones_fill_their_rows_and_cover_no_other(kind: str, size: Size) -> None:
    zones = KINDS[kind]()
    for step in range(0, EVENING_STEPS, 7):
        view = evening_session(step).view
        assert view is not None
        state = moment(zones, view, size)
        zones.arrangement.rows = zones.rows(state)
        # The last row of a screen is the key bar.
        regions = [region for _zone, region in zones.arrangement.placed(size - (0, 1))]
        assert all(region.right <= size.width and region.bottom < size.height for region in regions)
        assert not any(one.overlaps(other) for one, other in combinations(regions, 2))
        tops = sorted({region.y for region in regions})
        heights = {region.y: region.height for region in regions}
        assert all(y + heights[y] == below for y, below in pairwise(tops)), "no row is left out"
        assert heights[0] == HEADER


def test_the_chat_has_a_place_once_somebody_writes_or_has_written() -> None:
    talk, writing = [False], [False]
    zones = LiveZones(lambda: talk[0], lambda: writing[0])
    view = REPLAY.seen(9, ALL)
    wide, narrow = (moment(zones, view, size) for size in (Size(120, 40), Size(80, 24)))
    assert not zones.fits_chat(wide.layout)
    talk[0] = True
    assert zones.fits_chat(wide.layout)
    assert not zones.fits_chat(narrow.layout)
    writing[0] = True
    assert zones.fits_chat(narrow.layout)
    assert any(zone is zones.talk for _height, parts in zones.rows(narrow) for zone, _ in parts)


def test_the_next_size_of_cards_is_one_that_looks_different() -> None:
    zones, view = TableZones(), REPLAY.seen(9, ALL)
    size = Size(120, 40)
    cards = zones.next_cards(view, size, CHOICES[0])
    assert cards is not None
    assert zones.layout(view, size, cards) != zones.layout(view, size, CHOICES[0])
    assert zones.next_cards(REPLAY.seen(80, ALL), Size(60, 20), CHOICES[0]) is None


def test_sizes_of_cards_come_in_order_and_only_those_that_look_the_same_are_left_out() -> None:
    zones, view, size = TableZones(), REPLAY.seen(9, ALL), Size(120, 40)
    layouts = [zones.layout(view, size, each) for each in CHOICES]
    for now, cards in enumerate(CHOICES):
        following = zones.next_cards(view, size, cards)
        assert following is not None
        order = [*range(now + 1, len(CHOICES)), *range(now)]
        left_out = order[: order.index(CHOICES.index(following))]
        assert all(layouts[each] == layouts[now] for each in left_out)


def test_the_room_of_a_round_stays_when_the_queue_shrinks() -> None:
    zones = TableZones()
    begin, later = REPLAY.rounds[3], REPLAY.rounds[4] - 1
    for step in range(begin, later):
        zones.layout(REPLAY.seen(step, ALL), Size(80, 24), CHOICES[0])
    assert zones.space.stacks >= max(len(REPLAY.games[step].queue) for step in range(begin, later))
