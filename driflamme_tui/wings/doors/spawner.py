"""The process that starts the app for each visitor of a door: it has imported all, and forks.

A visitor's process shares what was imported and nothing else: it has a terminal, an environment and
folders of its own, and no other open file. Where it is not safe to fork, it begins anew, and
imports all by itself. One request is one packet on the standard input: a `Visit`, with a terminal.
The answer is an `Ended`, once it has ended.
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
from driflamme_tui.app.ending import ENDINGS
from netcode.own_files import own_folder
from netcode.own_process import environment_for_strangers, forbid_core_dumps, own_command

FORKS: Final = sys.platform == "linux"
"""Whether a process that has loaded everything may be forked here."""

ANEW: Final = "--anew"
"""The argument with which none is forked."""

PACKET_BYTES: Final = 4096
"""Length of the longest request."""

VISIT: Final = "DRIFLAMME_VISIT"
"""The variable in which a process that was not forked finds its visit: nobody else reads it."""

FILE_BYTES: Final = 1 << 26
"""Size of the largest file that a visitor's app may write: a history of thousands of games."""

MEMORY_BYTES: Final = 1 << 29
"""Most memory of a visitor's app, ten times what it takes: all that is pasted waits there."""

NICENESS: Final = 10
"""Niceness of visitors: the tables come first."""

FIRST_OF_MEMORY: Final = "500"
"""Where memory is short, the system ends visitors before the tables."""

LARGEST: Final = 500, 200
"""Columns and rows of the largest screen that is drawn: larger than any wall, and some 10 MB."""

DUMB: Final = "dumb"
"""The terminal that shows lines, and what is typed by itself."""

END_S: Final = 5
"""How long an app may take to end once its terminal is gone; usually it is half a second."""

_ELSEWHERE: Final = ("cli", "doors", "__main__", "locale", "styles")
"""What of the face a visitor's app does not load."""


class Terminal(Struct, frozen=True):
    """What a visitor's program says of their terminal."""

    term: str = "xterm-256color"
    lang: str = "C.UTF-8"
    colorterm: str = ""
    lines: bool = False
    """Whether there is no screen, but a player that goes line by line."""


class Visit(Struct):
    """What a visitor's app is started with."""

    number: int
    name: str
    """What the visitor is called at the table."""
    folder: str
    """Where their settings, seats and past games lie."""
    table: str
    """The path of the host's socket."""
    secret: bytes
    """What lets one in there."""
    terminal: Terminal


class Ended(Struct):
    """Tells that an app has ended, and its exit status."""

    number: int
    status: int


def main() -> None:
    """Start an app for each visit that is asked for, until the door has closed.

    Each process that is started comes through here too, and there runs the app of its visit.
    """
    visit = os.environ.pop(VISIT, "")
    if visit:
        load_app()
        play(msgspec.json.decode(visit, type=Visit), 0)
    forks = ANEW not in sys.argv
    if forks:
        load_app()
    line = socket.socket(fileno=os.dup(0))
    started = _serve(line, forks)
    if started is not None:
        line.detach()
        play(*started)


def load_app() -> None:
    """Import all that a visitor may come to see, and the texts of all languages."""
    from rich.cells import cell_len

    from driflamme_tui.text.i18n import in_all_languages

    # What would be loaded when an app runs.
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


def _serve(line: socket.socket, forks: bool) -> tuple[Visit, int] | None:
    """Start what is asked for; return only in a process that was forked, or at the end."""
    running: dict[int, int] = {}

    def reap(*_signal: object) -> None:
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            _tell(line, Ended(running.pop(pid), os.waitstatus_to_exitcode(status)))

    signal.signal(signal.SIGCHLD, reap)
    # What a whole group is told is for the host; its end is this one's.
    for each in ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    while True:
        packet, terminals, _flags, _address = socket.recv_fds(line, PACKET_BYTES, 1)
        if not packet:
            return None
        visit = msgspec.json.decode(packet, type=Visit)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        try:
            pid = os.fork() if forks else _begin_anew(visit, terminals[0])
        except OSError:
            _tell(line, Ended(visit.number, 1))
        else:
            if not pid:
                return visit, terminals[0]
            running[pid] = visit.number
        os.close(terminals[0])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _begin_anew(visit: Visit, terminal: int) -> int:
    """Start a process for a visitor without forking this one; return its number."""
    command = own_command(__spec__.name)
    given = {**environment_for_strangers(), VISIT: msgspec.json.encode(visit).decode()}
    actions = [(os.POSIX_SPAWN_DUP2, terminal, each) for each in (0, 1, 2)]
    return os.posix_spawn(command[0], command, given, file_actions=actions)


def _tell(line: socket.socket, ended: Ended) -> None:
    with suppress(OSError):
        line.send(msgspec.json.encode(ended))


def play(visit: Visit, terminal: int) -> None:
    """Be the visitor's app at a terminal, and end with its exit status."""
    _settle_in(visit, terminal)
    from driflamme_tui.wings.doors.visitor_app import run, run_lines

    if visit.terminal.lines:
        why = run_lines(visit.name, Path(visit.table), visit.secret)
    else:
        why = run(visit.name, Path(visit.table), visit.secret, END_S, LARGEST)
    if why:
        with suppress(OSError):
            print(why, file=sys.stderr, flush=True)
    # Not by an end that waits for threads: Textual's may go on where the terminal is gone.
    os._exit(2 if why else 0)


def _settle_in(visit: Visit, terminal: int) -> None:
    """Leave nothing of this process's surroundings to the app, and give it the visitor's."""
    # Not at the top: no system without terminals and forks has these.
    import fcntl
    import resource
    import termios

    said = visit.terminal
    for known in (signal.SIGCHLD, *ENDINGS):
        signal.signal(known, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    if said.term == DUMB:
        # What shows itself what is typed there is not to hear it again.
        settings = termios.tcgetattr(terminal)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
    for each in (0, 1, 2):
        os.dup2(terminal, each)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.umask(0o077)
    os.nice(NICENESS)
    with suppress(OSError):
        # Where the kernel shares between sessions first, that of a process alone means nothing.
        Path("/proc/self/autogroup").write_text(str(NICENESS))
    forbid_core_dumps()
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_OF_MEMORY)
    folder = Path(visit.folder)
    own_folder(folder)
    os.chdir(folder)
    os.utime(folder)
    # Whoever puts folders away leaves those that are held, as this one is until the app has ended.
    with suppress(OSError):
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)
    os.environ.clear()
    os.environ.update(
        HOME=visit.folder,
        TERM=said.term,
        LANG=said.lang,
        COLORTERM=said.colorterm,
        PATH=os.defpath,
        **{f"XDG_{each}_HOME": str(folder / each.lower()) for each in ("CONFIG", "DATA", "STATE")},
    )
    try:
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        # A language that this machine does not have.
        utf8 = "UTF8" in said.lang.upper().replace("-", "")
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8" if utf8 else "C")
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "w" if fd else "r"
        stream = os.fdopen(fd, mode, encoding="utf-8", errors="replace", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    main()
