"""The workflows of `.github`: that they run what there is, on what the project says it is for."""

import re
import shutil
import subprocess

import pytest

from scripts.lib import release
from scripts.lib.parcels import ROOT
from tests.scripts.test_dependencies import PROJECT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES}


def test_the_suite_runs_on_every_python_that_the_project_is_for() -> None:
    (listed,) = re.findall(r"python: \[(.*)\]", TEXTS["ci"])
    prefix = "Programming Language :: Python :: 3."
    named = [each for each in PROJECT["project"]["classifiers"] if each.startswith(prefix)]
    assert re.findall(r"\d\.\d+", listed) == [each.rpartition(" ")[2] for each in named]
    (built,) = re.findall("CIBW_BUILD: (.*)", TEXTS["release"])
    assert built.split() == [f"cp{each.rpartition(' ')[2].replace('.', '')}-*" for each in named]


def test_what_the_workflows_run_is_there() -> None:
    run = re.findall(r"run: (scripts\S+)(.*)", "".join(TEXTS.values()))
    assert len(run) == 4
    for script, options in run:
        assert (ROOT / script.replace("\\", "/")).is_file()
        asked = re.sub(r'"\$.*"', release.TAG, options).split()
        if asked:
            assert release.options().parse_args(asked).tag == release.TAG


@pytest.mark.skipif(not shutil.which("actionlint"), reason="there is no actionlint here")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(["actionlint", *FILES], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
