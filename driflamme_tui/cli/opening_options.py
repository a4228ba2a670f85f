"""Defines a wing's additions to commands that open a place: options, records and sentences."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import typer
from msgspec import Struct

from driflamme_tui.cli.declarations import WingOptions
from driflamme_tui.cli.output import end_with
from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError, Text
from netcode.isolation import attempt, explained_error

if TYPE_CHECKING:
    from driflamme_tui.hosting.parts import OpenPlace


NO_SENTENCES: Final[Sequence[str]] = ()


class Opening(Struct, kw_only=True):
    """The place that a command line opens. Wings add the values of their options."""

    encrypted: bool = True
    """True if the network traffic is encrypted."""
    has_owner: bool = False
    """True if the host plays in this program."""
    bots: tuple[str, ...] = ()
    """The names of the bots that get a seat."""
    seed: int | None = None
    """A seed that makes the deals repeatable; None for random deals."""
    parts: dict[str, str] = {}
    """The records of hosting parts, by name. The place stores the records, and later builds the
    same parts from them.
    """
    settings: dict[str, Any] = {}
    """The wings' settings of the table, by name."""
    ports: dict[str, Text] = {}
    """The ports of parts, by name: "" for a port that will be open, or the reason why it stays
    closed.
    """
    runs_players: bool = False
    """True if this machine runs the programs of players elsewhere, and so sees the players' cards.
    """


class OpeningOptions(WingOptions):
    """Options of a wing for a command that opens a place. Each method does nothing by default."""

    ports: ClassVar[Mapping[str, Text]] = {}
    """The ports that the part may open, by name. The value is the help of the option that also
    opens the port at a router.
    """

    def add_to(self, opening: Opening) -> None:
        """Add the records and settings of these options to `opening`.

        If a value is invalid, end the command with a sentence.
        """

    def check(self, opening: Opening) -> None:
        """End the command with a sentence if these options contradict other options."""

    def sentences(self, place: "OpenPlace") -> Iterator[str]:
        """Yield sentences about this part for the person who opened a place."""
        yield from ()


def add_all(wings: Sequence[OpeningOptions], opening: Opening) -> None:
    """Add the records and settings of all wings' options to `opening`, then check the options.

    If a wing fails unexpectedly, end the command with a sentence. Expected errors are raised.
    """
    for do in (*(each.add_to for each in wings), *(each.check for each in wings)):
        try:
            do(opening)
        except (typer.Exit, ExplainedError):
            raise
        except Exception as error:
            end_with(explained_error(error, do).sentence(_))


def all_sentences(wings: Sequence[OpeningOptions], place: "OpenPlace") -> Iterator[str]:
    """Yield the sentences of all wings for the person who opened a place.

    A wing that fails yields none.
    """
    for each in wings:
        yield from attempt(each, partial(_sentences, each, place), NO_SENTENCES)


def _sentences(wing: OpeningOptions, place: "OpenPlace") -> Sequence[str]:
    return [*wing.sentences(place)]
