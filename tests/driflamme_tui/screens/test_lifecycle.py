"""Tests that late, early and useless messages to a screen never end the program."""

import ast
import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest
from textual.actions import parse
from textual.app import ComposeResult
from textual.events import Click, Key, MouseDown, MouseEvent, MouseMove, MouseUp, Paste
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

import driflamme_tui
from driflamme_tui.app import styled_app
from driflamme_tui.keymap.key_bindings import all_commands, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands
from driflamme_tui.model.past_game_totals import GameFilter
from driflamme_tui.replay.judging import Review
from driflamme_tui.screens.base import command_screen
from driflamme_tui.screens.base.command_screen import Commanded, overlay_at
from driflamme_tui.screens.base.overlay import Confirmation, LeaveDialog
from driflamme_tui.screens.lists.history_screens import (
    HistoryScreen,
    StatisticsScreen,
)
from driflamme_tui.screens.overlays.card_reference import CardReferenceOverlay
from driflamme_tui.screens.overlays.code_overlay import CodeOverlay, NameOverlay
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.screens.overlays.shared_overlay import shared_overlay
from driflamme_tui.screens.overlays.table_overlays import (
    EventsOverlay,
)
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.screens.table.live_screen import LiveScreen
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.study.guided_game import Progress
from driflamme_tui.study.lesson_screen import LessonScreen
from driflamme_tui.study.local_table import PuzzleTable, board_at
from driflamme_tui.study.mistakes_overlay import MistakesOverlay
from driflamme_tui.study.puzzle_screens import BoardScreen, PuzzleScreen
from driflamme_tui.study.replay_overlays import (
    AnswersOverlay,
    position_overlay,
    why_overlay,
)
from driflamme_tui.study.replay_screen import ReplayScreen
from driflamme_tui.text.signs import UNICODE
from engine.replaying import Replay
from engine.views import view
from tests.driflamme_tui.boards import LINE
from tests.driflamme_tui.lessons import lesson_from
from tests.driflamme_tui.screens.test_start_screen import ROSALINDS
from tests.support.scenes import Scenes
from tests.support.tables import (
    EVENING_STEPS,
    RECORD,
    Hands,
    SeatedApp,
    evening,
    evening_session,
    in_app,
    run_app,
    state_of,
)
from tests.support.wings import brought

AT = state_of(view(evening()[0], 0))


def kinds(of: type[object]) -> Iterator[type[object]]:
    """Yield this program's subclasses of a class, at any depth, that have no subclasses."""
    below: list[type[object]] = of.__subclasses__()
    for each in below:
        yield from kinds(each)
    if not below and of.__module__.startswith("driflamme_tui."):
        yield of


def needs_nothing(screen: Callable[..., object]) -> bool:
    """Return True if a screen can be made without arguments."""
    parameters = signature(screen).parameters.values()
    usual = Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD
    return all(each.default is not each.empty or each.kind in usual for each in parameters)


# Import every screen.
all_commands()

SCREENS: tuple[Callable[[], Screen[Any]], ...] = (
    *(kind for kind in kinds(Commanded) if issubclass(kind, Screen) and needs_nothing(kind)),
    lambda: AnswersOverlay(AT, (), ""),
    lambda: CodeOverlay(ROSALINDS.address, ROSALINDS.prefix),
    lambda: NameOverlay("Rosalind", "Somebody here is called Rosalind already."),
    lambda: EventsOverlay(AT),
    lambda: HelpOverlay(UNICODE, []),
    lambda: HistoryScreen(GameFilter()),
    lambda: CardReferenceOverlay(AT),
    lambda: Confirmation("Free the seat?", no="Not now", yes="Free it"),
    lambda: LeaveDialog("Leave the table?", no="Stay", yes="Leave"),
    lambda: LessonScreen(lesson_from(Progress()), "Blaise"),
    lambda: MistakesOverlay(Review(Replay.of(RECORD), 0, {}), lambda: False),
    lambda: position_overlay("", "", whole=True),
    lambda: why_overlay("It would do the same.", ["It gains."]),
    lambda: BoardScreen(board_at(LINE)),
    lambda: PuzzleScreen(PuzzleTable(1)),
    lambda: shared_overlay([]),
    lambda: ReplayScreen(Replay.of(RECORD), taught=True),
    lambda: StatisticsScreen(GameFilter()),
    *(screen for each in brought("scenes", Scenes) for screen in each.screens),
)


