"""Tests a part of a table that raises an unexpected error: the table goes on without it."""

from collections.abc import Iterator
from math import inf, nan
from typing import Any, ClassVar

import pytest

from netcode.protocol.messages import EndGame, Leave, Pause, SetReady, Start
from netcode.table.parts import ALARM_PAUSE_S, PartPlace, TablePart, TablePartKind
from netcode.table.people.seats import Participant as Person
from tests.support.clumsy import NAME, clumsy, installed, methods, sentences
from tests.support.kept import assert_comes_back
from tests.support.made_up.netcode.laughs import messages, settings, table_parts
from tests.support.made_up.netcode.laughs.messages import Laugh, Laughed
from tests.support.pretend import Network, Participant, play_on, playing, seated


@pytest.fixture(autouse=True)
def _laughs() -> Iterator[None]:
    """Install the made-up wing, which counts laughs and shows each laugh for 10 seconds."""
    parts, values = table_parts.SEAM, settings.SEAM
    with installed("netcode", "laughs", messages=messages.SEAM, settings=values, table_parts=parts):
        yield


def shown(participant: Participant) -> dict[str, object]:
    return {name: {**values} for name, values in participant.lobby().parts.items()}


def laugh(participant: Participant, laughs: int) -> None:
    participant.send(Laugh())
    assert shown(participant)["laughs"] == {"n": laughs, "goes": True}


def play_an_evening() -> list[Participant]:
    """Play two games, one of them to its end; return the guests.

    There are arrivals, departures, a pause and laughs.
    """
    guests = playing("abc")
    network = guests[0].network
    laugh(guests[1], 1)
    watcher = Participant(network, "w", spectator=True)
    guests[2].drop()
    guests[2].come_back()
    for paused in (True, False):
        guests[0].send(Pause(paused=paused))
    play_on(guests)
    assert guests[0].phase() == "result"
    laugh(watcher, 2)
    watcher.send(Leave())
    network.wait(9)
    assert shown(guests[0])["laughs"] == {"n": 2, "goes": True}
    network.wait(2)
    assert shown(guests[0])["laughs"] == {"n": 2, "goes": False}
    for each in guests[1:]:
        each.send(SetReady(ready=True))
    guests[0].send(Start())
    guests[0].send(EndGame())
    assert guests[0].phase() == "lobby"
    laugh(guests[0], 3)
    network.execute(network.table.report_done(NAME, "a report", network.now))
    assert_comes_back(network.table, network.kept[-1])
    return guests


class Always(TablePart):
    """A part that is due at all times."""

    def alarm_at(self, now: float) -> float:
        return now

    alarms: ClassVar[int] = 0


class Offers(TablePart):
    """A part that may answer in place of players."""

    def __init__(self, place: PartPlace) -> None:
        TablePart.__init__(self, place)
        self.place.offer_answers(should_answer=True)


@pytest.mark.parametrize("name", methods(TablePart))
def test_a_part_that_fails_in_any_method_is_left_out(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    base = Always if name == "alarm" else TablePart
    kind = clumsy(TablePart, name)
    if base is Always:
        kind.alarm_at = Always.alarm_at
    if name == "answer_for":
        kind.__init__ = Offers.__init__
    with installed("netcode", table_parts=TablePartKind(NAME, kind)):
        guests = play_an_evening()
    assert kind.called
    assert shown(guests[0]).keys() == {"laughs"}
    assert len({*sentences(caplog)}) == 1


class Odd(TablePart):
    """The base of parts that give their table `unfit`, or another value of a wrong type."""

    def joined(self, participant: Person) -> None:
        self.place.show(laughs="fine")
        self.place.store(b"the record so far")

    def __init__(self, place: PartPlace) -> None:
        super().__init__(place)
        self.unfit: Any = object()


class ShowsOdd(Odd):
    def started(self) -> None:
        self.place.show(unfit=self.unfit)


class StoresOdd(Odd):
    def started(self) -> None:
        self.place.store(self.unfit)


class StoresText(Odd):
    def started(self) -> None:
        text: Any = "a text"
        self.place.store(text)


class SendsOdd(Odd):
    def started(self) -> None:
        self.place.send(Laughed(self.unfit))


class AlarmsNever(Odd):
    def alarm_at(self, now: float) -> float:
        return self.unfit  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", [ShowsOdd, StoresOdd, StoresText, SendsOdd, AlarmsNever])
def test_a_part_that_gives_its_table_something_unfit_is_left_out(
    kind: type[TablePart], caplog: pytest.LogCaptureFixture
) -> None:
    kind.__module__ = f"netcode.wings.{NAME}"
    with installed("netcode", table_parts=TablePartKind(NAME, kind)):
        guests = play_an_evening()
        kept = guests[0].network.kept[-1].snapshot
    assert shown(guests[0]).keys() == {"laughs"}
    assert len({*sentences(caplog)}) == 1
    assert kept is not None
    if kind is not AlarmsNever:
        assert kept.table.wings[NAME].data == b"the record so far", "what was stored stays"


def test_the_message_at_which_a_part_fails_still_reaches_other_parts() -> None:
    kind = clumsy(TablePart, "receive")
    with installed("netcode", table_parts=TablePartKind(NAME, kind)):
        (ada,) = seated(Network(), "a")
        ada.send(Laugh())
        assert shown(ada) == {"laughs": {"n": 1, "goes": True}}
        assert not ada.network.strikes


class Bell(TablePart):
    """Rings 60 seconds after each answer, as a wing with a time limit would."""

    def __init__(self, place: PartPlace) -> None:
        super().__init__(place)
        self.is_wound, self.due, self.rung = False, inf, 0

    def answered(self, seat: Person) -> None:
        self.is_wound = True

    def alarm_at(self, now: float) -> float:
        if self.is_wound:
            self.is_wound, self.due = False, now + 60
        return self.due

    def alarm(self, now: float) -> None:
        self.due, self.rung = inf, self.rung + 1
        self.place.show(rung=self.rung, late=round(now - 1000))


@pytest.fixture
def bell() -> Iterator[None]:
    with installed("netcode", "bell", table_parts=TablePartKind("bell", Bell)):
        yield


@pytest.mark.usefixtures("bell")
def test_a_part_is_called_at_its_time_and_everybody_sees_what_it_shows() -> None:
    guests = playing("abc")
    network = guests[0].network
    network.wait(30)
    play_on(guests, 1)
    network.wait(59)
    assert shown(guests[2])["bell"] == {}
    network.wait(1)
    assert shown(guests[2])["bell"] == {"rung": 1, "late": 90}
    network.wait(600)
    assert shown(guests[2])["bell"] == {"rung": 1, "late": 90}, "once"


@pytest.mark.usefixtures("bell")
def test_a_later_answer_puts_an_alarm_off() -> None:
    guests = playing("abc")
    for _ in range(3):
        play_on(guests, 1)
        guests[0].network.wait(40)
    assert shown(guests[0])["bell"] == {}
    guests[0].network.wait(20)
    assert shown(guests[0])["bell"] == {"rung": 1, "late": 140}


@pytest.mark.parametrize("due", [-inf, 0.0, nan])
def test_a_part_that_is_always_due_is_called_a_few_times_a_second(due: float) -> None:
    class Restless(Bell):
        def alarm_at(self, now: float) -> float:
            return due

    with installed("netcode", "bell", table_parts=TablePartKind("bell", Restless)):
        (ada,) = seated(Network(), "a")
        ada.network.wait(1)
    rung = shown(ada)["bell"]
    assert rung == {} if due != due else rung["rung"] <= 1 / ALARM_PAUSE_S + 1  # type: ignore[index]
