"""Tests the guide: each topic has a page, on paper and on the screen, in every language."""

import re

import pytest
from typer.testing import CliRunner

from driflamme_tui.cli.program import app
from driflamme_tui.keymap.key_bindings import _SPECIAL
from driflamme_tui.plain.typed_words import in_english
from driflamme_tui.text.i18n import (
    PROSE_DIRECTORY,
    TYPED_INDENT,
    _,
    available_languages,
    pgettext,
    prose,
    set_language,
)
from driflamme_tui.wording.game.help_pages import (
    CORE_TOPICS,
    GUIDE,
    Heading,
    TypedLines,
    WingGuide,
    guide_page,
    guide_pages,
    guide_topics,
)
from netcode.registry import wing_values

LONGEST = 45
"""Maximum number of lines of a page."""


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["help", *arguments], env={"LANGUAGE": "en"})
    assert result.exit_code == 0
    return result.stdout


TOPICS = guide_pages()


def test_every_page_is_a_topic() -> None:
    wings = PROSE_DIRECTORY.parent / "wings"
    files = {*(PROSE_DIRECTORY / GUIDE).iterdir(), *wings.glob("*/prose/*.md")}
    assert files == {each.folder / f"{each.name}.md" for each in TOPICS.values()}


def test_a_wings_page_stands_after_one_of_the_core() -> None:
    for wing in wing_values("driflamme_tui", "guide", WingGuide):
        assert {each.after for each in wing.topics} <= {*CORE_TOPICS}
        assert {each.name for each in wing.topics} <= TOPICS.keys()


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_says_what_for_what_to_type_and_what_can_go_wrong(topic: str) -> None:
    page = guide_page(topic)
    assert any(isinstance(block, TypedLines) for block in page.blocks)
    assert [block.text for block in page.blocks if isinstance(block, Heading)] == [
        "What can go wrong"
    ]
    lines = (TOPICS[topic].folder / f"{topic}.md").read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST


def typed_in(text: str) -> list[str]:
    """Return the typed parts of a text, with commands and keys in English."""
    return sorted(with_english_keys(in_english(each)) for each in re.findall("`([^`]*)`", text))


def with_english_keys(text: str) -> str:
    """Return a text in which the names of special keys are English."""
    labels = {pgettext("key", label): label for label in _SPECIAL.values()}
    return " ".join(labels.get(each, each) for each in text.split(" "))


def is_foreign(word: str) -> bool:
    """Return True for the English name of a key that has another name in the present language."""
    return word in _SPECIAL.values() and pgettext("key", word) != word


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_typed_is_the_same_in_every_language(topic: str) -> None:
    for language in available_languages():
        set_language(language)
        for paragraphs in prose(topic, TOPICS[topic].folder).values():
            for each in paragraphs:
                if not each.startswith(TYPED_INDENT):
                    assert typed_in(_(each)) == typed_in(each)
                    keys = re.findall("`([^`]*)`", _(each))
                    assert not [key for typed in keys for key in typed.split() if is_foreign(key)]


def test_without_a_topic_all_are_listed_with_what_they_are_for() -> None:
    rows = printed().splitlines()
    assert [row.split()[0] for row in rows[: len(TOPICS)]] == [*TOPICS]
    assert rows[1] == "  hosting   Open a table for your friends on your machine."


def test_a_page_is_printed_whole() -> None:
    text = printed("Plain")
    assert text.startswith("PLAIN\n\n  Play line by line, with a screen reader, in any terminal,")
    assert "\n\n      driflamme learn --plain\n      driflamme play --plain\n" in text
    assert "\n\nWHAT CAN GO WRONG\n\n" in text
    assert "`" not in text
    assert "  random: gives any legal answer.\n" in printed("bots")
    assert printed("history", "--lang", "fr").startswith("HIST")


def test_what_is_no_topic_is_answered_with_those_there_are() -> None:
    result = CliRunner().invoke(app, ["help", "tides"], env={"LANGUAGE": "en"})
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "driflamme: There is no page 'tides': choose one of table, hosting, "
    )


@pytest.mark.parametrize("language", available_languages())
def test_each_topic_has_one_whole_sentence(language: str) -> None:
    set_language(language)
    sentences = [topic.text for topic in guide_topics()]
    assert len(sentences) > 5
    assert [each for each in sentences if re.search(r"[\s:.]\.\Z", each)] == []
