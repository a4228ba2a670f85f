"""Tests the steps between two views of the table, event by event."""

from hypothesis import given
from hypothesis import strategies as st

from driflamme_tui.model.motion_frames import following
from engine.views import project, view
from tests.engine.random_games import Played, examples, moments, viewers


@examples(400)
@given(moments(), st.data())
def test_events_lead_from_each_view_to_the_next(
    moment: tuple[Played, int], data: st.DataObject
) -> None:
    played, index = moment
    viewer = data.draw(st.sampled_from(viewers(played.games[0])))
    now, then = (view(played.games[at], viewer) for at in (index, index + 1))
    before = (list(now.queue), list(now.hands), list(now.out), list(now.pools))
    seen = now
    for event in played.events[index]:
        seen = following(seen, project(event, viewer))
    assert (now.queue, now.hands, now.out, now.pools) == before, "the view itself stays"
    assert seen.pools == then.pools
    assert seen.out == then.out
    assert seen.round == then.round
    assert seen.first == then.first
    if not then.over:  # at the end everything is laid open
        assert seen.queue == then.queue
        assert seen.hands == then.hands
