"""How the games of a table are played, as its host decides."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta
from msgspec.structs import asdict

from netcode.protocol.evening import BestOf
from netcode.protocol.fields import FamilyLetter, Strict

MAXIMUM_CLOCK_S: Final = 600
"""Longest clock for a decision: nobody who needs longer wants a clock."""

MAXIMUM_PACE_MS: Final = 5_000
"""Longest pause before a bot's answer."""

DEFAULT_PACE_MS: Final = 900
"""Pause before a bot's answer, unless a table has another."""

MINIMUM_THINK_MS: Final = 100
"""Shortest time for a bot that searches: with less it has seen next to nothing."""
MAXIMUM_THINK_MS: Final = 10_000
"""Longest time for a bot that searches: people wait no longer."""
DEFAULT_THINK_MS: Final = 1_000
"""Time for a bot that searches, unless a table has another."""


class TableSettings(Strict, frozen=True, kw_only=True):
    """What the host decides about the games of a table."""

    edition: Annotated[int, Meta(ge=1, le=2)] = 2
    first: Literal["random"] | FamilyLetter = "random"
    """Who is the first player of round 1."""
    direction: Literal["right", "left"] = "right"
    """Towards which side the Queue is shown to go on: `right` has position 1 on the left."""
    pace_ms: Annotated[int, Meta(ge=0, le=MAXIMUM_PACE_MS)] = DEFAULT_PACE_MS
    """The pause before a bot's answer, so that people can follow."""
    think_ms: Annotated[int, Meta(ge=MINIMUM_THINK_MS, le=MAXIMUM_THINK_MS)] = DEFAULT_THINK_MS
    """How long a bot may think about a decision, if it searches: some take a part of that."""
    clock_s: Annotated[int, Meta(ge=0, le=MAXIMUM_CLOCK_S)] = 0
    """Seconds for a decision, after which a bot decides; 0 for as long as one likes."""
    two: bool = False
    """Whether two players have two families each and win by their sum, a variant."""
    best_of: BestOf = 0
    """How many games decide an evening; 0 for as many as one likes."""
    sealed: bool = False
    """Whether no machine but its owner's holds a hidden card, see `netcode.wings.sealed`."""

    @property
    def kind(self) -> str | None:
        """The kind of game that a wing brings, by its name; None for the ordinary kind."""
        return "sealed" if self.sealed else None

    def beside_edition(self) -> dict[str, Any]:
        """Return what a record keeps of them besides the edition, which its deal has.

        Records of ordinary tables do not name `sealed`, which older ones do not know.
        """
        kept = asdict(self)
        del kept["edition"]
        if not self.sealed:
            del kept["sealed"]
        return kept
