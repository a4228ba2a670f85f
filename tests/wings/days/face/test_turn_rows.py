"""Tests that tables which wait for the player come first on the start screen and in `join`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from typer.testing import CliRunner

from driflamme_tui.cli.commands import join_command
from driflamme_tui.cli.program import app as program
from driflamme_tui.preferences.remembered import WayBack, remember_back
from driflamme_tui.screens import start_screen
from driflamme_tui.screens.start_rows import refresh_rows, visited_rows, waiting_rows
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.seat_keys import LockedSeat, way_back
from driflamme_tui.seat.targets import Join
from driflamme_tui.wings.days import start_rows
from driflamme_tui.wings.days.turns import turn_requests
from driflamme_tui.wings.days.turns.returns import (
    StoredTurn,
    known_seats,
    seat_name,
    store_seat,
    store_turn,
)
from netcode.joining import discovery
from netcode.wings.days.messages import Turn
from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.support.tables import Hands, in_app, run_app
from tests.wings.days.waiting_tables import (
    LINK,
    MINE,
    NOW,
    THEIRS,
    news,
    sit,
    sit_at_two_tables,
    turn,
)


class WaitingApp(StartedApp):
    """The app of a player with two tables, of which one waits."""

    def __init__(self) -> None:
        sit_at_two_tables()
        super().__init__("Zoé")


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)


@in_app(WaitingApp)
async def test_enter_goes_to_the_table_that_waits_under_the_name_there(
    app: WaitingApp, hands: Hands
) -> None:
    assert app.shows("Your turn at Gaspard's table")
    await hands.until(lambda: app.shows("Rosalind's table 27 hours"))
    await hands.type("enter")
    await hands.until(lambda: app.plans)
    (plan,) = app.plans
    assert isinstance(plan, Join)
    assert str(plan.target) == LINK
    assert app.player_seat.name == "Blaise"


@in_app(WaitingApp)
async def test_a_table_can_be_removed_from_the_start_screen(app: WaitingApp, hands: Hands) -> None:
    await hands.type("delete")
    await hands.until(lambda: not app.shows("Your turn at"))
    assert [*known_seats()] == ["Blaise @ pin1/0123456789abcdef"]


class BackApp(WaitingApp):
    """The app of a player who has just left the table that waits for them."""

    def __init__(self) -> None:
        remember_back(WayBack("Blaise", "Gaspard", LINK, "pin2/0123456789abcdef"))
        super().__init__()


@in_app(BackApp)
async def test_no_other_row_leads_to_a_table_that_waits(app: BackApp, hands: Hands) -> None:
    assert isinstance(app.screen, StartScreen)
    names = [row.name for row in app.screen.menu.rows()]
    assert names[0] == "turn-0"
    assert "back" not in names
    rows = visited_rows(1, except_at=app.screen.menu.seats)
    assert [each.row.label for each in rows] == ["Rosalind's table"]


class SharedApp(StartedApp):
    """The app of two players of one account, who have seats at the same table."""

    def __init__(self) -> None:
        place = "pin2/0123456789abcdef"
        sit(place, "CZR", "Gaspard", said=MINE)
        sit(place, "CZR", "Gaspard", name="Orlando", said=THEIRS)
        super().__init__("Zoé")


@in_app(SharedApp)
async def test_each_player_of_one_account_has_a_row_at_the_same_table(
    app: SharedApp, hands: Hands
) -> None:
    assert isinstance(app.screen, StartScreen)
    assert [each.row.label for each in waiting_rows()] == ["Your turn at Gaspard's table (Blaise)"]
    menu = app.screen.menu
    seats = {each.seat for each in waiting_rows()}
    rows = visited_rows(1, except_at=[each for each in seats if each is not None])
    assert [each.row.label for each in rows] == ["Gaspard's table (Orlando)"]
    assert menu.seats == {("pin2/0123456789abcdef", "Blaise")}


def test_a_seat_that_another_program_has_does_not_wait() -> None:
    sit_at_two_tables()
    assert [each.row.label for each in waiting_rows()] == ["Your turn at Gaspard's table"]
    seat = LockedSeat("pin2/0123456789abcdef", "Blaise")
    assert not waiting_rows()
    seat.release()
    assert waiting_rows()


def test_a_table_that_its_host_does_not_have_calls_nobody_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit("pin2/0123456789abcdef", "CZR", "Gaspard", said=MINE)
    rows: list[Turn] = []

    async def answer(*_: object) -> list[Turn]:
        return rows

    monkeypatch.setattr(turn_requests, "_turns", answer)
    assert waiting_rows()
    assert refresh_rows()
    assert not waiting_rows()
    assert [each.row.label for each in visited_rows(1)] == ["Gaspard's table"]
    rows.append(turn("CZR"))
    assert refresh_rows()
    assert waiting_rows()


class LookingApp(WaitingApp):
    looks_for_tables = True


def test_the_rows_follow_the_news_while_the_screen_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requests: list[object] = []

    @asynccontextmanager
    async def browsing(_changed: object) -> AsyncIterator[None]:
        yield

    def ask(_clock: object) -> None:
        requests.append(None)
        if len(requests) > 1:
            store_seat("Blaise @ pin2/0123456789abcdef", None)

    async def steps(app: LookingApp, hands: Hands) -> None:
        await hands.until(lambda: not app.shows("Your turn at"))
        assert len(requests) > 1

    monkeypatch.setattr(start_screen, "REFRESH_S", 0.01)
    monkeypatch.setattr(start_screen, "browsing", browsing)
    monkeypatch.setattr(turn_requests, "ask_now", ask)
    run_app(LookingApp(), steps)


@pytest.mark.parametrize(
    ("arguments", "name"), [(["--name", "Blaise"], "Blaise"), (["--name", "Zoe"], None), ([], None)]
)
@pytest.mark.parametrize("is_back", [False, True], ids=["it waits", "left last"])
def test_join_goes_to_the_waiting_seat_of_a_given_name(
    arguments: list[str], name: str | None, is_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_at_two_tables()
    sit("pin3/0123456789abcdef", "7K2", "Rosalind", name="Olga", said=MINE)
    if is_back:
        remember_back(WayBack("Blaise", "Rosalind", LINK, "pin1/0123456789abcdef"))
        remember_back(WayBack("Olga", "Rosalind", LINK, "pin3/0123456789abcdef"))
    plans: list[object] = []

    def run(plan: object, _settings: object, player: str, **more: bool) -> None:
        plans.append(plan)
        assert (player == name) is (plan is not None)
        assert more["is_named"] is bool(arguments)
        assert more["goes_back"] is (plan is not None)

    monkeypatch.setattr(join_command, "has_terminal", lambda: True)
    monkeypatch.setattr(join_command, "run_app", run)
    result = CliRunner().invoke(program, ["join", *arguments], env={"LANGUAGE": "en"})
    assert not result.exception, result.output
    (plan,) = plans
    assert isinstance(plan, Join) is (name is not None)


def test_servers_are_asked_only_if_the_player_has_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks: list[object] = []
    monkeypatch.setattr(turn_requests, "ask_now", clocks.append)
    assert not refresh_rows()
    assert not clocks
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind")
    assert not refresh_rows(), "nothing has changed"
    assert len(clocks) == 1


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (THEIRS, "waits for Rosalind"),
        (news(mine=False, paused=True, host="Rosalind"), "paused by Rosalind"),
    ],
)
def test_the_way_back_names_the_player_for_whom_the_table_waits(
    said: StoredTurn, state: str
) -> None:
    sit("pin1/0123456789abcdef", "K7Q", "Rosalind", said=said)
    remember_back(WayBack("Blaise", "Rosalind", LINK, "pin1/0123456789abcdef"))
    (back,) = waiting_rows()
    assert (back.row.label, back.row.state) == ("Back to Rosalind's table", state)
    assert back.row.waits
    assert back.forget is not None
    back.forget()
    assert not waiting_rows()
    assert way_back() is None


def test_the_end_of_a_game_stands_first_until_the_player_has_seen_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = "pin1/0123456789abcdef"
    sit(place, "K7Q", "Rosalind", said=THEIRS)
    end = turn("K7Q", phase="result", mine=False, whose=None, winners=("Rosalind",))

    async def answer(*_: object) -> list[Turn]:
        return [end]

    monkeypatch.setattr(turn_requests, "_turns", answer)
    for _ in range(2):
        refresh_rows()
        (row,) = waiting_rows()
        assert row.row.label == "The end at Rosalind's table"
        assert "the game is over: Rosalind has won" in row.row.about
    store_turn(seat_name(place, "Blaise"), StoredTurn(NOW, end, is_seen=True))
    refresh_rows()
    assert not waiting_rows()


def test_at_most_three_tables_stand_above_the_menu() -> None:
    for number in range(5):
        sit(f"pin{number}/0123456789abcdef", f"00{number}", "", said=MINE)
    assert len(waiting_rows()) == start_rows.MOST_ROWS
    assert waiting_rows()[0].row.label == "Your turn"


def test_join_by_lines_offers_the_table_that_waits_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sit_at_two_tables()
    joined: list[tuple[object, object]] = []

    async def nothing(_seconds: float) -> list[object]:
        return []

    monkeypatch.setattr(turn_requests, "ask_now", lambda _clock: None)
    monkeypatch.setattr(discovery, "find_tables", nothing)
    monkeypatch.setattr(join_command, "is_typed_at", lambda: True)
    monkeypatch.setattr(
        join_command, "run_lines", lambda plan, name, as_json: joined.append((plan, name))
    )
    result = CliRunner().invoke(program, ["join", "--plain"], input="\n", env={"LANGUAGE": "en"})
    assert result.stdout.splitlines()[0] == "1: Your turn at Gaspard's table, 27 hours"
    assert result.stdout.splitlines()[1] == "2: Rosalind's table, 27 hours"
    assert not result.exception, result.output
    ((plan, name),) = joined
    assert isinstance(plan, Join)
    assert str(plan.target) == LINK
    assert name == "Blaise"
