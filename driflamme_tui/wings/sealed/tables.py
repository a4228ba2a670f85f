"""Adds the screen of sealed games to tables."""

from typing import Final

from driflamme_tui.screens.table.kinds import ScreenKind
from driflamme_tui.screens.table.live_screen import LiveScreen


def _load() -> type[LiveScreen]:
    from driflamme_tui.wings.sealed.sealed_screen import SealedScreen

    return SealedScreen


SEAM: Final = ScreenKind("sealed", _load)
