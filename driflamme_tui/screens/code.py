"""Asks for the spoken code of a table that was found on this network."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from driflamme_tui.actions import bindings, key
from driflamme_tui.i18n import _
from driflamme_tui.screens.commanded import Commanded
from driflamme_tui.widgets.found_tables import FoundTable
from driflamme_tui.widgets.still_input import StillInput
from driflamme_tui.widgets.talk import steady
from driflamme_tui.wording.invitation import CODE_SIGNS, ROOM_SIGNS

if TYPE_CHECKING:
    from driflamme_tui.app import DriflammeApp


def whole_code(typed: str, room: str) -> str | None:
    """Return a code of a room from what was typed, or None if it has not as many signs as a code.

    The room may be left out, as the list shows it. Whether the signs are those of a code is not
    judged here.
    """
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) == CODE_SIGNS - ROOM_SIGNS:
        return room + signs
    return signs if len(signs) == CODE_SIGNS else None


class CodeOverlay(Commanded, ModalScreen[str | None]):
    """Asks for a code; gives it back whole, or None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("everywhere", "helped", "code")

    app: "DriflammeApp"

    def __init__(self, table: FoundTable) -> None:
        super().__init__()
        self.table = table

    def compose(self) -> ComposeResult:
        """Whose table it is, where to type, and two buttons."""
        palette = self.app.palette
        glyphs = self.app.glyphs
        plain = glyphs.plain
        name, address = steady(self.table.name), steady(str(self.table.address))
        title = _("{name}’s table at {address}").format(name=name, address=address)
        how = _("The host can read its code to you from their screen.")
        with Vertical(id="code") as box:
            if not self.app.glyphs.unicode:
                box.styles.border = ("ascii", palette.mute)
            yield Static(plain(title), markup=False, id="code-title")
            yield Static(plain(how), markup=False)
            with Horizontal(id="code-line"):
                yield Static(f"{self.table.room} - ", markup=False, id="code-room")
                yield StillInput(max_length=20, id="code-text", compact=True)
            yield Static("", id="code-notice", markup=False)
            join = _("Join ({key})").format(key=key("writing.done", glyphs))
            yield Button(join, id="code-join", compact=True)
            back = _("Back ({key})").format(key=key("code.cancel", glyphs))
            yield Button(back, id="code-back", compact=True)

    def on_mount(self) -> None:
        """Begin where one types."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    @on(Button.Pressed, "#code-join")
    def _done(self) -> None:
        code = whole_code(self.query_one(Input).value, self.table.room)
        if code is None:
            sentence = _("Type the five signs after {room}, or all {n}.")
            self.query_one("#code-notice", Static).update(
                sentence.format(room=self.table.room, n=CODE_SIGNS)
            )
        else:
            self.dismiss(code)

    @on(Button.Pressed, "#code-back")
    def _back(self) -> None:
        self.dismiss(None)

    def on_click(self, event: Click) -> None:
        """Close when what lies beneath is clicked."""
        if event.widget is self:
            self.dismiss(None)

    def action_cancel(self) -> None:
        """Go back to the list."""
        self.dismiss(None)
