import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from platformdirs import user_state_path

from driflamme_tui.cli.shared_options import HostedGame, table_settings
from driflamme_tui.preferences.remembered import (
    Remembered,
    StoredValue,
    WayBack,
    forget_back,
    next_table,
    recall,
    remember,
    remember_back,
    remember_table,
)
from driflamme_tui.seat.seat_keys import MOST, LockedSeat, seat_at, stored_key, way_back
from netcode import file_locks
from netcode.protocol.table_settings import TableSettings

KEY, LATER = b"k" * 32, b"l" * 32


def folder() -> Path:
    return user_state_path("driflamme", appauthor=False)


@contextmanager
def locked_seat(address: str, name: str) -> Iterator[LockedSeat]:
    seat = LockedSeat(address, name)
    yield seat
    seat.release()


def recall_key(address: str, name: str) -> bytes | None:
    with locked_seat(address, name) as seat:
        return seat.recall()


def remember_key(address: str, name: str, key: bytes) -> None:
    with locked_seat(address, name) as seat:
        seat.remember(key)


def forget_key(address: str, name: str) -> None:
    with locked_seat(address, name) as seat:
        seat.forget()


def test_the_latest_key_counts_until_it_is_forgotten() -> None:
    remember_key("192.0.2.1", "Rosalind", KEY)
    remember_key("192.0.2.1", "Rosalind", LATER)
    assert recall_key("192.0.2.1", "Gaspard") is None
    assert recall_key("192.0.2.2", "Rosalind") is None
    assert recall_key("192.0.2.1", "Rosalind") == LATER
    forget_key("192.0.2.1", "Rosalind")
    assert recall_key("192.0.2.1", "Rosalind") is None


def write_key(name: str) -> None:
    remember_key("192.0.2.1", name, KEY)


def write_way_back(name: str) -> None:
    remember_back(WayBack(name, "Anna", "", "192.0.2.1"))


def has_both(
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[str], None],
    is_known: Callable[[str], object],
) -> None:
    """Let two programs write at the same time; assert that the results of both are stored."""
    read, wait, met = StoredValue.recall, file_locks.wait_for_lock, threading.Event()

    def write_meanwhile() -> None:
        write("Gaspard")
        met.set()

    other = threading.Thread(target=write_meanwhile)

    def read_slowly(kept: StoredValue[object]) -> object:
        found = read(kept)
        if other.ident is None:
            other.start()
            met.wait()
        return found

    def wait_in_turn(descriptor: int) -> None:
        if threading.current_thread() is other:
            met.set()
        wait(descriptor)

    monkeypatch.setattr(StoredValue, "recall", read_slowly)
    monkeypatch.setattr(file_locks, "wait_for_lock", wait_in_turn)
    write("Rosalind")
    other.join()
    assert is_known("Rosalind")
    assert is_known("Gaspard")


@pytest.mark.parametrize("write", [write_key, write_way_back])
def test_of_two_programs_that_write_at_once_neither_loses_what_the_other_writes(
    monkeypatch: pytest.MonkeyPatch, write: Callable[[str], None]
) -> None:
    def is_known(name: str) -> bool:
        is_back = any(back.name == name for back in recall().back)
        return is_back or recall_key("192.0.2.1", name) is not None

    has_both(monkeypatch, write, is_known)


def test_each_player_of_a_shared_account_has_a_way_back_to_their_seat() -> None:
    for name in ("Bea", "Chloe"):
        remember_back(WayBack(name, "Anna", "", "there"))
        remember_key("there", name, KEY)
    remember_back(WayBack("Bea", "Anna", "", f"there/{'0' * 16}"))
    assert [back.name for back in recall().back] == ["Bea", "Chloe"], "a seat has one way back"
    with locked_seat("there", "Chloe"):
        forget_back(recall().back[0])
        assert way_back() is None
    back = way_back()
    assert back is not None
    assert back.name == "Chloe"


def test_a_new_code_leads_to_the_seat_that_the_player_has_by_an_earlier_invitation() -> None:
    old, new = (seat_at("there", secret * 32) for secret in (b"o", b"n"))
    remember_key(old, "Bea", KEY)
    with locked_seat(new, "Chloe") as others, locked_seat(new, "Bea") as seat:
        assert others.recall_near("there") is None
        assert seat.recall_near("there") == KEY
        with locked_seat(old, "Bea"):
            assert seat.recall_near("there") is None, "another program sits there"
        seat.remember(KEY)
    assert recall_key(old, "Bea") == recall_key(new, "Bea") == KEY, "by either invitation"


