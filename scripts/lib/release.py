"""The command line of `scripts/release`: builds and checks a release, but publishes nothing."""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from netcode.protocol.version import VERSION
from scripts.lib import distributions, readme_pictures
from scripts.lib.distributions import ROOT

DIST = ROOT / "dist"

TAG = f"v{VERSION}"

TEST = "test.cmd" if sys.platform == "win32" else "test"


def main(arguments: list[str]) -> int:
    """Build and check a release; return 0, or 1 if the result must not be published."""
    chosen = options().parse_args(arguments)
    wrong = unready((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if chosen.tag != TAG:
        wrong.append(f"the tag is {chosen.tag}, and by its version this is {TAG}")
    if not chosen.tested and subprocess.run([ROOT / "scripts" / TEST]).returncode:
        wrong.append("scripts/test fails")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    print("building ...", flush=True)
    sdist, wheel = distributions.build(DIST)
    wrong += distributions.misfits(wheel)
    if not distributions.makes(sdist, wheel):
        wrong.append("the sdist makes another wheel than the clone")
    built = [sdist, wheel, distributions.build_compiled(DIST)]
    with TemporaryDirectory() as folder:
        there = Path(folder)
        venv = distributions.install(wheel, there / "venv")
        built.append(distributions.make_zipapp(wheel, venv, DIST))
        tries = [[distributions.tool(venv, "driflamme")], [sys.executable, "-I", str(built[-1])]]
        if chosen.frozen:
            built.append(distributions.freeze(venv, DIST))
            tries.append([str(built[-1])])
        compiled = distributions.install(built[2], there / "compiled")
        tries.append([distributions.tool(compiled, "driflamme")])
        wrong += [
            each for command in tries for each in distributions.try_out(command, there / "home")
        ]
    for path in built:
        print(f"  {path.stat().st_size / 1e6:5.1f} MB  {path.relative_to(ROOT)}")
    if wrong:
        print("\nNot to be published:", *(f"  {each}" for each in wrong), sep="\n")
        return 1
    images = (ROOT / "scripts").rglob("Containerfile")
    print(
        "\nAll checks passed. What is left to a person:",
        "  once: in pyproject.toml, the repository's address as [project.urls]",
        "  once: on PyPI, have .github/workflows/release.yml as a trusted publisher",
        f"  git tag -s {TAG}, and push it: that builds on every system, attests, publishes",
        *(f"  the image of {path.relative_to(ROOT)}" for path in images),
        sep="\n",
    )
    return 0


def options() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/release",
        description="Build wheels, sdist and zipapp into dist/, check them, and say what is left "
        "to do. Publishes nothing.",
        allow_abbrev=False,
    )
    parser.add_argument("--frozen", action="store_true", help="a binary without Python as well")
    parser.add_argument("--tested", action="store_true", help="scripts/test has passed already")
    parser.add_argument("--tag", default=TAG, help=f"which tag this is for, {TAG} by the version")
    return parser


def unready(changes: str) -> list[str]:
    """Return the reasons why the clone cannot be released; [] if it can.

    `changes` is the text of the CHANGELOG.
    """
    wrong = []
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True
    )
    if status.returncode or status.stdout:
        wrong.append("the clone has changes that are not committed")
    if (readme_pictures.FOLDER / "table.svg").read_text("utf-8") != readme_pictures.table():
        wrong.append("the front page shows the table as it was: run scripts/pictures")
    heading = re.search(r"^## (.*)$", changes, re.M)
    if not heading or not re.fullmatch(rf"{re.escape(VERSION)}, \d{{4}}-\d\d-\d\d", heading[1]):
        wrong.append(f'CHANGELOG.md must begin with "## {VERSION}, " and the day')
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
