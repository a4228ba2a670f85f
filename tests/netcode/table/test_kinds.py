"""Tests a kind of game that a wing brings: its needs, its messages, and a game without cards."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest

from engine.game import Deal
from engine.record import Record
from netcode.protocol import codec
from netcode.protocol.fields import ForInterpreter, Message, TableNotice
from netcode.protocol.messages import AddBot, Reason, SetReady, Start, State
from netcode.protocol.table_settings import TableSettings
from netcode.registry import wing_values
from netcode.table import kinds
from netcode.table.errors import StoreError
from netcode.table.finished_game import Ending, ending
from netcode.table.kinds import Around, KindOfWing
from netcode.table.people.seats import Participant as Person
from netcode.table.people.seats import Seat
from netcode.table.play import Kind, Play, Saved
from netcode.table.restoring import restore_participants, restore_play
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from tests.support.planted import substitute
from tests.support.pretend import Network, Participant, seated
from tests.support.shell import ServerNetwork

SETTINGS = TableSettings(sealed=True)
"""The settings of a game of another kind."""

KEY = b"a coin".ljust(32)

RECORD = Record(Deal.shuffled(Random(1), "rbg"))
"""The record of every game."""


class Toss(ForInterpreter, frozen=True):
    """A message that ends the game by a toss."""


class Coin(ForInterpreter, frozen=True):
    """The coin of a game, which everybody receives at its beginning."""

    families: str


class Weather(TableNotice, frozen=True):
    """A fact about the table."""

    rains: bool


class CoinGame(Play):
    """A game of one toss. The table knows no cards, and asks nobody."""

    first = 0
    over = False
    is_settled = False
    families = ""

    def first_messages(self) -> Iterable[Message]:
        yield Coin(self.families)

    def saved(self) -> Saved:
        return Saved()

    def record(self, ended: int | None = None) -> Record | None:
        return RECORD._replace(ended=ended) if self.over else None

    def ending(self) -> Ending:
        return ending(RECORD)


class Coins(Kind):
    """A kind that needs a coin of each player except the host before a game, and asks no bot."""

    asks_bots = False

    def __init__(self, around: Around) -> None:
        self.around = around
        self.brought = dict[Seat, bytes]()

    def missing(self, persons: Sequence[Seat], seated: int) -> Reason | None:
        return None if seated == 3 else Reason(code="too_few", values={"needed": 3})

    def is_prepared(self, persons: Iterable[Seat]) -> bool:
        return self.brought.keys() >= {each for each in persons if not each.host}

    def bring(self, seat: Seat, key: bytes | None) -> None:
        if key is not None:
            self.brought[seat] = key

    def begin(self, number: int, first: int | None, settings: TableSettings) -> CoinGame:
        play = CoinGame()
        play.families = self.around.participants.families
        return play

    def handle(self, connection: int, participant: Person, message: Message, now: float) -> bool:
        games = self.around.games
        if not isinstance(message, Toss) or not isinstance(games.play, CoinGame):
            return False
        games.play.over = True
        games.finish()
        return True

    def notices_changed(self) -> None:
        for connection, _ in self.around.participants.connected():
            for notice in self.around.notices.values():
                self.around.connections.send(connection, notice)


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the kind and its messages."""
    assert SETTINGS.kind is not None
    kind = KindOfWing(SETTINGS.kind, Coins, lambda kept: None)
    substitute(monkeypatch, wing_values, lambda *_seam: (kind,), kinds)
    known = (
        (*codec.messages_from_client(), Toss),
        (*codec.messages_from_host(), Coin, Weather),
    )
    monkeypatch.setattr(codec, "messages_from_client", lambda: known[0])
    monkeypatch.setattr(codec, "messages_from_host", lambda: known[1])


def of_kind(guest: Participant, kind: type[Message]) -> list[Message]:
    return [each for each in guest.received if isinstance(each, kind)]


def test_a_game_without_cards_sends_its_own_messages_and_no_state() -> None:
    network = Network(settings=SETTINGS)
    guests = seated(network, "abc")
    for guest in guests[1:]:
        guest.send(SetReady(ready=True, game_key=KEY))
    guests[0].send(Start())
    network.wait(60)
    late = Participant(network, "w", spectator=True)
    for guest in (*guests, late):
        assert of_kind(guest, Coin) == [Coin("rbg")]
        assert of_kind(guest, State) == []
        assert guest.phase() == "playing"
    guests[1].send(Toss())
    assert late.phase() == "result"
    assert [keep for keep in network.kept if keep.ended] == [], "the end is not settled yet"
    for guest in guests[1:]:
        guest.send(SetReady(ready=True, game_key=KEY))
    guests[0].send(Start())
    assert [len(keep.ended) for keep in network.kept if keep.ended] == [1]


def test_a_kind_of_game_without_bots_asks_none() -> None:
    network = Network(settings=SETTINGS)
    (guest,) = seated(network, "a")
    for _ in range(2):
        guest.send(AddBot(bot="sharp"))
    guest.send(Start())
    network.wait(60)
    assert guest.phase() == "playing"
    assert network.thoughts == []
    assert not network.table.games.has_searching_bots


def test_a_game_without_a_record_may_count_its_changes_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = KindOfWing("sealed", Coins, lambda kept: CoinGame())
    substitute(monkeypatch, wing_values, lambda *_seam: (kind,), kinds)
    table = KeptTable(settings=SETTINGS)
    moved = Snapshot(table, KeptGame(begun=3, revision=0, phase="playing"))
    assert isinstance(restore_play(moved, restore_participants(moved)), CoinGame)
    ended = Snapshot(table, KeptGame(begun=3, phase="result"))
    with pytest.raises(StoreError):
        restore_play(ended, restore_participants(ended))


def test_what_a_kind_of_game_misses_is_named_in_the_lobby() -> None:
    network = Network(settings=SETTINGS)
    guests = seated(network, "abcd")
    for guest in guests[1:]:
        guest.send(SetReady(ready=True, game_key=KEY))
    missing = guests[0].lobby().missing
    assert missing is not None
    assert (missing.code, dict(missing.values)) == ("too_few", {"needed": 3})


def test_a_notice_of_the_server_reaches_everybody_at_the_table() -> None:
    with ServerNetwork(settings=SETTINGS) as network:
        guests = seated(network, "abc")
        for rains in (True, False):
            network.loop.call_soon(network.server.set_notice, network.entry, Weather(rains))
            network.wait(1)
        for guest in guests:
            assert of_kind(guest, Weather) == [Weather(True), Weather(False)]
