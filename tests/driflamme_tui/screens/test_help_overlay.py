"""Tests help: its pages fit, it opens at the right page, and the game continues."""

from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from driflamme_tui.drawing.help_painter import PageTexts
from driflamme_tui.drawing.palette import DARK
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.text.i18n import ENGLISH, available_languages, set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.wording.game.card_texts import CARD_TEXTS, PictureExample
from driflamme_tui.wording.game.help_pages import (
    AMBUSH_EXAMPLE,
    CHAPTERS,
    STACK_EXAMPLE,
    HelpLine,
    HelpPage,
    Item,
    find,
    pages,
)
from driflamme_tui.wording.game.worked_examples import WORKED_EXAMPLES, play_example
from engine.notation import format_position, parse_action, parse_position
from engine.views import view
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    run_cases,
    seen,
    session_at_line,
    state,
)

KEYS = [(f"k{number}", f"does what the key {number} does") for number in range(25)]

NARROW = 56
USUAL = 76
ROWS = 18


@pytest.fixture(params=available_languages())
def language(request: pytest.FixtureRequest) -> str:
    set_language(request.param)
    return str(request.param)


def rows_of(page: HelpPage, width: int, glyphs: Glyphs) -> list[str]:
    """Return the rows of a page at this width, without the empty column before them."""

    def text(*pieces: str | tuple[str, str]) -> Text:
        words = (piece if isinstance(piece, str) else piece[0] for piece in pieces)
        return Text(glyphs.plain("".join(words)))

    console = Console(width=width + 1)
    rows = console.render_lines(PageTexts(width, glyphs, DARK, text).page(page), console.options)
    return ["".join(segment.text for segment in row)[1:].rstrip() for row in rows]


def test_a_page_fits_the_smallest_usual_screen_whole(language: str) -> None:
    for page in pages(UNICODE, KEYS):
        if page.name.startswith("guide"):
            continue  # the guide scrolls
        height = max(len(rows_of(page, USUAL, glyphs)) for glyphs in (UNICODE, ASCII))
        # Translations have longer words, and may have more rows.
        assert height <= (17 if language == ENGLISH else ROWS), page.name


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize(("width", "glyphs"), [(NARROW, ASCII), (USUAL, UNICODE)])
def test_every_word_of_a_page_is_drawn(width: int, glyphs: Glyphs) -> None:
    for page in pages(glyphs, KEYS):
        drawn = rows_of(page, width, glyphs)
        assert all(cell_len(row) <= width for row in drawn), page.name
        text = "".join("".join(drawn).split())
        for block in page.blocks:
            if isinstance(block, HelpLine):
                assert glyphs.plain("".join(block.text.split())) in text
            elif isinstance(block, Item):
                words = glyphs.plain(block.text).split()
                assert all(word in text for word in words), (page.name, block)
                if block.card:
                    # A gap separates even the longest name from the text.
                    begins = f"{block.card} "
                    assert any(f" {words[0]}" in row for row in drawn if row.startswith(begins))


@pytest.mark.parametrize(
    "played",
    [
        *(texts.example for texts in CARD_TEXTS.values()),
        STACK_EXAMPLE,
        AMBUSH_EXAMPLE,
        *(each.played for each in WORKED_EXAMPLES),
    ],
    ids=lambda each: each.position,
)
def test_an_example_is_what_the_rules_make_of_it(played: PictureExample) -> None:
    game = parse_position(played.position)
    action = parse_action(played.action)
    assert action in game.legal
    reader = game.seat_of("b")
    example = play_example(played)
    assert format_position(example.before) == format_position(view(game, reader))
    assert format_position(example.after) == format_position(view(game.play(action), reader))
    assert example.sentences


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("tie", "End and ties"),
        ("AMBUSH", "Ambush"),
        ("eliminate itself", "Archer"),
        ("after the Decree", "Royal Decree"),
        ("first player of this round", "Symbols of the players"),
        ("firewall port", "Hosting"),
    ],
)
def test_a_search_finds_pages_by_their_words(query: str, page: str) -> None:
    all_pages = pages(UNICODE, KEYS)
    titles = [all_pages[index].title for index, _block in find(all_pages, query)]
    assert page in titles
    assert all_pages[find(all_pages, "ambush")[0][0]].title == "Ambush", "titles come first"


