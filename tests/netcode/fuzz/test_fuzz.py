"""Tests that any bytes cause only typed errors, and that the table stays valid.

The frames are those of real conversations, mutated at random. The ordinary suite tries some ten
thousand; `-m long` tries millions.
"""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from engine.cards import FAMILIES, MAXIMUM_PLAYERS, MAXIMUM_STACKS, ROUNDS
from engine.events import Moved
from engine.game import Deal, Game
from engine.position import Stack
from engine.record import replay
from netcode.client.session import ProtocolError, Session
from netcode.protocol.codec import (
    FROM_CLIENT,
    FROM_HOST,
    CodecError,
    decode_client,
    decode_host,
    encode,
    messages_from_client,
    messages_from_host,
)
from netcode.protocol.fields import MAXIMUM_EVENTS, Message
from netcode.protocol.messages import (
    Clock,
    GameRecord,
    Goodbye,
    Lobby,
    Reason,
    Refused,
    SetReady,
    Start,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import refusal_sentence, sentences
from netcode.protocol.table_settings import TableSettings
from netcode.protocol.wire_events import MOST_INFLUENCE
from netcode.protocol.wire_views import WireView
from tests.netcode.fuzz.frames import attacks, conversations
from tests.support.pretend import Participant, decider, hello, snapshot_of
from tests.support.shell import MOMENT_S, Plug, ServerNetwork

FIELDS: Final = {
    name
    for kind in (*messages_from_client(), *messages_from_host())
    for name in ("type", *kind.__struct_fields__)
}


def judge_client(frame: bytes | str) -> Message | None:
    """Decode a frame as a host does; return its message, or None if it is invalid."""
    return _judged(frame, decode_client)


def judge_host(frame: bytes | str) -> Message | None:
    """Decode a frame as a client does; return its message, or None if it is invalid."""
    message = _judged(frame, decode_host)
    if message is not None:
        assert len(encode(message)) <= FROM_HOST
    return message


_session = Session()


def judge_session(frame: bytes) -> None:
    """Let a seated client receive a frame; assert that an invalid frame changes nothing."""
    global _session
    message = judge_host(frame)
    if message is None:
        return
    before = dict(vars(_session))
    events, talk = list(_session.events), list(_session.talk)
    try:
        _session.receive(message)
    except ProtocolError:
        assert vars(_session) == before
        assert (_session.events, _session.talk) == (events, talk)
        # A client leaves a host that sends an invalid message, so begin a new session.
        _session = Session()
        for known in conversations()[1][:20]:
            _session.receive(decode_host(known))
    for refusal in (_session.refusal, _session.goodbye):
        if refusal is not None:
            assert refusal_sentence(refusal)


def _judged(frame: bytes | str, decode: Callable[[bytes | str], Message]) -> Message | None:
    try:
        message = decode(frame)
    except CodecError as error:
        _judge_refusal(error)
        return None
    assert decode(encode(message)) == message
    return message


def _judge_refusal(error: CodecError) -> None:
    assert error.code in sentences()
    assert refusal_sentence(Reason(code=error.code, values=error.values))
    # An error repeats nothing of the frame, except the name of a known field.
    assert set(error.values) <= {"field"}
    assert error.values.get("field", "type") in FIELDS


MOST_FROM_CLIENT: Final = 16 * 1024
"""Maximum bytes of memory for decoding a frame of a client, with the message."""

MOST_FROM_HOST: Final = 1024 * 1024
"""Maximum bytes of memory for decoding a frame of a host, which may contain the longest game."""

MOST_GROWTH: Final = 16 * 1024 * 1024
"""Maximum bytes by which hundreds of thousands of frames may enlarge caches and the process."""

CLIENTS, HOSTS = 0, 1
"""Indexes in the pair of frame sets: those of clients, and those of hosts."""

Judge = Callable[[bytes], object]

JUDGES = pytest.mark.parametrize(
    ("judge", "whose"),
    [
        pytest.param(judge_client, CLIENTS, id="from a client"),
        pytest.param(judge_session, HOSTS, id="to a session"),
    ],
)


@JUDGES
def test_a_mutated_frame_is_a_message_or_a_typed_error(judge: Judge, whose: int) -> None:
    attack = attacks(1, conversations()[whose])
    for _ in range(1500):
        judge(attack())


@pytest.mark.parametrize(
    ("judge", "whose", "most"),
    [
        pytest.param(judge_client, CLIENTS, MOST_FROM_CLIENT, id="from a client"),
        pytest.param(judge_host, HOSTS, MOST_FROM_HOST, id="from a host"),
    ],
)
def test_reading_a_frame_takes_little_memory(judge: Judge, whose: int, most: int) -> None:
    attack = attacks(2, conversations()[whose])
    longest = FROM_CLIENT if judge is judge_client else FROM_HOST
    assert peak(judge, [attack() for _ in range(200)]) < most
    assert peak(judge, bombs(longest)) < most


def bombs(longest: int) -> list[bytes]:
    """Return frames of the maximum length that announce or contain as much as possible."""
    units = [b"\x90", b"\x91", b"\x80", b"\x81\xa1a", b"\xcb" + bytes(8), b"\xdc\x04\x00"]
    units += [b"\xdd\x00\x00\x04\x00", b"\xdd\xff\xff\xff\xff", b"\xde\x00\x0c"]
    head = b"\x82\xa4type\xa5state\xa6events\xdc" + MAXIMUM_EVENTS.to_bytes(2, "big")
    frames = [(start + unit * longest)[:longest] for start in (head, b"") for unit in units]
    events = (Moved(4, 10, 1, 10, 3, "A", True),) * MAXIMUM_EVENTS
    deep = longest_view()
    game = encode(State(revision=1, view=deep, you=None, first_event=0, events=events))
    assert len(game) <= FROM_HOST
    return [*frames, game[:longest]]


def longest_view() -> WireView:
    """Return a view with lists of the maximum length, and stacks of the maximum height."""
    stack: Stack | None = None
    for _ in range(ROUNDS):
        stack = (4, "A", False, MOST_INFLUENCE, stack)
    assert stack is not None
    view = WireView.of(Game.start(Deal.shuffled(Random(1), FAMILIES)))
    return replace(view, queue=(stack,) * MAXIMUM_STACKS, pools=(MOST_INFLUENCE,) * MAXIMUM_PLAYERS)


def peak(judge: Judge, frames: list[bytes]) -> int:
    """Return the highest memory use while judging one of these frames, in bytes."""
    for frame in frames[:50]:
        judge(frame)
    tracemalloc.start()
    try:
        # Take the smaller of two runs: the interpreter's table of names may grow during one run.
        return max(min(taken(judge, frame) for _ in range(2)) for frame in frames)
    finally:
        tracemalloc.stop()


def taken(judge: Judge, frame: bytes) -> int:
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    judge(frame)
    return tracemalloc.get_traced_memory()[1] - before


ROLES: Final = "stranger", "spectator", "player"
"""The attacker's role: not admitted, a spectator, or a player."""


@pytest.mark.parametrize("role", ROLES)
def test_a_table_stands_what_anybody_sends(role: str) -> None:
    fight(role, seed=1, frames=300)


def fight(role: str, seed: int, frames: int) -> None:
    """Let an attacker send frames during a game, which must finish.

    Refused frames change nothing, and other players notice only the game.
    """
    attack, rng = attacks(seed, conversations()[CLIENTS]), Random(seed)
    settings = TableSettings(pace_ms=0, clock_s=rng.choice((0, 600)), first="r")
    with ServerNetwork(Random(seed), settings=settings) as network:
        honest = [Participant(network, name) for name in ("anna", "bert", "cleo")]
        plug = attacker(network, role)
        key = next((each.key for each in received_by(plug) if isinstance(each, Welcome)), None)
        for each in honest[1:]:
            each.send(SetReady(ready=True))
        honest[0].send(Start())
        for _ in range(frames):
            if plug.ended:
                plug = attacker(network, role, key)
            elif rng.random() < 0.05 and (participant := decider(honest)) is not None:
                participant.act(rng.choice(participant.view().legal).token)
            before, heard = snapshot_of(network.table), len(plug.events)
            asides = [len(each.received) for each in honest]
            plug.put(frame := attack())
            network.wait(MOMENT_S)
            answers = received_by(plug, heard)
            refusals = [each for each in answers if isinstance(each, Refused | Goodbye)]
            assert all(refusal_sentence(each) for each in refusals)
            if judge_client(frame) is None:
                assert refusals
            if refusals and not plug.ended:
                assert snapshot_of(network.table) == before, "what was refused changed something"
            for each, aside in zip(honest, asides, strict=True):
                assert not each.cut_off
                for message in each.received[aside:]:
                    assert isinstance(message, Lobby | State | GameRecord | Clock | Talk)
        plug.cut()
        for _ in range(1000):
            if network.table.games.phase != "playing":
                break
            participant = decider(honest)
            if participant is None:
                # A bot answers for the attacker's seat now, or when the clock runs out.
                network.wait(30)
            else:
                participant.act_somehow()
        record = network.table.record()
        assert network.table.games.phase == "result"
        assert record is not None
        assert len(list(replay(record))) == len(record.actions)


def attacker(network: ServerNetwork, role: str, key: bytes | None = None) -> Plug:
    """Connect the attacker, who joins unless the role is `stranger`; return the connection."""
    plug = network.plug()[1]
    if role != "stranger":
        plug.put(encode(hello("mallory", spectator=role == "spectator", key=key)))
        plug.put(encode(SetReady(ready=True)))
    network.wait(MOMENT_S)
    return plug


def received_by(plug: Plug, since: int = 0) -> list[Message]:
    return [decode_host(frame) for _, what, frame in plug.events[since:] if what == "frame"]


def resident() -> int:
    """Return the memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


only_linux = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="only Linux tells how much memory is taken"
)


@pytest.mark.long
@only_linux
@JUDGES
def test_a_million_mutated_frames_take_no_memory(judge: Judge, whose: int) -> None:
    attack = attacks(3, conversations()[whose])
    for _ in range(100_000):
        judge(attack())
    before = resident()
    for _ in range(900_000):
        judge(attack())
    assert resident() - before < MOST_GROWTH


@pytest.mark.long
@only_linux
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("part", range(4))
def test_tables_stand_a_million_frames(role: str, part: int) -> None:
    before = 0
    for game in range(50):
        fight(role, seed=1000 * part + game, frames=1000)
        if game == 9:
            before = resident()
    assert resident() - before < MOST_GROWTH
