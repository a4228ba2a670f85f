"""Tests the start screen: its rows, and the ways to another person's table."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from textual.events import Paste
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.hosting.host_plans import Host, SoloPlan
from driflamme_tui.preferences.remembered import (
    Opponents,
    WayBack,
    last_opponents,
    recall,
    remember,
    remember_back,
    remember_opponents,
)
from driflamme_tui.screens import start_screen
from driflamme_tui.screens.lists.history_screens import HistoryScreen
from driflamme_tui.screens.opening_screen import OpeningScreen
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.screens.overlays.options_overlay import OptionsOverlay
from driflamme_tui.screens.start import start_menu
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.seat.seat_keys import LockedSeat
from driflamme_tui.seat.targets import CodeTarget, Join, TargetError, parse_target
from driflamme_tui.study.lesson_screen import LessonScreen
from driflamme_tui.study.puzzle_screens import BoardScreen, PuzzleScreen
from driflamme_tui.widgets.start_widgets import FoundButton, RowButton, SampleQueue
from driflamme_tui.wording.program.joining_words import whole_code
from netcode.client.connectors import Plain
from netcode.joining.discovery import FoundTable
from netcode.joining.host_mark import marked_addresses
from netcode.joining.invitation import Invitation
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.protocol.messages import PROTOCOL
from netcode.transport.address import Address
from netcode.transport.certificate import PIN_BYTES
from tests.support.tables import Hands, NotedPlace, WatchedApp, in_app, rows_of, run_app


def announced(name: str, address: Address, prefix: str = "") -> FoundTable:
    return FoundTable(name, address, prefix, PROTOCOL)


ROSALINDS = announced("Rosalind", Address("192.168.1.20", 11214), "K7Q")
YVETTES = announced("Yvette", Address("10.0.0.9", 4000), "B2C")
OPEN = announced("Vasco", Address("10.0.0.7", 11214))


class StartedApp(WatchedApp):
    """The app before any table, which only records its plans."""

    def __init__(self, name: str = "Blaise") -> None:
        super().__init__(None, name)
        self.place = NotedPlace(self)
        self.plans = self.place.plans

    @property
    def can_be_pressed_again(self) -> bool:
        """True if no button looks pressed; a pressed button ignores clicks."""
        return not self.screen.query("Button.-active")

    async def find(self, hands: Hands, *tables: FoundTable) -> None:
        """Announce these tables, and no others."""
        assert isinstance(self.screen_stack[1], StartScreen)
        self.screen_stack[1].take_found(tables)
        await hands.pause()


def leave_a_seat(typed: str = "") -> None:
    """Store a seat at Rosalind's table."""
    remember_back(WayBack("Blaise", "Rosalind", typed, "there"))
    seat = LockedSeat("there", "Blaise")
    seat.remember(bytes(KEY_BYTES))
    seat.release()


@in_app(StartedApp)
async def test_start_by_keys(app: StartedApp, hands: Hands) -> None:
    await hands.type("enter")
    await hands.type("down enter")
    play, host = app.plans
    assert isinstance(play, SoloPlan)
    assert isinstance(host, Host)
    assert play.bots == ("steady",) * 3
    await hands.type("right enter")
    await hands.until(lambda: notice(app).startswith("Paste the host's link"))
    await hands.type("a : b enter")
    await hands.until(lambda: not notice(app).startswith("Paste"))
    assert notice(app), "that is no address"
    assert len(app.plans) == 2
    app.screen.query_one("#address", Input).value = "10.0.0.7 k7qf2mxr"
    await hands.type("enter")
    await hands.until(lambda: len(app.plans) == 3)
    join = app.plans[-1]
    assert isinstance(join, Join)
    assert join.target == CodeTarget(Address("10.0.0.7"), "K7QF2MXR")


