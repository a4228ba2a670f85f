"""Tests wrapping, cutting and drawing text in cells, and signs without a certain width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from driflamme_tui.text.cell_widths import bar, fit_text, shorten_text, steady, wrap_text
from driflamme_tui.text.signs import ASCII, UNICODE


@pytest.mark.parametrize(
    ("text", "first", "others", "rows"),
    [
        ("", 9, 9, [""]),
        ("one two", 7, 9, ["one two"]),
        ("one two", 6, 9, ["one", "two"]),
        ("  one   two  ", 7, 9, ["one two"]),
        ("one two three", 3, 9, ["one", "two three"]),
        ("one two\u00a0three", 9, 9, ["one", "two\u00a0three"]),
        ("abcdef", 3, 3, ["abc", "def"]),
        ("abcdefg", 3, 2, ["abc", "de", "fg"]),
        ("a bcdef", 4, 3, ["a", "bcd", "ef"]),
        ("日本語", 5, 2, ["日本", "語"]),
        ("日本", 0, 0, ["日", "本"]),
    ],
)
def test_words_stay_whole_where_they_fit(
    text: str, first: int, others: int, rows: list[str]
) -> None:
    assert wrap_text(text, first, others) == rows


@given(st.text(alphabet="ab日 \u00a0", max_size=60), st.integers(0, 12), st.integers(0, 12))
def test_no_row_is_too_long_and_nothing_is_lost(text: str, first: int, others: int) -> None:
    rows = wrap_text(text, first, others)
    spaces = [max(2, first), *[max(2, others)] * len(rows)]
    assert all(cell_len(row) <= space for row, space in zip(rows, spaces, strict=False))
    assert "".join(rows).replace(" ", "") == text.strip().replace(" ", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada", "Ada"),
        ("a\u00a0b", "a\u00a0b"),
        ("e\u0301", "é"),
        ("🇫🇷", "FR"),
        ("👍🏽", "👍"),
        ("a\u200bb\x1b", "ab"),
    ],
)
def test_signs_whose_width_depends_on_their_neighbours_are_left_out(text: str, shown: str) -> None:
    assert steady(text) == shown


def test_what_is_cut_says_so() -> None:
    assert [shorten_text("abcd", space, UNICODE) for space in (4, 3, 1, 0)] == [
        "abcd",
        "ab…",
        "…",
        "",
    ]


def test_a_bar_is_as_long_as_its_value_and_never_vanishes() -> None:
    assert bar(4, 8, 10, UNICODE) == "█████"
    assert bar(8, 8, 10, UNICODE) == bar(9, 8, 10, UNICODE) == "█" * 10
    assert bar(1, 1, 2, UNICODE) == "██"
    assert bar(1, 16, 2, UNICODE) == bar(0.001, 8, 10, UNICODE) == "▏"
    assert bar(0.001, 8, 10, ASCII) == "#"
    assert bar(0, 8, 10, UNICODE) == bar(0, 0, 10, UNICODE) == bar(1, 0, 10, UNICODE) == ""


def test_without_unicode_each_sign_is_the_nearest_of_as_many_cells() -> None:
    assert ASCII.plain("Łódź – «ça va» … 日 ☃") == "Lodz - <ca va> . ?? ?"
    assert UNICODE.plain("Łódź") == "Łódź"


@pytest.mark.parametrize(
    ("text", "width", "rows", "sentences", "shown"),
    [
        ("It may be an Ambush.", 20, 1, False, ["It may be an Ambush."]),
        ("It may be an Ambush. It is not.", 20, 1, False, ["It may be an Ambush…"]),
        ("It may be an Ambush. It is not.", 20, 1, True, ["It may be an Ambush."]),
        ("Not seen yet: A P; 2 in hand.", 20, 1, True, ["Not seen yet: A P…"]),
        (
            "Gains 1. Then it is eliminated at once.",
            10,
            3,
            True,
            ["Gains 1.", "Then it is", "eliminate…"],
        ),
        ("Gains 1, unless it is covered.", 16, 1, True, ["Gains 1, unless…"]),
        ("Nothing.", 20, 0, False, []),
        ("", 20, 2, True, []),
    ],
)
def test_a_text_that_has_no_room_ends_after_a_sentence_or_a_word_and_says_so(
    text: str, width: int, rows: int, sentences: bool, shown: list[str]
) -> None:
    assert fit_text(text, width, rows, UNICODE, sentences=sentences) == shown
