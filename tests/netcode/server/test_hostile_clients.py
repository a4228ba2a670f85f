"""Tests hostile clients before and after admission: their limits, and effects on other clients.

The server is real; connections are pretended, without a clock. `test_hostile_sockets.py` has
attacks that need sockets.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from netcode.limits import (
    HELLO_TIMEOUT_S,
    HOST_LIMITS,
    MAXIMUM_STRIKES,
    NETWORK_MS,
    TURN_MS,
    UPDATE_INTERVAL_S,
    Limits,
    Rate,
)
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    ChangeSettings,
    Goodbye,
    Knock,
    Leave,
    Lobby,
    Pause,
    Refused,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.server.admission import Admission, AdmissionOutcome
from netcode.server.peers import Peer
from netcode.table.effects import Effect
from netcode.table.people.absence import AWAY_GRACE_S
from netcode.transport.address import guest_address
from tests.support.pretend import Participant, aways, hello, tokens
from tests.support.servers import SECRET
from tests.support.shell import MOMENT_S, NO_LIMITS, Plug, ServerNetwork


@pytest.fixture(autouse=True)
def _all_ends_well(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close each network of a test after the test."""
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
    """Return players of a new game; the first is the host, and answers first."""
    settings = TableSettings(first="r", **options.pop("settings", {}))
    network = ServerNetwork(Random(1), settings=settings, **options)
    guests = [Participant(network, name) for name in names]
    for participant in guests[1:]:
        participant.send(SetReady(ready=True))
    guests[0].send(Start())
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
        guests[0].send(Pause(paused=True))
        guests[0].send(Pause(paused=False))
    bot_runner = network.server._bot_runner
    assert len(bot_runner._answering) == 1
    network.wait(601)
    assert len(tokens(guests[0])) == 1


# Before admission


def test_after_the_goodbye_nothing_counts() -> None:
    """A client that ignores the end of its connection cannot try again on it."""
    network = ServerNetwork(is_open=False)
    _, plug = network.plug()

    async def never_ends(code: int = 1000) -> None:
        pass

    plug.close = never_ends  # type: ignore[method-assign]
    for _ in range(MAXIMUM_STRIKES):
        plug.put(encode(hello("mallory", secret=bytes(12))))
    plug.put(encode(hello("mallory", secret=SECRET)))
    network.wait(1)
    assert decode_host(plug.events[-1][2]) == Goodbye(code="too_many_bad_messages")
    assert network.table.participants.names == ()


# Many connections


def from_there(network: ServerNetwork, address: str) -> Plug:
    """Return a connection from an address, which sends nothing."""
    return network.plug(address)[1]


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
    assert late.events[-1][1] == "closed with 1013"
    assert all(not participant.cut_off for participant in guests)
    guests[2].drop()
    assert not from_there(network, "192.0.2.1").ended


def test_whoever_a_relay_says_has_come_counts_against_the_relay_alone() -> None:
    network = ServerNetwork(limits=Limits(connections=12, from_one_address=3))
    honest, relay = "198.51.100.1", "relay.example"
    direct = [from_there(network, honest) for _ in range(2)]
    named = [from_there(network, guest_address(honest, relay)) for _ in range(20)]
    assert sum(not each.ended for each in named) == 3, "among the relay's own guests"
    made_up = [from_there(network, guest_address(f"10.0.0.{each}", relay)) for each in range(40)]
    assert sum(not each.ended for each in named + made_up) == 6, "half of the places"
    direct.append(from_there(network, honest))
    others = [from_there(network, f"192.0.2.{number}") for number in range(5)]
    assert not any(each.ended for each in direct + others), "relayed strangers made room"
    late = from_there(network, guest_address("203.0.113.1", relay))
    assert not any(each.ended for each in direct + others)
    assert not late.ended, "it took the place of another of the relay's"