@pytest.mark.parametrize(
    "typed", ["k7qf2mxr", "K7Q F2MXR", "k7q-f2mxr", "driflamme join k7q f2mxr"]
)
def test_a_code_is_one_in_lower_case_and_with_a_space(typed: str) -> None:
    assert parse_target(typed, [YVETTES, ROSALINDS]) == CodeTarget(ROSALINDS.address, "K7QF2MXR")
    with pytest.raises(TargetError, match="No table on this network has that code"):
        parse_target(typed, [YVETTES])
    by_address = parse_target(f"10.0.0.7 {typed.removeprefix('driflamme join ')}", ())
    assert by_address == CodeTarget(Address("10.0.0.7"), "K7QF2MXR")


def test_all_tables_that_announce_the_room_of_a_code_are_asked() -> None:
    mallory = FoundTable("Mallory", Address("192.168.1.66"), ROSALINDS.prefix, PROTOCOL)
    found = [mallory, YVETTES, ROSALINDS, mallory]
    target = parse_target("k7qf2mxr", found)
    assert target == CodeTarget(mallory.address, "K7QF2MXR", (ROSALINDS.address,))


@in_app(StartedApp)
async def test_start_by_clicks(app: StartedApp, hands: Hands) -> None:
    await hands.click("#play")
    await hands.click("#host")
    await hands.pause()
    assert len(app.plans) == 2
    await hands.click("#rules")
    await hands.pause()
    assert isinstance(app.screen, HelpOverlay)
    await hands.type("escape")
    await hands.click_on("Esc quit")
    await hands.pause()
    assert app._exit


def notice(app: DriflammeApp) -> str:
    return str(app.screen.query_one("#notice", Static).content)


@in_app(StartedApp)
async def test_what_led_nowhere_stays_to_be_mended_unless_the_table_is_gone(
    app: StartedApp, hands: Hands
) -> None:
    line = app.screen.query_one("#address", Input)
    for code, left in (("", "10.0.0.7 k7qf2mxr"), ("no_such_table", "")):
        remember(name="Blaise", address="10.0.0.7 k7qf2mxr")
        line.value = "10.0.0.7 k7qf2mxr"
        app.place.give_up("It leads nowhere.", code)
        await hands.until(lambda: notice(app) == "It leads nowhere.")
        assert (line.value, recall().address) == (left, left)
        assert line.selected_text == left, "what is pasted takes its place"
        app.screen.query_one("#notice", Static).update("")


@in_app(StartedApp)
async def test_a_name_is_needed(app: StartedApp, hands: Hands) -> None:
    app.player_seat.name = ""
    await hands.type("enter")
    await hands.until(lambda: notice(app) == "Type a name.")
    assert app.plans == []
    await hands.type("f5")
    await hands.until(lambda: isinstance(app.screen, NameOverlay))
    app.screen.query_one("#dialog-text", Input).value = " Zoé "
    await hands.type("enter")
    await hands.until(lambda: app.shows("Zoé · F5 rename"))
    assert (app.player_seat.name, recall().name, notice(app)) == ("Zoé", "Zoé", "")
    await hands.type("2")
    await hands.until(lambda: len(app.plans) == 1)


@in_app(StartedApp)
async def test_a_letter_that_does_nothing_says_so_and_what_is_pasted_is_a_link(
    app: StartedApp, hands: Hands
) -> None:
    line = app.screen.query_one("#address", Input)
    await hands.type("z")
    await hands.until(lambda: notice(app).startswith("z does nothing here"))
    await hands.type("down")
    await hands.until(lambda: notice(app) == "")
    app.screen.post_message(Paste("driflamme://table.example/…\n"))
    await hands.until(lambda: line.value == "driflamme://table.example/…")
    line.value = ""
    app.screen.query_one("#play", Button).focus()
    await hands.press("right")
    await hands.burst("k7q f2mxr")
    await hands.until(lambda: line.value == "k7q f2mxr")
    assert app.plans == []


def is_at(app: StartedApp, kind: type[Screen[Any]]) -> bool:
    return isinstance(app.screen, kind)


