"""What is handed out: built as for a release, and run without the clone."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from driflamme_tui.cli.declarations import PortInfo, added_options
from driflamme_tui.cli.opening_options import OpeningOptions
from netcode.child_process import RUN_MODULE
from netcode.protocol.version import VERSION
from netcode.transport.address import DEFAULT_PORT
from scripts.lib import distributions, release
from scripts.lib.distributions import ROOT

DOORS = {
    f"--{name}": vars(group)[name].usual_port
    for group in added_options(OpeningOptions, "serve")
    for name in group.ports
    if isinstance(vars(group)[name], PortInfo)
}
"""The options of doors, and where these listen unless told otherwise."""

DEPLOY = ROOT / "scripts" / "deploy"

PYTHON = getattr(sys, "_base_executable", sys.executable)
"""A Python that knows neither the clone nor what the tests run on."""

THINKING = """
import asyncio
from netcode.workers.worker_main import BotQuestion
from netcode.workers.worker_pool import WorkerPool

async def ask():
    pool, answer = WorkerPool(1), asyncio.get_running_loop().create_future()
    view = "2 3 b?2 rS,bm1/bP,g?1,g? *r3:????:???:XC,b2:ALXC:SHF:D,g2:????:???:L"
    pool.ask(BotQuestion("steady", view, (1,), 7), 60, answer.set_result)
    print(*{type(each).__name__ for each in pool._workers}, (await answer).trouble)
    await pool.close()

asyncio.run(ask())
"""
"""Has a bot think, and tells what in."""


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
    # Without site: its folder would bring the clone along, which is installed there to be edited.
    path = [str(tmp_path / "wheel"), str(distribution("textual").locate_file(""))]
    start = f"import sys; sys.path += {path}; from driflamme_tui.cli.main import run; run()"
    command = [sys.executable, "-I", "-S", "-c", start]
    assert distributions.try_out(command, tmp_path / "home") == []


def test_the_sdist_makes_the_very_wheel_and_brings_no_pictures_of_tests(
    built: tuple[Path, Path],
) -> None:
    sdist, wheel = built
    assert distributions.makes(sdist, wheel)
    assert sdist.stat().st_size < 2_200_000


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


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile with what each is given."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _space, rest in (line.partition(" ") for line in lines)]


def test_the_image_is_built_from_enough_of_the_clone_to_make_the_very_wheel(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from=built "):
            *sources, target = rest.split()
            for source in sources:
                there = (ROOT / source).resolve()
                to = tmp_path / "clone" / target
                if there.is_dir():
                    shutil.copytree(there, to)
                else:
                    to = to / source if target == "./" else to
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(there, to)
    assert (tmp_path / "clone" / "scripts" / "constraints.txt").exists()
    _sdist, wheel = distributions.build(tmp_path, tmp_path / "clone", "-t", "wheel")
    assert wheel.read_bytes() == built[1].read_bytes()


def test_the_image_serves_without_rights_keeps_one_folder_and_says_how_it_does() -> None:
    found = dict(instructions())
    assert {*found} <= {
        *("FROM", "WORKDIR", "COPY", "ENV", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"),
        *("HEALTHCHECK", "ENTRYPOINT", "CMD"),
    }
    user, _colon, _group = found["USER"].partition(":")
    assert int(user) > 0
    assert f"--uid {user} " in found["RUN"]
    assert f"XDG_DATA_HOME={found['VOLUME']}" in found["ENV"].split()
    assert found["EXPOSE"].split() == [*map(str, (DEFAULT_PORT, *DOORS.values()))]
    _options, _cmd, check = found["HEALTHCHECK"].partition("CMD ")
    served = json.loads(found["ENTRYPOINT"]) + json.loads(found["CMD"])
    assert json.loads(check) == [*served, "--status"]


def documented() -> Iterator[tuple[set[int], list[str]]]:
    """Yield the ports that are published, and what is run, of each line that is to be typed.

    The unit runs what one of them does.
    """
    lines = []
    (start,) = [json.loads(rest) for word, rest in instructions() if word == "ENTRYPOINT"]
    for line in (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("#   podman run "):
            options, _image, arguments = line.partition(" driflamme ")
            published = re.findall(r"-p (\d+)(?:-(\d+))?:\1(?:-\2)? ", f"{options} ")
            ports = {
                port
                for least, most in published
                for port in range(int(least), int(most or least) + 1)
            }
            lines.append((ports, [*start, *arguments.split()]))
    unit = (DEPLOY / "driflamme.service").read_text(encoding="utf-8")
    (line,) = re.findall("^ExecStart=/opt/driflamme/bin/(.*)$", unit, re.MULTILINE)
    (options,) = re.findall("OPTIONS=(.*)$", unit, re.MULTILINE)
    assert ({DEFAULT_PORT}, line.replace("$OPTIONS", options).split()) in lines
    yield from lines


def test_what_is_documented_publishes_its_ports_serves_and_says_how_it_does(tmp_path: Path) -> None:
    lines = [*documented()]
    for published, line in lines:
        assert published == {DEFAULT_PORT, *(DOORS[each] for each in DOORS if each in line)}
    published, line = max(lines, key=lambda each: len(each[0]))
    assert len(published) == 1 + len(DOORS), "all doors are in one of them"
    # Here the ports are any, and nobody else is let in.
    line = [part for each in line for part in ([each, "0"] if each in DOORS else [each])]
    folders = {f"XDG_{each}_HOME": str(tmp_path) for each in ("DATA", "STATE", "CONFIG")}
    start = [sys.executable, "-m", "driflamme_tui", *line[1:]]
    popen = partial(
        subprocess.Popen, cwd=ROOT, env={**os.environ, **folders}, stdout=subprocess.PIPE, text=True
    )
    with popen([*start, "--bind", "127.0.0.1", "--port", "0"]) as served:
        assert served.stdout is not None
        sentence = ""
        while "Ctrl-C" not in sentence:
            sentence += served.stdout.readline()
        (port,) = re.findall(r"open on port (\d+)", sentence)
        with popen([*start[:4], "--status", "--port", port]) as status:
            assert json.loads(status.communicate()[0])
        served.terminate()
        sentence += served.communicate()[0]
    assert served.returncode == 0
    assert "driflamme://club.example" in sentence
    assert sentence.count("Or, ") == len(DOORS)


def test_who_stops_the_unit_tells_the_club_alone_which_takes_leave() -> None:
    assert "\nKillMode=mixed\n" in (DEPLOY / "driflamme.service").read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "driflamme.service").read_text(encoding="utf-8")
    unit = tmp_path / "driflamme.service"
    unit.write_text(text.replace("/opt/driflamme/bin/driflamme", sys.executable))
    said = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    # It may complain of other units, which are none of ours.
    assert [line for line in said.stderr.splitlines() if unit.name in line] == []
