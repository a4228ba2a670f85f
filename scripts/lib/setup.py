"""Make or renew the clone's .venv: the slow half of setup.sh, and all of setup.cmd.

Uses nothing but the standard library, since nothing else is there yet. A lock that ends with
the processes that hold it keeps concurrent starts apart, and the stamp that setup.sh reads is
written last, so that a set-up cut short at any moment is made anew by the next start.
"""

import os
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    BIN, ENDING = "Scripts", ".exe"
else:
    import fcntl

    BIN, ENDING = "bin", ""

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
STAMP = VENV / "driflamme-setup"
LOG = VENV / "driflamme-setup.log"
CONSTRAINTS = "scripts/constraints.txt"  # relative: in pip's variables a path may hold no space
UNFINISHED = "unfinished"
KINDS = "run", "doors", "dev"  # what the environment is for; each has all of the one before
TAIL_LINES = 15


def main(wanted: str, fingerprint: str = "") -> int:
    """Set up for `wanted`, one of `KINDS`; `fingerprint` stands for what is to be installed."""
    try:
        fingerprint = fingerprint or digest()
        with (ROOT / ".venv.lock").open("w", encoding="utf-8") as lock:
            wait_for(lock)
            done_for = stamp()
            more = KINDS[KINDS.index(wanted) :]
            if done_for in [f"{each} {fingerprint}" for each in more] and complete():
                return 0  # by the start that was waited for
            wanted = next((each for each in more if done_for.startswith(f"{each} ")), wanted)
            return set_up(wanted, fingerprint, lock)
    except KeyboardInterrupt:
        say("setting up was interrupted; the next start begins anew.")
        return 130
    except OSError as error:
        say(f"cannot set up in {ROOT}: {error}")
        return 1


def say(text: str) -> None:
    """Tell the person at the terminal, who may be piping standard output elsewhere."""
    print(f"Driflamme: {text}", file=sys.stderr, flush=True)


def digest() -> str:
    """What stands for what is to be installed, where no shell has worked it out."""
    files = (ROOT / "pyproject.toml", ROOT / CONSTRAINTS)
    return " ".join(str(zlib.crc32(file.read_bytes())) for file in files)


def wait_for(lock: IO[str]) -> None:
    """Take the lock, waiting for whoever holds it."""
    waits = False
    while not locked(lock):
        if not waits:
            say("waiting for another start that is setting up ...")
        waits = True
        time.sleep(0.1)


def locked(lock: IO[str]) -> bool:
    """Take the lock; return whether nobody else has it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass  # A file system without locks: two first starts at once are then one too many.
    return True


def stamp() -> str:
    """What the .venv here was last set up for, "" when unknown."""
    try:
        done_for, done_in, *_ = STAMP.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    return done_for if done_in == str(ROOT) else UNFINISHED


def set_up(wanted: str, fingerprint: str, lock: IO[str]) -> int:
    """Install the project into .venv, made anew unless the one there is sound."""
    uv = shutil.which("uv")
    say("installing what it needs, once; that takes half a minute ...")
    kept = sound(need_pip=uv is None)
    if not kept:
        if VENV.is_symlink() or VENV.is_file():
            VENV.unlink()
        elif VENV.exists():
            shutil.rmtree(VENV)
        VENV.mkdir()
    STAMP.write_text(f"{UNFINISHED}\n{ROOT}\n", encoding="utf-8")

    editable = ["-e", "." if wanted == KINDS[0] else f".[{wanted}]"]
    make, install = steps(VENV, *(["--reinstall-package", "driflamme"] if uv else []), *editable)
    commands = [install] if kept else [make, install]
    with LOG.open("w", encoding="utf-8") as log:
        for command in commands:
            if run(command, log, lock) != 0:
                say(f"setting up failed (this once it needs the network). The end of {LOG}:")
                lines = LOG.read_text(encoding="utf-8", errors="replace").splitlines()
                print(*(f"  {line}" for line in lines[-TAIL_LINES:]), sep="\n", file=sys.stderr)
                return 1

    finished = STAMP.with_suffix(".new")
    finished.write_text(f"{wanted} {fingerprint}\n{ROOT}\n", encoding="utf-8")
    finished.replace(STAMP)
    return 0


def steps(venv: Path, *wanted: str) -> tuple[list[str], list[str]]:
    """Return what makes an environment, and what installs into it at the versions of the scripts.

    Done at the top of the clone: with uv, or else with Python's own venv and pip.
    """
    python = str(venv / BIN / f"python{ENDING}")
    if uv := shutil.which("uv"):
        make = [uv, "venv", "--allow-existing", "--python", sys.executable, str(venv)]
        install = [uv, "pip", "install", "--python", python, "--build-constraints", CONSTRAINTS]
    else:
        make = [sys.executable, "-I", "-m", "venv", str(venv)]
        install = [python, "-I", "-m", "pip", "install", "--no-input", "--no-color"]
    return make, [*install, "-c", CONSTRAINTS, *wanted]


def sound(need_pip: bool) -> bool:
    """Whether the .venv there can be installed into as it is."""
    if stamp() == UNFINISHED:
        return False
    check = "import pip; " * need_pip + "import sys; sys.exit(sys.version_info < (3, 11))"
    try:
        tried = subprocess.run([VENV / BIN / "python", "-I", "-c", check], capture_output=True)
    except OSError:
        return False
    return tried.returncode == 0


def complete() -> bool:
    """Whether what the scripts start is there, links that lead nowhere not counted."""
    return all((VENV / BIN / f"{name}{ENDING}").exists() for name in ("python", "driflamme"))


def run(command: list[str], log: IO[str], lock: IO[str]) -> int:
    """Run a step of the set-up at the top of the clone, its output in the log."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("UV_SYSTEM_PYTHON", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    }
    # The two ways, by pip's age, to have the build backend pinned as well.
    pins = {"PIP_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    # The step holds the lock too: should this process be killed, its orphan still keeps others out.
    step = subprocess.run(
        command,
        cwd=ROOT,
        env=kept | pins,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        pass_fds=[] if sys.platform == "win32" else [lock.fileno()],
    )
    return step.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
