"""Nothing that is sent to anybody depends on what they may not know, to the byte.

Two tables get deals that differ only in cards which a receiver may not know up to some moment of
a game, and everybody does the same at both, troubles included. Whatever the receiver is sent,
from the welcome to the last view, must be the same frames.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ACTIONS
from engine.cards import Seat
from engine.game import Game
from netcode.messages import Act, ChooseFamily, FamilyLetter, SetReady, Start, TableSettings
from tests.engine.random_games import Played, examples, moments, random_game, viewers
from tests.engine.test_noninterference import Trade, traded_action, traded_deal, trades
from tests.netcode.pretend import FixedDeals, Guest, Network


def sent(
    played: Played, upto: int, by_seat: list[Trade] | None, viewer: Seat | None, rng: Random
) -> list[bytes]:
    """Play a game up to a moment, with cards traded if asked; return what the viewer was sent."""
    deal = played.deal if by_seat is None else traded_deal(played.deal, by_seat)
    network = Network(
        FixedDeals(list(zip(deal.hands, deal.aside, strict=True))),
        settings=TableSettings.model_validate(
            {"edition": deal.edition.number, "first": deal.families[deal.first]}
        ),
    )
    guests = [seated_as(network, family) for family in deal.families]
    watcher = Guest(network, "watcher", spectator=True)
    receiver = watcher if viewer is None else guests[viewer]
    for guest in guests[1:]:
        guest.say(SetReady(ready=True))
    guests[0].say(Start())
    game = Game.start(deal)
    for action in played.actions[:upto]:
        if by_seat is not None:
            action = traded_action(game, action, by_seat)
        if rng.random() < 0.2:
            make_trouble(rng, game.turn, guests, receiver)
        guests[game.turn].act(action.token)
        game = game.play(action)
    receiver.drop()
    receiver.come_back()
    if receiver.refusal == "unknown_key":
        receiver.greet()
    return receiver.frames


def seated_as(network: Network, family: Any) -> Guest:
    guest = Guest(network, f"player {family}")
    letter: FamilyLetter = family
    guest.say(ChooseFamily(family=letter))
    return guest


def make_trouble(rng: Random, turn: Seat, guests: list[Guest], receiver: Guest) -> None:
    """Do something without effect, in which nobody uses what the receiver may not know."""
    network = receiver.network
    other = rng.choice([guest for guest in guests if guest is not receiver])
    token = rng.choice(list(ACTIONS))
    match rng.randrange(6):
        case 0:
            other.drop()
            other.come_back()
        case 1:
            late = Act(number=1000, revision=0, action=token)
            other.say(late)
            receiver.say(late)
        case 2:
            network.carry_out(network.table.malformed(other.connection, "malformed", network.now))
        case 3 if receiver is not guests[turn]:
            receiver.act(token)
        case 4:
            # When it is the receiver's turn, the rules say why: from what the receiver knows.
            view = receiver.session.view
            assert view is not None
            if ACTIONS[token] not in view.legal:
                receiver.act(token)
        case 5:
            thief = Guest(network, "thief", key=bytes(32))
            thief.drop()


@examples(40)
@given(moments(), st.integers(0, 2**32 - 1), st.data())
def test_no_frame_depends_on_what_its_receiver_may_not_know(
    moment: tuple[Played, int], seed: int, data: st.DataObject
) -> None:
    played, upto = moment
    viewer = data.draw(st.sampled_from(viewers(played.games[upto])))
    by_seat = trades(viewer, played.games[upto], Random(seed))
    here = sent(played, upto, None, viewer, Random(seed))
    there = sent(played, upto, by_seat, viewer, Random(seed))
    assert here == there


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The property above is worth what it finds: here, every placed card told to everybody."""
    played = random_game(1)
    by_seat = trades(None, played.games[20], Random(1))
    assert sent(played, 20, None, None, Random(1)) == sent(played, 20, by_seat, None, Random(1))
    monkeypatch.setattr("netcode.play.project", lambda event, viewer: event)
    monkeypatch.setattr("tests.netcode.pretend.assert_keeps_secrets", lambda state: None)
    assert sent(played, 20, None, None, Random(1)) != sent(played, 20, by_seat, None, Random(1))
