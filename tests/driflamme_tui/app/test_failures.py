"""Tests that a failing app ends with a report that contains no card, key or secret."""

import asyncio
from collections.abc import Callable
from io import StringIO

import pytest
from rich.console import Console
from textual.worker import WorkerFailed

from driflamme_tui.app.main_app import DriflammeApp
from tests.support.tables import WatchedApp

SECRET = "K7Q-F2MXR"


class MishapError(Exception):
    """An error with a secret in its message; the code that raises it has a secret in a variable."""


def fail() -> None:
    secret = SECRET
    raise MishapError(secret)


async def fail_later() -> None:
    fail()


WAYS: dict[str, Callable[[DriflammeApp], object]] = {
    "a callback": lambda app: app.call_later(fail),
    "a timer": lambda app: app.set_timer(0.001, fail),
    "a worker": lambda app: app.run_worker(fail_later()),
    "a screen's callback": lambda app: app.screen.call_later(fail),
}


async def failed(app: DriflammeApp, way: str) -> None:
    """Let the app fail, and raise the error after the app has ended."""
    async with app.run_test() as hands:
        WAYS[way](app)
        while app.return_code is None:
            await hands.pause()


@pytest.mark.parametrize("way", WAYS)
def test_a_failure_is_reported_without_any_value(way: str) -> None:
    app, printed = WatchedApp(None, "Ada"), StringIO()
    app.error_console = Console(file=printed, width=400)
    with pytest.raises((MishapError, WorkerFailed), match=SECRET):
        asyncio.run(failed(app, way))
    app._print_error_renderables()
    text = printed.getvalue()
    assert "MishapError at" in text
    assert "test_failures.py" in text
    assert SECRET not in text
