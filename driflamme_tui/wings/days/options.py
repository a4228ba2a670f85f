"""Adds the options of long games to commands."""

from typing import Final

from driflamme_tui.cli.declarations import AddedOptions
from driflamme_tui.wings.days.call_options import CallOptions
from driflamme_tui.wings.days.table_options import LongGameOptions

SEAM: Final = AddedOptions((CallOptions, LongGameOptions))
"""The options of long games."""
