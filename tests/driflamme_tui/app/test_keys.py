"""Tests every key on every screen: none ends the app unasked, acts unseen, or acts while held."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from textual.app import App
from textual.dom import DOMNode
from textual.events import Key, Paste
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.keymap.key_bindings import all_commands, bound_keys, keys_now
from driflamme_tui.keymap.screen_commands import AppCommands
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.base.overlay import LeaveDialog
from driflamme_tui.screens.start_screen import StartScreen
from driflamme_tui.widgets.too_small import TooSmall
from netcode.protocol.messages import Start
from tests.driflamme_tui.lessons import LearningApp, learning_at, lesson_from
from tests.driflamme_tui.screens.test_lifecycle import SCREENS
from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.support.by_hand import ARCHER
from tests.support.every_scene import AT_A_TABLE, ELSEWHERE
from tests.support.scenes import arrive, enter, hosting
from tests.support.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    run_app,
    seen,
    session_at_line,
    state,
)

HARMLESS = frozenset(
    {
        *("app.focus_next", "app.focus_previous", "press", "select", "first", "last"),
        *(f"scroll_{where}" for where in ("up", "down", "left", "right", "home", "end")),
        *("page_up", "page_down", "page_left", "page_right", "cursor_up", "cursor_down"),
        *("submit", "home", "end", "home(True)", "end(True)", "select_all"),
        *("copy", "cut", "paste", "screen.copy_text"),
        *(f"cursor_{side}{far}" for side in ("left", "right") for far in ("", "(True)")),
        *(f"cursor_{side}_word{far}" for side in ("left", "right") for far in ("", "(True)")),
        *(f"delete_{side}{far}" for side in ("left", "right") for far in ("", "_word", "_all")),
    }
)
"""Textual's own bindings that only move, scroll, press a button, or edit a line."""


def not_ours(app: App[None], screen: Screen[object]) -> Iterator[str]:
    """Yield the bindings of a screen, its widgets and the app that are not our commands."""
    nodes: list[DOMNode] = [app, *screen.walk_children(with_self=True)]
    for node in nodes:
        for key, bindings in node._bindings.key_to_bindings.items():
            for binding in bindings:
                if binding.id not in all_commands() and binding.action not in HARMLESS:
                    yield f"{type(node).__name__}: {key} does {binding.action}"


def test_a_binding_of_textuals_that_would_end_the_program_is_found() -> None:
    screen = Screen[object]()
    assert "App: ctrl+q does quit" in set(not_ours(App(), screen))


# Leaving


def question(app: App[None]) -> str | None:
    """Return the text of the question before leaving; None if the app asks none."""
    top = app.screen
    return top.sentence if isinstance(top, LeaveDialog) else None


WAYS_OUT = ["ctrl+c", "ctrl+q"]

OVER = "result against bots"
"""The scene that a player leaves without losing anything."""

QUESTIONS: dict[str, Callable[[], DriflammeApp]] = {
    "guest in a game": lambda: SeatedApp(session_at_line(ARCHER)),
    "host's lobby": lambda: SeatedApp(hosting()),
    "guest's lobby": lambda: SeatedApp(hosting(host=False)),
    "result": lambda: SeatedApp(evening_session(EVENING_STEPS, "b", host=True), result=True),
    "lesson": lambda: LearningApp(lesson_from(learning_at(1))),
}


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_key_that_leaves_asks_as_q_does_and_leaves_the_second_time(
    name: str, way: str
) -> None:
    async def steps(app: DriflammeApp, hands: Hands) -> None:
        await hands.type("q")
        question_now = question(app)
        assert question_now
        await hands.type("n")
        assert question(app) is None
        await hands.type(way)
        assert question(app) == question_now
        await hands.type("n")
        assert question(app) is None
        await hands.type("q")
        await hands.type(way)
        assert not app._exit, "the first of its kind only asks"
        await hands.type(way)
        assert app._exit

    run_app(QUESTIONS[name](), steps)


