"""Tests that conditional answers change nothing that others receive, until one is played."""

from engine.cards import CARDS
from netcode.protocol.messages import Chat
from netcode.wings.days.messages import Condition, SetCall, SetConditions
from netcode.wings.days.table_parts import CallReport
from tests.support.pretend import Participant, play_on
from tests.wings.days.calling_tables import Calling, begun, note


def evening(*, conditional: bool) -> tuple[Calling, list[Participant]]:
    """Play a game in which b has conditional answers that are never played, or none.

    Return the network and the guests; the last one, w, watches.
    """
    network = Calling()
    guests = begun(network)
    guests.append(Participant(network, "w", spectator=True))
    for step in range(12):
        if conditional:
            # Conditions until round 2 that are sent from round 2 on never leave a card.
            never = tuple([Condition(card=f"b{card}", until_round=2) for card in CARDS[:5]])
            guests[1].send(SetConditions(conditions=never if guests[1].view().round > 1 else ()))
            guests[1].send(SetCall(address=f"b{step}@example.org"))
        network.wait(5)
        play_on(guests[:3], 1)
        guests[0].send(Chat(text=f"step {step}"))
    return network, guests


def test_conditional_answers_of_a_player_change_no_frame_of_anybody_else() -> None:
    (network, plain), (other, changed) = evening(conditional=False), evening(conditional=True)
    for at in (0, 2, 3):
        assert plain[at].frames == changed[at].frames
    assert plain[1].frames != changed[1].frames
    assert note(network)[1] == note(other)[1]


def test_a_call_has_only_what_its_arguments_are() -> None:
    assert CallReport.__struct_fields__ == ("name", "address", "hours_left", "names", "question_at")
