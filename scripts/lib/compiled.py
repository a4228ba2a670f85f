"""The command line of `scripts/compile`, and what makes a compiled wheel: the engine by mypyc.

The sources are those that plain Python runs, and the games are the same, action for action. This
file stands alone: pip loads it as hatchling's hook, by its path.
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
"""Where `scripts/compile` leaves the compiled engine, unless it is told another folder."""

RULES: Final = (
    *("abilities", "actions", "cards", "edition", "events", "game", "leaves", "legal"),
    *("position", "ranking", "views"),
)
"""What of the engine's root is compiled: what a search does a million times."""

INTERPRETED: Final = ("__init__", "base", "installed")
"""What of `engine/bots` is not: a class that others' bots derive from would have to import
mypy_extensions to allow that, once compiled."""

SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
"""How the names of compiled modules end, for this Python and machine."""

IGNORED: Final = shutil.ignore_patterns("__pycache__", f"*{SUFFIX}")
"""What of the engine's folder is not part of it."""


class CompiledWheel(BuildHookInterface[Any]):
    """Puts what has been compiled into a wheel, beside its sources; off unless it is asked for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel say for which Python and machine it is."""
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
        """Clear away what was compiled."""
        self._folder.cleanup()


def compile_into(folder: Path, root: Path = ROOT, level: int = 3) -> None:
    """Make an engine of compiled modules beside their sources, at a level of optimisation.

    Raises CalledProcessError where mypyc or a C compiler is missing, with what was said.
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
    """Return whether a folder has been compiled from the engine as it stands in the clone.

    If so it has the clone's data afterwards, which a bot may have learned since then.
    """
    sources = [path.relative_to(ROOT) for path in (ROOT / "engine").rglob("*.py")]
    _same, different, missing = filecmp.cmpfiles(ROOT, folder, sources, shallow=False)
    if different or missing or not any(folder.glob(f"*{SUFFIX}")):
        return False
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=IGNORED, dirs_exist_ok=True)
    return True


def main(arguments: list[str]) -> int:
    """Compile into a folder; return 1, with what was said, if that cannot be done."""
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
