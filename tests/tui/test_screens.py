"""The screens under keys and clicks: what is sent, what is shown, and what is ignored."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random

import pytest
from textual.widgets import Button, Input

from driflamme_tui.app import DriflammeApp
from driflamme_tui.plans import Host, Join
from driflamme_tui.screens.lobby import LobbyBoard, LobbyScreen
from driflamme_tui.screens.overlays import (
    EventsOverlay,
    HelpOverlay,
    KnownOverlay,
    LeaveOverlay,
)
from driflamme_tui.screens.result import ResultScreen
from driflamme_tui.screens.start import StartScreen
from driflamme_tui.screens.table import TableScreen
from driflamme_tui.table_state import Cursor
from driflamme_tui.widgets.bars import Keys, Prompt, Seats
from driflamme_tui.widgets.hand import Hand
from driflamme_tui.widgets.panels import Events
from driflamme_tui.widgets.queue import Queue
from engine.actions import ACTIONS
from engine.game import Game
from engine.notation import parse_position
from engine.view import view
from netcode.messages import (
    AddBot,
    BackToLobby,
    ChangeSettings,
    ChooseFamily,
    Refused,
    Remove,
    SetReady,
    Start,
)
from netcode.session import Session
from tests.engine.lines import whole
from tests.tui.tables import (
    EVENING_STEPS,
    Hands,
    SeatedApp,
    asked_at,
    evening,
    evening_session,
    gathered,
    lobby,
    run_app,
    seats,
    seen,
    session_at,
    state,
    welcome,
)
from tests.tui.test_question import chosen

PLACE = "2 4 b* rS,bh1,gl,bm2/bp1 *r3,b5:ASFX,g2"
EDGES = "2 4 b* bh1,rS,gl,bm2/bp1 *r3,b5:ASFX,g2"
"""Blue stands at both ends."""
EMPTY = "2 1 b* - r1,*b1,g1"
DOWN = "2 4 b?2 rS,bh1,gl *r3,b5,g2"
ARCHER = "2 4 bA2 rS,bA,gl *r3,b5,g2"
SOLDIER = "2 4 bS2 rs1,bS/bm2,gl,yH *r3,b5,g2,y0"
ASSASSINATION = "2 4 bX2 rS,bX,gl *r3,b5,g2"
SPY = "2 4 bP2 rS,bP,gl,yH *r3,b5,g2,y0"
SHAPESHIFTER = "2 4 bF2 rS,bF,gL,yH *r3,b5,g2,y0"
DECREE = "2 4 bD2 rS,bD,gl/gh1 *r3,b5,g2"
DECREE_ALONE = "2 4 bD2 rS,bD,gl,yH *r3,b5,g2,y0"
THEIRS = "2 4 g?3 rS,bh1,gl *r3,b5,g2"
OVER = "2 6 - rH,bL,gS *r9,b9,g3"


def table_app(line: str, viewer: str | None = "b", **options: float) -> SeatedApp:
    return SeatedApp(asked_at(line, viewer), **options)  # type: ignore[arg-type]


def choice(app: SeatedApp) -> str:
    """Return the present choice as a token, a card or a position, or "" for none."""
    question = app.table.question
    assert question is not None
    return chosen(question)


def answers_by_keys(line: str, *cases: tuple[str, str]) -> None:
    """Assert what is sent for each series of keys, at a table with nothing chosen."""

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for keys, answer in cases:
            app.sit(asked_at(line))
            await hands.pause()
            await hands.type(keys)
            assert app.answers == answer, f"{keys} gave {app.answers!r}"

    run_app(table_app(line), steps)


# Clicks, told as words: `hand A`, `stack 3`, `stack 3 0.9` (how far across), `seat r`, `row 2`,
# `bar`, `start`, `end`, `key q`


async def click(app: SeatedApp, hands: Hands, where: str) -> None:
    kind, *rest = where.split()
    await {
        "hand": click_hand,
        "stack": click_stack,
        "seat": click_seat,
        "row": click_row,
        "bar": click_bar,
        "start": click_end,
        "end": click_end,
        "key": click_key,
    }[kind](app, hands, [kind, *rest])
    await hands.pause()


async def click_hand(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    hand = app.table.query_one(Hand)
    state = app.table.state()
    assert state is not None
    assert state.you is not None
    index = state.view.hands[state.you].index(words[1])
    await hands.click_at(Hand, 2 + index * state.layout.hand_card.pitch, 2)
    assert hand.state is not None


async def click_stack(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    queue = app.table.query_one(Queue)
    geometry = queue.geometry()
    assert geometry is not None
    x, y = geometry.place(int(words[1]) - 1)
    across = float(words[2]) if len(words) > 2 else 0.5
    if geometry.mirrored:
        across = 1 - across
    column = round(across * (geometry.layout.card.width - 1))
    await hands.click_at(Queue, x + column, y + 2)


async def click_seat(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    view = app.session.view
    assert view is not None
    width = app.table.query_one(Seats).size.width // view.players
    await hands.click_at(Seats, view.seat_of(words[1]) * width + 3, 1)


async def click_row(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    await hands.click_at(Prompt, 5, int(words[1]))


async def click_bar(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    await hands.click_at(Prompt, app.table.query_one(Prompt).size.width - 3, 0)


async def click_end(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    geometry = app.table.query_one(Queue).geometry()
    assert geometry is not None
    x, y = geometry.start_bar() if words[0] == "start" else geometry.end_bar()
    await hands.click_at(Queue, x, y + 2)


async def click_key(app: SeatedApp, hands: Hands, words: Sequence[str]) -> None:
    keys = app.screen.query_one(Keys)
    x = next(x for x, key in keys._places() if key.key == words[1])
    await hands.click_at(Keys, x + 1, 0)


def answers_by_clicks(
    line: str, *cases: tuple[str, str], direction: str = "right", size: tuple[int, int] = (80, 24)
) -> None:
    """Assert what is sent for each series of clicks, joined by commas."""

    async def steps(app: SeatedApp, hands: Hands) -> None:
        for clicks, answer in cases:
            app.sit(asked_at(line, settings={"direction": direction}))
            await hands.pause()
            for where in clicks.split(", "):
                await click(app, hands, where)
            assert app.answers == answer, f"{clicks} gave {app.answers!r}"

    run_app(table_app(line), steps, size)


# Placing


def test_placing_by_keys() -> None:
    answers_by_keys(
        PLACE,
        ("a enter < enter", "A<"),
        ("a < enter", "A<"),
        ("f enter > enter", "F>"),
        ("f enter ^ enter", "F^2"),
        ("f enter ^ ^ enter", "F^4"),
        ("f enter ^ ^ ^ enter", "F^2"),
        ("f enter 4 enter", "F^4"),
        ("F enter right right enter", "F^2"),
        ("right enter left enter", "A>"),
        ("end enter home enter", "X<"),
        ("end enter end enter", "X>"),
        ("enter enter enter enter", "A<"),
    )


def test_changing_ones_mind_while_placing() -> None:
    answers_by_keys(
        PLACE,
        ("a enter < s enter > enter", "S>"),
        ("a enter escape right enter > enter", "S>"),
        ("a enter < escape escape right right enter < enter", "S<"),
        ("a enter < > enter", "A>"),
        ("a escape escape escape enter", ""),
    )


def test_the_first_card_of_all() -> None:
    answers_by_keys(
        EMPTY,
        ("x enter enter", "X>"),
        ("x > enter", "X>"),
        ("x < enter", "X>"),
        ("x ^ enter", "X>"),
        ("right enter enter", "A>"),
    )


def test_placing_by_clicks() -> None:
    answers_by_clicks(
        PLACE,
        ("hand A, start, start", "A<"),
        ("hand A, end, end", "A>"),
        ("hand A, stack 2, stack 2", "A^2"),
        ("hand A, stack 4, stack 4", "A^4"),
        ("hand A, stack 1 0.1, stack 1 0.1", "A<"),
        ("hand A, stack 1 0.1, bar", "A<"),
        ("hand A, hand X, end, bar", "X>"),
        ("hand A, stack 2, start, start", "A<"),
        ("hand A, hand A, hand A", ""),
        ("hand A, bar", ""),
        ("hand A, start", ""),
    )


def test_the_outer_edge_of_ones_own_stack_is_the_end_of_the_queue() -> None:
    for direction in ("right", "left"):
        answers_by_clicks(
            EDGES,
            ("hand F, stack 1 0, bar", "F<"),
            ("hand F, stack 1 0.5, bar", "F^1"),
            ("hand F, stack 1 1, bar", "F^1"),
            ("hand F, stack 4 1, bar", "F>"),
            ("hand F, stack 4 0.5, bar", "F^4"),
            ("hand F, stack 4 0, bar", "F^4"),
            ("hand F, start, bar", "F<"),
            ("hand F, end, bar", "F>"),
            direction=direction,
        )


def test_the_outer_half_of_anothers_stack_at_an_end_is_the_end() -> None:
    line = "2 4 b* rS,bh1,gl *r3,b5:ASFX,g2"
    for size in ((80, 24), (120, 40)):
        answers_by_clicks(
            line,
            ("hand F, stack 1 0.3, bar", "F<"),
            ("hand F, stack 1 0.9, bar", ""),
            ("hand F, stack 3 0.8, bar", "F>"),
            ("hand F, stack 3 0.1, bar", ""),
            size=size,
        )


def test_the_first_card_of_all_by_clicks() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await click(app, hands, "hand L")
        await hands.click_at(Queue, 4, 3)
        await hands.pause()
        assert app.answers == "L>"

    run_app(table_app(EMPTY), steps)


def test_what_is_no_spot_says_why() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("a enter 1")
        not_yours = "The card at position 1 is not yours: you stack only on your own top card."
        assert app.shows(not_yours)
        await hands.type("right")
        assert not app.shows(not_yours), "the next choice is more important"
        await click(app, hands, "stack 3")
        assert app.shows("The card at position 3 is not yours")
        await hands.type("c")
        assert app.shows("You do not have that card in hand.")
        assert app.answers == ""

    run_app(table_app(PLACE), steps)


def test_a_spot_needs_a_card_first() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for key in "<>^":
            await hands.type(key)
            assert app.shows("Choose a card first.")
            assert app.table.question is not None
            assert app.table.question.picked is None
        await hands.type("a")
        assert not app.shows("Choose a card first.")

    run_app(table_app(PLACE), steps)


def test_stacking_without_a_stack_says_why() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("a ^")
        assert app.shows("You stack only on your own top card.")

    run_app(table_app("2 4 b* rS,gl *r3,b5:ASFX,g2"), steps)


# Leaving and revealing


def test_leaving_and_revealing_by_keys() -> None:
    answers_by_keys(
        DOWN,
        ("+ enter", "+"),
        ("! enter", "!"),
        ("+ ! enter", "!"),
        ("right enter", "+"),
        ("left enter", "!"),
        ("down enter", "+"),
        ("up enter", "!"),
        ("down down enter", "!"),
        ("enter", ""),
        ("enter enter", "+"),
        ("! escape enter", ""),
        ("+", ""),
        ("2 a < enter", ""),
    )


def test_leaving_and_revealing_by_clicks() -> None:
    answers_by_clicks(
        DOWN,
        ("row 1, row 1", "+"),
        ("row 2, row 2", "!"),
        ("row 1, row 2, bar", "!"),
        ("row 1, row 2, row 1", ""),
        ("row 1", ""),
        ("bar", ""),
        ("stack 2, stack 2", ""),
    )


# Eliminating


def test_eliminating_by_keys() -> None:
    answers_by_keys(
        ARCHER,
        ("1 enter", "x1"),
        ("3 enter", "x3"),
        ("right enter", "x1"),
        ("left enter", "x3"),
        ("right right enter", "x3"),
        ("end enter", "x3"),
        ("home enter", "x1"),
        ("1 3 enter", "x3"),
        ("enter enter", "x1"),
        ("2 enter enter", "x1"),
        ("3 escape enter enter", "x1"),
        ("+ ! a r", ""),
    )


def test_eliminating_by_clicks() -> None:
    answers_by_clicks(
        ASSASSINATION,
        ("stack 1, stack 1", "x1"),
        ("stack 2, stack 2", "x2"),
        ("stack 3, bar", "x3"),
        ("stack 1, stack 3, stack 3", "x3"),
        ("stack 3", ""),
    )


def test_a_target_out_of_reach_says_why() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        why = "Your Soldier must eliminate a neighbour: position 1 or 3"
        await hands.type("4")
        assert app.shows(why)
        await hands.type("right")
        assert not app.shows(why)
        await click(app, hands, "stack 2")
        assert app.shows(why)
        await click(app, hands, "stack 3")
        assert not app.shows(why)
        assert app.shows("3 ◆g: Green loses a face-down card; you gain 1.")
        assert app.answers == ""

    run_app(table_app(SOLDIER), steps)


def many() -> Session:
    """Blue's Assassination at 12 of 13 stacks."""
    line = "2 6 bX12 rA,rS,rp,gA,gS,gp,yA,yS,yp,bA,bs,bX,vA *r3,b5,g2,y2,v2"
    return session_at(view(parse_position(whole(line)), 1))


