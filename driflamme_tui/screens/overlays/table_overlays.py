"""Shows all events of the game in an overlay."""

from collections.abc import Mapping
from itertools import starmap

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.screen_commands import closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _


class EventsCommands(OverlayCommands, prefix="events"):
    """The commands of the list of events."""

    close_too = closing(TableCommands.events, "events.close")


class EventsOverlay(TextOverlay[None], commands=EventsCommands):
    """All events of this game."""

    def __init__(self, state: TableState) -> None:
        super().__init__()
        self.state = state

    def heading(self) -> str:
        """Return the title."""
        return _("All events of this game")

    def on_mount(self) -> None:
        """Scroll to the latest event."""
        self.action_edge(1)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return one line for each event, in its family's colour."""
        return {"reading": Text("\n").join(starmap(self._line, self.state.log))}

    def _line(self, seat: int | None, sentence: str) -> Text:
        if seat is None:
            return self.text((f"-- {sentence}", "mute"))
        tag = self.state.prompter.tag(seat), self.state.view.families[seat]
        return self.text(tag, f" {sentence}")
