"""Tests that notices at a table cover neither a card nor the question, and lose no word."""

import pytest
from textual.widgets._toast import ToastRack

from driflamme_tui.app.low_notices import LEAST_S, LowNotices, Page, pages_of
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.guided_game import Progress
from tests.driflamme_tui.lessons import LearningApp, lesson_from
from tests.support.tables import (
    Hands,
    SeatedApp,
    WatchedApp,
    evening_session,
    rows_of,
    run_app,
)

LONG = " ".join(f"word{number}" for number in range(24))
"""A notice of three rows on a screen of 60 columns."""


def page(notice: str, rows: int = 1, seconds: float = 5.0) -> Page:
    return Page(notice, notice, rows, seconds, "information")


def test_a_notice_that_fits_is_one_page_with_its_whole_time() -> None:
    (only,) = pages_of("a short notice", 50, 1, 15.0, "warning")
    assert only == Page("a short notice", "a short notice", 1, 15.0, "warning")


def test_the_pages_of_a_long_notice_have_all_words_and_share_its_time() -> None:
    pages = pages_of(LONG, 55, 1, 15.0, "warning")
    assert " ".join(each.text for each in pages) == LONG
    assert [(each.rows, each.seconds) for each in pages] == [(1, 15.0 / len(pages))] * len(pages)
    assert all(each.seconds == LEAST_S for each in pages_of(LONG, 55, 1, 5.0, "warning"))


def test_notices_wait_until_there_is_space() -> None:
    notices = LowNotices()
    notices.add([page("a"), page("b", rows=2), page("c")])
    assert [each.text for each in notices.due(100.0, 2)] == ["a"]
    assert notices.next_change(101.0) == 4.0
    assert notices.due(104.0, 2) == []
    assert [each.text for each in notices.due(105.0, 2)] == ["b"]
    assert [each.text for each in notices.due(110.0, 2)] == ["c"]
    assert notices.next_change(110.0) is None


def test_a_page_that_is_too_high_for_every_space_is_shown_alone() -> None:
    notices = LowNotices()
    notices.add([page("a", rows=3), page("b")])
    assert [each.text for each in notices.due(0.0, 1)] == ["a"]


def test_the_pages_of_one_notice_follow_each_other_though_there_is_space() -> None:
    notices = LowNotices()
    notices.add(pages_of(LONG, 55, 1, 15.0, "warning"))
    assert len(notices.due(0.0, 9)) == 1


def test_a_withdrawn_notice_shows_no_more_pages() -> None:
    notices, pages = LowNotices(), pages_of(LONG, 55, 1, 15.0, "warning")
    notices.add([*pages, page("b")])
    notices.due(0.0, 1)
    assert notices.withdraw(LONG) == pages[:1]
    assert [each.text for each in notices.due(0.0, 1)] == ["b"]
    assert notices.withdraw("unknown") == []


SMALL = [(60, 20), (60, 24), (80, 24)]
"""Sizes at which the events have few rows, or none."""


async def show_notices(app: WatchedApp, table: TableScreen) -> None:
    """Show two notices at a table, although tests run without a place for notices."""
    app._disable_notifications = False
    await table.mount(ToastRack(), before=0)
    app.warn(LONG)
    app.notify("Another notice.")


def hidden(table: TableScreen, rows: int) -> range:
    """Return the rows that notices may hide: those of the events, or else the key bar's."""
    layout = table.table_layout
    if not layout.events_height:
        return range(rows - 1, rows)
    last = rows - table.key_rows - layout.kept
    return range(last - layout.events_height, last)


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize("step", [0, 16])
def test_notices_at_a_table_leave_cards_and_question_in_sight(
    size: tuple[int, int], step: int
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        before, seen = rows_of(app), ""
        await show_notices(app, app.table)
        for _ in range(6):
            await hands.until(lambda: rows_of(app) != before)
            now = rows_of(app)
            changed = {number for number in range(size[1]) if now[number] != before[number]}
            assert changed <= {*hidden(app.table, size[1])}
            seen += "\n".join(now)
            app.clear_notifications()
            app.now += 15.0
            app._show_pages()
            if not app._low_notices._waiting:
                await hands.pause()
                seen += "\n".join(rows_of(app))
                break
            await hands.pause()
        assert all(word in seen for word in LONG.split())
        assert "Another notice." in seen

    run_app(SeatedApp(evening_session(step, "b")), steps, size)


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_notices_in_the_lesson_leave_its_text_in_sight(size: tuple[int, int]) -> None:
    async def steps(app: LearningApp, hands: Hands) -> None:
        before = rows_of(app)
        table = app.screen
        assert isinstance(table, TableScreen)
        await show_notices(app, table)
        await hands.until(lambda: rows_of(app) != before)
        now = rows_of(app)
        changed = {number for number in range(size[1]) if now[number] != before[number]}
        assert changed <= {*hidden(table, size[1])}

    lesson = lesson_from(Progress())
    run_app(LearningApp(lesson, settings=Settings(animation=False)), steps, size)
