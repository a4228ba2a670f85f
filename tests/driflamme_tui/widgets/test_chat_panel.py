"""Tests the chat: writing, reading, and other people's input as plain text."""

from itertools import product

import pytest
from rich.cells import cell_len
from textual.events import AppBlur, AppFocus

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import DARK
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.seat.player_seat import LostConnection
from driflamme_tui.text.i18n import set_language
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from driflamme_tui.widgets.inputs import TalkInput
from driflamme_tui.widgets.table.chat_panel import TalkPanel, talk_rows
from netcode.client.session import Session
from netcode.protocol.fields import CHAT_LENGTH
from netcode.protocol.messages import Chat, Line
from tests.support.by_hand import ARCHER, DOWN, PLACE, THEIRS, choice, click, table_app
from tests.support.tables import (
    SIZES,
    Hands,
    SeatedApp,
    chat_message,
    evening_session,
    gathered,
    in_app,
    lobby,
    run_cases,
    seen,
    session_at_line,
    state,
)

THIRTY = (
    "2 6 b?10 rS,rf1,rL,rh,rp2,rA,bF,bS,bH,bc2,bl,bP,gA,gp1,gH,gm,gl,gF"
    ",yS,ya3,yL,yx,yp,yH,vP,vd1,vF,vl,vh1,vA *r3,b9,g2,y8,v4"
)
"""A position that, on a screen of 60 by 20, leaves no row for chat or events."""


@in_app(lambda: SeatedApp(gathered("rbg", "b", host=True)))
async def test_a_line_that_arrives_in_one_burst_is_whole(app: SeatedApp, hands: Hands) -> None:
    await hands.burst("tHello, all!\r")
    await hands.until(lambda: app.sent)
    assert app.sent == [Chat(text="Hello, all!")]
    await hands.burst("tHello again")
    await hands.until(lambda: app.shows("Hello again"))


@in_app(lambda: table_app(ARCHER))
async def test_t_writes_enter_sends_and_esc_goes_back(app: SeatedApp, hands: Hands) -> None:
    def writing() -> bool:
        return isinstance(app.focused, TalkInput)

    await hands.type("t")
    assert writing()
    assert app.shows("Enter sends Esc goes back")
    await hands.press(*"Brave, q?!", "enter")
    assert app.sent == [Chat(text="Brave, q?!")]
    assert not writing()
    assert not app.shows("Enter sends")
    await hands.type("t")
    await hands.press(*"wait", "escape")
    assert not writing()
    await hands.type("t s enter")
    assert app.sent[1:] == [Chat(text="waits")], "what was written is kept"
    await hands.type("t enter")
    assert not writing()
    await hands.type("t space space enter")
    assert len(app.sent) == 2, "nothing is nothing to send"
    assert not app.left


