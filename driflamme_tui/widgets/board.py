"""Defines widgets that draw themselves as a whole on a canvas, with regions to click on."""

from collections.abc import Sequence

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from driflamme_tui.drawing.canvas import Canvas, Ground
from driflamme_tui.drawing.palette import Palette
from driflamme_tui.drawing.textual_internals import terminal_of
from driflamme_tui.text.i18n import language
from driflamme_tui.text.signs import Glyphs


class DrawnWidget(Widget):
    """A widget that draws itself as a whole on a canvas.

    `drawing.frame_diff` sends only the changed part to the terminal.
    """

    ground: Ground = "table"
    """The background of the widget, as a colour of the palette."""

    class Pressed(Message):
        """Sent when the player clicks something that runs an action of the screen."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._strips: list[Strip] = []
        self.places: Sequence[tuple[Region, object]] = ()
        """The clickable regions, as in `Canvas.places`."""
        self._drawn_in: tuple[object, ...] = ()
        """The size, signs, colours and language in which the strips were drawn."""

    @property
    def palette(self) -> Palette:
        """The colours of the app's theme."""
        return terminal_of(self).palette

    @property
    def glyphs(self) -> Glyphs:
        """The signs of the app's terminal."""
        return terminal_of(self).glyphs

    def draw(self, canvas: Canvas) -> None:
        """Draw the widget on an empty canvas of its size. Subclasses must override this method."""
        raise TypeError("a drawn widget says how it is drawn")

    def target_at(self, x: int, y: int) -> object:
        """Return the meaning of a click at a cell: an action to run, or the thing there.

        The last of overlapping regions counts. Returns None at a cell without a region.
        """
        here = (target for region, target in reversed(self.places) if region.contains(x, y))
        return next(here, None)

    def on_click(self, event: events.Click) -> None:
        """Send `Pressed` with the clicked action, if the click is on an action."""
        target = self.target_at(event.x, event.y)
        if isinstance(target, str):
            self.post_message(self.Pressed(target))

    @property
    def is_drawn(self) -> bool:
        """True if the widget was drawn in the present size, signs, colours and language."""
        return self._drawn_in == self._manner()

    def redraw(self) -> None:
        """Draw again. Refresh the widget on the screen only if it looks different now."""
        before, self._strips = self._strips, self._drawn()
        if self._strips != before:
            self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the drawn rows of a region.

        The widget has no border and no filter, so nothing is added.
        """
        if not self.is_drawn:
            self._strips = self._drawn()
        return [strip.crop(crop.x, crop.right) for strip in self._strips[crop.y : crop.bottom]]

    def _manner(self) -> tuple[object, ...]:
        return (*self.size, self.glyphs.unicode, self.palette.name, language())

    def _drawn(self) -> list[Strip]:
        self._drawn_in = self._manner()
        width, height = self.size
        if width <= 0 or height <= 0:
            return []
        canvas = Canvas(width, height, self.ground, self.glyphs, self.palette)
        self.places = canvas.places
        self.draw(canvas)
        return canvas.strips()
