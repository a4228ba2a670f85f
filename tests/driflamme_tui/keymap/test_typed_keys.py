"""Tests the meaning of keys: in upper case, in other layouts, on keypads, and when held down."""

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as some

from driflamme_tui.keymap.typed_keys import (
    DELAY_S,
    PAUSE_S,
    REPEAT_S,
    SETTLE_S,
    KeyRepeats,
    Press,
    latin_sign,
    meant_key,
)


def presses(*gaps: float) -> list[Press]:
    """Return the judgement of each press of Enter; `gaps` are the seconds between presses."""
    repeats, at = KeyRepeats(), 5.0
    judged = [repeats.judge("enter", at)]
    for gap in gaps:
        at += gap
        judged.append(repeats.judge("enter", at))
    return judged


@given(
    some.floats(REPEAT_S * 1.01, DELAY_S * 0.99),
    some.lists(some.floats(0, REPEAT_S * 0.99), min_size=1),
)
def test_a_key_that_is_held_is_never_taken_for_pressed_again(
    delay: float, gaps: list[float]
) -> None:
    judged = presses(delay, *gaps)
    assert judged[:2] == ["pressed", "unsure"]
    assert set(judged[2:]) == {"held"}, "the second is held back until the third has come"
    assert REPEAT_S < SETTLE_S


def test_a_slow_connection_does_not_make_a_held_key_a_pressed_one() -> None:
    assert presses(0.5, 0.03, 0.3, 0.0, 0.0, PAUSE_S * 0.99)[2:] == ["held"] * 5


@given(some.lists(some.floats(REPEAT_S * 1.01, 60), min_size=1))
def test_a_key_that_is_pressed_again_by_hand_is_never_taken_for_held(gaps: list[float]) -> None:
    assert "held" not in presses(*gaps)


def test_another_key_in_between_is_no_pause_and_ends_the_repeating() -> None:
    repeats = KeyRepeats()
    assert [repeats.judge(key, 1.0) for key in "aab"] == ["pressed", "held", "pressed"]
    assert repeats.judge("a", 1.0) == "pressed"


@pytest.mark.parametrize(
    ("name", "character", "bound", "meant"),
    [
        ("S", "S", "s", "s"),
        ("s", "s", "S", "S"),
        ("S", "S", "s S", "S"),
        ("ы", "ы", "s", "s"),
        ("Ы", "Ы", "s", "s"),
        ("і", "і", "s", "s"),
        ("Б", "Б", "less_than_sign", "less_than_sign"),
        ("Ю", "Ю", "greater_than_sign", "greater_than_sign"),
        ("add", "+", "plus", "plus"),
        ("add", None, "plus", "plus"),
        ("decimal", ",", "full_stop", "full_stop"),
        ("subtract", None, "", "minus"),
        ("ctrl+s", None, "s", "ctrl+s"),
        ("w", "w", "", "w"),
        ("enter", "\r", "enter", "enter"),
    ],
)
def test_a_key_that_does_nothing_is_the_one_at_its_place_or_in_the_other_case(
    name: str, character: str | None, bound: str, meant: str
) -> None:
    assert meant_key(name, character, bound.split().__contains__) == meant


def test_every_latin_letter_has_a_place_on_the_cyrillic_layout() -> None:
    cyrillic = "йцукенгшщзфывапролдячсмить"
    assert sorted(map(latin_sign, cyrillic)) == sorted(ascii_lowercase)
    assert [latin_sign(each.upper()) for each in cyrillic] == [
        latin_sign(each).upper() for each in cyrillic
    ]
    assert latin_sign("s") == latin_sign("é") == ""
