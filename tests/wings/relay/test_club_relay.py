"""A club that is a relay as well, and what a host's program opens by a link."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host, Location, Serve
from driflamme_tui.hosting.open_relay import open_relay
from driflamme_tui.hosting.open_server import Listening
from driflamme_tui.hosting.open_table import open_club, open_table
from netcode.joining.invitation import parse_invitation
from netcode.server.status import ask_status
from netcode.transport.address import Address
from netcode.wings.relay.relay_line import RelayError, RelayLine
from netcode.wings.relay.relay_link import parse_relay_link
from tests.wings.relay.evening import identity

TABLE = Host(bind="127.0.0.1", port=0, announce=False)


async def test_a_club_is_a_relay_too_and_so_are_its_players_led_to() -> None:
    club = await open_club(Serve("127.0.0.1", 0, relay_port=0), print)
    try:
        assert club.relay is not None
        table = await open_table(replace(TABLE, relay=str(club.relay.link)), owned=False)
        assert table.line is not None
        invitation = parse_invitation(table.invitations[0])
        assert invitation.relays == club.relay.link.addresses
        assert club.current_status()["relay"]["hosts"] == 1
        assert await ask_status(club.server.port, "driflamme serve") == club.current_status()
        entry = table.entry
        link = parse_relay_link(club.relay.pass_for(entry))
        line = RelayLine(link, identity("home"), "", lambda dialled, machine: None)
        await line.open()
        assert club.current_status()["relay"]["hosts"] == 2
        await line.close()
        await table.close()
    finally:
        await club.close()


async def test_a_relays_link_lasts_until_another_is_wanted() -> None:
    here = Location("127.0.0.1", 0)
    relay = await open_relay(here, print)
    link = relay.link
    assert (await ask_status(relay.relay.port, "driflamme relay"))["hosts"] == 0
    await relay.close()
    here = replace(here, port=link.addresses[0].port)
    relay = await open_relay(here, print)
    assert relay.link == link
    await relay.close()
    relay = await open_relay(here, print, fresh=True)
    assert relay.link.pin == link.pin
    with pytest.raises(RelayError, match="does not know this link any more"):
        await open_table(replace(TABLE, relay=str(link)), owned=False)
    await relay.close()


class _Router:
    """A way outside that a router opens at once, and moves later."""

    def __init__(
        self, listening: Listening, port: int, *, wanted: object, changed: Callable[[], object]
    ) -> None:
        self.listening, self.changed, self.port = listening, changed, port
        self.error = None

    def addresses(self, what: str) -> tuple[Address, ...]:
        return self.listening.outside

    async def start(self, notify: Callable[[str], None], *, owned: bool) -> None:
        self.move("198.51.100.10")

    def move(self, host: str) -> None:
        self.listening.outside = (Address(host, self.port),)
        self.changed()

    async def close(self) -> None:
        self.listening.outside = ()


async def test_a_relays_link_has_the_address_that_a_router_lets_others_in_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("driflamme_tui.hosting.open_relay.Outside", _Router)
    told: list[str] = []
    relay = await open_relay(Location("127.0.0.1", 0, outside=("table",)), told.append)
    port = relay.relay.port
    assert relay.link.addresses[0] == Address("198.51.100.10", port)
    assert not told
    router: Any = relay.outside
    router.move("198.51.100.11")
    assert told == [f"The relay has another address now, and so its link is another: {relay.link}"]
    assert relay.link.addresses[0].host == "198.51.100.11"
    await relay.close()
