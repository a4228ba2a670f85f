"""Runs tests in several processes that are forked once all tests have been collected.

A plugin of pytest with the option `--forks`. With pytest-xdist each process imports and collects
all tests anew, and the messages about a test cost about as much as its preparation. To other
plugins the processes look like those of pytest-xdist, which still runs the tests where forking is
not safe, and when coverage is measured.
"""

import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any, Final

import pytest

CHUNK: Final = 8
"""The largest number of tests, all of one module, that a process takes at once."""

LAST: Final = 0.1
"""The share of the tests at the end that processes take one by one, so that all end together."""


def chunks_of(modules: list[object]) -> list[range]:
    """Return the numbers of the tests in chunks, given the module of each test."""
    chunks: list[range] = []
    first, last = 0, len(modules) - int(len(modules) * LAST)
    for end in range(1, len(modules) + 1):
        full = end - first == CHUNK or end >= last
        if full or end == len(modules) or modules[end] != modules[first]:
            chunks.append(range(first, end))
            first = end
    return chunks


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--forks`."""
    parser.addoption("--forks", type=int, default=0, help="run tests in so many forked processes")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """With `--forks`, run the collected tests in that many processes, and report them here."""
    option = session.config.option
    if not option.forks or option.collectonly or session.testsfailed or not session.items:
        return None
    if session.config.pluginmanager.hasplugin("_cov"):
        raise pytest.UsageError("Coverage does not follow --forks: use -n instead.")
    _run_forked(session, option.forks)
    return True


class _Process:
    """A forked process, with the attributes that plugins read in pytest's own process."""

    def __init__(self, config: pytest.Config, name: str) -> None:
        self.config = config
        self.gateway = SimpleNamespace(id=name)
        self.workerinfo = {
            "id": name,
            "sysplatform": sys.platform,
            "version_info": sys.version_info,
            "executable": sys.executable,
        }
        self.workeroutput: dict[str, Any] = {}


class _Run:
    """The state that all processes share: the chunk to take next, and the test of each process."""

    def __init__(self, session: pytest.Session, count: int) -> None:
        context = get_context("fork")
        self.session = session
        self.chunks = chunks_of([item.path for item in session.items])
        self.count = count
        self.next = context.Value("q", 0)
        self.current = context.Array("q", [-1] * count, lock=False)

    def stop(self) -> None:
        """Let each process end after its chunk."""
        with self.next.get_lock():
            self.next.value = len(self.chunks)

    def take(self) -> Iterator[int]:
        """Yield the numbers of the tests that this process runs."""
        while True:
            with self.next.get_lock():
                chunk = self.next.value
                self.next.value += 1
            if chunk >= len(self.chunks):
                return
            yield from self.chunks[chunk]


class _Reporter:
    """Sends the reports of a forked process to pytest's own process."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self._config = config
        self._pipe = pipe

    def send(self, kind: str, content: object) -> None:
        self._pipe.send((kind, content))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Nobody reads the reports of preparations that succeeded.
        if report.when == "call" or not report.passed:
            hook = self._config.hook
            self.send(
                "report", hook.pytest_report_to_serializable(config=self._config, report=report)
            )

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        said = warning_message
        # A warning may keep what cannot be sent.
        self.send(
            "warning",
            (str(said.message), said.category, said.filename, said.lineno, when, nodeid, location),
        )


def _serve(run: _Run, number: int, pipe: Connection) -> None:
    """Run tests in a forked process until none is left."""
    reporter = _Reporter(run.session.config, pipe)
    try:
        _disguise(run, number)
        run.session.config.pluginmanager.register(reporter)
        _run_tests(run, number)
        reporter.send("end", vars(run.session.config)["workeroutput"])
    except BaseException:
        reporter.send("error", traceback.format_exc())


def _disguise(run: _Run, number: int) -> None:
    """Make plugins take this forked process for one of pytest-xdist."""
    config, name = run.session.config, f"gw{number}"
    os.environ["PYTEST_XDIST_WORKER"] = name
    os.environ["PYTEST_XDIST_WORKER_COUNT"] = str(run.count)
    vars(config).update(workerinput={"workerid": name}, workeroutput={})
    # Capture into a new file: the position in an inherited one is shared.
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    config.pluginmanager.unregister(config.pluginmanager.getplugin("terminalreporter"))
    folders = vars(config)["_tmp_path_factory"]
    folders._basetemp = folders.getbasetemp() / name
    folders._basetemp.mkdir(mode=0o700)


def _run_tests(run: _Run, number: int) -> None:
    session = run.session
    numbers = run.take()
    following = next(numbers, None)
    while following is not None and not (session.shouldfail or session.shouldstop):
        run.current[number] = now = following
        following = next(numbers, None)
        after = None if following is None else session.items[following]
        session.config.hook.pytest_runtest_protocol(item=session.items[now], nextitem=after)
    session.config.hook.pytest_sessionfinish(session=session, exitstatus=session.exitstatus)


def _run_forked(session: pytest.Session, count: int) -> None:
    config = session.config
    if terminal := config.pluginmanager.getplugin("terminalreporter"):
        # Print no paths: the tests of several modules run at the same time.
        terminal.showfspath = False
    run, context = _Run(session, count), get_context("fork")
    vars(config)["_tmp_path_factory"].getbasetemp()
    sys.stdout.flush()
    sys.stderr.flush()
    pipes: dict[Connection, _Process] = {}
    processes = []
    for number in range(count):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(run, number, theirs), name=f"gw{number}")
        process.start()
        theirs.close()
        processes.append(process)
        pipes[ours] = _Process(config, process.name)
    try:
        _report(run, pipes)
        for process in processes:
            process.join()
    finally:
        run.stop()
        for process in processes:
            process.kill()


def _report(run: _Run, pipes: dict[Connection, _Process]) -> None:
    """Report what the processes send, until all of them have ended."""
    session = run.session
    config = session.config
    left = dict(enumerate(pipes))
    while left:
        for pipe in connection.wait(left.values()):
            assert isinstance(pipe, Connection)
            number = next(number for number, each in left.items() if each is pipe)
            try:
                kind, content = pipe.recv()
            except EOFError:
                kind, content = "error", "The process that ran this test is gone."
            if kind == "report":
                report = config.hook.pytest_report_from_serializable(config=config, data=content)
                report.node = pipes[pipe]
                config.hook.pytest_runtest_logreport(report=report)
            elif kind == "warning":
                _report_warning(config, *content)
            elif kind == "error":
                del left[number]
                _report_error(run, number, pipes[pipe], content)
            else:
                del left[number]
                pipes[pipe].workeroutput = content
                config.hook.pytest_testnodedown(node=pipes[pipe], error=None)
        if session.shouldfail or session.shouldstop:
            run.stop()
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


def _report_error(run: _Run, number: int, process: _Process, error: str) -> None:
    """Report an error that has ended a process as a failure of its test."""
    item = run.session.items[max(run.current[number], 0)]
    report = pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="failed",
        longrepr=f"{error}\nThe tests that it would have run next were left out.",
        when="call",
    )
    vars(report)["node"] = process
    item.config.hook.pytest_runtest_logreport(report=report)


def _report_warning(
    config: pytest.Config,
    message: str,
    category: type[Warning],
    filename: str,
    lineno: int,
    when: str,
    nodeid: str,
    location: tuple[str, int, str] | None,
) -> None:
    said = warnings.WarningMessage(message, category, filename, lineno)
    config.hook.pytest_warning_recorded.call_historic(
        kwargs={
            "warning_message": said,
            "when": when,
            "nodeid": nodeid,
            "location": location,
        }
    )
