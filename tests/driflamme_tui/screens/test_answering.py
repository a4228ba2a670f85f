"""Every way to answer every question at the table, by keyboard and by mouse."""

from random import Random

import pytest

from driflamme_tui.model.lost_connection import LostLine
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.widgets.table.queue import Queue
from engine.actions import ACTIONS
from engine.game import Game
from engine.notation import parse_position
from engine.view import view
from netcode.client.session import Session
from netcode.protocol.messages import (
    Refused,
)
from tests.driflamme_tui.by_hand import (
    ARCHER,
    ASSASSINATION,
    DECREE,
    DECREE_ALONE,
    DOWN,
    EDGES,
    EMPTY,
    PLACE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    THEIRS,
    answers_by_clicks,
    answers_by_keys,
    choice,
    click,
    table_app,
)
from tests.driflamme_tui.tables import (
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
from tests.engine.lines import whole

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
        not_yours = "The card at position 1 is not yours: you can stack only on your own top card."
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
            assert app.table.answering.question is not None
            assert app.table.answering.question.picked is None
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
        assert app.shows("3: ◆g Gaspard loses a face-down card; you gain 1.")
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
        why = "Your Spy must steal from the owner of a neighbour: ▲r Rosalind or ◆g Gaspard"
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
        question = app.table.answering.question
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
        question = app.table.answering.question
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
        question = app.table.answering.question
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
        app.sitting.lost = LostLine(1, app.now + 3)
        app._show()
        await hands.pause()
        assert app.shows("CONNECTION LOST — trying again in 3 s, attempt 1")
        app.sitting.lost = None
        at = app.session.view
        assert at is not None
        app.receive(welcome("b"), lobby("rbg", "b"), state(at))
        await hands.pause()
        assert not app.shows("CONNECTION LOST")
        question = app.table.answering.question
        assert question is not None
        assert question.choice is not None
        await hands.type("enter")
        assert app.answers == "x3"

    run_app(table_app(ARCHER), steps)


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


def test_a_card_is_moved_to_an_end_by_the_keys_with_which_one_is_placed_there() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.press("<")
        assert app.shows("Choose a card first.")
        await hands.press("3", ">")
        assert app.shows("It would stand at 4, an end of the Queue")
        await hands.press("<", "enter")
        assert app.answers == "3>1"

    async def at_its_end(app: SeatedApp, hands: Hands) -> None:
        await hands.press("1", "enter", "<", "^")
        assert app.table.answering.question is not None
        assert app.table.answering.question.choice is None
        await hands.press(">", "enter")
        assert app.answers == "1>3"

    run_app(table_app(DECREE), steps)
    run_app(table_app(DECREE), at_its_end)
