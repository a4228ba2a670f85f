"""Tests the rows of the start screen about other people's tables."""

from functools import partial

import pytest
from textual.errors import NoWidget
from textual.widgets import Input

from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.preferences.remembered import WayBack, remember_back
from driflamme_tui.preferences.visits import MOST_VISITS, TABLES, Visit, remember_visit
from driflamme_tui.screens import start_rows
from driflamme_tui.screens.overlays.code_overlay import NameOverlay
from driflamme_tui.screens.start import start_menu
from driflamme_tui.screens.start_rows import AddedRow, StartRows, visited_rows
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.seat_keys import LockedSeat
from driflamme_tui.seat.targets import Join
from driflamme_tui.widgets.start_widgets import RowButton
from driflamme_tui.wording.program.start_words import PLAY, Row, days_ago
from netcode.client.connectors import Plain
from netcode.protocol.fields import KEY_BYTES
from netcode.transport.address import Address
from tests.driflamme_tui.screens.test_start_screen import StartedApp, notice
from tests.support.scenes import BackApp, VisitedApp, visited
from tests.support.tables import Hands, NotedPlace, in_app, run_app


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
    app.screen.menu._visited = visited_rows(1)
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


class SharedApp(StartedApp):
    """The app of a player with a row that waits, after another player of the same account."""

    def __init__(self) -> None:
        remember_back(WayBack("Olga", "Bea", "--insecure 10.0.0.8", "far"))
        remember_back(WayBack("Tom", "Vasco", "--insecure 10.0.0.7", "there"))
        remember_back(WayBack("Olga", "Ada", "--insecure 10.0.0.9", "here"))
        for name, place in (("Tom", "there"), ("Olga", "here"), ("Olga", "far")):
            seat = LockedSeat(place, name)
            seat.remember(bytes(KEY_BYTES))
            seat.release()
        super().__init__("Tom")


class NamedApp(SharedApp):
    is_named = True


@in_app(NamedApp)
async def test_the_seats_of_the_player_of_the_command_line_come_first(
    app: NamedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [waits(each, Host())._replace(name=each) for each in ("Olga", "Tom")]
    monkeypatch.setattr(start_menu, "waiting_rows", lambda: rows)
    assert isinstance(app.screen, StartScreen)
    await app.screen.offer_ways()
    await hands.until(lambda: app.shows("a Your turn Tom"))
    assert app.shows("b Back to Vasco's table")
    assert app.screen.menu.waiting_names == ["Tom", "back"]
    assert [each.row.name for each in app.screen.menu.visited][:1] == ["Olga"]
    await hands.until(lambda: app.shows("Your turn Olga (Olga)"))
    await hands.type("b")
    await hands.until(lambda: app.plans)
    assert app.plans == [Join(Plain(Address("10.0.0.7")))]
    await hands.type("f5")
    await hands.until(lambda: isinstance(app.screen, NameOverlay))
    app.screen.query_one("#dialog-text", Input).value = "Olga"
    await hands.type("enter")
    await hands.until(lambda: app.shows("a Your turn Olga"))
    assert app.shows("b Back to Ada's table")


@in_app(SharedApp)
async def test_without_a_name_the_latest_seat_of_any_player_comes_first(
    app: SharedApp, hands: Hands
) -> None:
    assert app.shows("a Back to Ada's table")
    await hands.type("a")
    await hands.until(lambda: app.plans)
    assert app.player_seat.name == "Olga"
    assert isinstance(app.place, NotedPlace)
    await app.place._leave("The name Olga is already taken here.")
    assert app.player_seat.name == "Tom", "she was not let in"


def is_in_sight(app: StartedApp, button: RowButton) -> bool:
    try:
        found, _region = app.screen.get_widget_at(button.region.x, button.region.y)
    except NoWidget:
        return False
    return found is button


@pytest.mark.parametrize("number", [3, 9])
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)], ids=str)
def test_every_row_of_the_menu_can_be_seen(
    number: int, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [waits(f"wing-{n}", Host()) for n in range(number)]
    monkeypatch.setattr(start_menu, "waiting_rows", lambda: rows)

    async def steps(app: StartedApp, hands: Hands) -> None:
        await hands.until(lambda: app.shows("Your turn wing-0"))
        if number == 3 and size[0] >= 80:
            assert app.shows("8 Options"), "all rows are in sight"
        for button in app.screen.query(RowButton):
            app.screen.set_focus(button)
            await hands.until(partial(is_in_sight, app, button))

    run_app(StartedApp(), steps, size)


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
