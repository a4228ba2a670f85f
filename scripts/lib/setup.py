"""Sets up `.venv` with the project and its packages: with uv, or else with venv and pip.

setup.sh and setup.cmd start it with a Python that has no packages of the project yet:

    python -I scripts/lib/setup.py KIND [MADE_OF]

KIND is `run`; `doors`, which adds the packages for a host's doors; or `dev`, which adds the
packages for the checks. Packages that are installed are never removed. MADE_OF identifies the
project that `.venv` is made of; by default it is the folder, and a checksum of the required
packages.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from zlib import crc32

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from netcode.file_locks import lock_file, wait_for_lock  # noqa: E402 - now it can be found

VENV: Final = ROOT / ".venv"
BIN: Final = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP: Final = VENV / "driflamme-setup"
"""The file with the kind and origin of `.venv`. It is written last. An environment that was made by
hand has no such file, and is not changed.
"""

KINDS: Final = ("run", "doors", "dev")
"""The kinds of environments. Each kind includes the packages of the kinds before it."""

PINS: Final = "scripts/constraints.txt"
"""The pinned versions. The path is relative, since pip's variables allow no spaces in it."""

UV: Final = shutil.which("uv")

TAKES: Final = {
    "run": "about a minute",
    "doors": "about a minute",
    "dev": "some minutes (300 MB)",
}
"""The approximate time of the first setup of each kind without uv. With uv it is several times
faster.
"""

SHOWN_LINES: Final = 15
"""Maximum number of the installer's last lines that the report of a failure shows."""

LINE_COLUMNS: Final = 79


def write(text: str) -> None:
    """Print a sentence on standard error, with the program's name before it."""
    print(f"Driflamme: {text}", file=sys.stderr, flush=True)


def stamp() -> tuple[str, str]:
    """Return the kind of `.venv` and its origin; the smallest kind and "" without a valid stamp."""
    try:
        kind, made_of = STAMP.read_text(encoding="utf-8").splitlines()
        return KINDS[KINDS.index(kind)], made_of
    except (OSError, ValueError):
        return KINDS[0], ""


def is_set_up(kind: str, made_of: str) -> bool:
    """Return True if `.venv` has this origin, and at least the packages of this kind.

    A complete `.venv` without a stamp passes too: a person made it.
    """
    if not all(shutil.which(name, path=BIN) for name in ("python", "driflamme")):
        return False
    there, was_made_of = stamp()
    enough = KINDS.index(there) >= KINDS.index(kind)
    return not STAMP.exists() or (enough and was_made_of == made_of)


class Progress:
    """A line on a terminal with the seconds so far and the installer's present step.

    If standard error is no terminal, nothing is written.
    """

    def __init__(self) -> None:
        self.printed: deque[str] = deque(maxlen=SHOWN_LINES)
        """The last lines that the installer printed."""
        self._began = time.monotonic()
        self._is_over = threading.Event()
        self._is_terminal = sys.stderr.isatty()

    def _draw(self) -> None:
        while True:
            seconds = int(time.monotonic() - self._began)
            now = "".join(filter(str.isprintable, self.printed[-1])) if self.printed else ""
            line = f"Driflamme: {seconds // 60}:{seconds % 60:02}  {now.strip()}"[:LINE_COLUMNS]
            sys.stderr.write(f"\r{line:{LINE_COLUMNS}}")
            sys.stderr.flush()
            if self._is_over.wait(1):
                sys.stderr.write(f"\r{'':{LINE_COLUMNS}}\r")
                sys.stderr.flush()
                return

    @contextmanager
    def shown(self) -> "Iterator[None]":
        """Show the line, and remove it afterwards."""
        if not self._is_terminal:
            yield
            return
        drawing = threading.Thread(target=self._draw, daemon=True)
        drawing.start()
        try:
            yield
        finally:
            self._is_over.set()
            drawing.join()


