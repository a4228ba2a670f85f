"""Tests that families and states of cards differ by their characters alone, without colour.

The tests compare text without any style, in both sets of signs.
"""

from collections.abc import Callable

import pytest
from textual.geometry import Size

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import COMPACT, FULL, MICRO, MINIMAL, RAIL, CardSize, fit
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.model.pending_question import Question
from driflamme_tui.text.signs import ASCII, BASIC, UNICODE, Glyphs
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.info_panels import Events, KnownCards
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.wording.game.event_words import log_lines, table_names
from engine.cards import FAMILIES, UNKNOWN
from engine.views import project, view
from tests.support.tables import (
    NAMES,
    evening,
    seen,
    state_of,
)

SIZES = (FULL, COMPACT, MINIMAL, MICRO)
GLYPHS = (UNICODE, BASIC, ASCII)

both = pytest.mark.parametrize("glyphs", GLYPHS, ids=["unicode", "basic", "ascii"])
each_size = pytest.mark.parametrize("size", SIZES, ids=[size.name for size in SIZES])


def drawn(widget: DrawnWidget, glyphs: Glyphs, width: int = 120, height: int = 40) -> list[str]:
    return painted(widget.draw, glyphs, width, height)


def painted(
    paint: Callable[[Canvas], None], glyphs: Glyphs, width: int = 120, height: int = 40
) -> list[str]:
    """Return the rows that `paint` draws on a new canvas."""
    canvas = Canvas(width, height, glyphs=glyphs)
    paint(canvas)
    return ["".join(segment.text for segment in strip) for strip in canvas.strips()]


def card_text(face: Face, look: CardLook, size: CardSize, glyphs: Glyphs, height: int = 1) -> str:
    canvas = Canvas(size.width, size.height, "table", glyphs)
    draw_card(canvas, 0, 0, size, face, look, height=height)
    return "\n".join("".join(segment.text for segment in strip) for strip in canvas.strips())


def tag(family: str, glyphs: Glyphs) -> str:
    """Return a family's sign and letter, or the letter in brackets if a sign needs no letter."""
    sign = f"{glyphs.families[family]}{glyphs.gap}{family}"
    return sign if glyphs.letter_follows else f"[{family}]"


@both
def test_signs_are_different_and_one_cell_wide(glyphs: Glyphs) -> None:
    signs = [glyphs.families[family] for family in FAMILIES]
    assert len(set(signs)) == len(FAMILIES)
    assert all(len(sign) == 1 for sign in signs)


def test_cards_that_touch_each_other_begin_and_end_with_signs_of_their_own() -> None:
    for glyphs in GLYPHS:
        for frame in (glyphs.face_up, glyphs.face_down):
            top_left, _across, top_right, _down, bottom_left, bottom_right = frame
            assert top_left != top_right
            assert bottom_left != bottom_right


@both
@each_size
@pytest.mark.parametrize("face_up", [True, False], ids=["up", "down"])
@pytest.mark.parametrize("look", list(CardLook), ids=[look.name for look in CardLook])
def test_the_same_card_of_two_families_looks_different(
    glyphs: Glyphs, size: CardSize, face_up: bool, look: CardLook
) -> None:
    card = "S" if face_up else UNKNOWN
    texts = {
        card_text(Face(family, card, face_up), look, size, glyphs).splitlines()[0]
        for family in FAMILIES
    }
    assert len(texts) == len(FAMILIES)
    for family in FAMILIES:
        title = card_text(Face(family, card, face_up), look, size, glyphs).splitlines()[0]
        assert glyphs.families[family] in title


@both
def test_wherever_a_player_is_named_sign_and_letter_stand_beside_the_name(glyphs: Glyphs) -> None:
    state = evening_state(62, glyphs)
    widgets = Seats(), Events(), KnownCards()
    for widget in widgets:
        widget.state = state
    texts = ["\n".join(drawn(widget, glyphs)) for widget in widgets]
    for text in texts:
        assert [family for family in FAMILIES if tag(family, glyphs) not in text] == [], text


def evening_state(step: int, glyphs: Glyphs, size: tuple[int, int] = (120, 40)) -> TableState:
    game, events = evening(step)
    at = view(game, game.turn)
    seen = [project(event, game.turn) for event in events]
    log = log_lines(seen, table_names(at, NAMES, glyphs=glyphs))
    return state_of(at, Question(at) if at.legal else None, size, glyphs, log=log)


@both
@each_size
def test_face_up_face_down_and_unknown_look_different(glyphs: Glyphs, size: CardSize) -> None:
    for look in CardLook:
        texts = [
            card_text(Face("r", "S", face_up=True), look, size, glyphs),
            card_text(Face("r", "S", face_up=False), look, size, glyphs),
            card_text(Face("r", UNKNOWN, face_up=False), look, size, glyphs),
        ]
        assert len(set(texts)) == 3, look


