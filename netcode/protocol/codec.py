"""Bytes to messages and back, with a bound on everything that a frame can hold.

A frame is one MessagePack map. What comes in is first measured, then unpacked, then checked
against the types of `messages.py`; whatever is wrong with it becomes a CodecError, and nothing
else does. Errors name what was wrong and never repeat what was sent.
"""

from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar, get_args

import msgpack
from msgspec import Struct, ValidationError
from msgspec.msgpack import Encoder
from msgspec.structs import replace

from netcode.protocol.fields import MAXIMUM_EVENTS, checked, failed_field, shown
from netcode.protocol.messages import PROTOCOL, ClientMessage, HostMessage, State
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
    nesting: int
    """Most lists and maps within each other."""


FROM_CLIENT: Final = Bounds(
    # A line of chat is the longest, if each of its 200 characters takes 4 bytes.
    frame=1024,
    text=800,
    # A share of SPAKE2.
    binary=33,
    # No message from a client has a list.
    items=0,
    # A Hello has seven.
    fields=8,
    # The settings within their message.
    nesting=2,
)
"""Bounds on what a host reads, thousands of frames and from strangers: as tight as can be."""

FROM_HOST: Final = Bounds(
    # A State is some 200 bytes, a whole game sent again some 3,000; the most events fit too.
    frame=64 * 1024,
    # The view of a game; `messages.py` has the same bound in characters, which are all ASCII.
    text=1000,
    # A share of SPAKE2.
    binary=33,
    items=MAXIMUM_EVENTS,
    # A Lobby has seventeen.
    fields=17,
    # A Lobby's reason: the map of its values, in it a list of names; or the winners in an event.
    nesting=4,
)
"""Bounds on what a client reads, from the one host that it chose."""


def encode(message: ClientMessage | HostMessage) -> bytes:
    """Return the frame of a message."""
    if isinstance(message, State):
        message = replace(message, events=tuple(map(to_wire, message.events)))
    return _encode(message)


def decode_client(frame: bytes | str) -> ClientMessage:
    """Return the message that a client sent; raises CodecError.

    Of a Hello or a Knock in another version only that is read, so that there can be an answer.
    """
    fields = _unpack(frame, FROM_CLIENT)
    protocol = fields.get("protocol")
    if fields.get("type") in ("hello", "knock") and type(protocol) is int and protocol != PROTOCOL:
        fields = {"type": "hello", "protocol": protocol, "program": "", "name": "x"}
    return _message(fields, _CLIENT)


def decode_host(frame: bytes | str) -> HostMessage:
    """Return the message that a host sent; raises CodecError."""
    fields = _unpack(frame, FROM_HOST)
    # A State, the most of what is sent, has no text but what its types bound to the notation.
    message = _message(fields if fields.get("type") == "state" else shown(fields), _HOST)
    if isinstance(message, State):
        try:
            return replace(message, events=tuple(map(from_wire, message.events)))
        except WireEventError:
            raise CodecError("bad_field", field="events") from None
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
    _check_nesting(frame, bounds.nesting)
    try:
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
    except (ValueError, msgpack.UnpackException):
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


def _check_nesting(frame: bytes, most: int) -> None:
    """Refuse a frame in which lists and maps go deeper than `most`.

    msgpack allows 1024 levels, and makes room for each list that is announced before it sees what
    is in it, so a small frame would cost megabytes.
    """
    if len(frame) <= _SHORT and len(frame.translate(None, _NOT_NESTING)) <= most:
        # However it is read, too few of its bytes could begin a list or a map: so it is with acts.
        return
    awaited: list[int] = []
    """How many items each open list or map still lacks, outermost first."""
    at, end = 0, len(frame)
    while at < end:
        length_bytes, size, items, per_length = _HEADS[frame[at]]
        at += 1
        if length_bytes:
            length = int.from_bytes(frame[at : at + length_bytes], "big")
            at += length_bytes
            if per_length:
                items = length * per_length
            else:
                size = length
        at += size
        if awaited:
            awaited[-1] -= 1
        if items:
            awaited.append(items)
            if len(awaited) > most:
                raise CodecError("malformed")
        while awaited and not awaited[-1]:
            awaited.pop()


def _head(first: int) -> tuple[int, int, int, int]:
    """Return what a first byte says about its object, as the specification of MessagePack has it.

    That is: how many bytes after it give a length; else how many bytes the object goes on for,
    and of how many items it consists; and how many items there are for each unit of the length,
    0 when it counts bytes.
    """
    if 0x80 <= first <= 0x8F:
        return 0, 0, 2 * (first & 0x0F), 0
    if 0x90 <= first <= 0x9F:
        return 0, 0, first & 0x0F, 0
    if 0xA0 <= first <= 0xBF:
        return 0, first & 0x1F, 0, 0
    if first in _SIZES:
        return 0, _SIZES[first], 0, 0
    # Else a small number, nil, a boolean; also an extension, at which unpacking stops.
    length_bytes, per_length = _LENGTHS.get(first, (0, 0))
    return length_bytes, 0, 0, per_length


_SIZES: Final = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8} | {
    0xD0 + power: 1 << power for power in range(4)
}
"""By first byte, how many bytes a number goes on for."""

_LENGTHS: Final = {
    # Binaries, texts, lists and maps.
    **{0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0)},
    **{0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)},
    **{0xDC: (2, 1), 0xDD: (4, 1)},
    **{0xDE: (2, 2), 0xDF: (4, 2)},
}
"""By first byte, how many bytes after it give a length, and how many items each unit of it is."""


_encode: Final = Encoder().encode

_HEADS: Final = [_head(first) for first in range(256)]

_NOT_NESTING: Final = bytes(
    first for first, (_, _, items, per_length) in enumerate(_HEADS) if not items and not per_length
)
"""The bytes that begin no list and no map which has anything in it."""

_SHORT: Final = 128
"""Most bytes of a frame that is copied without them before it is followed; an act has half."""

_TEXT: Final = frozenset({str})


def _kinds(messages: object) -> dict[object, Any]:
    return {kind.__struct_config__.tag: kind for kind in get_args(messages)}


_CLIENT: Final[dict[object, type[ClientMessage]]] = _kinds(ClientMessage)
_HOST: Final[dict[object, type[HostMessage]]] = _kinds(HostMessage)
