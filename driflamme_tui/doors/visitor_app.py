"""The app of a visitor: it goes to the host's table and nowhere else, and ends when that does."""

import asyncio
import signal
from pathlib import Path

from driflamme_tui.app.main_app import DriflammeApp
from driflamme_tui.preferences import settings
from driflamme_tui.seat.plans import Join
from driflamme_tui.text.i18n import _, set_language
from engine.words import ExplainedError
from netcode.client.connectors import Unix


def run(name: str, table: Path, secret: bytes, end_s: int) -> str:
    """Sit down at a table until the visitor has had enough; return why, if that was not so.

    Once the terminal is gone, the process ends after so many seconds, whatever the app does.
    """
    set_language(None)
    try:
        wanted = settings.load()
    except ExplainedError as error:
        return error.sentence(_)
    set_language(wanted.catalogue)
    app = DriflammeApp(Join(Unix(table, secret)), name, settings=wanted)
    app.visits = True

    async def play() -> None:
        loop = asyncio.get_running_loop()

        def end(*_signal: object) -> None:
            signal.alarm(end_s)
            loop.call_soon_threadsafe(app.exit)

        for ending in (signal.SIGHUP, signal.SIGTERM):
            # Not by the loop, which may wait for a terminal that takes nothing any more.
            signal.signal(ending, end)
        await app.run_async()

    asyncio.run(play())
    return app.failure
