"""The setting of laughs in the lobby, and the commands of laughs there."""

from typing import Final

from netcode.wings.laughs.settings import CHOICES, MOST  # type: ignore[import-not-found]

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.wording.program.table_setting import AddedSettings, TableSetting, ValueTexts


class LaughCommands(CommandSet, prefix="lobby", listed_after="lobby.best", bar_after="remove"):
    laughs = Command("8", "setting('laughs')", "the host: how often people may laugh")
    laugh = Command("9", "wing('lobby.laugh')", "laugh", "laugh")
    bar = "laugh"


SETTING: Final = TableSetting(
    MOST,
    "Laughs",
    CHOICES,
    {
        0: ValueTexts("as you like", "Everybody may laugh as often as they like."),
        None: ValueTexts("at most {n}", "After {n} laughs nobody laughs any more."),
    },
    part="laughs",
)

SEAM: Final = AddedSettings({LaughCommands.laughs: SETTING})
