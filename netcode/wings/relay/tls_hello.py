"""Reads of the first words of TLS whom a client means, without answering them."""

import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_BYTES: Final = 8192
"""Most bytes of a hello; with keys of today's kinds it has 500 to 1,800."""


class NoHelloError(OSError):
    """What has come is no hello that names anybody."""


class _Listening(ssl.SSLObject):
    """A server's side of TLS that goes no further than the name."""

    name: str | None = None


def _take_name(heard: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> int:
    assert isinstance(heard, _Listening)
    heard.name = name or ""
    return ssl.AlertDescription.ALERT_DESCRIPTION_UNRECOGNIZED_NAME


_CONTEXT: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
_CONTEXT.minimum_version = ssl.TLSVersion.TLSv1_3
_CONTEXT.sslobject_class = _Listening
# mypy's stubs want a function of any object.
_CONTEXT.sni_callback = _take_name


@contextmanager
def _nothing_printed() -> Iterator[None]:
    """Keep Python from printing a name that is not ASCII, which ends the handshake anyway."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = before


class Hello:
    """The first words of a client, as they come."""

    def __init__(self) -> None:
        self.said = b""
        """All that has come, for whoever is meant."""
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = _CONTEXT.wrap_bio(self._in, self._out, server_side=True)

    def take(self, data: bytes) -> str | None:
        """Take in what has come; return the name once it is known; raises NoHelloError."""
        if not data:
            raise NoHelloError
        self.said += data
        self._in.write(data)
        try:
            with _nothing_printed():
                self._tls.do_handshake()
        except ssl.SSLWantReadError:
            if len(self.said) < MOST_BYTES:
                return None
        except ssl.SSLError:
            assert isinstance(self._tls, _Listening)
            if self._tls.name:
                return self._tls.name
        raise NoHelloError

    @property
    def refusal(self) -> bytes:
        """What tells the client that nobody of that name is here: an alert of TLS."""
        return self._out.read()
