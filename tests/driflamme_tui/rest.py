"""Apps under test wait for what there is to do, not for the clock, and do nothing that nobody sees.

Textual's pilot posts a message to every widget and then sleeps until the whole process looks idle,
which takes longest when the machine is busy with other tests. An app without a terminal puts each
frame together and then drops it, and every app reads the style sheets anew.
"""

import asyncio
from functools import partialmethod
from typing import Any

import pytest
from rich.console import Console
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

MOST_TURNS = 100_000
"""Turns of the event loop after which an app is taken to go on for ever."""

MOST_DRAWN = 1_000
"""Times that an app may be drawn before it is taken to go on for ever."""


async def idle(*_seconds: float) -> None:
    """Wait until the event loop has nothing that it could do at once."""
    # Asyncio has no public name for what the loop can do at once.
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    for _ in range(MOST_TURNS):
        await asyncio.sleep(0)
        if not ready:
            return
    raise AssertionError("The app never comes to rest.")


async def at_rest(app: App[Any]) -> None:
    """Wait until an app has handled and drawn all that it can before time passes.

    A timer, a thread or a socket is not waited for.
    """
    for _ in range(MOST_DRAWN):
        await idle()
        # Textual itself draws at the next sixtieth of a second.
        app.screen._on_timer_update()
        if not asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]
            return
    raise AssertionError("The app is drawn again and again.")


async def _pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    await at_rest(pilot.app)


async def _wait_for_screen(pilot: Pilot[Any], timeout: float = 0) -> bool:
    await at_rest(pilot.app)
    return True


_parse_rules = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}


def _parse_once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
    key = (given, tuple(named.items()), tuple(sheet._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, *given, **named)
    return _parsed[key]


_render_update = Compositor.render_update


def _render_what_is_seen(
    compositor: Compositor,
    full: bool = False,
    screen_stack: list[Screen[Any]] | None = None,
    simplify: bool = False,
) -> Any:
    """Put a frame together if it goes to a terminal, or if it is a whole one for a picture."""
    screen = compositor.root
    if full or screen is None or not screen.app.is_headless:
        return _render_update(compositor, full, screen_stack, simplify)
    # Whoever asks what the screen shows sees what lies below it too.
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every pilot wait for rest alone, and every app leave out what nobody would notice."""
    for name in ("pause", "wait_for_animation", "wait_for_scheduled_animations"):
        monkeypatch.setattr(Pilot, name, _pause)
    monkeypatch.setattr(Pilot, "_wait_for_screen", _wait_for_screen)
    monkeypatch.setattr("textual.app.wait_for_idle", idle)
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    monkeypatch.setattr(Compositor, "render_update", _render_what_is_seen)
    # Textual gives the same in Python, hundreds of thousands of times for every app.
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)
    # Rich makes a number of all that a picture shows, which comparing pictures takes out again.
    named = partialmethod(Console.export_svg, unique_id="terminal-0")
    monkeypatch.setattr(Console, "export_svg", named)
