"""Tests the relays to which a host's pass may lead a player's machine."""

import pytest

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.wings.sealed.home_takeover import HomeTakeover
from netcode.joining.invitation import INDIRECT
from netcode.transport.address import Address, parse_addresses
from netcode.transport.certificate import PIN_BYTES
from netcode.wings.relay.messages import RelayPass
from netcode.wings.relay.relay_link import PASS_BYTES, RelayLink
from netcode.wings.sealed.messages import Unannounced


@pytest.mark.parametrize(
    ("sentence", "is_taken"),
    [
        ("relay.example:443", True),
        ("club.example:4000", True),
        ("club.example:22", False),
        ("192.168.1.7:4000", True),
        ("192.168.1.7:22", False),
        ("127.0.0.1:4000", False),
        ("0.0.0.0:4000", False),
        ("other.example", False),
        ("other.example,198.51.100.7", True),
    ],
)
def test_a_hosts_word_leads_to_no_relay_that_one_would_not_call(
    sentence: str, is_taken: bool
) -> None:
    came_by = (Address("club.example"), Address("relay.example", 443))
    home = HomeTakeover(None, "Ada", resumed=False, came_by=came_by)
    link = RelayLink(parse_addresses(sentence), bytes(PIN_BYTES), bytes(PASS_BYTES))
    home.take_notice(RelayPass(str(link)), "8.8.8.8")
    assert home.allows("8.8.8.8") is is_taken
    assert "other" not in str(home._records)


@pytest.mark.parametrize("towards", ["8.8.8.8", ""])
async def test_where_only_a_relay_leads_here_nobody_else_can_call(towards: str) -> None:
    came_by = (Address("relay.example", 443),)
    home = HomeTakeover(None, "Ada", resumed=False, came_by=came_by)
    link = RelayLink(came_by, bytes(PIN_BYTES), bytes(PASS_BYTES))
    home.take_notice(RelayPass(str(link)), towards)
    home_relay = await home.open(towards)
    assert home_relay is not None
    assert home_relay.addresses == (f"{INDIRECT}relay.example:443",)
    assert [each.host for each in home_relay.server.addresses] == [LOOPBACK]
    await home.close()


def test_a_notice_of_another_kind_leaves_the_pass() -> None:
    came_by = (Address("relay.example", 443),)
    home = HomeTakeover(None, "Ada", resumed=False, came_by=came_by)
    link = RelayLink(came_by, bytes(PIN_BYTES), bytes(PASS_BYTES))
    home.take_notice(RelayPass(str(link)), "8.8.8.8")
    home.take_notice(Unannounced(), "8.8.8.8")
    assert home.allows("8.8.8.8")
