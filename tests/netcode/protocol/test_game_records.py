"""Tests that after a game everybody present receives the true record, and accepts no other."""

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec import structs

from engine.bots import make_bot
from engine.events import Event, RoundBegan
from engine.game import Deal, Game
from engine.record import Record
from engine.views import project, view
from netcode.client.seen_record import seen_record
from netcode.client.session import ProtocolError, _is_record_of
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import AddBot, GameRecord, Leave, SetReady, Start
from tests.support.pretend import Network, Participant, play_on, playing, seated


def record_of(network: Network) -> Record:
    """Return the record of the latest game at the table."""
    record = network.table.record()
    assert record is not None
    return record


def records_of(participant: Participant) -> list[GameRecord]:
    return [each for each in participant.received if isinstance(each, GameRecord)]


def known(participant: Participant) -> Record | None:
    return participant.session.record


def forget(participant: Participant) -> None:
    """Delete the game's record and a noticed contradiction from a player's session."""
    participant.session.record = None
    participant.session.is_contradicted = False


@cache
def over(seed: int = 1) -> tuple[Participant, GameRecord]:
    """Return a player who has seen the end of a game, and their record."""
    guests = playing(rng=Random(seed))
    play_on(guests)
    participant = guests[1]
    return participant, records_of(participant)[-1]


def test_everybody_is_sent_the_game_when_it_is_over_and_not_before() -> None:
    network = Network(Random(1))
    guests = seated(network, "abc")
    watcher = Participant(network, "w", spectator=True)
    guests[0].send(AddBot(bot="steady"))
    for participant in guests[1:]:
        participant.send(SetReady(ready=True))
    guests[0].send(Start())
    everybody = [*guests, watcher]
    while network.table.games.phase == "playing":
        assert not any(records_of(participant) for participant in everybody)
        play_on(guests, 1)
        network.wait(1.0)
    record = record_of(network)
    for participant in everybody:
        assert participant.session.record == record
        assert len(records_of(participant)) == 1
    assert [player.name for player in record.players][:3] == ["a", "b", "c"]
    assert record.players[3].bot == "steady"
    assert [participant.session.player_seats for participant in everybody] == [(0,), (1,), (2,), ()]
    late = Participant(network, "l", spectator=True)
    assert late.session.record == record
    guests[2].drop()
    guests[2].session.record = None
    guests[2].come_back()
    assert guests[2].session.record == record


def test_of_an_abandoned_game_nobody_is_told_a_card() -> None:
    guests = playing()
    watcher = Participant(guests[0].network, "w", spectator=True)
    play_on(guests, 20)
    for participant in guests:
        participant.send(Leave())
    assert watcher.phase() == "lobby"
    assert not any(records_of(participant) for participant in (*guests, watcher))


def test_a_table_makes_no_record_of_a_game_that_goes_on() -> None:
    guests = playing()
    play = guests[0].network.table.games.play
    assert play is not None
    with pytest.raises(ValueError, match="nobody's business"):
        play.record_message(1)


def turned(hands: dict[str, str]) -> dict[str, str]:
    return dict(zip(hands, [*hands.values()][::-1], strict=True))


def another() -> Any:
    return json.loads(over(9)[1].record)


SPOILT: dict[str, Callable[[dict[str, Any]], object]] = {
    "actions another": lambda records_of: [*records_of["actions"][:3], "30>1"],
    "actions fewer": lambda records_of: records_of["actions"][:-1],
    "actions more": lambda records_of: [*records_of["actions"], "S>"],
    "actions of another": lambda records_of: another()["actions"],
    "deal of another": lambda records_of: another()["deal"],
    "deal swapped": lambda records_of: (
        records_of["deal"] | {"hands": turned(records_of["deal"]["hands"])}
    ),
    "deal edition": lambda records_of: (
        records_of["deal"] | {"edition": 3 - records_of["deal"]["edition"]}
    ),
    "deal none": lambda records_of: None,
    "players fewer": lambda records_of: records_of["players"][:1],
    "settings two": lambda records_of: records_of["settings"] | {"two": True},
    "seal any": lambda records_of: "AAAA",
}
"""Functions that return a wrong value of a field, by the field and a description."""


