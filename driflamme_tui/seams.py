"""Lists the seams of the user interface, with the type of the value `SEAM` that wings bring."""


def seam_types() -> dict[str, type[object]]:
    """Return the type of each seam, by name.

    The call imports the modules of all types. Only a check of all wings needs this.
    """
    from driflamme_tui.app.app_parts import AppParts
    from driflamme_tui.cli.command_list import WingCommands
    from driflamme_tui.cli.declarations import AddedOptions
    from driflamme_tui.hosting.moved_tables import MovedTables
    from driflamme_tui.hosting.parts import HostParts
    from driflamme_tui.keymap.joined_commands import JoinedCommands
    from driflamme_tui.plain.wing_lines import WingLines
    from driflamme_tui.screens.start_rows import StartRows
    from driflamme_tui.screens.table.kinds import ScreenKind
    from driflamme_tui.screens.table.panels import PanelKind
    from driflamme_tui.seat.seat_parts import SeatParts
    from driflamme_tui.seat.sections import SectionKind
    from driflamme_tui.wording.game.help_pages import WingGuide
    from driflamme_tui.wording.program.kind_words import KindWords
    from driflamme_tui.wording.program.table_setting import AddedSettings

    return {
        "app_parts": AppParts,
        "commands": WingCommands,
        "guide": WingGuide,
        "keys": tuple,
        "kind_words": KindWords,
        "moved_tables": MovedTables,
        "options": AddedOptions,
        "panels": PanelKind,
        "parts": HostParts,
        "plain": WingLines,
        "seat_parts": SeatParts,
        "sections": SectionKind,
        "settings": AddedSettings,
        "start_rows": StartRows,
        "table_keys": JoinedCommands,
        "tables": ScreenKind,
    }
