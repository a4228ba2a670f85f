"""Adds the page about sealed play to the guide."""

from pathlib import Path
from typing import Final

from driflamme_tui.wording.game.help_pages import GuideTopic, WingGuide

SEAM: Final = WingGuide(
    (GuideTopic("sealed", Path(__file__).parent / "prose", after="hosting", rank=3),),
    signs=(
        (
            "451 561",
            "the digits of a sealed deal, to read aloud: everybody must have the same digits",
        ),
    ),
)