def test_two_quick_digits_are_one_number() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for keys, pause_s, answer in (
            ("1 3", 0.1, "x13"),
            ("1 3", 1.0, "x3"),
            ("1 0", 0.1, "x10"),
            ("9 9", 0.1, "x9"),
            ("0 7", 0.1, "x7"),
        ):
            app.sit(many())
            await hands.pause()
            for key in keys.split():
                app.now += pause_s
                await hands.type(key)
            await hands.type("enter")
            assert app.answers == answer

    run_app(SeatedApp(many()), steps)


# Stealing


def test_stealing_by_keys() -> None:
    answers_by_keys(
        SPY,
        ("r enter", "$r"),
        ("g enter", "$g"),
        ("G enter", "$g"),
        ("1 enter", "$r"),
        ("3 enter", "$g"),
        ("right enter", "$r"),
        ("left enter", "$g"),
        ("y enter enter", "$r"),
        ("4 enter enter", "$r"),
        ("v s enter", ""),
    )


def test_stealing_by_clicks() -> None:
    answers_by_clicks(
        SPY,
        ("seat r, seat r", "$r"),
        ("seat g, bar", "$g"),
        ("stack 1, stack 1", "$r"),
        ("stack 3, seat g", "$g"),
        ("seat y, bar", ""),
        ("seat r", ""),
    )


