"""What wings add to a command that opens something for others: options, records and sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from driflamme_tui.cli.declarations import WingOptions
from engine.words import Text

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace


class Opening(Struct, kw_only=True):
    """What a command line asks to be opened, to which wings add what their options ask for."""

    encrypted: bool = True
    """Whether all that goes over the network is encrypted."""
    has_owner: bool = False
    """Whether its host sits at it in this program."""
    bots: tuple[str, ...] = ()
    """The bots that sit down, by name."""
    seed: int | None = None
    """Makes the deals repeatable."""
    parts: dict[str, str] = {}
    """The records of optional parts, by name: they are saved, and build the same parts again."""
    settings: dict[str, Any] = {}
    """The settings of the table that are a wing's, by name."""
    ports: dict[str, Text] = {}
    """The ports of parts, by name: empty if it will be open, or else the sentence why not."""
    runs_players: bool = False
    """Whether programs of players run on this machine, which sees their cards then."""


class OpeningOptions(WingOptions):
    """Options of a command that opens something; each method does nothing by default."""

    ports: ClassVar[Mapping[str, Text]] = {}
    """The ports that its part may open by name, each with the help of the option by which a router
    opens it as well."""

    def add_to(self, opening: Opening) -> None:
        """Add the records and settings that are asked for; ends the command with a sentence."""

    def check(self, opening: Opening) -> None:
        """End the command with a sentence if this does not go with what else is asked for."""

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield what whoever opened a place reads about this part of it."""
        yield from ()


def add_all(wings: Sequence[OpeningOptions], opening: Opening) -> None:
    """Add to an opening what the options of all wings ask for; a sentence may end the command."""
    for each in wings:
        each.add_to(opening)
    for each in wings:
        each.check(opening)


def all_sentences(wings: Sequence[OpeningOptions], place: "OpenPlace") -> Iterator[str]:
    """Yield what whoever opened a place reads about its optional parts."""
    for each in wings:
        yield from each.sentences(place)
