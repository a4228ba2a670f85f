"""Events as data: every kind goes and comes back, and nothing else is taken for one."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Event, GameEnded, Placed, ResolutionBegan
from netcode.protocol.wire_events import WireEventError, from_wire, to_wire
from tests.support.strategies import events


@given(events)
def test_every_event_goes_and_comes_back(event: Event) -> None:
    assert from_wire(to_wire(event)) == event


def test_an_event_is_its_name_and_its_fields() -> None:
    assert to_wire(Placed(0, "?", ">", 3, 1)) == ("Placed", 0, "?", ">", 3, 1)
    assert to_wire(ResolutionBegan()) == ("ResolutionBegan",)
    assert to_wire(GameEnded((0, 2))) == ("GameEnded", (0, 2))


@pytest.mark.parametrize(
    "data",
    [
        None,
        (),
        "Placed",
        ["ResolutionBegan"],
        (1,),
        ("Event",),
        ("Game",),
        ("__class__",),
        ("ResolutionBegan", 1),
        ("Placed",),
        ("Placed", 0, "?", ">", 3),
        ("Placed", 0, "?", ">", 3, 1, 1),
        ("Placed", True, "?", ">", 3, 1),
        ("Placed", 0.0, "?", ">", 3, 1),
        ("Placed", -1, "?", ">", 3, 1),
        ("Placed", 5, "?", ">", 3, 1),
        ("Placed", 0, "Z", ">", 3, 1),
        ("Placed", 0, "AS", ">", 3, 1),
        ("Placed", 0, "", ">", 3, 1),
        ("Placed", 0, "?", "!", 3, 1),
        ("Placed", 0, "?", ">", 0, 1),
        ("Placed", 0, "?", ">", 31, 1),
        ("Placed", 0, "?", ">", 3, 7),
        ("Revealed", 0, 1, "?", 10**9, 0),
        ("Moved", 0, 1, 1, 1, 0, "?", 1),
        ("Gained", 0, 1, "A", "?", 1),
        ("GameEnded", ()),
        ("GameEnded", (0, 0)),
        ("GameEnded", (True,)),
        ("GameEnded", (0, 1, 2, 3, 4, 5)),
    ],
)
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(WireEventError):
        from_wire(data)


@given(
    st.sampled_from([kind.__name__ for kind in get_args(Event)]),
    st.lists(st.none() | st.booleans() | st.integers(-5, 40) | st.text(max_size=2), max_size=9),
)
def test_what_is_taken_for_an_event_is_one(name: str, values: list[object]) -> None:
    try:
        event = from_wire((name, *values))
    except WireEventError:
        return
    assert to_wire(event) == (name, *values)
    assert all(type(each) in (int, str, bool) for each in event)
