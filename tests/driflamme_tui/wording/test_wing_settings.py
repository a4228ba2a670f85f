"""Tests the setting of a wing in the lobby, by lines, and at the next table."""

import pytest
from msgspec.structs import replace

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.plain.typed_commands import PlainPlayer
from driflamme_tui.preferences.remembered import next_table, remember_table
from driflamme_tui.screens.lobby.setting_rows import changed_settings, setting_rows
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS
from driflamme_tui.wording.program.table_setting import TableSetting, ValueTexts
from netcode.client.session import Session
from netcode.protocol import table_settings
from netcode.protocol.messages import ChangeSettings, Lobby
from netcode.protocol.table_settings import TableSettings, WingSetting, WingSettings
from tests.support.tables import lobby

MOST = "claps.most"

COMMAND = Command("9", "setting('most')", "the host: how many claps")

SETTING = TableSetting(
    MOST,
    "Claps",
    (0, 3, 10),
    {0: ValueTexts("any", "Everybody may clap."), None: ValueTexts("{n}", "Only {n} claps.")},
    part="claps",
)


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the setting of an invented wing."""
    seam = WingSettings((WingSetting(MOST, 0, lambda value: value in (0, 3, 10)),))
    monkeypatch.setattr(table_settings, "wing_values", lambda *_seam: (seam,))
    monkeypatch.setitem(TABLE_SETTINGS, COMMAND, SETTING)


def there(**fields: object) -> Lobby:
    return lobby("rbg", "r", host=True, phase="lobby", parts={"claps": {}}, **fields)


def test_a_lobby_lists_it_with_its_value_and_meaning() -> None:
    chosen = there(settings=TableSettings.of({MOST: 3}))
    row = next(each for each in setting_rows(chosen, "steady") if each.command == COMMAND)
    assert (row.name, row.value, row.meaning) == ("Claps", "3", "Only 3 claps.")


def test_a_lobby_lists_no_setting_of_a_wing_that_the_host_lacks() -> None:
    rows = setting_rows(lobby("rbg", "r", phase="lobby"), "steady")
    assert COMMAND not in [each.command for each in rows]


def test_a_wing_that_has_failed_in_one_package_shows_no_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_settings, "wing_values", lambda *_seam: ())
    assert COMMAND not in [each.command for each in setting_rows(there(), "steady")]
    player = PlainPlayer(Session())
    for paused in (False, True):
        player.session.receive(there(paused=paused))
        assert player.news(there(paused=paused))


def test_a_key_changes_it_to_its_next_value_and_around() -> None:
    chosen = there()
    for value in (3, 10, 0):
        settings = changed_settings(chosen, COMMAND, 1)
        assert settings.value(MOST) == value
        chosen = there(settings=settings)


def test_a_setting_may_change_others_and_matter_only_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setting = replace(
        SETTING,
        beside=lambda: {"edition": 1},
        matters=lambda settings: bool(settings.clock_s),
    )
    monkeypatch.setitem(TABLE_SETTINGS, COMMAND, setting)
    assert COMMAND not in [each.command for each in setting_rows(there(), "steady")]
    timed = there(settings=TableSettings.of({"clock_s": 30}))
    assert COMMAND in [each.command for each in setting_rows(timed, "steady")]
    changed = changed_settings(timed, COMMAND, 1)
    assert (changed.value(MOST), changed.edition, changed.clock_s) == (3, 1, 30)


def test_by_lines_it_takes_its_values_and_names_them_instead_of_others() -> None:
    player = PlainPlayer(Session())
    player.session.receive(there())
    assert player.change("3", SETTING) == ChangeSettings(TableSettings.of({MOST: 3}))
    assert player.change("4", SETTING) == "Claps: type one of these values: 0, 3, 10."
    assert player.change("many", SETTING) == "Claps: type one of these values: 0, 3, 10."


def test_by_lines_its_change_is_told() -> None:
    player = PlainPlayer(Session())
    lines = []
    for settings in (TableSettings(), TableSettings.of({MOST: 3})):
        news = there(settings=settings)
        player.session.receive(news)
        lines = player.news(news)
    assert "Claps: 3. Only 3 claps." in lines


def test_the_next_table_has_the_values_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    remember_table(TableSettings.of({MOST: 3, "edition": 1}).by_name())
    assert next_table() == TableSettings.of({MOST: 3, "edition": 1})
    monkeypatch.setattr(table_settings, "wing_values", lambda *_seam: ())
    assert next_table() == TableSettings(edition=1)
