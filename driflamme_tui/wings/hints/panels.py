"""Adds the panel of hints to tables."""

from typing import Final

from driflamme_tui.screens.table.panels import PanelKind
from driflamme_tui.wings.hints.hints_panel import HintsPanel

SEAM: Final = PanelKind(HintsPanel)
