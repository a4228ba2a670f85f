"""Tests `setup.sh` and `setup.py` of `scripts/lib` in a small clone, with pip or a false uv."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from scripts.lib.distributions import ROOT

if sys.platform != "win32":
    import pty

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="setup.cmd does it there")

PYTHON = Path(getattr(sys, "_base_executable", sys.executable)).resolve()

START = """#!/bin/sh
root=${0%/start}
. "$root/scripts/lib/setup.sh"
set_up "$@"
echo started
"""

UV = """#!/bin/sh
echo "$*" >>"$TOLD"
case $1 in
    venv) mkdir -p .venv/bin && cp -P "$3" .venv/bin/python ;;
    pip)
        if [ -p "$TOLD.gate" ]; then read -r _ <"$TOLD.gate"; fi
        [ ! -e "$TOLD.broken" ] || { echo no network; exit 2; }
        for each; do :; done
        : >.venv/bin/driflamme && chmod +x .venv/bin/driflamme ;;
    *) exit 1 ;;
esac
"""
"""Source of a false uv: it creates environments of one link and one file, logs its arguments, and
fails on request.
"""

BACKEND = """
from zipfile import ZipFile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with ZipFile(f"{folder}/driflamme-1-py3-none-any.whl", "w") as wheel:
        info = "driflamme-1.dist-info/"
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: driflamme\\nVersion: 1\\n")
        wheel.writestr(info + "entry_points.txt", "[console_scripts]\\ndriflamme = this:s\\n")
        wheel.writestr(info + "RECORD", "")
    return "driflamme-1-py3-none-any.whl"
"""

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


class Clone:
    """A clone with only the setup scripts, and the log of the replacement for uv."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a clone"
        (self.root / "scripts" / "lib").mkdir(parents=True)
        (self.root / "netcode").mkdir()
        for name in "scripts/lib/setup.sh", "scripts/lib/setup.py", "netcode/file_locks.py":
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "scripts" / "constraints.txt").touch()
        (self.root / "pyproject.toml").write_text(PROJECT)
        (self.root / "backend.py").write_text(BACKEND)
        (self.root / "start").write_text(START)
        self.log_file = folder / "told"
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in "cat", "cksum", "mkdir", "cp", "chmod":
            (self.bin / name).symlink_to(str(shutil.which(name)))
        (self.bin / "python3").symlink_to(PYTHON)
        self.program("uv", UV)

    def program(self, name: str, text: str) -> None:
        """Put a program onto the path. It replaces another one with the same name."""
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def begin(self, kind: str = "run", stderr: int = subprocess.PIPE) -> "subprocess.Popen[str]":
        """Start the setup as a script does; return its process."""
        return subprocess.Popen(
            ["/bin/sh", str(self.root / "start"), kind],
            env={"PATH": str(self.bin), "TOLD": str(self.log_file), "PIP_NO_INDEX": "1"},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )

    def start(self, kind: str = "run") -> tuple[int, str]:
        """Run the setup; return the exit status and the error output."""
        begun = self.begin(kind)
        out, said = begun.communicate()
        assert (out == "started\n") == (begun.returncode == 0)
        return begun.returncode, said

    def steps(self) -> list[str]:
        """Return the first and the last word of each uv call since the last call of this method."""
        lines = self.log_file.read_text().splitlines() if self.log_file.exists() else []
        self.log_file.unlink(missing_ok=True)
        return [f"{line.split()[0]} {line.split()[-1]}" for line in lines]


INSTALLING = "Driflamme: installing what it needs, once; that takes about a minute ...\n"
INSTALLING_ALL = INSTALLING.replace("about a minute", "some minutes (300 MB)")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_the_first_start_installs_and_the_second_asks_for_nothing(clone: Clone) -> None:
    assert clone.start() == (0, INSTALLING)
    assert clone.steps() == ["venv .venv", "pip ."]
    assert clone.start() == (0, "")
    assert clone.steps() == []


@pytest.mark.long  # pip is made anew and makes an environment of its own
def test_without_uv_venv_and_pip_do_the_same(clone: Clone) -> None:
    (clone.bin / "uv").unlink()
    assert clone.start() == (0, INSTALLING)
    assert (clone.root / ".venv" / "bin" / "driflamme").exists()
    assert clone.start() == (0, "")


def test_each_kind_has_all_of_the_one_before_and_none_is_taken_away(clone: Clone) -> None:
    assert [clone.start(kind)[1] for kind in ("run", "doors", "dev")] == [
        INSTALLING,
        INSTALLING,
        INSTALLING_ALL,
    ]
    assert clone.steps() == ["venv .venv", "pip .", "pip .[doors]", "pip .[dev]"]
    assert [clone.start(kind)[1] for kind in ("run", "doors", "dev")] == [""] * 3
    (clone.root / "scripts" / "constraints.txt").write_text("# others\n")
    assert clone.start("run") == (0, INSTALLING)
    assert clone.steps() == ["pip .[dev]"]


