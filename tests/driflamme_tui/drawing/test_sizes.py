"""Tests that the whole table and all options are visible at every size."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import CHOICES, QueueSpace
from driflamme_tui.drawing.table_state import Cursor, TableState
from driflamme_tui.model.pending_question import Question, Step
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.header import Header
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Geometry, Queue
from driflamme_tui.wording.game.event_words import forced_sentence, table_names
from engine.events import Forced, Left, NoEffect
from tests.driflamme_tui.drawing.test_canvas import rows
from tests.driflamme_tui.screens.test_families import drawn
from tests.support.by_hand import (
    ARCHER,
    SOLDIER,
    table_app,
)
from tests.support.scenes import POSITIONS
from tests.support.tables import (
    EVENING_STEPS,
    NAMES,
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    prompter_of,
    run_app,
    seen,
    session_at_line,
    state_of,
)

SIZES = ((60, 20), (72, 23), (97, 33), (200, 20))

FORCED = "Your Spy 2: only one player has cards beside it, so that one is chosen."


def stacks_of(app: SeatedApp) -> tuple[TableState, Geometry]:
    state, geometry = app.table.state(), app.table.query_one(Queue).geometry()
    assert state is not None
    assert geometry is not None
    return state, geometry


@pytest.mark.parametrize("size", SIZES)
def test_prompts_stand_whole_in_their_rows(size: tuple[int, int]) -> None:
    prompt = Prompt()
    # Show every question on the narrowest screen, and a part of the questions at each other size.
    number = SIZES.index(size)
    for step in range(number and number % 3, EVENING_STEPS, 3 if number else 1):
        at = evening_session(step).view
        assert at is not None
        height = QueueSpace().after(at).layout(*size).prompt
        first = Question(at)
        leading = first.options[0].action is None
        for picked in range(len(first.options) if leading else 1):
            question = Question(at)
            if leading:
                question.choose(picked)
                question.confirm()
            for index in range(len(question.options)):
                question.choose(index)
                prompt.state = state_of(at, question, size)
                shown = " ".join(" ".join(drawn(prompt, UNICODE, size[0], height)).split())
                for text in texts_of(question):
                    missing = [word for word in text.split() if word not in shown]
                    assert not missing, (step, text, shown)


def texts_of(question: Question) -> Iterator[str]:
    """Yield the texts of the prompt for a question, after a choice was made."""
    prompter = prompter_of(question.view)
    yield prompter.title(question)
    if question.step is not Step.LEAVE_OR_REVEAL:
        yield prompter.consequence(question)
        return
    for option in question.options:
        assert option.action is not None
        yield prompter.effect(option.action)


def test_what_has_just_happened_stands_whole_while_nothing_else_has_to() -> None:
    at = seen("2 4 b* rS,bh1,gl *r3,b5:ASFX,g2", "b")
    sentence = "Berthe's Soldier at 1 eliminates Aubin's face-down Heir at 2 and the 2 on it (+1)"
    state = state_of(at, Question(at), (80, 24), log=[(2, sentence)])
    widget = Prompt()
    widget.state = replace(state, is_animated=True)
    assert sentence in " ".join(" ".join(drawn(widget, UNICODE, 80, 3)).split())


@in_app(lambda: table_app(ARCHER), (120, 40))
async def test_the_size_of_cards_goes_through_those_that_make_a_difference(
    app: SeatedApp, hands: Hands
) -> None:
    seen_sizes = []
    for _ in range(len(CHOICES)):
        state, _geometry = stacks_of(app)
        seen_sizes.append(state.layout.card.name)
        await hands.type("z")
    assert seen_sizes[:4] == ["full", "compact", "minimal", "micro"]
    assert app.answers == ""


@pytest.mark.parametrize("direction", ["right", "left"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_both_ends_of_a_break_name_the_neighbour(size: tuple[int, int], direction: str) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        state, geometry = stacks_of(app)
        top, rows = app.table.query_one(Queue).region.y, app.rows()
        per_row = state.layout.per_row
        assert per_row < geometry.stacks
        for after in range(per_row, geometry.stacks, per_row):
            for index, neighbour in ((after - 1, after), (after, after - 1)):
                family = state.view.families[state.view.queue[neighbour][0]]
                mark = f"{neighbour + 1}{UNICODE.families[family]}"
                rail = rows[top + geometry.place(index)[1]]
                onward = (neighbour > index) == (direction == "right")
                assert mark in (rail[size[0] // 2 :] if onward else rail[: size[0] // 2])
                assert str(index + 1) in rail

    session = session_at_line(POSITIONS["thirty stacks"][0], settings={"direction": direction})
    run_app(SeatedApp(session), steps, size)


@in_app(lambda: SeatedApp(evening_session(43, "-")))
async def test_a_spectator_sees_what_is_known_where_a_hand_would_be(
    app: SeatedApp, hands: Hands
) -> None:
    rows = app.rows()
    row = next(index for index, row in enumerate(rows) if "WATCHING" in row)
    for seat, name in enumerate(NAMES):
        family = "rbgyv"[seat]
        assert f"{UNICODE.families[family]}{family}" in rows[row + 1 + seat], name
    await hands.type("i right tab")
    assert app.table.look.cursor == Cursor(seat=0), "a spectator has no hand to look at"


def test_what_the_rules_decided_is_told_with_the_rule_and_names_no_hidden_card() -> None:
    at = seen("2 4 r?1 rs1,bS,gl2 *r3,b5,g2")
    forced = Forced(1, 2, "S", "S")
    nothing = NoEffect(2, 3, "F", "F")
    left = Left(0, 1, "?", 1)
    table = table_names(at, NAMES, glyphs=UNICODE)
    assert forced_sentence([forced, left], table) == (
        "Your Soldier 2: there is only one neighbour, so that one goes."
    )
    assert forced_sentence([forced, nothing], table) == (
        "◆g Gaspard's Shapeshifter 3: no face-up Character beside it, nothing happens."
    )
    assert forced_sentence([left], table) == ""


@in_app(lambda: SeatedApp(session_at_line(SOLDIER)))
async def test_what_the_rules_decided_stands_in_the_prompt_of_who_waits_and_glues_to_no_question(
    app: SeatedApp, hands: Hands
) -> None:
    later = evening_session(EVENING_STEPS - 8, "b")
    app.table.shown.forced = FORCED
    app.table.show()
    assert not app.shows("Your Spy 2: only one player has"), "a question is asked"
    app.sit(evening_session(44, "b"))
    await hands.pause()
    app.table.shown.forced = FORCED
    app.table.show()
    assert app.shows("Your Spy 2: only one player has")
    assert later.view is not None
    app.sit(later)
    await hands.pause()
    assert not app.shows("Your Spy 2: only one player has")


def test_what_stands_in_the_header_cuts_nothing() -> None:
    at = state_of(seen("2 4 rS2 gm,rS,rh1,bL *r3,b2,g3"))
    for length in range(20, 50):
        canvas = Canvas(80, 1)
        Header().draw_state(canvas, replace(at, heading=["x" * length]))
        assert "Resolution " in rows(canvas)[0], length
