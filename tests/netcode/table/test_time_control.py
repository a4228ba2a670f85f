"""Tests a patient table: absent people keep seats and turns, and a part answers and reports."""

import asyncio
from collections.abc import Callable
from math import inf
from random import Random
from typing import ClassVar

import pytest

from engine.actions import Leave as LeaveCard
from engine.views import View
from netcode.protocol.messages import (
    Absent,
    AddBot,
    BackToLobby,
    Chat,
    ChooseFamily,
    Leave,
    Pause,
    SetReady,
    Start,
    State,
)
from netcode.system_clock import CHECK_S, server_time
from netcode.table import kinds, parts
from netcode.table.effects import Keep, Report
from netcode.table.parts import (
    PartPlace,
    StoredNote,
    TablePart,
    TablePartKind,
    part_kinds,
    stored_notes,
)
from netcode.table.people.host_role import HOST_AWAY_S
from netcode.table.people.seats import Seat
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from tests.netcode.simulation.clockwork import in_no_time
from tests.support.patience import Patience
from tests.support.planted import substitute
from tests.support.pretend import (
    Network,
    Participant,
    assert_view_keeps_secrets,
    decider,
    play_on,
    playing,
    seated,
)
from tests.support.servers import server_of

HOUR: float = 3600.0


class Waits(TablePart):
    """A part that allows an hour for each decision, and leaves the cards of players in `leaves`."""

    calls: ClassVar[list[object]] = []
    leaves: ClassVar[set[str]] = set()
    """The names of players whose face-down cards stay as they are."""
    wrong: ClassVar[str | None] = None
    """An answer that the part gives for everybody; None if it gives no such answer."""

    def __init__(self, place: PartPlace) -> None:
        super().__init__(place)
        self.out_at = inf if place.stored is None else float(place.stored.data)
        self.place.offer_answers(should_answer=True)
        self._wait()

    def _wait(self) -> None:
        until = self.place.unix_time() if self.calls == ["over"] else inf
        self.place.set_time_control(
            Patience(self.place.unix_time, out_at=self.out_at, keeps_until=until)
        )

    def started(self) -> None:
        self._ask()

    def answered(self, seat: Seat) -> None:
        self.calls.append(seat.name)
        self._ask()

    def _ask(self) -> None:
        self.out_at = self.place.unix_time() + HOUR
        self.place.store(str(self.out_at).encode())
        self._wait()
        if self.place.deciding_seat is not None:
            self.place.report(self.place.deciding_seat.name)

    def report_done(self, value: object) -> None:
        self.calls.append(f"done: {value}")

    def pause_changed(self) -> None:
        self.calls.append(self.place.is_paused)

    def answer_for(self, seat: Seat, look: Callable[[], View]) -> str | None:
        if self.wrong is not None:
            return self.wrong
        if seat.name not in self.leaves:
            return None
        view = look()
        assert view.viewers
        assert_view_keeps_secrets(view, view.viewers)
        return LeaveCard().token if LeaveCard() in view.legal else None


def note_of(kept: Snapshot) -> StoredNote:
    record = kept.table.wings.get("waits")
    return StoredNote(inf if record is None else float(record.data), "a note")


