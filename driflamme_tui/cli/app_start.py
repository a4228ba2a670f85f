"""Continues a command: in the app, line by line, or as a server until it is stopped.

Each function imports what it needs, so that the command line starts without these imports.
"""

import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import typer

from driflamme_tui.cli.output import STATUS_FAILED, echo, end_with, fail
from driflamme_tui.cli.quick_start import for_good
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.app.main_app import DriflammeApp
    from driflamme_tui.hosting.host_plans import Host, SoloPlan
    from driflamme_tui.preferences.settings import Settings
    from driflamme_tui.screens.base.full_screen import FullScreen
    from driflamme_tui.seat.targets import Join, Plan, Study


def begin_in_private() -> None:
    """Forbid core dumps. End the command if other users can change the program's folders."""
    from driflamme_tui.preferences.data_folders import data_folders
    from driflamme_tui.text.i18n import _
    from netcode.child_process import forbid_core_dumps
    from netcode.private_files import UnsafeFolderError, check_folder

    forbid_core_dumps()
    try:
        for folder in data_folders():
            check_folder(folder)
    except UnsafeFolderError as error:
        end_with(error.sentence(_), STATUS_FAILED)


class Closable(Protocol):
    """A table or server that can be closed."""

    async def close(self) -> None:
        """Close the table or server."""


ClosableT = TypeVar("ClosableT", bound=Closable)


NO_SCREENS: Final[Text] = "TERM={kind} cannot show screens: correct TERM, or use --plain."


def kind_without_screens(kind: str) -> bool:
    """Return True if a terminal of this kind, as in `TERM`, has no control sequences."""
    return kind in ("dumb", "unknown")


def require_screens() -> None:
    """End the command with a sentence if the terminal cannot show screens."""
    kind = os.environ.get("TERM", "")
    if kind_without_screens(kind):
        fail(NO_SCREENS, kind=kind)


def has_terminal() -> bool:
    """Return True if standard input, standard output and standard error are all terminals."""
    # Textual reads from stdin and writes to stderr.
    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()


def load_app() -> "type[DriflammeApp]":
    """Import the app and return its class. Call this before importing any part of the app.

    End the command if the terminal cannot show screens.
    """
    require_screens()
    with for_good():
        from driflamme_tui.drawing.lean_textual import import_textual

        import_textual()
        from driflamme_tui.app.main_app import DriflammeApp
    return DriflammeApp


def run_app(
    plan: "Plan | Callable[[], FullScreen] | None",
    settings: "Settings",
    name: str = "",
    *,
    joins: bool = False,
    asks_name: bool = False,
    is_named: bool = False,
    goes_back: bool = False,
) -> None:
    """Run the app, then end the command with the app's status.

    The app begins with a plan or a screen, or for None at the start screen. With `joins`, the start
    screen begins at the join field. With `asks_name`, the app asks for the player's name before it
    goes to the table. With `is_named`, the command line names the player. With `goes_back`, the
    plan leads to the player's seat, and the start screen follows if the plan fails. If other users
    can change the program's folders, end the command instead.

    Raises:
        SettingsError: The config file gives a command an invalid key.
    """
    import asyncio

    from driflamme_tui.app.exit_signals import end_on_signal
    from driflamme_tui.drawing.terminal_answers import prepare, terminal_query
    from driflamme_tui.preferences.settings import judge_keys

    judge_keys(settings.keys)
    begin_in_private()
    with terminal_query(os.environ) as answers_of_terminal:
        kind = load_app()
        answers = answers_of_terminal()
    prepare(os.environ, answers)
    app = kind(plan, name, settings=settings, answers=answers)
    app.looks_for_tables, app.joins, app.asks_name = True, joins, asks_name
    app.is_named = is_named
    if goes_back:
        app.place.ends_on_failure = False

    async def run() -> None:
        # If the terminal is closed, the app still leaves the network and the table.
        end_on_signal(app.exit)
        await app.run_async()

    asyncio.run(run())
    if app.failure:
        end_with(app.failure)
    raise typer.Exit(app.return_code or 0)


