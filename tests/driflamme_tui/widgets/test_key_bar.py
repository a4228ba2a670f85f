"""The key bar: which keys give way where there is no room for all."""

import pytest

from driflamme_tui.widgets.key_bar import EXPENDABLE, Key, fitting


def bar(*keys: tuple[str, int]) -> list[Key]:
    """Return keys of 7 cells each, such as `a aaaaa`, by letter and rank."""
    return [Key(letter, letter * 5, "noop", rank) for letter, rank in keys]


def letters(keys: list[Key], room: int) -> tuple[str, int]:
    fit, gap = fitting(keys, room)
    return "".join(key.key for key in fit), gap


@pytest.mark.parametrize(
    ("room", "shown", "gap"),
    [
        (27, "abc", 3),
        (26, "abc", 2),
        (25, "abc", 2),
        (24, "abc", 1),
        (23, "abc", 1),
        (22, "ab", 3),
        (16, "ab", 2),
        (15, "ab", 1),
        (14, "a", 3),
        (3, "a", 1),
    ],
)
def test_keys_come_closer_before_one_goes(room: int, shown: str, gap: int) -> None:
    assert letters(bar(("a", 0), ("b", 1), ("c", 2)), room) == (shown, gap)


def test_the_expendable_go_before_the_others_are_crowded() -> None:
    keys = bar(("a", EXPENDABLE), ("b", 0), ("c", EXPENDABLE + 1), ("d", 0))
    assert letters(keys, 37) == ("abcd", 3)
    assert letters(keys, 33) == ("abd", 3)
    assert letters(keys, 24) == ("bd", 3)
    assert letters(keys, 15) == ("bd", 1)


def test_of_equals_the_last_goes_first() -> None:
    assert letters(bar(("a", 1), ("b", 1), ("c", 0)), 15) == ("ac", 1)


def test_no_keys_are_no_trouble() -> None:
    assert fitting([], 10) == ([], 3)
