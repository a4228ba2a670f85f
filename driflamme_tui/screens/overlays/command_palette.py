"""Shows the command palette: all available commands, filtered by typed letters.

The palette is Textual's own. The registry of commands fills the palette, and the chosen command
runs on the screen below.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from textual.await_complete import AwaitComplete
from textual.command import (
    CommandInput,
    CommandPalette,
    DiscoveryHit,
    Hit,
    Hits,
    Provider,
    SearchIcon,
)
from textual.containers import Vertical
from textual.content import Content

from driflamme_tui.drawing.textual_internals import QuickPalette
from driflamme_tui.keymap.command_type import Command, CommandSet
from driflamme_tui.keymap.key_bindings import key, sentence
from driflamme_tui.screens.base.command_screen import Choice, Commanded
from driflamme_tui.screens.base.overlay import STYLES
from driflamme_tui.text.i18n import _


class PaletteCommands(CommandSet, prefix="commands"):
    """Commands that move through the matches of the palette, and close it."""

    up = Command("up", "command_list('cursor_up')", "go through the matches", repeats=True)
    down = Command("down", "cursor_down", "go to the next match", row=up, repeats=True)
    page_up = Command("pageup", "command_list('page_up')", "go a page up or down", repeats=True)
    page_down = Command(
        "pagedown", "command_list('page_down')", "go a page down", row=page_up, repeats=True
    )
    close = Command("escape", "escape", "close this window")


KEY_WIDTH: Final = 9
"""Columns for a key, before the command's text."""

WIDEST: Final = 80
"""Maximum columns of the box, which has nine tenths of the screen's columns, as in its styles."""

AROUND: Final = 7
"""Columns of the box around its lines: edges, padding and a scrollbar."""


def choices(screen: Commanded) -> Iterator[Choice]:
    """Yield the present commands of a screen, its further lines, and a line to end the program."""
    glyphs = screen.terminal.glyphs
    for command in screen.command_set.in_order():
        if command.listed and screen.can(command):
            run = screen.runner(command)
            yield Choice(sentence(command), run, key(command, glyphs))
    yield from screen.choices()
    yield Choice(_("end the program"), partial(screen.run_action, "app.interrupt"))


class Commands(Provider):
    """Provides the palette with the available commands."""

    async def startup(self) -> None:
        """Store the commands that are available when the palette opens."""
        screen = self.screen
        assert isinstance(screen, Commanded)
        self._plain = screen.terminal.glyphs.plain
        self._choices = list(choices(screen))

    async def discover(self) -> Hits:
        """Yield all commands, in the registry's order."""
        for choice in self._choices:
            text = self._plain(choice.text)
            yield DiscoveryHit(self._line(choice, Content(text)), choice.run, text)

    async def search(self, query: str) -> Hits:
        """Yield the commands that match the typed letters."""
        matcher = self.matcher(query)
        for choice in self._choices:
            text = self._plain(choice.text)
            score = matcher.match(text)
            if score > 0:
                line = self._line(choice, matcher.highlight(text))
                yield Hit(score, line, choice.run, text)

    def _line(self, choice: Choice, text: Content) -> Content:
        """Return a line of the palette: a key, and beside it the text, wrapped in its column."""
        keys = Content(self._plain(choice.keys).ljust(KEY_WIDTH))
        space = min(WIDEST, self.app.size.width * 9 // 10) - AROUND - KEY_WIDTH
        return keys + Content("\n" + KEY_WIDTH * " ").join(text.wrap(space))


class CommandMenu(
    Commanded, QuickPalette, CommandPalette, commands=PaletteCommands, inherit_bindings=False
):
    """The command palette with this program's texts, keys and colours."""

    CSS_PATH = STYLES

    def __init__(self) -> None:
        super().__init__([Commands], placeholder=_("Type what you want to do"))
        self.nothing_fits = _("No command matches this.")
        self.closed = False
        """True if the player closed the palette, False if the game did."""

    def on_mount(self) -> None:
        """Put the palette into a box like other overlays, with signs for every terminal."""
        glyphs = self.terminal.glyphs
        self.query_one(SearchIcon).icon = glyphs.turn
        self.query_one(CommandInput).cursor_blink = False
        box = self.query_one(Vertical)
        if not glyphs.unicode:
            box.styles.border = ("ascii", self.terminal.palette.frame)
        box.border_title = glyphs.plain(_("All commands"))
        closes = _("{key} close", key=key(PaletteCommands.close, glyphs))
        box.border_subtitle = glyphs.plain(closes)

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close the palette.

        Keys that are typed just afterwards must not reach the screen below.
        """
        self.closed = True
        beneath: object = self.app.screen_stack[-2]
        if isinstance(beneath, Commanded):
            beneath.writing_ended()
        return super().dismiss(result)
