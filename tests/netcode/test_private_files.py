"""Tests that no other user can access private files and folders, and that no link is followed."""

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import driflamme_tui
import netcode
from driflamme_tui.cli.machine_checks import _why_not_private, check_owner
from driflamme_tui.preferences import settings
from driflamme_tui.preferences.data_folders import data_folders
from driflamme_tui.preferences.remembered import BEGINNER, Beginner, remember
from driflamme_tui.seat.seat_keys import LockedSeat
from netcode import private_files
from netcode.private_files import UnsafeFolderError, check_folder, make_private_folder
from netcode.server.status import StatusSocket, status_path
from netcode.storage.store import Store
from netcode.transport.certificate import load_identity
from tests.driflamme_tui.cli.test_commands import driflamme
from tests.support.wings import modules


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_umask")
def test_a_folder_and_those_above_it_are_made_for_nobody_else(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "driflamme" / "deep"
    make_private_folder(folder)
    make_private_folder(folder)
    for each in (folder, folder.parent, folder.parents[1]):
        assert each.stat().st_mode & 0o7777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o702, 0o770])
def test_a_folder_that_others_can_write_is_refused_with_a_sentence(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_files, "_has_one_member", lambda _group: False)
    folder = tmp_path / "own"
    folder.mkdir()
    folder.chmod(mode)
    for judge in (make_private_folder, check_folder):
        with pytest.raises(UnsafeFolderError, match=f"Other users can write into {folder}"):
            judge(folder)
    folder.chmod(0o755)
    make_private_folder(folder)


def test_the_group_that_a_user_has_alone_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_files, "_has_one_member", lambda _group: True)
    tmp_path.chmod(0o775)
    make_private_folder(tmp_path)


def test_a_folder_or_a_link_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not tmp_path.stat().st_uid:
        os.chown(tmp_path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UnsafeFolderError, match="belongs to another user"):
        make_private_folder(tmp_path)


async def _answer_status() -> None:
    await (await StatusSocket.open(status_path(4000), dict)).close()


def _sit_at_a_table() -> None:
    seat = LockedSeat("table", "Ada")
    seat.remember(bytes(32))
    seat.release()


def _keep_tables() -> None:
    Store.open().close()


WRITERS: list[Callable[[], object]] = [
    lambda: settings.change("theme", "light"),
    lambda: remember(name="Ada"),
    lambda: BEGINNER.change(Beginner.after_a_game),
    _sit_at_a_table,
    _keep_tables,
    load_identity,
    lambda: asyncio.run(_answer_status()),
    *(write for wing in modules("writers") for write in wing.WRITERS),
]
"""Functions that store each kind of player data."""


def written() -> list[Path]:
    """Return all files and folders that the program has created."""
    found = [each for folder in data_folders() for each in (folder, *folder.rglob("*"))]
    return [each for each in found if each.exists()]


@pytest.mark.usefixtures("_umask")
def test_nothing_that_is_kept_can_be_read_or_written_by_others() -> None:
    for write in WRITERS:
        write()
    there = written()
    assert len(there) > 7
    for each in there:
        assert not each.stat().st_mode & 0o077, each


def files_of(write: Callable[[], object]) -> list[Path]:
    """Call a function that stores files; return these files, and delete them."""
    write()
    found = [each for each in written() if not each.is_dir()]
    # Add the files that SQLite has beside a database only while it is open.
    found += [Path(f"{each}{end}") for each in found if each.suffix == ".db" for end in SIDES]
    for each in found:
        each.unlink(missing_ok=True)
    return found


SIDES = ("-wal", "-shm")

ANOTHERS = "# of another user"


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("is_there", [True, False])
def test_no_link_is_followed(
    write: Callable[[], object], is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Use a short folder: the path of a socket must be short.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    elsewhere = tmp_path / "elsewhere"
    for path in files_of(write):
        if is_there:
            elsewhere.write_text(ANOTHERS)
        path.symlink_to(elsewhere)
        # Ignore errors of writers: some report that they cannot write, others continue.
        with suppress(ValueError, OSError):
            write()
        assert elsewhere.exists() == is_there
        assert not is_there or elsewhere.read_text() == ANOTHERS
        path.unlink()
        files_of(write)


MAKES = re.compile(r"\.mkdir\(|makedirs\(|O_CREAT\b|\.touch\(|write_(?:text|bytes)\(")

ELSEWHERE = {
    ("server/status.py", "write_text("),  # On Windows only, after the file was deleted.
    ("storage/database.py", "O_CREAT"),  # Opens exclusively, and so follows no link.
    *(made for wing in modules("writers") for made in wing.ELSEWHERE),
}


def test_no_module_makes_folders_or_files_in_another_way() -> None:
    found = {
        (path.relative_to(root).as_posix(), made.group().lstrip("."))
        for root in (Path(each.__path__[0]) for each in (netcode, driflamme_tui))
        for path in root.rglob("*.py")
        if path.name != "private_files.py"
        for made in MAKES.finditer(path.read_text("utf-8"))
    }
    assert found == ELSEWHERE


def test_a_command_refuses_a_folder_that_others_can_write() -> None:
    for folder in data_folders():
        make_private_folder(folder)
        folder.chmod(0o777)
        done = driflamme("puzzle", "1", "--plain")
        assert done.exit_code == 1
        assert f"chmod 700 {folder}" in done.stderr
        (finding,) = check_owner(_why_not_private())
        assert finding.level == "trouble"
        assert f"chmod 700 {folder}" in finding.text
        folder.chmod(0o700)