@both
@each_size
def test_influence_and_height_are_written_on_the_card(glyphs: Glyphs, size: CardSize) -> None:
    texts = [
        card_text(Face("r", UNKNOWN, False, influence), CardLook.PLAIN, size, glyphs, height)
        for influence in range(8)
        for height in range(1, 7)
    ]
    assert len(set(texts)) == len(texts)


class WideQueue(Queue):
    """A Queue with a size, without a screen."""

    width = 120

    @property
    def size(self) -> Size:
        return Size(self.width, 40)


def stack_text(state: TableState, index: int, glyphs: Glyphs) -> str:
    """Return the characters of a stack and of the rail over it."""
    queue = WideQueue()
    queue.width = state.layout.width
    queue.state = state
    geometry = queue.geometry()
    assert geometry is not None
    rows = drawn(queue, glyphs, state.layout.width)
    x, y = geometry.place(index)
    card = state.layout.card
    return "\n".join(row[x : x + card.width] for row in rows[y : y + RAIL + card.height])


def at_soldier(
    glyphs: Glyphs, size: tuple[int, int], planned: int, choice: int, mirrored: bool
) -> TableState:
    """Return a table at a Soldier's question, whose choices are the two neighbours.

    `planned` is the number of stacks that the layout expects; `choice` is a position, or 0 for
    none.
    """
    at = seen("2 4 bS2 rH,bS,rl,bh,rA,ba *r3,b5,g3")
    question = Question(at)
    if choice:
        assert question.choose_position(choice)
    state = state_of(at, question, size, glyphs, mirrored=mirrored)
    return TableState(
        at, state.players, glyphs, fit(*size, planned, 2), question, mirrored=mirrored
    )


LAYOUTS = {"full": ((120, 40), 6), "compact": ((80, 24), 6), "minimal": ((80, 24), 13)}
LAYOUTS["micro"] = ((80, 24), 16)


@both
@pytest.mark.parametrize("mirrored", [False, True], ids=["right", "left"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_what_may_be_chosen_is_chosen_or_is_resolving_shows_without_colour(
    glyphs: Glyphs, mirrored: bool, name: str
) -> None:
    size, planned = LAYOUTS[name]
    tables = {choice: at_soldier(glyphs, size, planned, choice, mirrored) for choice in (0, 1, 3)}
    assert tables[0].layout.card.name == name
    texts = {
        choice: [stack_text(table, index, glyphs) for index in range(6)]
        for choice, table in tables.items()
    }
    before, after = glyphs.chosen_mark
    for choice in (1, 3):
        legal = texts[0][choice - 1]
        assert f"[{choice}]" in legal == texts[4 - choice][choice - 1]
        assert glyphs.legal[0] in legal
        assert f"{before}{choice}{after}" in texts[choice][choice - 1]
    before, after = glyphs.resolving
    assert f"{before}2{after}" in texts[0][1]
    for position, plain in enumerate(texts[0][3:], 4):
        assert glyphs.legal[0] not in plain
        assert f"[{position}]" not in plain


@both
def test_the_player_that_is_chosen_or_whose_turn_it_is_shows_without_colour(
    glyphs: Glyphs,
) -> None:
    at = seen("2 4 bP2 rS,bP,gl,yH *r3,b5,g2,y0")
    question = Question(at)
    widget = Seats()
    widget.state = state_of(at, question, (80, 24), glyphs)
    title = drawn(widget, glyphs, 80, 3)[0]
    for family in "rg":
        assert f"[{tag(family, glyphs)}]" in title
    for family in "by":
        assert f"[{tag(family, glyphs)}]" not in title
    assert f"{glyphs.turn}{tag('b', glyphs)} You" in title
    assert question.choose_family("g")
    before, after = glyphs.chosen_mark
    title = drawn(widget, glyphs, 80, 3)[0]
    assert f"{before}{tag('g', glyphs)}{after} Gaspard" in title
    assert f"[{tag('r', glyphs)}]" in title


@both
def test_the_chosen_card_of_the_hand_has_another_frame(glyphs: Glyphs) -> None:
    at = seen("2 4 b* rS,bh1 *r3,b5:ASFX,g2")
    question = Question(at)
    hand = Hand()
    hand.state = state_of(at, question, (80, 24), glyphs)
    plain = drawn(hand, glyphs, 50, 5)
    assert question.choose_card("S")
    chosen = drawn(hand, glyphs, 50, 5)
    pitch = MINIMAL.pitch
    for index in range(4):
        columns = slice(1 + index * pitch, 1 + index * pitch + MINIMAL.width)
        changed = [row[columns] for row in plain] != [row[columns] for row in chosen]
        assert changed == (index == 1)
