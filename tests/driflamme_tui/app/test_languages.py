"""No layout breaks under longer words: what fits its place in English fits it in every language.

The app shows the same moments in each language, and every place in the code that draws text is
watched. One where text is cut off, or where letters fall on other letters, must do so in English
too (long names are cut in every language). So must a key that finds no room in the key bar.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.style import Style
from tests.driflamme_tui.albums import Scene, enter
from textual.widgets import Button

import driflamme_tui
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.text.i18n import ENGLISH, set_language
from driflamme_tui.widgets.drawn_widget import Drawn
from driflamme_tui.widgets.key_bar import Keys
from netcode.client.sealed_news import Notice, Told
from netcode.client.session import Session
from scripts.lib.catalogues import LANGUAGES
from tests.driflamme_tui.screens.test_club_screen import ClubApp
from tests.driflamme_tui.screens.test_start_screen import StartedApp
from tests.driflamme_tui.tables import (
    EVENING_STEPS,
    RECORD,
    SEALED,
    SIZES,
    Hands,
    SeatedApp,
    asked_at,
    clock,
    evening_session,
    gathered,
    run_app,
    said,
    sealed_news,
    seats,
)

Trouble = tuple[str, str]
"""Where in the code a text is drawn that has no room, and what becomes of it."""

FACE = Path(driflamme_tui.__file__).parent


class Watch:
    """Finds text that is cut off or falls on other text, on all canvases."""

    def __init__(self) -> None:
        self.found: dict[Trouble, str] = {}
        """Each with the text as an example."""
        self._letters: dict[int, dict[tuple[int, int], str]] = {}

    def begin(self, canvas: Canvas) -> None:
        self._letters[id(canvas)] = {}

    def text(self, canvas: Canvas, x: int, y: int, text: str, width: int | None) -> None:
        shown = canvas.glyphs.plain(text)
        if not any(map(str.isalpha, shown)):
            return
        room = canvas.width - x if width is None else min(width, canvas.width - x)
        drawn = shown.rstrip()
        if cell_len(drawn) > max(0, room) or x < 0:
            self._find("cut off", text)
        if not 0 <= y < canvas.height:
            self._find("off the canvas", text)
        there = self._letters[id(canvas)]
        cells = [(x + column, y) for column in range(max(0, min(len(drawn), room)))]
        if any(there.get(cell, "").isalpha() for cell in cells):
            self._find("on other letters", text)
        there.update(dict(zip(cells, drawn, strict=False)))

    def keys(self, keys: Keys) -> None:
        shown = [key for _x, key in keys.entries()]
        for key in keys.keys:
            if key.stays and key.action not in [each.action for each in shown]:
                self.found[f"key {key.action}", "left out"] = key.label

    def button(self, button: Button) -> None:
        label = str(button.label)
        if cell_len(label) > button.content_size.width:
            self.found[f"button #{button.id}", "cut off"] = label

    def _find(self, trouble: str, text: str) -> None:
        frame = sys._getframe(3)
        while frame.f_back is not None and frame.f_code.co_name in ("place", "fill"):
            frame = frame.f_back
        file = Path(frame.f_code.co_filename)
        where = file.relative_to(FACE) if file.is_relative_to(FACE) else file.name
        self.found[f"{where}, {frame.f_code.co_name}", trouble] = text


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    watch = Watch()
    draw, start = Canvas.text, Canvas.__init__

    def begin(self: Canvas, *given: object, **named: object) -> None:
        start(self, *given, **named)  # type: ignore[arg-type]
        watch.begin(self)

    def text(
        self: Canvas, x: int, y: int, text: str, style: Style, width: int | None = None
    ) -> int:
        watch.text(self, x, y, text, width)
        return draw(self, x, y, text, style, width)

    with monkeypatch.context() as patch:
        patch.setattr(Canvas, "__init__", begin)
        patch.setattr(Canvas, "text", text)
        yield watch


LINK = "driflamme://192.168.1.20/q2kTtcV1hY9dK3n0wB7xFQmZ8sLr4EaJp6uGvN5o_w"
TALK = said("y: brave.", "r: I would not touch 7", "-Zoe: what a stack")
AWAY = seats("rbgyv", away="rgv", bots="y", host="b", how={"g": "wait", "v": "bot"})


def heard(session: Session, *messages: Told) -> Session:
    for message in messages:
        session.receive(message)
    return session


def hosting(*messages: Told, **fields: object) -> Session:
    given = {
        "seats": seats("rbg", bots="g", ready="r", host="b"),
        "host": True,
        "invitation": LINK,
        "code": "K7QF2MXR",
        **fields,
    }
    return heard(gathered("rbg", "b", **given), *messages)


def ended(*messages: Told) -> Session:
    people = seats("rbgyv", ready="r", bots="yv", host="b")
    session = evening_session(EVENING_STEPS, "b", host=True, seats=people)
    session.record = RECORD
    return heard(session, *messages)


def a_crowd() -> Session:
    return evening_session(
        43,
        "b",
        seats=AWAY,
        host=True,
        spectators=("Zoe", "Max"),
        muted=("Vasco", "Max"),
        secret=bytes(12),
    )


NOT_READY = {"code": "not_ready", "values": {"names": ("Rosalind",)}}

TABLES: dict[str, tuple[Callable[[], Session], str]] = {
    "first card": (lambda: evening_session(0), "h"),
    "card": (lambda: evening_session(52), ""),
    "spot": (lambda: evening_session(52), "f enter ^"),
    "leave or reveal": (lambda: evening_session(62), "!"),
    "archer": (lambda: evening_session(60), "1"),
    "soldier": (lambda: evening_session(43), ""),
    "assassination": (lambda: evening_session(85), "8"),
    "spy": (lambda: evening_session(83), "g"),
    "shapeshifter": (lambda: evening_session(45), "6"),
    "decree": (lambda: evening_session(17), "5"),
    "destination": (lambda: evening_session(17), "4 enter 7"),
    "looking": (lambda: evening_session(43), "i right right down"),
    "waiting": (lambda: evening_session(41, "b"), ""),
    "watching": (lambda: evening_session(43, "-", spectators=("Zoe", "Max")), ""),
    "over": (lambda: evening_session(EVENING_STEPS, "b"), ""),
    "away": (lambda: heard(evening_session(44, "b", seats=AWAY), TALK, clock(41)), ""),
    "stood in": (lambda: evening_session(43, "b", seats=seats("rbgyv", how={"b": "bot"})), ""),
    "paused": (
        lambda: heard(evening_session(43, "b", paused=True, host=True), clock(4, running=False)),
        "",
    ),
    "talking": (lambda: heard(evening_session(43, "b"), TALK), "t"),
    "sealed, first card": (lambda: heard(evening_session(0, settings=SEALED), sealed_news()), ""),
    "sealed, vote": (
        lambda: heard(
            evening_session(44, "b", settings=SEALED, seats=AWAY),
            sealed_news(vote_about="Rosalind", is_vote_wanted=True),
        ),
        "",
    ),
    "sealed, away": (
        lambda: heard(
            evening_session(44, "b", settings=SEALED, seats=AWAY), sealed_news(away=("Rosalind",))
        ),
        "",
    ),
    "many stacks": (
        lambda: asked_at(
            "2 4 b?6 rS,rf1,rL,rh,bF,bc2,bs,bL,gA,gp1,gH,gm,yS,ya3,yL,yx,vP,vd1,vF,vl"
            " *r13,b9,g22,y8,v0"
        ),
        "!",
    ),
}
"""By name: a moment at the table, and keys."""


RESULT = {"_saw_result": True}

DEALING = {"phase": "playing", "dealing": ("Rosalind", "Gaspard")}
DOUBTS = ("proven", "unproven", "proven", "cheated", "proven")

OTHERS = {
    "lobby of the host": Scene(hosting, has={"secure": True}),
    "host waits": Scene(lambda: hosting(missing=NOT_READY, seats=seats("rbg", bots="g", host="b"))),
    "lobby with all": Scene(
        lambda: hosting(TALK, settings={"clock_s": 60}, spectators=("Zoe",), muted=("Rosalind",))
    ),
    "lobby of a guest": Scene(
        lambda: gathered(
            "rbg",
            "b",
            seats=seats("rbg", host="r"),
            invitation="driflamme join 192.168.1.20",
            settings={"edition": 1, "first": "r", "direction": "left", "pace_ms": 1500},
        )
    ),
    "sealed lobby": Scene(lambda: hosting(settings=SEALED, seats=seats("rbg", host="b"))),
    "sealed lobby with bots": Scene(lambda: hosting(settings=SEALED, seats=AWAY)),
    "sealed deal": Scene(
        lambda: hosting(sealed_news(stage="dealing"), settings=SEALED, **DEALING),
    ),
    "sealed people": Scene(
        lambda: heard(
            evening_session(43, "b", seats=AWAY, settings=SEALED),
            sealed_news(notices=(Notice(code="voted_default", name="Gaspard"),)),
        ),
        "w",
    ),
    "sealed result": Scene(lambda: ended(sealed_news(verdicts=DOUBTS, broken=2)), has=RESULT),
    "invitation": Scene(hosting, "i"),
    "people": Scene(a_crowd, "w"),
    "sending away": Scene(a_crowd, "w g"),
    "ending": Scene(a_crowd, "w e"),
    "inviting anew": Scene(a_crowd, "w r"),
    "somebody silent": Scene(
        lambda: evening_session(44, "b", seats=seats("rbgyv", host="b"), host=True, silenced=True),
        "w",
    ),
    "lobby after the end": Scene(lambda: hosting(ended_by="Rosalind")),
    "leaving": Scene(lambda: evening_session(62), "q"),
    "result": Scene(ended, has=RESULT),
    "chart": Scene(ended, "c", RESULT),
    "options": Scene(lambda: evening_session(43), "o"),
    "result with chat": Scene(lambda: ended(TALK), has=RESULT),
    "shared victory": Scene(
        lambda: asked_at("1 6 - rH,bL/bs,gS/gm3/gA,ba2 *r3,b9,g9", "g"), has=RESULT
    ),
}
"""By name: another scene at a table."""

ELSEWHERE: dict[str, tuple[Callable[[], DriflammeApp], str]] = {
    "club": (ClubApp, "down"),
    "club without tables": (lambda: ClubApp(()), ""),
    "start": (StartedApp, ""),
}
"""By name: an app at no table, and keys."""

Troubles = dict[str, dict[str, dict[Trouble, str]]]
"""By language and by moment, with a text as an example."""


async def look(app: DriflammeApp, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Have everything drawn that is to be seen, and watch."""
    await hands.pause()
    with watched(monkeypatch) as watch:
        for screen in app.screen_stack[1:]:
            for drawn in screen.query(Drawn):
                drawn.redraw()
            for bar in screen.query(Keys):
                watch.keys(bar)
            for button in screen.query(Button):
                watch.button(button)
    return watch