def move(clone: Clone) -> None:
    clone.root = clone.root.rename(clone.root.with_name("elsewhere"))


def lose_python(clone: Clone) -> None:
    python = clone.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.11")


def cut_short(clone: Clone) -> None:
    (clone.log_file.with_name("told.broken")).touch()
    (clone.root / "pyproject.toml").write_text(f"{PROJECT}# changed\n")
    assert clone.start()[0] == 1
    (clone.log_file.with_name("told.broken")).unlink()


def put_a_file_there(clone: Clone) -> None:
    shutil.rmtree(clone.root / ".venv")
    (clone.root / ".venv").touch()


def lose_program(clone: Clone) -> None:
    (clone.root / ".venv" / "bin" / "driflamme").unlink()


def make_by_hand(clone: Clone) -> None:
    (clone.root / ".venv" / "driflamme-setup").unlink()


HARMS = [
    (move, ["venv .venv", "pip .[dev]"]),
    (lose_python, ["venv .venv", "pip .[dev]"]),
    (cut_short, ["venv .venv", "pip .[dev]"]),
    (lose_program, ["pip .[dev]"]),
    (put_a_file_there, ["venv .venv", "pip ."]),
    (make_by_hand, []),
]
"""Ways to damage a clone, each with the expected uv calls.

The setup also installs the extras of its previous run, unless the damage has deleted the list.
"""


def test_what_was_moved_broken_or_cut_short_is_mended(clone: Clone) -> None:
    clone.start("dev")
    for harm, steps in HARMS:
        old = clone.root / ".venv" / "old"
        old.touch()
        harm(clone)
        clone.steps()
        assert clone.start() == (0, INSTALLING if steps else ""), harm
        assert clone.steps() == steps
        assert (clone.root / ".venv" / "old").exists() == ("venv .venv" not in steps)


def test_a_failure_is_said_with_its_end(clone: Clone) -> None:
    clone.log_file.with_name("told.broken").touch()
    status, said = clone.start()
    assert status == 1
    assert said.splitlines()[1:] == [
        "Driflamme: setting up failed (this once it needs the network). The end of what was said:",
        "  no network",
    ]


def make_lock_a_folder(clone: Clone) -> Path:
    (clone.root / ".venv.lock").mkdir()
    return clone.root / ".venv.lock"


def make_lock_lead_nowhere(clone: Clone) -> Path:
    (clone.root / ".venv.lock").symlink_to("/nowhere/lock")
    return clone.root / ".venv.lock"


def make_stamp_a_folder(clone: Clone) -> Path:
    clone.program(
        "uv", UV.replace("mkdir -p .venv/bin", "mkdir -p .venv/bin .venv/driflamme-setup")
    )
    return clone.root / ".venv" / "driflamme-setup"


def lose_project(clone: Clone) -> Path:
    (clone.root / "pyproject.toml").unlink()
    return clone.root / "pyproject.toml"


def forbid_writing(clone: Clone) -> Path:
    clone.root.chmod(0o555)
    return clone.root / ".venv.lock"


is_bound = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user"
)


@pytest.mark.parametrize(
    "harm",
    [
        make_lock_a_folder,
        make_lock_lead_nowhere,
        make_stamp_a_folder,
        lose_project,
        pytest.param(forbid_writing, marks=is_bound),
    ],
)
def test_a_clone_that_cannot_be_used_is_explained_in_a_sentence(
    clone: Clone, harm: Callable[[Clone], Path]
) -> None:
    path = harm(clone)
    status, said = clone.start()
    clone.root.chmod(0o755)
    assert status == 1
    (sentence,) = [line for line in said.splitlines() if line.startswith("Driflamme: ")][-1:]
    assert sentence.startswith(f"Driflamme: {path} cannot be used (")
    assert sentence.endswith("clone it anew into one of yours.")
    assert "Traceback" not in said


