"""Tests a relay of this program, and the use of its link by a host."""

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting import parts
from driflamme_tui.hosting.host_plans import Host, OpenPlan
from driflamme_tui.hosting.hosted_table import HostedTable
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.hosting.parts import HostParts, OpenPlace, Part, PartKind
from driflamme_tui.wings.relay.open_relay import HostedRelay, open_relay
from engine.texts import ExplainedError
from netcode.server.status import ask_status
from netcode.storage.database import default_path
from netcode.table.snapshot import Location
from netcode.transport.address import Address
from netcode.wings.relay.relay_connection import RelayError
from tests.support.clumsy import NAME, clumsy, installed
from tests.support.kept import stopped
from tests.support.servers import closed_sockets

HERE = Location("127.0.0.1", 0, announced=False)
TABLE = Host(HERE)


async def test_a_relays_link_lasts_until_another_is_wanted() -> None:
    here = OpenPlan(HERE)
    relay = await open_relay(here, print)
    link = relay.link
    assert (await ask_status(relay.relay.port, "driflamme relay"))["hosts"] == 0
    await relay.close()
    here = OpenPlan(replace(HERE, port=link.addresses[0].port))
    relay = await open_relay(here, print)
    assert relay.link == link
    await relay.close()
    relay = await open_relay(here, print, fresh=True)
    assert relay.link.pin == link.pin
    with pytest.raises(RelayError, match="does not know this link any more"):
        await open_table(replace(TABLE, parts={"relay": str(link)}), owned=False)
    await relay.close()


@pytest.mark.parametrize("method", ["start", "open"])
async def test_a_relay_without_a_wanted_part_closes_its_sockets(method: str) -> None:
    kind = PartKind(NAME, lambda record: clumsy(Part, method)())
    with (
        closed_sockets(),
        installed("driflamme_tui", parts=HostParts((kind,))),
        pytest.raises(ExplainedError, match="The optional part clumsy has failed"),
    ):
        await open_relay(OpenPlan(HERE, {NAME: ""}), lambda _sentence: None)


class _Router(Part):
    """A part that adds an external address immediately, and can replace it later."""

    def __init__(self, record: str) -> None:
        self.record = record

    def start(self, listening: Listening) -> None:
        self.listening = listening

    async def open(self, place: OpenPlace) -> None:
        self.place = place
        self.move("198.51.100.10")

    def move(self, host: str) -> None:
        self.listening.port_forwards = {"table": (Address(host, self.place.port),)}
        self.listening.notify_subscribers()


async def test_a_relays_link_has_the_address_that_a_router_lets_others_in_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "part_kinds", lambda: {"router": PartKind("router", _Router)})
    sentences: list[str] = []
    relay = await open_relay(OpenPlan(HERE, {"router": "table"}), sentences.append)
    assert relay.link.addresses[0] == Address("198.51.100.10", relay.port)
    assert not sentences
    router = relay.parts["router"]
    assert isinstance(router, _Router)
    router.move("198.51.100.11")
    assert sentences == [f"The relay's address has changed, and its link with it: {relay.link}"]
    assert relay.link.addresses[0].host == "198.51.100.11"
    await relay.close()


async def test_the_relay_of_a_table_is_used_again_and_may_come_back_later() -> None:
    stopped(default_path(), 5)
    relay = await open_relay(OpenPlan(HERE), print)
    plan = replace(TABLE, parts={"relay": str(relay.link)}, resume=True)
    link = (await closed(plan)).invitations
    again = replace(TABLE, location=Location(), resume=True)
    assert (await closed(again)).invitations == link
    await relay.close()
    sentences: list[str] = []
    table = await closed(again, sentences)
    assert table.invitations == link
    assert ["does not answer" in each for each in sentences] == [True]


async def closed(plan: Host, sentences: list[str] | None = None) -> HostedTable:
    table = await open_table(
        plan, owned=False, notify=print if sentences is None else sentences.append
    )
    await table.close()
    return table


@pytest.mark.parametrize("record", ["x", "99999", "-5", "\u0663", ""])
def test_the_record_of_a_clubs_own_relay_is_a_port(record: str) -> None:
    with pytest.raises(ExplainedError, match=r"The record of the club's own relay is damaged:"):
        HostedRelay(record)
    assert HostedRelay("65535").saved_record() == "65535"
