"""The setting of laughs: their maximum number at a table."""

from typing import Final

from netcode.protocol.table_settings import WingSetting, WingSettings

MOST: Final = "laughs.most"

CHOICES: Final = (0, 3, 10)
"""The possible values; 0 means no limit."""

SEAM: Final = WingSettings((WingSetting(MOST, 0, lambda value: value in CHOICES),))
