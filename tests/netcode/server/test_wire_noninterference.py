"""Nothing that goes over a connection depends on what its receiver may not know.

Two tables behind real servers get deals that differ only in cards which a receiver may not know up
to some moment of a game, and everybody does the same at both. Whatever reaches the receiver from
the first welcome to the last goodbye must be the same, in content, number, length and time, whoever
stalls, breaks off or sends nonsense meanwhile. Neither may a stranger at the door notice anything.
"""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.actions import ACTIONS, Action
from engine.cards import Seat
from engine.edition import EDITIONS
from engine.game import Deal, Game
from engine.view import View, Viewer
from netcode.protocol.codec import decode_host
from netcode.protocol.messages import AddBot, Lobby, SetReady, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.server.peer_handler import PeerHandler
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry
from netcode.server.table_runner import TableRunner
from netcode.table.broadcast import Broadcast
from netcode.table.effects import Effect, Keep, Think
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.live_game import LiveGame
from tests.engine.random_games import (
    Played,
    examples,
    moments,
    moments_for_two,
    random_game,
    viewers,
)
from tests.engine.test_noninterference import Trade, traded_action, traded_deal, trades
from tests.support.pretend import FixedDeals, Participant, asked, kind_of, tokens
from tests.support.scripted_evening import Evening, game_before
from tests.support.shell import Heard, ServerNetwork


def heard(
    games: list[Played],
    upto: int,
    by_seat: list[Trade] | None,
    viewer: Viewer,
    seed: int,
    *,
    two: bool = False,
) -> tuple[Heard, Heard]:
    return Evening(games, upto, by_seat, viewer, Random(seed), two=two).play_through()


@examples(15)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.data())
def test_nothing_on_the_wire_depends_on_what_its_receiver_may_not_know(
    seed: int, second_game: bool, two: bool, data: st.DataObject
) -> None:
    """Nor is a stranger sent anything else, at a table for two or another."""
    played, upto = data.draw(moments_for_two() if two else moments())
    by_whom: Sequence[Viewer] = [None, (0, 2), (1, 3)] if two else viewers(played.games[upto])
    viewer = data.draw(st.sampled_from(by_whom))
    games = [game_before(played, Random(seed)), played] if second_game else [played]
    by_seat = trades(viewer, played.games[upto], Random(seed))
    ours = heard(games, upto, None, viewer, seed, two=two)
    assert ours == heard(games, upto, by_seat, viewer, seed, two=two)


def test_the_troubles_are_such_that_everything_is_noticed() -> None:
    """The property above is about all that can be noticed only if it all comes."""
    played = random_game(1)
    games = [game_before(played, Random(1)), played]
    noticed: set[str] = set()
    for seed in range(4):
        for _, how, frame in heard(games, 20, None, 0 if seed else 1, seed)[0]:
            noticed.add(kind_of(decode_host(frame)) if frame else how)
    assert noticed == {
        *("welcome", "lobby", "state", "game_record"),
        *("clock", "talk", "refused", "goodbye"),
        *("closed with 1000", "aborted"),
    }


# With bots, which see what is theirs


class Participants:
    """Three persons and two bots that think for themselves, in one game."""

    def __init__(self, deal: Deal) -> None:
        self.network = ServerNetwork(
            FixedDeals(list(zip(deal.hands, deal.aside, strict=True))),
            settings=TableSettings(edition=deal.edition.number, first="r", pace_ms=300),
            scripted_bots=False,
        )
        self.persons = [Participant(self.network, name) for name in "abc"]
        host, *others = self.persons
        for bot in ("steady", "random"):
            host.say(AddBot(bot=bot))
        for participant in others:
            participant.say(SetReady(ready=True))
        host.say(Start())

    def play(self, actions: int, choose: Callable[[Seat, View], Action]) -> Heard:
        """Let so many actions be, in which persons choose so; return what the first is sent."""
        with self.network:
            while len(tokens(self.persons[0])) < actions:
                participant = asked(self.persons)
                if participant is None:
                    self.network.wait(0.1)
                else:
                    participant.act(
                        choose(self.persons.index(participant), participant.view()).token
                    )
        return self.network.heard[self.persons[0]]


@pytest.mark.parametrize("seed", range(4))
def test_bots_give_nothing_away_that_is_not_theirs_to_know(seed: int) -> None:
    rng = Random(seed)
    deal = Deal.shuffled(rng, "rbgyv", EDITIONS[1 + seed % 2], 0)
    upto = rng.randrange(20, 60)
    here = Participants(deal)
    ours = here.play(upto, lambda seat, view: rng.choice(view.legal))
    games, actions = [Game.start(deal)], [ACTIONS[token] for token in tokens(here.persons[0])]
    for action in actions:
        games.append(games[-1].play(action))
    by_seat = trades(0, games[-1], rng)
    by_seat[3:] = {}, {}
    assert any(by_seat[1:3])
    there = Participants(traded_deal(deal, by_seat))

    def traded(seat: Seat, view: View) -> Action:
        done = len(tokens(there.persons[0]))
        return traded_action(games[done], actions[done], by_seat)

    assert there.play(upto, traded) == ours


# A leak would be found


