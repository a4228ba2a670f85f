"""Encodes messages as bytes and decodes them, with a bound on everything in a frame.

A frame is one MessagePack map. Its size is checked first, then its fields by the types of
`messages.py`. Every error becomes a CodecError. Errors name the wrong field and never repeat data
of the sender.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any, Final, Union, get_args

from msgspec import MsgspecError, Raw, Struct, ValidationError, to_builtins
from msgspec.msgpack import Decoder, Encoder
from msgspec.structs import replace

from netcode.protocol.fields import (
    Message,
    Strict,
    checked_struct,
    failed_field,
    printable_data,
    wing_messages,
)
from netcode.protocol.messages import PROTOCOL, ClientMessage, Hello, HostMessage, State
from netcode.protocol.refusal_sentences import Value
from netcode.protocol.wire_events import from_wire, to_wire

FROM_CLIENT: Final = 1024
"""Maximum bytes of a frame from a client. It is low because hosts decode many frames of strangers.
The longest message is a line of chat with 200 characters of 4 bytes.
"""

FROM_HOST: Final = 64 * 1024
"""Maximum bytes of a frame from a host. It is high because a client chooses its host. A State has
some 200 bytes, a whole game some 3,000, and the maximum number of events fits too.
"""


UNKNOWN_MESSAGE: Final = "unknown_message"
"""The code of an error for a message of an unknown type."""


class CodecError(ValueError):
    """Raised if a frame is no valid message.

    `code` and `values` are a reason from `refusal_sentences.py`.
    """

    def __init__(self, code: str, **values: Value) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


def encode(message: Strict) -> bytes:
    """Return the frame of a message."""
    if isinstance(message, State):
        message = replace(message, events=tuple(map(to_wire, message.events)))
    return _encode(message)


def decode_client(frame: bytes | str, most: int = FROM_CLIENT) -> Message:
    """Return the message in a client's frame of at most `most` bytes.

    Raises CodecError if the frame is too long or no valid message.

    A message of another protocol version may have unknown fields. Then the result is a Hello with
    that version and a placeholder for the name, so that the host can answer.
    """
    try:
        return _read(frame, most, _client, messages_from_client)
    except CodecError as error:
        if error.code in ("not_binary", "too_long"):
            raise
        with suppress(MsgspecError, ValueError, RecursionError):
            came = _came(frame)  # type: ignore[arg-type]
            if came.protocol != PROTOCOL and came.type in _greetings():
                spoken = min(max(came.protocol, 0), 65_535)
                return Hello(protocol=spoken, program="", name="x")
        raise


def decode_host(frame: bytes | str) -> Message:
    """Return the message in a host's frame; raises CodecError if it is no valid message.

    In texts of the host, `INSTEAD` replaces characters that this program cannot show.
    """
    message = _read(frame, FROM_HOST, _host, messages_from_host)
    if not isinstance(message, State):
        fields = to_builtins(message, builtin_types=(bytes,))
        seen = printable_data(fields)
        return message if seen == fields else checked_struct(seen, type(message))
    # A State is the most frequent message. Its types allow only known letters, so it needs no
    # `printable_data`.
    return replace(message, events=tuple(map(from_wire, message.events)))


def _read(
    frame: bytes | str,
    most: int,
    core: Decoder[Message],
    kinds: Callable[[], tuple[type[Message], ...]],
) -> Message:
    """Return the message of a frame, which the core or a wing defines.

    Raises CodecError if the frame is too long or no valid message.
    """
    if isinstance(frame, str):
        raise CodecError("not_binary")
    if len(frame) > most:
        raise CodecError("too_long")
    try:
        # First read the frame without creating objects: a small frame may announce long lists that
        # would cost megabytes.
        _pass_over(frame)
        try:
            message = core.decode(frame)
        except ValidationError as error:
            if failed_field(error) != "type":
                raise
            # Load wings only for messages that the core does not know.
            message = _whole(kinds()).decode(frame)
    except ValidationError as error:
        field = failed_field(error)
        if field == "type":
            raise CodecError(UNKNOWN_MESSAGE) from None
        if field is None:
            raise CodecError("malformed") from None
        raise CodecError("bad_field", field=field) from None
    except (MsgspecError, ValueError, RecursionError):
        raise CodecError("malformed") from None
    if len(_encode(message)) < len(frame):
        # Encoding the message gives other bytes: a field came twice, or a value had too many bytes.
        raise CodecError("malformed")
    return message


class _Came(Struct):
    """The type and the protocol version of a received message."""

    type: str
    protocol: int


_encode: Final = Encoder().encode

_pass_over: Final = Decoder(Raw).decode
"""Reads a frame without creating objects from it."""

_came: Final = Decoder(_Came).decode
_client: Final[Decoder[Message]] = Decoder(ClientMessage)
_host: Final[Decoder[Message]] = Decoder(HostMessage)


@cache
def messages_from_client() -> tuple[type[Message], ...]:
    """Return all types of messages from clients: the core's types, then the types of wings."""
    of_wings = (each.from_client for each in wing_messages())
    return (*get_args(ClientMessage), *chain.from_iterable(of_wings))


@cache
def messages_from_host() -> tuple[type[Message], ...]:
    """Return all types of messages from hosts: the core's types, then the types of wings."""
    of_wings = (each.from_host for each in wing_messages())
    return (*get_args(HostMessage), *chain.from_iterable(of_wings))


@cache
def _greetings() -> frozenset[str]:
    """Return the names of the message types that contain the version of their sender."""
    kinds = messages_from_client()
    return frozenset(
        str(each.__struct_config__.tag) for each in kinds if "protocol" in each.__struct_fields__
    )


@cache
def _whole(kinds: tuple[type[Message], ...]) -> Decoder[Message]:
    union: Any = Union[kinds]  # noqa: UP007 - it is made of a tuple
    return Decoder(union)
