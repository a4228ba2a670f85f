"""Tests about other systems that can run on this system: scripts for Windows, and all types."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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
    # Give each system its own cache: with a shared one, mypy would parse everything again.
    options = "--platform", system, "--cache-dir", f".mypy_cache/{system}"
    packages = "engine", "netcode", "driflamme_tui"
    command = sys.executable, "-m", "mypy", *options, *packages
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines() if " error: " in line]
    # Leave out the doors for visitors, which need terminals and forks.
    doors = str(Path("driflamme_tui", "doors"))
    assert not [line for line in wrong if system != "win32" or not line.startswith(doors)]
    assert "source files" in done.stdout, done
