"""The command line of `scripts/compile`, and hatchling's hook for compiled wheels (mypyc).

Plain Python runs the same sources, and plays the same games with the same actions. This file
imports nothing of the project, since pip loads it by its path.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).resolve().parents[2]

FOLDER: Final = ROOT / "build" / "compiled"
"""The default folder of the compiled engine."""

RULES: Final = (
    *("abilities", "actions", "cards", "edition", "events", "game", "leaf_game", "legal"),
    *("position", "ranking", "views"),
)
"""The compiled modules of the engine's root: a search runs them a million times."""

INTERPRETED: Final = ("__init__", "base", "installed")
"""The modules of `engine/bots` that are not compiled.

Bots of other packages derive from a class there. If it were compiled, they would need
mypy_extensions at run time.
"""

SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
"""The ending of compiled modules for this Python and machine."""

IGNORED: Final = shutil.ignore_patterns("__pycache__", f"*{SUFFIX}")
"""Ignores files in the engine's folder that do not belong to it."""


class CompiledWheel(BuildHookInterface[Any]):
    """Adds compiled modules to a wheel beside their sources. It is off by default."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine, and mark the wheel as one for this Python and platform."""
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        compile_into(folder, Path(self.root))
        found = (*folder.glob(f"*{SUFFIX}"), *folder.glob(f"engine/**/*{SUFFIX}"))
        build_data["force_include"].update(
            {str(path): path.relative_to(folder).as_posix() for path in found}
        )
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the compiled modules."""
        self._folder.cleanup()


def compile_into(folder: Path, root: Path = ROOT, level: int = 3) -> None:
    """Create an engine of compiled modules beside their sources, at an optimisation level.

    Raises CalledProcessError with the output if mypyc fails, for example without a C compiler.
    """
    shutil.rmtree(folder / "engine", ignore_errors=True)
    shutil.copytree(root / "engine", folder / "engine", ignore=IGNORED)
    for old in folder.glob(f"*{SUFFIX}"):
        old.unlink()
    modules = [f"engine/{name}.py" for name in RULES]
    modules += [
        path.relative_to(folder).as_posix()
        for path in sorted((folder / "engine" / "bots").glob("*.py"))
        if path.stem not in INTERPRETED
    ]
    subprocess.run(
        [sys.executable, "-m", "mypyc", *modules],
        cwd=folder,
        env={**os.environ, "MYPYC_OPT_LEVEL": str(level), "MYPYC_DEBUG_LEVEL": "0"},
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    shutil.rmtree(folder / "build")


def is_current(folder: Path = FOLDER) -> bool:
    """Return True if a folder contains the clone's present engine, compiled.

    If True, also copy the clone's data files into the folder: weights of bots may be newer than the
    compiled modules.
    """
    sources = [path.relative_to(ROOT) for path in (ROOT / "engine").rglob("*.py")]
    _same, different, missing = filecmp.cmpfiles(ROOT, folder, sources, shallow=False)
    if different or missing or not any(folder.glob(f"*{SUFFIX}")):
        return False
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=IGNORED, dirs_exist_ok=True)
    return True


def main(arguments: list[str]) -> int:
    """Compile the engine into a folder; return the exit status.

    If mypyc fails, print its output and return 1.
    """
    parser = argparse.ArgumentParser(
        prog="scripts/compile",
        description="Compile the engine with mypyc into a folder. Whatever is then started with "
        "PYTHONPATH=FOLDER searches three times as fast, and plays the same games.",
        epilog="example: scripts/compile && PYTHONPATH=build/compiled scripts/driflamme arena",
        allow_abbrev=False,
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="else build/compiled")
    folder = parser.parse_args(arguments).folder
    if is_current(folder):
        print(f"{folder} is up to date")
        return 0
    try:
        compile_into(folder)
    except subprocess.CalledProcessError as error:
        print(f"Nothing was compiled:\n{error.stdout}", file=sys.stderr)
        return 1
    print(f"compiled into {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
