"""Tests distributions that are built as for a release, and run without the clone."""

import subprocess
import sys
import tarfile
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from netcode.child_process import RUN_MODULE
from netcode.protocol.version import VERSION
from scripts.lib import distributions, release

PYTHON = getattr(sys, "_base_executable", sys.executable)
"""A Python that knows neither the clone nor the tests' packages."""

THINKING = """
import asyncio
from netcode.workers.questions import BotQuestion
from netcode.workers.worker_pool import WorkerPool

async def ask():
    pool, answer = WorkerPool(1), asyncio.get_running_loop().create_future()
    view = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    pool.ask(BotQuestion("steady", view, (1,), 7), 60, answer.set_result)
    print(*{type(each).__name__ for each in pool._workers}, (await answer).trouble)
    await pool.close()

asyncio.run(ask())
"""
"""A program that lets a bot think, and prints the class of its worker and the bot's trouble."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return distributions.build(tmp_path_factory.mktemp("built"))


def test_the_wheel_holds_every_file_of_the_packages_and_runs_without_the_clone(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    _sdist, wheel = built
    assert distributions.misfits(wheel) == []
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "wheel")
    # Start without `site`, whose folder would add the clone to the path.
    path = [str(tmp_path / "wheel"), str(distribution("textual").locate_file(""))]
    start = f"import sys; sys.path += {path}; from driflamme_tui.cli.main import run; run()"
    command = [sys.executable, "-I", "-S", "-c", start]
    assert distributions.try_out(command, tmp_path / "home") == []


def test_the_sdist_makes_the_very_wheel_and_brings_no_pictures_of_tests(
    built: tuple[Path, Path],
) -> None:
    sdist, wheel = built
    assert distributions.makes(sdist, wheel)
    with tarfile.open(sdist) as archive:
        pictures = [each for each in archive.getnames() if "__snapshots__" in each]
    assert pictures == []
    assert sdist.stat().st_size < 2_700_000


def test_what_a_wheel_lacks_or_has_too_much_is_named(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    catalogue = "driflamme_tui/locale/fr/LC_MESSAGES/driflamme.mo"
    with ZipFile(built[1]) as archive, ZipFile(tmp_path / "odd.whl", "w") as odd:
        for name in archive.namelist():
            if name != catalogue and "licenses" not in name:
                odd.writestr(name, archive.read(name))
        odd.writestr("tests/conftest.py", "")
    assert distributions.misfits(tmp_path / "odd.whl") == [
        f"the wheel lacks {catalogue}",
        "the wheel has tests/conftest.py",
        "the wheel lacks the licence",
    ]


def test_a_parcel_that_fails_says_at_what(tmp_path: Path) -> None:
    said = distributions.try_out([sys.executable, "-c", "print('Seigneur')"], tmp_path / "home")
    assert [each.partition(":")[0].split(" ", 1)[1] for each in said] == [
        "--version",
        "puzzle 1 --plain",
        "arena --bots steady,random --games 2 --workers 1",
    ]


@pytest.mark.parametrize("version", [f"{sys.version_info.major}.{sys.version_info.minor}", "2.7"])
def test_a_zipapp_for_another_python_says_so_in_a_sentence(version: str) -> None:
    done = subprocess.run(
        [PYTHON, "-c", distributions.FIRST.format(version=version)], capture_output=True, text=True
    )
    said = "Driflamme: this file runs with Python 2.7 alone\n"
    assert (done.returncode, done.stderr) == ((1, said) if version == "2.7" else (0, ""))


@pytest.mark.long
def test_bots_think_in_processes_out_of_every_parcel(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    venv, home = distributions.install(built[1], tmp_path / "venv"), tmp_path / "home"
    archive = distributions.make_zipapp(built[1], venv, tmp_path)
    binary = distributions.freeze(venv, tmp_path)
    (tmp_path / "thinking.py").write_text(THINKING)
    for command in [str(venv / "bin" / "driflamme")], [PYTHON, str(archive)]:
        assert distributions.try_out(command, home) == []
        done = subprocess.run(
            [*command, RUN_MODULE, "thinking"],
            env={"HOME": str(home), "PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.stdout.split() == ["Worker"], done.stderr
    assert distributions.try_out([str(binary)], home) == []
    worker = [str(binary), RUN_MODULE, "netcode.workers.worker_main"]
    done = subprocess.run(worker, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.stdout == "ready\n"


@pytest.mark.parametrize(
    ("heading", "ready"),
    [
        (f"## {VERSION}, 2026-12-24", True),
        (f"## {VERSION}, not released yet", False),
        (f"## {VERSION}1, 2026-12-24", False),
    ],
)
def test_a_release_is_one_that_the_changes_begin_with(heading: str, ready: bool) -> None:
    said = release.unready(f"# Changes\n\n{heading}\n\n## 0.0.1, 2020-01-01\n")
    assert any("CHANGELOG" in each for each in said) is not ready
