"""Tests a club in a container, or kept open by systemd."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.main import get_command

from driflamme_tui.cli.declarations import PortInfo, added_options
from driflamme_tui.cli.opening_options import OpeningOptions
from driflamme_tui.cli.program import app
from netcode.transport.address import DEFAULT_PORT
from scripts.lib import distributions
from scripts.lib.distributions import ROOT

PORTS = {
    f"--{name}": vars(group)[name].usual_port
    for group in added_options(OpeningOptions, "serve")
    for name in group.ports
    if isinstance(vars(group)[name], PortInfo)
}
"""The options that open other ports, each with its usual port."""

DEPLOY = ROOT / "scripts" / "deploy"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile, each with its arguments."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _space, rest in (line.partition(" ") for line in lines)]


def test_the_image_is_built_from_enough_of_the_clone_to_make_the_very_wheel(
    tmp_path: Path,
) -> None:
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from=built "):
            *sources, target = rest.split()
            for source in sources:
                there = (ROOT / source).resolve()
                to = tmp_path / "clone" / target
                if there.is_dir():
                    shutil.copytree(there, to)
                else:
                    to = to / source if target == "./" else to
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(there, to)
    assert (tmp_path / "clone" / "scripts" / "constraints.txt").exists()
    wheels = [
        distributions.build(tmp_path / into, source, "-t", "wheel")[1]
        for into, source in (("ours", ROOT), ("theirs", tmp_path / "clone"))
    ]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()


def test_the_image_serves_without_rights_keeps_one_folder_and_says_how_it_does() -> None:
    found = dict(instructions())
    assert {*found} <= {
        *("FROM", "WORKDIR", "COPY", "ENV", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"),
        *("HEALTHCHECK", "ENTRYPOINT", "CMD"),
    }
    user, _colon, _group = found["USER"].partition(":")
    assert int(user) > 0
    assert f"--uid {user} " in found["RUN"]
    assert f"XDG_DATA_HOME={found['VOLUME']}" in found["ENV"].split()
    assert found["EXPOSE"].split()[0] == str(DEFAULT_PORT)
    _options, _cmd, check = found["HEALTHCHECK"].partition("CMD ")
    served = json.loads(found["ENTRYPOINT"]) + json.loads(found["CMD"])
    assert json.loads(check) == [*served, "--status"]


def documented() -> Iterator[tuple[set[int], list[str]]]:
    """Yield the published ports and the command of each documented `podman run`.

    Asserts that the systemd unit runs one of these commands.
    """
    lines = []
    (start,) = [json.loads(rest) for word, rest in instructions() if word == "ENTRYPOINT"]
    for line in (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("#   podman run "):
            options, _image, arguments = line.partition(" driflamme ")
            published = re.findall(r"-p (\d+)(?:-(\d+))?:\1(?:-\2)? ", f"{options} ")
            ports = {
                port
                for least, most in published
                for port in range(int(least), int(most or least) + 1)
            }
            lines.append((ports, [*start, *arguments.split()]))
    unit = (DEPLOY / "driflamme.service").read_text(encoding="utf-8")
    (line,) = re.findall("^ExecStart=/opt/driflamme/bin/(.*)$", unit, re.MULTILINE)
    (options,) = re.findall("OPTIONS=(.*)$", unit, re.MULTILINE)
    assert ({DEFAULT_PORT}, line.replace("$OPTIONS", options).split()) in lines
    yield from lines


def is_taken(line: list[str]) -> bool:
    """Return True if the program has all options of a line; it lacks those of deleted wings."""
    command = get_command(app).get_command(None, line[1])  # type: ignore[attr-defined]
    options = {option for each in command.params for option in each.opts}
    return {each for each in line if each.startswith("--")} <= options


def test_what_is_documented_publishes_its_ports_serves_and_says_how_it_does(tmp_path: Path) -> None:
    lines = [(ports, line) for ports, line in documented() if is_taken(line)]
    for published, line in lines:
        assert published == {DEFAULT_PORT, *(PORTS[each] for each in PORTS if each in line)}
    published, line = max(lines, key=lambda each: len(each[0]))
    assert len(published) == 1 + len(PORTS), "all other ports are in one of them"
    # Use free ports instead of the documented ones.
    line = [part for each in line for part in ([each, "0"] if each in PORTS else [each])]
    folders = {f"XDG_{each}_HOME": str(tmp_path) for each in ("DATA", "STATE", "CONFIG")}
    start = [sys.executable, "-m", "driflamme_tui", *line[1:]]
    popen = partial(
        subprocess.Popen, cwd=ROOT, env={**os.environ, **folders}, stdout=subprocess.PIPE, text=True
    )
    with popen([*start, "--bind", "127.0.0.1", "--port", "0"]) as served:
        assert served.stdout is not None
        sentence = ""
        while "Ctrl-C" not in sentence:
            sentence += served.stdout.readline()
        (port,) = re.findall(r"open on port (\d+)", sentence)
        with popen([*start[:4], "--status", "--port", port]) as status:
            assert json.loads(status.communicate()[0])
        served.terminate()
        sentence += served.communicate()[0]
    assert served.returncode == 0
    assert "driflamme://club.example" in sentence
    assert sentence.count("Or, ") == len(PORTS)


def test_who_stops_the_unit_tells_the_club_alone_which_takes_leave() -> None:
    assert "\nKillMode=mixed\n" in (DEPLOY / "driflamme.service").read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "driflamme.service").read_text(encoding="utf-8")
    unit = tmp_path / "driflamme.service"
    unit.write_text(text.replace("/opt/driflamme/bin/driflamme", sys.executable))
    said = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    # Ignore complaints about other units of this system.
    assert [line for line in said.stderr.splitlines() if unit.name in line] == []
