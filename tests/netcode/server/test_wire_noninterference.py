"""Tests that bytes on a connection do not depend on cards that the receiver may not know.

Two tables behind real servers get deals that differ only in cards hidden from a receiver up to some
moment. All players act the same at both tables. The receiver must get the same frames, from the
first welcome to the last goodbye, in content, number, length and time. Others may stall, disconnect
or send nonsense in the meantime. A client without admission must notice no difference either.
"""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import netcode.table.live_game
from engine.actions import ACTIONS, Action
from engine.cards import Seat
from engine.edition import EDITIONS
from engine.game import Deal, Game
from engine.views import View, Viewer, project
from netcode.protocol.codec import decode_host
from netcode.protocol.fields import checked_struct
from netcode.protocol.messages import AddBot, AnswerWish, AskSeat, SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.server.peer_handler import PeerHandler
from netcode.server.peers import Peer
from netcode.server.table_registry import TableEntry
from netcode.server.table_runner import TableRunner
from netcode.table.broadcast import Broadcast
from netcode.table.connections import ConnectionState
from netcode.table.effects import Effect, Keep, Think
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.live_game import LiveGame
from netcode.table.people.seats import Participant as Seated
from netcode.table.people.seats import Seat as Place
from tests.engine.random_games import (
    Played,
    examples,
    moments,
    moments_for_two,
    random_game,
    viewers,
)
from tests.engine.test_noninterference import Trade, traded_action, traded_deal, trades
from tests.support.planted import Wrong, plant, substitute
from tests.support.pretend import (
    FixedDeals,
    Participant,
    assert_keeps_secrets,
    decider,
    kind_of,
    tokens,
)
from tests.support.scripted_evening import Evening, game_before
from tests.support.shell import ConnectionEvents, ServerNetwork


def events_of(
    games: list[Played],
    upto: int,
    by_seat: list[Trade] | None,
    viewer: Viewer,
    seed: int,
    *,
    two: bool = False,
) -> tuple[ConnectionEvents, ConnectionEvents]:
    return Evening(games, upto, by_seat, viewer, Random(seed), two=two).play_through()


@examples(15)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.data())
def test_nothing_on_the_wire_depends_on_what_its_receiver_may_not_know(
    seed: int, second_game: bool, two: bool, data: st.DataObject
) -> None:
    """A client without admission gets the same bytes too, also at tables for two."""
    played, upto = data.draw(moments_for_two() if two else moments())
    by_whom: Sequence[Viewer] = [None, (0, 2), (1, 3)] if two else viewers(played.games[upto])
    viewer = data.draw(st.sampled_from(by_whom))
    games = [game_before(played, Random(seed)), played] if second_game else [played]
    by_seat = trades(viewer, played.games[upto], Random(seed))
    ours = events_of(games, upto, None, viewer, seed, two=two)
    assert ours == events_of(games, upto, by_seat, viewer, seed, two=two)


def test_the_troubles_are_such_that_everything_is_noticed() -> None:
    """The property in this module is useful only if the troubles cause all kinds of messages."""
    played = random_game(1)
    games = [game_before(played, Random(1)), played]
    noticed: set[str] = set()
    for seed in range(4):
        for _, how, frame in events_of(games, 20, None, 0 if seed else 1, seed)[0]:
            noticed.add(kind_of(decode_host(frame)) if frame else how)
    assert noticed == {
        *("welcome", "lobby", "state", "game_record"),
        *("clock", "talk", "refused", "goodbye"),
        "closed with 1000",
    }


# Bots, which see their own cards


class Participants:
    """Three persons and two thinking bots in one game."""

    def __init__(self, deal: Deal) -> None:
        self.network = ServerNetwork(
            FixedDeals(list(zip(deal.hands, deal.aside, strict=True))),
            settings=TableSettings(edition=deal.edition.number, first="r", pace_ms=300),
            scripted_bots=False,
        )
        self.persons = [Participant(self.network, name) for name in "abc"]
        host, *others = self.persons
        for bot in ("steady", "random"):
            host.send(AddBot(bot=bot))
        for participant in others:
            participant.send(SetReady(ready=True))
        host.send(Start())

    def play(self, actions: int, choose: Callable[[Seat, View], Action]) -> ConnectionEvents:
        """Play a number of actions; return the first player's frames."""
        with self.network:
            while len(tokens(self.persons[0])) < actions:
                participant = decider(self.persons)
                if participant is None:
                    self.network.wait(0.1)
                else:
                    participant.act(
                        choose(self.persons.index(participant), participant.view()).token
                    )
        return self.network.events[self.persons[0]]


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


