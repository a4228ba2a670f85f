"""Tests commands in the player's language: typed as the help names them, each with one meaning."""

import re

import pytest

from driflamme_tui.plain.typed_commands import ANYWHERE, HELP, HOSTS, PLACES, QUIT, PlainPlayer
from driflamme_tui.plain.typed_words import _WORDS, LONGEST, in_english, typed_command
from driflamme_tui.plain.wing_lines import wing_words
from driflamme_tui.study.plain_players import _HELP, _ON_BOARD
from driflamme_tui.text.i18n import _, available_languages, search_form, set_language
from driflamme_tui.wording.program.settings_words import SETTINGS_BY_WORD
from netcode.protocol.messages import ChangeSettings, Chat, SetReady
from tests.support.tables import gathered

COMMANDS = {
    command.removesuffix(" *")
    for commands in (ANYWHERE, HOSTS, *PLACES.values())
    for command in commands
} | {*_ON_BOARD, *HELP}
WORDS = sorted(command for command in COMMANDS if command[0].isalpha())


@pytest.mark.parametrize("language", available_languages())
def test_each_command_can_be_typed_in_the_players_language_and_in_english(language: str) -> None:
    set_language(language)
    for words in WORDS:
        assert in_english(words).lower() == words, "an English command means one thing as well"
        for said in (
            words,
            typed_command(words),
            typed_command(words).upper(),
            search_form(typed_command(words)),
        ):
            assert in_english(said) == words or said.lower() == words, said
            assert in_english(f"{said} Zoé 2").lower() == f"{words} zoé 2"
        assert len(typed_command(words).split()) <= LONGEST


@pytest.mark.parametrize("language", ["fr", "pl"])
def test_no_two_commands_are_the_same_word(language: str) -> None:
    set_language(language)
    assert len({search_form(typed_command(words)) for words in WORDS}) == len(WORDS)
    assert {*WORDS} <= {*_WORDS, *wing_words()}, "each command is offered for translation"


@pytest.mark.parametrize("language", available_languages())
def test_the_help_names_commands_as_they_are_typed(language: str) -> None:
    set_language(language)
    lines = [line for topic in HELP.values() for line in topic]
    for line in (*lines, QUIT, *_HELP):
        if not line[0].isalpha() or line.startswith("A number"):
            continue
        # One line may describe two commands: "events: what happened last. who: who is here."
        there = [in_english(each) for each in heads(_(line))]
        assert there == heads(line), _(line)


def heads(line: str) -> list[str]:
    """Return the command at the beginning of each sentence of a help line."""
    found = re.findall(r"(?:^|\. )([^:.]+?)\s?:", line.replace("\u00a0", " "))
    return [command for each in found for command in [first_command(each)] if command]


def first_command(text: str) -> str:
    """Return the English form of the longest command at the beginning of a text.

    Only the text up to the first comma counts. Returns "" if it begins with no command.
    """
    words = text.split(",")[0].split()
    for count in range(len(words), 0, -1):
        said = " ".join(words[:count])
        if in_english(said) in WORDS:
            return in_english(said)
    return ""


def test_values_of_settings_and_topics_of_the_help_are_typed_in_french_too() -> None:
    set_language("fr")
    player = PlainPlayer(gathered("rb", "b", host=True))
    assert player.line("prêt").messages == [SetReady(ready=True)]
    assert player.line("PRET").messages == [SetReady(ready=True)]
    assert player.line("pas prêt").messages == [SetReady(ready=False)]
    assert player.line("ready").messages == [SetReady(ready=True)]
    assert player.line("dire bonjour à tous").messages == [Chat(text="bonjour à tous")]
    assert player.line("aide hôte").lines == player.line("help host").lines
    (change,) = player.line("sens gauche").messages
    assert isinstance(change, ChangeSettings)
    assert change.settings.direction == "left"
    (change,) = player.line("rythme 0,4").messages
    assert isinstance(change, ChangeSettings)
    assert change.settings.pace_ms == 400
    (change,) = player.line("meilleur des 3").messages
    assert isinstance(change, ChangeSettings)
    assert change.settings.best_of == 3
    assert player.line("sens haut").lines == [
        "Sens\u00a0: tape l’une de ces valeurs\u00a0: droite, gauche."
    ]


def test_every_setting_of_a_table_has_a_word() -> None:
    assert {*SETTINGS_BY_WORD} <= {*WORDS}
