"""Tests that the settings of wings are named, checked by the host, and optional."""

from pathlib import Path

import pytest
import typer
from msgspec import ValidationError
from msgspec.structs import asdict

from driflamme_tui.cli import shared_options
from driflamme_tui.preferences.remembered import next_table, remember
from netcode.protocol import table_settings
from netcode.protocol.messages import ChangeSettings
from netcode.protocol.table_settings import (
    TableSettings,
    WingSetting,
    WingSettings,
    is_valid_value,
    keeps_lobby,
    without_misfits,
    without_unknown,
)
from netcode.registry import wing_values
from netcode.table.errors import NotAllowedError
from tests.support.kept import change_kept, refusal, restored, stopped
from tests.support.planted import substitute
from tests.support.pretend import Network, seated

MOST = "claps.most"

SETTINGS = WingSettings(
    (
        WingSetting(MOST, 0, lambda value: value in (0, 3, 10)),
        WingSetting("claps.loud", False, lambda value: isinstance(value, bool)),
    ),
    lambda settings: "claps_fast" if settings.added.get(MOST) and settings.clock_s else None,
    keeps_lobby=lambda settings: bool(settings.added.get(MOST)),
)


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the settings of an invented wing."""
    substitute(monkeypatch, wing_values, lambda *_seam: (SETTINGS,), table_settings)


def without_wing(monkeypatch: pytest.MonkeyPatch) -> None:
    substitute(monkeypatch, wing_values, lambda *_seam: (), table_settings)


def test_a_setting_of_a_wing_stands_beside_those_of_the_core() -> None:
    settings = TableSettings.of({"two": True, MOST: 3})
    assert (settings.two, settings.added) == (True, {MOST: 3})
    assert (settings.value("two"), settings.value(MOST)) == (True, 3)
    assert TableSettings.of(settings.by_name()) == settings


def test_a_setting_of_a_wing_says_whether_a_restarted_service_keeps_the_lobby(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert keeps_lobby(TableSettings.of({MOST: 3}))
    assert not keeps_lobby(TableSettings.of({"claps.loud": True}))
    assert not keeps_lobby(TableSettings(edition=1))
    without_wing(monkeypatch)
    assert not keeps_lobby(TableSettings(added={MOST: 3}))


def test_a_setting_with_its_default_is_left_out() -> None:
    settings = TableSettings.of({MOST: 0, "claps.loud": False})
    assert settings == TableSettings()
    assert settings.by_name()[MOST] == 0


def test_a_setting_of_a_missing_wing_stays_when_another_is_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = TableSettings.of({MOST: 3})
    without_wing(monkeypatch)
    changed = TableSettings.of(settings.by_name() | {"edition": 1})
    assert (changed.edition, changed.added) == (1, {MOST: 3})
    assert without_unknown(changed) == TableSettings(edition=1)


@pytest.mark.parametrize(
    "values", [{"claps": 1}, {"Claps.most": 1}, {MOST: -1}, {MOST: 1.5}, {MOST: "x" * 61}]
)
def test_a_malformed_setting_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TableSettings.of(values)


def test_only_the_wing_of_a_setting_judges_its_values() -> None:
    assert is_valid_value(MOST, 3)
    assert not is_valid_value(MOST, 4)
    assert is_valid_value("edition", 4)


def test_a_host_takes_a_valid_setting_and_tells_everybody() -> None:
    host, guest = seated(Network(), "ab")
    host.send(ChangeSettings(TableSettings.of({MOST: 10})))
    assert guest.lobby().settings.value(MOST) == 10


@pytest.mark.parametrize(
    ("values", "code"), [({MOST: 4}, "bad_field"), ({"days.each": 1}, "unknown_setting")]
)
def test_a_host_refuses_a_setting_that_is_unknown_or_not_valid(
    values: dict[str, object], code: str
) -> None:
    (host,) = seated(Network(), "a")
    host.send(ChangeSettings(TableSettings.of(values)))
    assert host.refusal == code
    assert host.lobby().settings == TableSettings()


MISFITS = (
    TableSettings(added={MOST: 4}),
    TableSettings(added={MOST: 2**31 - 1}),
    TableSettings(added={MOST: "abc"}),
    TableSettings(clock_s=30, added={MOST: 3}),
)
"""Settings that no table may have."""


@pytest.mark.parametrize("settings", MISFITS)
def test_no_way_of_opening_a_table_brings_settings_that_it_cannot_have(
    settings: TableSettings, tmp_path: Path
) -> None:
    with pytest.raises(NotAllowedError):
        Network(settings=settings)
    path = tmp_path / "tables.db"
    stopped(path)
    change_kept(path, table={"settings": asdict(settings)})
    assert "the settings of the game are not valid" in refusal(path)
    fitting = without_misfits(settings)
    assert (fitting.clock_s, fitting.added) == (settings.clock_s, {})


@pytest.mark.parametrize("settings", MISFITS)
def test_settings_remembered_or_typed_never_reach_a_table_that_cannot_have_them(
    settings: TableSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    remember(table={**settings.by_name(), "edition": 1})
    assert next_table() == TableSettings()
    assert next_table(two=True) == TableSettings(two=True)
    with pytest.raises(typer.Exit):
        shared_options.table_settings(shared_options.HostedGame(), settings.by_name())
    assert capsys.readouterr().err


def test_a_host_refuses_settings_that_do_not_fit_together_in_either_order() -> None:
    (host,) = seated(Network(), "a")
    for first, second in (({MOST: 3}, {"clock_s": 30}), ({"clock_s": 30}, {MOST: 3})):
        host.send(ChangeSettings(TableSettings.of(first)))
        host.send(ChangeSettings(TableSettings.of(first | second)))
        assert host.refusal == "claps_fast"
        assert host.lobby().settings == TableSettings.of(first)


def test_a_stored_setting_of_a_missing_wing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.db"
    stopped(path)
    kept = TableSettings.of({MOST: 3}).by_name()
    change_kept(path, table={"settings": {"added": {MOST: kept[MOST]}}})
    assert restored(path).games.settings.value(MOST) == 3
    without_wing(monkeypatch)
    assert "the optional part claps, which is missing here" in refusal(path)


def test_no_record_has_the_settings_of_wings() -> None:
    assert MOST not in str(TableSettings.of({MOST: 3}).beside_edition())