@pytest.mark.parametrize("spoilt", [*SPOILT, "later", "no record"])
def test_in_place_of_a_record_that_contradicts_what_was_seen_the_latter_is_kept(
    spoilt: str,
) -> None:
    participant, message = over()
    forget(participant)
    data, field = json.loads(message.record), spoilt.split()[0]
    if field == "seal":
        # A sealed game's record has this part too: no card was opened late.
        data["late"] = {}
    if spoilt in SPOILT:
        other = structs.replace(message, record=json.dumps(data | {field: SPOILT[spoilt](data)}))
    elif spoilt == "later":
        other = structs.replace(message, revision=message.revision + 1)
    else:
        other = structs.replace(message, record="{}")
    assert decode_host(encode(other)) == other
    participant.session.receive(other)
    assert participant.session.is_contradicted
    kept, true = known(participant), record_of(participant.network)
    assert kept is not None
    assert kept.deal == true.deal
    assert (kept.settings, kept.players) == (true.settings, true.players)
    # If neither of two cards was ever shown, their order is unknown.
    assert len(kept.actions) == len(true.actions)
    if spoilt.startswith(("deal", "players", "settings", "seal")) and spoilt != "deal none":
        assert kept.actions == true.actions
    # A second record is ignored.
    participant.session.receive(message)
    assert known(participant) is kept


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("viewer", [1, None])
def test_what_was_seen_of_any_game_makes_its_record(seed: int, viewer: int | None) -> None:
    guests = playing(rng=Random(seed))
    watcher = Participant(guests[0].network, "w", spectator=True)
    play_on(guests)
    session = (watcher if viewer is None else guests[viewer]).session
    assert session.view is not None
    true = record_of(guests[0].network)
    guessed, rebuilt = (
        seen_record(session.view, session.events, session.lobby, {}, likely)
        for likely in ((), true.actions)
    )
    assert guessed is not None
    assert guessed.deal == true.deal
    assert _is_record_of(guessed, session.view, session.events)
    assert rebuilt == true._replace(began=None)


@pytest.mark.parametrize("eyes", [(0,), ()], ids=["player", "spectator"])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_of_good_bots_is_rebuilt_from_what_was_seen_of_it_alone(
    seed: int, eyes: tuple[int, ...]
) -> None:
    deal = Deal.shuffled(Random(seed), "rbgy")
    game, events = Game.start(deal), list[Event]([RoundBegan(1, deal.first)])
    bots = [make_bot("steady", Random(seed * 10 + seat)) for seat in range(4)]
    heard = [0] * 4
    while not game.over:
        seat = game.turn
        bots[seat].observe([project(each, (seat,)) for each in events[heard[seat] :]])
        heard[seat] = len(events)
        game = game.play(bots[seat].choose(view(game, (seat,))), events)
    seen, projected = view(game, eyes), [project(each, eyes) for each in events]
    guessed = seen_record(seen, projected, None, {})
    assert guessed is not None
    assert guessed.deal == deal
    assert _is_record_of(guessed, seen, projected)


def test_what_no_game_is_like_makes_no_record() -> None:
    participant, _ = over()
    session = participant.session
    assert session.view is not None
    fewer = [*session.events[:5], *session.events[6:]]
    assert seen_record(session.view, fewer, session.lobby, {}) is None
    assert seen_record(session.view, [], session.lobby, {}) is None


def test_no_record_is_taken_before_the_end() -> None:
    _, message = over()
    guests = playing(rng=Random(1))
    with pytest.raises(ProtocolError):
        guests[1].session.receive(message)
    play_on(guests, 10)
    revision = guests[1].session.revision
    with pytest.raises(ProtocolError):
        guests[1].session.receive(structs.replace(message, revision=revision))
