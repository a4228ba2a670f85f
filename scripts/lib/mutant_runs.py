"""A pytest plugin for `scripts/test --mutants`: measures tests, and runs some of them with mutants.

Each mutant has a fork of a process that has imported the tests and the program already. The fork
replaces the code of the changed function, so a mutant costs only the run of its tests.
"""

import ast
import gc
import inspect
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

import pytest

COST: Final = "seconds of processors"
"""The property of a test's report with its cost (`tests/conftest.py`)."""

NO_TIME_S: Final = 1800
"""Seconds after which a run without result ends, however busy the machine is."""


class Request(NamedTuple):
    """A run of tests with a mutant."""

    module: str
    """The path of the module, which has the change already."""
    before: str
    """The module's text without the change; "" if the process has imported it with the change."""
    tests: Sequence[str]
    """The ids of the tests, in the order of their runs."""
    cpu_s: int
    """Maximum processor seconds."""
    folder: str
    """The folder for temporary files."""


PASSED, FAILED, ENDLESS, NO_TIME, OTHER = "passed", "failed", "endless", "no time", "imported"
"""The results of a run. `OTHER` means that only a new process can import the change."""

ENDED_BY: Final[dict[int, str]] = {signal.SIGXCPU: ENDLESS, signal.SIGALRM: NO_TIME}
"""The result of a fork that a signal has ended. After any other signal, the tests have failed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plugin."""
    parser.addoption("--costs-to", help="file for the processor seconds of each passed test")
    parser.addoption("--requests", type=int, help="descriptor with a request on each line")
    parser.addoption("--results", type=int, help="descriptor for the result of each request")


def pytest_configure(config: pytest.Config) -> None:
    """Register the parts of this plugin that the options request."""
    if path := config.getoption("--costs-to"):
        config.pluginmanager.register(_Costs(Path(path)))
    if (requests := config.getoption("--requests")) is not None:
        config.pluginmanager.register(_Runs(requests, config.getoption("--results")))


class _Costs:
    """Stores the processor seconds of all tests, and -1 for a test that failed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._costs: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._costs[report.nodeid] = -1.0
        elif report.when == "call" and report.passed:
            cost = dict(report.user_properties).get(COST)
            self._costs[report.nodeid] = cost if isinstance(cost, float) else 0.0

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps(self._costs), encoding="utf-8")


class _Runs:
    """Runs tests for each request, in place of a single run of all tests."""

    def __init__(self, requests: int, results: int) -> None:
        self._requests = requests
        self._results = results
        self._has_failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._has_failed = self._has_failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer all requests, until there are no more."""
        items = {item.nodeid: item for item in session.items}
        with os.fdopen(self._requests) as requests, os.fdopen(self._results, "w") as results:
            # All tests and their modules are imported now.
            print("ready", file=results, flush=True)
            for line in requests:
                result = self._run(Request(*json.loads(line)), items)
                print(result, file=results, flush=True)
        return True

    def _run(self, request: Request, items: dict[str, pytest.Item]) -> str:
        if (process := os.fork()) == 0:
            result = FAILED
            try:
                result = self._run_in_fork(request, items)
            finally:
                os._exit((PASSED, FAILED, OTHER).index(result))
        _, status = os.waitpid(process, 0)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)  # Kill all processes of its tests.
        if os.WIFSIGNALED(status):
            by: int = os.WTERMSIG(status)
            return ENDED_BY.get(by, FAILED)
        return (PASSED, FAILED, OTHER)[os.WEXITSTATUS(status)]

    def _run_in_fork(self, request: Request, items: dict[str, pytest.Item]) -> str:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (request.cpu_s, request.cpu_s + 5))
        signal.alarm(NO_TIME_S)
        # Session fixtures are created in the fork. Their files must not meet those of others.
        os.environ["PYTEST_DEBUG_TEMPROOT"] = request.folder
        if request.before and not replace_function(Path(request.module), request.before):
            return OTHER
        chosen = [items[test] for test in request.tests]
        for item, following in zip(chosen, [*chosen[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._has_failed:
                return FAILED
        return PASSED


def functions_of(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions that the code of a module creates when it is imported, in order."""
    for each in code.co_consts:
        if not isinstance(each, CodeType):
            continue
        if each.co_flags & inspect.CO_OPTIMIZED:
            yield each
        else:
            # The body of a class.
            yield from functions_of(each)


def replace_function(path: Path, before: str) -> bool:
    """Replace the code of the one function that a change affects, wherever it is referred to.

    Return False if the change affects the import of the module, such as a constant. Do nothing if
    the module has not been imported yet.
    """
    module = str(path.resolve())
    if all(getattr(each, "__file__", None) != module for each in [*sys.modules.values()]):
        return True
    text = ast.unparse(ast.parse(before))
    old, new, live = (
        list(functions_of(compile(each, module, "exec", dont_inherit=True)))
        for each in (text, path.read_text(encoding="utf-8"), before)
    )
    changed = [(now, code) for was, now, code in zip(old, new, live, strict=True) if was != now]
    if len(changed) != 1 or changed[0][0].co_name.startswith("<"):
        return False
    replacement, code = changed[0]
    gc.unfreeze()
    functions: list[Any] = [
        each
        for each in gc.get_objects()
        if type(each) is FunctionType
        and each.__code__ == code
        and each.__code__.co_filename == module
    ]
    gc.freeze()
    for each in functions:
        each.__code__ = replacement
    return bool(functions)
