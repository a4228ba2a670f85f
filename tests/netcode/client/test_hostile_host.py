"""What a host might say that no honest host does: the session refuses it, and keeps what it had."""

import pytest
from msgspec.structs import replace

from engine.events import (
    Discarded,
    Event,
    GameEnded,
    Left,
    Moved,
    Placed,
    RoundBegan,
    Stole,
    Uncovered,
)
from netcode.client.session import ProtocolError, Session
from netcode.protocol.fields import KEY_BYTES
from netcode.protocol.messages import PROTOCOL, Lobby, SeatInfo, State, TableSettings, Welcome
from netcode.protocol.wire_events import WireEventError, from_wire

VIEW = "2 1 r?1 rs,b?,g? *r1:APHFLX:DMC:-,b1:??????:???:-,g1:??????:???:-"


def session() -> Session:
    seated = Session()
    seated.receive(
        Welcome(protocol=PROTOCOL, program="host", family="r", key=b"k" * KEY_BYTES, host=False)
    )
    seated.receive(
        Lobby(
            phase="playing",
            seats=tuple(SeatInfo(family=family, name=family) for family in ("r", "b", "g")),
            spectators=(),
            settings=TableSettings(),
            missing=None,
            invitation="",
            you="r",
            host=False,
        )
    )
    return seated


def state(*events: Event, view: str = VIEW) -> State:
    return State(revision=1, view=view, you="r", first_event=0, events=events)


@pytest.mark.parametrize(
    "event",
    [
        Placed(3, "?", ">", 1, 1),
        RoundBegan(1, 4),
        GameEnded((0, 1, 2, 3)),
        Placed(0, "?", ">", 1, 1),
        Left(0, 1, "?", 1),
        Uncovered(0, 1, "?", False),
        Uncovered(1, 1, "?", True),
        Moved(1, 1, 2, 3, 0, "?", False),
        Moved(0, 1, 2, 3, 1, "?", True),
        Stole(0, 1, "P", 0, 1),
    ],
)
def test_an_event_that_cannot_be_is_refused_and_nothing_changes(event: Event) -> None:
    seated = session()
    with pytest.raises(ProtocolError):
        seated.receive(state(event))
    assert seated.view is None
    assert seated.events == []


def test_a_player_must_know_their_own_cards_in_the_queue() -> None:
    with pytest.raises(ProtocolError):
        session().receive(
            state(view="2 1 r?1 r?,b?,g? *r1:SPHFLX:DMC:-,b1:??????:???:-,g1:??????:???:-")
        )


def test_what_everybody_sees_has_a_name() -> None:
    with pytest.raises(WireEventError):
        from_wire(("Discarded", 0, 1, "?"))
    assert from_wire(("Discarded", 0, 1, "X")) == Discarded(0, 1, "X")


def test_a_second_family_is_another_than_the_first() -> None:
    seated = session()
    for you in ("r", None):
        with pytest.raises(ProtocolError, match="second family"):
            seated.receive(replace(state(), you=you, second="r"))
    assert seated.view is None


def test_what_an_honest_host_says_is_taken_in() -> None:
    seated = session()
    events = (Placed(0, "S", ">", 1, 1), Placed(1, "?", ">", 2, 1), Left(1, 2, "?", 1))
    seated.receive(state(*events))
    assert seated.events == list(events)
