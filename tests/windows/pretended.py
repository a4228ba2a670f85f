"""A Python that is as one on Windows, as far as that can be pretended elsewhere.

Modules and functions that there are none of on Windows are missing, locks are those of `msvcrt`, no
file that is open can be replaced or deleted, and the event loop knows no signals and no sockets at
paths. The packages that the program is built on are loaded before, as they are here: it is our code
that is tried. A process that is started is made so from its first line (tests/loopback).
"""

import asyncio
import ctypes
import errno
import importlib
import os
import signal
import socket
import stat
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

PRETENDED: Final = "DRIFLAMME_TESTS_WINDOWS"
"""The variable of the environment that has processes pretend from their beginning."""

PACKAGES: Final = (
    "cryptography.x509",
    "cryptography.hazmat.primitives.serialization",
    "getpass",
    "ifaddr",
    "msgpack",
    "msgspec",
    "openskill",
    "platformdirs",
    "segno",
    "spake2",
    "sqlite3",
    "tempfile",
    "textual.app",
    "textual.command",
    "textual.drivers.headless_driver",
    "textual.drivers.linux_driver",
    "textual.widgets",
    "tomlkit",
    "typer",
    "websockets.asyncio.client",
    "websockets.asyncio.server",
    "zeroconf.asyncio",
)
"""What asks for the system when it is loaded."""

MODULES: Final = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty", "uvloop")
"""The modules that Windows has not, and uvloop, which is not installed there."""

FRENCH: Final = 0x040C
"""The number that Windows has for French, the language of this one."""

_NAMES: Final[dict[ModuleType, str]] = {
    os: "chown fchmod fork forkpty getegid geteuid getgid getpgid getsid getuid killpg mkfifo nice"
    " openpty pread pwrite sched_getaffinity setsid statvfs sysconf uname wait"
    " O_CLOEXEC O_DIRECTORY O_NOFOLLOW",
    signal: "SIGALRM SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2"
    " SIGWINCH SIG_BLOCK SIG_SETMASK SIG_UNBLOCK pthread_kill pthread_sigmask setitimer",
    socket: "AF_UNIX send_fds recv_fds",
    asyncio: "start_unix_server open_unix_connection",
}

_OPEN_FOREVER: Final = errno.EACCES, "Permission denied: somebody has it open"


def pretend(*packages: str) -> None:
    """Be as Windows is from now on, with some packages loaded before."""
    for package in packages:
        importlib.import_module(package)
    # Only now, as they are a part of what is loaded.
    loop: Any = asyncio.SelectorEventLoop
    break_ = signal.SIGUSR1
    locking = _locking()
    pair = socket.socketpair
    family = socket.AF_UNIX
    os.environ[PRETENDED] = "yes"
    for module in MODULES:
        vars(sys)["modules"][module] = None
    for owner, names in _NAMES.items():
        for name in names.split():
            vars(owner).pop(name, None)
    for name in ("add_signal_handler", "create_unix_connection", "create_unix_server"):
        # Nor do its loops: this is what the base of them all says.
        setattr(loop, name, getattr(asyncio.AbstractEventLoop, name))
    for name in ("add_reader", "add_writer"):
        setattr(loop, name, _not_there)
    vars(socket)["socketpair"] = lambda *more: pair(*(more or (family,)))
    vars(signal)["SIGBREAK"] = break_
    # As later Pythons do where no process can say which cores it may use.
    vars(os)["process_cpu_count"] = os.cpu_count
    vars(subprocess)["BELOW_NORMAL_PRIORITY_CLASS"] = 0
    # A process that has ended there is still there for whoever waits for it.
    ended: Any = subprocess.Popen
    ended.terminate = _end
    vars(connection)["PipeConnection"] = connection.Connection
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: FRENCH)
    vars(ctypes)["windll"] = SimpleNamespace(kernel32=kernel)
    msvcrt: Any = ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_UNLCK, msvcrt.LK_LOCK, msvcrt.LK_NBLCK = locking, 0, 1, 2
    sys.modules["msvcrt"] = msvcrt
    for name in ("link", "remove", "rename", "replace", "unlink"):
        vars(os)[name] = _if_closed(getattr(os, name))
    vars(os)["dup"] = _if_no_socket(os.dup)
    for room in ("engine", "netcode", "driflamme_tui"):
        # What leaves out the encoding gets another one there.
        warnings.filterwarnings("error", "", EncodingWarning, rf"{room}\b")
    vars(sys)["platform"] = "win32"


def _not_there(*_arguments: object) -> None:
    raise NotImplementedError


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGTERM)


def _locking() -> Callable[[int, int, int], None]:
    """Return the function of `msvcrt`, which locks bytes for whoever opened the file."""
    import fcntl

    def locking(descriptor: int, mode: int, count: int) -> None:
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        assert at + count <= 1 << 31, "there is no room for more in its numbers"
        kind = fcntl.LOCK_EX if mode else fcntl.LOCK_UN
        wanted = fcntl.F_WRLCK if kind == fcntl.LOCK_EX else fcntl.F_UNLCK
        try:
            fcntl.fcntl(
                descriptor, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", wanted, 0, at, count, 0)
            )
        except BlockingIOError:
            raise PermissionError(*_OPEN_FOREVER) from None

    return locking


def _if_closed(change: Callable[..., None]) -> Callable[..., None]:
    """Return what does something to files unless this process has one of them open."""

    def checked(*paths: Any, **options: Any) -> None:
        for path in paths:
            if any(_is_same(path, each) for each in Path("/proc/self/fd").iterdir()):
                raise PermissionError(*_OPEN_FOREVER, str(path))
        change(*paths, **options)

    return checked


def _if_no_socket(duplicate: Callable[[int], int]) -> Callable[[int], int]:
    """Return what gives a file another number; sockets have none of that kind."""

    def checked(descriptor: int) -> int:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return duplicate(descriptor)

    return checked


def _is_same(path: Any, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False
