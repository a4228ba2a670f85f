"""A process that imports the program, and then forks one for each request of `warm_starts`.

It has no threads, sockets or event loops besides the socket for requests, its standard input.
"""

import gc
import json
import os
import socket
import sys
import termios
from collections.abc import Iterator
from fcntl import ioctl
from importlib import import_module
from runpy import run_module
from typing import Final

from driflamme_tui.cli.main import run
from driflamme_tui.cli.quick_start import find_modules_quickly
from driflamme_tui.drawing.lean_textual import import_textual
from netcode.registry import seams_of_wings
from tests.support.warm_starts import REQUEST_BYTES

IMPORTED: Final = (
    "concurrent.futures.thread",
    "cryptography.hazmat.backends.openssl.backend",
    "cryptography.x509",
    "driflamme_tui.app.main_app",
    "driflamme_tui.cli.commands.host_command",
    "driflamme_tui.cli.commands.join_command",
    "driflamme_tui.cli.program",
    "driflamme_tui.hosting.open_table",
    "driflamme_tui.plain.json_player",
    "driflamme_tui.plain.line_shell",
    "driflamme_tui.plain.typed_commands",
    "driflamme_tui.screens.lobby_screen",
    "driflamme_tui.screens.opening_screen",
    "driflamme_tui.screens.start_screen",
    "driflamme_tui.screens.table.table_screen",
    "driflamme_tui.study.lesson_screen",
    "encodings.idna",
    "netcode.client.followed_host",
    "netcode.server.server",
    "netcode.storage.history",
    "netcode.storage.solo_store",
    "netcode.transport.certificate",
    "netcode.transport.websocket",
    "segno",
    "textual.drivers.linux_driver",
    "textual.layouts.factory",
    "textual.pilot",
    "uvloop",
    "websockets.asyncio.client",
    "websockets.asyncio.server",
)
"""Modules that most programs import late. Others are imported in each program that needs them."""


def _modules_of_wings() -> Iterator[str]:
    """Yield the modules that the core finds in wings."""
    for package in ("netcode", "driflamme_tui"):
        for wing, seams in seams_of_wings(package).items():
            yield from (f"{package}.wings.{wing}.{seam}" for seam in seams)


def _serve(requests: socket.socket) -> None:
    """Fork a program for each request. Returns only in a program."""
    while True:
        request, streams, _flags, _address = socket.recv_fds(requests, REQUEST_BYTES, 3)
        if not request:
            # The tests have ended.
            os._exit(0)
        if between := os.fork():
            for stream in streams:
                os.close(stream)
            os.waitpid(between, 0)
            requests.send(b"orphan")
        elif program := os.fork():
            requests.send(str(program).encode())
            # With the end of this process, the program becomes a child of the test's process.
            os._exit(0)
        else:
            # The program's standard input takes the place of this socket.
            requests.detach()
            _become(streams, *json.loads(request))
            return


def _become(
    streams: list[int], arguments: list[str], variables: dict[str, str], folder: str, leads: str
) -> None:
    """Give this process the arguments, variables, folder and streams of a new program."""
    sys.argv[1:] = arguments
    # The list of processes does not show the arguments, so the program need not hide secrets.
    sys.orig_argv = []
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    if leads == "group":
        os.setpgid(0, 0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if leads == "session":
        os.setsid()
        ioctl(0, termios.TIOCSCTTY, 0)
    for file in (sys.stdin, sys.stdout):
        file.reconfigure(line_buffering=file.isatty())  # type: ignore[union-attr]
    gc.enable()


if __name__ == "__main__":
    gc.disable()
    run_module(sys.argv.pop(1), run_name="warm")
    find_modules_quickly()
    import_textual()
    for module in (*IMPORTED, *_modules_of_wings()):
        import_module(module)
    # A collection would copy the objects that programs share with this process.
    gc.freeze()
    _serve(socket.socket(fileno=0))
    run()
