"""Tests a part of a table: its notifications, and the data that it sends, shows and stores."""

from math import inf
from typing import ClassVar

import pytest
from msgspec import ValidationError

from netcode.protocol import codec
from netcode.protocol.fields import Message, PartMessage
from netcode.protocol.messages import (
    ChangeSettings,
    ChooseFamily,
    EndGame,
    Leave,
    Lobby,
    Pause,
    SendAway,
    SetReady,
    Welcome,
)
from netcode.protocol.refusal_sentences import SENTENCES
from netcode.protocol.table_settings import TableSettings
from netcode.table import kinds, parts
from netcode.table.errors import NotAllowedError
from netcode.table.parts import PartPlace, TablePart, TablePartKind, part_kinds
from netcode.table.people.seats import Participant as Person
from netcode.table.people.seats import Seat, Spectator
from netcode.table.snapshot import MOST_WING_BYTES
from tests.support.kept import assert_comes_back
from tests.support.planted import substitute
from tests.support.pretend import Network, Participant, play_on, playing, seated


class Clap(PartMessage, frozen=True):
    """A player's request to clap."""


class Clapped(PartMessage, frozen=True):
    """The notification that another player has clapped."""

    by: str


class Claps(TablePart):
    """Counts claps, and sends each to all other players."""

    calls: ClassVar[list[str]] = []
    """The notifications that all parts of this class have received."""

    def __init__(self, place: PartPlace) -> None:
        super().__init__(place)
        self.claps = 0 if place.stored is None else int.from_bytes(place.stored.data)
        self.place.show(claps=self.claps)

    def receive(self, participant: Person, message: Message, now: float) -> bool:
        if not isinstance(message, Clap):
            return False
        if self.claps >= 3:
            raise NotAllowedError("nothing_said")
        self.claps += 1
        self.place.store(self.claps.to_bytes(1))
        self.place.show(claps=self.claps, last=participant.name)
        for each in self.place.people:
            if each is not participant:
                self.place.send(Clapped(participant.name), to=each)
        return True

    def joined(self, participant: Person) -> None:
        self.calls.append(f"joined {participant.name}")
        self.place.send(Clapped("the table"), to=participant)

    def left(self, participant: Person) -> None:
        self.calls.append(f"left {participant.name}")

    def started(self) -> None:
        self.calls.append(f"started {self.place.phase}")

    def answered(self, seat: Seat) -> None:
        self.calls.append(f"answered {seat.name}")

    def finished(self) -> None:
        self.calls.append("finished")

    def abandoned(self) -> None:
        self.calls.append("abandoned")


KIND = TablePartKind("claps", Claps)


