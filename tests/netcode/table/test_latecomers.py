"""Tests that latecomers take a bot's seat in a running game only with the host's permission."""

from random import Random
from typing import Any

import pytest

from netcode.client.left_game import left_game
from netcode.protocol.messages import (
    AddBot,
    AnswerWish,
    AskSeat,
    Refused,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.finished_game import PastHolder
from netcode.table.live_game import LiveGame
from tests.netcode.table.scenes import play
from tests.support.pretend import OWNER_KEY, Network, Participant, play_on, rematch, tokens

BOTS: dict[str, Any] = {"in_lobby": "a", "first": "r"}
START = "a adds, a adds, a starts"
"""Begins a game of one person and two bots: Aubin is Blue and Berthe is Green."""
WITH_B = "b comes, b ready, a adds, a starts"
"""Begins a game of two persons and a bot: Aubin is Green."""

SCENES: dict[str, tuple[dict[str, Any], str]] = {
    "the host gives a newcomer a bot's seat by one answer": (
        BOTS,
        f"""
        {START}, w watches, w wishes g | wishes w:g; r:a* b:Aubin g:Berthe; watching w
        a grants w g | wishes; r:a* b:Aubin g:w; watching; holders g Berthe:0 w:0
        a S>, 1 s | w asked; 2 played
        w S>, a drops, all play | result; holders g Berthe:0 w:0
    """,
    ),
    "a refused newcomer goes on watching": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, a refuses w g | wishes; watching w; r:a* b:Aubin g:Berthe
        w wishes g | w refused refused_lately
        59.9 s, w wishes b | w refused refused_lately
        0.1 s, w wishes b | wishes w:b
    """,
    ),
    "a wish stays until the host answers": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, 1000 s | wishes w:g
        a drops, a returns | wishes w:g
        w withdraws | wishes
        a grants w g | a refused no_wish; watching w
    """,
    ),
    "a wish that changes is answered as it is": (
        BOTS,
        f"""
        {START}, w watches, x watches, w wishes g, x wishes b, w wishes b | wishes x:b w:b
        w wishes b | wishes x:b w:b
        a grants w g | a refused no_wish; wishes x:b w:b
    """,
    ),
    "of two who want one seat the other reads that it is taken": (
        BOTS,
        f"""
        {START}, w watches, x watches, w wishes g, x wishes g | wishes w:g x:g
        a grants x g | wishes; r:a* b:Aubin g:x; watching w
        a grants w g | a refused no_wish
        w wishes g | w refused persons_seat
        w wishes b, a grants w b | r:a* b:w g:x
    """,
    ),
    "nobody takes a second seat": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, a grants w g, w wishes b | w refused seated
        a wishes b | a refused seated
    """,
    ),
    "a wish ends with the person who has it": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, w leaves | wishes
        a grants w g | a refused no_wish; r:a* b:Aubin g:Berthe
        w watches | wishes; watching w
    """,
    ),
    "a lost connection ends a wish": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, w drops | wishes
        w returns | w refused unknown_key
        w greets | wishes; watching w
    """,
    ),
    "a wish ends with its game": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, a ends | lobby; wishes
        a grants w g | a refused no_game
        w wishes g | w refused no_game
        a starts | playing; wishes
        a grants w g | a refused no_wish
    """,
    ),
    "a wish ends with the end of the game": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, all play | result; wishes
        a grants w g | a refused no_game
    """,
    ),
    "only the host answers": (
        BOTS,
        f"""
        {WITH_B}, w watches, w wishes g, b grants w g | b refused not_the_host
        w grants w g | w refused not_the_host; wishes w:g
    """,
    ),
    "only the seats of bots can be taken": (
        BOTS,
        f"""
        {WITH_B}, w watches, w wishes b | w refused persons_seat
        b drops, 30 s, w wishes b | w refused persons_seat
        b returns, b leaves, 30 s, w wishes b | w refused persons_seat
        w wishes v | w refused no_such_seat
        a sends-away b, w wishes b, a grants w b | r:a* b:w g:Aubin; holders b b:0 Berthe:0 w:0
    """,
    ),
    "a table can let newcomers sit down without a question": (
        BOTS,
        f"""
        a sets latecomers=sit first=r pace_ms=0, {START}, w watches, w wishes g | r:a* b:Aubin g:w
        x watches, x wishes g | x refused persons_seat
    """,
    ),
    "a table can let latecomers only watch": (
        BOTS,
        f"""
        a sets latecomers=watch, {START}, w watches | wishes
        w wishes g | w refused latecomers_watch; wishes
    """,
    ),
    "a newcomer with a seat comes back to it": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, a grants w g, w drops | r:no b:no g:grace
        30 s, w returns | r:no b:no g:no; r:a* b:Aubin g:w
        w leaves | r:no b:no g:bot
    """,
    ),
    "a newcomer with a seat comes back to it after a crash": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, a grants w g, crash, w returns, a returns | r:a* b:Aubin g:w
        all play | result; holders g Berthe:0 w:0
    """,
    ),
    "a wish does not survive the host's crash, and can be repeated": (
        BOTS,
        f"""
        {START}, w watches, w wishes g, crash, a returns, w returns | w refused unknown_key
        w greets | wishes; watching w
        w wishes g, a grants w g | r:a* b:Aubin g:w
    """,
    ),
    "a person who was sent away has only that seat to come back to": (
        BOTS,
        f"""
        {WITH_B}, a sends-away b | r:a* b:Berthe g:Aubin
        B watches, B wishes g | B refused played_before
        B wishes b | wishes B:b
        a grants B b | r:a* b:B g:Aubin
    """,
    ),
    "a person who was sent away does not come back without the host": (
        BOTS,
        f"""
        a sets latecomers=sit pace_ms=0, {WITH_B}, a sends-away b | playing
        b watches, b wishes g | b refused played_before
        b wishes b | wishes b:b; r:a* b:Berthe g:Aubin
        w watches, w wishes g | wishes b:b w:g; r:a* b:Berthe g:Aubin
        a grants w g | r:a* b:Berthe g:w
    """,
    ),
    "who played an earlier game is a newcomer in the next": (
        BOTS,
        f"""
        {WITH_B}, a ends, a removes b, a adds, a starts | r:a* g:Aubin b:Berthe
        b watches, b wishes g, a grants b g | r:a* g:b b:Berthe; holders g Aubin:0 b:0
    """,
    ),
    "a newcomer has the whole time for a decision": (
        {**BOTS, "clock_s": 60, "pace_ms": 900},
        f"""
        {START}, w watches, w wishes b, a S>, 0.5 s, a grants w b | w asked; w 60 runs
        59 s, w drops, w returns | w 10 runs
        9 s | 1 played
        1.1 s | 2 played
    """,
    ),
    "a seat changes hands during a pause": (
        BOTS,
        f"""
        {START}, a pauses, w watches, w wishes g, a grants w g | paused; r:a* b:Aubin g:w
    """,
    ),
    "two families are one seat": (
        {"in_lobby": "a", "two": True, "first": "r"},
        """
        a adds, a starts, w watches, w wishes y | wishes w:b
        a grants w b | families a:rg w:by; holders b Aubin:0 w:0; holders y Aubin:0 w:0
    """,
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_scene(name: str) -> None:
    play(*SCENES[name])


def with_bots(network: Network | None = None) -> tuple[Participant, Participant]:
    """Return the host and a spectator of a game with two bots, in its second round."""
    network = network or Network(Random(3))
    host = Participant(network, "a")
    for _ in range(2):
        host.send(AddBot(bot="random"))
    host.send(Start())
    while host.view().round < 2:
        play_on([host])
        network.wait(1)
    return host, Participant(network, "w", spectator=True)


def test_a_newcomer_sees_all_that_the_seats_player_may_know_and_nothing_else() -> None:
    host, guest = with_bots()
    before = len(guest.received)
    assert guest.view().viewers == ()
    guest.send(AskSeat("g"))
    host.send(AnswerWish(name="w", family="g", granted=True))
    news = guest.received[before:]
    welcome = next(each for each in news if isinstance(each, Welcome))
    (state,) = (each for each in news if isinstance(each, State))
    play, games = host.network.table.games.play, host.network.table.games
    assert isinstance(play, LiveGame)
    assert welcome.family == "g"
    assert state == play.state(2, "g", games.revision, 0)
    assert guest.session.events == list(play.events_for(2))
    assert guest.view().viewers == (2,)


def test_what_a_newcomer_saw_as_a_spectator_is_no_news_in_the_seat() -> None:
    host, guest = with_bots()
    seen = len(guest.session.events)
    guest.send(AskSeat("g"))
    host.send(AnswerWish(name="w", family="g", granted=True))
    assert guest.session.fresh == seen == len(guest.session.events)


def test_the_bots_answer_to_a_question_of_before_does_not_count() -> None:
    network = Network(Random(3), settings=TableSettings(first="b"))
    host = Participant(network, "a")
    for _ in range(2):
        host.send(AddBot(bot="random"))
    host.send(Start())
    guest = Participant(network, "w", spectator=True)
    ((_due, think),) = network.thoughts
    guest.send(AskSeat("b"))
    host.send(AnswerWish(name="w", family="b", granted=True))
    network.think(think)
    network.wait(100)
    assert tokens(host) == ()
    guest.act_somehow()
    assert len(tokens(host)) == 1


def test_a_host_who_watches_takes_a_seat_without_a_question() -> None:
    network = Network(Random(3), owner_key=OWNER_KEY)
    guest = Participant(network, "b")
    for _ in range(2):
        guest.send(AddBot(bot="random"))
    host = Participant(network, "a", spectator=True, key=OWNER_KEY)
    for _ in range(2):
        host.send(AddBot(bot="random"))
    guest.send(SetReady(ready=True))
    host.send(Start())
    host.send(AskSeat("g"))
    assert host.session.family == "g"
    assert host.session.is_host
    assert host.lobby().host


def test_an_answer_to_nobody_and_a_wish_for_nothing_change_nothing() -> None:
    host, guest = with_bots()
    network = host.network
    kept = len(network.kept)
    stranger = Participant(network, "s", greet=False)
    for who, message, code in (
        (host, AnswerWish(name="w", family="g", granted=True), "no_wish"),
        (host, AnswerWish(name="nobody", family="g", granted=False), "no_wish"),
        (host, AskSeat("g"), "seated"),
        (host, AskSeat(None), "seated"),
        (guest, AskSeat("v"), "no_such_seat"),
        (guest, AskSeat("r"), "persons_seat"),
        (stranger, AskSeat("g"), "say_hello"),
    ):
        (answer,) = who.send(message)
        assert isinstance(answer, Refused)
        assert answer.code == code
    assert guest.send(AskSeat(None)) == []
    assert len(network.kept) == kept


def test_the_newcomers_history_and_the_hosts_name_all_holders() -> None:
    host, guest = with_bots()
    steps = len(tokens(host))
    guest.send(AskSeat("g"))
    host.send(AnswerWish(name="w", family="g", granted=True))
    while host.phase() == "playing":
        play_on([host, guest])
        host.network.wait(1)
    record = host.network.table.record()
    assert record is not None
    former, holder = record.players[2].holders
    assert (former.name, former.bot, former.step) == ("Berthe", "random", 0)
    assert (holder.name, holder.bot, holder.step) == ("w", None, steps)
    for each in (host, guest):
        assert each.session.record is not None
        assert each.session.record.players == record.players
        assert each.session.names() == ("a", "Aubin", "w")
    assert [each.name for each in host.lobby().evening.standings if not each.is_bot] in (
        ["a", "w"],
        ["w", "a"],
    )


def test_a_newcomer_who_leaves_early_has_the_seat_in_their_history_from_when_they_took_it() -> None:
    host, guest = with_bots()
    steps = len(tokens(host))
    guest.send(AskSeat("g"))
    host.send(AnswerWish(name="w", family="g", granted=True))
    play_on([host, guest], 2)
    left = left_game(guest.session, "left", None, 0)
    assert left is not None
    assert left.past.own == (2,)
    assert left.past.players[2].holders == (
        PastHolder("Berthe", "random", 0, 0),
        PastHolder("w", None, steps, 0),
    )
    assert [len(each.holders) for each in left.past.players] == [1, 1, 2]


def test_a_newcomer_can_play_the_game_to_its_end_and_another_one() -> None:
    host, guest = with_bots()
    guest.send(AskSeat("g"))
    host.send(AnswerWish(name="w", family="g", granted=True))
    while host.phase() == "playing":
        play_on([host, guest])
        host.network.wait(1)
    rematch([host, guest])
    assert host.phase() == "playing"
    record = host.network.table.record()
    assert record is not None
    assert [len(each.holders) for each in record.players] == [1, 1, 1]
