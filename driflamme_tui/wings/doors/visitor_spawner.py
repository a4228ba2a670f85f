"""The process that imports everything once, and forks to start the app of each visitor.

A visitor's process shares only the imported modules. It has its own terminal, environment and
folders, and no other open file. On systems where forking is not safe, a new process is started,
which imports everything itself.

One request is one packet on the standard input: a `Visit`, with a terminal. The answer is an
`AppEnd`, after the app has ended.
"""

import gc
import locale
import os
import pkgutil
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

import driflamme_tui
from driflamme_tui.app.exit_signals import ENDINGS
from driflamme_tui.wings.doors.strangers import environment_for_strangers
from netcode.child_process import forbid_core_dumps, program_command
from netcode.private_files import make_private_folder

FORKS: Final = sys.platform == "linux"
"""True if a process can be forked safely on this system after it has imported everything."""

ANEW: Final = "--anew"
"""The argument that forbids forks."""

PACKET_BYTES: Final = 4096
"""Maximum bytes of a request."""

VISIT: Final = "DRIFLAMME_VISIT"
"""The environment variable that passes the visit to a process that was not forked. No other process
can read it.
"""

FILE_BYTES: Final = 1 << 26
"""Maximum bytes of a file that a visitor's app may write: a history with thousands of games."""

MEMORY_BYTES: Final = 1 << 29
"""Maximum bytes of a visitor's memory: ten times the usual, because pasted text waits there."""

NICENESS: Final = 10
"""The niceness of visitors' processes: the tables have priority."""

FIRST_OF_MEMORY: Final = "500"
"""The `oom_score_adj` of visitors' processes: if memory is short, the system ends them before the
tables.
"""

LARGEST: Final = 500, 200
"""Columns and rows of the largest screen that an app may draw. It takes about 10 MB."""

DUMB: Final = "dumb"
"""The terminal type that can show only lines. It echoes typed text itself."""

END_S: Final = 5
"""Maximum seconds for an app to end after its terminal has gone.

An app usually needs half a second.
"""

_ELSEWHERE: Final = ("cli", "doors", "__main__", "locale", "styles")
"""The packages of the user interface that a visitor's app does not import."""


class Terminal(Struct, frozen=True):
    """The properties of a visitor's terminal, as their program reports them."""

    term: str = "xterm-256color"
    lang: str = "C.UTF-8"
    colorterm: str = ""
    lines: bool = False
    """True for the line-by-line mode instead of a screen."""


class Visit(Struct):
    """A request to start the app of a visitor. The answer has the same number."""

    number: int
    name: str
    """The visitor's name at the table."""
    folder: str
    """The folder with the visitor's settings, seats and past games."""
    table: str
    """The path of the host's socket."""
    secret: bytes
    """The secret that the table requires."""
    terminal: Terminal


class AppEnd(Struct):
    """The end of an app, with its exit status."""

    number: int
    status: int


def main() -> None:
    """Start an app for each requested visit, until the door is closed.

    A forked process leaves the loop to run the app of its visit. A process that was not forked
    begins here, and finds its visit in the environment.
    """
    visit = os.environ.pop(VISIT, "")
    if visit:
        load_app()
        play(msgspec.json.decode(visit, type=Visit), 0)
    forks = ANEW not in sys.argv
    if forks:
        load_app()
    parent = socket.socket(fileno=os.dup(0))
    started = _serve(parent, forks)
    if started is not None:
        parent.detach()
        play(*started)


def load_app() -> None:
    """Import everything that a visitor may need, and the texts of all languages."""
    from rich.cells import cell_len

    from driflamme_tui.text.i18n import in_all_languages

    # An app would import these modules while it runs, so import them before the fork.
    for name in ("textual.drivers.linux_driver", "textual.layouts.factory"):
        import_module(name)
    import_module("netcode.client.code_join")
    cell_len("―")
    for _finder, name, is_package in pkgutil.walk_packages(
        driflamme_tui.__path__, f"{driflamme_tui.__name__}."
    ):
        if name.split(".")[1] not in _ELSEWHERE and not is_package:
            import_module(name)
    in_all_languages("")
    gc.collect()
    gc.freeze()


