"""Builds the texts of the start screen: title, name, and the preview of the chosen row."""

from rich.cells import cell_len
from rich.text import Text

from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.screens.base.command_screen import Commanded
from driflamme_tui.screens.start.start_commands import StartCommands
from driflamme_tui.screens.start.start_menu import StartMenu
from driflamme_tui.text.cell_widths import shorten_text, steady
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.start_widgets import FoundButton, Preview, RowButton, Value
from driflamme_tui.wording.program.found_table_words import found_about, found_title
from driflamme_tui.wording.program.start_words import join_about, latest_lines, opponents_choices


class StartTexts:
    """The texts of the start screen at one moment."""

    def __init__(self, screen: Commanded, menu: StartMenu) -> None:
        self._screen, self._menu = screen, menu

    def title(self) -> Text:
        """Return the name of the game, with the families' signs."""
        palette = self._screen.terminal.palette
        title = Text("D R I F L A M M E  ", style="bold")
        for family, sign in self._screen.glyphs.families.items():
            title.append(f" {sign}", palette.families[family].hue)
        return title

    def who(self, width: int) -> Text:
        """Return the player's name, and the key that changes the name, in `width` cells."""
        screen, glyphs = self._screen, self._screen.glyphs
        dot, rename = glyphs.separator, key(StartCommands.rename, glyphs)
        name = steady(screen.player_seat.name)
        words = f" {dot} {rename} {_('rename')}"
        if cell_len(name + words) >= width:
            words = f" {dot} {rename}"
        name = shorten_text(name, max(0, width - cell_len(words) - 1), glyphs)
        return screen.clickable(screen.text((name, "bold"), (words, "mute")), "rename")

    def latest(self) -> Text:
        """Return the score of the puzzles and the result of the last game, if they are known."""
        lines = latest_lines(self._menu.standing, self._screen.glyphs)
        return self._screen.text("\n".join(lines))

    def show_about(self, preview: Preview, chosen: object) -> None:
        """Preview the chosen row or found table, or the input that the join field accepts."""
        standing = self._menu.standing
        if isinstance(chosen, FoundButton):
            table = chosen.table
            preview.show(found_title(table), found_about(table, standing.back))
        elif isinstance(chosen, RowButton):
            row = chosen.row
            about = row.about
            if self._menu.forgetting(row) is not None:
                remove = key(StartCommands.forget, self._screen.glyphs)
                about = f"{about} {_('{key} removes this row.', key=remove)}"
            preview.show(row.label, about, self._values() if row.name == "play" else [])
        else:
            preview.show(_("Join a table"), join_about())

    def _values(self) -> list[Value]:
        """Return the bots' number, level and edition, each with its keys and its action."""
        glyphs = self._screen.glyphs
        commands = StartCommands.more, StartCommands.level, StartCommands.edition
        keys = [key(each, glyphs) for each in commands]
        keys[0] = f"{keys[0]} {key(StartCommands.fewer, glyphs)}"
        actions = "more_bots", "level", "edition"
        choices = opponents_choices(self._menu.standing.opponents)
        return [
            Value(keys, name, value, action)
            for keys, (name, value), action in zip(keys, choices, actions, strict=True)
        ]
