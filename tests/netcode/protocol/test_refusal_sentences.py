"""Tests that every refusal code becomes a sentence, whatever a host sends."""

import re
from contextlib import nullcontext
from pathlib import Path
from string import Formatter

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.legal import SENTENCES as RULES
from engine.texts import Translate, untranslated
from netcode.protocol.codec import CodecError, decode_client
from netcode.protocol.fields import Values
from netcode.protocol.messages import PROTOCOL, Reason
from netcode.protocol.refusal_sentences import (
    HOST_PART_MISSING,
    SENTENCES,
    UNKNOWN_KEY,
    name_problem,
    refusal_sentence,
    sentences,
)
from tests.support.strategies import codes, values

UNKNOWN = "The table refused that, for a reason unknown to this program: upgrade it."

NETCODE = Path(__file__).parents[3] / "netcode"


def sentence_of(code: str, values: Values, translate: Translate = untranslated) -> str:
    return refusal_sentence(Reason(code=code, values=values), translate)


def test_a_reason_is_a_sentence() -> None:
    assert sentence_of("not_your_turn", {"family": "b"}) == ("It is not your turn: Blue is asked.")
    assert sentence_of("too_few", {"needed": 3, "seated": 2}) == (
        "Add bots, or wait: a game needs at least 3 players; seated so far: 2."
    )
    assert sentence_of("not_ready", {"names": ("Anna", "Bert")}) == (
        "Wait for those who are not ready yet: Anna, Bert."
    )
    assert sentence_of("unknown_bot", {"bot": "genius"}) == (
        "There is no bot called genius: choose another."
    )


def test_a_rule_is_explained_in_the_words_of_the_engine() -> None:
    assert sentence_of("rules.soldier_reach", {"card": "S", "choices": (2, 4)}) == (
        "Your Soldier must eliminate a neighbour: position 2 or 4"
    )
    assert sentence_of("rules.not_in_hand", {"card": "D"}) == ("Your hand has no Royal Decree.")


def test_a_sentence_is_translated_with_all_that_is_in_it() -> None:
    french = {"Blue": "Bleu", SENTENCES["not_your_turn"]: "À {family} de jouer."}
    assert sentence_of("not_your_turn", {"family": "b"}, lambda text: french[text]) == (
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
    assert sentence_of(code, values) == UNKNOWN


def test_nothing_that_came_over_the_wire_is_a_template() -> None:
    nasty = "{0.__class__} {bot} %s"
    assert (
        sentence_of("unknown_bot", {"bot": nasty})
        == f"There is no bot called {nasty}: choose another."
    )


@given(codes | st.sampled_from([f"rules.{code}" for code in RULES]), values)
def test_anything_gives_a_sentence(
    code: str, values: dict[str, str | int | tuple[str | int, ...]]
) -> None:
    assert sentence_of(code, values)


def test_every_code_is_used_and_every_code_used_has_a_sentence() -> None:
    source = "".join(path.read_text() for path in NETCODE.rglob("*.py"))
    # Each code occurs once in its definition, and must occur elsewhere too.
    unused = [code for code in sentences() if source.count(f'"{code}"') < 2]
    assert unused == [UNKNOWN_KEY, HOST_PART_MISSING], "those are used by their names"
    used = re.findall(r'(?:NotAllowedError|CodecError)\(\s*"(\w+)"', source)
    used += re.findall(r'dismiss\(\s*[\w.]+, "(\w+)"', source)
    assert used
    assert [code for code in used if code not in sentences()] == []


def test_every_sentence_ends_like_one() -> None:
    for sentence in sentences().values():
        assert sentence.endswith(".")
        assert all(name is None or name.isalpha() for _, name, _, _ in Formatter().parse(sentence))


BLANK = ("\u3164", "\u2800", "\u1160", "\ufe0f", "\U000e0100", "\u302a", "\u2066", "-", "...")
MARKED = ("Anna\ufe0f", "Anna\u034f", "A\u0332nna", "A\u20ddnna", "Anna\u3164", "An\u200bna")
CONTROL = ("a\tb", "a\x1b[2J", "a\nb", "a\x00", "a\u202eb", "a\xadb", "a\xa0b", "a\u2028b")
ODD = ("\U0001d159", "\U00013441", "\U00013442", "\U000e0041", "\ufffc", "\ufeff")
NAMES = {
    "name_empty": ("",),
    "name_too_long": ("x" * 21,),
    "name_unprintable": (*BLANK, *MARKED, *CONTROL, *ODD),
    "name_spaces": (" a", "a ", "An  na", " "),
    "": ("A", "x" * 20, "Jean-Luc", "van der Ä", "名前", "{name}", "Zoe\u0301", "O'Hara", "Anna 2"),
}
"""For each refusal code, the invalid names with this code; "" has the valid names."""


@pytest.mark.parametrize(("code", "name"), [(code, each) for code in NAMES for each in NAMES[code]])
def test_a_name_that_others_cannot_see_whole_will_not_do(code: str, name: str) -> None:
    problem = name_problem(name)
    assert (problem.code if problem else "") == code
    if problem is not None:
        assert refusal_sentence(problem) != UNKNOWN
    fields = {"type": "hello", "protocol": PROTOCOL, "program": "p", "name": name}
    with nullcontext() if problem is None else pytest.raises(CodecError, match="bad_field"):
        decode_client(msgpack.packb(fields))