def test_every_screen_may_be_taken_away_before_it_is_composed() -> None:
    met: set[type[object]] = set()

    async def steps(app: SeatedApp, hands: Hands) -> None:
        home = app.screen
        for make in SCREENS:
            screen = make()
            met.add(type(screen))
            app.push_screen(screen)
            for key in ("slash", "n", "down", "enter", "escape"):
                screen.post_message(Key(key, None))
            app.pop_screen()
            await hands.pause()
            assert app.screen is home

    run_app(SeatedApp(evening_session(EVENING_STEPS)), steps)
    assert {*kinds(Commanded)} <= met, "a new screen that needs arguments belongs into SCREENS"


def handed_up(name: str) -> Key:
    """Return a key that an earlier screen has forwarded without using it."""
    key = Key(name, name if len(name) == 1 else None)
    key._set_forwarded()
    return key


def wait_for_gate(screen: Screen[Any], gate: asyncio.Event) -> None:
    """Let a screen compose itself only after the gate has opened."""
    mount = screen.mount_composed_widgets

    async def wait(widgets: list[Widget]) -> None:
        await gate.wait()
        await mount(widgets)

    vars(screen)["mount_composed_widgets"] = wait


def mouse(kind: type[MouseEvent], y: int) -> MouseEvent:
    return kind(None, 5, y, 0, 0, 1, False, False, False)


def test_no_key_click_or_paste_does_anything_on_a_screen_that_is_not_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("driflamme_tui.app.keyed_app.can_stop", lambda _terminal: False)

    async def steps(app: SeatedApp, hands: Hands) -> None:
        with ExitStack() as gates:
            await stand_before(app, hands, gates)

    async def stand_before(app: SeatedApp, hands: Hands, gates: ExitStack) -> None:
        home = app.screen
        for make in SCREENS:
            screen, gate = make(), asyncio.Event()
            assert isinstance(screen, Commanded)
            wait_for_gate(screen, gate)
            app.push_screen(screen)
            gates.callback(gate.set)
            commands = [*screen.command_set.in_order(), *AppCommands.in_order()]
            for command in commands:
                for key in keys_now(command):
                    await app.on_event(handed_up(key))
                    await app.on_event(Key(key, None))
                for namespace in (screen, app):
                    assert not await app.run_action(command.action, namespace)
                assert not screen.check_action(command.action, ())
            await app.on_event(handed_up("Z"))
            await app.on_event(Paste("pasted"))
            for y in range(24):
                for kind in (MouseMove, MouseDown, MouseUp, Click):
                    await app.on_event(mouse(kind, y))
            assert app.screen is screen
            assert not screen.is_whole
            assert not app.sent
            assert not app.left
            app.pop_screen()
            gate.set()
            await hands.pause()
            assert app.screen is home

    run_app(SeatedApp(evening_session(EVENING_STEPS)), steps)


def test_no_screen_has_more_than_five_classes_of_ours_above_it() -> None:
    above = {
        screen.__name__: [
            each.__name__ for each in screen.__mro__[1:] if each.__module__.startswith("driflamme")
        ]
        for screen in kinds(Commanded)
    }
    assert "LobbyScreen" in above
    assert {name: ours for name, ours in above.items() if len(ours) > 5} == {}


@pytest.mark.parametrize("make", SCREENS[::9])
@in_app(lambda: SeatedApp(evening_session(EVENING_STEPS)))
async def test_the_app_may_end_before_a_screen_is_composed(
    app: SeatedApp, hands: Hands, make: Callable[[], Screen[Any]]
) -> None:
    app.push_screen(make())
    app.exit()


@in_app(lambda: SeatedApp(evening_session(EVENING_STEPS)))
async def test_whatever_a_command_needs_and_does_its_screen_has(
    app: SeatedApp, hands: Hands
) -> None:
    for make in SCREENS:
        app.push_screen(make())
        await hands.pause()
        screen: object = app.screen
        assert isinstance(screen, Commanded)
        for command in screen.command_set.in_order():
            assert screen.can(command) in (True, False)
            namespace, action, parameters = parse(command.action)
            # Some actions of Textual's own palette are private.
            does = hasattr(screen, f"action_{action}") or hasattr(screen, f"_action_{action}")
            assert namespace or does, command.id
            if action == "overlay":
                assert needs_nothing(overlay_at(str(parameters[0]))), command.id
        await app.pop_screen()


@in_app(lambda: SeatedApp(evening_session(EVENING_STEPS)))
async def test_the_game_may_be_gone_before_the_table_is_composed(
    app: SeatedApp, hands: Hands
) -> None:
    app.push_screen(LiveScreen())
    app.session.view = None
    await hands.pause()
    assert isinstance(app.screen, TableScreen)
    assert app.screen.is_whole


