"""Tests watching, looking, overlays and sizes at a table that answers nothing."""

from functools import partial

import pytest
from textual.widgets._toast import ToastRack

from driflamme_tui.drawing.cards import panel_text
from driflamme_tui.drawing.table_state import Cursor
from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.overlays.card_reference import CardReferenceOverlay
from driflamme_tui.screens.overlays.help_overlay import HelpOverlay
from driflamme_tui.screens.overlays.table_overlays import EventsOverlay
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.text.i18n import set_language
from driflamme_tui.widgets.key_bar import Keys
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.info_panels import CardHelp, Events
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.wording.game.names import card_name
from engine.actions import END, START
from tests.support.by_hand import (
    ARCHER,
    DECREE_ALONE,
    EMPTY,
    PLACE,
    SOLDIER,
    THEIRS,
    choice,
    click,
    table_app,
)
from tests.support.tables import (
    Hands,
    SeatedApp,
    evening_session,
    in_app,
    run_app,
    run_cases,
    seen,
    session_at_line,
)


def test_who_is_not_asked_or_watches_reads_who_is_and_can_answer_nothing() -> None:
    async def steps(app: SeatedApp, hands: Hands, viewer: str | None) -> None:
        assert app.shows("◆g Gaspard leaves or reveals 3")
        assert app.shows("WATCHING") == (viewer is None)
        assert ("heir" in "\n".join(app.rows())) == (viewer is not None)
        await hands.type("enter right + ! a < 1 home i tab down escape")
        for where in ("stack 3", "row 1", "bar", "seat r"):
            await click(app, hands, where)
        assert app.sent == []
        assert app.table.answering.question is None

    run_cases(("b", None), lambda viewer: session_at_line(THEIRS, viewer), steps)