def test_a_player_out_of_reach_says_why() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        why = "Your Spy must steal from the owner of a neighbour: Red or Green"
        for spoil in ("y", "4"):
            await hands.type(spoil)
            assert app.shows(why)
            await hands.type("r")
            assert not app.shows(why)
        await click(app, hands, "stack 4")
        assert app.shows(why)
        await click(app, hands, "stack 3")
        await click(app, hands, "seat y")
        assert app.shows(why)

    run_app(table_app(SPY), steps)


def test_seats_are_only_for_stealing() -> None:
    answers_by_clicks(ARCHER, ("seat r, seat r, seat g", ""))


# Copying


def test_copying_by_keys_and_clicks() -> None:
    answers_by_keys(
        SHAPESHIFTER,
        ("1 enter", "~1"),
        ("3 enter", "~3"),
        ("left enter", "~3"),
        ("4 enter", ""),
    )
    answers_by_clicks(
        SHAPESHIFTER,
        ("stack 3, stack 3", "~3"),
        ("stack 1, bar", "~1"),
        ("stack 4, bar", ""),
    )


# Moving


def test_moving_by_keys() -> None:
    answers_by_keys(
        DECREE,
        ("1 enter 3 enter", "1>3"),
        ("1 enter 2 enter", "1>2"),
        ("3 enter 4 enter", "3>4"),
        ("3 enter 1 enter", "3>1"),
        ("right enter right enter", "1>2"),
        ("left enter left enter", "3>4"),
        ("right enter right right enter", "1>3"),
        ("1 enter escape 3 enter home enter", "3>1"),
        ("1 enter 2 escape 3 enter end enter", "3>4"),
        ("enter enter enter enter", "1>2"),
    )


