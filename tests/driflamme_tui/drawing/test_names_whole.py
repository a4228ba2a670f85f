"""Tests that names of cards in hand, and the ways to place a card, are never cut."""

import pytest

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import HAND_SIZES, CardSize
from driflamme_tui.text.i18n import available_languages, pgettext, set_language
from driflamme_tui.wording.game.card_texts import CARD_TEXTS
from driflamme_tui.wording.game.names import card_name
from engine.cards import CARDS
from tests.support.tables import Hands, SeatedApp, run_app, session_at_line

FRAMED = [size for size in HAND_SIZES if size.height > 1]


@pytest.mark.parametrize("language", available_languages())
@pytest.mark.parametrize("size", FRAMED, ids=lambda size: size.name)
def test_no_row_of_a_card_in_hand_has_a_piece_of_a_name(size: CardSize, language: str) -> None:
    set_language(language)
    for width in range(size.width, size.width + 8):
        for card in CARDS:
            texts, name = CARD_TEXTS[card], card_name(card)
            canvas = Canvas(width, size.height)
            wide = CardSize(size.name, width, size.height, width)
            draw_card(canvas, 0, 0, wide, Face("b", card, True), CardLook.PLAIN, key=True)
            rows = [strip.text[1:-1].strip() for strip in canvas.strips()]
            written = {name, *name.split()}
            short = pgettext("card in 7 columns", texts.short_name)
            written |= {short, short[:4]}
            assert rows[1] in written, (card, rows)
            if size.height == 4:
                assert rows[2] in {"", *name.split()}, (card, rows)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("card", "ASHFL")
@pytest.mark.parametrize("chosen", ["", " right"])
def test_the_keys_of_both_ends_are_named_while_a_card_is_placed(
    card: str, chosen: str, size: tuple[int, int]
) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type(f"{card.lower()} enter{chosen}")
        (bar,) = [row for row in app.rows() if "PLACE YOUR" in row]
        assert "<" in bar
        assert ">" in bar
        assert "Enter" in bar

    run_app(SeatedApp(session_at_line("2 3 b* rS,bc *r5,b5:ASHFL,g5")), steps, size=size)