# Newcomers, who know the cards of a bot's seat from the moment at which they take it


LONGEST: Final = 36
"""Maximum number of decisions in these games."""


def late(
    deal: Deal, choose: Callable[[int], Action], at: int, upto: int, family: str
) -> ConnectionEvents:
    """Return the frames of a spectator who takes the seat of a bot after `at` decisions.

    `choose` returns the next decision for a number of earlier ones.
    """
    network = ServerNetwork(
        FixedDeals(list(zip(deal.hands, deal.aside, strict=True))),
        settings=TableSettings(edition=deal.edition.number, first="r", pace_ms=300),
    )
    with network:
        host = Participant(network, "a")
        network.choose = lambda _think: choose(len(tokens(host)))
        for _ in range(2):
            host.send(AddBot(bot="random"))
        host.send(Start())
        guest = Participant(network, "w", spectator=True)
        asks = True
        while (done := len(tokens(host))) < upto:
            if done >= at and asks:
                asks = False
                guest.send(checked_struct({"family": family}, AskSeat))
                guest.send(checked_struct({"family": "v"}, AskSeat))
                host.send(
                    checked_struct({"name": "w", "family": family, "granted": True}, AnswerWish)
                )
                assert guest.session.family == family
                guest.send(checked_struct({"family": "b"}, AskSeat))
            participant = decider([host, guest])
            if participant is None:
                network.wait(0.1)
            else:
                participant.act(choose(done).token)
    return network.events[guest]


def late_twice(seed: int, at: int, family: str) -> tuple[ConnectionEvents, ConnectionEvents]:
    """Return a newcomer's frames at two tables that differ only in cards hidden from the seat."""
    rng = Random(seed)
    deal = Deal.shuffled(rng, "rbg", EDITIONS[1 + seed % 2], 0)
    games, actions = [Game.start(deal)], list[Action]()
    while len(actions) < LONGEST and not games[-1].over:
        actions.append(rng.choice(games[-1].legal))
        games.append(games[-1].play(actions[-1]))
    upto = rng.randint(at, len(actions))
    by_seat = trades(deal.families.index(family), games[upto], rng)

    def traded(step: int) -> Action:
        return traded_action(games[step], actions[step], by_seat)

    ours = late(deal, lambda step: actions[step], at, upto, family)
    return ours, late(traded_deal(deal, by_seat), traded, at, upto, family)


@examples(15)
@given(st.integers(0, 2**32 - 1), st.integers(0, LONGEST - 10), st.sampled_from("bg"))
def test_a_newcomer_learns_no_more_than_the_seats_player_may_know(
    seed: int, at: int, family: str
) -> None:
    ours, theirs = late_twice(seed, at, family)
    assert ours == theirs


@pytest.mark.parametrize("name", ["leak_events", "leak_to_spectators", "leak_in_the_lobby"])
def test_a_leak_to_a_newcomer_would_be_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    plant(LEAKS[name], monkeypatch)
    substitute(monkeypatch, assert_keeps_secrets, lambda *_: None)
    assert any(ours != theirs for ours, theirs in (late_twice(seed, 6, "g") for seed in range(4)))


# Planted leaks


Called: TypeAlias = Callable[..., Any]


def live_game(games: Games) -> LiveGame | None:
    return games.play if isinstance(games.play, LiveGame) else None


def holders(live: LiveGame | None, card: str) -> int:
    """Return the number of players with a card in hand."""
    seats = () if live is None else range(len(live.families))
    return sum(card in live.seen_by(seat).hands[seat] for seat in seats if live is not None)


def hand_of_decider(live: LiveGame) -> str:
    return live.seen_by(live.turn).hands[live.turn]


def leak_events(right: Called) -> Called:
    """Leak: send every placed card to everybody."""
    return lambda event, viewer: event


def leak_time(right: Called) -> Called:
    """Leak: let the clock depend on the deciding player's hand."""

    def leak(self: Broadcast, there: list[int], shown: list[int], now: float) -> None:
        live = live_game(self.games)
        hand = "" if live is None else hand_of_decider(live)
        right(self, there, shown, now + ord(hand[:1] or "?") / 1000)

    return leak


