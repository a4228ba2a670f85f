"""Declares the options for games that last for days."""

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

from driflamme_tui.cli.declarations import option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.wings.days.settings import local_offset
from netcode.wings.days.settings import (
    BANK,
    HOURS,
    MAXIMUM_HOURS,
    NIGHTS,
    NIGHTS_AND_WEEKENDS,
    PAUSES,
    WEEKENDS,
)

_PAUSES: Final = {
    "never": "",
    "nights": NIGHTS,
    "weekends": WEEKENDS,
    "both": NIGHTS_AND_WEEKENDS,
}
"""The stored pauses by the value of the option on the command line."""


class LongGameOptions(OpeningOptions):
    """The options that give games a clock in hours."""

    commands = ("host",)
    after = "seed"
    rank = 4
    examples: ClassVar[Mapping[str, str]] = {"host": "driflamme host --headless --hours 24"}

    hours: int | None = option(
        "Hours for a decision: a game may last for days, and people come and go.",
        min=0,
        max=MAXIMUM_HOURS,
    )
    bank: int | None = option(
        "Bank of hours that each player has for a whole game.", min=0, max=MAXIMUM_HOURS
    )
    pauses: Literal["never", "nights", "weekends", "both"] | None = option(
        "When the clock of a long game stops; nights last from 22:00 to 7:00.", show_default="never"
    )

    def add_to(self, opening: Opening) -> None:
        """Add the given settings of the table, and with them this machine's offset from UTC."""
        pauses = None if self.pauses is None else _PAUSES[self.pauses]
        given = {HOURS: self.hours, BANK: self.bank, PAUSES: pauses}
        chosen = {name: value for name, value in given.items() if value is not None}
        if chosen:
            opening.settings.update({**chosen, **local_offset()})
