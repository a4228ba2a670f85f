"""Tests lists in columns: complete cells, sorting, searching and moving."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from rich.text import Text
from textual.app import ComposeResult
from textual.pilot import Pilot

from driflamme_tui.drawing.textual_internals import FrameDiffApp
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.list_table import PAGE, Column, ListTable, join_lines
from tests.support.tables import rows_of

Person = tuple[str, int]

PEOPLE: tuple[Person, ...] = (
    ("Maximiliane Sturmhub", 7),
    ("Bo\nAda\nWolfram Eschenbacher\n漢字名前漢字名前漢字名前", 12),
    ("Zoe", 3),
)


class ListApp(FrameDiffApp):
    def __init__(self, people: tuple[Person, ...], glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.people, self.terminal.glyphs = people, glyphs

    def compose(self) -> ComposeResult:
        yield ListTable(self.columns, lambda person: person[0])

    def columns(self) -> list[Column[Person]]:
        return [
            Column("POINTS", lambda one: Text(str(one[1])), lambda one: one[1], is_number=True),
            Column("NAME", lambda one: Text(one[0]), grows=True),
        ]

    @property
    def listing(self) -> ListTable[Person]:
        listing: ListTable[Person] = self.query_one(ListTable)
        return listing

    @property
    def points(self) -> list[int]:
        return [one[1] for one in self.listing.shown]


def listed(
    steps: Callable[[ListApp], Awaitable[None]],
    people: tuple[Person, ...] = PEOPLE,
    size: tuple[int, int] = (80, 24),
    glyphs: Glyphs = UNICODE,
) -> None:
    async def run() -> None:
        app = ListApp(people, glyphs)
        async with app.run_test(size=size) as pilot:
            app.listing.show(people)
            await pilot.pause()
            await steps(app)

    asyncio.run(run())


@pytest.mark.parametrize(("width", "glyphs"), [(20, UNICODE), (33, ASCII), (60, UNICODE)])
def test_no_sign_is_cut_off(width: int, glyphs: Glyphs) -> None:
    async def steps(app: ListApp) -> None:
        shown = "".join("".join(rows_of(app)).split())
        for name, points in PEOPLE:
            for piece in (*name.split(), str(points)):
                assert all(sign in shown for sign in piece), piece
                if width > 33:
                    assert piece in shown

    listed(steps, size=(width, 24), glyphs=glyphs)


def test_lines_stand_side_by_side_as_far_as_there_is_room() -> None:
    text = Text("one\ntwo\nthree")
    assert join_lines(text).plain == "one  two  three"
    assert join_lines(text, 8).plain == "one  two\nthree"
    assert join_lines(text, 7).plain == "one\ntwo\nthree"
    assert join_lines(text, 2).plain == "one\ntwo\nthree", "no row is empty"


def test_lines_are_sorted_by_each_column_and_turned_round() -> None:
    async def steps(app: ListApp) -> None:
        for step, points in (
            (app.listing.sort_next, [12, 7, 3]),
            (app.listing.turn_round, [3, 7, 12]),
            (app.listing.sort_next, [12, 7, 3]),
            (app.listing.sort_next, [7, 12, 3]),
            (app.listing.turn_round, [3, 12, 7]),
        ):
            step()
            assert app.points == points

    listed(steps)


def test_what_is_chosen_stays_so_wherever_it_goes() -> None:
    async def steps(app: ListApp) -> None:
        app.listing.select(1)
        app.listing.search("O")
        app.listing.sort_next()
        assert app.points == [12, 3]
        assert app.listing.chosen == PEOPLE[1]
        app.listing.search("nobody")
        assert not app.points
        app.listing.search("")
        app.listing.show(PEOPLE[::-1])
        app.listing.select(-1)
        assert app.listing.chosen is not None

    listed(steps)


def test_there_are_as_many_pages_as_it_takes() -> None:
    people = tuple((f"Player {number}", number) for number in range(3 * PAGE - 50))

    async def steps(app: ListApp) -> None:
        assert app.listing.pages == (1, 3)
        for line in (PAGE, PAGE - 1, 2 * PAGE + 7, 0):
            app.listing.select(line)
            assert app.listing.chosen == people[line]
            assert app.listing.row_count <= PAGE
        app.listing.select(-1)
        assert app.listing.chosen == people[-1]
        app.listing.page(1)
        assert app.listing.chosen == people[-1]
        assert app.listing.pages == (3, 3)

    listed(steps, people)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_last_line_is_chosen_by_its_number_and_by_any_that_is_too_high(count: int) -> None:
    async def steps(app: ListApp) -> None:
        for line in (-1, count - 1, count, 10**6):
            app.listing.select(0)
            app.listing.select(line)
            assert (app.listing.selected, app.listing.chosen) == (count - 1, PEOPLE[count - 1])

    listed(steps, PEOPLE[:count])


def test_what_stands_there_already_is_not_measured_again() -> None:
    async def steps(app: ListApp) -> None:
        before = list(app.listing.rows)
        app.listing.relist()
        assert all(one is other for one, other in zip(app.listing.rows, before, strict=True))
        app.listing.sort_by(0, turned=False)
        assert not any(one is other for one, other in zip(app.listing.rows, before, strict=True))
        assert app.points == [12, 7, 3]

    listed(steps)


def test_nothing_is_chosen_in_place_of_what_is_gone_until_the_reader_chooses() -> None:
    async def steps(app: ListApp) -> None:
        listing = app.listing

        def chosen() -> Person | None:
            return listing.chosen

        ways: list[Callable[[], object]] = [lambda: listing.select(1), lambda: listing.page(-1)]
        for chooses_again in ways:
            listing.show(PEOPLE)
            listing.select(1)
            listing.search("z")
            listing.search("")
            assert chosen() is not None, "the reader has searched, and nobody is gone"
            gone = chosen()
            listing.show([each for each in PEOPLE if each != gone])
            assert chosen() is None
            assert not listing.show_cursor
            listing.show(PEOPLE[1:])
            assert chosen() is None, "whoever comes meanwhile is not chosen"
            chooses_again()
            assert chosen() in PEOPLE
            assert listing.show_cursor
        listing.show(PEOPLE[:1])
        assert chosen() is None
        await Pilot(app).click(ListTable, offset=(2, 1))
        assert chosen() == PEOPLE[0], "a click chooses"

    listed(steps)
