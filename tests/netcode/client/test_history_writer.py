"""Tests that a guest's program stores finished games in its own history."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine.record import Record
from engine.texts import ExplainedError
from netcode.client.history_writer import HistoryWriter
from netcode.protocol.codec import encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import GameRecord, Goodbye, Leave, SendAway
from netcode.storage.history import Filter, History
from netcode.table.errors import NotThereError
from netcode.table.finished_game import Origin, PastGame
from tests.support.kept import at_play, change
from tests.support.pretend import Participant, play_on, playing, rematch


class Memory:
    """A client's history of games, at a time that the test sets."""

    def __init__(
        self, path: Path, participant: Participant, origin: Origin = "joined", began: int = 100
    ) -> None:
        self.now = began
        self.errors: list[str] = []
        self.participant = participant
        self.history_writer = HistoryWriter(
            origin, lambda error: self.errors.append(error.sentence()), path, lambda: self.now
        )
        self._take, participant.take = participant.take, self.take  # type: ignore[method-assign]

    def take(self, frame: bytes, message: object) -> None:
        self._take(frame, message)  # type: ignore[arg-type]
        asyncio.run(self._see(message))  # type: ignore[arg-type]

    async def _see(self, message: Message) -> None:
        self.history_writer.see(self.participant.session, message)
        await self.history_writer.settled()


async def abandon(history_writer: HistoryWriter, record: Record, own: tuple[int, ...]) -> None:
    history_writer.abandon(record, own)
    await history_writer.settled()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def games(path: Path) -> list[PastGame]:
    with History.open(path) as history:
        return history.games()


def remembering(path: Path, spectator: bool = False) -> tuple[list[Participant], Memory]:
    guests = playing(rng=Random(1))
    network = guests[0].network
    participant = Participant(network, "w", spectator=True) if spectator else guests[2]
    return guests, Memory(path, participant)


def test_a_game_at_somebody_elses_table_is_kept_with_dates_and_the_own_seat(path: Path) -> None:
    guests, memory = remembering(path)
    play_on(guests)
    memory.now = 200
    rematch(guests)
    play_on(guests, 20)
    memory.now = 300
    play_on(guests)
    second, first = games(path)
    assert (second.began, second.ended, second.own, second.origin) == (200, 300, (2,), "joined")
    # The game began before this spectator came.
    assert (first.began, first.ended, first.outcome) == (None, 100, "finished")
    assert [player.name for player in first.players] == ["a", "b", "c"]
    assert not memory.errors


def test_others_game_that_was_over_when_one_came_is_theirs(path: Path) -> None:
    guests = playing(rng=Random(1))
    play_on(guests)
    late = Participant(guests[0].network, "l", spectator=True, greet=False)
    memory = Memory(path, late)
    late.greet()
    assert late.session.record is not None
    assert games(path) == []
    # A player with a new program has not seen the beginning, but owns the seat.
    guests[1].drop()
    mine = Memory(path, guests[1])
    guests[1].session.view = guests[1].session.record = None
    guests[1].session.events = []
    guests[1].come_back()
    assert [game.own for game in games(path)] == [(1,)]
    assert memory.errors + mine.errors == []


def test_who_is_sent_away_keeps_what_they_saw_of_the_game(path: Path) -> None:
    guests, memory = remembering(path)
    play_on(guests, 7)
    memory.now = 130
    guests[0].send(SendAway(name="c"))
    (game,) = games(path)
    assert (game.outcome, game.own, game.decisions, game.ended) == ("removed", (2,), 7, 130)
    assert [(each.name, each.place) for each in game.players] == [(name, None) for name in "abc"]
    with History.open(path) as history:
        assert [*history.export_all(left_out=unexpected)] == []
        with pytest.raises(NotThereError, match="continued without you"):
            history.record(game.id)
        assert history.games(Filter(outcome="removed")) == [game]
    assert not memory.errors


def unexpected(error: Exception) -> None:
    raise error