def test_a_guest_of_a_relay_takes_the_place_of_no_direct_stranger() -> None:
    network = ServerNetwork(limits=Limits(connections=4, from_one_address=100))
    direct = [from_there(network, f"192.0.2.{number}") for number in range(4)]
    late = from_there(network, guest_address("203.0.113.1", "relay.example"))
    assert late.ended
    assert not any(each.ended for each in direct)


# Floods, counted in frames, in simulated time

ADDRESS, OTHER_ADDRESS = "192.0.2.1", "198.51.100.1"


class Somebody:
    """A connection, and the messages that it received."""

    def __init__(self, network: ServerNetwork, name: str, address: str, **fields: bool) -> None:
        self.network = network
        self.connection, self.plug = network.plug(address)
        self.plug.put(encode(hello(name, **fields)))
        network.wait(0.0)

    def count_received(self, kind: type[object]) -> int:
        return sum(isinstance(each, kind) for each in self.messages())

    def messages(self) -> list[object]:
        return [decode_host(frame) for _, what, frame in self.plug.events if what == "frame"]

    def last_lobby(self) -> Lobby:
        return [each for each in self.messages() if isinstance(each, Lobby)][-1]

    def send_at_once(self, count: int) -> None:
        """Change the readiness many times in a row."""
        for number in range(count):
            self.plug.put(encode(SetReady(ready=number % 2 == 0)))


def counted(network: ServerNetwork) -> list[Message]:
    """Return a list to which the table's messages are added as the table handles them."""
    taken: list[Message] = []
    receive = network.table.receive

    def see(
        connection: int, message: Message, now: float, network: str = "", port: int = 0
    ) -> list[Effect]:
        taken.append(message)
        return receive(connection, message, now, network, port)

    network.table.receive = see  # type: ignore[method-assign]
    return taken


GATHERED = replace(NO_LIMITS, gather_s=UPDATE_INTERVAL_S)


def test_changes_that_come_fast_are_told_of_together_and_the_first_at_once() -> None:
    table = ServerNetwork(limits=GATHERED)
    host = Somebody(table, "anna", ADDRESS)
    watcher = Somebody(table, "wanda", ADDRESS, spectator=True)
    table.wait(1.0)
    before = watcher.count_received(Lobby)
    host.plug.put(encode(ChangeSettings(settings=TableSettings(clock_s=1))))
    table.wait(0.01)
    assert watcher.count_received(Lobby) == before + 1
    for number in range(200):
        host.plug.put(encode(ChangeSettings(settings=TableSettings(clock_s=number))))
        table.wait(0.005)
    table.wait(UPDATE_INTERVAL_S)
    assert watcher.count_received(Lobby) <= before + 1 + 1.1 / UPDATE_INTERVAL_S
    assert watcher.last_lobby().settings.clock_s == 199


def test_what_is_gathered_goes_before_whatever_else_is_said() -> None:
    table = ServerNetwork(limits=GATHERED)
    host = Somebody(table, "anna", ADDRESS)
    for message in (AddBot(bot="random"), AddBot(bot="random"), Start(), Leave()):
        host.plug.put(encode(message))
    table.wait(0.05)
    kinds = [type(each) for each in host.messages()]
    assert kinds[:4] == [Welcome, Lobby, Lobby, State]
    assert kinds[-1] is Goodbye
    lobbies = [each for each in host.messages() if isinstance(each, Lobby)]
    assert [each.phase for each in lobbies[:2]] == ["lobby", "playing"]


def test_one_table_is_listened_to_at_a_pace_and_who_says_little_at_once() -> None:
    """A flood at one table from many networks delays only the flooding clients."""
    table = ServerNetwork(limits=replace(HOST_LIMITS, gather_s=0.0))
    loud = [Somebody(table, f"n{each}", f"192.0.2.{each}") for each in range(4)]
    quiet = Somebody(table, "anna", OTHER_ADDRESS)
    table.wait(60.0)
    taken = counted(table)
    for each in loud:
        each.send_at_once(200)
    table.wait(5.0)
    rate = HOST_LIMITS.table_frames
    assert len(taken) <= rate.burst + rate.per_s * 5 + 4
    before, at = len(taken), table.now
    quiet.plug.put(encode(SetReady(ready=True)))
    table.wait(0.0)
    assert len(taken) == before + 1
    assert table.now == at


