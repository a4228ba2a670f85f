"""Tests `driflamme doctor`: the finding of each check, and the output about a machine."""

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from driflamme_tui.cli import machine_checks
from driflamme_tui.cli.findings import Finding, WingChecks
from driflamme_tui.cli.machine_checks import (
    NEWEST,
    OLDEST,
    check_addresses,
    check_announcement,
    check_clock,
    check_firewall,
    check_folder,
    check_packages,
    check_parts,
    check_port,
    check_python,
    check_terminal,
    examine,
)
from engine.texts import ExplainedError
from netcode.joining import discovery
from netcode.joining.discovery import DiscoveryError
from netcode.transport.address import DEFAULT_PORT
from tests.driflamme_tui.cli.test_commands import driflamme

DAY_S = 86_400.0
HERE = Path("folder")
ROOT = Path(__file__).parents[3]
NEEDS = ["textual<8.3,>=8.2", "uvloop<0.24,>=0.21; sys_platform != 'win32'", "ray>=2; extra == 'x'"]


def finding_text(finding: Finding) -> tuple[str, str]:
    return finding.level, finding.text


def there_are(**versions: str) -> Callable[[str], str | None]:
    return versions.get


def judged(*facts: object) -> tuple[str, str]:
    return finding_text(check_terminal(*facts))  # type: ignore[arg-type]


def test_of_pythons_those_in_between_were_tried() -> None:
    assert finding_text(check_python((3, 11, 0))) == ("fine", "3.11.0")
    assert finding_text(check_python((3, 14, 9))) == ("fine", "3.14.9")
    assert finding_text(check_python((3, 10, 14))) == (
        "trouble",
        "3.10.14 is too old: install 3.11 or newer.",
    )
    assert finding_text(check_python((3, 15, 0))) == (
        "hint",
        "3.15.0 is newer than 3.14, the newest version tested.",
    )


def test_the_pythons_that_are_tried_are_those_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert project["requires-python"] == f">={named[0]}"
    assert (named[0], named[-1]) == tuple(f"{one}.{two}" for one, two in (OLDEST, NEWEST))


def test_packages_are_there_and_of_versions_that_were_tried() -> None:
    assert finding_text(check_packages(NEEDS, there_are(textual="8.2.1.dev1", uvloop="0.21"))) == (
        "fine",
        "2, all in tested versions",
    )
    assert finding_text(check_packages(NEEDS, there_are(textual="8.2"))) == (
        "fine",
        "1, a tested version",
    )
    assert finding_text(check_packages(NEEDS, there_are(textual="8.10"))) == (
        "hint",
        "textual 8.10 was not tested (only <8.3,>=8.2): reinstall the program.",
    )
    assert finding_text(check_packages(["spake2==0.9"], there_are(spake2="0.9.1")))[0] == "hint"
    assert finding_text(check_packages(NEEDS, there_are(uvloop="0.22"))) == (
        "trouble",
        "textual is missing: reinstall the program.",
    )


def test_a_terminal_has_room_and_shows_screens() -> None:
    assert judged((60, 20), "xterm", "256", True) == (
        "fine",
        "60 columns by 20 lines, 256 colours, Unicode",
    )
    assert judged((80, 24), "xterm", "", False) == (
        "hint",
        "80 columns by 24 lines, no colours, ASCII: a terminal with UTF-8 has better symbols.",
    )
    assert judged((59, 20), "xterm", "256", True) == (
        "trouble",
        "59 columns by 20 lines is too small: make it 60 by 20 or larger.",
    )
    assert judged((60, 19), "xterm", "256", True)[0] == "trouble"
    assert judged((80, 24), "dumb", "", True)[0] == "trouble"
    assert judged(None, "dumb", "", False)[0] == "hint"


def test_a_clock_is_neither_before_the_program_nor_far_ahead() -> None:
    made = 1_790_000_000.0
    assert check_clock(made + DAY_S, made).level == "fine"
    assert check_clock(made - DAY_S, made).level == "hint"
    assert check_clock(made + 100 * 366 * DAY_S, made).level == "hint"


def test_games_need_a_folder_of_ones_own_with_room() -> None:
    assert finding_text(check_folder(HERE, 2_000_000_000, "", False)) == (
        "fine",
        "folder, 2000 MB free",
    )
    assert finding_text(check_folder(HERE, 5_000_000, "", False)) == (
        "hint",
        "folder: only 5 MB are free; make room, or games will not be saved.",
    )
    assert "\x1b" not in check_folder(Path("a\x1b[2Jb"), 0, "", False).text
    assert "chmod 700" in check_folder(HERE, 2_000_000_000, "", True).text
    assert finding_text(check_folder(HERE, 2_000_000_000, "Read-only", False)) == (
        "hint",
        "Cannot write to folder (Read-only): make it writable, or no game is saved "
        "and no table can be opened.",
    )


