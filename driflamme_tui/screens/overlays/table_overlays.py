"""Shows all events of the game in an overlay."""

from collections.abc import Mapping

from rich.console import RenderableType

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.screen_commands import closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _


class EventsCommands(OverlayCommands, prefix="events"):
    """Commands of the list of events. The key that opens it also closes it."""

    close_too = closing(TableCommands.events, "events.close")


class EventsOverlay(TextOverlay[None], commands=EventsCommands):
    """All events of this game."""

    def __init__(self, state: TableState) -> None:
        super().__init__()
        self.state = state

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _("All events of this game")

    def on_mount(self) -> None:
        """Scroll to the latest event."""
        self.action_edge(1)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return each event beside its family's sign."""
        table, families = self.grid(2), self.state.view.families
        for seat, sentence in self.state.log:
            tag = (
                ("--", "mute") if seat is None else (self.state.prompter.tag(seat), families[seat])
            )
            table.add_row(
                self.text(tag), self.text((sentence, "mute" if seat is None else "plain"))
            )
        return {"reading": table}
