"""Tests the findings of `driflamme doctor` about connections from other homes."""

import pytest

from driflamme_tui.wings.router.checks import check_outside
from netcode.transport.address import Address
from netcode.wings.router.routers import NO_ADDRESS, OutsideError


@pytest.mark.parametrize(
    ("own", "outside", "error", "level", "said"),
    [
        (["192.168.1.20"], (), None, "hint", "cannot join yet: --outside asks"),
        (["198.51.100.7"], (), None, "hint", "can join if no firewall blocks TCP port 11214"),
        (
            ["192.168.1.20", "2001:db8::7"],
            (),
            OutsideError(NO_ADDRESS),
            "hint",
            "second router is between",
        ),
        (["192.168.1.20"], (Address("198.51.100.10", 4000),), None, "fine", "at 198.51.100.10"),
    ],
)
def test_it_is_said_whether_friends_in_other_homes_can_come_in(
    own: list[str],
    outside: tuple[Address, ...],
    error: OutsideError | None,
    level: str,
    said: str,
) -> None:
    found = check_outside(own, outside, error)
    assert (found.check, found.level) == ("outside", level)
    assert said in found.text


def test_a_missing_library_for_upnp_is_named() -> None:
    found = check_outside(["192.168.1.20"], has_upnp=False)
    assert found.level == "hint"
    assert "knows only UPnP cannot let" in found.text
    assert "Without async-upnp-client" in found.text
