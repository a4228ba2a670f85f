"""The only module that uses asyncssh's private parts, namely parts of `SSHServerConnection`.

- `validate_public_key` receives the signature of a key. So a visitor can prove a key, although the
  door still requests the code. asyncssh itself treats a proven key as an admission.
- `pause_writing` and `resume_writing` report that the peer reads slowly. Without them asyncssh
  buffers as much as the peer requests, without a limit.
- `_env` of a channel, where asyncssh stores every variable that it receives.

`INTACT` is True if asyncssh still has these parts as this module expects them. Otherwise no key is
accepted, and the door has no limit for a peer that requests much and reads nothing.
"""

from collections.abc import Callable, Container
from inspect import signature
from typing import Any, Final

import asyncssh

Proven = Callable[[bytes], bool]
"""A function that receives a proven public key. It returns True if the key admits."""


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
"""True if the installed asyncssh has the private parts that this module uses."""


def watch(
    connection: asyncssh.SSHServerConnection,
    proven: Proven,
    pause: Callable[[], None],
    resume: Callable[[], None],
) -> None:
    """Report events of a connection; report nothing if `INTACT` is False.

    Args:
        connection: The connection of a visitor.
        proven: Called with each key that the visitor proves. Its result admits the visitor.
        pause: Called when the visitor reads too slowly.
        resume: Called when the visitor has read enough again.
    """
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
    """Let a channel store only the variables `names` of its peer's environment."""
    vars(channel)["_env"] = _Environment(names)


class _Environment(dict[bytes, bytes]):
    def __init__(self, names: Container[bytes]) -> None:
        self._names = names

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in self._names:
            super().__setitem__(name, value)
