"""Compiles the test modules of a fresh clone once, instead of once in each process of pytest-xdist.

All processes collect the same modules at the same time. Rewriting and compiling all of them takes
several seconds, and pytest stores the result for later runs.
"""

import os
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def compile_share(config: pytest.Config, folder: Path) -> None:
    """Compile this process's share of the test modules that have never been compiled.

    Does nothing if tests run in one process.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker:
        return
    number, count = int(worker.removeprefix("gw")), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    state = config.stash[rewrite.assertstate_key]
    for path in sorted(folder.rglob("test_*.py"))[number::count]:
        cache = rewrite.get_cache_dir(path)
        compiled = cache / f"{path.stem}{rewrite.PYC_TAIL}"
        if not compiled.exists() and rewrite.try_makedirs(cache):
            source, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source, compiled)
