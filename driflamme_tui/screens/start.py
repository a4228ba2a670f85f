"""The first screen of `driflamme` without a command's wishes: host, join, play, or read rules."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Static

from driflamme_tui.i18n import _
from driflamme_tui.screens.overlays import HelpOverlay
from driflamme_tui.widgets.palette import DARK
from netcode.messages import NAME_LENGTH

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


class StartScreen(Screen[None]):
    """Asks what to do; also where one lands after leaving a table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("f1", "help", show=False, id="start.help"),
        Binding("escape", "app.quit", show=False, id="start.quit"),
    ]

    app: "DriflammeApp"

    def __init__(self, notice: str = "", address: str = "") -> None:
        super().__init__()
        self.notice = notice
        """Why one is here, for instance that nobody answered."""
        self.address = address

    def compose(self) -> ComposeResult:
        """A name, four things to do, and room for what went wrong."""
        glyphs = self.app.glyphs
        signs = "  ".join(
            f"[{DARK.families[family].hue}]{sign}[/]" for family, sign in glyphs.families.items()
        )
        with Center(), Vertical(id="start"):
            yield Static(f"[b]D R I F L A M M E[/b]   {signs}", id="title")
            yield Static(_("A game of bluff for three to five families."), id="subtitle")
            yield Label(_("Your name"))
            yield Input(self.app.player_name, max_length=NAME_LENGTH, id="name", compact=True)
            yield Button(_("Play against bots"), id="play", compact=True)
            yield Button(_("Host a table for others"), id="host", compact=True)
            yield Label(_("Join a table: its address, then Enter"))
            yield Input(
                self.address, placeholder=_("for instance 192.168.1.20"), id="address", compact=True
            )
            yield Button(_("Rules and keys (F1)"), id="rules", compact=True)
            yield Button(_("Quit (Esc)"), id="quit", compact=True)
            yield Static(self.notice, id="notice", markup=False)

    def on_mount(self) -> None:
        """Begin at the first thing to do."""
        # A query may find nothing: the app may be ending already because its plan failed.
        for first in self.query("#address" if self.notice and self.address else "#play"):
            first.focus()

    def tell(self, notice: str) -> None:
        """Say what went wrong."""
        self.query_one("#notice", Static).update(notice)

    @on(Input.Changed, "#name")
    def _named(self, event: Input.Changed) -> None:
        self.app.player_name = event.value.strip()

    @on(Input.Submitted, "#name")
    def _name_done(self) -> None:
        self.focus_next()

    @on(Input.Submitted, "#address")
    def _address_done(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.tell(_("Type the address that the host was shown, for instance 192.168.1.20."))
            return
        self.app.join(event.value.strip())

    @on(Button.Pressed, "#play")
    def _play(self) -> None:
        self.app.play_bots()

    @on(Button.Pressed, "#host")
    def _host(self) -> None:
        self.app.host()

    @on(Button.Pressed, "#rules")
    def _rules(self) -> None:
        self.action_help()

    @on(Button.Pressed, "#quit")
    def _quit(self) -> None:
        self.app.exit()

    def action_help(self) -> None:
        """Show the rules and the keys."""
        self.app.push_screen(HelpOverlay(self.app.glyphs))
