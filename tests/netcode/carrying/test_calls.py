"""Where a player's program calls at the word of another."""

from netcode.carrying.calls import callable_at

FAR = ("192.168.1.7:11214", "[2001:db8::7]:4000")
LOOPBACK = ("127.0.0.1:4000", "[::1]:4000", "[::ffff:127.0.0.1]:4000")
LINK_LOCAL = ("169.254.1.1:4000", "[fe80::1]:4000")
NEVER = ("table.example:4000", "192.168.1.7:22", "0.0.0.0:4000", "[ff02::1]:4000", "nonsense:", "")


def test_no_names_no_own_services_and_no_neighbours_by_cable() -> None:
    everything = (*FAR, *LOOPBACK, *LINK_LOCAL, *NEVER)
    assert callable_at(everything, ("192.168.1.2:4000", "")) == FAR
    assert callable_at(everything, ("127.0.0.1",)) == (*FAR, *LOOPBACK)
    assert callable_at(everything, ("169.254.1.2:4000",)) == (*FAR, *LINK_LOCAL)