def test_seats_at_several_tables_of_one_place_keep_their_own_keys() -> None:
    first, second = (seat_at("club", secret * 32) for secret in (b"1", b"2"))
    remember_key(first, "Bea", KEY)
    with locked_seat(second, "Bea") as seat:
        assert seat.recall_near("club") == KEY
        seat.remember(LATER)
    assert recall_key(first, "Bea") == KEY
    assert recall_key(second, "Bea") == LATER


def test_a_second_program_at_a_seat_does_not_forget_the_key_of_the_first() -> None:
    with locked_seat("there", "Bea") as seat:
        seat.remember(KEY)
        forget_key("there", "Bea")
        assert seat.recall() == KEY


def test_a_stored_key_is_read_also_while_a_program_has_the_seat() -> None:
    assert stored_key("there", "Bea") is None
    with locked_seat("there", "Bea") as seat:
        seat.remember(KEY)
        assert stored_key("there", "Bea") == KEY
    assert stored_key("there", "Chloe") is None
    (folder() / "seats.json").write_text('{"Bea @ there": "zz"}')
    assert stored_key("there", "Bea") is None


def test_only_the_latest_seats_are_kept() -> None:
    for number in range(MOST + 1):
        remember_key(f"192.0.2.{number}", "Rosalind", KEY)
    assert recall_key("192.0.2.0", "Rosalind") is None
    assert recall_key("192.0.2.1", "Rosalind") == KEY


def test_nobody_else_may_read_the_keys() -> None:
    remember_key("192.0.2.1", "Rosalind", KEY)
    assert stat.S_IMODE((folder() / "seats.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"Rosalind @ 192.0.2.1": "00"}',
        '{"Rosalind @ 192.0.2.1": 3}',
        '{"a": "zz"}',
        '{"name": "Blaise", "table": []}',
    ],
)
def test_a_damaged_file_is_as_good_as_none(content: str) -> None:
    folder().mkdir(parents=True)
    (folder() / "seats.json").write_text(content)
    (folder() / "last.json").write_text(content)
    assert recall_key("192.0.2.1", "Rosalind") is None
    assert recall() == Remembered()
    remember_key("192.0.2.1", "Rosalind", KEY)
    assert recall_key("192.0.2.1", "Rosalind") == KEY


def test_a_socket_whose_path_is_no_text_has_a_seat_without_a_key() -> None:
    remember_key("/tmp/\udcff", "Rosalind", KEY)
    assert recall_key("/tmp/\udcff", "Rosalind") is None


def test_a_folder_that_cannot_be_written_is_no_matter() -> None:
    folder().parent.mkdir(parents=True)
    folder().write_text("a file stands where the folder should be")
    remember_key("192.0.2.1", "Rosalind", KEY)
    remember(name="Rosalind", address="")
    assert recall_key("192.0.2.1", "Rosalind") is None


def test_one_program_at_a_time_holds_a_seat() -> None:
    mine = LockedSeat("192.0.2.1", "Rosalind")
    assert mine.is_locked
    assert not LockedSeat("192.0.2.1", "Rosalind").is_locked
    assert LockedSeat("192.0.2.1", "Gaspard").is_locked
    mine.release()
    assert LockedSeat("192.0.2.1", "Rosalind").is_locked


def test_what_the_host_chose_last_is_how_the_next_table_begins() -> None:
    remember(name="Blaise", address="10.0.0.9:4000")
    remember_table({"edition": 1, "first": "v"})
    remember_table({"clock_s": 60})
    assert next_table() == TableSettings(edition=1, clock_s=60), "who is first may not come"
    assert next_table(edition=2) == TableSettings(edition=2, clock_s=60), "options win"
    remember(name="Blaise")
    assert recall().address == "10.0.0.9:4000"
    assert next_table() == TableSettings(edition=1, clock_s=60)
    given = table_settings(HostedGame(edition=2, clock_s=0), as_last=True)
    assert given == TableSettings(), "an option may be what is usual"
    assert table_settings(HostedGame(edition=None)) == TableSettings(), (
        "only hosts have a last table"
    )


@pytest.mark.parametrize("table", [{"edition": 3}, {"edition": True}, {"pace_ms": "x"}])
def test_remembered_settings_that_make_no_sense_are_none(table: dict[str, object]) -> None:
    remember(name="Blaise", address="", table=table)
    assert recall().name == "Blaise"
    assert next_table(clock_s=30) == TableSettings(clock_s=30)