KIND = TablePartKind("waits", Waits, note_of=note_of)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the part to every table."""
    for module in (parts, kinds):
        substitute(monkeypatch, part_kinds, lambda: (KIND,), module)
    monkeypatch.setattr(Waits, "calls", [])
    monkeypatch.setattr(Waits, "leaves", set())


def all_gone() -> tuple[Network, list[Participant]]:
    """Return a game whose players have all lost their connections."""
    guests = playing("abc")
    for each in guests:
        each.drop()
    return guests[0].network, guests


def moves(network: Network) -> int:
    play = network.table.games.play
    assert play is not None
    return len(play.saved().actions)


def test_a_bot_answers_for_absent_people_only_when_the_time_is_out_and_once() -> None:
    network, _guests = all_gone()
    network.wait(HOUR - 1)
    assert moves(network) == 0
    network.wait(2)
    assert moves(network) == 1
    network.wait(HOUR - 2)
    assert moves(network) == 1
    network.wait(1)
    assert moves(network) == 2
    assert Waits.calls == ["a", "b"]


def test_everybody_who_returns_reads_which_answers_a_bot_gave() -> None:
    network, guests = all_gone()
    network.wait(HOUR + 1)
    back = Participant(network, "a", key=guests[0].session.key)
    (state,) = [each for each in back.received if isinstance(each, State)]
    assert len(state.overdue) == 1
    assert back.lobby().seats[0].away == "no"
    assert back.lobby().seats[1].away == "no", "absence is normal"


def test_people_answer_at_a_patient_table_as_at_others() -> None:
    network, guests = all_gone()
    network.wait(HOUR + 1)
    for each in guests:
        each.come_back()
    play_on(guests)
    assert guests[0].phase() == "result"
    assert [each for each in guests[0].lobby().seats if each.bot] == []


def test_bots_answer_at_once_while_nobody_is_present() -> None:
    network = Network()
    ada, bo = seated(network, "ab")
    ada.send(AddBot(bot="steady"))
    bo.send(SetReady(ready=True))
    ada.send(Start())
    for each in (ada, bo):
        each.drop()
    network.wait(2 * HOUR - 1)
    assert moves(network) == 1
    network.wait(5)
    assert moves(network) >= 3


def test_a_patient_table_continues_after_a_restart_with_the_same_deadline() -> None:
    network, guests = all_gone()
    network.wait(HOUR / 2)
    network.restart()
    network.execute(network.table.alarm(network.now))
    network.wait(HOUR / 2 - 1)
    assert moves(network) == 0
    network.wait(2)
    assert moves(network) == 1
    back = Participant(network, "b", key=guests[1].session.key)
    assert back.view().turn == 1


def test_a_player_who_leaves_a_game_for_days_may_return() -> None:
    guests = playing("abc")
    network = guests[0].network
    for each in guests:
        each.send(Leave())
    assert network.table.games.phase == "playing"
    back = Participant(network, "c", key=guests[2].session.key)
    assert back.phase() == "playing"
    assert back.view().viewer == 2


def test_a_patient_lobby_keeps_seats_and_begins_without_those_who_are_absent() -> None:
    network = Network()
    ada, bo, cy = seated(network, "abc")
    for each in (bo, cy):
        each.drop()
    network.wait(24 * HOUR)
    ada.send(Start())
    assert [each.name for each in ada.lobby().seats] == ["a", "b", "c"]
    assert ada.phase() == "playing"


def test_a_patient_lobby_frees_seats_when_their_time_is_over() -> None:
    Waits.calls[:] = ["over"]
    network = Network()
    seated(network, "a")[0].drop()
    network.wait(1)
    assert network.table.participants.seats == []


def test_the_host_of_a_patient_game_keeps_the_role_and_a_pause() -> None:
    guests = playing("abc")
    network = guests[0].network
    guests[0].send(Pause(paused=True))
    guests[0].drop()
    network.wait(48 * HOUR)
    assert guests[1].lobby().paused
    assert [each.name for each in guests[1].lobby().seats if each.host] == ["a"]
    assert (moves(network), Waits.calls) == (0, [True])
    guests[0].come_back()
    guests[0].send(Pause(paused=False))
    assert Waits.calls == [True, False]


def test_a_part_that_repeats_its_control_does_not_hand_the_table_to_another_part() -> None:
    network = Network()
    seated(network, "a")
    table_parts = network.table._parts
    first = PartPlace(KIND, table_parts)
    second = PartPlace(TablePartKind("hurries", TablePart), table_parts)
    second.set_time_control(Patience(float, out_at=1.0))
    for out_at in (2.0, 3.0):
        wanted = Patience(first.unix_time, out_at=out_at)
        first.set_time_control(wanted)
        assert table_parts.time_control() == wanted
        second.set_time_control(Patience(float, out_at=out_at))
        assert table_parts.time_control() == wanted
    first.set_time_control(None)
    assert table_parts.time_control() == Patience(float, out_at=3.0)


def test_a_paused_patient_game_gets_another_host_when_its_own_is_awaited_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guests = playing("abc")
    network = guests[0].network
    until = network.now + 30 * HOUR
    place = PartPlace(KIND, network.table._parts)
    place.set_time_control(Patience(network.unix_time, host_until=until))
    guests[0].drop()
    network.wait(31 * HOUR)
    assert guests[1].lobby().seats[0].host, "the game is not paused"
    guests[0].come_back()
    guests[0].send(Pause(paused=True))
    guests[0].drop()
    network.wait(HOST_AWAY_S - 1)
    assert not guests[1].lobby().seats[1].host
    network.wait(1)
    assert [each.name for each in guests[1].lobby().seats if each.host] == ["b"]
    guests[1].send(Pause(paused=False))
    assert not guests[1].lobby().paused


def test_an_absent_host_of_a_patient_game_may_stay_the_host_while_the_others_continue() -> None:
    guests = playing("abc")
    network = guests[0].network
    until = network.now + HOUR
    place = PartPlace(KIND, network.table._parts)
    control = Patience(network.unix_time, host_until=until, keeps_host=True)
    place.set_time_control(control)
    guests[0].send(Pause(paused=True))
    guests[0].drop()
    network.wait(HOUR - 1)
    assert guests[1].lobby().paused
    network.wait(1)
    assert not guests[1].lobby().paused
    assert [each.name for each in guests[1].lobby().seats if each.host] == ["a"]


def test_an_absent_person_yields_a_lobby_seat_in_time_to_somebody_who_wants_it() -> None:
    network = Network()
    guests = seated(network, "abcde")
    place = PartPlace(KIND, network.table._parts)
    place.set_time_control(Patience(network.unix_time, yields_at=network.now + HOUR))
    guests[2].drop()
    assert Participant(network, "x").refusal == "table_full"
    network.wait(HOUR)
    assert len(network.table.participants.seats) == 5, "nobody wants the seat"
    assert Participant(network, "b").refusal == "name_taken"
    assert [each.name for each in guests[1].lobby().seats] == [*"abcde"]
    newcomer = Participant(network, "x")
    assert [each.name for each in newcomer.lobby().seats] == [*"abdex"]
    watcher = Participant(network, "w", spectator=True)
    watcher.send(ChooseFamily(family="r"))
    assert watcher.refusal == "table_full", "nobody is absent"
    guests[3].drop()
    watcher.send(ChooseFamily(family=guests[1].lobby().you or "r"))
    assert watcher.refusal == "family_taken"
    assert len(guests[1].lobby().seats) == 5
    watcher.send(ChooseFamily(family=guests[3].lobby().you or "r"))
    assert [each.name for each in watcher.lobby().seats] == [*"abexw"]


@pytest.mark.parametrize("choice", ["wait", "bot"])
def test_the_host_of_a_patient_table_does_not_decide_about_absent_players(choice: str) -> None:
    guests = playing("abc")
    guests[1].drop()
    guests[0].send(Absent(family="b", choice=choice))  # type: ignore[arg-type]
    assert guests[0].refusal == "time_decides"


def test_newcomers_never_end_a_game_for_days() -> None:
    network, _guests = all_gone()
    network.wait(HOUR / 2)
    newcomer = Participant(network, "z")
    assert newcomer.refusal == "game_under_way"
    assert network.table.games.phase == "playing"


def test_a_part_answers_for_a_player_who_asked_for_it() -> None:
    Waits.leaves = {"a", "b", "c"}
    guests = playing("abc")
    for each in guests:
        token = next(action.token for action in each.view().legal)
        each.act(token)
    # All three cards are left without a question to anybody, and the next round begins.
    assert guests[0].view().round == 2
    assert moves(guests[0].network) == 6
    assert decider(guests) is not None


def test_an_answer_of_a_part_that_the_rules_forbid_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Waits, "wrong", "x9")
    guests = playing("abc")
    assert moves(guests[0].network) == 0
    guests[0].act(guests[0].view().legal[0].token)
    assert moves(guests[0].network) == 1


def test_a_report_follows_the_stored_state() -> None:
    network = Network()
    ada, bo, cy = seated(network, "abc")
    for each in (bo, cy):
        each.send(SetReady(ready=True))
    effects = network.table.receive(ada.connection, Start(), network.now)
    assert isinstance(effects[0], Keep)
    assert [each for each in effects if isinstance(each, Report)] == [Report("waits", "a")]
    assert network.table.changed() == []


async def test_a_report_is_confirmed_to_the_table_that_made_it() -> None:
    guests = playing("abc")
    table = guests[0].network.table
    async with server_of(table) as server:
        (entry,) = server.registry.entries
        confirm: list[Callable[[], None]] = []
        entry.host_parts["waits"] = lambda _value, done: confirm.append(done)
        for each in ("one", "two"):
            server._runner.execute(entry, [Report("waits", each)])
        confirm[0]()
        assert Waits.calls == ["done: one"]
        # Meanwhile the table has left the memory.
        entry.table = None
        confirm[1]()
        assert Waits.calls == ["done: one"]
        entry.table = table


def test_a_part_that_no_longer_answers_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Waits, "leaves", {"a", "b", "c"})
    guests = playing("abc")
    for each in guests[:2]:
        each.act(each.view().legal[0].token)
    PartPlace(KIND, guests[0].network.table._parts).offer_answers(should_answer=False)
    guests[2].act(guests[2].view().legal[0].token)
    assert moves(guests[0].network) == 3


def test_a_part_knows_whether_the_host_has_a_part_of_its_name() -> None:
    table = Network().table
    place = PartPlace(KIND, table._parts)
    table.serve_host_parts(["others"])
    assert not place.has_host_part
    table.serve_host_parts(["waits"])
    assert place.has_host_part


def test_a_part_ends_a_game_as_unfinished() -> None:
    guests = playing("abc")
    network = guests[0].network
    guests[0].act_somehow()
    place = PartPlace(KIND, network.table._parts)
    assert (place.round, place.deciding_seat and place.deciding_seat.name) == (1, "b")
    place.end_game(network.now)
    network.execute(network.table.changed())
    assert guests[0].phase() == "lobby"
    ended = [each for keep in network.kept for each in keep.ended]
    assert len(ended) == 1
    assert place.round == 0


def test_a_part_stores_which_answers_a_bot_gave_and_sees_how_much_was_said() -> None:
    network, guests = all_gone()
    place = PartPlace(KIND, network.table._parts)
    network.wait(HOUR + 1)
    late = place.overdue
    assert len(late) == 1
    network.restart()
    place = PartPlace(KIND, network.table._parts)
    assert place.overdue == ()
    place.overdue = late
    back = Participant(network, "a", key=guests[0].session.key)
    (state,) = [each for each in back.received if isinstance(each, State)]
    assert state.overdue == late
    back.send(Chat(text="Hail!"))
    assert place.line_count == 1


@in_no_time
async def test_a_resumed_table_does_at_once_what_is_due_although_nobody_comes() -> None:
    network, _guests = all_gone()
    kept = network.table.kept
    assert kept is not None
    late = network.now + 5 * HOUR
    table = Table.restore(kept, Random(1), lambda: bytes(32), unix_time=lambda: late)
    server = server_of(table)
    (entry,) = server.registry.entries
    server.keep_opened(entry)
    await asyncio.sleep(1)
    assert table.games.play is not None
    assert len(table.games.play.saved().actions) == 1
    await server.close()


def test_the_note_of_a_sleeping_table_is_made_of_its_stored_state() -> None:
    network, _guests = all_gone()
    kept = network.table.kept
    assert kept is not None
    assert stored_notes(kept) == {"waits": StoredNote(network.now + HOUR, "a note")}
    unused = Snapshot(Network().table._kept_table())
    assert stored_notes(unused) == {"waits": StoredNote(inf, "a note")}


def test_a_deadline_is_looked_at_again_before_the_clock_of_the_server_may_drift() -> None:
    assert server_time(5000.0, 10.0, 4990.0) == 20.0
    assert server_time(5000.0, 10.0, 0.0) == 10.0 + CHECK_S
    assert server_time(5000.0, 10.0, 6000.0) == 10.0
    assert server_time(inf, 10.0, 0.0) == inf


def test_a_series_of_games_waits_for_absent_players_too() -> None:
    guests = playing("abc")
    network = guests[0].network
    play_on(guests)
    guests[2].send(Leave())
    for each in guests[:2]:
        each.send(SetReady(ready=True))
    network.wait(5)
    assert guests[0].phase() == "playing"
    assert [each.name for each in guests[0].lobby().seats] == ["a", "b", "c"]
    play_on(guests[:2], 2)
    guests[0].send(BackToLobby())
    assert guests[0].refusal == "not_after_game"
