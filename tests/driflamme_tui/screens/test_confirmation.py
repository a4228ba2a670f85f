"""Tests that a question for confirmation is answered by the letters of the reader's language."""

import pytest
from textual.widgets import Button

from driflamme_tui.keymap.key_bindings import (
    all_commands,
    keys_now,
    keys_of,
    keys_written,
    use_keys,
)
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
            assert keys_of(question.command_set)[0][0] == f"{letter} n", "the help's list"
            await hands.type(typed)

    run_app(SeatedApp(evening_session(40)), steps)
    assert answers == [True, True, False]


@pytest.mark.parametrize("language", ["fr", "pl"])
def test_every_letter_that_is_translated_is_listed_before_the_english_one(language: str) -> None:
    translated = [command for command in all_commands().values() if command.letter]
    assert translated
    set_language(language)
    for command in translated:
        letter, *others = keys_now(command)
        assert letter != command.letter
        assert command.letter in others
        assert keys_written(command).startswith(f"{letter},")


def test_a_key_that_the_player_has_chosen_replaces_the_letter() -> None:
    set_language("fr")
    answers: list[bool | None] = []

    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.rebind({"confirmation.yes": "f9"})
        question = Confirmation("?", no="Stay ({key})", yes="Leave ({key})")
        await app.push_screen(question, answers.append)
        assert "(F9)" in str(question.query_one("#answer-2", Button).label)
        await hands.type("o")
        assert answers == []
        await hands.press("f9")
        assert answers == [True]

    try:
        run_app(SeatedApp(evening_session(40)), steps)
    finally:
        use_keys({})
