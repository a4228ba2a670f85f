"""Tests pasted text in input lines."""

import asyncio
import importlib
import pkgutil
from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.events import Paste
from textual.widgets import Input

import driflamme_tui
from driflamme_tui.widgets.inputs import LinkInput, StillInput, TalkInput

LINK = "driflamme://192.168.1.20,[fd00::20]:4000/AQIDBAUGBwgJCgsMDQ4PEPDx8vP09fb3-Pn6-w"


class Lines(App[None]):
    def __init__(self, make: Callable[[], Input]) -> None:
        super().__init__()
        self.make, self.notices = make, list[str]()

    def compose(self) -> ComposeResult:
        yield self.make()

    def notify(self, message: str, **_options: object) -> None:
        self.notices.append(message)


async def pasted(
    make: Callable[[], Input], text: str, *, by_key: bool = False
) -> tuple[str, list[str]]:
    """Paste a text into a line; return the line's text and the notices."""
    app = Lines(make)
    async with app.run_test() as pilot:
        line = app.query_one(StillInput)
        if by_key:
            app.copy_to_clipboard(text)
            line.action_paste()
        else:
            line.post_message(Paste(text))
        await pilot.pause()
        await asyncio.sleep(0)
        return line.value, app.notices


def kinds() -> list[type[Input]]:
    """Return all kinds of input lines of this program."""
    for each in pkgutil.walk_packages(driflamme_tui.__path__, "driflamme_tui."):
        if each.name.startswith(("driflamme_tui.screens", "driflamme_tui.widgets")):
            importlib.import_module(each.name)
    found, ahead = list[type[Input]](), [Input]
    while ahead:
        below = ahead.pop().__subclasses__()
        found += [each for each in below if each.__module__.startswith("driflamme_tui")]
        ahead += below
    return found


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("by_key", [False, True], ids=["by the terminal", "by a key"])
async def test_no_line_loses_what_was_pasted_after_its_first_line(
    kind: type[Input], by_key: bool
) -> None:
    assert issubclass(kind, StillInput)
    value, notices = await pasted(kind, "first line\r\n\n  second\tline\n", by_key=by_key)
    assert (value, notices) == ("first line second line", [])


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        f"{LINK}\n",
        f"{LINK[:40]}\n{LINK[40:]}",
        f"  {LINK[:20]}\n  {LINK[20:60]}\r\n  {LINK[60:]}  ",
        f"driflamme join {LINK[:40]}\n{LINK[40:]}",
        f"Come and play!\n{LINK}\nSee you at eight.",
    ],
)
async def test_a_link_that_a_terminal_has_wrapped_is_whole(text: str) -> None:
    assert await pasted(LinkInput, text) == (LINK, [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("192.168.1.20\nK7Q-F2MXR", "192.168.1.20 K7Q-F2MXR"),
        ("k7q f2mxr", "k7q f2mxr"),
        ("\n", ""),
    ],
)
async def test_what_is_no_link_keeps_its_spaces(text: str, line: str) -> None:
    assert await pasted(LinkInput, text) == (line, [])


@pytest.mark.parametrize("text", ["7" * 30, "7" * 15 + "\n" + "7" * 15])
async def test_whoever_pastes_more_than_fits_is_told(text: str) -> None:
    value, [notices] = await pasted(
        lambda: TalkInput("said: ", max_length=20, select_on_focus=False), text
    )
    assert value == ("said: " + text.replace("\n", " "))[:20]
    assert notices == "Only the beginning of what you pasted fits here: at most 20 characters."


async def test_what_is_selected_makes_room_for_what_is_pasted() -> None:
    value = await pasted(lambda: TalkInput("7" * 20, max_length=20), "8" * 20)
    assert value == ("8" * 20, [])