def run(progress: Progress, *command: str | Path) -> None:
    """Run an installer and show its output in `progress`; raises CalledProcessError if it fails."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # The child inherits the lock, so the file stays locked until both processes have ended.
        close_fds=False,
        encoding="utf-8",
        errors="replace",
    ) as running:
        assert running.stdout is not None
        try:
            progress.printed.extend(line.rstrip() for line in running.stdout if line.strip())
        except BaseException:
            running.kill()
            raise
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, "installer")


def install(kind: str, made_of: str, progress: Progress) -> None:
    """Create or update `.venv`; raises OSError or CalledProcessError."""
    for name in ("UV_SYSTEM_PYTHON", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"):
        os.environ.pop(name, None)
    os.environ |= {"PIP_CONSTRAINT": PINS, "PIP_BUILD_CONSTRAINT": PINS, "PIP_NO_INPUT": "1"}
    os.environ |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COLOR": "1"}
    before, was_made_of = stamp()
    kind = max(kind, before, key=KINDS.index)
    # Create the environment anew if it is incomplete, was moved, or lacks its Python.
    is_ours = not was_made_of or was_made_of.startswith(f"{ROOT} ")
    if not is_ours or not shutil.which("python", path=BIN):
        if VENV.is_dir() and not VENV.is_symlink():
            shutil.rmtree(VENV)
        else:
            VENV.unlink(missing_ok=True)
        # Use the real file of Python, not a link to it, since `.venv` depends on it.
        python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
        ways = [UV, "venv", "--python", python, ".venv"] if UV else [python, "-Im", "venv", VENV]
        run(progress, *ways)
    STAMP.write_text(f"{kind}\nunfinished\n", encoding="utf-8")
    project = "." if kind == KINDS[0] else f".[{kind}]"
    if UV:
        pins = ("--constraints", PINS, "--build-constraints", PINS)
        again = ("--reinstall-package", "driflamme")
        run(
            progress, UV, "pip", "install", "--python", BIN / "python", *pins, *again, "-e", project
        )
    else:
        # Compile no modules now: Python compiles each module that it imports, and most are never
        # imported.
        pip = ("-m", "pip", "install", "--no-compile")
        run(progress, BIN / "python", "-I", *pip, "-e", project)
    STAMP.write_text(f"{kind}\n{made_of}\n", encoding="utf-8")


def main(kind: str, made_of: str = "") -> int:
    """Set up, or explain the failure; return the exit status."""
    try:
        return set_up(kind, made_of)
    except KeyboardInterrupt:
        write("setting up was interrupted; the next start begins anew.")
        return 130
    except OSError as error:
        where = error.filename or ROOT
        write(
            f"{where} cannot be used ({error.strerror or error}). A clone needs a folder in which"
            " you can write: clone it anew into one of yours."
        )
        return 1


def set_up(kind: str, made_of: str) -> int:
    """Install the packages of `kind` into `.venv` unless they are there; other setups wait.

    Return the exit status. Raises OSError.
    """
    about = (ROOT / "pyproject.toml").read_bytes() + (ROOT / PINS).read_bytes()
    made_of = made_of or f"{ROOT} {crc32(about)}"
    lock = os.open(ROOT / ".venv.lock", os.O_RDWR | os.O_CREAT, 0o666)
    os.set_inheritable(lock, True)
    try:
        if not lock_file(lock):
            write("waiting for another start that is setting up ...")
            wait_for_lock(lock)
    except OSError:
        pass  # Some file systems have no locks.
    if is_set_up(kind, made_of):
        return 0
    if not UV and not importlib.util.find_spec("ensurepip"):
        write(
            "this Python {0}.{1} cannot make virtual environments: install its venv module (on "
            "Debian and Ubuntu: apt install python{0}.{1}-venv) or uv.".format(*sys.version_info)
        )
        return 1
    write(f"installing what it needs, once; that takes {TAKES[kind]} ...")
    progress = Progress()
    try:
        with progress.shown():
            install(kind, made_of, progress)
    except subprocess.CalledProcessError:
        write("setting up failed (this once it needs the network). The end of what was said:")
        print(*(f"  {line}" for line in progress.printed), sep="\n", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
