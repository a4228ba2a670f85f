"""Clients that mean ill, at the door and at a table: what they get, and what others notice.

Behind the real server, over pretended connections and without a clock; what only sockets can do
is in `test_hostile_sockets.py`.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgpack
import pytest

from netcode.limits import (
    MAXIMUM_STRIKES,
    OUTBOX_MESSAGES,
    SEND_TIMEOUT_S,
    Limits,
)
from netcode.protocol.codec import encode
from netcode.protocol.messages import (
    Chat,
    Pause,
    SetReady,
    Start,
    TableSettings,
)
from netcode.table.people.absence import AWAY_GRACE_S
from tests.support.pretend import Participant, asked, hello, play_on, tokens
from tests.support.rooms import SECRET
from tests.support.shell import ServerNetwork


@pytest.fixture(autouse=True)
def _all_ends_well(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the networks of a test behind it."""
    networks: list[ServerNetwork] = []
    begin = ServerNetwork.__init__

    def remembered(self: ServerNetwork, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        networks.append(self)

    monkeypatch.setattr(ServerNetwork, "__init__", remembered)
    yield
    for network in networks:
        with network:
            pass


def playing(names: str = "abc", **options: Any) -> list[Participant]:
    """Return persons in a game that has just begun; the first is the host, and asked first."""
    settings = TableSettings(first="r", **options.pop("settings", {}))
    network = ServerNetwork(Random(1), settings=settings, **options)
    guests = [Participant(network, name) for name in names]
    for participant in guests[1:]:
        participant.say(SetReady(ready=True))
    guests[0].say(Start())
    return guests


def network_of(guests: Sequence[Participant]) -> ServerNetwork:
    network = guests[0].network
    assert isinstance(network, ServerNetwork)
    return network


# Pauses


def test_a_host_who_toggles_a_pause_leaves_one_question_to_a_bot() -> None:
    guests = playing("abc", settings={"clock_s": 600})
    network = network_of(guests)
    for _ in range(50):
        guests[0].say(Pause(paused=True))
        guests[0].say(Pause(paused=False))
    bot_runner = network.server._bot_runner
    assert len(bot_runner._scheduled) == 1
    network.wait(601)
    assert len(tokens(guests[0])) == 1


# Slow readers


def test_who_stops_reading_is_let_go_and_comes_back_to_their_seat() -> None:
    guests = playing("abcd", settings={"pace_ms": 0})
    network, slow, others = network_of(guests), guests[3], guests[:3]
    plug = network.plugs[slow.connection]
    plug.stalled = True
    heard = len(slow.received)
    (peer,) = [each for each in network.server._peers if each.channel is plug]
    for number in range(200):
        participant = asked(others)
        if participant is None:
            break
        participant.act_somehow()
        others[number % 3].say(Chat(text=f"line {number}"))
        assert len(peer._outbox._waiting) <= 4, "of each kind of message one waits"
    assert len(slow.received) == heard
    network.wait(SEND_TIMEOUT_S)
    assert slow.cut_off
    network.wait(AWAY_GRACE_S + 1)
    done = len(tokens(guests[0]))
    play_on(others, 3)
    assert len(tokens(guests[0])) > done, "the game goes on without them"
    slow.come_back()
    assert slow.session.family == "y"
    assert slow.session.revision == network.table.games.revision


def test_who_asks_without_reading_is_cut_off() -> None:
    guests = playing("abc")
    network, mallory = network_of(guests), guests[2]
    network.plugs[mallory.connection].stalled = True
    for _ in range(OUTBOX_MESSAGES + 1):
        network.say(mallory.connection, Start())
    assert mallory.cut_off
    assert not guests[0].cut_off


# At the door


def test_after_the_goodbye_nothing_counts() -> None:
    """Whoever does not agree to the end of the connection has no more tries for it."""
    network = ServerNetwork(is_open=False)
    _, plug = network.plug()

    async def never_ends(code: int = 1000) -> None:
        pass

    plug.close = never_ends  # type: ignore[method-assign]
    for _ in range(MAXIMUM_STRIKES):
        plug.put(encode(hello("mallory", secret=bytes(12))))
    plug.put(encode(hello("mallory", secret=SECRET)))
    network.wait(1)
    assert sent(plug)[-1] == {"type": "goodbye", "code": "too_many_bad_messages", "values": {}}
    assert network.table.participants.names == ()


def sent(plug: Any) -> list[dict[str, Any]]:
    """Return what the host has sent on a connection."""
    return [msgpack.unpackb(frame) for _, how, frame in plug.heard if how == "frame"]


# Crowds


def from_there(network: ServerNetwork, address: str) -> Any:
    """Connect from an address, without saying anything."""
    _, plug = network.plug(address)
    return plug


def test_strangers_take_each_others_places_only() -> None:
    limits = Limits(connections=6, from_one_address=100)
    network = ServerNetwork(limits=limits)
    guests = [Participant(network, name) for name in "abc"]
    strangers = [from_there(network, f"192.0.2.{number}") for number in range(20)]
    assert [each.ended for each in strangers] == [True] * 17 + [False] * 3
    assert all(not participant.cut_off for participant in guests)
    late = Participant(network, "late")
    assert late.session.family == "y"
    assert strangers[17].ended


def test_a_crowd_from_one_network_takes_no_place_of_another() -> None:
    limits = Limits(connections=10, from_one_address=3)
    network = ServerNetwork(limits=limits)
    neighbour = from_there(network, "198.51.100.1")
    strangers = [from_there(network, f"2001:db8::{number:x}") for number in range(1, 20)]
    assert sum(not each.ended for each in strangers) == 3
    assert not neighbour.ended


def test_when_all_places_are_of_those_who_belong_there_nobody_else_comes_in() -> None:
    network = ServerNetwork(limits=Limits(connections=3, from_one_address=100))
    guests = [Participant(network, name) for name in "abc"]
    late = from_there(network, "192.0.2.1")
    assert late.heard[-1][1] == "closed with 1013"
    assert all(not participant.cut_off for participant in guests)
    guests[2].drop()
    assert not from_there(network, "192.0.2.1").ended