def check(found: Troubles) -> None:
    worse = [
        f"{language}, {name}: {where}: {trouble}: {text!r}"
        for language in LANGUAGES
        for name, there in found[language].items()
        for (where, trouble), text in there.items()
        if (where, trouble) not in found[ENGLISH][name]
    ]
    assert not worse, "\n".join(worse)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language(ENGLISH)


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_every_moment_at_the_table_has_room_for_the_longer_words(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    found: Troubles = {}

    async def sit_at_each(app: SeatedApp, hands: Hands) -> None:
        for language in (ENGLISH, *LANGUAGES):
            set_language(language)
            found[language] = {}
            for name, (session, keys) in TABLES.items():
                app.sit(session())
                await hands.type(keys)
                watch = await look(app, hands, monkeypatch)
                found[language][name] = watch.found
                if app.base.talking:
                    await hands.type("escape")

    run_app(SeatedApp(evening_session(0)), sit_at_each, size)
    check(found)


def test_the_other_screens_have_room_for_the_longer_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: Troubles = {}

    async def go_through(app: SeatedApp, hands: Hands) -> None:
        for language in (ENGLISH, *LANGUAGES):
            set_language(language)
            found[language] = {}
            for name, scene in OTHERS.items():
                await enter(app, hands, scene)
                found[language][name] = (await look(app, hands, monkeypatch)).found

    run_app(SeatedApp(evening_session(0)), go_through)
    check(found)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_screens_before_a_table_have_room_for_the_longer_words(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    make, keys = ELSEWHERE[name]
    found: Troubles = {}

    async def show(app: DriflammeApp, hands: Hands) -> None:
        await hands.type(keys)
        watch = await look(app, hands, monkeypatch)
        found[language] = {name: watch.found}

    for language in (ENGLISH, *LANGUAGES):
        set_language(language)
        run_app(make(), show)
    check(found)
