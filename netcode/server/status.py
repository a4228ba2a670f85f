"""Reports the status of a running server to programs on the same machine.

A unix socket in the user's data folder answers with one line of JSON. On Windows a loopback port
answers, and a file in that folder has the port's number. The server reads nothing from the socket.
The answer names no table, player or card.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from platformdirs import user_data_path

from engine.texts import ExplainedError
from netcode.private_files import make_private_folder

ANSWER_BYTES: Final = 4096
"""Maximum bytes of an answer: a dozen numbers."""

ANSWER_S: Final = 2.0
"""Seconds to wait for the answer: a server may be busy."""


LOOPBACK: Final = "127.0.0.1"
"""The address of the status port on systems without unix sockets."""


def status_path(port: int) -> Path:
    """Return the path of the status socket for the server on a port."""
    return user_data_path("driflamme", appauthor=False) / f"server-{port}.sock"


class StatusSocket:
    """Answers requests for the status until it is closed."""

    def __init__(self, server: asyncio.Server, path: Path) -> None:
        self._server = server
        self._path = path

    @classmethod
    async def open(cls, path: Path, status: Callable[[], dict[str, Any]]) -> "StatusSocket":
        """Begin to answer with the result of `status`, at the socket `path`.

        Raises OSError if the socket cannot be opened, and UnsafeFolderError if other users can
        write into its folder.
        """

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                writer.write(json.dumps(status()).encode() + b"\n")
                await writer.drain()
            except ConnectionError:
                pass
            finally:
                writer.close()

        make_private_folder(path.parent)
        path.unlink(missing_ok=True)
        if sys.platform == "win32":
            server = await asyncio.start_server(answer, LOOPBACK, 0)
            path.write_text(str(server.sockets[0].getsockname()[1]), encoding="ascii")
        else:
            server = await asyncio.start_unix_server(answer, path)
            os.chmod(path, 0o600)
        return cls(server, path)

    async def close(self) -> None:
        """Stop answering, and delete the socket's file."""
        self._server.close()
        await self._server.wait_closed()
        self._path.unlink(missing_ok=True)


async def ask_status(port: int, command: str) -> dict[str, Any]:
    """Return the status of the server on a port.

    `command` is the command that starts such a server, for the error's sentence. Raises
    ExplainedError if no server of this user is there, or if it does not answer in time.
    """
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await _connect(status_path(port))
            try:
                line = await reader.read(ANSWER_BYTES)
            finally:
                writer.close()
            return msgspec.json.decode(line, type=dict[str, Any])
    except TimeoutError:
        raise ExplainedError(
            "The server on port {port} does not answer: try again, or restart it.", port=port
        ) from None
    except (OSError, ValueError, RecursionError):
        # ValueError or RecursionError: another program answered, with invalid or deeply nested
        # data.
        raise ExplainedError(
            "No server of yours listens on port {port}: name its port with --port, or start one"
            " with {command}.",
            port=port,
            command=command,
        ) from None


async def _connect(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if sys.platform == "win32":
        return await asyncio.open_connection(LOOPBACK, int(path.read_text(encoding="ascii")))
    else:
        return await asyncio.open_unix_connection(path)
