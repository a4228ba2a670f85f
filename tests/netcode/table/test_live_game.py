"""Tests a game at a table: accepted and refused acts, and messages to each player."""

from engine.actions import REVEAL
from engine.events import Placed
from netcode.protocol.messages import Act, AddBot, Leave, Pause, SetReady, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Think
from tests.support.pretend import (
    OWNER_KEY,
    Network,
    Participant,
    decider,
    known_game,
    play_on,
    playing,
    rematch,
    seated,
    tokens,
)


def with_bots(*bots: str, pace_ms: int = 900) -> tuple[Network, Participant]:
    """Return a table in a new game with these bots, and its host, who is Red and answers first."""
    network = Network(settings=TableSettings(first="r", pace_ms=pace_ms))
    (host,) = seated(network, "a")
    for bot in bots:
        host.send(AddBot(bot=bot))
    host.send(Start())
    return network, host


def test_a_bot_is_asked_with_its_view_and_after_a_pause() -> None:
    network, host = with_bots("steady", "random")
    assert network.thoughts == []
    host.act_somehow()
    ((due, think),) = network.thoughts
    assert due == network.now + 0.9
    assert (think.game, think.seat, think.bot, think.revision) == (1, 1, "steady", 2)
    assert think.view.viewer == 1
    assert "?" not in think.view.hands[1]
    assert set("".join(think.view.hands[::2])) == {"?"}
    network.wait(0.8)
    assert len(tokens(host)) == 1
    network.wait(0.2)
    assert len(tokens(host)) == 2
    network.wait(1)
    assert len(tokens(host)) == 3


def test_a_bot_is_told_all_it_has_seen_happen_also_after_a_restart() -> None:
    network, host = with_bots("steady", "random", pace_ms=0)
    placed: list[Placed] = []
    for _ in range(5):
        if decider([host]):
            host.act_somehow()
        before = network.thoughts[-1][1]
        network.restart()
        host.come_back()
        after = network.thoughts[-1][1]
        assert after.seat == before.seat
        assert after.events == before.events
        placed = [event for event in after.events if isinstance(event, Placed)]
        assert all((event.card == "?") == (event.seat != after.seat) for event in placed)
        network.think(after)
    assert len(placed) > 2


def test_a_bots_answer_counts_once_and_only_if_it_is_legal() -> None:
    network, host = with_bots("steady", "random", pace_ms=0)
    host.act_somehow()
    think = network.thoughts[0][1]
    answer = network.table.answer
    assert answer(think.seat, think.revision, REVEAL, network.now) == []
    assert answer(2, think.revision, think.view.legal[0], network.now) == []
    assert answer(think.seat, 1, think.view.legal[0], network.now) == []
    network.execute(answer(think.seat, think.revision, think.view.legal[0], network.now))
    assert len(tokens(host)) == 2
    assert answer(think.seat, think.revision, think.view.legal[0], network.now) == []


def test_an_act_that_counted_before_a_pause_is_answered_in_it() -> None:
    a, _, _ = known_game()
    a.act("S>")
    a.send(Pause(paused=True))
    (answer,) = a.send(Act(number=1, revision=1, action="S>"))
    assert isinstance(answer, State)


def finished() -> list[Participant]:
    guests = playing("abc")
    play_on(guests)
    return guests


def test_thoughts_of_an_earlier_game_are_dropped() -> None:
    network, host = with_bots("steady", "random", pace_ms=0)
    thoughts: list[Think] = []
    while host.phase() == "playing":
        play_on([host])
        thoughts += [think for _, think in network.thoughts]
        network.wait(0)
    think = thoughts[-1]
    host.send(SetReady(ready=True))
    assert network.table.answer(think.seat, think.revision, think.view.legal[0], 0.0) == []


def test_a_game_is_its_owners_and_at_a_table_without_one_nobodys() -> None:
    for owner_key, own in ((OWNER_KEY, (0,)), (None, ())):
        guests = playing(owner_key=owner_key)
        play_on(guests)
        network = guests[0].network
        rematch(guests)
        play_on(guests, 5)
        for participant in guests:
            participant.send(Leave())
        ends = [end for keep in network.kept for end in keep.ended]
        assert [(end.ending.outcome, end.own) for end in ends] == [
            ("finished", own),
            ("abandoned", own),
        ]
        assert [player.name for player in ends[1].record.players] == ["a", "b", "c"]
        assert len(ends[1].record.actions) == 5
