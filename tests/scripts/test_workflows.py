"""Tests that the workflows of `.github` run existing commands on the supported systems."""

import re
import shutil
import subprocess

import pytest

from scripts.lib import release
from scripts.lib.distributions import ROOT
from tests.scripts.test_dependencies import PROJECT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES}


def test_the_suite_runs_on_every_python_that_the_project_is_for() -> None:
    (listed,) = re.findall(r"^ +python: \[(.*)\]", TEXTS["ci"], re.MULTILINE)
    prefix = "Programming Language :: Python :: 3."
    named = [each for each in PROJECT["project"]["classifiers"] if each.startswith(prefix)]
    assert re.findall(r"\d\.\d+", listed) == [each.rpartition(" ")[2] for each in named]
    (built,) = re.findall("CIBW_BUILD: (.*)", TEXTS["release"])
    assert built.split() == [f"cp{each.rpartition(' ')[2].replace('.', '')}-*" for each in named]


def test_what_the_workflows_run_is_there() -> None:
    run = re.findall(r"run: (scripts\S+)(.*)", "".join(TEXTS.values()))
    assert len(run) == 8
    for script, options in run:
        assert (ROOT / script.replace("\\", "/")).is_file()
        commands = re.sub(r'"\$.*"', release.TAG, options).split()
        if commands and script not in ("scripts/test", "scripts/wings"):
            assert release.options().parse_args(commands).tag == release.TAG


def test_the_newest_versions_that_the_ranges_allow_are_tried_on_the_oldest_and_newest_python() -> (
    None
):
    (job,) = re.findall(r"^  newest:\n((?:    .*\n|\n)*)", TEXTS["ci"], re.MULTILINE)
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'newest: ["{oldest}", "3.x"]' in job
    installs, checks = re.findall(r"run: (.*pip.*|scripts/test.*)", job)
    assert installs.endswith("install --upgrade --editable '.[dev]'")
    assert checks == "scripts/test"
    assert "constraint" not in job
    # The schedule finds new versions of packages, which appear without a change here.
    assert re.search(r"^  schedule:\n    - cron: ", TEXTS["ci"], re.MULTILINE)


def test_volume_and_removals_are_proven_once_a_week() -> None:
    for name, command in (
        ("long", "scripts/test --long --ignore (.*)"),
        ("removals", "scripts/wings"),
    ):
        (job,) = re.findall(rf"^  {name}:\n((?:    .*\n|\n)*)", TEXTS["ci"], re.MULTILINE)
        (found,) = re.findall("run: (.*)", job)
        ran = re.fullmatch(command, found)
        assert ran
        assert all((ROOT / each).is_file() for each in ran.groups())
        assert "if: github.event_name == 'schedule'" in job
        (minutes,) = re.findall(r"timeout-minutes: (\d+)", job)
        assert 180 <= int(minutes) < 360, "a runner ends every job after six hours"


def test_types_are_read_as_the_python_that_runs_reads_them() -> None:
    # Older Pythons cannot parse NumPy's types, and each Python has its own NumPy.
    assert "python_version" not in PROJECT["tool"]["mypy"]


@pytest.mark.skipif(not shutil.which("actionlint"), reason="there is no actionlint here")
def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(["actionlint", *FILES], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