def leak_by_waiting(right: Called) -> Called:
    """Leak: let a bot think longer with a Soldier in hand."""

    def tick(self: Games, now: float) -> Think | None:
        think: Think | None = right(self, now)
        if think is None:
            return None
        longer_s = 0.2 * ("S" in think.view.hands[think.seat])
        return replace(think, delay_s=think.delay_s + longer_s)

    return tick


def leak_to_spectators(right: Called) -> Called:
    """Leak: give spectators a player's view."""
    return lambda self, viewer, *rest: right(self, viewer or 0, *rest)


def leak_twice(right: Called) -> Called:
    """Leak: send a State twice if the deciding player holds an Archer."""

    def leak(self: Broadcast, connection: int, participant: Seated, state: ConnectionState) -> bool:
        was_sent: bool = right(self, connection, participant, state)
        live = live_game(self.games)
        if was_sent and live is not None and not live.over and "A" in hand_of_decider(live):
            state.revision = -1
            right(self, connection, participant, state)
        return was_sent

    return leak


def leak_in_refusals(right: Called) -> Called:
    """Leak: name the deciding player's hand in a refusal."""

    def act(self: Games, seat: Place, token: str, now: float) -> None:
        try:
            right(self, seat, token, now)
        except NotAllowedError as error:
            live = live_game(self)
            if error.code != "not_your_turn" or live is None:
                raise
            raise NotAllowedError(error.code, **error.values, card=hand_of_decider(live)) from None

    return act


def leak_in_the_lobby(right: Called) -> Called:
    """Leak: count the Archers in hands in the lobby message."""
    return lambda self: replace(right(self), invitation="x" * holders(live_game(self.games), "A"))


def leak_by_the_disk(right: Called) -> Called:
    """Leak: let storing take longer after a Soldier was placed."""

    def execute(self: TableRunner, entry: TableEntry, effects: list[Effect]) -> None:
        keep = effects[0] if effects else None
        actions = keep.snapshot.game.actions if isinstance(keep, Keep) and keep.snapshot else ()
        placed_soldier = isinstance(keep, Keep) and keep.moves and actions[-1][0] == "S"
        loop = asyncio.get_running_loop()
        loop.call_later(0.003 * bool(placed_soldier), right, self, entry, effects)

    return execute


def leak_to_strangers(right: Called) -> Called:
    """Leak: let the door wait longer for a hello while a player holds an Archer."""

    def overdue(self: PeerHandler, peer: Peer, first: bool) -> None:
        table = next(self._runner._registry.entries).table
        holding = 0 if table is None else holders(live_game(table.games), "A")
        self._clock.call_later(holding, right, self, peer, first)

    return overdue


LEAKS: Final[dict[str, Wrong]] = {
    wrong.make.__name__: wrong
    for wrong in (
        Wrong(project, leak_events, imported_by=netcode.table.live_game),
        Wrong(Broadcast._send_clock, leak_time),
        Wrong(Games.tick, leak_by_waiting),
        Wrong(LiveGame.state, leak_to_spectators),
        Wrong(Broadcast._send_game, leak_twice),
        Wrong(Games.act, leak_in_refusals),
        Wrong(Broadcast.lobby, leak_in_the_lobby),
        Wrong(TableRunner.execute, leak_by_the_disk),
        Wrong(PeerHandler._hello_overdue, leak_to_strangers),
    )
}
"""All planted leaks by name; the property must find each."""

EVENINGS: tuple[tuple[int, Seat | None], ...] = ((7, None), (1, 1))
"""Seeds of evenings, each with the receiver's seat; None for a spectator."""


def by_night(
    seed: int, viewer: Seat | None, trade: bool
) -> tuple[ConnectionEvents, ConnectionEvents]:
    """Return the frames of a receiver and a stranger in an evening, with cards traded or not."""
    played = random_game(1)
    by_seat = trades(viewer, played.games[30], Random(1)) if trade else None
    return events_of([played], 30, by_seat, viewer, seed)


@pytest.fixture(scope="module")
def without_leak() -> None:
    """Assert that without a leak nothing differs."""
    for evening in EVENINGS:
        assert by_night(*evening, trade=False) == by_night(*evening, trade=True)


@pytest.mark.parametrize("name", LEAKS)
@pytest.mark.usefixtures("without_leak")
def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The property in this module is useful only if it finds leaks."""
    plant(LEAKS[name], monkeypatch)
    substitute(monkeypatch, assert_keeps_secrets, lambda *_: None)
    assert any(
        by_night(*evening, trade=False) != by_night(*evening, trade=True) for evening in EVENINGS
    )
