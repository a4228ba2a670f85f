"""The settings of a table's games, which its host chooses."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta
from msgspec.structs import asdict

from netcode.protocol.evening import BestOf
from netcode.protocol.fields import FamilyLetter, Strict

MAXIMUM_CLOCK_S: Final = 600
"""Maximum seconds of the clock for a decision."""

MAXIMUM_PACE_MS: Final = 5_000
"""Maximum pause before a bot's answer."""

DEFAULT_PACE_MS: Final = 900
"""Default pause before a bot's answer."""

MINIMUM_THINK_MS: Final = 100
"""Minimum time of a searching bot. With less it has seen next to nothing."""
MAXIMUM_THINK_MS: Final = 10_000
"""Maximum time of a searching bot, since people wait no longer."""
DEFAULT_THINK_MS: Final = 1_000
"""Default time of a searching bot."""


class TableSettings(Strict, frozen=True, kw_only=True):
    """The host's settings of a table's games."""

    edition: Annotated[int, Meta(ge=1, le=2)] = 2
    first: Literal["random"] | FamilyLetter = "random"
    """The first player of round 1."""
    direction: Literal["right", "left"] = "right"
    """The direction in which the Queue is drawn: `right` has position 1 on the left."""
    pace_ms: Annotated[int, Meta(ge=0, le=MAXIMUM_PACE_MS)] = DEFAULT_PACE_MS
    """The pause before a bot's answer, so that people can follow."""
    think_ms: Annotated[int, Meta(ge=MINIMUM_THINK_MS, le=MAXIMUM_THINK_MS)] = DEFAULT_THINK_MS
    """The time of a searching bot for a decision; some use a part of it."""
    clock_s: Annotated[int, Meta(ge=0, le=MAXIMUM_CLOCK_S)] = 0
    """Seconds for a decision, after which a bot decides; 0 for no limit."""
    two: bool = False
    """True for a table for two: two players have two families each, and their influence is
    added.
    """
    best_of: BestOf = 0
    """Number of games that decide an evening; 0 for no limit."""
    sealed: bool = False
    """True if only a player's own machine has their hidden cards, see `netcode.wings.sealed`."""

    @property
    def kind(self) -> str | None:
        """The name of a wing's kind of game; None for the ordinary kind."""
        return "sealed" if self.sealed else None

    def beside_edition(self) -> dict[str, Any]:
        """Return the settings of a record, except the edition, which its deal has.

        Records of ordinary tables do not name `sealed`, which older programs do not know.
        """
        kept = asdict(self)
        del kept["edition"]
        if not self.sealed:
            del kept["sealed"]
        return kept
