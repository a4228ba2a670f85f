"""Tests that a record names all holders of a seat in order, and the step at which each began."""

import asyncio
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record import Holder, Record
from netcode.client.history_writer import HistoryWriter
from netcode.protocol.evening import Evening as EveningOfTable
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    AddBot,
    AnswerWish,
    AskSeat,
    BackToLobby,
    GameRecord,
    Leave,
    Lobby,
    Remove,
    Rename,
    SendAway,
    SetReady,
    Start,
)
from netcode.storage.history import History
from netcode.storage.past_evenings import results_of
from netcode.table.finished_game import PastGame
from tests.engine.random_games import examples
from tests.support.kept import KeptNetwork
from tests.support.pretend import OWNER_KEY, Participant, decider, play_on, playing


def record_sent_to(participant: Participant) -> Record:
    records = [each for each in participant.received if isinstance(each, GameRecord)]
    return Record.from_json(records[-1].record)


def play_to_the_end(guests: list[Participant]) -> None:
    """Play the game to its end, also with bots."""
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
    a.send(SendAway(name="c"))
    play_to_the_end(guests[:2])
    record = network.table.record()
    assert record is not None
    assert [each.holders for each in record.players[:2]] == [(Holder("a"),), (Holder("b"),)]
    assert record.players[2].holders == (Holder("c"), Holder("Aubin", "steady", 7, 90))
    for guest in (a, b):
        assert record_sent_to(guest).players == record.players
        assert guest.session.names() == ("a", "b", "Aubin")


def test_a_restart_brings_back_who_held_a_seat() -> None:
    guests = playing(rng=Random(1), owner_key=OWNER_KEY)
    a, b, _c = guests
    play_on(guests, 7)
    a.send(SendAway(name="c"))
    a.network.restart(OWNER_KEY)
    for guest in (a, b):
        guest.come_back()
    play_to_the_end([a, b])
    for guest in (a, b):
        assert record_sent_to(guest).players[2].holders[0] == Holder("c")
        assert guest.session.names() == ("a", "b", "Aubin")


def test_a_player_who_is_sent_away_after_the_game_has_played_it() -> None:
    guests = playing(rng=Random(1))
    a, b, _c = guests
    play_on(guests)
    a.send(SendAway(name="c"))
    for guest in (a, b):
        assert guest.lobby().seats[2].name == "Aubin"
        assert guest.session.names() == ("a", "b", "c")
        assert record_sent_to(guest).players[2].holders == (Holder("c"),)


# The histories of host and guests

Deed: TypeAlias = Literal["away", "leave", "drop", "back", "come", "restart"]

deeds = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.sampled_from([*["away", "back", "come"] * 2, "leave", "drop", "restart"]),
        st.integers(1, 3),
    ),
    max_size=8,
)
"""Deeds of guests or the host's program, each after a number of steps of the game."""


class Guest:
    """A person whose program has a history, at another person's table."""

    def __init__(
        self,
        network: KeptNetwork,
        name: str,
        folder: Path,
        loop: asyncio.AbstractEventLoop,
        *,
        watches: bool = False,
    ) -> None:
        self.loop = loop
        self.participant = Participant(network, name, spectator=watches, greet=False)
        self.path = folder / f"{name}.db"
        self.history = HistoryWriter(
            "joined", lambda error: self.errors.append(error), self.path, lambda: network.now
        )
        self.errors: list[Exception] = []
        self.is_there = True
        self.is_removed = False
        self.finished = 0
        """The number of finished games of this person."""
        self._take, self.participant.take = self.participant.take, self.take  # type: ignore[method-assign]
        self.participant.greet()

    def take(self, frame: bytes, message: Message) -> None:
        self._take(frame, message)
        self.loop.run_until_complete(self._see(message))

    async def _see(self, message: Message) -> None:
        self.history.see(self.participant.session, message)
        await self.history.settled()

    def leave(self) -> None:
        self.loop.run_until_complete(self._leave())

    async def _leave(self) -> None:
        self.history.leave(self.participant.session, "left")
        await self.history.settled()

    @property
    def name(self) -> str:
        family = self.participant.session.family
        return next(each.name for each in self.lobby.seats if each.family == family)

    @property
    def lobby(self) -> Lobby:
        return self.participant.lobby()

    def games(self) -> list[PastGame]:
        with History.open(self.path) as history:
            return history.games()

    def record(self) -> Record:
        """Return the record of the latest game."""
        with History.open(self.path) as history:
            return history.record(history.games()[0].id)