def test_a_terminal_shows_that_the_installation_works(clone: Clone) -> None:
    clone.program("uv", UV.replace("pip)", "pip)\n        echo Downloading it"))
    waiting = gate(clone)
    shown = ""
    with opened_terminal() as (reading, writing):
        begun = clone.begin(stderr=writing)
        os.close(writing)
        # The progress line is updated every second, also while the installer is silent.
        while shown.count("Downloading it") < 2:
            shown += os.read(reading, 1000).decode()
        waiting.write_text("go on\n")
        with suppress(OSError):  # the terminal's last reader gets an error at its end
            while more := os.read(reading, 1000).decode():
                shown += more
        assert begun.communicate()[0] == "started\n"
    lines = shown.replace("\r\n", "\r").split("\r")
    assert lines[0] == INSTALLING.strip()
    assert lines[-1] == ""
    assert not lines[-2].strip(), "the line is removed"
    drawn = [line for line in lines[1:] if line.strip()]
    assert all(re.fullmatch(r"Driflamme: \d+:\d\d  (Downloading it)? *", line) for line in drawn)
    assert {len(line) for line in drawn} == {79}


@contextmanager
def opened_terminal() -> Iterator[tuple[int, int]]:
    reading, writing = pty.openpty()
    try:
        yield reading, writing
    finally:
        os.close(reading)


def python(version: tuple[int, int], ensurepip: bool = True) -> str:
    """Return a program that pretends to be a Python of a version, with or without ensurepip."""
    hidden = "" if ensurepip else "import importlib.util as u; u.find_spec = lambda name: None; "
    before = f"import sys; sys.version_info = ({version[0]}, {version[1]}, 0); {hidden}"
    run = "import runpy; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    return (
        f'#!/bin/sh\n[ "$2" != -c ] || exec "{PYTHON}" -I -c "{before}$3"\n'
        f'shift; exec "{PYTHON}" -I -c "{before}{run}" "$@"\n'
    )


@pytest.mark.parametrize(
    ("pythons", "said"),
    [
        ({}, "Python 3.11 or newer is needed, and there is no Python here."),
        (
            {"python3": python((3, 9))},
            "Python 3.11 or newer is needed, and there is only Python 3.9 here.",
        ),
        (
            {"python3": python((3, 9)), "python3.12": python((3, 12), ensurepip=False)},
            "this Python 3.12 cannot make virtual environments: install its venv module "
            "(on Debian and Ubuntu: apt install python3.12-venv) or uv.",
        ),
    ],
)
def test_no_python_that_will_do_is_said_in_a_sentence(
    clone: Clone, pythons: dict[str, str], said: str
) -> None:
    for name in "python3", "uv":
        (clone.bin / name).unlink()
    for name, text in pythons.items():
        clone.program(name, text)
    assert clone.start() == (1, f"Driflamme: {said}\n")
    assert not (clone.root / ".venv").exists()


def test_with_uv_a_python_needs_no_venv_module(clone: Clone) -> None:
    clone.program("python3", python((3, 12), ensurepip=False))
    (clone.bin / "python3.11").symlink_to("/nowhere")
    assert clone.start() == (0, INSTALLING)


def gate(clone: Clone) -> Path:
    """Let uv wait before it installs, until a line is written to the returned file."""
    os.mkfifo(made := clone.log_file.with_name("told.gate"))
    return made


def test_of_two_first_starts_one_installs_and_the_other_waits(clone: Clone) -> None:
    waiting = gate(clone)
    first = clone.begin()
    assert first.stderr is not None
    assert first.stderr.readline() == INSTALLING
    second = clone.begin()
    assert second.stderr is not None
    assert second.stderr.readline() == (
        "Driflamme: waiting for another start that is setting up ...\n"
    )
    waiting.write_text("go on\n")
    assert [each.communicate() for each in (first, second)] == [("started\n", "")] * 2
    assert clone.steps() == ["venv .venv", "pip ."]


def test_who_is_interrupted_is_told_and_the_next_start_begins_anew(clone: Clone) -> None:
    gate(clone)
    begun = clone.begin()
    assert begun.stderr is not None
    assert begun.stderr.readline() == INSTALLING
    with clone.log_file.with_name("told.gate").open("w"):  # now it installs
        os.killpg(begun.pid, signal.SIGINT)
        _out, said = begun.communicate()
    assert said == "Driflamme: setting up was interrupted; the next start begins anew.\n"
    assert begun.returncode in (130, -signal.SIGINT)
    clone.log_file.with_name("told.gate").unlink()
    clone.steps()
    assert clone.start() == (0, INSTALLING)
    assert clone.steps() == ["venv .venv", "pip ."]


def test_who_is_interrupted_while_waiting_is_told_too(clone: Clone) -> None:
    waiting = gate(clone)
    first = clone.begin()
    assert first.stderr is not None
    assert first.stderr.readline() == INSTALLING
    second = clone.begin()
    assert second.stderr is not None
    second.stderr.readline()
    os.killpg(second.pid, signal.SIGINT)
    assert second.communicate()[1] == (
        "Driflamme: setting up was interrupted; the next start begins anew.\n"
    )
    waiting.write_text("go on\n")
    assert first.communicate() == ("started\n", "")
