"""Who says much makes work for nobody else: frames counted, in time that only seems to pass."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from netcode.limits import (
    HOST_LIMITS,
    NETWORK_MS,
    TURN_MS,
    UPDATE_INTERVAL_S,
    Limits,
    Rate,
)
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    ChangeSettings,
    ClientMessage,
    Goodbye,
    Knock,
    Leave,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
    TableMessage,
    TableSettings,
    Welcome,
)
from netcode.server.admission import Admission, AdmissionOutcome
from netcode.server.peers import Peer
from netcode.table.effects import Effect
from tests.support.pretend import hello
from tests.support.shell import NO_LIMITS, ServerNetwork

ADDRESS, OTHER_ADDRESS = "192.0.2.1", "198.51.100.1"


class Somebody:
    """A connection and what has come on it."""

    def __init__(self, network: ServerNetwork, name: str, address: str, **fields: bool) -> None:
        self.network = network
        self.connection, self.plug = network.plug(address)
        self.plug.put(encode(hello(name, **fields)))
        network.wait(0.0)

    def heard(self, kind: type[object]) -> int:
        return sum(isinstance(each, kind) for each in self.messages())

    def messages(self) -> list[object]:
        return [decode_host(frame) for _, what, frame in self.plug.heard if what == "frame"]

    def last_lobby(self) -> Lobby:
        return [each for each in self.messages() if isinstance(each, Lobby)][-1]

    def says_at_once(self, count: int) -> None:
        """Send so many changes of their readiness, faster than anybody looks."""
        for number in range(count):
            self.plug.put(encode(SetReady(ready=number % 2 == 0)))


@contextmanager
def network(limits: Limits) -> Iterator[ServerNetwork]:
    with ServerNetwork(limits=limits) as opened:
        yield opened


def counted(network: ServerNetwork) -> list[TableMessage]:
    """Return where to look for all messages that the table takes in from now on."""
    taken: list[TableMessage] = []
    receive = network.table.receive

    def see(connection: int, message: TableMessage, now: float, network: str = "") -> list[Effect]:
        taken.append(message)
        return receive(connection, message, now, network)

    network.table.receive = see  # type: ignore[method-assign]
    return taken


GATHERED = replace(NO_LIMITS, gather_s=UPDATE_INTERVAL_S)


def test_changes_that_come_fast_are_told_of_together_and_the_first_at_once() -> None:
    with network(GATHERED) as table:
        host = Somebody(table, "anna", ADDRESS)
        watcher = Somebody(table, "wanda", ADDRESS, spectator=True)
        table.wait(1.0)
        before = watcher.heard(Lobby)
        host.plug.put(encode(ChangeSettings(settings=TableSettings(clock_s=1))))
        table.wait(0.01)
        assert watcher.heard(Lobby) == before + 1
        for number in range(200):
            host.plug.put(encode(ChangeSettings(settings=TableSettings(clock_s=number))))
            table.wait(0.005)
        table.wait(UPDATE_INTERVAL_S)
        assert watcher.heard(Lobby) <= before + 1 + 1.1 / UPDATE_INTERVAL_S
        assert watcher.last_lobby().settings.clock_s == 199


def test_what_is_gathered_goes_before_whatever_else_is_said() -> None:
    with network(GATHERED) as table:
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
    """Whoever floods their table from many networks makes only those wait who do."""
    with network(replace(HOST_LIMITS, gather_s=0.0)) as table:
        loud = [Somebody(table, f"n{each}", f"192.0.2.{each}") for each in range(4)]
        quiet = Somebody(table, "anna", OTHER_ADDRESS)
        table.wait(60.0)
        taken = counted(table)
        for each in loud:
            each.says_at_once(200)
        table.wait(5.0)
        rate = HOST_LIMITS.table_frames
        assert len(taken) <= rate.burst + rate.per_s * 5 + 4
        before, at = len(taken), table.now
        quiet.plug.put(encode(SetReady(ready=True)))
        table.wait(0.0)
        assert len(taken) == before + 1
        assert table.now == at


KNOCK = encode(Knock(protocol=PROTOCOL, room="ABC", share=bytes(33)))
"""Of a room that there is not."""


def test_of_many_knocks_from_one_network_few_wait() -> None:
    most = int(NETWORK_MS.burst / TURN_MS)
    with network(replace(NO_LIMITS, network_ms=NETWORK_MS)) as opened:
        plugs = [opened.plug(ADDRESS)[1] for _ in range(100)]
        for plug in plugs:
            plug.put(KNOCK)
        opened.wait(0.0)

        def answers() -> list[str]:
            said = [decode_host(frame) for plug in plugs for _, _, frame in plug.heard]
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

    def see(
        admission: Admission, peer: Peer, message: ClientMessage, now: float
    ) -> AdmissionOutcome:
        judged.append(message)
        return receive(admission, peer, message, now)

    monkeypatch.setattr(Admission, "receive", see)
    pace = Rate(NETWORK_MS.per_s, burst=6 * TURN_MS)
    with network(replace(NO_LIMITS, from_one_address=2, network_ms=pace)) as opened:
        for _ in range(10):
            opened.plug(ADDRESS)[1].put(KNOCK)
            opened.wait(0.0)
        opened.wait(1.0)
        assert len(judged) == 5 + 2
