"""Reads the server name from a TLS ClientHello without answering it."""

import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_BYTES: Final = 8192
"""Maximum bytes of a hello. With present key sizes it has 500 to 1,800."""


class NoHelloError(OSError):
    """Raised if the received bytes are not a hello with a server name."""


class _Listening(ssl.SSLObject):
    """A TLS server that stops its handshake when it knows the server name."""

    name: str | None = None


def _take_name(tls: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> int:
    assert isinstance(tls, _Listening)
    tls.name = name or ""
    return ssl.AlertDescription.ALERT_DESCRIPTION_UNRECOGNIZED_NAME


_CONTEXT: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
_CONTEXT.minimum_version = ssl.TLSVersion.TLSv1_3
_CONTEXT.sslobject_class = _Listening
# The type stubs are wrong about the first argument.
_CONTEXT.sni_callback = _take_name


@contextmanager
def _nothing_printed() -> Iterator[None]:
    """Keep Python from printing an error for a server name that is not ASCII."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = before


class Hello:
    """A client's hello, received piece by piece."""

    def __init__(self) -> None:
        self.received = b""
        """All bytes received so far, which are later forwarded to the host."""
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = _CONTEXT.wrap_bio(self._in, self._out, server_side=True)

    def take(self, data: bytes) -> str | None:
        """Add received bytes; return the server name, or None while the hello is incomplete.

        Raises NoHelloError if the bytes are no hello with a server name, if there are too many, and
        for empty `data`, which means the end of the connection.
        """
        if not data:
            raise NoHelloError
        self.received += data
        self._in.write(data)
        try:
            with _nothing_printed():
                self._tls.do_handshake()
        except ssl.SSLWantReadError:
            if len(self.received) < MOST_BYTES:
                return None
        except ssl.SSLError:
            assert isinstance(self._tls, _Listening)
            if self._tls.name:
                return self._tls.name
        raise NoHelloError

    @property
    def refusal(self) -> bytes:
        """The TLS alert for a server name that belongs to no host. It can be read only once."""
        return self._out.read()
