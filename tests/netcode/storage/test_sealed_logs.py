"""Files of what is signed in sealed games: whole records, for one program, and nobody else's."""

import os
import stat
import sys
from pathlib import Path

import pytest

from netcode.storage.sealed_logs import KEPT_S, SealedLogs

KEY = bytes(range(32))
RECORDS = (b"key", b"more", bytes(2048))


def kept(folder: Path) -> Path:
    """Return the file of a key with some records."""
    file = SealedLogs(folder).create(KEY)
    file.keep(RECORDS[:1])
    file.keep(RECORDS[1:])
    file.close()
    (path,) = folder.iterdir()
    return path


def records(folder: Path) -> tuple[bytes, ...]:
    file = SealedLogs(folder).open(KEY)
    assert file is not None
    file.close()
    return file.records


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    path = kept(folder)
    assert path.name == "0001020304050607.log"
    assert records(folder) == RECORDS
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("cut", [1, 2047, 2048, 2055, 2056])
def test_a_torn_tail_is_cut_off_and_what_follows_is_whole(tmp_path: Path, cut: int) -> None:
    path = kept(tmp_path)
    os.truncate(path, path.stat().st_size - cut)
    file = SealedLogs(tmp_path).open(KEY)
    assert file is not None
    assert file.records == RECORDS[:2]
    file.keep([b"after"])
    file.close()
    assert records(tmp_path) == (*RECORDS[:2], b"after")


def test_zeros_at_the_end_are_no_records(tmp_path: Path) -> None:
    """A power cut may leave them in the place of what was written last."""
    path = kept(tmp_path)
    os.truncate(path, path.stat().st_size + 4096)
    assert records(tmp_path) == RECORDS


@pytest.mark.parametrize("at", [0, 5, 9])
def test_nothing_after_a_changed_byte_is_believed(tmp_path: Path, at: int) -> None:
    path = kept(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert records(tmp_path) == ()


def test_one_program_has_a_file_at_a_time(tmp_path: Path) -> None:
    logs = SealedLogs(tmp_path)
    assert logs.open(KEY) is None
    file = logs.create(KEY)
    assert SealedLogs(tmp_path).open(KEY) is None
    assert not list(SealedLogs(tmp_path).unfinished())
    with pytest.raises(FileExistsError):
        logs.create(KEY)
    file.close()
    (unfinished,) = SealedLogs(tmp_path).unfinished()
    unfinished.delete()
    assert not list(tmp_path.iterdir())


def test_secrets_of_long_ago_are_deleted(tmp_path: Path) -> None:
    path = kept(tmp_path)
    before = path.stat().st_mtime - KEPT_S - 60
    os.utime(path, (before, before))
    assert not list(SealedLogs(tmp_path).unfinished())
    assert not path.exists()
