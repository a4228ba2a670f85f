"""Frames to attack with: those of real conversations, and what can become of them."""

import struct
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Final

import msgpack

from netcode.joining.spoken_code import SpokenCodeClient
from netcode.protocol.codec import encode
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    AskLeague,
    BackToLobby,
    Chat,
    Knock,
    Leave,
    NewInvitation,
    OpenTable,
    Prove,
    SendAway,
)
from netcode.protocol.table_settings import TableSettings
from tests.netcode.table.test_refusals import REFUSED
from tests.support.pretend import Participant, asked, hello, playing
from tests.support.rooms import CODE, SECRET

NUMBERS: Final = 1 << 32
"""Below which the numbers are that say where in a frame something becomes of it, and what."""


@cache
def conversations(games: int = 3) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return frames of clients and of hosts, each once: of all kinds, and of some whole games."""
    said: list[Any] = [*_at_the_door(), *(message for _, _, message, _ in REFUSED)]
    heard: list[bytes] = []
    for seed in range(games):
        rng = Random(seed)
        guests = playing("abc", rng, clock_s=rng.choice((0, 30)), edition=1 + seed % 2)
        guests.append(Participant(guests[0].network, "d", spectator=True))
        guests[3].say(Chat(text="\x1b[2Jhello \u202e there"))
        while (participant := asked(guests)) is not None:
            if rng.random() < 0.1:
                participant.say(Act(number=1, revision=0, action="S>"))
            participant.act(rng.choice(participant.view().legal).token)
        for message in (BackToLobby(), NewInvitation(), SendAway(name="d"), SendAway(name="b")):
            guests[0].say(message)
        said += [act for participant in guests for act in participant.acts]
        heard += [frame for participant in guests for _, frame in participant.frames]
    return tuple(dict.fromkeys(map(encode, said))), tuple(dict.fromkeys(heard))


def _at_the_door() -> list[Any]:
    knocker = SpokenCodeClient(CODE, b"", Random(1).randbytes)
    return [
        hello("somebody", secret=SECRET),
        hello("somebody", secret=bytes(12), key=bytes(32)),
        hello("watcher", spectator=True, secret=SECRET),
        Knock(protocol=PROTOCOL, room=knocker.room, share=knocker.share),
        Prove(proof=bytes(32)),
        OpenTable(settings=TableSettings()),
        AskLeague(season=8107),
        Leave(),
    ]


# Mutations


def mutated(frame: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Return what becomes of a frame, by one change most often; `others` lend pieces."""
    for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 2, 3, 8))):
        frame = rng.choice(_WAYS)(frame, rng.randrange(NUMBERS), rng.randrange(NUMBERS), others)
    return frame


Way = Callable[[bytes, int, int, Sequence[bytes]], bytes]


