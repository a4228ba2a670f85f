"""Tests rows of statistics: they fit in every language and width, and charts have true numbers."""

from functools import cache, partial
from itertools import product

import pytest
from rich.cells import cell_len

from driflamme_tui.drawing.statistics_texts import StatisticsTexts, plainly
from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from engine.arena.contest import Series, simulate
from engine.record import Record
from engine.statistics import Statistics


@cache
def statistics_of_bots(games: int) -> Statistics:
    """Return the statistics of the first seat in a series with all kinds of tables."""
    statistics = Statistics(unfinished=3, unreadable=1)
    for played in simulate(Series(games, bots=("steady",) * 5, seed=1)):
        record = Record(played.deal, tuple(map(str, played.actions)))
        statistics.add(record, (0,), played.number + 1)
    return statistics


many = partial(statistics_of_bots, 36)


def rows_of(statistics: Statistics, width: int, glyphs: Glyphs = UNICODE) -> list[str]:
    return plainly(StatisticsTexts.plain(glyphs).sections(statistics), width)


@pytest.fixture(params=available_languages())
def language(request: pytest.FixtureRequest) -> str:
    set_language(request.param)
    return str(request.param)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_row_is_wider_than_there_is_room(language: str, glyphs: Glyphs) -> None:
    for width, statistics in product((56, 80, 116), (many(), statistics_of_bots(1))):
        for row in rows_of(statistics, width, glyphs):
            assert cell_len(row) <= width, (language, width, row)


def test_where_there_is_no_unicode_there_is_none() -> None:
    assert [row for row in rows_of(many(), 80, ASCII) if not row.isascii()] == []


def test_without_a_game_there_is_nothing_to_show() -> None:
    assert rows_of(Statistics(unfinished=2), 80) == []


def test_the_last_games_are_told_where_not_all_have_room() -> None:
    marks = next(row for row in rows_of(many(), 34) if row.lstrip().startswith("0 "))
    last = many().results[-31:]
    assert marks[3:].ljust(31) == "".join("♛" if each.won else " " for each in last)


def test_side_by_side_only_where_each_has_room() -> None:
    def titles(width: int) -> list[list[str]]:
        section_titles = [each.title for each in StatisticsTexts.plain(UNICODE).sections(many())]
        rows = ([each for each in section_titles if each in row] for row in rows_of(many(), width))
        return [row for row in rows if row]

    assert [len(each) for each in titles(56)] == [1] * 6
    assert [len(each) for each in titles(76)] == [2, 1, 1, 1, 1]
    assert [len(each) for each in titles(116)] == [3, 2, 1]
