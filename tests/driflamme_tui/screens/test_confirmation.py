"""Tests that a question for confirmation is answered by the letters of the reader's language."""

import pytest
from textual.widgets import Button

from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.text.i18n import set_language
from tests.support.tables import Hands, SeatedApp, evening_session, run_app


@pytest.mark.parametrize(("language", "letter"), [("en", "y"), ("fr", "o"), ("pl", "t")])
def test_yes_has_the_letter_of_the_readers_language(language: str, letter: str) -> None:
    set_language(language)
    answers: list[bool | None] = []

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for typed in ("y", letter, "n"):
            question = Confirmation("?", no="Stay ({key})", yes="Leave ({key})")
            await app.push_screen(question, answers.append)
            assert f"({letter})" in str(question.query_one("#answer-2", Button).label)
            await hands.type(typed)

    run_app(SeatedApp(evening_session(40)), steps)
    assert answers == [True, True, False]