def test_what_others_need_to_come_here() -> None:
    assert finding_text(check_port("ssh", "SSH", 11215, is_free=True)) == (
        "fine",
        "port 11215 is free",
    )
    assert check_port("ssh", "SSH", 11215, is_free=False).level == "hint"
    assert "192.0.2.7" in check_addresses(["192.0.2.7"]).text
    assert check_addresses([]).level == "hint"
    assert check_announcement(None).level == "fine"
    silent = check_announcement(
        ExplainedError("This machine is not on a network: connect it first.")
    )
    assert finding_text(silent) == (
        "hint",
        "This machine is not on a network: connect it first. Others need the link or the code.",
    )


def test_each_systems_firewall_is_opened_in_its_way() -> None:
    assert finding_text(check_firewall("linux", ["ufw"], 4000)) == (
        "hint",
        "If ufw is on, run this before you host: sudo ufw allow 4000/tcp",
    )
    assert "--add-port=4000/tcp" in check_firewall("linux", ["firewall-cmd"], 4000).text
    assert "accept connections: allow it" in check_firewall("win32", [], 4000).text
    assert check_firewall("linux", [], 4000).level == "fine"


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(_interfaces: Sequence[str] | None) -> NoReturn:
        raise DiscoveryError("This machine is not on a network: connect it first.")

    monkeypatch.setattr(discovery, "open_zeroconf", nobody)


def test_a_part_that_cannot_be_loaded_is_named() -> None:
    (found,) = check_parts({"doors": "ImportError at spam.py:1"})
    assert (found.check, found.level) == ("parts", "hint")
    assert found.text == (
        "The optional part doors cannot be loaded, so reinstall the program: "
        "ImportError at spam.py:1"
    )
    assert not [*check_parts({})]


@pytest.mark.usefixtures("_no_network")
def test_this_machine_is_examined(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The test makes machines alike: on each the port is taken and the folder is writable."""

    async def listen(port: int) -> None:
        if port == DEFAULT_PORT:
            raise ExplainedError("It is taken.")

    monkeypatch.setattr(machine_checks, "_listen", listen)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = {each.check: each for each in examine()}
    assert list(found) == [
        *("python", "packages", "terminal", "clock", "disk", "tables"),
        *("addresses", "nearby", "firewall"),
    ]
    assert found["tables"].level == "hint"
    assert found["nearby"].level == "hint"
    assert found["disk"].text.startswith(str(tmp_path))
    assert not os.listdir(tmp_path), "nothing is left behind"


class LaughChecks(WingChecks):
    after_check = "tables"

    def findings(self) -> Iterator[Finding]:
        yield Finding("laughs", "Laughs", "None")


@pytest.mark.usefixtures("_no_network")
def test_what_a_wing_checks_stands_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_checks, "is_free", lambda _port: True)
    checks = [each.check for each in examine([LaughChecks()])]
    assert checks[checks.index("tables") + 1] == "laughs"


def test_a_folder_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    _free, why, _shared = machine_checks._look_into(file / "driflamme")
    assert why == "Not a directory"


def test_the_status_says_whether_one_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Finding("clock", "Clock", "wrong", "hint"), Finding("disk", "Disk", "there")]
    monkeypatch.setattr(machine_checks, "examine", lambda _added: iter(found))
    result = driflamme("doctor", TERM="linux")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "! Clock  wrong",
        "* Disk   there",
        "You can play; look at the lines marked with ! before you host.",
    ]
    found[0] = Finding("clock", "Clock", "fałszywy", "hint")
    assert driflamme("doctor", "--ascii", "--lang", "pl").stdout.isascii()
    found.append(Finding("terminal", "Terminal", "tiny", "trouble"))
    result = driflamme("doctor", TERM="linux")
    assert result.exit_code == 1
    assert result.stdout.endswith("The problems marked with x keep you from playing here.\n")
    result = driflamme("doctor", "--json")
    assert result.exit_code == 1
    object_ = json.loads(result.stdout)
    assert object_["plays"] is False
    assert object_["checks"][2] == {
        "check": "terminal",
        "label": "Terminal",
        "text": "tiny",
        "level": "trouble",
    }
