"""Draws pictures of a finished game to share: one step, or the best minute in sequence.

The pictures show the replay's screen at a fixed size, independent of the terminal.
"""

import json
from collections.abc import Callable, Iterator
from typing import Final

from rich.color import ColorSystem
from textual.pilot import Pilot

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.drawing.frame_diff import TerminalContents
from driflamme_tui.drawing.textual_internals import picture_of
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.replay.playback import Playback
from driflamme_tui.study.replay_screen import ReplayScreen
from driflamme_tui.widgets.key_bar import Keys
from engine.replaying import Eyes, Replay

SIZE: Final = 120, 36
"""Columns and rows of a picture."""

BEFORE: Final = 2
"""Number of steps that are shown before a turning point, and before the end."""

STEP_S: Final = 2.5
"""Seconds for which a step is shown that is neither a turning point nor the end."""

MOMENT_S: Final = 6.0
"""Seconds for which a turning point or the end is shown: long enough to read the reason."""


class _PictureApp(DriflammeApp):
    """An app that only makes pictures, with all colours."""

    colours = "truecolor"


def picture(replay: Replay, eyes: Eyes, step: int, settings: Settings) -> str:
    """Return a picture of a step as SVG, with the cards that `eyes` can see."""
    drawn: list[str] = []
    app = _PictureApp(lambda: ReplayScreen(replay, eyes, step), settings=settings)
    _show(app, [step], lambda: drawn.append(app.export_screenshot(title=app.title, simplify=True)))
    return drawn[0]


def asciicast(replay: Replay, eyes: Eyes, settings: Settings) -> Iterator[str]:
    """Yield the lines of an asciicast (version 2) of the best minute, as `eyes` see it."""
    minute = best_minute(replay)
    app = _PictureApp(lambda: ReplayScreen(replay, eyes), settings=settings)
    shown, frames = TerminalContents(), ["\x1b[?25l"]

    def take() -> None:
        frames.append(shown.change(picture_of(app.screen), ColorSystem.TRUECOLOR))

    _show(app, list(minute), take)
    width, height = SIZE
    yield json.dumps({"version": 2, "width": width, "height": height, "title": app.title})
    at = 0.0
    for frame, seconds in zip(frames, (0, *minute.values()), strict=True):
        yield json.dumps([at, "o", frame], ensure_ascii=False)
        at += seconds
    # Without this last line, programs that play asciicasts would end at the last picture.
    yield json.dumps([at, "o", ""])


def best_minute(replay: Replay) -> dict[int, float]:
    """Return the steps to show, each with its seconds.

    These are the turning points and the last step, each after the `BEFORE` steps before it.
    """
    moments = {*Playback(replay).turning_points, replay.last}
    steps = {step for moment in moments for step in range(max(0, moment - BEFORE), moment + 1)}
    return {step: MOMENT_S if step in moments else STEP_S for step in sorted(steps)}


def _show(app: _PictureApp, steps: list[int], take: Callable[[], object]) -> None:
    """Show some steps without a terminal, and call `take` at each step."""

    async def go_through(pilot: Pilot[object]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        screen.query_one(Keys).display = False
        for step in steps:
            screen.go(step)
            await pilot.pause()
            take()
        app.exit()

    app.run(headless=True, size=SIZE, auto_pilot=go_through)
