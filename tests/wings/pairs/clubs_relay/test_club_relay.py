"""Tests a club that is also a relay."""

from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host, OpenPlan
from driflamme_tui.hosting.open_table import open_table
from driflamme_tui.wings.clubs.open_club import open_club
from driflamme_tui.wings.relay.open_relay import HostedRelay
from netcode.joining.invitation import parse_invitation
from netcode.server.status import ask_status
from netcode.table.snapshot import Location
from netcode.wings.relay.relay_connection import RelayConnection
from netcode.wings.relay.relay_link import parse_relay_link
from tests.support.servers import identity

HERE = Location("127.0.0.1", 0, announced=False)
TABLE = Host(HERE)


async def test_a_club_is_a_relay_too_and_so_are_its_players_led_to() -> None:
    club = await open_club(OpenPlan(HERE, {"own_relay": "0"}), print)
    try:
        part = club.parts["own_relay"]
        assert isinstance(part, HostedRelay)
        relay = part.relay
        assert relay is not None
        records = {"relay": str(relay.link)}
        table = await open_table(replace(TABLE, parts=records), owned=False)
        invitation = parse_invitation(table.invitations[0])
        assert invitation.indirect == relay.link.addresses
        assert club.current_status()["relay"]["hosts"] == 1
        assert await ask_status(club.server.port, "driflamme serve") == club.current_status()
        entry = table.entry
        link = parse_relay_link(relay.pass_for(entry))
        connection = RelayConnection(link, identity("home"), "", lambda dialled, machine: None)
        await connection.open()
        assert club.current_status()["relay"]["hosts"] == 2
        await connection.close()
        await table.close()
    finally:
        await club.close()
