"""Builds and tries the distributions of Driflamme: wheel, sdist, zipapp and frozen binary.

`release.py` does the rest of a release.
"""

import os
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from venv import EnvBuilder
from zipfile import ZipFile

from netcode.protocol.version import VERSION

ROOT: Final = Path(__file__).resolve().parents[2]

CONSTRAINTS: Final = "scripts/constraints.txt"
"""The pinned versions. The path is relative, since pip's variables allow no spaces in it."""

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")
"""The packages in the wheel, as in the clone."""

EXTRA: Final = "doors"
"""The extra that a single-file program contains, since nothing can be added to it later."""

EXE: Final = ".exe" if sys.platform == "win32" else ""
"""The suffix of programs."""

TOOLS: Final = ("shiv", "pyinstaller")
"""The tools that make single-file programs. The constraints pin them, and only this module uses
them.
"""

FIRST: Final = """import sys
if sys.version_info[:2] != tuple(map(int, "{version}".split("."))):
    sys.exit("Driflamme: this file runs with Python {version} alone")
"""
"""The first lines of a zipapp. They check Python before loading modules that were compiled for one
version.
"""

KEPT: Final = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP")
"""The environment variables with which a distribution is tried. The last three are for Windows."""

SPEAKS: Final = {
    ("--version",): VERSION,
    ("--lang", "fr", "rules", "lord"): "Seigneur",
    ("puzzle", "1", "--plain"): "1",
    ("arena", "--bots", "steady,random", "--games", "2", "--workers", "1"): "steady",
}
"""The commands that are tried in each distribution, with the expected output. They test a
catalogue, data files and separate processes.
"""


def build(into: Path, source: Path = ROOT, *options: str) -> tuple[Path, Path]:
    """Build the reproducible sdist and wheel of a tree; return their paths."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), *options]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return into / f"driflamme-{VERSION}.tar.gz", into / f"driflamme-{VERSION}-py3-none-any.whl"


def build_compiled(into: Path) -> Path:
    """Build the wheel with a compiled engine, for this Python and platform."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)]
    environment = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    (built,) = into.glob(f"driflamme-{VERSION}-cp*.whl")
    return built


def misfits(wheel: Path) -> list[str]:
    """Return the differences between a wheel and the clone; [] if there are none."""
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        licensed = any(name.endswith("/licenses/LICENSE") for name in archive.namelist())
    found = [f"the wheel lacks {name}" for name in sorted(ours - packed)]
    found += [f"the wheel has {name}" for name in sorted(packed - ours)]
    return found if licensed else [*found, "the wheel lacks the licence"]


def makes(sdist: Path, wheel: Path) -> bool:
    """Return True if an unpacked sdist builds an identical wheel."""
    with TemporaryDirectory() as folder:
        with tarfile.open(sdist) as source:
            # Before Python 3.11.4, tarfile has no filters.
            source.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            source.extractall(folder)
        _, again = build(Path(folder), Path(folder) / f"driflamme-{VERSION}", "-t", "wheel")
        return again.read_bytes() == wheel.read_bytes()


def install(wheel: Path, venv: Path) -> Path:
    """Install a wheel and the tools for single files into a new environment; return its folder."""
    pins = {"PIP_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(venv)
    command = [tool(venv, "python"), "-I", "-m", "pip", "install", "--quiet"]
    command += [f"{wheel}[{EXTRA}]", *TOOLS]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **pins}, check=True)
    return venv


def tool(venv: Path, name: str) -> str:
    """Return the path of a program in an environment."""
    return sysconfig.get_path("scripts", "venv", {"base": str(venv)}) + f"/{name}{EXE}"


def make_zipapp(wheel: Path, venv: Path, into: Path) -> Path:
    """Build a zipapp, which needs only this Python on this platform; return its path."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    made = into / f"driflamme-{VERSION}-python{version}-{sysconfig.get_platform()}.pyz"
    with TemporaryDirectory() as folder:
        first = Path(folder) / "first.py"
        first.write_text(FIRST.format(version=version))
        command = [tool(venv, "shiv"), "--console-script=driflamme", f"--output-file={made}"]
        command += [f"--python=/usr/bin/env python{version}", f"--preamble={first}"]
        command += ["--compressed", "--reproducible", "--root=~/.cache/driflamme"]
        # Pin the versions, since pip downloads the packed packages again.
        command += [f"{wheel}[{EXTRA}]", f"--constraint={ROOT / CONSTRAINTS}", "--quiet"]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": ""}, check=True)
    return made


def freeze(venv: Path, into: Path) -> Path:
    """Build one file for this platform that needs no Python; return its path."""
    name = f"driflamme-{VERSION}-{sysconfig.get_platform()}"
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(venv)}))
    command = [tool(venv, "pyinstaller"), "--onefile", "--log-level=ERROR", f"--name={name}"]
    command += [f"--collect-all={each}" for each in PACKAGES]
    command.append("--collect-data=textual_serve")
    # Modules compiled by mypyc import these, but PyInstaller cannot see imports in compiled
    # modules.
    command += [f"--hidden-import={each.name.split('.')[0]}" for each in site.glob("*__mypyc*")]
    with TemporaryDirectory() as folder:
        command += [f"--distpath={into}", f"--specpath={folder}", f"--workpath={folder}"]
        subprocess.run([*command, f"{site}/driflamme_tui/__main__.py"], check=True)
    return into / f"{name}{EXE}"


def try_out(command: Sequence[str], home: Path) -> list[str]:
    """Run commands of a distribution in the folder `home`; return the failures, [] if none.

    The folder is created if it is missing, and is also the home folder of the commands.
    """
    found = []
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    folders = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), str(home))
    for arguments, expected in SPEAKS.items():
        done = subprocess.run(
            [*command, *arguments],
            cwd=home,
            env=kept | folders,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
        if done.returncode or expected not in done.stdout:
            found.append(f"{command[-1]} {' '.join(arguments)}: {done.stdout[-200:]}{done.stderr}")
    return found
