"""Compiles the test modules of a fresh clone in several processes, each module in one of them.

Rewriting and compiling all of them takes several seconds, and pytest stores the result for later
runs. With pytest-xdist all processes would do so at the same time, and with `--forks` only one.
"""

import os
from multiprocessing import get_context
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def compile_tests(config: pytest.Config, folder: Path) -> None:
    """Compile the test modules that have never been compiled, or this process's share of them.

    Does nothing if tests run in one process.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker:
        number, count = int(worker.removeprefix("gw")), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        _compile(config, _missing(folder)[number::count])
    elif (count := config.getoption("--forks")) and (missing := _missing(folder)):
        shares = [(config, missing[number::count]) for number in range(count)]
        compiling = [get_context("fork").Process(target=_compile, args=each) for each in shares]
        for process in compiling:
            process.start()
        for process in compiling:
            process.join()


def _missing(folder: Path) -> list[tuple[Path, Path]]:
    """Return the test modules that have never been compiled, each with its compiled file's path."""
    modules = [
        (path, rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}")
        for path in sorted(folder.rglob("test_*.py"))
    ]
    return [(path, compiled) for path, compiled in modules if not compiled.exists()]


def _compile(config: pytest.Config, modules: list[tuple[Path, Path]]) -> None:
    state = config.stash[rewrite.assertstate_key]
    for path, compiled in modules:
        if rewrite.try_makedirs(compiled.parent):
            source, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source, compiled)
