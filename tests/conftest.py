"""Rules for all tests: none touches the user's data, leaves loopback, or waits for ever."""

import asyncio
import faulthandler
import gc
import inspect
import logging
import os
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import HealthCheck, settings

from tests.loopback import sitecustomize as loopback

pytest_plugins = ["tests.support.forked_run"]

# Do not look for garbage yet: imports and the collection of tests leave hardly any.
gc.disable()

# Processes that tests start load the guard of loopback too, in any folder.
ROOT = Path(__file__).resolve().parents[1]
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(loopback.__file__).parent), str(ROOT)])

# Store compiled modules, so that the processes of tests do not compile them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The background jobs of a shell ignore SIGINT, and child processes inherit that: Ctrl-C would
# have no effect on a program in a test's terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Keep the files of tests in memory if it has 2 GB free: databases and settings are synced to
# survive a crash, and each sync would wait for the disk.
MEMORY = "/dev/shm"
if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK):
    place = os.statvfs(MEMORY)
    if place.f_bavail * place.f_frsize > 2**31 and not place.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

# Show tables without animation, except in tests of animation. Textual reads this variable
# once on import, and a plugin may import it first.
os.environ["TEXTUAL_ANIMATIONS"] = "none"
if "textual" in sys.modules:
    vars(sys.modules["textual.constants"])["TEXTUAL_ANIMATIONS"] = "none"

# `examples` in tests/engine/random_games.py gives each property a share of its own number: 10 %
# in a short run, and 40 times the number with `--long`. Busy machines would miss any deadline.
patient: Any = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("short", max_examples=10, **patient)
settings.register_profile("long", max_examples=4000, **patient)
settings.load_profile("short")

# Rewrite the helpers' assertions, so that failures show the compared values. Register them
# before any helper is imported.
pytest.register_assert_rewrite(
    "tests.engine.lines",
    "tests.engine.random_games",
    "tests.netcode.simulation.person",
    "tests.netcode.simulation.witness",
    "tests.support.kept",
    "tests.support.pretend",
    "tests.support.strategies",
    "tests.support.by_hand",
    "tests.support.tables",
)


STUCK_S = float(os.environ.get("STUCK_S", 60))
"""Seconds after which a coroutine test fails, with a traceback from where it waits."""


SILENT_S = 300
"""Seconds after which all threads of a test that does not end are printed."""

REARM_S = 30.0
"""Seconds for which tests share a watch. A watch for each test would start a thread for each."""

_watched_since = [-REARM_S]


def watch(config: pytest.Config, now: float) -> None:
    """Print all threads of this process if no test begins any more."""
    terminal = config.stash.get(fault_handler_stderr_fd_key, None)
    if terminal is not None and now >= _watched_since[0] + REARM_S:
        _watched_since[0] = now
        faulthandler.dump_traceback_later(SILENT_S, file=terminal)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile test modules together with the other processes of this run."""
    from tests.support.compiled_tests import compile_tests

    compile_tests(session.config, Path(__file__).parent)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine test in an event loop of its own, for at most `STUCK_S` seconds.

    Return None for any other test, which pytest then runs itself.
    """
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    parameters = inspect.signature(pyfuncitem.obj).parameters

    async def guarded() -> None:
        async with asyncio.timeout(STUCK_S):
            await pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in parameters})

    asyncio.run(guarded())
    return True


COST = "seconds of processors"
"""The property of a test's report with its cost."""

LONGEST = ("test_homes", "test_distributions", "test_benchmarks", "test_perft")
"""Modules with slow tests. They start first, so that no worker runs one alone at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the modules of `LONGEST` first."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


# The costs of tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=int, default=0, help="print so many of the costliest tests")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Measure the processor time of a test, with the processes that it has waited for."""
    before = os.times()
    watch(item.config, before.elapsed)
    try:
        return (yield)
    finally:
        spent = sum(os.times()[:4]) - sum(before[:4])
        item.user_properties.append((COST, spent))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """With `--costs`, print the costliest tests. A busy machine hardly changes their cost."""
    reports = [
        each
        for name in ("passed", "failed")
        for each in terminalreporter.stats.get(name, ())
        if each.when == "call"
    ]
    costs = sorted(
        ((dict(each.user_properties).get(COST, 0.0), each.nodeid) for each in reports), reverse=True
    )
    if (count := config.getoption("--costs")) and costs:
        total = sum(seconds for seconds, _ in costs)
        terminalreporter.section(f"costliest of {len(costs)} tests, {total:.0f} s of processors")
        for seconds, test in costs[:count]:
            terminalreporter.write_line(f"{seconds:6.1f} s {test}")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return a short id for a long text, or None for pytest's own id.

    Workers and pytest's main process send the ids to each other many times.
    """
    return f"{val[:30]!r}..." if isinstance(val, str | bytes) and len(val) > 300 else None


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never objects from before the first test."""
    gc.freeze()
    gc.set_threshold(2_000_000, 10, 10)
    gc.enable()


def pytest_unconfigure() -> None:
    """Collect garbage once at the end, instead of five times as pytest would."""
    gc.collect()
    gc.freeze()


TODAY = 739_949
"""The date in the processes of the tests, counted as `date.toordinal` does: 29 November 2026.

Programs that tests start read the real date.
"""


@pytest.fixture(scope="session")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Fix the date, record all attempts to leave loopback in a file, and yield the file."""
    path = tmp_path_factory.mktemp("loopback") / "left"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(loopback.REFUSED, str(path))
        # Looking up this machine's addresses must not ask for the route to the internet.
        patched.setattr("netcode.transport.machine_addresses._OUT_THERE", ())
        patched.setattr("netcode.transport.machine_addresses.adapters", list)
        patched.setattr("driflamme_tui.local_date.today", lambda: TODAY)
        yield path


class _ErrorsOfCore(logging.Handler):
    """Collects the errors that were taken for errors of a wing, although the core raised them."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        part = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
        if part.startswith(("engine.", "netcode.", "driflamme_tui.")):
            self.found.append(record.getMessage())


@pytest.fixture
def multicast_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test multicast on the loopback interface only."""
    monkeypatch.setenv(loopback.MULTICAST, "yes")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return endless paths for new folders, which do not exist yet."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def refused(
    request: pytest.FixtureRequest, refusals: Path, homes: Iterator[Path]
) -> Iterator[Path]:
    """Give a test empty folders of the user; yield the file with attempts to leave loopback.

    Fail a test that has tried to leave loopback, or in which `netcode.isolation` has left out a
    part of the core. All this is one fixture, because each costs as much as a short test.
    """
    asks = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") if asks else next(homes)
    # The next test sets all of these again.
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        os.environ[folder] = f"{home}/{folder.lower()}"
    os.environ["LANGUAGE"] = "en"
    errors, log = _ErrorsOfCore(), logging.getLogger("netcode.isolation")
    log.addHandler(errors)
    yield refusals
    log.removeHandler(errors)
    assert errors.found == []
    if refusals.exists():
        left = refusals.read_text()
        refusals.unlink()
        pytest.fail(f"No test may leave loopback (tests/loopback): {left}")


@pytest.fixture
def album(snapshot: Any) -> Iterator[Any]:
    """Yield an album that compares pictures with those beside the test."""
    # Only tests with pictures need this import.
    from tests.support.snapshots import an_album

    with an_album(snapshot) as pictures:
        yield pictures
