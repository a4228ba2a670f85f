"""Makes what Driflamme is handed out as, and tries it: wheel, sdist, zipapp, and a frozen binary.

What a release needs beyond that is left to `release.py`.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipapp
from collections.abc import Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from packaging.requirements import Requirement

from netcode.protocol.version import VERSION
from scripts.lib import zipapp_main
from scripts.lib.setup import ROOT, steps

PACKAGES: Final = ("engine", "netcode", "driflamme_tui")
"""What the wheel holds, each as it stands in the clone."""

EXTRA: Final = "doors"
"""What a single file holds besides what the program needs: nothing can be added to it later."""

FROZEN_BY: Final = "pyinstaller"
"""What makes the binary; it is pinned in the constraints and needed for nothing else."""

SPEAKS: Final = {
    ("--version",): VERSION,
    ("--lang", "fr", "rules", "lord"): "Seigneur",
    ("puzzle", "1", "--plain"): "1",
    ("arena", "--bots", "steady,random", "--games", "2", "--workers", "1"): "steady",
}
"""What is tried of each parcel, and what it must say: a catalogue, data, processes of its own."""


def build(into: Path, source: Path = ROOT, *options: str) -> tuple[Path, Path]:
    """Build the sdist and the wheel of a tree, the same bytes each time; return their paths."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), *options]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return into / f"driflamme-{VERSION}.tar.gz", into / f"driflamme-{VERSION}-py3-none-any.whl"


def misfits(wheel: Path) -> list[str]:
    """Return in what the contents of a wheel differ from what stands in the clone."""
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
    """Return whether an sdist, wherever it is unpacked, makes the very wheel."""
    with TemporaryDirectory() as folder:
        with tarfile.open(sdist) as source:
            source.extractall(folder, filter="data")
        _, again = build(Path(folder), Path(folder) / f"driflamme-{VERSION}", "-t", "wheel")
        return again.read_bytes() == wheel.read_bytes()


def make_zipapp(wheel: Path, into: Path) -> Path:
    """Make a zipapp for this Python and this kind of machine; return its path."""
    needs = zipapp_main.what_is_here()
    with TemporaryDirectory() as folder:
        top, contents = Path(folder) / "top", Path(folder) / "contents"
        top.mkdir()
        gather(wheel, contents)
        with ZipFile(top / "parcel.zip", "w", ZIP_DEFLATED) as parcel:
            for path in sorted(contents.rglob("*")):
                parcel.write(path, path.relative_to(contents))
        digest = hashlib.sha256((top / "parcel.zip").read_bytes()).hexdigest()[:12]
        named = {"name": f"{VERSION}-{digest}", "needs": needs}
        (top / "parcel.json").write_text(json.dumps(named))
        shutil.copy(zipapp_main.__file__, top / "__main__.py")
        made = into / f"driflamme-{VERSION}-{needs.replace(' on ', '-')}.pyz"
        python = f"/usr/bin/env python{sys.version_info.major}.{sys.version_info.minor}"
        zipapp.create_archive(top, made, interpreter=python)
    return made


def gather(wheel: Path, into: Path) -> None:
    """Unpack a wheel, and beside it all that it needs, as this Python has that installed."""
    with ZipFile(wheel) as archive:
        archive.extractall(into)
    (described,) = into.glob("*.dist-info")
    asked: list[tuple[Distribution, set[str]]] = [(Distribution.at(described), {EXTRA})]
    seen = set()
    while asked:
        wants, extras = asked.pop()
        for requirement in map(Requirement, wants.requires or ()):
            marker = requirement.marker
            if str(requirement) in seen or not (
                marker is None or any(marker.evaluate({"extra": each}) for each in ("", *extras))
            ):
                continue
            seen.add(str(requirement))
            needed = distribution(requirement.name)
            asked.append((needed, requirement.extras))
            for file in needed.files or ():
                # Neither what is outside, such as commands, nor what this Python compiled.
                if ".." not in file.parts and file.suffix != ".pyc":
                    (into / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(str(file.locate()), into / file)


def install(wheel: Path, venv: Path, *more: str) -> Path:
    """Install a wheel and more into a new environment, at our constraints; return its programs."""
    for command in steps(venv, f"{wheel}[{EXTRA}]", *more):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return venv / "bin"


def freeze(wheel: Path, into: Path) -> Path:
    """Make one file that needs no Python, for this kind of machine; return its path."""
    name = f"driflamme-{VERSION}-{sysconfig.get_platform()}"
    with TemporaryDirectory() as folder:
        programs = install(wheel, Path(folder) / "venv", FROZEN_BY)
        (site,) = (Path(folder) / "venv").glob("lib/python*/site-packages")
        options = [f"--collect-all={each}" for each in PACKAGES]
        options += ["--collect-data=textual_serve"]
        # What mypyc compiles imports these, unseen by whoever looks for imports.
        options += [f"--hidden-import={each.name.split('.')[0]}" for each in site.glob("*__mypyc*")]
        for each in ("specpath", "workpath"):
            options.append(f"--{each}={folder}")
        command = [str(programs / FROZEN_BY), "--onefile", "--log-level=ERROR", *options]
        command += [f"--distpath={into}", f"--name={name}", f"{site}/driflamme_tui/__main__.py"]
        subprocess.run(command, check=True)
    return into / name


def try_out(command: Sequence[str], home: Path) -> list[str]:
    """Run a parcel in an empty folder, which is its home too; return what went wrong."""
    found = []
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    for arguments, expected in SPEAKS.items():
        done = subprocess.run(
            [*command, *arguments],
            cwd=home,
            env={**kept, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode or expected not in done.stdout:
            found.append(f"{command[-1]} {' '.join(arguments)}: {done.stdout[-200:]}{done.stderr}")
    return found