class Evening:
    """A table of four persons, with latecomers, and the records that they should get."""

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.folder, self.path, self.loop = folder, folder / "host.db", loop
        self.later = iter("efghijklmnopqrst")
        """The names of latecomers."""
        self.results = EveningOfTable()
        """The results before the present game."""
        self.network = KeptNetwork(self.path)
        self.guests = [Guest(self.network, name, folder, loop) for name in "abcd"]
        self.host = self.guests[0]
        self.holders: dict[str, list[Holder]] = {}

    @property
    def there(self) -> list[Guest]:
        return [each for each in self.guests if each.is_there]

    @property
    def steps(self) -> int:
        record = self.network.table.record()
        return 0 if record is None else len(record.actions)

    def begin(self) -> None:
        for guest in self.there[1:]:
            guest.participant.send(SetReady(ready=True))
        self.host.participant.send(Start())
        assert self.host.participant.phase() == "playing"
        self.results = self.host.lobby.evening
        self.holders = {
            seat.family: [Holder(seat.name, seat.bot)] for seat in self.host.lobby.seats
        }

    def play(self, most: int = 1000) -> None:
        until = self.steps + most
        for _ in range(2000):
            if self.host.participant.phase() != "playing" or self.steps >= until:
                return
            participant = decider([each.participant for each in self.there])
            if participant is not None:
                participant.act_somehow()
            else:
                self.network.wait(1)
        raise AssertionError("the game does not go on")

    def do(self, deed: str, guest: Guest) -> None:
        if self.host.participant.phase() != "playing" or guest is self.host:
            return
        participant, has_seat = guest.participant, not guest.is_removed
        match deed:
            case "away" if has_seat:
                family = participant.session.family
                guest.is_there, guest.is_removed = False, True
                self.host.participant.send(SendAway(name=guest.name))
                seat = next(each for each in self.host.lobby.seats if each.family == family)
                self.holders[seat.family].append(Holder(seat.name, seat.bot, self.steps))
            case "leave" if guest.is_there:
                guest.leave()
                guest.is_there = False
                participant.send(Leave())
            case "drop" if guest.is_there:
                guest.is_there = False
                participant.drop()
            case "back" if has_seat and not guest.is_there:
                guest.is_there = True
                participant.come_back()
            case "come":
                self.come_late()
            case "restart":
                self.network.restart()
                for each in self.there:
                    each.participant.come_back()

    def come_late(self) -> None:
        """Let a newcomer take the seat of the first bot, if there is one."""
        bot = next((seat for seat in self.host.lobby.seats if seat.bot is not None), None)
        if bot is None:
            return
        name = next(self.later)
        guest = Guest(self.network, name, self.folder, self.loop, watches=True)
        guest.participant.send(AskSeat(family=bot.family))
        self.host.participant.send(AnswerWish(name=name, family=bot.family, granted=True))
        self.guests.append(guest)
        self.holders[bot.family].append(Holder(name, None, self.steps))

    def judge(self) -> None:
        with History.open(self.path) as history:
            past = history.games()[0]
            record = history.record(past.id)
        for player in record.players:
            assert [each._replace(after_s=0) for each in player.holders] == self.holders[
                player.family
            ]
        expected = self.results.after(results_of(past))
        assert self.host.lobby.evening == expected, "the table and its history count alike"
        standings = {each.player: each for each in self.host.lobby.evening.standings}
        for guest in self.there:
            assert guest.record().players == record.players
            (mine, *_) = guest.games()
            assert (mine.players, mine.outcome) == (past.players, "finished")
            assert mine.began == past.began
            assert [past.players[seat].name for seat in mine.own] == [guest.name]
            assert guest.participant.session.names() == tuple(each.name for each in record.players)
        for guest in self.guests:
            if not guest.is_removed:
                guest.finished += 1
                assert standings[guest.name, False].games == guest.finished
        assert not [error for guest in self.guests for error in guest.errors]
        for guest in self.guests:
            for left in guest.games():
                if left.outcome in ("left", "removed") and left.began == past.began:
                    self._judge_left(left, record)

    def _judge_left(self, left: PastGame, record: Record) -> None:
        (seat,) = left.own
        own, holders = left.players[seat], record.players[seat].holders
        assert record.players[seat].holder_at(left.decisions).name == own.name or any(
            each.step == left.decisions for each in holders
        )
        assert own.name == holders[0].name
        if left.outcome == "removed":
            assert holders[1].step == left.decisions

    def back_to_the_lobby(self) -> None:
        """Return to the lobby, without absent players, and with bots only up to three seats."""
        self.host.participant.send(BackToLobby())
        self.network.wait(30)
        for seat in self.host.lobby.seats:
            if seat.bot is not None or not seat.present:
                self.host.participant.send(Remove(family=seat.family))
        for _ in range(3 - len(self.host.lobby.seats)):
            self.host.participant.send(AddBot(bot="steady"))
        self.guests = self.there


@given(deeds, st.booleans(), deeds)
@examples(25)
def test_histories_and_evenings_agree_whoever_goes_comes_late_or_is_renamed(
    tmp_path_factory: pytest.TempPathFactory,
    first: list[tuple[int, str, int]],
    renames: bool,
    second: list[tuple[int, str, int]],
) -> None:
    # One loop for all messages: to make one takes longer than to handle a message.
    with asyncio.Runner() as runner:
        evening = Evening(tmp_path_factory.mktemp("evening"), runner.get_loop())
        for game in (first, second):
            evening.begin()
            for steps, deed, number in game:
                evening.play(steps)
                others = evening.guests[1:] or evening.guests
                evening.do(deed, others[number % len(others)])
            evening.play()
            evening.judge()
            evening.back_to_the_lobby()
            if renames:
                guest = evening.guests[-1]
                guest.participant.send(Rename(name=f"{guest.name}{guest.name}"))
        evening.network.store.close()
