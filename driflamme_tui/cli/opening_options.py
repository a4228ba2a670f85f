"""Lets wings extend a command that opens a place for others: options, records and sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from driflamme_tui.cli.declarations import WingOptions
from engine.texts import Text

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace


class Opening(Struct, kw_only=True):
    """What a command line asks for in a place to open. Wings add the values of their options."""

    encrypted: bool = True
    """True if the network traffic is encrypted."""
    has_owner: bool = False
    """True if the host plays in this program."""
    bots: tuple[str, ...] = ()
    """The names of the bots with a seat."""
    seed: int | None = None
    """Makes the deals repeatable."""
    parts: dict[str, str] = {}
    """The records of optional parts, by name. They are stored, and recreate the same parts
    later.
    """
    settings: dict[str, Any] = {}
    """The wings' settings of the table, by name."""
    ports: dict[str, Text] = {}
    """The ports of parts, by name: "" if the port will be open, or else the reason why not."""
    runs_players: bool = False
    """True if players' programs run on this machine, which then sees their cards."""


class OpeningOptions(WingOptions):
    """Options of a command that opens a place; each method does nothing by default."""

    ports: ClassVar[Mapping[str, Text]] = {}
    """The ports that the part may open, by name, with the help of the option that opens them at a
    router too.
    """

    def add_to(self, opening: Opening) -> None:
        """Add these options' records and settings; end the command with a sentence on errors."""

    def check(self, opening: Opening) -> None:
        """End the command with a sentence if these options contradict others."""

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield sentences about this part for the person who opened a place."""
        yield from ()


def add_all(wings: Sequence[OpeningOptions], opening: Opening) -> None:
    """Add what the options of all wings ask for; end the command with a sentence on errors."""
    for each in wings:
        each.add_to(opening)
    for each in wings:
        each.check(opening)


def all_sentences(wings: Sequence[OpeningOptions], place: "OpenPlace") -> Iterator[str]:
    """Yield sentences about all optional parts for the person who opened a place."""
    for each in wings:
        yield from each.sentences(place)
