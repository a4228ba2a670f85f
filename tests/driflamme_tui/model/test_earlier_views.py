"""Tests earlier views that are rebuilt from a game's events."""

from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.model.earlier_views import view_before
from engine.events import Event, RoundBegan
from engine.notation import format_position
from engine.views import project, view
from tests.engine.random_games import Played, examples, joined_viewers, moments
from tests.support.tables import evening, seen


@examples(200)
@given(moments(), st.data())
def test_an_earlier_view_is_the_one_that_its_reader_had(
    moment: tuple[Played, int], data: st.DataObject
) -> None:
    played, index = moment
    viewer = data.draw(st.sampled_from(joined_viewers(played.games[0])))
    earlier = data.draw(st.integers(0, index))
    happened: list[list[Event]] = [[RoundBegan(1, played.deal.first)], *played.events[:index]]
    events = [project(event, viewer) for part in happened for event in part]
    count = sum(map(len, happened[: earlier + 1]))
    now, then = (view(played.games[at], viewer) for at in (index, earlier))
    before = format_position(now)
    found = view_before(now, events, count)
    assert found is not None
    assert format_position(now) == before, "the present view stays as it is"
    assert format_position(found) == format_position(then), "also turn and question"
    assert found.viewers == then.viewers


def test_events_that_do_not_lead_to_the_present_view_have_no_earlier_view() -> None:
    game, events = evening(20)
    now, known = view(game, 0), [project(event, 0) for event in events]
    assert view_before(now, known, len(known)) is not None
    assert view_before(now, known[:-2], 3) is None
    assert view_before(now, known[1:], 3) is None
    assert view_before(now, [], 0) is None
    assert view_before(now, known, 0) is None
    assert view_before(now, known, len(known) + 1) is None
    assert view_before(seen("2 4 b* rS,gc *r3,b2,g2"), known, 3) is None
