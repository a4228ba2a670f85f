"""Tests which texts the prompt draws in the rows that it has."""

import pytest
from msgspec.structs import replace

from driflamme_tui.model.pending_question import Question
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.header import WARNING_S
from driflamme_tui.widgets.table.prompt_bar import Prompt
from tests.driflamme_tui.screens.test_families import drawn
from tests.support.scenes import TALK
from tests.support.tables import seen, state_of

QUESTION = " YOUR TURN — which card?       ←→ choose · Enter first one"
SHORT = " The first sentence is short."
WHOLE = [
    " The first sentence is short. The second is so long that",
    " both need three rows of the prompt, which is more than",
    " some screens have.",
]
CHAT = " ■v “hurry :)”"
STAYS = " ▲r stays here"


def rows(height: int, **fields: object) -> list[str]:
    """Return the prompt's rows at a question, on a narrow screen without rows for events."""
    state = state_of(seen("2 4 b* rS,bh1 *r3,b5:ASFX,g2"), None, (60, 20))
    layout = replace(state.layout, prompt=state.layout.height)
    assert layout.events_height == 0
    advice = SHORT.strip(), "".join(WHOLE).removeprefix(SHORT)
    prompt = Prompt()
    question = Question(state.view)
    prompt.state = replace(state, question=question, layout=layout, advice=advice, **fields)
    return [row.rstrip() for row in drawn(prompt, UNICODE, 60, height)]


@pytest.mark.parametrize(
    ("height", "below"),
    [
        (2, [SHORT]),
        (3, [SHORT, CHAT]),
        (4, WHOLE),
        (5, [*WHOLE, CHAT]),
        (6, [*WHOLE, STAYS, CHAT]),
        (7, [*WHOLE, "", STAYS, CHAT]),
    ],
)
def test_advice_comes_before_the_chat_and_the_chat_before_an_event(
    height: int, below: list[str]
) -> None:
    shown = rows(height, spoken=True, talk=TALK.lines, stays=(0, "stays here"))
    assert shown == [QUESTION, *below]


@pytest.mark.parametrize(
    ("left", "is_shown"), [(0, True), (WARNING_S, True), (WARNING_S + 1, False), (None, False)]
)
def test_little_time_is_told_in_the_prompt(left: int | None, is_shown: bool) -> None:
    shown = rows(4, time_runs=True, time_left=left)[0]
    assert (" left " in shown) is is_shown
    assert " left " not in rows(4, time_runs=False, time_left=left)[0]
