"""The program where Windows is pretended; `pretended.py` says how far that goes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="pretended with what Linux has")
def test_all_is_imported_and_played_without_what_windows_has_not() -> None:
    command = sys.executable, "-X", "warn_default_encoding", "-m", "tests.windows.evening"
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr
    said = json.loads(done.stdout)
    assert said.pop("modules") > 300
    assert said.pop("club")[2]["tables"] == {"awake": 0, "asleep": 0}
    assert "Windows has no --unix" in said.pop("unix")[1]
    assert "There are no doors on Windows" in said.pop("doors")[1]
    assert said == {
        "language": "fr",
        "alone": [0, "", "-"],
        "app": "TableScreen",
        "joined": "-",
        "worker": True,
        "seats": [True, False, True],
    }


@pytest.mark.parametrize("name", ["driflamme", "test", "release", "lib/setup"])
def test_scripts_for_windows_can_be_read_there(name: str) -> None:
    path = ROOT / "scripts" / f"{name}.cmd"
    text = path.read_bytes().decode("ascii")
    assert text.count("\r\n") == text.count("\n") > 0
    called = re.findall(r"%~dp0([\w\\.]+?\.cmd)", text)
    assert all((path.parent / each.replace("\\", "/")).is_file() for each in called)
    assert {*re.findall(r"(?:goto|call) :?(\w+)$", text, re.M)} <= {
        *re.findall("^:(\\w+)\r$", text, re.M)
    }


@pytest.mark.long
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_types_are_right_for_other_systems(system: str) -> None:
    # Each has a memory of its own: with this in the common one, all would be read anew each time.
    options = "--platform", system, "--cache-dir", f".mypy_cache/{system}"
    rooms = "engine", "netcode", "driflamme_tui"
    command = sys.executable, "-m", "mypy", *options, *rooms
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines() if " error: " in line]
    # The doors for visitors stand on terminals and forks.
    doors = str(Path("driflamme_tui", "doors"))
    assert not [line for line in wrong if system != "win32" or not line.startswith(doors)]
    assert "source files" in done.stdout, done
