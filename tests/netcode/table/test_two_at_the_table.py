"""Tests a table for two: each player has two families, and sees the cards of both."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import (
    AddBot,
    ChangeSettings,
    ChooseFamily,
    Remove,
    SetReady,
    Start,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.people.absence import AWAY_GRACE_S
from tests.support.pretend import Network, Participant, decider, playing, seated, tokens


def for_two() -> list[Participant]:
    return playing("ab", Random(4), two=True)


@given(st.lists(st.sampled_from("rbgyv+-2"), max_size=12))
def test_at_a_table_for_two_everybody_always_has_two_families_of_their_own(moves: str) -> None:
    a, b = seated(Network(settings=TableSettings(two=True)), "ab")
    two = True
    for move in moves:
        match move:
            case "2":
                two = not two
                a.send(ChangeSettings(settings=TableSettings(two=two)))
                two = a.lobby().settings.two
            case "+":
                a.send(AddBot(bot="random"))
            case "-":
                last = a.lobby().seats[-1]
                a.send(Remove(family=last.second or last.family))
            case _ if b.cut_off:
                a.send(checked_struct({"family": move}, ChooseFamily))
            case _:
                b.send(checked_struct({"family": move}, ChooseFamily))
        letters = [each for seat in a.lobby().seats for each in (seat.family, seat.second) if each]
        assert len(set(letters)) == len(letters) == len(a.lobby().seats) * (1 + two)


def test_a_bot_answers_for_both_families_of_somebody_who_is_away() -> None:
    a, b = for_two()
    b.drop()
    a.act_somehow()
    a.network.wait(AWAY_GRACE_S + 2)
    assert decider([a]) is a
    assert [seat.away for seat in a.lobby().seats] == ["no", "bot"]
    while decider([a]) is a:
        a.act_somehow()
    done = len(tokens(a))
    a.network.wait(2)
    assert len(tokens(a)) > done, "a bot that has stood in once answers at once for the other too"
    b.come_back()
    assert b.view().viewers == (1, 3)
    assert b.session.revision == a.session.revision


def test_the_past_knows_whose_the_families_were_and_who_won_by_their_sum() -> None:
    key = bytes(32)
    network = Network(Random(4), owner_key=key, settings=TableSettings(first="r", two=True))
    a, b = Participant(network, "a", key=key), Participant(network, "b")
    b.send(SetReady(ready=True))
    a.send(Start())
    while (participant := decider([a, b])) is not None:
        participant.act(participant.view().legal[-1].token)
    (end,) = [end for keep in network.kept for end in keep.ended]
    players = "".join(each.family + each.name for each in end.record.players)
    assert (players, end.own) == ("rabbgayb", (0, 2))
    red, blue, green, yellow = end.ending.scores
    assert end.ending.places is not None
    ours, theirs = end.ending.places[:2]
    assert end.ending.places == (ours, theirs) * 2
    assert (ours <= theirs) == (red + green >= blue + yellow)
