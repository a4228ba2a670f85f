"""What is laid over a table: all its events, and the question whether to leave."""

from rich.text import Text

from driflamme_tui.drawing.palette import Palette
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.screen_commands import closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _


class EventsCommands(OverlayCommands, prefix="events"):
    """What can be done where all events are read."""

    close_too = closing(TableCommands.events, "events.close")


class EventsOverlay(TextOverlay, commands=EventsCommands):
    """Everything that happened in this game."""

    def __init__(self, state: TableState) -> None:
        super().__init__(_("All events of this game"))
        self.state = state

    def on_mount(self) -> None:
        """Begin at the latest."""
        self.action_edge(1)

    def reading(self, palette: Palette) -> Text:
        """One line an event, in its family's colour."""
        text = Text()
        for seat, sentence in self.state.log:
            if seat is None:
                text.append(f"-- {sentence}\n", palette.mute)
            else:
                family = self.state.view.families[seat]
                text.append(f"{self.state.prompter.tag(seat)} ", palette.families[family].hue)
                text.append(f"{sentence}\n")
        return text
