"""What scrolls where there is no room for all of it, by keys and by the wheel."""

from textual.containers import VerticalScroll

from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.screens.base.command_screen import Commanded


class ScrollCommands(CommandSet, prefix="scroll"):
    """What can be done with whatever scrolls."""

    up = Command("up", "scroll(-1)", "scroll a line", "scroll", listed=False)
    down = Command("down", "scroll(1)", "scroll a line down", row=up, listed=False)
    page_up = Command("pageup", "page(-1)", "scroll a page", listed=False)
    page_down = Command(
        "pagedown,space", "page(1)", "scroll a page down", row=page_up, listed=False
    )
    first = Command("home", "edge(-1)", "go to the beginning, or to the end", listed=False)
    last = Command("end", "edge(1)", "go to the end", row=first, listed=False)


class Scrolling(Commanded):
    """Beside `Screen`, before it among the bases: it has one part that scrolls."""

    @property
    def scrolled(self) -> VerticalScroll:
        """What scrolls."""
        return self.query_one(VerticalScroll)

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        self.scrolled.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll a page."""
        self.action_scroll(by * max(1, self.scrolled.size.height - 1))

    def action_edge(self, side: int) -> None:
        """Scroll to the top or to the bottom."""
        if side < 0:
            self.scrolled.scroll_home(animate=False)
        else:
            self.scrolled.scroll_end(animate=False)
