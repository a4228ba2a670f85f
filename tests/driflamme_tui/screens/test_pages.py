"""Pages of Textual's own widgets: at every size and in every set of signs nothing is cut."""

from collections.abc import Callable

import pytest
from textual.containers import VerticalScroll

from driflamme_tui.drawing.textual_internals import picture_of
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import ASCII, UNICODE, Glyphs
from tests.driflamme_tui.screens.test_club_screen import TABLES, ClubApp
from tests.driflamme_tui.screens.test_league_screen import LEAGUE, LeagueApp
from tests.driflamme_tui.screens.test_two_at_the_table import told
from tests.driflamme_tui.tables import Hands, SeatedApp, gathered, lobby, run_app
from tests.support.scenes import LONG_NAMES, ended

EVERY_SIZE = ((60, 20), (80, 24), (120, 40), (200, 60))

PAGES: dict[str, tuple[Callable[[Glyphs], SeatedApp], str, tuple[str, ...]]] = {
    "club": (
        lambda glyphs: ClubApp(TABLES, glyphs),
        "down",
        ("Eschenbacher", "Sturmhub", "Enter takes back a seat that is yours."),
    ),
    "league": (
        lambda glyphs: LeagueApp(LEAGUE),
        "l",
        ("Eschenbacher", "times ahead and behind", "19 times in 20."),
    ),
    "result": (
        lambda glyphs: SeatedApp(ended(), glyphs, result=True),
        "",
        (
            "what still lies on cards does not count.",
            "1. ",
            "tie: 3 cards in the Queue against 2",
            "the most that one card brought",
            "Round 5: Blaise gains 2 with Heir. Blaise leads by 6 instead of 4.",
            "Assassination",
            "INFLUENCE OVER THE GAME",
            "Enter: another game with the same people",
            "Rosalind would like another game; 2 people have not said so yet.",
        ),
    ),
    "lobby": (
        lambda glyphs: SeatedApp(
            gathered(
                "rbg",
                "b",
                host=True,
                seats=LONG_NAMES[:4],
                spectators=("Zoe",),
                invitation="driflamme://192.168.1.20/abc",
                settings={"sealed": True},
            ),
            glyphs,
        ),
        "",
        (
            "Others join by typing driflamme join and pasting this link:",
            "Maximiliane Sturmhub",
            "free: + a bot (Steady), k another",
            "To change family, press its letter:",
            "Watching: Zoe",
            "Hidden cards sealed",
        ),
    ),
    "two at the table": (
        lambda glyphs: SeatedApp(told(-1), glyphs, result=True),
        "",
        ("LAID OPEN", "influence", "eliminated"),
    ),
}
"""By name: an app, keys, and what is to be read there, maybe after scrolling."""


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", EVERY_SIZE, ids=["x".join(map(str, size)) for size in EVERY_SIZE])
@pytest.mark.parametrize("name", PAGES)
def test_everything_can_be_read(name: str, size: tuple[int, int], glyphs: Glyphs) -> None:
    make, keys, sentences = PAGES[name]
    read: list[str] = []

    async def steps(app: SeatedApp, hands: Hands) -> None:
        app.configure(Settings(animation=False), glyphs)
        await hands.type(keys)
        for _line in range(80):
            read.extend(app.rows())
            before = app.rows()
            if not app.screen.query(VerticalScroll):
                break
            await hands.press("down" if name != "lobby" else "pagedown")
            if app.rows() == before:
                break
        text = " ".join(" ".join(read).split())
        assert "…" not in text.replace(": …", ""), "nothing but the key bar is shortened"
        for sentence in sentences:
            assert all(word in text for word in glyphs.plain(sentence).split()), sentence
        if not glyphs.unicode:
            assert not {sign for sign in text if not sign.isascii()}

    run_app(make(glyphs), steps, size)


@pytest.mark.parametrize("name", PAGES)
def test_without_colours_what_is_chosen_is_reversed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    make, keys, _sentences = PAGES[name]

    async def steps(app: SeatedApp, hands: Hands) -> None:
        await hands.type(keys)
        segments = [each for row in picture_of(app.screen) for each in row]
        assert any(each.style and each.style.reverse and each.text.strip() for each in segments)
        colours = {each.style.color for each in segments if each.style}
        assert all(colour is None or colour.is_default for colour in colours)

    run_app(make(UNICODE), steps)


def test_names_are_as_long_as_they_like() -> None:
    async def steps(app: SeatedApp, hands: Hands) -> None:
        shown = " ".join(app.rows())
        for seat in LONG_NAMES:
            assert all(word in shown for word in seat.name.split()), seat.name

    session = ended()
    session.receive(lobby("rbgyv", "b", phase="result", seats=LONG_NAMES))
    run_app(SeatedApp(session, result=True), steps, (120, 40))