@pytest.mark.parametrize("way", WAYS_OUT)
def test_after_a_game_against_bots_a_key_that_leaves_ends_the_program(way: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await enter(app, hands, AT_A_TABLE[OVER])
        await hands.type(way)
        assert app._exit

    run_app(SeatedApp(evening_session(0)), steps)


@pytest.mark.parametrize("way", WAYS_OUT)
def test_where_nothing_is_lost_a_key_that_leaves_ends_the_program(way: str) -> None:
    async def steps(app: DriflammeApp, hands: Hands) -> None:
        assert isinstance(app.screen, StartScreen)
        await hands.type("tab")
        await hands.type(way)
        assert app._exit

    run_app(StartedApp(), steps)


@in_app(lambda: SeatedApp(hosting()))
async def test_a_held_ctrl_c_does_not_leave(app: SeatedApp, hands: Hands) -> None:
    await hands.hold("ctrl+c", 0.5, 0.03, 0.03, 0.03)
    assert question(app)
    assert not app._exit
    await hands.type("ctrl+c")
    assert app._exit


@in_app(lambda: SeatedApp(hosting()))
async def test_ctrl_c_copies_what_is_selected_and_leaves_where_nothing_is(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("t a b c")
    line = app.focused
    assert isinstance(line, Input)
    line.selection = Selection(1, 3)
    await hands.type("ctrl+c")
    assert app.clipboard == "bc"
    assert not question(app)
    await hands.type("ctrl+c")
    assert question(app)
    await hands.type("n escape")
    text = next(each for each in app.screen.query(Static) if each.allow_select and each.size)
    text.text_select_all()
    selected = app.screen.get_selected_text()
    assert selected
    await hands.type("ctrl+c")
    assert app.clipboard == selected
    assert not question(app)
    await hands.type("ctrl+c")
    assert question(app)


# Keys on a screen that is too small

SMALL = 40, 10


def every_key(screen: Commanded) -> list[str]:
    """Return all keys of a screen, except those that leave it and those of the whole app."""
    leaving = {key for way in screen.ways_out() for key in keys_now(way)}
    keys = bound_keys(screen.command_set) - leaving - bound_keys(AppCommands)
    return sorted(keys - {""})


async def leave(app: SeatedApp, hands: Hands, way: str) -> None:
    """Press a key that leaves, and assert that it asks over the present screen; answer no."""
    under, line = app.screen, app.focused
    if isinstance(line, Input):
        line.selection = Selection.cursor(0)
    await hands.type(way)
    assert not app._exit
    assert question(app)
    await hands.type("escape")
    if not isinstance(under, LeaveDialog):
        assert app.screen is under


async def press_while_covered(app: SeatedApp, hands: Hands) -> None:
    """Make the terminal too small, and assert that the keys of the screen do nothing."""
    top, said = app.screen, list(app.sent)
    assert isinstance(top, Commanded)
    ran: list[str] = []

    async def run_action(action: object, *_others: object) -> bool:
        ran.append(str(action))
        return True

    await hands.resize_terminal(*SMALL)
    await hands.until(lambda: top.is_covered)
    lines = [line.value for line in top.query(Input)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "run_action", run_action)
        await hands.press_quickly(*every_key(top))
    assert ran == []
    assert [line.value for line in top.query(Input)] == lines
    assert app.screen is top
    assert app.sent == said
    await hands.resize_terminal(MINIMUM_WIDTH, MINIMUM_HEIGHT)
    await hands.until(lambda: not top.is_covered)


@pytest.mark.parametrize("share", [6, pytest.param(2, marks=pytest.mark.long)])
def test_at_each_table_a_key_that_leaves_asks_and_a_covered_screen_heeds_no_other(
    share: int,
) -> None:
    met: set[object] = set()

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for at, (name, scene) in enumerate(AT_A_TABLE.items()):
            await enter(app, hands, scene)
            # Test each kind of scene both ways, and this share of the others in turn.
            kind = (*map(type, app.screen_stack), isinstance(app.focused, Input))
            both = kind not in met
            met.add(kind)
            try:
                if question(app) is None and (both or at % share == 1):
                    await press_while_covered(app, hands)
                if name != OVER and (both or not at % share):
                    await leave(app, hands, WAYS_OUT[at // share % 2])
            except BaseException as error:
                error.add_note(f"The scene is {name!r}.")
                raise

    run_app(SeatedApp(evening_session(0)), steps, (MINIMUM_WIDTH, MINIMUM_HEIGHT))


@pytest.mark.parametrize("name", ["start", "puzzle", "replay"])
def test_a_request_for_room_speaks_of_a_game_only_where_one_goes_on(name: str) -> None:
    async def steps(app: Any, hands: Hands) -> None:
        await arrive(app, hands, ELSEWHERE[name])
        await hands.resize_terminal(*SMALL)
        await hands.until(lambda: app.screen.is_covered)
        assert app.shows("Please make the terminal larger.")
        assert not app.shows("The game continues.")

    run_app(ELSEWHERE[name].app(), steps)


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_request_for_room_at_a_table_says_that_the_game_goes_on(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.resize_terminal(*SMALL)
    await hands.until(lambda: app.table.is_covered)
    assert app.shows("The game continues.")


@pytest.mark.parametrize("size", [(20, 6), (30, 6), (40, 8), SMALL])
def test_both_answers_of_the_way_out_are_in_sight_in_every_terminal(
    size: tuple[int, int],
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.resize_terminal(*size)
        await hands.until(lambda: app.table.is_covered)
        await hands.type("q")
        assert app.shows("Stay (n)")
        assert app.shows("Leave (y)")

    run_app(SeatedApp(session_at_line(ARCHER)), steps)


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_a_covered_table_can_be_left_and_a_small_terminal_shows_the_question(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("t h")
    await hands.resize_terminal(*SMALL)
    await hands.until(lambda: app.table.is_covered)
    await hands.type("q")
    assert question(app)
    assert not app.screen.query(TooSmall)
    assert app.shows("Stay (n)")
    assert app.shows("Leave (y)")
    await hands.type("y")
    assert app.left


# A held key


@in_app(lambda: SeatedApp(session_at_line(ARCHER), guard_s=0.4))
async def test_a_held_enter_answers_one_question_however_many_appear(
    app: SeatedApp, hands: Hands
) -> None:
    app.now += 1
    await hands.type("right")

    def next_question(times: int) -> None:
        app.receive(state(seen(ARCHER), times + 1))
        app.now += 1

    await hands.hold("enter", 0.66, *[0.04] * 30, between=next_question)
    assert len(app.answers.split()) == 1


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_who_presses_enter_again_soon_is_only_waited_for(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.hold("enter", 0.2)
    assert not app.answers, "the first chooses; the second may still be a held key"
    await hands.until(lambda: app.answers)


@in_app(lambda: SeatedApp(session_at_line(ARCHER)))
async def test_keys_keep_their_order_while_one_of_them_is_waited_for(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.hold("enter", 0.2)
    await hands.press("right")
    assert app.answers, "Enter came before the key that chooses another"


def test_a_held_key_does_what_it_does_once_unless_it_moves() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for command in app.screen_stack[1].command_set.in_order():  # type: ignore[attr-defined]
            for key in keys_now(command):
                ran: list[str] = []

                async def run_action(action: str, *_others: object) -> bool:
                    ran.append(action)  # noqa: B023
                    return True

                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(app, "run_action", run_action)
                    await hands.hold(key, 0.5, 0.03, 0.03)
                assert len(ran) == (4 if command.repeats and key != "enter" else 1), command.id

    for session in (hosting(), session_at_line(ARCHER), evening_session(EVENING_STEPS)):
        run_app(SeatedApp(session, result=session.view is not None), steps)


# Other keyboards


@pytest.mark.parametrize("key", ["S", "ы", "Ы", "s"])
def test_the_host_starts_the_game_with_capslock_and_on_a_cyrillic_layout(key: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press(key)
        assert [type(message) for message in app.sent] == [Start]

    run_app(SeatedApp(hosting()), steps)


@pytest.mark.parametrize("key", ["Y", "н", "Н"])
def test_a_question_is_answered_with_capslock_and_on_a_cyrillic_layout(key: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("q")
        await hands.press(key)
        assert app.left

    run_app(SeatedApp(hosting()), steps)


def test_every_screen_explains_a_letter_without_a_command_and_has_no_foreign_binding() -> None:
    keys = {"é": "another keyboard layout", "J": "CapsLock", "j": "; ? lists"}

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for make in SCREENS:
            screen = make()
            await app.push_screen(screen)
            await hands.pause()
            assert list(not_ours(app, screen)) == []
            assert isinstance(screen, Commanded)
            types = screen.types_letters or isinstance(app.focused, Input)
            bound = bound_keys(screen.command_set)
            for key, sentence in keys.items():
                if types or key.lower() in bound:
                    continue
                app.now += 60
                app.clear_notifications()
                await hands.press(key)
                messages = [each.message for each in app._notifications]
                # Only the screen without such a message has to be composed.
                assert sentence in " ".join(messages) or app.shows(sentence), (screen, key)
            app.pop_screen()
            await hands.pause()

    run_app(SeatedApp(evening_session(EVENING_STEPS)), steps, (120, 40))


@in_app(lambda: SeatedApp(evening_session(0)))
async def test_a_card_goes_on_ones_own_stack_by_a_key_that_is_dead_on_no_keyboard(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("=")
    assert app.shows("Choose a card first.")


@in_app(lambda: SeatedApp(session_at_line("2 4 b?2 rS,bh1,gl *r3,b5,g2")))
async def test_the_keypads_plus_leaves_a_card(app: SeatedApp, hands: Hands) -> None:
    await hands.press("add")
    await hands.press("enter")
    assert app.answers == "+"


def test_input_that_arrives_while_the_program_ends_is_ignored() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        screens = app.screen_stack
        app._screen_stack.clear()
        for event in (Key("a", "a"), Paste("abc")):
            await app.on_event(event)
        app._screen_stack.extend(screens)

    run_app(SeatedApp(evening_session(EVENING_STEPS)), steps)
