"""Tests how the Queue draws its stacks at a moment."""

import pytest
from msgspec.structs import replace
from textual.geometry import Size

from driflamme_tui.drawing.layout import MINIMAL, NARROW_CARD
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.motion_frames import Effect
from driflamme_tui.model.pending_question import Question
from driflamme_tui.text.signs import UNICODE
from driflamme_tui.widgets.table.queue import Queue
from tests.driflamme_tui.screens.test_families import drawn
from tests.support.tables import seen, state_of


class AloneQueue(Queue):
    """A Queue that stands on no screen."""

    size = Size(30, 5)


def rows(state: TableState) -> list[str]:
    queue = AloneQueue()
    queue.state = state
    return [row.rstrip() for row in drawn(queue, UNICODE, *queue.size)]


@pytest.mark.parametrize(
    ("effect", "card"),
    [
        (Effect(), ("╔●b══╗", "║heir║", "║•   ║", "╚════╝")),
        (Effect(lit=2), ("┏●b━━┓", "┃heir┃", "┃•   ┃", "┗━━━━┛")),
        (Effect(struck=2), ("╔●b══╗", "║heir║", "║✕✕✕✕║", "╚════╝")),
        (Effect(edge=2), ("   ┃  ",) * 4),
        (Effect(gap=2), ("      ",) * 4),
    ],
)
def test_only_the_card_of_an_effect_is_drawn_otherwise(
    effect: Effect, card: tuple[str, ...]
) -> None:
    state = state_of(seen("2 4 b?2 rS,bh1,gl *r3,b5,g2"))
    layout = replace(state.layout, card=MINIMAL)
    assert rows(replace(state, effect=effect, layout=layout)) == [
        " ━━━1━━┄┄▼2▼┄┄┄┄3┄┄▸",
        *(
            f" {before}{at}{after}"
            for before, at, after in zip(
                ("┌▲r──┐", "│Sold│", "│‹✕› │", "└────┘"),
                card,
                ("╔◆g══╗", "║░░░░║", "║░░░░║", "╚════╝"),
                strict=True,
            )
        ),
    ]


@pytest.mark.parametrize("position", [1, 2, 3])
def test_the_chosen_card_is_whole_where_frames_overlap(position: int) -> None:
    state = state_of(seen("2 4 bX4 rS,gh1,rl,bX *r3,b5,g2"))
    question = Question(state.view)
    question.choose(position - 1)
    layout = replace(state.layout, card=NARROW_CARD)
    _rail, *shown = rows(replace(state, question=question, layout=layout))
    left = 1 + (position - 1) * NARROW_CARD.pitch
    frame = [row[left] + row[left + NARROW_CARD.width - 1] for row in shown]
    assert frame == ["┏┓", "┃┃", "┃┃", "┗┛"]
