"""Names that would look like another, or like nothing."""

import pytest

from netcode.protocol.evening import Evening
from netcode.protocol.messages import Chat, Mute, Refused, Rename
from netcode.table.people.participants import alike
from tests.support.pretend import Network, seated


@pytest.mark.parametrize("dash", list("\u2010\u2011\u2012\u2013\u2014\u2212\uff0d"))
def test_a_dash_is_a_dash(dash: str) -> None:
    assert alike(f"o{dash}k") == alike("o-k")


@pytest.mark.parametrize("apostrophe", list("\u2018\u2019\u02bc\u2032`\u00b4\uff07"))
def test_an_apostrophe_is_an_apostrophe(apostrophe: str) -> None:
    assert alike(f"O{apostrophe}Hara") == alike("o'hara")


def test_names_that_differ_stay_different() -> None:
    names = ["ok", "o-k", "o'k", "o.k", "o_k", "o k"]
    assert len(set(map(alike, names))) == len(names)


def test_who_sits_in_the_lobby_is_called_otherwise_with_all_that_is_theirs() -> None:
    network = Network()
    a, b, c = seated(network, "abc")
    network.table.games.evening = Evening().after([("a", 9, 2), ("b", 12, 1)])
    a.say(Mute(name="b", muted=True))
    b.say(Rename("Berthe"))
    for each in (a, b, c):
        assert [seat.name for seat in each.lobby().seats] == ["a", "Berthe", "c"]
        assert [each.name for each in each.lobby().evening.standings] == ["Berthe", "a"]
    b.say(Chat(text="hello"))
    assert b.received[-1] == Refused(code="muted")
    assert [seat.name for seat in network.table.snapshot().table.seats] == ["a", "Berthe", "c"]
    b.say(Rename("BERTHE"))
    assert a.lobby().seats[1].name == "BERTHE", "of oneself a name may be alike"
