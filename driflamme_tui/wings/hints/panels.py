"""The panel of hints, where the table screen finds it."""

from typing import Final

from driflamme_tui.screens.table.panels import PanelKind
from driflamme_tui.wings.hints.hints_panel import HintsPanel

SEAM: Final = PanelKind(HintsPanel)
