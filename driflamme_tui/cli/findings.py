"""Defines findings about the machine, and the checks that wings add to `driflamme doctor`."""

from collections.abc import Iterator
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from driflamme_tui.cli.declarations import WingOptions

Level: TypeAlias = Literal["fine", "hint", "trouble"]
"""The level of a finding: "fine"; "hint" for advice, mostly before hosting; "trouble" if the
machine cannot play.
"""


class Finding(Struct, frozen=True):
    """The result of a check."""

    check: str
    """The name of the check, for programs."""
    label: str
    """The name of the check, for people."""
    text: str
    """The result in a sentence, and advice."""
    level: Level = "fine"


class WingChecks(WingOptions):
    """The base class of a wing's checks for `driflamme doctor`, with their options."""

    commands = ("doctor",)
    after_check: ClassVar[str] = ""
    """The name of the core check after which these checks run, as in `Finding.check`. With "" they
    never run.
    """

    def findings(self) -> Iterator[Finding]:
        """Check the machine, and yield the findings. Each wing must override this method."""
        raise NotImplementedError