def _flip(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    if not frame:
        return frame
    at = where % len(frame)
    return frame[:at] + bytes([frame[at] ^ 1 << value % 8]) + frame[at + 1 :]


def _replace(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    at = where % (len(frame) + 1)
    return frame[:at] + bytes([value % 256]) + frame[at + 1 :]


def _insert(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    at = where % (len(frame) + 1)
    return frame[:at] + value.to_bytes(8, "big")[-1 - value % 4 :] + frame[at:]


def _remove(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    at = where % (len(frame) + 1)
    return frame[:at] + frame[at + 1 + value % 4 :]


def _cut_off(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    return frame[: where % (len(frame) + 1)]


def _repeat(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    at = where % (len(frame) + 1)
    piece = frame[at : at + 1 + value % 32]
    return frame[:at] + piece * (1 + value % 64) + frame[at:]


def _splice(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    other = others[value % len(others)]
    return frame[: where % (len(frame) + 1)] + other[value % (len(other) + 1) :]


def _put_head(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    """Put something in that begins a text, a list, a map or an extension, often a huge one."""
    at = where % (len(frame) + 1)
    head = _HEADS[value % len(_HEADS)]
    return frame[:at] + head + frame[at + (len(head) if value % 2 else 0) :]


def _put_value(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    """Give a field another value."""
    fields = _fields(frame)
    if not fields:
        return frame
    name = list(fields)[where % len(fields)]
    inner = fields[name]
    if isinstance(inner, dict) and inner and value % 3:
        deeper = list(inner)[value % len(inner)]
        fields[name] = {**inner, deeper: _ODD[value % len(_ODD)]}
    else:
        fields[name] = _ODD[value % len(_ODD)]
    return _packed(fields)


def _rename(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    """Take a field away, or call it something else, or add one of another frame."""
    fields = _fields(frame)
    if not fields:
        return frame
    name = list(fields)[where % len(fields)]
    match value % 3:
        case 0:
            del fields[name]
        case 1:
            fields["\x1b[2J"[: value % 5]] = fields.pop(name)
        case _:
            fields |= _fields(others[value % len(others)]) or {}
            fields["type"] = (_fields(frame) or {}).get("type")
    return _packed(fields)


def _retype(frame: bytes, where: int, value: int, others: Sequence[bytes]) -> bytes:
    """Say that a frame is one of another kind."""
    fields, other = _fields(frame), _fields(others[value % len(others)])
    if not fields or not other:
        return frame
    return _packed({**fields, "type": other.get("type")})


_WAYS: Final[tuple[Way, ...]] = (
    *(_flip, _replace, _insert, _remove, _cut_off, _repeat, _splice, _put_head),
    *(_put_value, _put_value, _put_value, _rename, _retype),
)

_HEADS: Final = [
    *(bytes([first]) for first in range(0x80, 0x100)),
    *(bytes([first]) + b"\xff" * 4 for first in range(0xC0, 0xE0)),
    *(bytes([first]) + b"\x00\x00\x04\x00" for first in (0xC6, 0xC9, 0xDB, 0xDD, 0xDF)),
    *(head * 300 for head in (b"\x91", b"\x81\xa1a", b"\xdd\x00\x00\x00\x01", b"\xdc\x00\x01")),
    *(bytes([0xD4 + size, 0xFF]) for size in range(5)),
]

_ODD: Final[Sequence[object]] = [
    *(None, True, False, 0, 1, -1, 2, 255, 65_535, 2**31 - 1, 2**31, 2**63, -(2**63), 2**64 - 1),
    *(0.0, 1.0, -0.0, 1e308, float("inf"), float("nan")),
    *("", " ", "x", "x" * 20, "x" * 21, "x" * 200, "x" * 201, "x" * 1000, "\x00", "\x1b[2J"),
    *("\u202e", "a\u0301" * 10, "\U0001d573" * 200, "\ufeff", "é", "\u0130", "r", "b", "S>", "1>2"),
    *("random", "steady", "wait", "remove", "hello", "act", "start", "chat", "K7Q", "K7QF2MXR"),
    *(b"", b"\x00", bytes(11), bytes(12), SECRET, bytes(32), bytes(33), b"\xff" * 33, bytes(1000)),
    *([], [[]], [1] * 50, {}, {"a": 1}, {"type": "start"}, {"": {}}, [{"a": [{}]}]),
    {"edition": 1, "pace_ms": 0},
    msgpack.Timestamp(0),
    msgpack.ExtType(1, b"x"),
]


def _fields(frame: bytes) -> dict[Any, Any] | None:
    try:
        fields = msgpack.unpackb(frame, strict_map_key=False)
    except (ValueError, msgpack.UnpackException, struct.error, TypeError):
        return None
    return fields if isinstance(fields, dict) else None


def _packed(fields: dict[Any, Any]) -> bytes:
    packed: bytes = msgpack.packb(fields)
    return packed


def attacks(seed: int, frames: Sequence[bytes]) -> Callable[[], bytes]:
    """Return what gives one frame after the other, without end: most of them mutated.

    Each kind of message comes as often as any other, and now and then one is as it was.
    """
    rng = Random(seed)
    kinds: dict[object, list[bytes]] = {}
    for frame in frames:
        kinds.setdefault((_fields(frame) or {}).get("type"), []).append(frame)
    groups = list(kinds.values())

    def attack() -> bytes:
        return mutated(rng.choice(rng.choice(groups)), rng, frames)

    return attack