class Rests(TablePart):
    """Rests after each input."""

    def answered(self, seat: Seat) -> None:
        Claps.calls.append(f"answered {seat.name}")

    def input_ended(self) -> None:
        Claps.calls.append("input ended")
        self.place.rest()

    def alarm_at(self, now: float) -> float:
        Claps.calls.append("alarm at")
        return inf


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Add the part to every table; return the list of its notifications."""
    known = (*codec.messages_from_client(), Clap), (*codec.messages_from_host(), Clapped)
    monkeypatch.setattr(codec, "messages_from_client", lambda: known[0])
    monkeypatch.setattr(codec, "messages_from_host", lambda: known[1])
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: (KIND,), module)
    Claps.calls.clear()
    return Claps.calls


def claps(participant: Participant) -> dict[str, object]:
    return {**participant.lobby().parts["claps"]}


def news(participant: Participant) -> list[Clapped]:
    return [each for each in participant.received if isinstance(each, Clapped)]


def test_a_part_hears_of_everybody_who_comes_and_goes(calls: list[str]) -> None:
    network = Network()
    ada, bo = seated(network, "ab")
    watcher = Participant(network, "w", spectator=True)
    bo.drop()
    bo.come_back()
    watcher.send(Leave())
    ada.send(SendAway(name="b"))
    came = ["joined a", "joined b", "joined w"]
    assert calls == [*came, "left b", "joined b", "left w", "left b"]


def test_a_player_whose_connection_is_replaced_joins_anew_and_has_not_left(
    calls: list[str],
) -> None:
    (ada,) = seated(Network(), "a")
    before = len(news(ada))
    ada.come_back()
    assert calls == ["joined a", "joined a"]
    assert len(news(ada)) == before + 1, "the part has sent its messages to the new connection"


def test_a_part_that_rests_is_not_called_after_answers(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: (TablePartKind("rests", Rests),), module)
    guests = playing("abc")
    calls.clear()
    play_on(guests, 2)
    assert calls == []
    woken = ["input ended"]
    guests[0].send(Pause(paused=True))
    assert calls == woken
    guests[2].drop()
    assert calls == woken * 2
    guests[0].send(EndGame())
    assert calls == woken * 3
    guests[0].send(ChangeSettings(settings=TableSettings(edition=1)))
    assert calls == woken * 4


def test_no_part_rests_while_another_part_needs_calls(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = TablePartKind("rests", Rests), KIND
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: both, module)
    guests = playing("abc")
    calls.clear()
    play_on(guests, 1)
    assert calls == ["answered a", "answered a", "input ended", "alarm at"]


class WorksInEditionOne(TablePart):
    """Rests at a table with the second edition only."""

    def input_ended(self) -> None:
        Claps.calls.append("works")
        if self.place.settings.edition == 2:
            self.place.rest()


def test_changed_settings_end_the_rest_of_all_parts(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = TablePartKind("rests", Rests), TablePartKind("works", WorksInEditionOne)
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: both, module)
    ada, bo = seated(Network(), "ab")
    ada.send(ChangeSettings(settings=TableSettings(edition=1)))
    calls.clear()
    bo.send(SetReady(ready=True))
    assert calls == ["input ended", "works", "alarm at"]


def test_a_part_hears_of_games_and_answers(calls: list[str]) -> None:
    guests = playing("abc")
    calls.clear()
    play_on(guests, 2)
    assert calls == ["answered a", "answered b"]
    play_on(guests)
    assert calls.count("finished") == 1
    assert calls[-1] == "finished"


def test_a_part_hears_of_a_game_that_ends_early(calls: list[str]) -> None:
    guests = playing("abc")
    assert calls[-1] == "started playing"
    guests[0].send(EndGame())
    assert calls[-1] == "abandoned"


def test_a_message_of_a_part_works_in_every_phase_and_from_spectators() -> None:
    guests = playing("abc")
    network = guests[0].network
    watcher = Participant(network, "w", spectator=True)
    watcher.send(Clap())
    guests[1].send(Clap())
    assert claps(guests[0]) == claps(watcher) == {"claps": 2, "last": "b"}
    assert news(guests[0])[1:] == [Clapped("w"), Clapped("b")]
    assert news(watcher)[1:] == [Clapped("b")], "only others are sent it"


def test_what_a_part_sends_follows_the_welcome_and_the_lobby() -> None:
    (ada,) = seated(Network(), "a")
    assert [type(each) for each in ada.received][:3] == [Welcome, Lobby, Clapped]


def test_a_part_refuses_a_message_as_the_core_does() -> None:
    (ada,) = seated(Network(), "a")
    for _ in range(3):
        ada.send(Clap())
    ada.send(Clap())
    assert ada.refusal == "nothing_said"
    assert claps(ada)["claps"] == 3
    assert not ada.network.strikes


def test_what_a_part_stores_is_kept_before_anybody_receives_it() -> None:
    guests = playing("abc")
    network = guests[0].network
    before = len(network.kept)
    guests[0].send(Clap())
    assert len(network.kept) == before + 1
    assert_comes_back(network.table, network.kept[-1])
    network.restart()
    back = Participant(network, "a", key=guests[0].session.key)
    assert claps(back) == {"claps": 1}


def test_a_table_for_one_person_alone_has_no_parts(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network()
    network.table._parts._is_alone = True
    (ada,) = seated(network, "a")
    ada.send(Clap())
    assert ada.refusal == "unknown_message"
    assert SENTENCES["unknown_message"]
    assert (ada.lobby().parts, calls) == ({}, [])


@pytest.mark.parametrize(
    "values", [{"x": -1}, {"X": 1}, {"x": "y" * 61}, {f"v{'x' * n}": 1 for n in range(13)}]
)
def test_a_part_shows_only_what_fits_into_a_lobby(values: dict[str, int]) -> None:
    table = Network().table
    place = PartPlace(KIND, table._parts)
    with pytest.raises(ValidationError):
        place.show(**values)


def test_a_part_stores_only_what_fits_into_a_record() -> None:
    with pytest.raises(ValueError, match="claps"):
        PartPlace(KIND, Network().table._parts).store(bytes(MOST_WING_BYTES + 1))


def test_a_spectator_who_sits_down_is_another_participant(calls: list[str]) -> None:
    network = Network()
    seated(network, "a")
    watcher = Participant(network, "w", spectator=True)
    watcher.send(ChooseFamily(family="v"))
    assert calls[-2:] == ["left w", "joined w"]
    assert isinstance(network.table.participants.called("w"), Seat)
    assert not any(isinstance(each, Spectator) for each in network.table.participants.everybody)
