"""Reasons become sentences, whatever a host sends."""

import re
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.legal import SENTENCES as RULES
from netcode.protocol.refusal_sentences import (
    SENTENCES,
    UNKNOWN_KEY,
    name_problem,
    refusal_sentence,
)
from tests.netcode.strategies import codes, values

UNKNOWN = "The table refused that, for a reason that this program does not know."

NETCODE = Path(__file__).parents[3] / "netcode"


def test_a_reason_is_a_sentence() -> None:
    assert refusal_sentence("not_your_turn", {"family": "b"}) == (
        "It is not your turn: Blue is asked."
    )
    assert refusal_sentence("too_few", {"needed": 3, "seated": 2}) == (
        "A game needs at least 3 players; seated so far: 2."
    )
    assert refusal_sentence("not_ready", {"names": ("Anna", "Bert")}) == (
        "Not ready yet: Anna, Bert."
    )
    assert refusal_sentence("unknown_bot", {"bot": "genius"}) == ("There is no bot called genius.")


def test_a_rule_is_explained_in_the_words_of_the_engine() -> None:
    assert refusal_sentence("rules.soldier_reach", {"card": "S", "choices": (2, 4)}) == (
        "Your Soldier must eliminate a neighbour: position 2 or 4"
    )
    assert refusal_sentence("rules.not_in_hand", {"card": "D"}) == (
        "Your hand has no Royal Decree."
    )


def test_a_sentence_is_translated_with_all_that_is_in_it() -> None:
    french = {"Blue": "Bleu", SENTENCES["not_your_turn"]: "À {family} de jouer."}
    assert refusal_sentence("not_your_turn", {"family": "b"}, lambda text: french[text]) == (
        "À Bleu de jouer."
    )


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("of_another_version", {}),
        ("rules.of_another_version", {}),
        ("rules.", {}),
        ("not_your_turn", {}),
        ("not_your_turn", {"family": "x"}),
        ("not_your_turn", {"family": 1}),
        ("too_few", {"needed": 3, "seated": "2"}),
        ("not_ready", {"names": "Anna"}),
        ("not_ready", {"names": ()}),
        ("not_ready", {"names": ("x",) * 6}),
        ("unknown_bot", {"bot": 3}),
        ("rules.not_in_hand", {"card": "Z"}),
        ("rules.not_in_hand", {"card": ("A",)}),
        ("rules.soldier_reach", {"choices": 2}),
        ("rules.soldier_reach", {"choices": ("x",)}),
        ("rules.no_such_position", {"position": "1", "last": 2}),
    ],
)
def test_what_does_not_fit_says_so_and_no_more(
    code: str, values: dict[str, str | int | tuple[str | int, ...]]
) -> None:
    assert refusal_sentence(code, values) == UNKNOWN


def test_nothing_that_came_over_the_wire_is_a_template() -> None:
    nasty = "{0.__class__} {bot} %s"
    assert refusal_sentence("unknown_bot", {"bot": nasty}) == f"There is no bot called {nasty}."


@given(codes | st.sampled_from([f"rules.{code}" for code in RULES]), values)
def test_anything_gives_a_sentence(
    code: str, values: dict[str, str | int | tuple[str | int, ...]]
) -> None:
    assert refusal_sentence(code, values)


def test_every_code_is_used_and_every_code_used_has_a_sentence() -> None:
    source = "".join(path.read_text() for path in NETCODE.rglob("*.py"))
    # Once where it is defined, and once more at least.
    unused = [code for code in SENTENCES if source.count(f'"{code}"') < 2]
    assert unused == [UNKNOWN_KEY], "that one is used by its name"
    used = re.findall(r'(?:NotAllowedError|CodecError)\(\s*"(\w+)"', source)
    used += re.findall(r'dismiss\(\s*[\w.]+, "(\w+)"', source)
    assert used
    assert [code for code in used if code not in SENTENCES] == []


def test_every_sentence_ends_like_one() -> None:
    for sentence in SENTENCES.values():
        assert sentence.endswith(".")
        assert all(name is None or name.isalpha() for _, name, _, _ in Formatter().parse(sentence))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_empty"),
        ("x" * 21, "name_too_long"),
        ("a\tb", "name_unprintable"),
        (" a", "name_spaces"),
        ("a ", "name_spaces"),
    ],
)
def test_a_name_that_will_not_do_is_explained_before_it_is_sent(name: str, code: str) -> None:
    problem = name_problem(name)
    assert problem is not None
    assert problem.code == code
    assert refusal_sentence(problem.code, problem.values) != UNKNOWN


@pytest.mark.parametrize("name", ["A", "x" * 20, "Jean-Luc", "van der Ä", "名前", "{name}"])
def test_a_name_that_will_do_has_no_problem(name: str) -> None:
    assert name_problem(name) is None
