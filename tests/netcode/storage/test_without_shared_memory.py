"""Tests a disk without shared memory: everything is stored and found, and the user is warned."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from netcode.storage import database as storage
from netcode.storage.database import default_path, open_database, open_reading
from netcode.storage.history import History
from netcode.table.errors import UnavailableError
from tests.driflamme_tui.past_games import keep_evenings

WITHOUT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void *(*map)(void *, size_t, int, int, int, off_t);

static int is_index(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    return length > 4 && !memcmp(path + length - 4, "-shm", 4);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    static map real;
    if (!real)
        real = (map)dlsym(RTLD_NEXT, "mmap");
    if (fd >= 0 && flags & MAP_SHARED && is_index(fd)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return real(address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    return mmap(address, length, protection, flags, fd, offset);
}
"""
"""Source of a library that refuses to share the index of a write-ahead log, as some network drives
do.
"""

COMPILER = shutil.which("cc")

needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None, reason="only Linux preloads, and needs a compiler"
)

FOLDER = (
    "has no shared memory, like some network drives, so saving an action takes longer: use a"
    " local disk."
)


def without_shared_memory(folder: Path, *arguments: str) -> tuple[int, list[str], str]:
    """Run the program without shared memory; return its exit status, output lines and errors."""
    source, library = folder / "without.c", folder / "without.so"
    source.write_text(WITHOUT)
    assert COMPILER is not None
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "driflamme_tui", *arguments],
        env=os.environ | {"LD_PRELOAD": str(library), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


def journal_mode() -> str:
    with closing(open_reading(default_path())) as database:
        return str(database.execute("PRAGMA journal_mode").fetchone()[0])


@needs_compiler
def test_a_new_home_without_shared_memory_works_and_the_user_is_told(tmp_path: Path) -> None:
    yet = "No game is over yet: play one to its end, and it will be here."
    for _ in range(2):
        status, said, why = without_shared_memory(tmp_path, "history")
        assert (status, said) == (0, [yet])
        assert why.startswith("driflamme: The disk with ")
        assert why.endswith(f"{FOLDER}\n")
        assert why.count("\n") == 1
    assert journal_mode() == "delete"
    keep_evenings()
    assert journal_mode() == "wal", "here there is shared memory"


@needs_compiler
def test_what_still_stands_in_the_log_of_a_copied_home_is_not_lost(tmp_path: Path) -> None:
    path = default_path()
    path.parent.mkdir(parents=True)
    keep_evenings()
    with History.open() as history:
        # Leave the newest games in the log while the database is open.
        history._database.execute("PRAGMA wal_autocheckpoint = 0")
        history.prune(None)
        keep_evenings()
        games = [game.id for game in history.games()]
        for name in (path, Path(f"{path}-wal")):
            shutil.copy(name, tmp_path / name.name)
    assert (tmp_path / f"{path.name}-wal").stat().st_size > 0
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    for copied in tmp_path.glob(f"{path.name}*"):
        shutil.copy(copied, path.parent)
    status, said, _why = without_shared_memory(tmp_path, "history", "--json")
    assert status == 0
    assert len(said) == len(games) > 0
    assert journal_mode() == "delete"


def test_a_database_of_another_program_keeps_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    path = default_path()
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as foreign:
        foreign.execute("PRAGMA journal_mode = WAL")
        foreign.execute("CREATE TABLE theirs (id INTEGER)")
    with pytest.raises(Exception, match="another version"):
        open_database(path)
    assert journal_mode() == "wal"


def test_where_the_log_cannot_be_read_the_user_is_told_that_games_may_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_evenings()

    def full(_path: Path) -> sqlite3.Connection:
        raise UnavailableError("Free some space: the disk has no room for the journal of tables.")

    def without_index(path: Path, way: str = "mode=ro") -> sqlite3.Connection:
        if "immutable" not in way:
            raise sqlite3.OperationalError("disk I/O error")
        return open_reading(path, way)

    monkeypatch.setattr(storage, "open_database", full)
    with History.open(reading=True) as history:
        assert history.warning is None, "all of it can be read"
    monkeypatch.setattr(storage, "open_reading", without_index)
    with History.open(reading=True) as history:
        assert str(history.warning) == (
            "The newest games may be missing. Free some space: the disk has no room for the"
            " journal of tables."
        )
        assert history.games()
