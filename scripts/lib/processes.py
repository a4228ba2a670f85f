"""The processes of a benchmark: each answers one line of JSON with one, on a core of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self


@contextmanager
def journals() -> Iterator[Path]:
    """Make a folder for journals, for a while; it is in the clone, since /tmp may be no disk."""
    root = Path(__file__).resolve().parents[2]
    with TemporaryDirectory(prefix=".bench-", dir=root) as folder:
        yield Path(folder)


class Process:
    """One of the scripts beside this file, on one core; killed when its context ends."""

    def __init__(self, script: str, wanted: int, *arguments: object) -> None:
        """Start it.

        Args:
            script: Its name.
            wanted: Which of the cores is to be its own, where it can be chosen.
            arguments: What it is told.
        """
        path = str(Path(__file__).with_name(script))
        self._process = subprocess.Popen(
            [sys.executable, path, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(self._process.pid, {cores[wanted % len(cores)]})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def hear(self) -> dict[str, Any]:
        """Return the next line that the process prints."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the benchmark has failed")
        heard: dict[str, Any] = json.loads(line)
        return heard

    def ask(self, **asked: object) -> dict[str, Any]:
        """Tell the process something and return its answer."""
        self.tell(**asked)
        return self.hear()

    def tell(self, **asked: object) -> None:
        """Tell the process something; its answer is to be heard later."""
        assert self._process.stdin is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)

    @property
    def rss_mb(self) -> float:
        """What memory it has now, in units of 2^20 bytes."""
        command = ["ps", "-o", "rss=", "-p", str(self._process.pid)]
        shown = subprocess.run(command, check=True, capture_output=True, text=True)
        return int(shown.stdout) / 1024
