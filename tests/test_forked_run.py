"""Tests that the processes of `--forks` report all tests, whatever becomes of them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forked_run import CHUNK, chunks_of

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")

MODULE = """
import os, warnings
import pytest

@pytest.fixture(scope="session", autouse=True)
def ended(tmp_path_factory):
    yield
    folder = tmp_path_factory.getbasetemp()
    (folder.parent / f"{folder.name} ended").touch()

@pytest.mark.parametrize("number", range(40))
def test_of_many(number, tmp_path):
    print("said", number)
    assert tmp_path.parent.name == os.environ["PYTEST_XDIST_WORKER"]

def test_that_fails():
    print("said before")
    assert [1, 2] == [1, 3]

@pytest.mark.skip
def test_that_is_skipped(): ...

def test_that_warns():
    warnings.warn("a warning of one test")

@pytest.fixture
def broken():
    yield
    raise ValueError("broken at the end")

def test_that_breaks_at_the_end(broken): ...
"""


def run(folder: Path, module: str, *options: str) -> str:
    """Run a test module in forked processes; return what pytest prints."""
    (folder / "test_module.py").write_text(module)
    plugins = ("-p", "tests.support.forked_run", "-p", "xdist.plugin", "-p", "no:cacheprovider")
    options = (*plugins, "--forks", "2", "--basetemp", str(folder / "made"), *options)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", folder, *options, folder],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"},
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    return done.stdout


def test_every_test_is_reported_once_with_what_it_said(tmp_path: Path) -> None:
    said = run(tmp_path, MODULE)
    assert "1 failed, 42 passed, 1 skipped, 1 warning, 1 error in" in said
    for each in ("At index 1 diff: 2 != 3", "said before", "a warning of one test", "broken at"):
        assert each in said
    assert "said 3" not in said
    ended = {path.name for path in (tmp_path / "made").glob("* ended")}
    assert ended == {"gw0 ended", "gw1 ended"}


def test_a_test_that_ends_its_process_fails(tmp_path: Path) -> None:
    said = run(tmp_path, "import os\ndef test_before(): ...\ndef test_that_ends(): os._exit(3)")
    assert "1 failed, 1 passed in" in said
    assert "test_that_ends" in said
    assert "The process that ran this test is gone." in said


def test_each_process_ends_at_its_first_failure_if_asked(tmp_path: Path) -> None:
    said = run(tmp_path, MODULE.replace('print("said", number)', "assert not 'here'"), "-x")
    # A process may have failed before it learns of the other's failure.
    assert re.search(r"stopping after [12] failures", said)
    assert re.search(r"= [12] failed in ", said)


def test_chunks_have_every_test_once_and_each_is_of_one_module() -> None:
    modules = [*"a" * 50, *"b" * 3, *"c" * 40]
    chunks = chunks_of([*modules])
    assert [number for chunk in chunks for number in chunk] == [*range(93)]
    assert all(len({modules[number] for number in chunk}) == 1 for chunk in chunks)
    assert max(map(len, chunks)) == CHUNK
    assert [len(chunk) for chunk in chunks[-9:]] == [1] * 9
    assert chunks_of([]) == []
