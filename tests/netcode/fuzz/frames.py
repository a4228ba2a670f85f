"""Frames for attacks: those of real conversations, and mutations of them."""

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
    BackToLobby,
    Chat,
    Knock,
    Leave,
    NewInvitation,
    Prove,
    SendAway,
)
from tests.netcode.table.test_refusals import REFUSED
from tests.support.pretend import Participant, decider, hello, playing
from tests.support.servers import CODE, SECRET
from tests.support.wings import modules


@cache
def conversations(games: int = 3) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the distinct frames of clients and of hosts in some whole games.

    The frames of clients include refused requests, and messages before admission.
    """
    said: list[Any] = [*_at_the_door(), *(message for _, _, message, _ in REFUSED)]
    heard: list[bytes] = []
    for seed in range(games):
        rng = Random(seed)
        guests = playing("abc", rng, clock_s=rng.choice((0, 30)), edition=1 + seed % 2)
        guests.append(Participant(guests[0].network, "d", spectator=True))
        guests[3].send(Chat(text="\x1b[2Jhello \u202e there"))
        while (participant := decider(guests)) is not None:
            if rng.random() < 0.1:
                participant.send(Act(number=1, revision=0, action="S>"))
            participant.act(rng.choice(participant.view().legal).token)
        for message in (BackToLobby(), NewInvitation(), SendAway(name="d"), SendAway(name="b")):
            guests[0].send(message)
        said += [act for participant in guests for act in participant.acts]
        heard += [frame for participant in guests for _, frame in participant.frames]
    return tuple(dict.fromkeys(map(encode, said))), tuple(dict.fromkeys(heard))


def _at_the_door() -> list[Any]:
    knocker = SpokenCodeClient(CODE, b"", Random(1).randbytes)
    return [
        hello("somebody", secret=SECRET),
        hello("somebody", secret=bytes(12), key=bytes(32)),
        hello("watcher", spectator=True, secret=SECRET),
        Knock(protocol=PROTOCOL, prefix=knocker.prefix, share=knocker.share),
        Prove(proof=bytes(32)),
        *(message for wing in modules("frames") for message in wing.FROM_CLIENT),
        Leave(),
    ]


def mutated(frame: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Return a mutation of a frame, usually with one change; pieces may come from `others`."""
    for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 2, 3, 8))):
        fields, other = _fields(frame), rng.choice(others)
        at = rng.randrange(len(frame) + 1)
        rest, head = frame[at:], rng.choice(_HEADS)
        if fields and rng.random() < 0.4:
            packed: bytes = msgpack.packb(_other_fields(fields, _fields(other) or {}, rng))
            frame = packed
            continue
        frame = frame[:at] + rng.choice(
            [
                bytes([each ^ 1 << rng.randrange(8) for each in rest[:1]]) + rest[1:],
                rng.randbytes(rng.randrange(1, 5)) + rest,
                rest[rng.randrange(1, 5) :],
                b"",
                rest[: rng.randrange(33)] * rng.randrange(1, 65) + rest,
                other[rng.randrange(len(other) + 1) :],
                head + rest,
                head + rest[len(head) :],
            ]
        )
    return frame


def _other_fields(fields: dict[Any, Any], other: dict[Any, Any], rng: Random) -> dict[Any, Any]:
    """Return the fields after a random change, with values of the other fields or odd ones."""
    name = rng.choice([*fields])
    inner, odd = fields[name], rng.choice(_ODD)
    match rng.randrange(6):
        case 0:
            del fields[name]
        case 1:
            fields[rng.choice(("", "\x1b[2J"))] = fields.pop(name)
        case 2:
            fields |= other | {"type": fields.get("type")}
        case 3:
            fields["type"] = other.get("type")
        case _ if isinstance(inner, dict) and inner:
            fields[name] = {**inner, rng.choice([*inner]): odd}
        case _:
            fields[name] = odd
    return fields


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


def attacks(seed: int, frames: Sequence[bytes]) -> Callable[[], bytes]:
    """Return a function that returns a new frame at each call, usually a mutated one."""
    rng = Random(seed)
    kinds: dict[object, list[bytes]] = {}
    for frame in frames:
        kinds.setdefault((_fields(frame) or {}).get("type"), []).append(frame)
    groups = list(kinds.values())

    def attack() -> bytes:
        return mutated(rng.choice(rng.choice(groups)), rng, frames)

    return attack
