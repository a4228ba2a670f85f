"""The holders of a seat: the players who had it, one after the other, and from when to when."""

from random import Random

from engine.record import Holder, Record
from netcode.protocol.messages import GameRecord, SendAway
from tests.support.pretend import OWNER_KEY, Participant, play_on, playing


def record_told_to(participant: Participant) -> Record:
    told = [each for each in participant.received if isinstance(each, GameRecord)]
    return Record.from_json(told[-1].record)


def play_to_the_end(guests: list[Participant]) -> None:
    """Have the game played to its end, by bots too."""
    while guests[0].phase() == "playing":
        play_on(guests)
        guests[0].network.wait(2)


def test_a_seat_whose_player_was_sent_away_has_the_bot_after_them() -> None:
    guests = playing(rng=Random(1))
    a, b, _c = guests
    network = a.network
    network.now += 60
    play_on(guests, 7)
    network.now += 30.5
    a.say(SendAway(name="c"))
    play_to_the_end(guests[:2])
    record = network.table.record()
    assert record is not None
    assert [each.holders for each in record.players[:2]] == [(Holder("a"),), (Holder("b"),)]
    assert record.players[2].holders == (Holder("c"), Holder("Aubin", "steady", 7, 90))
    for guest in (a, b):
        assert record_told_to(guest).players == record.players
        assert guest.session.names() == ("a", "b", "Aubin")


def test_a_restart_brings_back_who_held_a_seat() -> None:
    guests = playing(rng=Random(1), owner_key=OWNER_KEY)
    a, b, _c = guests
    play_on(guests, 7)
    a.say(SendAway(name="c"))
    a.network.restart(OWNER_KEY)
    for guest in (a, b):
        guest.come_back()
    play_to_the_end([a, b])
    for guest in (a, b):
        assert record_told_to(guest).players[2].holders[0] == Holder("c")
        assert guest.session.names() == ("a", "b", "Aubin")


def test_a_player_who_is_sent_away_after_the_game_has_played_it() -> None:
    guests = playing(rng=Random(1))
    a, b, _c = guests
    play_on(guests)
    a.say(SendAway(name="c"))
    for guest in (a, b):
        assert guest.lobby().seats[2].name == "Aubin"
        assert guest.session.names() == ("a", "b", "c")
        assert record_told_to(guest).players[2].holders == (Holder("c"),)
