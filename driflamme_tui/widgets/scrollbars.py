"""Scrollbars in ASCII: Textual ends its own with a part of a block, for a smoother look."""

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender

from driflamme_tui.text.signs import Glyphs


class WholeCells(ScrollBarRender):
    """A scrollbar of whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def use_scrollbars(glyphs: Glyphs) -> None:
    """Let all scrollbars be drawn with what the terminal can be trusted with."""
    ScrollBar.renderer = ScrollBarRender if glyphs.unicode else WholeCells
