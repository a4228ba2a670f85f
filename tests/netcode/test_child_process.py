"""Tests child processes of the program, also where no Python can be started by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netcode.child_process import RUN_MODULE, program_command, program_environment
from netcode.workers import worker_main
from netcode.workers.questions import as_line
from tests.netcode.workers.test_worker_pool import AGES, LEGAL, question

PROGRAM = (sys.executable, "-P", "-m", "driflamme_tui")


def test_a_frozen_program_starts_itself_with_a_hidden_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert program_command("a.b", "c") == (sys.executable, "-P", "-m", "a.b", "c")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program_command("a.b", "c") == (sys.executable, RUN_MODULE, "a.b", "c")


def test_the_hidden_command_loads_what_its_module_imports_and_no_face(tmp_path: Path) -> None:
    (tmp_path / "part.py").write_text("import sys; print(__name__, sys.argv[1:], *sys.modules)")
    environment = program_environment()
    environment["PYTHONPATH"] += f":{tmp_path}"
    done = subprocess.run(
        (*PROGRAM, RUN_MODULE, "part", "one", "--two"),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert done.stdout.startswith("__main__ ['one', '--two'] ")
    assert not {"typer", "textual", "asyncio", "msgspec", "multiprocessing"} & {
        *done.stdout.split()
    }


def test_a_bot_answers_from_a_process_that_the_hidden_command_started() -> None:
    command = (*PROGRAM, RUN_MODULE, worker_main.__name__)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=program_environment()
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
        worker.stdin.write(as_line((AGES, question("steady"))))
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline())[0] in LEGAL
        worker.stdin.close()
        assert worker.wait(30) == 0
