"""Tests the player aid: ten cards on one screen, which follow the game and lead to the help."""

from itertools import product

from driflamme_tui.preferences.settings import Settings
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.text.i18n import available_languages, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.table.info_panels import legend_rows
from driflamme_tui.wording.game.card_texts import card_effect
from driflamme_tui.wording.game.names import card_mark, card_name
from engine.cards import CARDS
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    session_at_line,
)

FIVE = "2 4 b* rS,bh1/bS,gA,gl,ym,vL *r3,b5,g2,y1,v4"


async def at_five(app: SeatedApp, hands: Hands, glyphs: Glyphs = UNICODE) -> list[str]:
    """Redraw the screens with these signs; return the visible rows without the frame."""
    app.configure(Settings(), glyphs)
    for screen in app.screen_stack[1:]:
        assert isinstance(screen, Commanded)
        screen.relabel()
    await hands.pause()
    return [row[1:-1] for row in app.rows()[1:-1]]


@in_app(lambda: SeatedApp(session_at_line(FIVE)))
async def test_ten_cards_and_five_families_stand_on_one_screen(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("k")
    for language, glyphs in product(available_languages(), (UNICODE, ASCII)):
        set_language(language)
        rows = await at_five(app, hands, glyphs)
        whole = " ".join(" ".join(rows).split())
        for card in CARDS:
            name = glyphs.plain(f"{card} {card_name(card)}")
            row = next(row for row, text in enumerate(rows) if name in text)
            assert card_mark(card, glyphs) in rows[row + 1]
            both = " ".join((rows[row] + rows[row + 1]).split())
            assert all(word in both for word in glyphs.plain(card_effect(card)).split())
        assert " ".join(glyphs.plain(*legend_rows(glyphs, 76)).split()) in whole
        assert all(glyphs.tag(family) in rows[0] for family in "rbgyv")


@in_app(lambda: SeatedApp(session_at_line(FIVE)))
async def test_it_says_where_each_card_is_known_to_be(app: SeatedApp, hands: Hands) -> None:
    await hands.type("k")
    rows = await at_five(app, hands)
    assert app.shows("YOUR TURN")
    for card, family, mark in (
        ("S", "r", "1"),
        ("S", "b", "2↓"),
        ("H", "b", "2?"),
        ("H", "g", "·"),
        ("A", "g", "3"),
        ("L", "v", "6"),
    ):
        row = next(text for text in rows if f"{card} {card_name(card)}" in text)
        column = rows[0].index(UNICODE.families[family])
        assert row[column : column + 3].strip() == mark, (card, family)


@in_app(lambda: SeatedApp(session_at_line(FIVE, None)))
async def test_a_spectator_is_shown_no_hand(app: SeatedApp, hands: Hands) -> None:
    await hands.type("k")
    assert not app.shows("YOUR TURN")
    assert not any(" h " in row[60:] for row in (await at_five(app, hands))[1:-2])


@in_app(lambda: SeatedApp(evening_session(43)), (60, 20))
async def test_on_a_small_screen_the_aid_scrolls_and_a_card_leads_to_its_page(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("k")
    assert not app.shows("C Conspiracy")
    await hands.type("end")
    assert app.shows("C Conspiracy")
    await hands.type("home")
    assert app.shows("A Archer")
    row = next(row for row, text in enumerate(app.rows()) if "P Spy" in text)
    await hands.click_at("#overlay", 6, row)
    assert isinstance(app.screen, HelpOverlay)
    assert app.screen.page.name == "card-P"
    await hands.type("escape escape")
    assert app.screen_stack[-1] is app.table
