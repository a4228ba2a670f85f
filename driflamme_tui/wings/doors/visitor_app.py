"""The app of a visitor, which can only join the host's table and ends with it.

Visitors who want no screen get the line-by-line player.
"""

import asyncio
import logging
import time
from contextlib import suppress
from pathlib import Path

from textual.events import Event, Resize
from textual.geometry import Size

from driflamme_tui.app.exit_signals import end_on_signal
from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences import settings
from driflamme_tui.seat.targets import Join
from driflamme_tui.text.i18n import _, set_language
from driflamme_tui.wings.doors.door_target import door_target
from engine.texts import ExplainedError
from netcode.protocol.refusal_sentences import name_problem, refusal_sentence


class VisitorApp(DriflammeApp):
    """A visitor's app on the host's machine, with a limited screen size."""

    is_for_one_table = is_remote = True
    largest = Size()

    async def on_event(self, event: Event) -> None:
        """Handle an event. Ignore a size above the limit, which a visitor can type as an escape."""
        if not isinstance(event, Resize) or (
            event.size.width <= self.largest.width and event.size.height <= self.largest.height
        ):
            await super().on_event(event)


def run(name: str, table: Path, secret: bytes, end_s: int, largest: tuple[int, int]) -> str:
    """Play at a table until the visitor leaves; return the reason for an error, or "".

    Once the terminal is gone, the process ends after `end_s` seconds, even if the app hangs.
    """
    set_language(None)
    try:
        wanted = settings.load()
    except ExplainedError as error:
        return error.sentence(_)
    set_language(wanted.catalogue)
    plan = Join(door_target(table, secret))
    app = VisitorApp(plan, name, settings=wanted)
    app.largest = Size(*largest)

    async def play() -> None:
        end_on_signal(app.exit, end_s)
        await app.run_async()

    asyncio.run(play())
    return app.failure


def run_lines(name: str, table: Path, secret: bytes) -> str:
    """Play line by line; return the reason for an error, or "".

    A visitor without a valid name must first type one.
    """
    from driflamme_tui.plain.line_calls import LineCalls
    from driflamme_tui.plain.line_shell import play_lines, ring_bell, typed_lines, write_line
    from driflamme_tui.plain.typed_commands import PlainPlayer

    set_language(None)
    # Log messages would appear between the lines of a game, and are not for players.
    logging.getLogger("netcode").addHandler(logging.NullHandler())

    async def play() -> str:
        called, typed = name, typed_lines()
        while problem := name_problem(called):
            why = refusal_sentence(problem, _)
            write_line(why if called else _("What is your name?"))
            try:
                called = (await anext(typed)).strip()
            except StopAsyncIteration:
                return ""
        calls = LineCalls(ring_bell, settings.Settings().calls, time.monotonic)
        plan = Join(door_target(table, secret))
        return await play_lines(plan, called, PlainPlayer, typed, write_line, calls)

    with suppress(KeyboardInterrupt):
        return asyncio.run(play())
    return ""