@in_app(lambda: table_app(ARCHER))
async def test_while_somebody_writes_no_key_plays_or_opens_anything(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("t 1 3 up down tab f1 pageup home end + ! < > ^ space k e w i q ?")
    assert isinstance(app.screen, TableScreen)
    assert not choice(app)
    assert not app.table.look.on
    await hands.type("enter")
    (message,) = app.sent
    assert isinstance(message, Chat)


@in_app(lambda: table_app(THEIRS, guard_s=0.4))
async def test_a_question_that_comes_does_not_steal_the_line(app: SeatedApp, hands: Hands) -> None:
    await hands.type("t")
    await hands.press(*"hm")
    app.receive(state(seen(DOWN), 2))
    await hands.press(*"m!")
    assert app.shows("YOUR HEIR AT 2 is face down")
    await hands.press("enter", "enter", "enter")
    assert app.sent == [Chat(text="hmm!")], "an Enter too many is not meant for the question"
    assert not choice(app)
    app.now += 1
    await hands.type("+ enter")
    assert app.answers == "+"


@in_app(lambda: SeatedApp(gathered("rbg", "b")))
async def test_a_game_that_begins_does_not_steal_the_line_and_what_was_said_is_not_new(
    app: SeatedApp, hands: Hands
) -> None:
    app.receive(chat_message("r: hello"))
    await hands.type("t")
    await hands.press(*"a l")
    await hands.receive(lobby("rbg", "b"), state(seen(PLACE)))
    assert isinstance(app.screen, TableScreen)
    await hands.press(*"ot", "enter")
    assert app.player_seat.sent == [Chat(text="a lot")]
    assert not app.shows("new)")
    assert not choice(app)


@in_app(lambda: table_app(ARCHER))
async def test_a_line_is_as_others_let_it_in_and_outlives_another_window(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("t")
    app.screen.query_one(TalkInput).value = "x" * (CHAT_LENGTH - 1)
    await hands.press("y", "z", "enter")
    assert app.sent == [Chat(text="x" * (CHAT_LENGTH - 1) + "y")], "no longer"
    await hands.type("t")
    app.screen.query_one(TalkInput).value = "a\x1b[31mb\u200e  c"
    await hands.press("enter")
    assert app.sent[1:] == [Chat(text="a[31mb c")], "nothing that cannot be printed"
    await hands.type("t")
    await hands.press(*"one ")
    app.post_message(AppBlur())
    await hands.pause()
    app.post_message(AppFocus())
    await hands.pause()
    await hands.press(*"two", "enter")
    assert app.sent[2:] == [Chat(text="one two")]


@in_app(lambda: SeatedApp(session_at_line(ARCHER)), SIZES[1])
async def test_the_mouse_opens_the_line_and_leaves_it(app: SeatedApp, hands: Hands) -> None:
    app.receive(chat_message("r: hm"))
    await click(app, hands, "key t")
    assert isinstance(app.focused, TalkInput)
    await hands.press(*"so")
    await hands.click("#queue")
    await hands.until(lambda: app.focused is None)
    assert app.sent == []
    await hands.click(TalkPanel)
    await hands.until(lambda: isinstance(app.focused, TalkInput))
    await hands.press("enter")
    assert app.sent == [Chat(text="so")]


def test_what_is_written_without_a_line_waits_for_it() -> None:
    async def steps(app: SeatedApp, hands: Hands, _there: Session) -> None:
        app.player_seat.lost = LostConnection(1, app.now + 3)
        await hands.type("t")
        await hands.press(*"hm", "enter")
        assert app.shows("The connection is lost: press Enter again once it is back.")
        assert app.sent == []
        app.player_seat.lost = None
        await hands.press("enter")
        assert app.sent == [Chat(text="hm")]

    run_cases((session_at_line(ARCHER), gathered("rbg", "b")), lambda there: there, steps)


def test_the_muted_read_that_they_are() -> None:
    muted = ("Blaise",)
    why = "The host has muted you: you can read the chat, but not write."
    only_players = "The host lets only players write: you can read the chat."
    watching = session_at_line(ARCHER, None, spectators=("Zoe",), muted=("Zoe",))
    watching.name = "Zoe"
    cases = (
        (session_at_line(ARCHER, muted=muted), why),
        (gathered("rbg", "b", muted=muted), why),
        (watching, why),
        (session_at_line(ARCHER, None, spectators=("Zoe",), silenced=True), only_players),
    )

    async def steps(app: SeatedApp, hands: Hands, case: tuple[Session, str]) -> None:
        await hands.type("t")
        assert app.shows(case[1])
        assert not app.shows("t writes to everybody")
        assert app.focused is None
        assert app.sent == []

    run_cases(cases, lambda case: case[0], steps, result=True)


@in_app(lambda: table_app(ARCHER))
async def test_who_is_muted_while_writing_is_told_instead_of_sending(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.type("t")
    await hands.press(*"but")
    app.receive(lobby("rbg", "b", muted=("Blaise",)))
    await hands.press("enter")
    assert app.sent == []
    assert app.shows("The host has muted you")


@in_app(lambda: SeatedApp(session_at_line(THIRTY)), (60, 20))
async def test_where_there_is_no_room_the_key_bar_counts_what_is_new(
    app: SeatedApp, hands: Hands
) -> None:
    assert app.shows("t chat e events")
    await hands.receive(chat_message("r: one", "r: two"))
    assert app.shows("t chat (2 new)")
    assert not app.shows("two")
    await hands.receive(chat_message("-Zoe: three", first=2))
    assert app.shows("t chat (3 new)")
    await click(app, hands, "key t")
    assert app.shows("Zoe: three"), "while writing one reads too"
    assert not app.shows("Here it would bring 4"), "in place of the help"
    await hands.type("escape")
    assert app.shows("t chat e events")
    assert app.shows("Here it would bring 4")
    await hands.receive(chat_message("-Zoe: four", first=3))
    assert app.shows("t chat (1 new)")


@in_app(lambda: table_app(ARCHER), (60, 20))
async def test_on_the_smallest_screen_the_last_line_takes_the_place_of_the_last_event(
    app: SeatedApp, hands: Hands
) -> None:
    await hands.receive(chat_message("b: Mine.", "r: Hello!"))
    assert app.shows("“Hello!”")
    await hands.type("t escape")
    assert not app.shows("“"), "it has been read"
    await hands.receive(chat_message("r: Go on!", first=2))
    assert app.shows("“Go on!”")
    await hands.type("1 enter")
    assert app.answers == "x1"
    assert not app.shows("“"), "the game has gone on since, and the key bar counts the line"
    assert app.shows("chat (1 new)")


@in_app(lambda: SeatedApp(evening_session(37, "v")))
async def test_where_there_is_hardly_room_the_last_line_stands_above_the_last_event(
    app: SeatedApp, hands: Hands
) -> None:
    last = "▸ ■v You put your Lord on your stack at 8, now 3 high"
    assert app.shows(last)
    await hands.receive(chat_message("v: Mine."))
    assert app.shows("“Mine.”")
    assert not app.shows("new)"), "one's own is no news"
    await hands.receive(chat_message("r: [b]one[/b]", "g: hurry", first=1))
    assert app.shows("◆g “hurry”")
    assert not app.table.query(TalkPanel)
    assert app.shows(last)
    assert app.shows("t chat (2 new)")
    await hands.receive(chat_message("-Zoe: " + "long " * 30, first=3))
    assert app.shows("Zoe: “long long long")
    assert app.shows(last)
    await hands.type("t escape")
    assert not app.shows("“"), "it has been read"


def test_in_french_a_no_break_space_stands_before_the_colon() -> None:
    set_language("fr")
    line = Line(name="Ewa", family="b", text="oui")
    rows = talk_rows(line, 60, UNICODE, DARK, 3)
    assert rows[0][0] == f"{UNICODE.tag('b')} Ewa\N{NO-BREAK SPACE}: "


def drawn(text: str, width: int, height: int = 6, glyphs: Glyphs = UNICODE) -> list[str]:
    panel = TalkPanel()
    panel.lines = [Line(name="Rosalind", family="r", text=text)]
    canvas = Canvas(width, height, glyphs=glyphs)
    panel.draw(canvas)
    return [strip.text for strip in canvas.strips()]


RUDE = (
    "[b]bold[/b] [@click=app.quit]x[/] [red on white]",
    "x" * CHAT_LENGTH,
    "漢字名前" * 50,
    "a\u0300\u0301\u0302\u0303b\u0336c\u0489",
    "👍🏽👍🏿 🇩🇪🇫🇷",
    "﷽" * 9,
    "שלום עולם مرحبا",
    "\u2800\u3164 . \u115f",
)


@pytest.mark.parametrize("text", RUDE)
def test_no_text_leaves_its_panel(text: str) -> None:
    for width, glyphs in product((12, 31, 80), (UNICODE, ASCII)):
        for row in drawn(text, width, glyphs=glyphs):
            assert cell_len(row) == width


def test_markup_is_shown_as_it_was_typed() -> None:
    assert "[b]bold[/b] [@click=app.quit]x[/]" in drawn(RUDE[0], 80, 1)[0]


def test_of_a_line_too_long_the_end_is_seen_and_whose_it_is() -> None:
    text = " ".join(f"word{n}" for n in range(30))
    rows = drawn(text, 31, 3)
    assert rows[0].startswith(" ▲r … word")
    assert rows[-1].rstrip().endswith("word29")


def test_names_stand_in_wide_panels_only() -> None:
    assert drawn("hm", 60)[1].startswith(" ▲r Rosalind: hm")
    assert drawn("hm", 31)[1].startswith(" ▲r hm")
