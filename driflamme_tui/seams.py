"""Names the type of each seam of the user interface, as module and name."""

from typing import Final

SEAMS: Final[dict[str, str]] = {
    "app_parts": "driflamme_tui.app.app_parts:AppParts",
    "commands": "driflamme_tui.cli.command_list:WingCommands",
    "guide": "driflamme_tui.wording.game.help_pages:WingGuide",
    "keys": "builtins:tuple",
    "kind_words": "driflamme_tui.wording.program.kind_words:KindWords",
    "moved_tables": "driflamme_tui.hosting.moved_tables:MovedTables",
    "options": "driflamme_tui.cli.declarations:AddedOptions",
    "panels": "driflamme_tui.screens.table.panels:PanelKind",
    "parts": "driflamme_tui.hosting.parts:HostParts",
    "plain": "driflamme_tui.plain.wing_lines:WingLines",
    "seat_parts": "driflamme_tui.seat.seat_parts:SeatParts",
    "sections": "driflamme_tui.seat.sections:SectionKind",
    "settings": "driflamme_tui.wording.program.table_setting:AddedSettings",
    "start_rows": "driflamme_tui.screens.start_rows:StartRows",
    "table_keys": "driflamme_tui.keymap.joined_commands:JoinedCommands",
    "tables": "driflamme_tui.screens.table.kinds:ScreenKind",
}
