"""Tests conditional answers: the cards that they leave, and decisions that the player takes."""

import pytest

from engine.cards import CARDS
from engine.notation import parse_position
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import view
from netcode.protocol.messages import EndGame, Pause, SetReady, Start
from netcode.wings.days.conditional_answers import outcome
from netcode.wings.days.day_record import PlayerRecord
from netcode.wings.days.messages import Condition, Conditions, SetConditions
from netcode.wings.days.settings import HOURS
from tests.support.pretend import Participant
from tests.wings.days.calling_tables import HOUR, Calling, awaited, begun, messages


def test_a_card_is_left_until_its_round() -> None:
    network = Calling()
    guests = begun(network)
    for each in guests:
        place(each, at=">")
    assert guests[0].view().round == 1
    first = awaited(guests)
    card = resolving(first)
    first.send(SetConditions(conditions=(Condition(card=card, until_round=3),)))
    assert network.moves == 4, "the card is left at once"
    assert messages(first, Conditions)[-1] == Conditions((Condition(card=card, until_round=3),))
    for _round in range(2):
        while guests[0].view().round == _round + 1:
            play_by_leaving(guests)
    assert guests[0].view().round == 3
    while (found := awaited(guests)) is not first or found.view().question == PLACE:
        play_by_leaving(guests)
    # From round 3 on the player decides.
    assert first.view().question == LEAVE_OR_REVEAL
    assert resolving(first) == card
    assert messages(first, Conditions)[-1] == Conditions(())


def place(participant: Participant, at: str) -> None:
    token = next(each.token for each in participant.view().legal if each.token.endswith(at))
    participant.act(token)


def play_by_leaving(guests: list[Participant]) -> None:
    found = awaited(guests)
    if found.view().question == PLACE:
        place(found, ">")
    else:
        found.act("+")


def resolving(participant: Participant) -> str:
    seen_view = participant.view()
    owner, card, *_ = seen_view.queue[seen_view.at]
    return f"{seen_view.families[owner]}{card}"


@pytest.mark.parametrize(
    ("condition", "token", "stays"),
    [
        (Condition(card="rS"), "+", True),
        (Condition(card="rA"), None, True),
        (Condition(card="rS", until_round=4), "+", True),
        (Condition(card="rS", until_round=3), None, False),
    ],
)
def test_a_condition_answers_only_for_its_card_and_as_long_as_it_holds(
    condition: Condition, token: str | None, stays: bool
) -> None:
    game = parse_position("2 3 r?1 rs1,gc1,bL *r3:APHF:LXD:MC,b2:ASPM:HFX:DC,g4:SPHX:FLD:AM")
    found = outcome(view(game, 0), (condition,))
    assert found.token == token
    assert found.conditions == ((condition,) if stays else ())


def test_another_question_withdraws_all_conditions() -> None:
    game = parse_position("2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM")
    assert outcome(view(game, 0), (Condition(card="rM"),)) == (None, ())


def test_an_absent_player_is_answered_for_while_nobody_is_there() -> None:
    network = Calling()
    guests = begun(network)
    for each in guests:
        place(each, at=">")
        hand_card = next(
            f"{each.view().families[owner]}{card}"
            for owner, card, *_ in each.view().queue
            if owner == each.view().viewer
        )
        each.send(SetConditions(conditions=(Condition(card=hand_card, until_round=2),)))
    assert guests[0].view().round == 2
    assert network.moves == 6
    assert network.record.overdue == ()


def test_conditions_are_stored_and_sent_to_their_owner_alone() -> None:
    network = Calling()
    guests = begun(network)
    mine = Condition(card="bS", until_round=4)
    guests[1].send(SetConditions(conditions=(mine,)))
    for each in (guests[0], guests[2]):
        assert b"until_round" not in b"".join(frame for _, frame in each.frames)
    network.restart()
    back = Participant(network, "b", key=guests[1].session.key)
    assert messages(back, Conditions) == [Conditions((mine,))]
    other = Participant(network, "c", key=guests[2].session.key)
    assert messages(other, Conditions) == [Conditions(())]


def last_conditions(participant: Participant) -> tuple[Condition, ...]:
    last = messages(participant, Conditions)[-1]
    assert isinstance(last, Conditions)
    return last.conditions


@pytest.mark.parametrize("way", ["new game", "lost connection", "replaced connection", "restart"])
def test_a_player_always_knows_the_conditions_that_the_table_has(way: str) -> None:
    network = Calling()
    guests = begun(network)
    player = guests[1]
    mine = Condition(card="bS", until_round=4)
    player.send(SetConditions(conditions=(mine,)))
    if way == "new game":
        guests[0].send(EndGame())
        for each in guests[1:]:
            each.send(SetReady(ready=True))
        guests[0].send(Start())
    elif way == "lost connection":
        player.drop()
        for _ in range(3):
            network.wait(25 * HOUR)
        player.come_back()
    elif way == "replaced connection":
        second = Participant(network, "b", key=player.session.key)
        assert last_conditions(second) == (mine,)
        second.send(SetConditions(conditions=()))
        player.come_back()
    else:
        network.restart()
        player.come_back()
    kept = network.record.players.get("b", PlayerRecord()).conditions
    assert last_conditions(player) == kept
    assert bool(kept) is (way in ("lost connection", "restart"))


@pytest.mark.parametrize(
    ("hours", "card", "code"),
    [(24, "aS", "no_such_card"), (24, "rS", "no_such_card"), (0, "bS", "no_days")],
)
def test_a_condition_needs_a_game_for_days_and_a_card_of_the_own_family(
    hours: int, card: str, code: str
) -> None:
    network = Calling(**{HOURS: hours})
    guests = begun(network)
    if card[0] in "rb":
        guests[1].send(SetConditions(conditions=(Condition(card=card),)))
        assert guests[1].refusal == code
    assert network.moves == 0


def test_conditions_wait_during_a_pause_and_end_with_the_game() -> None:
    network = Calling()
    guests = begun(network)
    for each in guests:
        place(each, at=">")
    first = awaited(guests)
    guests[0].send(Pause(paused=True))
    first.send(SetConditions(conditions=(Condition(card=resolving(first)),)))
    assert network.moves == 3
    guests[0].send(Pause(paused=False))
    assert network.moves == 4
    guests[0].send(EndGame())
    first.send(SetConditions(conditions=()))
    assert first.refusal == "no_game"


def test_every_card_can_have_a_condition() -> None:
    assert [Condition(card=f"r{card}").card[1] for card in CARDS] == [*CARDS]
