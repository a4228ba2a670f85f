"""Tests terminals with few colours: the output, and its colours in xterm."""

from collections.abc import Iterator, Sequence

import pytest

from driflamme_tui.drawing.palette import THEMES, themes
from driflamme_tui.preferences.settings import Settings
from scripts.lib.emulator import Colour
from tests.driflamme_tui.drawing.test_frame_diff import WIDE, WiredApp, wired
from tests.driflamme_tui.drawing.test_palette import DIMMED, HATCHED, XTERM, poor
from tests.support.tables import Hands, run_app

CUBE = (0, 95, 135, 175, 215, 255)

Seen = tuple[str, str, str]
"""A sign, its colour and its background."""


def on_xterm(colour: Colour) -> str:
    """Return xterm's hexadecimal value of a colour; raises ValueError for the default one."""
    match colour:
        case (8, 2, *parts):
            return "#" + "".join(f"{part:02x}" for part in parts)
        case (8, 5, number) if number >= 232:
            return "#" + f"{8 + 10 * (number - 232):02x}" * 3
        case (8, 5, number):
            parts = [(number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6]
            return "#" + "".join(f"{CUBE[part]:02x}" for part in parts)
        case (number, light):
            return XTERM[number + 8 * light]
    raise ValueError(f"{colour} is the terminal's own")


def seen_on(app: WiredApp) -> Iterator[Seen]:
    """Yield the cells of the terminal; bold text in one of the first eight colours is light."""
    app.feed_output()
    for row in app.emulator.cells:
        for sign, (attributes, ink, ground) in row:
            if 1 in attributes and len(ink) == 2:
                ink = ink[0], 1
            # Use the background for a cell without a sign: its text colour is invisible, and is not
            # sent.
            yield sign, on_xterm(ink if sign.strip() else ground), on_xterm(ground)


def table(monkeypatch: pytest.MonkeyPatch, theme: str, **environment: str) -> Sequence[Seen]:
    """Return the cells of a terminal that shows a table."""
    found: list[Seen] = []
    monkeypatch.delenv("COLORTERM")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async def steps(app: WiredApp, hands: Hands) -> None:
        app.configure(Settings(theme=theme), app.terminal.glyphs)
        await hands.pause()
        found.extend(seen_on(app))

    run_app(wired(43), steps, WIDE)
    return found


@pytest.mark.parametrize(
    ("term", "theme"), [*zip(("xterm-256color", "xterm", "xterm-256color"), THEMES, strict=True)]
)
def test_the_table_can_be_read_and_its_cards_are_paper_or_hatched(
    monkeypatch: pytest.MonkeyPatch, term: str, theme: str
) -> None:
    found = table(monkeypatch, theme, TERM=term)
    system = "256" if "256" in term else "standard"
    palette = themes(system)[theme]
    read = [(sign, ink, ground) for sign, ink, ground in found if sign.isalnum()]
    assert poor(((sign, ink, ground) for sign, ink, ground in read), DIMMED) == []
    paper = "#ffffd7" if system == "256" else "#e5e5e5"
    assert sum(ground == paper for _, _, ground in read) > 20
    hatch = {(ink, ground) for sign, ink, ground in found if sign == "░"}
    assert len({ink for ink, _ in hatch}) >= 4, "a hatch for each family that has one here"
    assert poor((("░", ink, ground) for ink, ground in hatch), HATCHED) == []
    if system == "256":
        assert {palette.panel, palette.paper} <= {ground for _, _, ground in found}
