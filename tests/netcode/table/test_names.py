"""Names that would look like another, or like nothing."""

import pytest

from netcode.protocol.refusal_sentences import name_problem
from netcode.table.people.participants import Participants

BLANK = ["\u3164", "\u2800", "\u1160", "\ufe0f", "\U000e0100", "\u302a", "-", "..."]
DISGUISED = ["Anna\ufe0f", "Anna\u034f", "A\u0332nna", "A\u20ddnna", "Anna\u3164", "An\u200bna"]


@pytest.mark.parametrize("name", BLANK + DISGUISED)
def test_a_name_is_seen_whole(name: str) -> None:
    problem = name_problem(name)
    assert problem is not None
    assert problem.code == "name_unprintable"


@pytest.mark.parametrize("name", ["An  na", " Anna", "Anna "])
def test_a_name_has_single_spaces(name: str) -> None:
    problem = name_problem(name)
    assert problem is not None
    assert problem.code == "name_spaces"


@pytest.mark.parametrize(
    "name", ["Zo\u00e9", "Zoe\u0301", "\u0141ucja", "Anna 2", "O'Hara", "\u674e"]
)
def test_peoples_names_will_do(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize("twin", ["ANNA", "\uff21\uff4e\uff4e\uff41"])
def test_names_that_look_alike_are_one(twin: str) -> None:
    participants = Participants()
    participants.sit("Anna", 1, bytes(32))
    assert participants.called(twin) is participants.seats[0]
