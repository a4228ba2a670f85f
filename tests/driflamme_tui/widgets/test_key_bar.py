"""Tests the keys that remain in the key bar if space is short."""

import pytest

from driflamme_tui.keymap.screen_commands import EverywhereCommands
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.key_bar import MORE, NARROW_COLUMNS, Key, fitting, fitting_rows, key_of

KEYS = [Key(letter, letter * 5, "noop") for letter in "abc"]
"""Keys of 7 cells each, such as `a aaaaa`."""

STAYING = [
    key_of(EverywhereCommands.commands, UNICODE, "commands", stays=True),
    Key("q", "leave", "noop", stays=True),
]
"""Two keys: one of 10 cells, or 3 when shortened, and one of 7."""


def shown(keys: list[Key], space: int) -> tuple[str, int]:
    fit, gap = fitting(keys, space)
    return "".join(key.key for key in fit), gap


@pytest.mark.parametrize(
    ("space", "fit", "gap"),
    [(27, "abc", 3), (26, "abc", 2), (25, "abc", 2), (24, "abc", 1), (22, "ab", 1), (14, "a", 1)],
)
def test_keys_come_closer_before_the_last_goes(space: int, fit: str, gap: int) -> None:
    assert shown(KEYS, space) == (fit, gap)


@pytest.mark.parametrize(
    ("space", "fit", "label"),
    [(50, "abc:q", "commands"), (44, "abc:q", MORE), (35, "abc:q", MORE), (34, "ab:q", MORE)],
)
def test_the_way_out_stays_and_the_palette_stands_for_what_is_left_out(
    space: int, fit: str, label: str
) -> None:
    keys, _gap = fitting([*KEYS, *STAYING], space)
    assert "".join(key.key for key in keys) == fit
    assert keys[-2].label == label


def test_a_short_key_takes_the_room_that_a_longer_one_before_it_has_not() -> None:
    assert shown([KEYS[0], Key("b", "b" * 9, "noop"), KEYS[2]], 17) == ("ac", 1)


@pytest.mark.parametrize("space", [14, 5, 0])
def test_what_stays_is_left_out_nowhere(space: int) -> None:
    assert shown([*KEYS, *STAYING], space) == (":q", 1)


def test_where_more_have_room_they_stay_apart() -> None:
    keys = [Key(letter, letter * 5, "noop") for letter in "abcdefghi"]
    assert shown(keys, NARROW_COLUMNS) == ("abcdefgh", 2)
    assert shown(keys, NARROW_COLUMNS - 1) == ("abcdefgh", 1)


def test_two_rows_are_about_equally_long_and_show_every_key() -> None:
    keys = [Key(letter, letter * 5, "noop") for letter in "abcdefg"]
    rows = ["".join(key.key for key in row) for row, _gap in fitting_rows(keys, 40, 2)]
    assert rows == ["abc", "defg"]
    assert len([*fitting_rows(keys, 40, 1)]) == 1
    assert [len(row) for row, _gap in fitting_rows(keys[:3], 40, 2)] == [3]


def test_no_keys_are_no_trouble() -> None:
    assert fitting([], 10) == ([], 3)