def test_moving_by_clicks() -> None:
    answers_by_clicks(
        DECREE_ALONE,
        ("stack 1, stack 1, stack 3 0.9, stack 3", "1>3"),
        ("stack 1, stack 1, stack 3 0.1, stack 2", "1>2"),
        ("stack 1, stack 1, end, bar", "1>4"),
        ("stack 4, stack 4, start, bar", "4>1"),
        ("stack 4, stack 4, stack 2 0.1, bar", "4>2"),
        ("stack 4, stack 4, stack 2 0.9, bar", "4>3"),
        ("stack 4, bar, stack 1 0.9, bar", "4>2"),
        ("stack 1, stack 1, stack 4 0.1, stack 4 0.9, bar", "1>4"),
    )


def test_moving_the_top_of_a_stack_by_clicks() -> None:
    answers_by_clicks(
        DECREE,
        ("stack 3, stack 3, start, bar", "3>1"),
        ("stack 3, stack 3, stack 3 0.1, bar", "3>3"),
        ("stack 3, stack 3, stack 3 0.9, bar", "3>4"),
        ("stack 3, stack 3, end, bar", "3>4"),
        ("stack 3, stack 3, stack 1 0.9, stack 2", "3>2"),
        ("stack 3, stack 3, stack 1 0.9, stack 4 0.9, stack 4", "3>4"),
    )


def test_moving_mirrored_by_keys_and_clicks() -> None:
    answers_by_clicks(
        DECREE_ALONE,
        ("stack 1, stack 1, stack 3 0.9, stack 3", "1>3"),
        ("stack 4, stack 4, start, bar", "4>1"),
        ("stack 4, stack 4, stack 2 0.9, bar", "4>3"),
        direction="left",
    )


def test_a_move_that_is_none_says_why() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("2")
        assert app.shows("The Royal Decree cannot move itself.")
        await hands.type("1 enter 1")
        assert app.shows("The card at position 1 stands there already.")
        await click(app, hands, "stack 2 0.1")
        assert app.shows("The card at position 1 stands there already.")
        assert app.answers == ""

    run_app(table_app(DECREE_ALONE), steps)


def test_a_card_that_is_carried_is_shown_in_its_new_place() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        def names() -> list[str]:
            row = next(row for row in app.rows() if "Decree" in row or "Decr" in row)
            return [name for name in ("Sold", "Decr", "Heir") if name in row]

        def order() -> list[str]:
            row = next(row for row in app.rows() if "Decr" in row and "│" in row)
            return sorted(names(), key=row.index)

        assert order() == ["Sold", "Decr", "Heir"]
        await hands.type("1 enter end")
        assert order() == ["Decr", "Heir", "Sold"]
        await hands.type("escape")
        assert order() == ["Sold", "Decr", "Heir"]

    run_app(table_app(DECREE_ALONE), steps)


# From right to left


def test_arrows_go_screen_wise_when_the_queue_is_mirrored() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for line, keys, answer in (
            (ASSASSINATION, "right enter", "x3"),
            (ASSASSINATION, "left enter", "x1"),
            (ASSASSINATION, "left left enter", "x2"),
            (SPY, "right enter", "$g"),
            (PLACE, "right enter left enter", "A<"),
            (PLACE, "right right enter right enter", "S>"),
            (PLACE, "a < enter", "A<"),
            (DOWN, "right enter", "+"),
            (DECREE_ALONE, "right enter right enter", "4>3"),
        ):
            app.sit(asked_at(line, settings={"direction": "left"}))
            await hands.pause()
            await hands.type(keys)
            assert app.answers == answer, (line, keys)

    run_app(table_app(PLACE), steps)


# Slips


def test_enter_and_clicks_do_nothing_right_after_a_question() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for clicks in ("stack 3, bar", "stack 3, stack 3"):
            app.sit(asked_at(ARCHER))
            await hands.pause()
            await hands.type("enter enter enter")
            for where in clicks.split(", "):
                await click(app, hands, where)
            assert choice(app) == ""
            await hands.type("3 enter")
            assert choice(app) == "x3", "choosing is harmless"
            assert app.answers == ""
            app.now += 0.5
            await hands.type("enter")
            assert app.answers == "x3"

    run_app(table_app(ARCHER, guard_s=0.4), steps)


