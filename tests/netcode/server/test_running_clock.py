"""A host that was stopped for a while: everybody has their time anew, and nobody is cut off."""

from collections.abc import Iterator

import pytest

from netcode.limits import HELLO_TIMEOUT_S, SEND_TIMEOUT_S
from netcode.table.people.absence import AWAY_GRACE_S
from tests.netcode.server.test_hostile_clients import network_of, playing
from tests.support.pretend import Participant, aways, tokens
from tests.support.shell import MOMENT_S, ServerNetwork


class Stoppable:
    """A host with a game at its table, which can be stopped as by SIGSTOP."""

    def __init__(self) -> None:
        self.guests: list[Participant] = playing("abcd", settings={"pace_ms": 0, "clock_s": 60})
        self.network: ServerNetwork = network_of(self.guests)
        self.network.loop.call_soon(self._begin)
        self.network.wait(10.0)

    def _begin(self) -> None:
        server = self.network.server
        server._spawn(server._sweep())

    def stop(self, seconds: float) -> None:
        """Let time pass in which the host does nothing."""
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


def test_who_reads_slowly_is_not_cut_off(host: Stoppable) -> None:
    first, *_, slow = host.guests
    plug = host.network.plugs[slow.connection]
    plug.stalled = True
    first.act_somehow()
    host.network.wait(SEND_TIMEOUT_S / 2)
    host.stop(600)
    assert not slow.cut_off
    plug.go_on()
    host.network.wait(SEND_TIMEOUT_S)
    assert not slow.cut_off
    assert slow.session.revision == host.network.table.games.revision


def test_who_does_not_read_at_all_is_cut_off_in_the_end(host: Stoppable) -> None:
    first, *_, slow = host.guests
    host.network.plugs[slow.connection].stalled = True
    first.act_somehow()
    host.stop(600)
    host.network.wait(SEND_TIMEOUT_S + 2)
    assert slow.cut_off
