"""Bytes to messages and back, with a bound on everything that a frame can hold.

A frame is one MessagePack map. What comes in is first measured, then unpacked, then checked
against the types of `messages.py`; whatever is wrong with it becomes a CodecError, and nothing
else does. Errors name what was wrong and never repeat what was sent.
"""

from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar, get_args

import msgpack
from msgspec import Raw, Struct, ValidationError
from msgspec.msgpack import Decoder, Encoder
from msgspec.structs import replace

from netcode.protocol.fields import MAXIMUM_EVENTS, Strict, checked, failed_field, shown
from netcode.protocol.messages import MAXIMUM_SENT, PROTOCOL, ClientMessage, HostMessage, State
from netcode.protocol.refusal_sentences import Value
from netcode.protocol.wire_events import WireEventError, from_wire, to_wire

_Message = TypeVar("_Message", ClientMessage, HostMessage)


class CodecError(ValueError):
    """A frame that is no message; `code` and `values` are a reason of `refusal_sentences.py`."""

    def __init__(self, code: str, **values: Value) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class Bounds(Struct, frozen=True):
    """What a frame may hold at most, checked before memory is spent on it."""

    frame: int
    """Most bytes of the whole frame."""
    text: int
    """Most bytes of a text."""
    binary: int
    """Most bytes of a binary, such as a key."""
    items: int
    """Most items of a list."""
    fields: int
    """Most entries of a map."""


FROM_CLIENT: Final = Bounds(
    # A line of chat is the longest, if each of its 200 characters takes 4 bytes.
    frame=1024,
    text=800,
    # A signature.
    binary=64,
    # No message from a client has a list.
    items=0,
    # TableSettings have nine.
    fields=9,
)
"""Bounds on what a host reads, thousands of frames and from strangers: as tight as can be."""

FROM_SEALED_CLIENT: Final = Bounds(
    frame=4096,
    text=800,
    # The openings of all cards of four seats.
    binary=2048,
    items=MAXIMUM_SENT,
    fields=9,
)
"""Bounds on what a host reads of those who are at a sealed table."""

FROM_HOST: Final = Bounds(
    # A State is some 200 bytes, a whole game sent again some 3,000; the most events fit too.
    frame=64 * 1024,
    # The view of a game; `messages.py` has the same bound in characters, which are all ASCII.
    text=1000,
    # What convicts somebody at a sealed table.
    binary=8192,
    items=MAXIMUM_EVENTS,
    # A Lobby has nineteen.
    fields=19,
)
"""Bounds on what a client reads, from the one host that it chose."""


def encode(message: Strict) -> bytes:
    """Return the frame of a message."""
    if isinstance(message, State):
        message = replace(message, events=tuple(map(to_wire, message.events)))
    return _encode(message)


def decode_client(frame: bytes | str, bounds: Bounds = FROM_CLIENT) -> ClientMessage:
    """Return the message that a client sent, within the bounds of its table; raises CodecError.

    Of a Hello, a Knock or a Call in another version only that is read, so that there can be an
    answer.
    """
    fields = _unpack(frame, bounds)
    protocol = fields.get("protocol")
    if (
        fields.get("type") in ("hello", "knock", "call")
        and type(protocol) is int
        and protocol != PROTOCOL
    ):
        fields = {"type": "hello", "protocol": protocol, "program": "", "name": "x"}
    return _message(fields, _CLIENT)


def decode_host(frame: bytes | str) -> HostMessage:
    """Return the message that a host sent; raises CodecError."""
    fields = _unpack(frame, FROM_HOST)
    try:
        # A State, the most of what is sent, has no text but what its types bound to the notation.
        message = _message(fields if fields.get("type") == "state" else shown(fields), _HOST)
        if isinstance(message, State):
            return replace(message, events=tuple(map(from_wire, message.events)))
    except WireEventError:
        raise CodecError("bad_field", field="events") from None
    except RecursionError:
        # Of lists within each other, far deeper than in any message.
        raise CodecError("malformed") from None
    return message


def _message(fields: dict[str, Any], kinds: Mapping[object, type[_Message]]) -> _Message:
    """Return the message, one of these kinds, that the fields make; raises CodecError."""
    tag = fields.get("type")
    # A map has no hash.
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise CodecError("unknown_message")
    try:
        return checked(fields, kind)
    except ValidationError as error:
        field = failed_field(error)
    if field is None:
        raise CodecError("malformed")
    raise CodecError("bad_field", field=field)


def _unpack(frame: bytes | str, bounds: Bounds) -> dict[str, Any]:
    if isinstance(frame, str):
        raise CodecError("not_binary")
    if len(frame) > bounds.frame:
        raise CodecError("too_long")
    try:
        # msgpack makes room for each list that is announced before it sees what is in it, so
        # a small frame of lists that are not there would cost megabytes.
        _pass_over(frame)
        fields = msgpack.unpackb(
            frame,
            use_list=False,
            strict_map_key=True,
            max_str_len=bounds.text,
            max_bin_len=bounds.binary,
            max_array_len=bounds.items,
            max_map_len=bounds.fields,
            # No message has an extension; one without content would pass the length alone.
            max_ext_len=0,
            ext_hook=_no_extension,
            object_pairs_hook=_distinct,
        )
    except (ValueError, RecursionError, msgpack.UnpackException):
        raise CodecError("malformed") from None
    if not isinstance(fields, dict):
        raise CodecError("malformed")
    return fields


def _distinct(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the map of its entries; raises ValueError if a field comes twice or has no name."""
    fields = dict(pairs)
    if len(fields) < len(pairs) or not _TEXT.issuperset(map(type, fields)):
        raise ValueError("a field comes twice, or has no name")
    return fields


def _no_extension(code: int, data: bytes) -> NoReturn:
    raise ValueError("an extension")


_encode: Final = Encoder().encode

_pass_over: Final = Decoder(Raw).decode
"""Reads a frame without making anything of it."""

_TEXT: Final = frozenset({str})


def _kinds(messages: object) -> dict[object, Any]:
    return {kind.__struct_config__.tag: kind for kind in get_args(messages)}


_CLIENT: Final[dict[object, type[ClientMessage]]] = _kinds(ClientMessage)
_HOST: Final[dict[object, type[HostMessage]]] = _kinds(HostMessage)