def _serve(parent: socket.socket, forks: bool) -> tuple[Visit, int] | None:
    """Start requested visits, until the door is closed; then return None.

    In a forked process, return its visit and terminal.
    """
    running: dict[int, int] = {}

    def reap(*_signal: object) -> None:
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            _report_end(parent, AppEnd(running.pop(pid), os.waitstatus_to_exitcode(status)))

    signal.signal(signal.SIGCHLD, reap)
    # A signal to the whole process group is meant for the host. This process ends with the host.
    for each in ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    while True:
        packet, terminals, _flags, _address = socket.recv_fds(parent, PACKET_BYTES, 1)
        if not packet:
            return None
        visit = msgspec.json.decode(packet, type=Visit)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        try:
            pid = os.fork() if forks else _begin_anew(visit, terminals[0])
        except OSError:
            _report_end(parent, AppEnd(visit.number, 1))
        else:
            if not pid:
                return visit, terminals[0]
            running[pid] = visit.number
        os.close(terminals[0])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _begin_anew(visit: Visit, terminal: int) -> int:
    """Start a process for a visitor without a fork; return its process id."""
    command = program_command(__spec__.name)
    given = {**environment_for_strangers(), VISIT: msgspec.json.encode(visit).decode()}
    actions = [(os.POSIX_SPAWN_DUP2, terminal, each) for each in (0, 1, 2)]
    return os.posix_spawn(command[0], command, given, file_actions=actions)


def _report_end(parent: socket.socket, ended: AppEnd) -> None:
    with suppress(OSError):
        parent.send(msgspec.json.encode(ended))


def play(visit: Visit, terminal: int) -> None:
    """Run the visitor's app at a terminal, then exit: with status 2 after an error, otherwise 0."""
    _settle_in(visit, terminal)
    from driflamme_tui.wings.doors.visitor_app import run, run_lines

    if visit.terminal.lines:
        why = run_lines(visit.name, Path(visit.table), visit.secret)
    else:
        why = run(visit.name, Path(visit.table), visit.secret, END_S, LARGEST)
    if why:
        with suppress(OSError):
            print(why, file=sys.stderr, flush=True)
    # A normal exit would wait for threads, and Textual's may continue after the terminal has gone.
    os._exit(2 if why else 0)


def _settle_in(visit: Visit, terminal: int) -> None:
    """Give this process the visitor's terminal, folder, limits, environment and language."""
    # Import here: systems without terminals and forks lack these modules.
    import fcntl
    import resource
    import termios

    wanted = visit.terminal
    for known in (signal.SIGCHLD, *ENDINGS):
        signal.signal(known, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for each in (0, 1, 2):
        os.dup2(terminal, each)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.umask(0o077)
    os.nice(NICENESS)
    with suppress(OSError):
        # If the kernel schedules by sessions first, niceness works only for the whole session.
        Path("/proc/self/autogroup").write_text(str(NICENESS))
    forbid_core_dumps()
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_OF_MEMORY)
    folder = Path(visit.folder)
    make_private_folder(folder)
    os.chdir(folder)
    os.utime(folder)
    # Lock the folder, so that nobody removes it before the app has ended.
    with suppress(OSError):
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)
    os.environ.clear()
    os.environ.update(
        HOME=visit.folder,
        TERM=wanted.term,
        LANG=wanted.lang,
        COLORTERM=wanted.colorterm,
        PATH=os.defpath,
        **{f"XDG_{each}_HOME": str(folder / each.lower()) for each in ("CONFIG", "DATA", "STATE")},
    )
    try:
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        # If this machine does not have the visitor's language, use a neutral one.
        utf8 = "UTF8" in wanted.lang.upper().replace("-", "")
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8" if utf8 else "C")
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "w" if fd else "r"
        stream = os.fdopen(fd, mode, encoding="utf-8", errors="replace", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    main()
