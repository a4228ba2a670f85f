from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.wings.days.ahead.ahead_overlay import AheadOverlay
from driflamme_tui.wings.days.call_overlay import CallOverlay
from driflamme_tui.wings.days.story_overlay import StoryOverlay
from tests.support.scenes import Elsewhere, Scene, Scenes
from tests.support.tables import evening_session
from tests.wings.days.face.test_story import returning
from tests.wings.days.face.test_turn_rows import WaitingApp
from tests.wings.days.long_tables import CALLS, long_lobby, long_session


def _story() -> StoryOverlay:
    view = evening_session(16, "b").view
    assert view is not None
    return StoryOverlay(LiveScreen(), view, 6)


SCENES = Scenes(
    at_a_table={
        "long game, people": Scene(long_session, "w"),
        "long game, ahead": Scene(long_session, "w f"),
        "long game, nothing ahead": Scene(lambda: long_session(9), "w f"),
        "long game, call": Scene(long_session, "w c"),
        "long game, lobby": Scene(lambda: long_lobby(parts=CALLS)),
    },
    elsewhere={
        "return": Elsewhere(lambda: returning(talk=2)),
        "return, end": Elsewhere(lambda: returning(talk=2), "end"),
        "start with a turn": Elsewhere(WaitingApp),
    },
    screens=(_story, AheadOverlay, lambda: CallOverlay("", lambda _text: None)),
)
