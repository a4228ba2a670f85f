"""Tests that an input line refuses a character that does not fit, with a sentence."""

import pytest
from textual.widgets import Input

from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.support.every_scene import AT_A_TABLE
from tests.support.scenes import enter
from tests.support.tables import Hands, SeatedApp, evening_session, in_app, run_app


@pytest.mark.parametrize("scene", ["rename", "talking"])
def test_a_sign_without_room_is_refused_with_a_sentence_until_there_is_room(scene: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, AT_A_TABLE[scene])
        line = app.focused
        assert isinstance(line, Input)
        assert line.max_length
        line.value = "x" * (line.max_length - 1)
        line.cursor_position = len(line.value)
        await hands.pause()
        await hands.press("x")
        assert not app.shows("Type at most")
        await hands.press("x")
        assert len(line.value) == line.max_length
        assert app.shows(f"Type at most {line.max_length} characters here.")
        if scene == "rename":
            await hands.press("backspace")
            assert not app.shows("Type at most")

    run_app(SeatedApp(evening_session(0)), steps)


@in_app(lambda: StartedApp("Maximiliane Sturmhub"))
async def test_the_start_screen_says_how_long_a_name_may_be(app: StartedApp, hands: Hands) -> None:
    await hands.type("f5")
    await hands.until(lambda: isinstance(app.focused, Input))
    line = app.screen.query_one("#dialog-text", Input)
    await hands.press("end")
    await hands.press("x")
    assert line.value == "Maximiliane Sturmhub"
    assert app.shows("Type at most 20 characters here.")
