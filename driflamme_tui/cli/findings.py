"""What a check of the machine found, and the checks that wings add to `driflamme doctor`."""

from collections.abc import Iterator
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from driflamme_tui.cli.declarations import WingOptions

Level: TypeAlias = Literal["fine", "hint", "trouble"]
"""All is well; it is worth a look, mostly before one hosts; or it keeps one from playing."""


class Finding(Struct, frozen=True):
    """What a check found."""

    check: str
    """The name of the check, for programs."""
    label: str
    """The same, for people."""
    text: str
    """What it found, and what to do."""
    level: Level = "fine"


class WingChecks(WingOptions):
    """The checks that a wing adds, with their options."""

    commands = ("doctor",)
    after_check: ClassVar[str] = ""
    """The check of the core after which these are made, by its name for programs."""

    def findings(self) -> Iterator[Finding]:
        """Check the machine, and yield what was found."""
        raise NotImplementedError
