"""What is laid over a table: all its events, and the question whether to leave."""

from rich.text import Text

from driflamme_tui.drawing.palette import Palette
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import HelpedCommands, closing
from driflamme_tui.keymap.table_commands import TableCommands
from driflamme_tui.screens.base.overlay import Confirmation, OverlayCommands, TextOverlay
from driflamme_tui.text.i18n import _
from engine.words import N_


class EventsCommands(OverlayCommands, prefix="events"):
    """What can be done where all events are read."""

    close_too = closing(TableCommands.events, "events.close")


class LeaveCommands(HelpedCommands, prefix="leave"):
    """What can be done where one is asked whether to leave."""

    yes = Command("y", "sure(True)", "leave", "leave")
    no = Command("n,escape,q", "sure(False)", "stay", "stay")
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class OutsideCommands(HelpedCommands, prefix="outside"):
    """What can be done where one is asked whether friends in other homes may come in."""

    yes = Command("y", "sure(True)", "let friends in other homes in", "go on")
    no = Command("n,escape,q", "sure(False)", "leave it as it is", "not now")
    other = Command("left,right", "app.focus_next", "go to the other button", listed=False)


class EventsOverlay(TextOverlay, commands=EventsCommands):
    """Everything that happened in this game."""

    def __init__(self, state: TableState) -> None:
        super().__init__(_("All events of this game"))
        self.state = state

    def on_mount(self) -> None:
        """Begin at the latest."""
        self.action_edge(1)

    def text(self, palette: Palette) -> Text:
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


class LeaveOverlay(Confirmation, commands=LeaveCommands):
    """Asks whether to leave, and says what that means."""

    buttons = (N_("Stay ({key})"), LeaveCommands.no), (N_("Leave ({key})"), LeaveCommands.yes)


class OutsideOverlay(Confirmation, commands=OutsideCommands):
    """Asks whether friends in other homes may come in, and says what that means."""

    buttons = (
        (N_("Not now ({key})"), OutsideCommands.no),
        (N_("Go on ({key})"), OutsideCommands.yes),
    )
