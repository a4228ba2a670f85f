"""The setting of laughs: how many there may be."""

from typing import Final

from netcode.protocol.table_settings import WingSetting, WingSettings

MOST: Final = "laughs.most"

CHOICES: Final = (0, 3, 10)
"""The possible values; 0 for no limit."""

SEAM: Final = WingSettings((WingSetting(MOST, 0, lambda value: value in CHOICES),))
