"""Tests of sealed play's messages at an ordinary table.

The table accepts a player's AllowTakeover, and refuses the other messages of sealed play.
"""

import pytest

from netcode.protocol.fields import Message
from netcode.protocol.messages import Refused
from netcode.wings.sealed.messages import AllowTakeover, HandOver, LogAt, Sealed
from tests.support.pretend import Network, Participant, seated

LOG_AT = LogAt(gid=bytes(32), n=0, tip=bytes(32))

REFUSED: list[tuple[str, Message, str]] = [
    ("b", HandOver(name="b"), "not_the_host"),
    ("w", HandOver(name="b"), "not_the_host"),
    ("a", HandOver(name="b"), "cannot_hand_over"),
    ("w", AllowTakeover(allowed=True), "not_seated"),
    *((who, LOG_AT, "table_not_sealed") for who in "aw"),
    *((who, Sealed(((b"x", b""),)), "table_not_sealed") for who in "aw"),
]


@pytest.mark.parametrize(("who", "message", "code"), REFUSED)
def test_whoever_may_not_is_told_why(who: str, message: Message, code: str) -> None:
    guests = seated(Network(), "abc")
    guests.append(Participant(guests[0].network, "w", spectator=True))
    (asks,) = (each for each in guests if each.name == who)
    (answer,) = asks.send(message)
    assert isinstance(answer, Refused)
    assert answer.code == code


def test_a_player_may_allow_a_takeover_before_the_table_is_sealed() -> None:
    ada, bob = seated(Network(), "ab")
    bob.send(AllowTakeover(allowed=True))
    assert ada.lobby().successors == ("b",)
    bob.send(AllowTakeover(allowed=False))
    assert ada.lobby().successors == ()
