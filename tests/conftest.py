"""What holds for every test: nothing of the user's own is read, written or shown, and nobody else
is spoken to."""

import asyncio
import gc
import inspect
import os
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.loopback import sitecustomize as loopback

# Also in the processes that tests start, wherever they are started.
ROOT = Path(__file__).resolve().parents[1]
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(loopback.__file__).parent), str(ROOT)])

# What is imported is compiled once, and not by every process of every test.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell has its background jobs ignore SIGINT, and what ignores a signal hands that down to all
# that it starts: Ctrl-C would do nothing to a program in a terminal of a test's own.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What tests write stands in memory, where a system has a place for that with room to spare: their
# databases and settings are written so that they outlive a crash, and each would wait for the disk.
MEMORY = "/dev/shm"
if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK):
    place = os.statvfs(MEMORY)
    if place.f_bavail * place.f_frsize > 2**31 and not place.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

# What a test sees is the table as it is, unless the test is about the pictures in between. Textual
# reads this once, when it is imported, which a plugin may have done already.
os.environ["TEXTUAL_ANIMATIONS"] = "none"
if "textual" in sys.modules:
    vars(sys.modules["textual.constants"])["TEXTUAL_ANIMATIONS"] = "none"

# What share of its examples a property runs on, of 100: `--long` takes 400 times as many.
# However long a busy machine takes for one.
patient: Any = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("short", max_examples=10, **patient)
settings.register_profile("long", max_examples=4000, **patient)
settings.load_profile("short")

# The helpers assert too; let their failures show what was compared. Said here, before any of
# them is imported by another.
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


STUCK_S = 60.0
"""No test takes as long; one that waits for what never comes is to fail and say where it waits."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    parameters = inspect.signature(pyfuncitem.obj).parameters

    async def guarded() -> None:
        async with asyncio.timeout(STUCK_S):
            await pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in parameters})

    asyncio.run(guarded())
    return True


LONGEST = ("test_homes", "test_distributions", "test_benchmarks", "test_perft")
"""Modules with tests that take many seconds: begun last, one would be waited for by itself."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin the longest tests first."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Call what is long by its beginning: names of tests go between processes, again and again."""
    return f"{val[:30]!r}..." if isinstance(val, str | bytes) and len(val) > 300 else None


def pytest_collection_finish() -> None:
    """Look for garbage rarely, and not among what is there before the first test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_unconfigure() -> None:
    """Look for garbage once at the end: pytest does so five times, in all that tests have made."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Have all who try to leave loopback remembered in a file, which this gives."""
    path = tmp_path_factory.mktemp("loopback") / "left"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(loopback.REFUSED, str(path))
        # Nobody is asked for the way out either.
        patched.setattr("netcode.transport.machine_addresses._OUT_THERE", ())
        patched.setattr("netcode.transport.machine_addresses.adapters", list)
        yield path


@pytest.fixture(autouse=True)
def refused(refusals: Path) -> Iterator[Path]:
    """Fail a test that has tried to leave loopback; give the file in which that is remembered."""
    yield refusals
    if refusals.exists():
        left = refusals.read_text()
        refusals.unlink()
        pytest.fail(f"No test may leave loopback (tests/loopback): {left}")


@pytest.fixture
def multicast_within(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test multicast on the interface of loopback, where nobody else can hear it."""
    monkeypatch.setenv(loopback.MULTICAST, "yes")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give one folder after the other that is not there yet: most tests have no need of it."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _nothing_of_the_user(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]
) -> None:
    asks = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") if asks else next(homes)
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(home / folder.lower()))
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture
def album(snapshot: Any) -> Iterator[Any]:
    """Give an album whose pictures are compared with those that are kept beside the test."""
    # Only tests with pictures need what this imports.
    from tests.support.snapshots import an_album

    with an_album(snapshot) as pictures:
        yield pictures
