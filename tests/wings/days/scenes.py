"""Scenes of long games."""

from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.wings.days.story_overlay import StoryOverlay
from tests.support.scenes import Elsewhere, Scenes
from tests.support.tables import evening_session
from tests.wings.days.face.test_story import returning


def _story() -> StoryOverlay:
    view = evening_session(16, "b").view
    assert view is not None
    return StoryOverlay(LiveScreen(), view, 6)


SCENES = Scenes(
    elsewhere={
        "return": Elsewhere(lambda: returning(talk=2)),
        "return, end": Elsewhere(lambda: returning(talk=2), "end"),
    },
    screens=(_story,),
)