# A screen that composes slowly, and its messages from a thread


class Slow(Static):
    """A widget that is mounted only after a gate has opened."""

    def __init__(self, gate: asyncio.Event) -> None:
        super().__init__()
        self.gate = gate

    async def on_mount(self) -> None:
        await self.gate.wait()


class Listening(Commanded, Screen[None]):
    """A screen that composes slowly, and records the data that it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.shown: list[str] = []

    def compose(self) -> ComposeResult:
        yield Slow(self.gate)
        yield Static(id="last")

    def show(self, what: str) -> None:
        self.query_one("#last", Static).update(what)
        self.shown.append(what)

    def read(self, what: str, may_end: threading.Event) -> None:
        def work() -> Callable[[], None]:
            may_end.wait()
            return lambda: self.show(what)

        self.in_background(work, group="reading")


def listening(steps: Callable[[SeatedApp, Hands, Listening], Awaitable[None]]) -> None:
    async def first(app: SeatedApp, hands: Hands) -> None:
        screen = Listening()
        app.push_screen(screen)
        await steps(app, hands, screen)

    run_app(SeatedApp(evening_session(EVENING_STEPS)), first)


OPEN = threading.Event()
OPEN.set()


async def read(app: SeatedApp) -> None:
    """Wait until no thread is reading data any more."""
    while app.workers:
        await asyncio.sleep(0)


def test_a_result_that_comes_before_the_screen_is_composed_is_kept() -> None:
    async def steps(app: SeatedApp, hands: Hands, screen: Listening) -> None:
        screen.read("read", OPEN)
        screen.deliver(lambda: screen.show("told"))
        await read(app)
        assert not screen.is_whole
        assert not screen.shown
        screen.gate.set()
        await hands.until(lambda: len(screen.shown) == 2)
        assert screen.is_whole

    listening(steps)


def test_a_result_that_comes_after_the_screen_has_gone_is_dropped() -> None:
    async def steps(app: SeatedApp, hands: Hands, screen: Listening) -> None:
        screen.gate.set()
        await hands.until(lambda: screen.is_whole)
        late = threading.Event()
        screen.read("read", late)
        await app.pop_screen()
        late.set()
        screen.deliver(lambda: screen.show("told"))
        await read(app)
        await hands.pause()
        assert not screen.shown

    listening(steps)


def test_of_what_was_asked_only_the_latest_is_shown() -> None:
    async def steps(app: SeatedApp, hands: Hands, screen: Listening) -> None:
        late = threading.Event()
        screen.read("of a thread that still runs", late)
        screen.read("the latest", OPEN)
        late.set()
        await read(app)
        screen.gate.set()
        await hands.until(lambda: screen.shown)
        await hands.pause()
        assert screen.shown == ["the latest"]

    listening(steps)


# Messages of the app to its screens


@in_app(lambda: SeatedApp(evening_session(EVENING_STEPS)))
async def test_the_start_screen_may_be_told_something_before_it_is_shown(
    app: SeatedApp, hands: Hands
) -> None:
    app.change_screen(StartScreen())
    app.place.give_up("Nobody answers.")
    await hands.until(lambda: app.shows("Nobody answers."))


# Rules for new screens


def test_results_reach_screens_by_one_way() -> None:
    """Only `command_screen` may start a thread for a screen, or check whether a screen still
    exists. The app itself queues notices, since any thread may show one.
    """
    kept = {"call_from_thread", "is_mounted", "call_later", "to_thread", "run_in_executor"}
    prefix = Path(driflamme_tui.__file__).parent
    for path in (
        *prefix.rglob("screens/**/*.py"),
        *prefix.rglob("widgets/**/*.py"),
        *prefix.glob("app/*.py"),
    ):
        if path != Path(command_screen.__file__):
            tree = ast.parse(path.read_text("utf-8"))
            names = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
            names -= {"call_later"} if path == Path(styled_app.__file__) else set()
            threads = [each for each in ast.walk(tree) if isinstance(each, ast.keyword)]
            assert not names & kept, path.name
            assert not [each for each in threads if each.arg == "thread"], path.name


def test_no_handler_calls_the_one_of_its_base() -> None:
    """Textual itself calls the handlers of all base classes, so each would run twice."""
    calls = re.compile(r"super\(\)\._?on_(?!event\b)\w+")
    assert calls.search("super().on_mount()")
    for path in sorted(Path(driflamme_tui.__file__).parent.rglob("*.py")):
        assert not calls.findall(path.read_text("utf-8")), path.name