@in_app(lambda: table_app(PLACE))
async def test_looking_goes_along_the_queue_down_a_stack_and_to_the_hand(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("i")
    assert app.table.look.cursor == Cursor(0)
    assert app.shows("done")
    for keys, cursor in (
        ("right", Cursor(1)),
        ("left", Cursor(0)),
        ("left", Cursor(3)),
        ("down", Cursor(3, 1)),
        ("down", Cursor(3, 1)),
        ("up", Cursor(3)),
        ("up", Cursor(3)),
        ("2", Cursor(1)),
        ("9", Cursor(1)),
        ("tab", Cursor(card="A")),
        ("right", Cursor(card="S")),
        ("left left", Cursor(card="X")),
        ("home", Cursor(card="A")),
        ("end", Cursor(card="X")),
        ("tab right", Cursor(card="D")),
        ("tab", Cursor(seat=0)),
        ("left", Cursor(seat=2)),
        ("tab", Cursor(0)),
    ):
        await hands.type(keys)
        assert app.table.look.cursor == cursor, keys
    assert app.answers == ""
    assert not choice(app)
    await hands.type("escape right")
    assert choice(app) == "A", "the arrows choose again"


@in_app(lambda: table_app(ARCHER))
async def test_looking_begins_at_what_is_resolved_or_at_the_hand_and_plays_nothing(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("1 i")
    assert app.table.look.cursor == Cursor(1)
    await hands.type("right enter")
    assert not app.table.look.on
    assert app.answers == ""
    await hands.type("enter")
    assert app.answers == "x1"
    app.sit(session_at_line(EMPTY))
    await hands.pause()
    await hands.type("i right")
    assert app.table.look.cursor == Cursor(card="S")
    await hands.type("tab")
    assert app.table.look.cursor == Cursor(card="D"), "there is nothing in the Queue to look at"


@in_app(lambda: table_app(DECREE_ALONE), (120, 40))
async def test_the_pointer_explains_what_it_is_over_and_what_a_click_there_would_do(
    app: SeatedApp, hands: Hands
) -> None:
    async def over(at: int | str, sentence: str) -> None:
        """Point at a stack, or at the bar before or after all stacks; check the help there."""
        geometry = app.table.query_one(Queue).geometry()
        assert geometry is not None
        bars = {START: geometry.start_bar(), END: geometry.end_bar()}
        x, y = bars[at] if isinstance(at, str) else geometry.place(at)
        await hands.hover(Queue, offset=(x + 2 * isinstance(at, int), y + 2))
        await hands.pause()
        assert app.shows(sentence)

    await hands.type("1 enter end")
    await over(3, "Soldier (▲r Rosalind")
    await over(0, "Royal Decree (yours")
    await over(2, "Heir (★y Yvette")
    app.sit(session_at_line(SOLDIER))
    await hands.hover(Keys)
    await over(3, "Your Soldier must eliminate a neighbour")
    await hands.hover(Seats, offset=(2, 1))
    await hands.pause()
    assert app.shows("3 influence; 3 in hand, 3 set aside")
    await hands.hover(Hand, offset=(2, 2))
    await hands.pause()
    assert app.shows(f"{card_name(seen(SOLDIER).hands[1][0])} (yours, in hand)")
    await hands.hover(Keys)
    await hands.pause()
    assert app.table.look.cursor is None
    app.sit(session_at_line(PLACE))
    await hands.type("a enter")
    await over(START, "At the start, before ▲r Soldier 1.")
    await over(1, "On your stack at 2, then 2 high")
    await over(END, "At the end, after")
    assert not choice(app), "the pointer chooses nothing"


OVERLAYS = (
    ("k", CardReferenceOverlay, "The ten cards, and where they are known to be"),
    ("e", EventsOverlay, "All events of this game"),
    ("?", HelpOverlay, "Help: "),
    ("f1", HelpOverlay, "Help: "),
)
"""Keys, each with the overlay that it opens and a text there."""


@in_app(lambda: SeatedApp(evening_session(43)))
async def test_overlays_open_and_close_by_key(app: SeatedApp, hands: Hands) -> None:
    for (key, overlay, text), closing in zip(OVERLAYS, ("escape", "q", "enter", "f1"), strict=True):
        await hands.type(key)
        assert type(app.screen).__name__ == overlay.__name__, key
        assert app.shows(text), key
        await hands.type(closing)
        assert app.table.is_current, (key, closing)
    await hands.click(Events)
    await hands.pause()
    assert isinstance(app.screen, EventsOverlay)
    await hands.type("escape")
    assert app.sent == []
    assert not app.left


@in_app(lambda: table_app(THEIRS))
async def test_leaving_asks_first(app: SeatedApp, hands: Hands) -> None:
    for stay in ("n", "escape", "enter", "q", "#answer-1"):
        await hands.type("q")
        assert isinstance(app.screen, Confirmation)
        await (hands.click(stay) if stay == "#answer-1" else hands.type(stay))
        await hands.pause()
        assert isinstance(app.screen, TableScreen), stay
        assert not app.left
    for leave in ("y", "right enter", "tab enter", "#answer-2"):
        app.left = False
        await hands.type("q")
        await (hands.click(leave) if leave == "#answer-2" else hands.type(leave))
        await hands.pause()
        assert app.left, leave


@in_app(lambda: SeatedApp(evening_session(43)))
async def test_what_is_known_stands_beside_the_hand_until_a_card_is_looked_at(
    app: SeatedApp, hands: Hands
) -> None:
    grid = "▲r 6↓ · · · · 6↓ · · · ·"
    assert app.shows(grid)
    await hands.type("i")
    assert not app.shows(grid)
    assert app.shows("Soldier (yours, face up at 4)")
    await hands.type("escape 3")
    assert app.shows(grid), "what is chosen is told in the prompt"
    await hands.resize_terminal(100, 30)
    await hands.until(lambda: app.shows("It may be an Ambush."))
    assert app.table.size.width == 100
    assert "6↓ ·  ·  ·  ·  6↓" in "\n".join(app.rows()), "there is room for both"
    assert choice(app) == "x3"


@in_app(lambda: table_app(ARCHER))
async def test_a_small_terminal_is_asked_to_grow_and_the_table_comes_back(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("3")
    for width, height in ((59, 20), (60, 19), (30, 10)):
        await hands.resize_terminal(width, height)
        needs = f"The table needs 60 columns by 20 lines; this terminal has {width} by {height}."
        await hands.until(partial(app.shows, needs))
    await hands.resize_terminal(120, 40)
    await hands.until(lambda: app.shows("YOUR ARCHER AT 2"))
    assert not app.shows("Please make the terminal larger.")
    await hands.type("enter")
    assert app.answers == "x3", "the choice was kept"


@in_app(lambda: SeatedApp(evening_session(0)), (60, 20))
async def test_a_title_says_what_it_has_room_for(app: SeatedApp, hands: Hands) -> None:
    await hands.type("h")
    assert app.shows("Heir (yours)")
    assert not app.shows("Heir (yours,")


def test_on_a_phone_held_upright_explanations_are_whole_and_cards_are_named() -> None:
    async def steps(app: SeatedApp, hands: Hands, _step: int) -> None:
        await hands.press("i")
        panel, looked = app.screen.query_one(CardHelp), set[str]()
        assert panel.state is not None
        while (shown_panel := panel_text(panel.state)).title not in looked:
            looked.add(shown_panel.title)
            region, you = panel.region, panel.state.you
            assert you is not None
            rows = [row[2:] for row in app.rows()[region.y : region.bottom]]
            shown = " ".join(" ".join(rows).split())
            texts = (
                f"{shown_panel.title} {shown_panel.here} {each}"
                for each in (shown_panel.rule, shown_panel.brief)
            )
            assert any(" ".join(text.split()) in shown for text in texts)
            assert app.shows(", ".join(map(card_name, panel.state.view.hands[you])))
            await hands.press("right")
            assert panel.state is not None
        assert len(looked) >= 4

    # French has the longest words.
    set_language("fr")
    run_cases((5, 45), lambda step: evening_session(step, "b"), steps, (60, 37))


class NoticingApp(SeatedApp):
    """An app whose screens show notices, which Textual omits in tests."""

    def on_ready(self) -> None:
        self._disable_notifications = False
        super().on_ready()


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_a_notice_hides_events_but_neither_scores_nor_the_hand(size: tuple[int, int]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.notify(
            "Bots now play at the level of your past games: Aubin (Steady), Berthe (Steady)."
        )
        rack = app.screen.get_child_by_type(ToastRack)
        await hands.until(lambda: rack.children and rack.children[0].children)
        await hands.pause()
        (toast,) = rack.children[0].children
        app.rows()
        assert toast.region.y >= app.screen.query_one(Events).region.y
        assert toast.region.bottom == app.screen.query_one(Keys).region.y

    run_app(NoticingApp(session_at_line(PLACE)), steps, size)


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_a_short_notice_takes_one_row_and_hides_no_card_of_the_hand(size: tuple[int, int]) -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.notify("The time of Rosalind was up, and a bot answered once.")
        rack = app.screen.get_child_by_type(ToastRack)
        await hands.until(lambda: rack.children and rack.children[0].children)
        await hands.pause()
        (toast,) = rack.children[0].children
        assert toast.region.height == 1
        assert toast.region.y >= app.screen.query_one(Hand).region.bottom
        assert toast.region.width < size[0]

    run_app(NoticingApp(session_at_line(PLACE)), steps, size)
