"""Draws the chat: its last lines, and the input line.

Texts of other people are drawn as plain text, cell by cell. So they can neither set a style nor
move other texts.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.containers import Horizontal
from textual.widgets import Static

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import SessionCommands, TalkCommands, WritingCommands
from driflamme_tui.text.cell_widths import shorten_text, steady, wrap_text
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.wording.program.people_words import chat_text, speaker
from netcode.protocol.fields import CHAT_LENGTH, MAXIMUM_LINES
from netcode.protocol.messages import Line

if TYPE_CHECKING:
    from driflamme_tui.widgets.inputs import TalkInput

TALK_INPUT: Final = "say-text"
"""The id of the input for a chat line."""

TITLE_ROWS: Final = 5
"""Minimum rows of the panel for showing its title."""

NAME_COLUMNS: Final = 44
"""Minimum columns of the panel for showing the speaker's name beside the sign of their family."""


class TalkPanel(DrawnWidget):
    """The last lines of chat, newest at the bottom."""

    lines: Sequence[Line] = ()
    divided = False
    """True if a line at the left separates the panel from its neighbour."""
    margin_left = 1
    """Columns left of the text; the separating line is in the first of them."""

    silenced = ""
    """The reason why the reader cannot write; "" if they can."""

    missed = 0
    """The number of last lines that follow the mark of the reader's return; 0 without a mark."""

    def show(self, lines: Sequence[Line], silenced: str = "", missed: int = 0) -> None:
        """Show these lines, or as many of the last ones as fit.

        Args:
            lines: The lines of the chat, oldest first.
            silenced: The reason why the reader cannot write; "" if they can.
            missed: The number of last lines that get a mark above them; 0 for no mark.
        """
        self.lines, self.silenced = lines[-MAXIMUM_LINES:], silenced
        self.missed = missed
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw a title if it fits, and the last lines. A click on the panel opens the input.

        Without lines, draw the way to write one, or the reason why the player cannot.
        """
        canvas.target("talk")
        palette = canvas.palette
        if not canvas.height:
            return
        left = 2 if self.divided else self.margin_left
        if self.divided:
            canvas.lines(0, 0, canvas.glyphs.divider * canvas.height, canvas.line)
        top = int(canvas.height >= TITLE_ROWS)
        if top:
            canvas.text(left, 0, _("CHAT"), canvas.heading)
        width, height = canvas.width - left - 1, canvas.height - top
        if not self.lines:
            way = _("{key} writes to everybody at the table.", key=key(SessionCommands.talk))
            canvas.lines(left, top, wrap_text(self.silenced or way, width, width), canvas.mute)
            return
        rows: list[TalkRow] = []
        for number, line in enumerate(reversed(self.lines), 1):
            rows[:0] = talk_rows(line, width, canvas.glyphs, palette, height - len(rows))
            if len(rows) < height and number == self.missed:
                mark = pgettext("above the chat that a player missed", "while you were away")
                rows.insert(
                    0,
                    (
                        shorten_text(f"{canvas.glyphs.dash} {mark}", width, canvas.glyphs),
                        palette.mute,
                        "",
                    ),
                )
            if len(rows) >= height:
                break
        for row, (who, hue, text) in enumerate(rows, top):
            end = canvas.text(left, row, who, canvas.ink(hue, bold=True))
            canvas.text(end, row, text, canvas.plain)


TalkRow: TypeAlias = tuple[str, str, str]
"""A row of the chat: the speaker (or blanks), their colour, and the text."""

INDENT: Final = 3
"""Columns before the further rows of a line: as wide as a family's sign and letter."""


def talk_rows(line: Line, width: int, glyphs: Glyphs, palette: Palette, most: int) -> list[TalkRow]:
    """Return the rows of a line; if there are more than `most`, only the last ones.

    The first of these rows then begins with the speaker's sign and a mark for the missing part.
    """
    name, hue = steady(line.name), palette.mute
    tag = glyphs.separator
    if line.family is not None:
        hue = palette.families[line.family].hue
        tag = glyphs.tag(line.family)
        name = f"{tag} {name}"
    who = speaker(name) if line.family is None or width >= NAME_COLUMNS else f"{tag} "
    if cell_len(who) > width // 2:
        space = max(1, width // 2 - cell_len(speaker("")))
        who = speaker(shorten_text(name, space, glyphs))
    tag = set_cell_size(tag, INDENT)
    first, *others = wrap_text(steady(chat_text(line)), width - cell_len(who), width - INDENT)
    rows = [(who, hue, first), *((" " * INDENT, hue, text) for text in others)]
    if len(rows) <= most:
        return rows
    # Keep the speaker visible if the first rows are cut off.
    first = rows[-most][2]
    before = f"{glyphs.ellipsis} "
    if cell_len(before) + cell_len(first) <= width - INDENT:
        first = before + first
    return [(tag, hue, first), *rows[len(rows) - most + 1 :]]


class TalkLine(Horizontal):
    """The row with the input. It replaces the key bar."""

    DEFAULT_CSS = """
    TalkLine {
        dock: bottom;
        height: 1;
        display: none;
        background: $box;
    }

    TalkLine Static {
        width: auto;
        padding: 0 1;
        color: $mute;
    }

    TalkLine #say-before {
        color: $ink;
        text-style: bold;
    }

    TalkLine TalkInput {
        width: 1fr;
        background: $field;
        color: $ink;
    }
    """

    @property
    def input(self) -> "TalkInput":
        """The input, between its label and its keys.

        It is made on first use, since Textual's styles of inputs take longer to load than all
        others at a table.
        """
        from driflamme_tui.widgets.inputs import TalkInput

        if not self.children:
            text = TalkInput(
                max_length=CHAT_LENGTH, id=TALK_INPUT, compact=True, select_on_focus=False
            )
            before = Static(_("Chat"), id="say-before", markup=False)
            self.mount(before, text, Static(self._ways(), id="say-after", markup=False))
        return self.query_one(TalkInput)

    def relabel(self) -> None:
        """Translate the texts around the input again, if the row already has them."""
        if self.children:
            self.query_one("#say-before", Static).update(_("Chat"))
            self.query_one("#say-after", Static).update(self._ways())

    def _ways(self) -> str:
        sends = _("{key} sends", key=key(WritingCommands.done))
        return f"{sends}   " + _("{key} goes back", key=key(TalkCommands.close))

    def on_click(self, event: events.Click) -> None:
        """Keep the focus in the input after a click on the texts around it."""
        self.input.focus()