def test_a_game_that_somebody_left_is_one_game_once_they_see_all_of_it(path: Path) -> None:
    guests, memory = remembering(path)
    for actions in (5, 3):
        play_on(guests, actions)
        asyncio.run(leave(memory))
        guests[2].send(Leave())
        (part,) = games(path)
        assert (part.outcome, part.decisions) == ("left", 5 if actions == 5 else 8)
        guests[2].come_back()
    play_on(guests)
    assert [game.outcome for game in games(path)] == ["finished"]
    assert not memory.errors


async def leave(memory: Memory) -> None:
    memory.history_writer.leave(memory.participant.session, "left")
    await memory.history_writer.settled()


def test_who_leaves_before_the_first_decision_or_only_watches_has_left_no_game(path: Path) -> None:
    guests, memory = remembering(path)
    asyncio.run(leave(memory))
    play_on(guests, 5)
    watcher = Memory(path, Participant(guests[0].network, "w", spectator=True))
    asyncio.run(leave(watcher))
    assert games(path) == []


def test_a_host_that_makes_games_up_does_not_fill_the_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netcode.client.history_writer.MAXIMUM_GAMES", 1)
    guests, _ = remembering(path)
    for _game in range(2):
        play_on(guests)
        rematch(guests)
    assert len(games(path)) == 1


def test_a_game_at_ones_own_table_that_ones_own_client_keeps_is_one_game(path: Path) -> None:
    network, guests = at_play(path, 0)
    Memory(path, guests[1])
    play_on(guests)
    (game,) = games(path)
    assert (game.began, game.ended, game.own, game.origin) == (1000, 1000, (1,), "own")
    network.store.close()


@pytest.mark.parametrize("actions", [0, 20])
def test_a_game_alone_that_is_left_is_abandoned_if_anything_was_played(
    path: Path, actions: int
) -> None:
    guests, memory = remembering(path)
    play_on(guests, actions)
    record = guests[0].network.table.record()
    assert record is not None
    asyncio.run(abandon(memory.history_writer, record, (0,)))
    assert [(game.outcome, game.decisions) for game in games(path)] == (
        [("abandoned", 20)] if actions else []
    )


def test_what_cannot_be_kept_is_said_and_costs_no_game(path: Path) -> None:
    games(path)
    change(path, "PRAGMA user_version = 99")
    guests, memory = remembering(path)
    play_on(guests)
    (said,) = memory.errors
    assert "was written by another version of this program" in said
    assert guests[2].session.record is not None


def test_a_failure_is_an_error_with_a_sentence(path: Path) -> None:
    heard: list[ExplainedError] = []
    tell: Callable[[ExplainedError], None] = heard.append
    path.write_bytes(b"x" * 5000)
    guests = playing(rng=Random(1))
    play_on(guests, 1)
    record = guests[0].network.table.record()
    assert record is not None
    asyncio.run(abandon(HistoryWriter("own", tell, path), record, ()))
    assert str(path) in heard[0].sentence()
    assert path.read_bytes() == b"x" * 5000


def test_of_a_host_whose_record_contradicts_what_was_seen_the_latter_is_kept(path: Path) -> None:
    """The record has another hand: a host might try to change how others remember a game."""
    guests, memory = remembering(path)
    take = memory.participant.take

    def spoilt(frame: bytes, message: Message) -> None:
        if isinstance(message, GameRecord):
            data = json.loads(message.record)
            hands = data["deal"]["hands"]
            data["deal"]["hands"] = dict(zip(hands, [*hands.values()][::-1], strict=True))
            message = replace(message, record=json.dumps(data))
            frame = encode(message)
        take(frame, message)

    memory.participant.take = spoilt  # type: ignore[method-assign]
    play_on(guests)
    session = memory.participant.session
    assert session.is_contradicted
    true = guests[0].network.table.record()
    assert true is not None
    (game,) = games(path)
    with History.open(path) as history:
        kept = history.record(game.id)
    assert (kept.deal, kept.actions, kept.players) == (true.deal, true.actions, true.players)
    memory.participant.send(Leave())
    assert session.goodbye == Goodbye(code="left")
