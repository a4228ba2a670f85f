"""Tests the rows of the start screen about other people's tables."""

import pytest

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.preferences.remembered import WayBack
from driflamme_tui.preferences.visits import MOST_VISITS, TABLES, Visit, remember_visit
from driflamme_tui.screens import start_rows
from driflamme_tui.screens.start import start_menu
from driflamme_tui.screens.start_rows import AddedRow, StartRows, visited_rows
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.targets import Join
from driflamme_tui.wording.program.start_words import PLAY, Row, days_ago
from netcode.client.connectors import Plain
from netcode.transport.address import Address
from tests.driflamme_tui.screens.test_start_screen import StartedApp, notice
from tests.support.scenes import BackApp, VisitedApp, visited
from tests.support.tables import Hands, in_app


@in_app(VisitedApp)
async def test_a_row_leads_to_the_table_of_an_earlier_visit(app: VisitedApp, hands: Hands) -> None:
    await visited(app, hands)
    app.screen.query_one("#visit-0").focus()
    await hands.type("enter")
    await hands.click_on("A table")
    await hands.until(lambda: len(app.plans) == 2)
    assert app.plans == [Join(Plain(Address(f"10.0.0.{number}"))) for number in (3, 1)]


@in_app(StartedApp)
async def test_a_link_that_cannot_be_read_is_explained(app: StartedApp, hands: Hands) -> None:
    assert isinstance(app.screen, StartScreen)
    TABLES.remember("there", Visit("Zoé", "nowhere", 1))
    app.screen.menu.visited = visited_rows(1)
    app.screen.action_visit("visit-0")
    await hands.until(lambda: notice(app).startswith("nowhere is not a complete spoken code"))
    assert app.plans == []


def test_the_latest_visits_are_kept_one_for_each_place() -> None:
    for n in range(MOST_VISITS + 2):
        remember_visit(WayBack("Ada", f"Host {n}", f"link {n}", f"pin{n}/{n:016x}"), n + 1)
    remember_visit(WayBack("Ada", "Host 4", "new link", f"pin4/{99:016x}"), 99)
    rows = visited_rows(100, except_at={("pin6", "Ada")})
    assert [each.row.label for each in rows] == [f"Host {n}" for n in (4, 5, 3, 2)]
    assert [each.row.state for each in rows[:2]] == ["yesterday", "94 days ago"]
    assert TABLES.latest()["pin4"].typed == "new link"
    TABLES.forget("pin4")
    assert "pin4" not in TABLES.latest()


def test_a_day_is_counted_from_today() -> None:
    assert [days_ago(day, 10) for day in (11, 10, 9, 8)] == [
        "today",
        "today",
        "yesterday",
        "2 days ago",
    ]


def waits(name: str, host: Host) -> AddedRow:
    return AddedRow(Row(name, PLAY, f"Your turn {name}", "", "", waits=True), lambda: host)


@in_app(StartedApp)
async def test_rows_that_wait_stand_above_the_menu_and_have_keys(
    app: StartedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = Host(), Host(resume=True), Host(bots=("master",))
    rows = [waits(f"wing-{n}", plan) for n, plan in enumerate(plans)]
    monkeypatch.setattr(start_menu, "waiting_rows", lambda: rows)
    assert isinstance(app.screen, StartScreen)
    await app.screen.offer_ways()
    await hands.until(lambda: app.shows("a Your turn wing-0"))
    assert app.focused is app.screen.query_one("#wing-0")
    assert app.shows("b Your turn wing-1")
    for keys in "a", "b", "c":
        await hands.type(keys)
    await hands.until(lambda: len(app.plans) == 3)
    assert app.plans == [*plans]


def news_row() -> AddedRow:
    row = Row("wing-0", PLAY, "Your turn", "", "", waits=True)
    return AddedRow(row, Host, name="Blaise", place="there")


@in_app(BackApp)
async def test_a_wing_asks_for_news_and_its_row_replaces_the_way_back(
    app: BackApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, rows = app.screen, list[AddedRow]()
    assert isinstance(screen, StartScreen)
    assert app.shows("Back to Rosalind's table")

    def refresh() -> bool:
        rows.append(news_row())
        return True

    seam = StartRows(waiting=lambda: rows, refresh=refresh)
    monkeypatch.setattr(start_rows, "_seams", lambda: (seam,))
    screen.refresh_rows()
    await hands.until(lambda: app.shows("a Your turn"))
    assert not app.shows("Back to Rosalind's table")
    assert screen.menu.seats == {("there", "Blaise")}
    await hands.type("a")
    await hands.until(lambda: app.plans)
    assert app.player_seat.name == "Blaise"