def test_a_search_for_nothing_finds_nothing() -> None:
    all_pages = pages(UNICODE, KEYS)
    assert find(all_pages, " ") == []
    assert find(all_pages, "quokka") == []


def titled(app: SeatedApp) -> str:
    screen = app.screen
    assert isinstance(screen, HelpOverlay)
    return screen.page.name


PLACING = "2 4 b* rS,bh1,gA *r3,b5:ASLX,g2"
LEAVING = "2 4 b?2 rS,bh1,gl *r3,b5,g2"
THEIRS = "2 4 r?1 rs1,bh1,gl *r3,b5,g2"


LOOKING = (
    (PLACING, "", "keys"),
    (PLACING, "x enter", "card-X"),
    (LEAVING, "", "card-H"),
    (THEIRS, "i", "cards"),
    (THEIRS, "i tab right", "card-S"),
)
"""Positions, each with keys and the page at which help opens after them."""


def test_help_opens_at_what_is_looked_at() -> None:
    async def steps(app: SeatedApp, hands: Hands, case: tuple[str, str, str]) -> None:
        _line, keys, page = case
        await hands.type(f"{keys} ?")
        assert titled(app) == page

    run_cases(LOOKING, lambda case: session_at_line(case[0]), steps)


def walk() -> Iterator[tuple[str, str]]:
    """Yield keys to press one after the other, each with the page that it leads to."""
    for number, (name, _title) in enumerate(CHAPTERS, 1):
        yield str(number), name
    yield "m", "card-M"
    yield "home", "keys"
    yield "left", "keys"
    yield "end", "guide-plain"
    yield "right", "guide-plain"
    yield "pageup", "guide-options"
    yield "3", "cards"
    yield "right", "card-A"
    yield "pagedown", "card-S"


@in_app(lambda: SeatedApp(session_at_line(THEIRS)))
async def test_pages_are_turned_and_jumped_to_by_keys_and_by_mouse(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("?")
    for key, page in walk():
        await hands.type(key)
        assert titled(app) == page, key
    await hands.click_at("#help", app.rows()[1].index("3 Cards"), 1)
    assert titled(app) == "cards"
    row = next(row for row, text in enumerate(app.rows()) if "P ‹$›" in text)
    await hands.click_at("#help", 10, row)
    assert titled(app) == "card-P"
    await hands.click_at("#help", app.rows()[22].index("pages"), 22)
    assert titled(app) == "card-H"
    await hands.click_at("#help", app.rows()[22].index("close"), 22)
    assert app.screen is app.table
    assert app.sent == []


@in_app(lambda: SeatedApp(session_at_line(THEIRS)))
async def test_searching_writes_letters_and_opens_what_is_found_and_the_turn_is_told(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("? /")
    assert app.shows("Type a word")
    await hands.type("q q")
    assert app.shows("No page contains that.")
    await hands.type("backspace backspace t i e")
    assert app.shows("End and ties: ")
    await hands.type("down up enter")
    assert titled(app) == "end"
    await hands.type("/ s p y escape")
    assert titled(app) == "end"
    assert app.shows("▲r Rosalind leaves or reveals 1")
    await hands.receive(state(seen(LEAVING), 2))
    assert "YOUR HEIR AT 2 is face down — leave or reveal it?" in app.rows()[21]
    assert "Esc back to the table" in app.rows()[21]
    assert titled(app) == "end", "the page stays"
    await hands.type("escape")
    assert app.screen is app.table


@in_app(lambda: SeatedApp(evening_session(43)), (60, 20))
async def test_on_a_small_screen_pages_scroll(app: SeatedApp, hands: Hands) -> None:
    await hands.type("? m")
    assert not app.shows("edition; in the")
    await hands.type("down down down down down down down down down down")
    assert app.shows("edition; in the")
    assert "3 Cards" in app.rows()[1]