def tell_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every placed card told to everybody."""
    monkeypatch.setattr("netcode.table.live_game.project", lambda event, viewer: event)


def tell_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the clock show what the one who is asked holds."""
    show = Broadcast._tell_clock

    def leaky(self: Broadcast, there: list[int], shown: list[int], now: float) -> None:
        play = self.games.live
        hand = "" if play is None else hands(play)[play.turn]
        show(self, there, shown, now + ord(hand[:1] or "?") / 1000)

    monkeypatch.setattr(Broadcast, "_tell_clock", leaky)


def tell_by_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a bot think longer about a hand with a Soldier."""
    tick = Games.tick

    def leaky(self: Games, now: float) -> Think | None:
        think = tick(self, now)
        if think is not None and "S" in think.view.hands[think.seat]:
            return Think(
                think.game, think.seat, think.bot, think.view, think.revision, think.delay_s + 0.2
            )
        return think

    monkeypatch.setattr(Games, "tick", leaky)


def tell_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have spectators see with the eyes of a player."""
    state = LiveGame.state

    def leaky(self: LiveGame, viewer: Seat | None, you: Any, revision: int, since: int) -> State:
        return state(self, viewer or 0, you, revision, since)

    monkeypatch.setattr(LiveGame, "state", leaky)


def tell_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a State come twice if the one who is asked holds an Ambush."""
    show = Broadcast._tell_game

    def leaky(self: Broadcast, connection: int, participant: Any, state: Any) -> bool:
        shown = show(self, connection, participant, state)
        play = self.games.live
        if play is not None and not play.over and "A" in hands(play)[play.turn]:
            state.revision = -1
            show(self, connection, participant, state)
        return shown

    monkeypatch.setattr(Broadcast, "_tell_game", leaky)


def tell_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a refusal name what the one who is asked holds."""
    act = Games.act

    def leaky(self: Games, seat: Any, token: str, now: float) -> None:
        try:
            act(self, seat, token, now)
        except NotAllowedError as refusal:
            assert self.live is not None
            refusal.values = {**refusal.values, "card": hands(self.live)[self.live.turn]}
            raise

    monkeypatch.setattr(Games, "act", leaky)


def tell_in_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what everybody is told of the table count the Ambushes that are still held."""

    lobby = Broadcast.lobby

    def leaky(self: Broadcast) -> Lobby:
        play = self.games.live
        held = 0 if play is None else "".join(hands(play)).count("A")
        return replace(lobby(self), invitation="x" * held)

    monkeypatch.setattr(Broadcast, "lobby", leaky)


def tell_by_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have it take longer to keep that a Soldier was placed."""
    carry_out = TableRunner.carry_out

    def leaky(self: TableRunner, entry: TableEntry, effects: list[Effect]) -> None:
        kept = [each.snapshot for each in effects if isinstance(each, Keep) and each.moves]
        if any(each is not None and each.game.actions[-1][0] == "S" for each in kept):
            asyncio.get_running_loop().call_later(0.003, carry_out, self, entry, effects)
        else:
            carry_out(self, entry, effects)

    monkeypatch.setattr(TableRunner, "carry_out", leaky)


def tell_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the door wait longer for a hello while somebody holds an Ambush."""
    overdue = PeerHandler._hello_overdue

    def leaky(self: PeerHandler, peer: Peer, first: bool) -> None:
        table = next(self._tables._registry.entries).table
        play = None if table is None else table.games.live
        delay = 0 if play is None else "".join(hands(play)).count("A")
        asyncio.get_running_loop().call_later(delay, overdue, self, peer, first)

    monkeypatch.setattr(PeerHandler, "_hello_overdue", leaky)


def hands(play: LiveGame) -> list[str]:
    return [play.seen_by(seat).hands[seat] for seat in range(play.seen_by(None).players)]


EVENINGS: tuple[tuple[int, Seat | None], ...] = ((7, None), (1, 1))
"""Seeds, and who looks."""


def by_night(seed: int, viewer: Seat | None, trade: bool) -> tuple[Heard, Heard]:
    """Return what somebody and a stranger notice of an evening, with cards traded or not."""
    played = random_game(1)
    by_seat = trades(viewer, played.games[30], Random(1)) if trade else None
    return heard([played], 30, by_seat, viewer, seed)


@pytest.fixture(scope="module")
def without_leak() -> None:
    """Make sure that nothing differs before anything leaks."""
    for evening in EVENINGS:
        assert by_night(*evening, trade=False) == by_night(*evening, trade=True)


@pytest.mark.parametrize(
    "leak",
    [
        tell_events,
        tell_time,
        tell_by_waiting,
        tell_spectators,
        tell_twice,
        tell_in_refusals,
        tell_in_the_lobby,
        tell_by_the_disk,
        tell_strangers,
    ],
)
@pytest.mark.usefixtures("without_leak")
def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch, leak: Any) -> None:
    """The property above is worth what it finds."""
    leak(monkeypatch)
    monkeypatch.setattr("tests.support.pretend.assert_keeps_secrets", lambda *_: None)
    assert any(
        by_night(*evening, trade=False) != by_night(*evening, trade=True) for evening in EVENINGS
    )
