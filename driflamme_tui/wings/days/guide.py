"""Adds the pages about long games and calls to the guide."""

from pathlib import Path
from typing import Final

from driflamme_tui.wording.game.help_pages import GuideTopic, WingGuide

_PROSE: Final = Path(__file__).parent / "prose"

SEAM: Final = WingGuide(
    (
        GuideTopic("days", _PROSE, after="hosting", rank=4),
        GuideTopic("calls", _PROSE, after="hosting", rank=5),
    )
)
