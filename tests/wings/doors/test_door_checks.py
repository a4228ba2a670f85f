"""Tests the findings of `driflamme doctor` about doors."""

import pytest

from driflamme_tui.cli import machine_checks
from driflamme_tui.text import i18n
from driflamme_tui.wings.doors import open_doors
from driflamme_tui.wings.doors.checks import (
    SSH_PORT,
    PortChecks,
    check_guests_without_program,
    why_no_doors,
)
from driflamme_tui.wings.doors.open_doors import DoorError


def test_missing_doors_are_named_with_what_installs_them() -> None:
    assert check_guests_without_program(None).level == "fine"
    missing = check_guests_without_program(DoorError("A door needs the extra."))
    assert (missing.level, missing.text) == ("hint", "A door needs the extra.")


def test_the_machine_is_asked_for_what_the_doors_need(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_no_doors() is None
    monkeypatch.setattr(open_doors, "find_spec", lambda _name: None)
    error = why_no_doors()
    assert error is not None
    assert "pipx install --force '.[doors]'" in error.sentence(str)


def test_a_clone_installs_what_doors_need_by_its_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_doors, "find_spec", lambda _name: None)
    monkeypatch.setattr(i18n, "_started_as", "scripts/driflamme")
    error = why_no_doors()
    assert error is not None
    assert "run scripts/driflamme host --ssh, which installs it" in error.sentence(i18n._)
    assert "pipx" not in error.sentence(i18n._)


def test_each_door_has_a_line_for_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_checks, "is_free", lambda port: port != SSH_PORT)
    found = [(each.check, each.level) for each in PortChecks().findings()]
    assert found == [("ssh", "hint"), ("web", "fine")]
