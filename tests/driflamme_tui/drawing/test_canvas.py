"""Tests the grid for all drawing: it has cells instead of characters, and makes few segments."""

from random import Random

from rich.cells import cell_len
from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs

GROUND = Canvas(0, 0).plain
BOLD = Canvas(0, 0).bold
ITALIC = GROUND + Style(italic=True)


def blank(width: int = 10, height: int = 2, glyphs: Glyphs = UNICODE) -> Canvas:
    return Canvas(width, height, "table", glyphs)


def rows(canvas: Canvas) -> list[str]:
    """Return the rows as text, after checking the width of each."""
    texts = []
    for strip in canvas.strips():
        text = "".join(segment.text for segment in strip)
        assert cell_len(text) == strip.cell_length == canvas.width
        texts.append(text)
    return texts


def test_text_stands_where_it_is_put_and_its_end_is_returned() -> None:
    canvas = blank()
    assert canvas.text(2, 1, "abc", BOLD) == 5
    assert rows(canvas) == [" " * 10, "  abc     "]


def test_what_is_outside_is_cut_off() -> None:
    canvas = blank(5, 2)
    assert canvas.text(-2, 0, "abcde", BOLD) == 3
    assert canvas.text(3, 1, "abcde", BOLD) == 8
    assert canvas.text(0, -1, "above", BOLD) == 5
    assert canvas.text(0, 2, "below", BOLD) == 5
    assert rows(canvas) == ["cde  ", "   ab"]


def test_a_width_cuts_and_pads() -> None:
    canvas = blank(8, 3)
    assert canvas.text(0, 0, "abcdef", BOLD, 3) == 3
    assert canvas.text(1, 1, "ab", BOLD, 4) == 5
    assert canvas.text(0, 2, "ab", BOLD, -1) == 0
    canvas.text(4, 1, "x", GROUND)
    assert rows(canvas) == ["ab…     ", " ab x   ", "        "]


def test_a_wide_character_is_cut_whole() -> None:
    canvas = blank(4, 3)
    canvas.text(3, 0, "漢", BOLD)
    canvas.text(-1, 1, "漢a", BOLD)
    canvas.text(0, 2, "漢字", BOLD, 3)
    assert rows(canvas) == ["    ", " a  ", "漢… "]


def test_drawing_on_half_of_a_wide_character_clears_the_other_half() -> None:
    canvas = blank(6, 3)
    for row in range(3):
        canvas.text(1, row, "漢字", BOLD)
    canvas.text(1, 0, "a", BOLD)
    canvas.text(2, 1, "a", BOLD)
    canvas.text(2, 2, "仮", BOLD)
    assert rows(canvas) == [" a 字 ", "  a字 ", "  仮  "]


def test_fill_and_restyle_keep_to_their_rectangle() -> None:
    canvas = blank(6, 3)
    canvas.fill(1, 1, 3, 5, BOLD, "#")
    canvas.restyle(2, 1, 99, GROUND)
    canvas.restyle(0, 9, 3, BOLD)
    canvas.restyle(-3, 2, 5, ITALIC)
    assert rows(canvas) == ["      ", " ###  ", " ###  "]
    assert [[(s.text, s.style) for s in strip] for strip in canvas.strips()] == [
        [("      ", GROUND)],
        [(" ", GROUND), ("#", BOLD), ("##  ", GROUND)],
        [(" ", ITALIC + BOLD), ("#", ITALIC), ("##", BOLD), ("  ", GROUND)],
    ]


def test_no_segment_begins_with_spaces_before_a_sign() -> None:
    canvas = blank(24, 1)
    x = canvas.text(0, 0, "  s", BOLD)
    x = canvas.text(x, 0, " start  ", GROUND)
    x = canvas.text(x, 0, "  on a bar", canvas.chosen)
    canvas.text(x, 0, " x", GROUND)
    (strip,) = canvas.strips()
    texts = ["  ", "s ", "start  ", "  ", "on a bar", " ", "x "]
    assert [segment.text for segment in strip] == texts
    lead, key, *_rest = strip
    assert (lead.style, key.style) == (GROUND + Style(bold=False), BOLD)


def test_ascii_glyphs_write_ascii_in_as_many_cells() -> None:
    canvas = blank(12, 2, ASCII)
    canvas.text(0, 0, "— × é ’ 漢", BOLD)
    canvas.text(0, 1, "Zoë…", BOLD)
    assert rows(canvas) == ["- x e ' ??  ", "Zoe.        "]


def test_a_canvas_without_room_is_no_error() -> None:
    canvas = blank(0, 2)
    canvas.text(0, 0, "a", BOLD)
    assert [strip.cell_length for strip in canvas.strips()] == [0, 0]
    assert blank(3, 0).strips() == []


def test_whatever_is_drawn_every_row_is_as_wide_as_the_canvas() -> None:
    rng = Random(1)
    for _ in range(400):
        canvas = blank(rng.randint(1, 20), 3, rng.choice((UNICODE, ASCII)))
        for _ in range(rng.randint(1, 12)):
            text = "".join(rng.choice("ab漢字é\u0301•░") for _ in range(rng.randint(0, 12)))
            width = rng.choice((None, rng.randint(0, 9)))
            canvas.text(rng.randint(-5, 22), rng.randint(-1, 3), text, BOLD, width)
        rows(canvas)


def test_a_pasted_canvas_replaces_what_was_in_its_place_and_nothing_else() -> None:
    canvas, other = blank(8, 4), blank(3, 2)
    for row in range(4):
        canvas.text(0, row, "abcdefgh", GROUND)
    other.text(1, 0, "X", BOLD)
    canvas.paste(2, 1, other)
    assert rows(canvas) == ["abcdefgh", "ab X fgh", "ab   fgh", "abcdefgh"]


def test_a_frame_stands_along_the_edges_and_leaves_the_inside() -> None:
    canvas = blank(8, 5)
    canvas.fill(0, 0, 8, 5, GROUND, ".")
    canvas.frame(1, 1, 5, 3, UNICODE.chosen, BOLD)
    assert rows(canvas) == ["........", ".┏━━━┓..", ".┃...┃..", ".┗━━━┛..", "........"]
