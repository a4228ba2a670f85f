"""A table at which nobody else is: that of the lesson, and that of puzzles."""

from collections.abc import Sequence
from typing import ClassVar

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import LobbyCommands, SessionCommands
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.preferences.coaching import Coaching
from driflamme_tui.screens.table.table_screen import TableScreen
from driflamme_tui.widgets.key_bar import Key, entry
from engine.view import View


class TableAlone(TableScreen):
    """A table without company; what is played there is no game that counts."""

    meaningless: ClassVar[Sequence[Command]] = (
        SessionCommands.people,
        SessionCommands.talk,
        SessionCommands.phrases,
        LobbyCommands.invitation,
        TableCommands.coach,
    )
    """Commands of a table that mean nothing here, and whose keys do nothing."""

    def __init__(self) -> None:
        super().__init__()
        # What there is to say about a decision is said below the hand.
        self._coaching = Coaching(wanted=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keep keys from what means nothing here."""
        if any(action == command.action for command in self.meaningless):
            return False
        return super().check_action(action, parameters)

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        return command not in (*self.meaningless, TableCommands.pause) and super().can(command)

    def _confirming(self, keys: list[Key], label: str) -> list[Key]:
        """Return a key bar that begins with what Enter does here, and leads to no result."""
        first = entry(TableCommands.confirm, self.glyphs, label)
        return [first, *(each for each in keys if each.command != TableCommands.result)]

    def _count_game(self, view: View) -> None:
        """It is no game that counts."""