KNOCK = encode(Knock(protocol=PROTOCOL, prefix="ABC", share=bytes(33)))


def test_of_many_knocks_from_one_network_few_wait() -> None:
    most = int(NETWORK_MS.burst / TURN_MS)
    opened = ServerNetwork(limits=replace(NO_LIMITS, network_ms=NETWORK_MS))
    plugs = [from_there(opened, ADDRESS) for _ in range(100)]
    for plug in plugs:
        plug.put(KNOCK)
    opened.wait(0.0)

    def answers() -> list[str]:
        said = [decode_host(frame) for plug in plugs for _, _, frame in plug.events]
        return [each.code for each in said if isinstance(each, Refused)]

    at_once = answers().count("wrong_code")
    assert 0 < at_once <= most
    waiting = len(plugs) - len(answers())
    assert 0 < waiting <= most
    assert answers().count("too_many_knocks") == len(plugs) - at_once - waiting
    opened.wait(NETWORK_MS.burst / NETWORK_MS.per_s + 0.1)
    assert answers().count("wrong_code") == at_once + waiting


def test_who_had_to_make_room_while_waiting_is_not_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[object] = []
    receive = Admission.receive

    def see(admission: Admission, peer: Peer, message: Message, now: float) -> AdmissionOutcome:
        judged.append(message)
        return receive(admission, peer, message, now)

    monkeypatch.setattr(Admission, "receive", see)
    pace = Rate(NETWORK_MS.per_s, burst=6 * TURN_MS)
    opened = ServerNetwork(limits=replace(NO_LIMITS, from_one_address=2, network_ms=pace))
    for _ in range(10):
        from_there(opened, ADDRESS).put(KNOCK)
        opened.wait(0.0)
    opened.wait(1.0)
    assert len(judged) == 5 + 2


class Stoppable:
    """A host in a game, which a test can stop as SIGSTOP does."""

    def __init__(self) -> None:
        self.guests: list[Participant] = playing("abcd", settings={"pace_ms": 0, "clock_s": 60})
        self.network: ServerNetwork = network_of(self.guests)
        self.network.loop.call_soon(self._begin)
        self.network.wait(10.0)

    def _begin(self) -> None:
        server = self.network.server
        server._spawn(server._sweep())

    def stop(self, seconds: float) -> None:
        """Let time pass while the host is stopped."""
        self.network.loop._now += seconds
        self.network.wait(MOMENT_S)


@pytest.fixture
def host() -> Iterator[Stoppable]:
    host = Stoppable()
    with host.network:
        yield host


def test_who_was_about_to_say_hello_still_may(host: Stoppable) -> None:
    _, plug = host.network.plug()
    host.network.wait(HELLO_TIMEOUT_S / 2)
    host.stop(600)
    assert not plug.ended
    host.network.wait(HELLO_TIMEOUT_S / 2 - 2)
    assert not plug.ended
    host.network.wait(4)
    assert plug.ended


def test_who_is_away_is_waited_for_as_if_nothing_had_been(host: Stoppable) -> None:
    first, second, *_ = host.guests
    first.drop()
    host.network.wait(AWAY_GRACE_S / 2)
    host.stop(600)
    host.network.wait(AWAY_GRACE_S / 2 - 2)
    assert tokens(second) == ()
    assert aways(second).startswith("r:grace")
    host.network.wait(4)
    assert len(tokens(second)) == 1


def test_a_decision_has_all_its_time(host: Stoppable) -> None:
    first, *_ = host.guests
    host.stop(600)
    host.network.wait(40)
    assert tokens(first) == ()
    host.network.wait(12)
    assert len(tokens(first)) == 1
