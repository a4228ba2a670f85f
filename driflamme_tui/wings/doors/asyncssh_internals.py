"""The one place that touches what asyncssh keeps to itself: parts of `SSHServerConnection`.

- `validate_public_key`, to which a connection gives the signature of a key: so that a key may be
  proven, and the code asked for all the same. asyncssh itself knows only keys that let in.
- `pause_writing` and `resume_writing`, by which a transport tells that its peer reads slowly:
  asyncssh buffers as much as the peer has asked for, which may be anything.
- `_env` of a channel, in which asyncssh keeps every variable that it is sent.

`INTACT` says whether asyncssh still has these parts as they were when this was written. Where it
has not, no key is taken, and the door has no bounds for whoever asks for much and reads nothing.
"""

from collections.abc import Callable, Container
from inspect import signature
from typing import Any, Final

import asyncssh

Proven = Callable[[bytes], bool]
"""Takes a public key that was proven, and returns whether it lets in by itself."""


def _is_intact() -> bool:
    connection = asyncssh.SSHServerConnection
    parts = {
        "validate_public_key": "self username key_data msg signature",
        "pause_writing": "self",
        "resume_writing": "self",
    }
    return all(
        " ".join(signature(getattr(connection, part, int)).parameters) == parameters
        for part, parameters in parts.items()
    )


INTACT: Final = _is_intact()
"""Whether a connection of asyncssh is what this module knows."""


def watch(
    connection: asyncssh.SSHServerConnection,
    proven: Proven,
    pause: Callable[[], None],
    resume: Callable[[], None],
) -> None:
    """Have a connection tell of keys that are proven, and when it may be written to."""
    if not INTACT:
        return
    validate = connection.validate_public_key

    async def validated(username: str, key: bytes, message: bytes, signed: bytes) -> bool:
        valid = await validate(username, key, message, signed)
        return proven(key) if valid and message else valid

    parts: dict[str, Any] = {
        "validate_public_key": validated,
        "pause_writing": pause,
        "resume_writing": resume,
    }
    for name, part in parts.items():
        setattr(connection, name, part)


def keep_only(channel: "asyncssh.SSHServerChannel[bytes]", names: Container[bytes]) -> None:
    """Have a channel keep these variables of its peer's environment, and no others."""
    vars(channel)["_env"] = _Environment(names)


class _Environment(dict[bytes, bytes]):
    def __init__(self, names: Container[bytes]) -> None:
        self._names = names

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in self._names:
            super().__setitem__(name, value)
