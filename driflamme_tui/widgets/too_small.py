"""What stands over everything while the terminal is too small for the table."""

from textwrap import wrap

from rich.style import Style

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.drawing.palette import style
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.drawn_widget import Drawn


class TooSmall(Drawn):
    """Asks for more room; the game goes on meanwhile."""

    def background(self) -> Style:
        """Ink on the table."""
        return style(self.palette.ink, self.palette.table)

    def draw(self, canvas: Canvas) -> None:
        """Draw the request in the middle."""
        lines: tuple[str, ...] = (
            _("Please make the terminal larger."),
            _("The table needs {width} by {height}, here are {w} by {h}.").format(
                width=MINIMUM_WIDTH,
                height=MINIMUM_HEIGHT,
                w=self.app.size.width,
                h=self.app.size.height,
            ),
            _("The game goes on."),
        )
        room = max(1, canvas.width - 2)
        lines = tuple(row for line in lines for row in wrap(line, room))
        top = max(0, (canvas.height - len(lines)) // 2)
        for row, line in enumerate(lines, top):
            canvas.text(max(0, (canvas.width - len(line)) // 2), row, line, self.background())
