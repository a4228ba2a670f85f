"""A table is open in one program at a time, and in none once that has ended, however it did."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from netcode.storage.table_locks import TableLocks
from netcode.table.snapshot import NUMBER_BITS

LAST = (1 << NUMBER_BITS) - 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.lock"


CLAIMING = """
import sys
from pathlib import Path
from netcode.storage.table_locks import TableLocks

claims = TableLocks(Path(sys.argv[1]))
print(*(claims.take(int(number)) for number in sys.argv[2:]), flush=True)
sys.stdin.read()
"""


@contextmanager
def another_program(path: Path, *numbers: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a program that claims tables; yield it and what it was told."""
    with subprocess.Popen(
        (sys.executable, "-c", CLAIMING, path, *map(str, numbers)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        yield program, program.stdout.readline().strip()
        program.kill()


@pytest.mark.parametrize("number", [0, LAST])
def test_a_table_is_open_in_one_program_until_that_is_killed(path: Path, number: int) -> None:
    ours = TableLocks(path)
    with another_program(path, number) as (program, said):
        assert said == "True"
        assert ours.is_held(number)
        assert not ours.take(number)
        program.kill()
        program.wait()
        assert not ours.is_held(number)
        assert ours.take(number)


def test_two_stores_of_one_program_are_told_apart(path: Path) -> None:
    ours, others = TableLocks(path), TableLocks(path)
    assert ours.take(1)
    assert ours.take(1)
    assert ours.take(3)
    ours.give_up(3)
    assert not others.take(1)
    others.give_up(1)
    assert ours.holds(1)
    assert others.is_held(1)
    assert not others.is_held(4)
    assert others.take(2)
    # The system would now take the first one's locks too, if each had a file of its own.
    others.close()
    others.close()
    with another_program(path, 1, 2, 3, 4) as (_, said):
        assert said == "False True True True"
    ours.close()
    with another_program(path, 1, 2) as (_, said):
        assert said == "True True"


def test_a_thousand_tables_need_one_file(path: Path) -> None:
    ours = TableLocks(path)
    assert all(ours.take(number * 1_000_003) for number in range(1000))
    assert path.stat().st_size == 0
    assert path.stat().st_mode & 0o777 == 0o600
    with another_program(path, 0, 999 * 1_000_003, 1000 * 1_000_003) as (_, said):
        assert said == "False False True"
