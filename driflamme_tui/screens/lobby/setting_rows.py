"""Lists the table's settings for the lobby, and computes the host's changes of them."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.game.names import bot_name, bot_note
from driflamme_tui.wording.program.settings_words import TABLE_SETTINGS
from driflamme_tui.wording.program.table_setting import TableSetting, families_of
from engine.bots import bot_names
from netcode.protocol.messages import Lobby
from netcode.protocol.table_settings import TableSettings
from netcode.workers.thinking_time import QUICK

BOT_KIND: Final = LobbyCommands.bot_kind
"""The command that chooses the kind of bots to add. It is no setting of the table."""


class SettingRow(Struct, frozen=True):
    """A setting, as the lobby shows it."""

    command: Command
    name: str
    value: str
    """The setting's present value, in words."""
    meaning: str
    """The meaning of the present value."""


def setting_rows(lobby: Lobby, bot: str) -> list[SettingRow]:
    """Return the settings that a reader of a lobby sees.

    Only hosts see `bot`, the kind of bots to add. The bots' thinking time is shown only if some
    bots use it.
    """
    thinks = any(seat.bot is not None and seat.bot not in QUICK for seat in lobby.seats)
    rows = [
        SettingRow(command, _(each.name), each.value(lobby), each.meaning(lobby))
        for command, each in TABLE_SETTINGS.items()
        if (thinks or command != LobbyCommands.think) and each.is_here(lobby)
    ]
    if lobby.host:
        rows.append(SettingRow(BOT_KIND, _("New bots"), bot_name(bot), bot_note(bot)))
    return rows


def settings_of(lobby: Lobby) -> tuple[Command, ...]:
    """Return the commands of the settings that a reader of a lobby sees."""
    return tuple(row.command for row in setting_rows(lobby, EVEN_BOT))


def changed_settings(lobby: Lobby, command: Command, by: int) -> TableSettings:
    """Return a table's settings with the next or previous value of one setting."""
    setting: TableSetting = TABLE_SETTINGS[command]
    field, values = setting.field, setting.values
    if command == LobbyCommands.first:
        values += tuple(family for seat in lobby.seats for family in families_of(seat))
    return setting.changed(lobby, _beside(lobby.settings.value(field), values, by))


def next_bot(bot: str, by: int, *, even: bool = False) -> str:
    """Return the next or previous kind of bot. With `even`, this includes bots that adapt."""
    found: str = _beside(bot, (*bot_names(), EVEN_BOT) if even else bot_names(), by)
    return found


def _beside(now: Any, values: Sequence[Any], by: int) -> Any:
    """Return the next or previous value; values wrap around.

    An unknown value counts as standing after all smaller values.
    """
    if now in values:
        return values[(values.index(now) + by) % len(values)]
    return values[(sum(value < now for value in values) - (by < 0)) % len(values)]
