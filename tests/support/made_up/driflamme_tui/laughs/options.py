"""The option of laughs."""

from typing import Final

from netcode.wings.laughs.settings import CHOICES, MOST  # type: ignore[import-not-found]

from driflamme_tui.cli.declarations import AddedOptions, option
from driflamme_tui.cli.opening_options import Opening, OpeningOptions
from driflamme_tui.cli.output import fail


class LaughOptions(OpeningOptions):
    """The option for the maximum number of laughs."""

    commands = ("host",)
    after = "seed"

    laughs: int | None = option("How often people may laugh; 0 for no limit.", min=0)

    def add_to(self, opening: Opening) -> None:
        """Add the option's value to the settings of the table; end the command if it is invalid."""
        if self.laughs is not None:
            if self.laughs not in CHOICES:
                fail("Choose one of {choices} laughs.", choices=", ".join(map(str, CHOICES)))
            opening.settings[MOST] = self.laughs


SEAM: Final = AddedOptions((LaughOptions,))