def run_lines(plan: "SoloPlan | Host | Join | Study", name: str, *, as_json: bool) -> None:
    """Play a plan line by line. With `as_json` a program plays, by lines of JSON.

    If the host or an error ends the play, or if other users can change the program's folders, end
    the command with the reason.
    """
    import asyncio
    import logging
    import time

    from driflamme_tui.app.exit_signals import end_on_signal
    from driflamme_tui.cli.run_settings import looks
    from driflamme_tui.plain.json_player import JsonPlayer
    from driflamme_tui.plain.line_calls import LineCalls
    from driflamme_tui.plain.line_player import LinePlayer
    from driflamme_tui.plain.line_shell import play_lines, ring_bell, typed_lines, write_line
    from driflamme_tui.plain.typed_commands import PlainPlayer
    from driflamme_tui.seat.targets import Study
    from netcode.client.session import Session

    begin_in_private()
    if not as_json:
        # Keep log lines out of the game's lines.
        logging.getLogger("netcode").addHandler(logging.NullHandler())
    player_of: Callable[[Session], LinePlayer] = JsonPlayer if as_json else PlainPlayer
    if isinstance(plan, Study):
        from driflamme_tui.study.guided_game import Lesson
        from driflamme_tui.study.local_table import LocalTable, PuzzleTable
        from driflamme_tui.study.plain_players import BoardPlayer, LessonPlayer, PuzzlePlayer

        if isinstance(plan.table, Lesson):
            player_of = partial(LessonPlayer, lesson=plan.table)
        elif isinstance(plan.table, PuzzleTable):
            player_of = partial(PuzzlePlayer, puzzles=plan.table)
        elif isinstance(plan.table, LocalTable):
            player_of = partial(BoardPlayer, board=plan.table)
    write = partial(print, flush=True) if as_json else write_line
    is_called = not (as_json or isinstance(plan, Study))
    calls = LineCalls(ring_bell, looks().calls, time.monotonic) if is_called else None

    async def run() -> str:
        # If the terminal is closed, the player still leaves the network and the table.
        playing = asyncio.ensure_future(
            play_lines(plan, name, player_of, typed_lines(), write, calls)
        )
        end_on_signal(playing.cancel)
        return await playing

    try:
        why = asyncio.run(run())
    except (asyncio.CancelledError, BrokenPipeError):
        why = ""
    if why:
        end_with(why)


def serve_until_stopped(
    opening: Callable[[], Awaitable[ClosableT]],
    describe: Callable[[ClosableT], Iterable[str]],
    closed: Callable[[ClosableT], str],
) -> None:
    """Serve other people until Ctrl-C or another signal to end, on the fastest event loop.

    If other users can change the program's folders, end the command instead.

    Args:
        opening: Opens the table or server.
        describe: Returns the lines to print once the table or server is open.
        closed: Returns the text to print at the end. It is called before the closing.
    """
    import asyncio

    from driflamme_tui.app.exit_signals import end_on_signal
    from netcode.server.server import collect_rarely

    async def serve() -> None:
        opened = await opening()
        stop = asyncio.Event()
        end_on_signal(stop.set)
        for line in describe(opened):
            echo(line)
        sys.stdout.flush()
        collect_rarely()
        await stop.wait()
        sentence = closed(opened)
        await opened.close()
        echo(sentence)

    run_server(serve)


def print_status(port: int | None, command: str) -> None:
    """Print the status of a server on this machine as JSON.

    Args:
        port: The port of the server; None for the default port.
        command: The command that opens such a server, for the error's sentence.

    Raises:
        ExplainedError: No server of this user answers on the port.
    """
    import asyncio
    import json

    from netcode.server.status import ask_status
    from netcode.transport.address import DEFAULT_PORT

    status = ask_status(DEFAULT_PORT if port is None else port, command)
    typer.echo(json.dumps(asyncio.run(status)))


def run_server(serve: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run a server until it ends, on the fastest event loop available.

    If other users can change the program's folders, end the command instead.
    """
    import asyncio

    from netcode.storage.journal import shorten_switch_interval

    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with suppress(ImportError):
        import uvloop

        new_loop = uvloop.new_event_loop
    begin_in_private()
    shorten_switch_interval()
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(serve())
