"""Lets apps under test wait for work instead of the clock, and skip work that nobody sees.

Textual's pilot posts a message to every widget. Then it sleeps until the whole process looks idle,
which takes long on a busy machine. An app without a terminal composes each frame and drops it, and
every app parses the style sheets again.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partialmethod
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Any

import pytest
from rich.console import Console
from textual import _callback
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message import Message
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from tests.driflamme_tui import quick_styles

MOST_TURNS = 100_000
"""Number of turns of the loop after which an app counts as endless."""

MOST_DRAWN = 1_000
"""Number of drawings after which an app counts as endless."""


async def idle(*_seconds: float) -> None:
    """Wait until the event loop has nothing to do immediately."""
    # Asyncio has no public name for the callbacks that are ready.
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    for _ in range(MOST_TURNS):
        await asyncio.sleep(0)
        if not ready:
            return
    raise AssertionError("The app never comes to rest.")


async def at_rest(app: App[Any]) -> None:
    """Wait until an app has handled and drawn everything possible before time passes.

    The wait ignores timers, threads and sockets.
    """
    for _ in range(MOST_DRAWN):
        await idle()
        # Draw now: Textual itself would wait for the next sixtieth of a second.
        app.screen._on_timer_update()
        for screen in app.screen_stack[:-1]:
            if getattr(screen._update_timer, "is_due", True):
                screen._on_timer_update()
        if not asyncio.get_running_loop()._ready:  # type: ignore[attr-defined]
            return
    raise AssertionError("The app is drawn again and again.")


async def _pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    await at_rest(pilot.app)


async def _wait_for_screen(pilot: Pilot[Any], timeout: float = 0) -> bool:
    await at_rest(pilot.app)
    return True


class DrawTimer:
    """Takes the place of a screen's timer for drawing: `at_rest` draws instead, without a clock."""

    is_due = False
    """True if the screen has changed since it was drawn."""

    def pause(self) -> None:
        self.is_due = False

    def resume(self) -> None:
        self.is_due = True

    def stop(self) -> None:
        self.is_due = False


def _draw_timer(screen: Screen[Any]) -> DrawTimer:
    timer: DrawTimer = vars(screen).setdefault("draw_timer", DrawTimer())
    return timer


_dispatch_methods = MessagePump._get_dispatch_methods
_handlers: dict[tuple[type, type, str], list[tuple[type, Any]] | None] = {}
"""The handlers of a class for a message; None if they depend on the message's sender."""


def _find_handlers(kind: type, message: type, name: str) -> list[tuple[type, Any]] | None:
    found: list[tuple[type, Any]] = []
    for each in kind.__mro__:
        decorated = vars(each).get("_decorated_handlers") or {}
        if any(base in decorated for base in message.__mro__):
            return None
        method = vars(each).get(f"_{name}") or vars(each).get(name)
        if method is not None and not getattr(method, "_textual_on", None):
            found.append((each, method))
    return found


def _dispatch_known_methods(
    pump: MessagePump, name: str, message: Message
) -> Iterator[tuple[type, Any]]:
    """Yield the handlers of a message, which a test searches once for each class."""
    key = type(pump), type(message), name
    if key not in _handlers:
        _handlers[key] = _find_handlers(*key)
    handlers = _handlers[key]
    if handlers is None:
        yield from _dispatch_methods(pump, name, message)
        return
    for kind, method in handlers:
        if message._no_default_action:
            break
        yield kind, method.__get__(pump, kind)


class _NoLog:
    """Takes the place of the log of messages, which only Textual's console shows."""

    def __getattr__(self, _name: str) -> "_NoLog":
        return self

    def __call__(self, *_values: object) -> "_NoLog":
        return self


_count_by_signature = _callback._count_parameters


def _count_parameters(function: Callable[..., object]) -> int:
    """Count the parameters of a callback, those of a plain function without its signature."""
    if type(function) is not FunctionType or hasattr(function, "__wrapped__"):
        return _count_by_signature(function)
    code = function.__code__
    catches_all = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + catches_all


_parse_rules = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}
_variables: dict[tuple[tuple[str, str], ...], int] = {}
"""A number for each set of variables of a style sheet."""


def _parse_once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
    of, number = vars(sheet).get("numbered", (None, 0))
    if of is not sheet._variables:
        number = _variables.setdefault((*sheet._variables.items(),), len(_variables))
        vars(sheet)["numbered"] = sheet._variables, number
    key = given, (*named.items(),), number
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
    """Compose a frame for a terminal or a picture; return None in an app without a terminal."""
    screen = compositor.root
    if full or screen is None or not screen.app.is_headless:
        return _render_update(compositor, full, screen_stack, simplify)
    # Set the context variable as Textual does: parts that are drawn read the screens below from it.
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every pilot wait only for work, and every app skip work that nobody sees."""
    for name in ("pause", "wait_for_animation", "wait_for_scheduled_animations"):
        monkeypatch.setattr(Pilot, name, _pause)
    monkeypatch.setattr(Pilot, "_wait_for_screen", _wait_for_screen)
    monkeypatch.setattr("textual.app.wait_for_idle", idle)
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    for module in ("css.query", "dom", "message_pump", "screen", "widget"):
        monkeypatch.setattr(f"textual.{module}.match", quick_styles.match_any)
    monkeypatch.setattr("textual._callback._count_parameters", _count_parameters)
    monkeypatch.setattr(Stylesheet, "apply", quick_styles.apply)
    monkeypatch.setattr(Stylesheet, "replace_rules", staticmethod(quick_styles.replace_rules))
    _handlers.clear()
    monkeypatch.setattr(MessagePump, "_get_dispatch_methods", _dispatch_known_methods)
    monkeypatch.setattr("textual.message_pump.log", _NoLog())
    monkeypatch.setattr(Screen, "_update_timer", property(_draw_timer))
    monkeypatch.setattr(Compositor, "render_update", _render_what_is_seen)
    # The C function replaces an equal one in Python, which runs hundreds of thousands of times.
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)
    # A fixed id saves Rich a hash of each picture; comparisons remove ids.
    named = partialmethod(Console.export_svg, unique_id="terminal-0")
    monkeypatch.setattr(Console, "export_svg", named)