@in_app(StartedApp)
async def test_each_row_has_a_digit(app: StartedApp, hands: Hands) -> None:
    rows = [str(each.render()) for each in app.screen.query(RowButton)]
    assert [row[:2].strip() for row in rows] == [*"12345678"]
    await hands.type("2")
    await hands.type("3")
    assert [type(each) for each in app.plans] == [SoloPlan, Host]
    opened: tuple[tuple[str, type[Screen[Any]]], ...] = (
        ("4", PuzzleScreen),
        ("5", BoardScreen),
        ("6", HistoryScreen),
        ("7", HelpOverlay),
        ("8", OptionsOverlay),
    )
    for digit, kind in opened:
        await hands.type(digit)
        await hands.until(partial(is_at, app, kind))
        app.pop_screen()
        await hands.pause()
    await hands.type("1")
    await hands.until(lambda: isinstance(app.screen, LessonScreen))


@in_app(StartedApp)
async def test_opponents_are_chosen_beside_their_row_and_remembered(
    app: StartedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hands.type("3")
    app.plans.clear()
    await hands.type("+ k k e")
    await hands.until(lambda: app.shows("2 Play against bots 4 bots, master"))
    await hands.click_on("first edition")
    await hands.until(lambda: app.shows("e second edition"))
    await hands.click_on("+ - Bots 4")
    await hands.until(lambda: app.shows("+ - Bots 2"))
    await hands.type("-")
    await hands.type("enter")
    await hands.until(lambda: bool(app.plans))
    (plan,) = app.plans
    assert isinstance(plan, SoloPlan)
    assert (plan.bots, plan.settings.edition) == (("master",) * 2, 2)
    assert last_opponents() == Opponents(2, "master", 2)
    boards: list[BoardScreen] = []
    monkeypatch.setattr(app, "push_screen", boards.append)
    app.action_board()
    assert len(boards[0]._board.game.families) == 3, "the board is for as many"


def test_the_bots_of_a_lobby_are_not_the_opponents_of_the_start_screen() -> None:
    remember(bot="sharp")
    assert last_opponents() == Opponents(3, "steady", 2)


def test_opponents_that_are_gone_are_replaced_by_the_usual_ones() -> None:
    remember_opponents(Opponents(4, "nobody:Here", 1))
    assert last_opponents() == Opponents(4, "steady", 1)


@in_app(StartedApp)
async def test_of_a_long_link_both_ends_are_shown_unless_one_moves_about_in_it(
    app: StartedApp, hands: Hands
) -> None:
    def shown() -> bool:
        return f"{link[:20]}" in "\n".join(rows_of(app)) and "9zZ" in "\n".join(rows_of(app))

    link = "driflamme://192.0.2.2:4555/dVKy9P_BrUlkHQFDeV4AbILtBgP3153d-XD9zZ"
    app.screen.post_message(Paste(link))
    await hands.until(shown)
    assert "…" in "\n".join(rows_of(app))
    await hands.type("home")
    await hands.until(lambda: not shown())
    assert link[:30] in "\n".join(rows_of(app))
    app.screen.query_one("#play", Button).focus()
    await hands.until(shown)


@in_app(StartedApp)
async def test_keys_go_through_everything_and_from_side_to_side(
    app: StartedApp, hands: Hands
) -> None:
    def here() -> str | None:
        return app.focused.id if app.focused is not None else None

    assert here() == "play"
    for keys, where in (
        ("down", "host"),
        ("down", "puzzle"),
        ("down", "board"),
        ("down", "past"),
        ("down", "rules"),
        ("down", "options"),
        ("down", "address"),
        ("down", "learn"),
        ("up", "address"),
        ("up", "options"),
        ("right", "address"),
        ("down down right", "address"),
        ("down down left", "play"),
    ):
        await hands.type(keys)
        assert here() == where, keys
    await hands.type("f1")
    (row,) = (row for row in rows_of(app) if "play against bots" in row)
    assert row.strip(" │┃║").startswith("2 ")
    await hands.type("escape escape")
    assert app._exit


def test_tables_are_looked_for_as_long_as_the_start_screen_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    @asynccontextmanager
    async def browsing(tell: Callable[[Sequence[FoundTable]], object]) -> AsyncIterator[None]:
        done.append("start")
        tell((ROSALINDS,))
        try:
            yield
        finally:
            done.append("stop")

    class Looking(StartedApp):
        looks_for_tables = True

    async def steps(app: StartedApp, hands: Hands) -> None:
        await hands.until(lambda: app.screen.query(FoundButton))
        assert done == ["start"]
        app.switch_screen(StartScreen())
        await hands.until(lambda: done == ["start", "stop"])
        assert "\n".join(rows_of(app)).count("None yet") == 1

    monkeypatch.setattr(start_screen, "browsing", browsing)
    run_app(Looking(), steps)


@in_app(StartedApp)
async def test_a_found_table_is_joined_with_its_code_by_keys_and_by_clicks(
    app: StartedApp, hands: Hands
) -> None:
    await app.find(hands, ROSALINDS, YVETTES)
    listed = "\n".join(rows_of(app))
    assert "K7Q Rosalind" in listed
    assert "B2C Yvette" in listed
    await hands.type("right down down")
    await hands.until(lambda: app.shows("10.0.0.9:4000. Enter asks for the code"))
    await hands.type("enter")
    await hands.until(lambda: asks_for_code(app))
    assert app.shows("Yvette's table at 10.0.0.9:4000")
    await hands.press(*"f2mxr", "enter")
    await hands.until(lambda: app.plans and app.can_be_pressed_again)
    await hands.click(app.screen.query(FoundButton)[1])
    await hands.until(lambda: asks_for_code(app))
    await hands.press(*"b2c f-2MXR")
    await hands.click("#answer-1")
    await hands.until(lambda: app.plans == [Join(CodeTarget(YVETTES.address, "B2CF2MXR"))] * 2)
    assert isinstance(app.screen, StartScreen)


@in_app(StartedApp, (120, 40))
async def test_a_table_without_a_free_seat_is_joined_too(app: StartedApp, hands: Hands) -> None:
    full = FoundTable("Rosalind", ROSALINDS.address, "K7Q", PROTOCOL, 5, 5)
    playing = FoundTable("Yvette", YVETTES.address, "B2C", PROTOCOL, 3, 5, playing=True)
    waiting = FoundTable("Zoé", OPEN.address, "D4E", PROTOCOL, 3, 5)
    await app.find(hands, full, playing, waiting)
    for row in ("5 of 5, full watch", "3 of 5, playing watch", "3 of 5, waiting join"):
        assert app.shows(row)
    for button in app.screen.query(FoundButton):
        await hands.click(button)
        await hands.until(lambda: asks_for_code(app))
        await hands.press(*"f2mxr", "enter")
        await hands.until(lambda: isinstance(app.screen, StartScreen))
        join = app.plans[-1]
        assert isinstance(join, Join)
        assert not join.watch, "only a refused player is offered the seat of a bot"


@in_app(StartedApp)
async def test_the_list_follows_the_network_and_keeps_the_focus(
    app: StartedApp, hands: Hands
) -> None:
    def chosen() -> str:
        assert isinstance(app.focused, FoundButton)
        return app.focused.table.name

    await app.find(hands, ROSALINDS, YVETTES)
    app.screen.query(FoundButton)[1].focus()
    await app.find(hands, OPEN, ROSALINDS, YVETTES)
    assert chosen() == "Yvette"
    await app.find(hands, OPEN, ROSALINDS)
    assert not isinstance(app.focused, FoundButton), "Enter opens no other table than the chosen"
    await app.find(hands)
    assert "None yet" in "\n".join(rows_of(app))
    rude = "[b]x[/b][@click=app.quit]y[/]"
    await app.find(hands, announced(rude, Address("10.0.0.7", 11214), "K7Q"))
    app.screen.query_one(FoundButton).focus()
    await hands.pause()
    assert rude in "\n".join(rows_of(app)), "whatever a stranger announces is only text"


def test_a_code_is_whole_with_or_without_its_room() -> None:
    for typed, code in (
        ("F2MXR", "K7QF2MXR"),
        ("k7q-f2mxr", "K7QF2MXR"),
        (" k7q f2 mxr ", "K7QF2MXR"),
        ("B2C-F2MXR", "B2CF2MXR"),
        ("F2MX", None),
        ("", None),
        ("K7Q-F2MXRR", None),
    ):
        assert whole_code(typed, "K7Q") == code


def asks_for_code(app: DriflammeApp) -> bool:
    return isinstance(app.screen, CodeOverlay) and isinstance(app.focused, Input)


@in_app(StartedApp)
async def test_the_list_goes_on_while_a_code_is_asked_for(app: StartedApp, hands: Hands) -> None:
    await app.push_screen(CodeOverlay(ROSALINDS.address, ROSALINDS.prefix))
    await app.find(hands, ROSALINDS)
    assert app.screen_stack[1].query(FoundButton)


@in_app(StartedApp)
async def test_cards_lie_on_the_start_screen_where_there_is_room(
    app: StartedApp, hands: Hands
) -> None:
    def shown() -> set[str | None]:
        return {each.id for each in app.screen.query(SampleQueue) if each.region}

    assert shown() == {"sample"}
    await hands.resize_terminal(120, 40)
    await hands.until(lambda: shown() == {"opening", "sample-wide"})
    await hands.resize_terminal(60, 20)
    await hands.until(lambda: shown() == set())


@in_app(lambda: StartedApp("Blaise"))
async def test_escape_goes_from_the_join_field_to_the_menu_before_it_ends_the_program(
    app: StartedApp, hands: Hands
) -> None:
    await hands.press("right", "a", "?", "b")
    assert focus(app) == "address"
    assert app.screen.query_one("#address", Input).value == "a?b"
    assert "Esc menu" in "\n".join(rows_of(app))
    await hands.press("escape")
    assert (focus(app), app.is_running) == ("play", True)
    assert "Esc quit" in "\n".join(rows_of(app))
    await hands.press("escape")
    assert app._exit


def test_a_person_removes_the_way_back_with_a_key() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        assert focus(app) == "back"
        assert any("Del removes" in row for row in rows_of(app))
        await hands.press("delete")
        await hands.until(lambda: not app.screen.query("#back"))
        assert focus(app) == "play"
        assert recall().back == ()

    leave_a_seat()
    run_app(StartedApp("Blaise"), steps)


def test_a_player_is_called_when_the_table_with_their_seat_is_open_again() -> None:
    pin, address = b"pin of Rosalind."[:PIN_BYTES], Address("10.0.0.7")
    link = Invitation((address,), pin, bytes(SECRET_BYTES))
    at = marked_addresses(pin, [address])
    table = replace(OPEN, marked=(at["at"].encode(), at["mark"].encode()))
    other = replace(OPEN, marked=(at["at"].encode(), bytes(32)))

    async def steps(app: StartedApp, hands: Hands) -> None:
        screen = app.screen
        assert isinstance(screen, StartScreen)
        screen._look_for_host()
        for tables, is_called in (((other,), False), ((table,), True)):
            screen.take_found(tables)
            await hands.pause()
            is_said = "table is open again: the first row leads to your seat" in screen.notice
            assert is_said is is_called

    leave_a_seat(str(link))
    run_app(StartedApp("Blaise"), steps)


def test_the_way_back_comes_before_reopening(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        assert app.screen.query(Button).first().id == "back"

    leave_a_seat()
    monkeypatch.setattr(start_menu, "can_reopen", lambda: True)
    run_app(StartedApp("Blaise"), steps)


@in_app(lambda: StartedApp("Blaise"))
async def test_who_comes_back_from_a_table_is_at_the_way_back_and_not_in_their_name(
    app: StartedApp, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert focus(app) == "play"
    monkeypatch.setattr(start_menu, "can_reopen", lambda: True)
    assert isinstance(app.screen, StartScreen)
    await app.screen.offer_ways()
    await hands.pause()
    assert focus(app) == "reopen"
    app.screen.query_one("#options", Button).focus()
    monkeypatch.setattr(start_menu, "can_reopen", lambda: False)
    await hands.pause()
    await app.screen.offer_ways()
    await hands.pause()
    assert focus(app) == "options"


class Asking(StartedApp):
    """The app of a new player who has followed a link."""

    asks_name = True

    def __init__(self) -> None:
        super().__init__("Root")
        self.place.plan = Join(Plain(OPEN.address))
        self.place.ends_on_failure = True


@in_app(Asking)
async def test_who_has_no_name_yet_is_asked_before_they_go_to_the_table(
    app: Asking, hands: Hands
) -> None:
    await hands.until(lambda: isinstance(app.screen, NameOverlay))
    assert app.shows("What is your name at this table?")
    assert app.plans == []
    app.screen.query_one("#dialog-text", Input).value = "Zoe"
    await hands.type("enter")
    await hands.until(lambda: app.plans == [Join(Plain(OPEN.address))])
    assert app.player_seat.name == "Zoe"


@in_app(Asking)
async def test_who_gives_no_name_goes_nowhere(app: Asking, hands: Hands) -> None:
    await hands.until(lambda: isinstance(app.screen, NameOverlay))
    await hands.type("escape")
    await hands.until(lambda: not app.is_running or app._exit)
    assert (app.plans, app.failure) == ([], "")


class ToJoin(StartedApp):
    joins = True


@in_app(ToJoin)
async def test_who_came_to_join_begins_where_the_link_goes(app: ToJoin, hands: Hands) -> None:
    assert focus(app) == "address"


def focus(app: DriflammeApp) -> str | None:
    return None if app.focused is None else app.focused.id


@pytest.mark.parametrize(("key", "left"), [("backspace", "F2MX"), ("k", "k")])
@pytest.mark.parametrize(
    "make", [NameOverlay, lambda was: CodeOverlay(OPEN.address, "K7Q", typed=was)]
)
def test_backspace_corrects_what_was_typed_before_and_a_letter_replaces_it(
    make: Callable[[str], Screen[str | None]], key: str, left: str
) -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        await app.push_screen(make("F2MXR"))
        await hands.until(lambda: isinstance(app.focused, Input))
        await hands.press(key)
        assert isinstance(app.focused, Input)
        assert app.focused.value == left

    run_app(StartedApp("Blaise"), steps)


@in_app(lambda: WatchedApp(None, "Blaise"))
async def test_a_wrong_code_or_name_ends_the_notice_that_the_player_is_on_the_way(
    app: WatchedApp, hands: Hands
) -> None:
    start = app.screen
    assert isinstance(start, StartScreen)
    plan = Join(CodeTarget(ROSALINDS.address, "K7QF2MXR"))
    wrong = "No table here has this code."
    for ask in (partial(app.place._ask_code, plan, wrong), partial(app.place.ask_name, wrong)):
        start.show_way(is_going=True)
        assert start.notice.startswith("Connecting to the table")
        ask()
        await hands.until(lambda: app.screen is not start)
        await hands.until(lambda: not start.notice)
        await hands.press("escape")
        await hands.until(lambda: start.notice == wrong)


@in_app(lambda: WatchedApp(None, "Blaise"))
async def test_only_the_notice_about_the_way_is_hidden(app: WatchedApp, hands: Hands) -> None:
    start = app.screen
    assert isinstance(start, StartScreen)
    start.show_notice("Another notice.")
    start.show_way(is_going=False)
    assert start.notice == "Another notice."


@in_app(lambda: WatchedApp(lambda: OpeningScreen(joins=True), "Blaise"))
async def test_the_screen_of_a_link_does_not_stay_on_the_way_either(
    app: WatchedApp, hands: Hands
) -> None:
    opening = app.screen.query_one("#opening", Static)
    assert str(opening.content).startswith("Connecting to the table")
    plan = Join(CodeTarget(ROSALINDS.address, "K7QF2MXR"))
    app.place._ask_code(plan, "No table here has this code.")
    await hands.until(lambda: isinstance(app.screen, CodeOverlay))
    await hands.until(lambda: not str(opening.content))
