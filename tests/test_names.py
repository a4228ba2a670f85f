"""Tests that no name has a word with several meanings.

CONTRIBUTING.md has the words to use instead. Names of tests are sentences and may have most of
these words.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from driflamme_tui.keymap.key_bindings import all_commands
from netcode.protocol.fields import Messages
from netcode.protocol.messages import ClientMessage, HostMessage
from netcode.registry import wing_values
from tests.support.source_code import without_texts

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "netcode", "driflamme_tui", "tests", "scripts")

NEVER = {"coach", "coaches", "coaching", "rival", "rivals"}
"""Words that no name may have: a teacher judges decisions, and a player has opponents."""

NOT_IN_NAMES = NEVER | {
    *("carry", "carries", "carried", "carrying", "carrier", "carriers"),
    *("room", "rooms", "told", "held", "asked"),
}
"""Words that no name may have, except a sentence that names a test."""

SPEECH = {
    *("tell", "tells", "telling", "teller", "retell", "retold"),
    *("say", "says", "saying", "said"),
    *("hear", "hears", "hearing", "heard"),
}
"""Words that no name of the program may have, and no name of a function in tests.

A function sends, receives, shows or warns. Players chat.
"""

EXCEPTIONS: dict[str, str] = {}
"""Names that may have one of these words, each with a reason."""


def words_of(name: str) -> list[str]:
    """Return the words of a name in snake case or camel case, in lower case."""
    return [each.lower() for each in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


@cache
def is_bad(name: str) -> bool:
    words = words_of(name)
    if name in EXCEPTIONS:
        return False
    if name.startswith("test_"):
        return bool(NEVER.intersection(words))
    return bool(NOT_IN_NAMES.intersection(words)) or (words[:1] == ["own"] and len(words) > 1)


@cache
def is_speech(name: str) -> bool:
    """Return True for a name with a word of `SPEECH`, unless it names a test or an exception."""
    is_allowed = name.startswith("test_") or name in EXCEPTIONS
    return not is_allowed and bool(SPEECH.intersection(words_of(name)))


def names_in(source: str) -> Iterator[tuple[str, bool]]:
    """Yield all names that a module defines, and whether each is that of a function or method."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, True
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name, False
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, False
            case ast.alias(asname=str(name)):
                yield name, False
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, False


@cache
def modules() -> dict[Path, tuple[list[str], list[str]]]:
    """Return all names in each module with a suspect word, and the names of its functions."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text("utf-8")
            code = without_texts(source)
            words = {*re.findall(r"\w+", code)}
            may_speak = re.findall(r"\bdef\s+(\w+)", code) if package == "tests" else words
            # Most files have no such word in their code, and need not be parsed.
            is_suspect = any(map(is_bad, words)) or any(map(is_speech, may_speak))
            names = [*names_in(source)] if is_suspect else []
            found[path.relative_to(ROOT)] = (
                [name for name, _ in names],
                [name for name, is_function in names if is_function],
            )
    return found


def test_no_name_of_a_module_or_in_one_has_such_a_word() -> None:
    found = set()
    for place, (names, _functions) in modules().items():
        every = (*place.with_suffix("").parts, *names)
        found |= {f"{place}: {name}" for name in every if is_bad(name)}
    assert sorted(found) == []


def test_no_function_and_no_name_of_the_program_is_a_verb_of_speech() -> None:
    found = set()
    for place, (names, functions) in modules().items():
        every = functions if place.parts[0] == "tests" else names
        found |= {f"{place}: {name}" for name in every if is_speech(name)}
    assert sorted(found) == []


def test_no_message_and_no_command_has_such_a_word() -> None:
    kinds = [*get_args(ClientMessage), *get_args(HostMessage)]
    for seam in wing_values("netcode", "messages", Messages):
        kinds += [*seam.from_client, *seam.from_host]
    tags = {kind.__struct_config__.tag for kind in kinds}
    fields = {field for kind in kinds for field in kind.__struct_encode_fields__}
    assert {each for each in tags | fields | {*all_commands()} if is_bad(each)} == set()


@pytest.mark.parametrize(
    "source",
    [
        "def told(): ...",
        "class OwnGames: ...",
        "def seats(room): ...",
        "self._asked_at = 0.0",
        "async def test_the_coach_speaks(): ...",
        "import rivals as rivals",
        "match event:\n    case str(held): ...",
        "own_seats = ()",
    ],
)
def test_such_a_name_is_found(source: str) -> None:
    assert any(is_bad(name) for name, _ in names_in(source))


@pytest.mark.parametrize(
    "source",
    [
        "def tell(): ...",
        "async def _take_what_is_said(): ...",
        "class Seat:\n    def hears_news(self): ...",
    ],
)
def test_a_function_that_speaks_is_found(source: str) -> None:
    assert any(is_speech(name) and is_function for name, is_function in names_in(source))


@pytest.mark.parametrize(
    "name", ["send", "test_a_seat_hears_nothing", "essay", "hearts", "takes_lead"]
)
def test_a_function_with_another_verb_is_allowed(name: str) -> None:
    assert not is_speech(name)


@pytest.mark.parametrize("name", ["own", "is_own", "test_a_player_is_told_once", "broom", "holds"])
def test_other_names_are_allowed(name: str) -> None:
    assert not is_bad(name)


def test_every_exception_has_a_reason_and_is_needed() -> None:
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    texts = (path.read_text("utf-8") for path in paths)
    defined = {
        name
        for text in texts
        if any(exception in text for exception in EXCEPTIONS)
        for name, _ in names_in(text)
    }
    assert all(EXCEPTIONS.values())
    assert EXCEPTIONS.keys() <= defined
