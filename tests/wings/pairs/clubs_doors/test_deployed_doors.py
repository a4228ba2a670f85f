"""Tests the doors of a club in a container."""

from netcode.transport.address import DEFAULT_PORT
from tests.wings.clubs.test_deployment import PORTS, documented, instructions


def test_the_image_offers_the_doors_of_a_club() -> None:
    assert {"--ssh", "--web"} == {*PORTS}
    exposed = dict(instructions())["EXPOSE"].split()
    assert exposed == [*map(str, (DEFAULT_PORT, *PORTS.values()))]
    assert [line for _ports, line in documented() if {*PORTS} <= {*line}]