@pytest.mark.parametrize(
    ("line", "clicks"),
    [
        (PLACE, "hand A, hand A"),
        (DOWN, "row 2, row 2"),
        (SPY, "seat r, stack 1"),
        (DECREE, "stack 1, stack 1"),
    ],
)
def test_no_click_of_any_kind_passes_the_guard(line: str, clicks: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for where in clicks.split(", "):
            await click(app, hands, where)
        question = app.table.question
        assert question is not None
        assert (question.chosen, question.picked) == (None, None)
        app.now += 0.5
        for where in clicks.split(", ")[:1]:
            await click(app, hands, where)
        assert question.picked is not None or question.chosen is not None

    run_app(table_app(line, guard_s=0.4), steps)


def test_a_double_click_only_chooses() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await click(app, hands, "stack 3")
        app.now += 0.2
        await click(app, hands, "stack 3")
        assert app.answers == ""
        app.now += 0.2
        await click(app, hands, "stack 3")
        assert app.answers == "x3"

    run_app(table_app(ARCHER, second_click_s=0.3), steps)


def test_nothing_can_be_done_while_an_answer_is_on_its_way() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("1 enter")
        assert app.answers == "x1"
        assert app.shows("Sent…")
        await hands.type("right 3 enter escape home")
        for where in ("stack 3", "stack 3", "bar"):
            await click(app, hands, where)
        assert app.answers == "x1"
        question = app.table.question
        assert question is not None
        assert question.choice is not None
        assert question.choice.position == 1

    run_app(table_app(ARCHER), steps)


def test_the_next_question_is_asked_with_nothing_chosen_and_guarded_again() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.now += 1
        await hands.type("1 enter")
        app.receive(state(seen(DOWN), 2))
        await hands.pause()
        assert not app.shows("Sent…")
        await hands.type("enter")
        question = app.table.question
        assert question is not None
        assert question.chosen is None
        app.now += 1
        await hands.type("! enter")
        assert app.answers == "x1 !"

    run_app(table_app(ARCHER, guard_s=0.4), steps)


def test_a_refusal_is_told_until_the_next_choice_and_not_again() -> None:
    late = "The game has moved on since you saw that position."

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("1 enter")
        app.session.receive(Refused(code="late", number=1))
        app._show()
        await hands.pause()
        assert app.shows(late)
        assert not app.shows("Sent…")
        app.receive(lobby("rbg", "b", seats=seats("rbg", away="g")))
        await hands.pause()
        assert app.shows(late), "not read yet, perhaps"
        await hands.type("3")
        assert not app.shows(late)
        app.receive(lobby("rbg", "b"))
        await hands.pause()
        assert not app.shows(late)
        at = seen(THEIRS)
        app.receive(state(at, 2))
        await hands.pause()
        assert not app.shows(late)
        assert app.shows("◆g Gaspard leaves or reveals 3")

    run_app(table_app(ARCHER), steps)


def test_a_refusal_from_the_lobby_is_not_told_at_the_table() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.session.receive(Refused(code="table_full", values={"seats": 5}))
        app._show()
        await hands.pause()
        assert app.shows("The table is full: all 5 seats are taken.")
        at = seen(DOWN)
        app.receive(lobby("rbg", "b"), state(at))
        await hands.pause()
        assert isinstance(app.screen, TableScreen)
        assert not app.shows("The table is full")

    run_app(SeatedApp(gathered("rbg", "b", host=True)), steps)


def test_the_choice_is_kept_when_the_line_comes_back() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("3")
        app.line = "Line lost, trying again (1)"
        app._show()
        await hands.pause()
        assert app.shows("Line lost, trying again (1)")
        app.line = ""
        at = app.session.view
        assert at is not None
        app.receive(welcome("b"), lobby("rbg", "b"), state(at))
        await hands.pause()
        assert not app.shows("Line lost")
        question = app.table.question
        assert question is not None
        assert question.choice is not None
        await hands.type("enter")
        assert app.answers == "x3"

    run_app(table_app(ARCHER), steps)


# Not asked


def test_who_is_not_asked_reads_who_is_and_can_answer_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("◆g Gaspard leaves or reveals 3")
        await hands.type("enter right + ! a < 1 escape home end up down")
        for where in ("stack 1", "stack 3", "row 1", "bar", "hand A", "seat r"):
            await click(app, hands, where)
        assert app.answers == ""
        assert app.table.question is None

    run_app(table_app(THEIRS), steps)


def test_a_spectator_sees_no_hand_and_can_answer_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("WATCHING")
        assert app.shows("◆g Gaspard leaves or reveals 3")
        assert "heir" not in "\n".join(app.rows())
        await hands.type("enter right + ! a < 1 i right tab down escape k escape e escape")
        for where in ("stack 1", "row 1", "bar", "seat r"):
            await click(app, hands, where)
        assert app.said == []

    run_app(table_app(THEIRS, None), steps)


# Looking


def test_looking_goes_along_the_queue_down_a_stack_and_to_the_hand() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("i")
        assert app.table.cursor == Cursor(0)
        assert app.shows("stop looking")
        for keys, cursor in (
            ("right", Cursor(1)),
            ("left", Cursor(0)),
            ("left", Cursor(3)),
            ("down", Cursor(3, 1)),
            ("down", Cursor(3, 1)),
            ("up", Cursor(3)),
            ("up", Cursor(3)),
            ("2", Cursor(1)),
            ("9", Cursor(1)),
            ("tab", Cursor(card="A")),
            ("right", Cursor(card="S")),
            ("left left", Cursor(card="X")),
            ("tab", Cursor(0)),
        ):
            await hands.type(keys)
            assert app.table.cursor == cursor, keys
        assert app.answers == ""
        assert app.table.question is not None
        assert app.table.question.chosen is None
        await hands.type("escape right")
        assert app.table.question.chosen == 0, "the arrows choose again"

    run_app(table_app(PLACE), steps)


def test_enter_stops_looking_and_plays_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("1 i right enter")
        assert not app.table.looking
        assert app.answers == ""
        await hands.type("enter")
        assert app.answers == "x1"

    run_app(table_app(ARCHER), steps)


def test_looking_begins_at_what_is_resolved_and_in_an_empty_queue_at_the_hand() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("i")
        assert app.table.cursor == Cursor(1)
        app.sit(asked_at(EMPTY))
        await hands.pause()
        await hands.type("i right")
        assert app.table.cursor == Cursor(card="S")
        await hands.type("tab")
        assert app.table.cursor == Cursor(card="A")

    run_app(table_app(ARCHER), steps)


def test_the_pointer_explains_what_it_is_over() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        geometry = app.table.query_one(Queue).geometry()
        assert geometry is not None
        x, y = geometry.place(2)
        await hands.hover(Queue, offset=(x + 2, y + 2))
        await hands.pause()
        assert app.table.cursor == Cursor(2)
        assert app.shows("Green’s face-down card at 3, 0 on it")
        await hands.hover(Hand, offset=(2, 2))
        await hands.pause()
        assert app.table.cursor == Cursor(card=seen(ARCHER).hands[1][0])
        await hands.hover(Keys)
        await hands.pause()
        assert app.table.cursor is None

    run_app(table_app(ARCHER), steps)


def test_the_pointer_over_a_carried_card_explains_that_card() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("1 enter end")
        geometry = app.table.query_one(Queue).geometry()
        assert geometry is not None
        for index, title in ((3, "Soldier (Red"), (0, "Royal Decree (yours"), (2, "Heir (Yellow")):
            x, y = geometry.place(index)
            await hands.hover(Queue, offset=(x + 2, y + 2))
            await hands.pause()
            assert app.shows(title)

    run_app(table_app(DECREE_ALONE), steps)


# What is laid over the table


@pytest.mark.parametrize(
    ("key", "overlay", "text"),
    [
        ("k", KnownOverlay, "The ten cards, and where they are known to be"),
        ("e", EventsOverlay, "All events of this game"),
        ("?", HelpOverlay, "Help: keys and rules"),
        ("f1", HelpOverlay, "Help: keys and rules"),
    ],
)
def test_overlays_open_and_close_by_key(key: str, overlay: type, text: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for closing in (key, "escape", "enter", "q"):
            await hands.type(key)
            assert isinstance(app.screen, overlay)
            assert app.shows(text)
            await hands.type(f"down pagedown end home pageup up {closing}")
            assert isinstance(app.screen, TableScreen), closing
        assert app.said == []
        assert not app.left

    run_app(SeatedApp(evening_session(43)), steps)


def test_overlays_open_by_click() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for key, overlay in (("k", KnownOverlay), ("e", EventsOverlay), ("?", HelpOverlay)):
            await click(app, hands, f"key {key}")
            assert isinstance(app.screen, overlay)
            await hands.type("escape")
        await hands.click(Events)
        await hands.pause()
        assert isinstance(app.screen, EventsOverlay)

    run_app(SeatedApp(evening_session(43)), steps)


def test_the_game_goes_on_under_an_overlay() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("?")
        at = seen(DOWN)
        app.receive(state(at, 2))
        await hands.pause()
        assert isinstance(app.screen, HelpOverlay)
        await hands.type("escape")
        assert app.shows("YOUR HEIR 2 is face down")

    run_app(table_app(THEIRS), steps)


def test_leaving_asks_first() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for stay in ("n", "escape", "enter"):
            await hands.type("q")
            assert isinstance(app.screen, LeaveOverlay)
            assert app.shows("The game goes on, and a bot will play for you. Leave?")
            await hands.type(stay)
            assert isinstance(app.screen, TableScreen), stay
            assert not app.left
        for leave in ("y", "q", "right enter", "tab enter"):
            app.left = False
            await hands.type("q")
            await hands.type(leave)
            assert app.left, leave
        app.left = False
        await click(app, hands, "key q")
        await hands.click("#stay")
        await hands.pause()
        assert not app.left
        await click(app, hands, "key q")
        await hands.click("#go")
        await hands.pause()
        assert app.left

    run_app(table_app(THEIRS), steps)


def test_every_entry_of_the_key_bar_can_be_clicked() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await click(app, hands, "key Enter")
        assert choice(app) == "x1"
        await click(app, hands, "key Esc")
        assert choice(app) == ""
        await click(app, hands, "key i")
        assert app.shows("stop looking")
        await click(app, hands, "key Esc")
        assert not app.shows("stop looking")
        await click(app, hands, "key ←→")
        assert app.answers == ""

    run_app(table_app(ARCHER), steps)


# Size


def test_a_small_terminal_is_asked_to_grow_and_the_table_comes_back() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("3")
        for width, height in ((79, 24), (80, 23), (60, 10)):
            await hands.resize_terminal(width, height)
            needs = f"The table needs 80 by 24, here are {width} by {height}."
            await hands.until(partial(app.shows, needs))
        await hands.resize_terminal(120, 40)
        await hands.until(lambda: app.shows("YOUR ARCHER 2"))
        assert not app.shows("Please make the terminal larger.")
        await hands.type("enter")
        assert app.answers == "x3", "the choice was kept"

    run_app(table_app(ARCHER), steps)


def test_nothing_shifts_while_somebody_chooses() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        def layout() -> object:
            state = app.table.state()
            assert state is not None
            return state.layout

        before = layout()
        for keys in ("3 enter", "end", "left", "escape", "escape"):
            await hands.type(keys)
            assert layout() == before

    run_app(table_app(DECREE), steps)


# The end of a game


def test_from_the_end_of_the_game_to_the_result_and_back() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("You win with 20!")
        for there in ("enter", "click", "bar"):
            if there == "enter":
                await hands.type("enter")
            elif there == "click":
                await click(app, hands, "key Enter")
            else:
                await click(app, hands, "bar")
            assert isinstance(app.screen, ResultScreen)
            assert app.shows("1. ●b Blaise (you)")
            await hands.type("t")
            assert isinstance(app.screen, TableScreen)

    run_app(SeatedApp(evening_session(86, "b")), steps)


def test_another_game_with_the_same_people() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("enter")
        assert app.said == [SetReady(ready=True)]
        app.receive(lobby("rbgyv", "b", phase="result", seats=seats("rbgyv", ready="b", bots="yv")))
        await hands.pause()
        assert app.shows("Blaise would like another game; 2 people have not said so yet.")
        await hands.type("enter")
        assert app.said[-1] == SetReady(ready=False)
        app.receive(lobby("rbgyv", "b", phase="result", seats=seats("rbgyv", bots="yv")))
        await hands.pause()
        await hands.click_at("#result", 6, 20)
        await hands.pause()
        assert app.said[-1] == SetReady(ready=True)

    run_app(SeatedApp(evening_session(86, "b"), result=True), steps)


def test_only_the_host_goes_back_to_the_lobby() -> None:
    async def guest(app: SeatedApp, hands: Hands) -> None:
        assert not app.shows("back to the lobby")

    async def host(app: SeatedApp, hands: Hands) -> None:
        await hands.type("l")
        assert app.said == [BackToLobby()]
        await click(app, hands, "key l")
        assert app.said == [BackToLobby()] * 2
        app.receive(lobby("rbgyv", "b", phase="lobby", host=True))
        await hands.pause()
        assert isinstance(app.screen, LobbyScreen)

    run_app(SeatedApp(evening_session(86, "b"), result=True), guest)
    run_app(SeatedApp(evening_session(86, "b", host=True), result=True), host)


def test_a_spectator_of_the_result_is_asked_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("Blaise wins with 20")
        assert not app.shows("another game with the same people")
        await hands.type("enter")
        assert app.said == []

    run_app(SeatedApp(evening_session(86, "-"), result=True), steps)


def test_a_new_game_takes_the_place_of_the_result() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.receive(lobby("rbgyv", "b"))
        at = evening_session(0, "b").view
        assert at is not None
        app.receive(state(at, 2))
        await hands.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.shows("YOUR TURN — which card?")
        assert app.shows("Round 1/6")

    run_app(SeatedApp(evening_session(86, "b"), result=True), steps)


# The lobby


def lobby_app(you: str | None, *, host: bool = False, **fields: object) -> SeatedApp:
    given = {"seats": seats("rbg", bots="g", host="b" if host else "r"), **fields}
    return SeatedApp(gathered("rbg", you, host=host, **given))


async def click_lobby(app: SeatedApp, hands: Hands, text: str) -> None:
    """Click a place of the lobby by the text that stands there."""
    y, row = next((y, row) for y, row in enumerate(app.rows()) if text in row)
    await hands.click_at(LobbyBoard, row.index(text), y)
    await hands.pause()


def test_the_host_sets_the_table_by_keys() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for keys, said in (
            ("s", Start()),
            ("enter", Start()),
            ("+", AddBot(bot="steady")),
            ("y", ChooseFamily(family="y")),
            ("down minus", Remove(family="g")),
            ("up delete", Remove(family="r")),
            ("down backspace", Remove(family="g")),
        ):
            app.said.clear()
            await hands.type(keys)
            assert app.said == [said], keys

    run_app(lobby_app("b", host=True), steps)


def test_the_host_chooses_which_bot_is_added() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("free: + adds a bot (steady)")
        await hands.type("t +")
        assert app.shows("free: + adds a bot (random)")
        await hands.type("t +")
        assert app.said == [AddBot(bot="random"), AddBot(bot="steady")]

    run_app(lobby_app("b", host=True), steps)


@pytest.mark.parametrize(
    ("key", "field", "before", "after"),
    [
        ("e", "edition", 2, 1),
        ("e", "edition", 1, 2),
        ("f", "first", "random", "r"),
        ("f", "first", "r", "b"),
        ("f", "first", "g", "random"),
        ("f", "first", "v", "random"),
        ("d", "direction", "right", "left"),
        ("d", "direction", "left", "right"),
        ("p", "pace_ms", 0, 400),
        ("p", "pace_ms", 900, 1500),
        ("p", "pace_ms", 3000, 0),
        ("p", "pace_ms", 450, 900),
    ],
)
def test_the_host_changes_settings(key: str, field: str, before: object, after: object) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type(key)
        (said,) = app.said
        assert isinstance(said, ChangeSettings)
        assert said.settings.model_dump() == {
            "edition": 2,
            "first": "random",
            "direction": "right",
            "pace_ms": 900,
            field: after,
        }

    run_app(lobby_app("b", host=True, settings={field: before}), steps)


def test_the_host_sets_the_table_by_clicks() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        for text, said in (
            ("free: +", AddBot(bot="steady")),
            ("★y Yellow", ChooseFamily(family="y")),
            ("x 3 ◆g", Remove(family="g")),
        ):
            app.said.clear()
            await click_lobby(app, hands, text)
            assert app.said == [said], text
        for text, field, after in (
            ("second edition", "edition", 1),
            ("random", "first", "r"),
            ("left to right", "direction", "left"),
            ("0.9 s a move", "pace_ms", 1500),
        ):
            app.said.clear()
            await click_lobby(app, hands, text)
            (changed,) = app.said
            assert isinstance(changed, ChangeSettings)
            assert getattr(changed.settings, field) == after
        app.said.clear()
        await click_lobby(app, hands, "◆g Gaspard")
        await click(app, hands, "key -")
        assert app.said == [Remove(family="g")]
        await click_lobby(app, hands, "Everybody is ready: s starts")
        assert app.said[-1] == Start()

    run_app(lobby_app("b", host=True), steps)


def test_the_host_reads_what_is_missing() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("Not ready yet: Rosalind, Vasco.")

    missing = {"code": "not_ready", "values": {"names": ("Rosalind", "Vasco")}}
    run_app(lobby_app("b", host=True, missing=missing), steps)


def test_a_guest_says_ready_and_takes_another_family() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("enter")
        assert app.said == [SetReady(ready=True)]
        await click_lobby(app, hands, "Press Enter when you are ready.")
        assert app.said[-1] == SetReady(ready=True)
        app.receive(lobby("rbg", "b", phase="lobby", seats=seats("rbg", ready="b", host="r")))
        await hands.pause()
        assert app.shows("You are ready. Waiting for the host to start.")
        await hands.type("enter")
        assert app.said[-1] == SetReady(ready=False)
        app.said.clear()
        await hands.type("v")
        assert app.said == [ChooseFamily(family="v")]
        app.said.clear()
        await hands.type("e f d p")
        assert app.said == [], "settings are the host's"

    run_app(lobby_app("b"), steps)


def test_a_spectator_of_the_lobby_only_watches() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("You are watching.")
        await hands.type("enter e f d p")
        assert app.said == []

    run_app(lobby_app(None), steps)


def test_a_refusal_in_the_lobby_is_told_until_something_else_is_tried() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("y")
        app.session.receive(Refused(code="family_taken", values={"family": "y"}))
        app._show()
        await hands.pause()
        taken = "Yellow belongs to somebody else already."
        assert app.shows(taken)
        await hands.type("v")
        app.receive(lobby("rvg", "v", phase="lobby"))
        await hands.pause()
        assert not app.shows(taken)

    run_app(lobby_app("b"), steps)


def test_the_invitation_is_shown_and_copied() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        assert app.shows("driflamme join 192.168.1.20")
        await hands.type("c")
        assert app.clipboard == "driflamme join 192.168.1.20"

    run_app(lobby_app("b", host=True, invitation="driflamme join 192.168.1.20"), steps)


def test_help_and_leaving_in_the_lobby() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("?")
        assert isinstance(app.screen, HelpOverlay)
        await hands.type("escape q")
        assert app.shows("Leave the table?")
        await hands.type("y")
        assert app.left

    run_app(lobby_app("b"), steps)


# The start screen


class StartedApp(DriflammeApp):
    """The app before any table: what it would do is only noted."""

    CSS_PATH = SeatedApp.CSS_PATH

    def __init__(self, name: str = "Blaise") -> None:
        super().__init__(None, name)
        self.plans: list[object] = []

    def _go(self, plan: object) -> None:
        self.plans.append(plan)


def at_start(steps: Callable[[StartedApp, Hands], Awaitable[None]], name: str = "Blaise") -> None:
    run_app(StartedApp(name), steps)


def test_start_by_keys() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        await hands.type("enter")
        await hands.type("down enter")
        play, host = app.plans
        assert isinstance(play, Host)
        assert isinstance(host, Host)
        assert (play.begin, play.bots, host.begin) == (True, ("steady",) * 3, False)
        await hands.type("down")
        await hands.type(" ".join("10.0.0.7"))
        await hands.type("enter")
        join = app.plans[-1]
        assert isinstance(join, Join)
        assert str(join.address) == "10.0.0.7"

    at_start(steps)


def test_start_by_clicks() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        await hands.click("#play")
        await hands.click("#host")
        await hands.pause()
        assert len(app.plans) == 2
        await hands.click("#rules")
        await hands.pause()
        assert isinstance(app.screen, HelpOverlay)
        await hands.type("escape")
        await hands.click("#quit")
        await hands.pause()
        assert app._exit

    at_start(steps)


def test_an_address_that_is_none_is_explained() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        app.screen.query_one("#address", Input).focus()
        await hands.type("enter")
        await hands.pause()
        assert notice(app).startswith("Type the address that the host was shown")
        await hands.type("a : b enter")
        assert notice(app)
        assert not notice(app).startswith("Type the address")
        assert app.plans == []

    at_start(steps)


def notice(app: DriflammeApp) -> str:
    from textual.widgets import Static

    return str(app.screen.query_one("#notice", Static).content)


def test_a_name_is_needed() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        name = app.screen.query_one("#name", Input)
        name.value = ""
        await hands.pause()
        app.screen.query_one("#play", Button).focus()
        await hands.type("enter")
        assert notice(app) == "A name needs at least one character."
        assert app.plans == []
        name.value = " Zoé "
        await hands.pause()
        # A button that is still lit from being pressed takes no key.
        await hands.type("down enter")
        assert app.player_name == "Zoé"
        assert len(app.plans) == 1

    at_start(steps)


def test_f1_helps_and_escape_quits() -> None:
    async def steps(app: StartedApp, hands: Hands) -> None:
        await hands.type("f1")
        assert isinstance(app.screen, HelpOverlay)
        await hands.type("escape")
        assert isinstance(app.screen, StartScreen)
        await hands.type("escape")
        assert app._exit

    at_start(steps)


def test_ctrl_c_leaves_from_anywhere() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type("ctrl+c")
        assert app._exit

    run_app(table_app(THEIRS), steps)


# A whole game by whatever keys


def test_any_keys_at_any_question_send_only_legal_answers() -> None:
    keys = (
        "left right up down tab home end enter enter enter escape < > ^ + ! 1 2 3 9 0 i"
        " a s p h f l x d m c r b g y v"
    )

    async def steps(app: SeatedApp, hands: Hands) -> None:
        rng = Random(3)
        for step in range(0, EVENING_STEPS, 14):
            app.sit(evening_session(step))
            await hands.pause()
            await hands.press(*rng.choices(keys.split(), k=25))
            game: Game = evening(step)[0]
            for token in app.answers.split():
                assert ACTIONS[token] in game.legal
            assert len(app.answers.split()) <= 1

    run_app(SeatedApp(evening_session(0)), steps)
