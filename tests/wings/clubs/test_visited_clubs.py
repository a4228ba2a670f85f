"""Tests the list of clubs that the start screen remembers."""

from typing import Any

import pytest

from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_parts import Journey
from driflamme_tui.seat.targets import ResolvedTarget
from driflamme_tui.wings.clubs.seat_parts import ClubVisit
from driflamme_tui.wings.clubs.visited_clubs import CLUBS
from netcode.client.session import Session
from netcode.protocol.messages import Goodbye, Refused
from netcode.transport.address import Address
from netcode.wings.clubs.messages import Club

CLUB = Club(tables=())


async def unreachable() -> Any:
    raise ConnectionRefusedError


def visit(addresses: tuple[Address, ...] = ()) -> tuple[ClubVisit, Session]:
    secret = bytes(16)
    session = Session(secret=secret)
    target = ResolvedTarget(unreachable, secret, "the link", "4af0", None, addresses)
    return ClubVisit(Journey(PlayerSeat(session, "Bea"), unreachable, target)), session


def test_a_club_is_remembered_once_it_has_sent_its_tables() -> None:
    part, _ = visit((Address("club.example", 7777), Address("192.0.2.7", 7777)))
    part.receive(Refused(code="too_many_asked"))
    assert CLUBS.latest() == {}
    part.receive(CLUB)
    (place, seen), *others = CLUBS.latest().items()
    assert (place, seen.host, seen.typed, others) == ("4af0", "club.example:7777", "the link", [])


@pytest.mark.parametrize("code", ["no_such_table", "invitation_renewed"])
@pytest.mark.parametrize("kind", [Refused, Goodbye])
def test_a_club_whose_link_has_become_invalid_is_forgotten(kind: type[Any], code: str) -> None:
    part, _ = visit()
    part.receive(CLUB)
    part.receive(kind(code="name_taken"))
    assert list(CLUBS.latest()) == ["4af0"]
    part.receive(kind(code=code))
    assert CLUBS.latest() == {}


def test_a_table_that_is_gone_leaves_the_club_remembered() -> None:
    part, session = visit()
    part.receive(CLUB)
    session.secret = bytes(range(16))
    part.receive(Goodbye(code="no_such_table"))
    assert list(CLUBS.latest()) == ["4af0"]


def test_the_players_own_table_is_no_club() -> None:
    ClubVisit(Journey(PlayerSeat(Session(), "Bea"), unreachable, None)).receive(CLUB)
    assert CLUBS.latest() == {}
