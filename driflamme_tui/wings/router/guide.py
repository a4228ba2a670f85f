"""Adds the page about friends outside to the guide."""

from pathlib import Path
from typing import Final

from driflamme_tui.wording.game.help_pages import GuideTopic, WingGuide

SEAM: Final = WingGuide(
    (GuideTopic("outside", Path(__file__).parent / "prose", after="hosting", rank=0),)
)
