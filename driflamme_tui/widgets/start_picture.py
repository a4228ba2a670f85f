"""The picture of the start screen: five cards, one of each family, as they lie on a table."""

from typing import Final

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.card_art import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import FULL
from driflamme_tui.widgets.drawn_widget import Drawn
from engine.cards import UNKNOWN

CARDS: Final = (
    Face("r", UNKNOWN, face_up=False, influence=2),
    Face("b", "A", face_up=True),
    Face("g", UNKNOWN, face_up=False, influence=4),
    Face("y", "L", face_up=True),
    Face("v", UNKNOWN, face_up=False),
)
"""A Queue in the middle of a game: what is face down gathers influence."""

STEP: Final = FULL.width + 3
"""Columns from one card to the next."""

PICTURE_ROWS: Final = 10
"""Rows that the picture takes, with the empty ones below it."""

ROOM_ROWS: Final = 32
"""Rows of the screen from which there is room for a picture above everything else."""

ROOM_COLUMNS: Final = 80
"""Columns of the screen from which there is room for the picture."""


class StartPicture(Drawn):
    """Five cards in a row."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the cards."""
        for place, face in enumerate(CARDS):
            draw_card(canvas, place * STEP, 0, FULL, face, CardLook.PLAIN)
