"""Defines the seam `kind_words`: a wing's sentences about its kind of game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.record import Record
from netcode.isolation import attempt
from netcode.protocol.messages import Lobby
from netcode.registry import wing_values

SEAM: Final = "kind_words"
"""The name of the seam, and of a wing's module that serves it."""

NO_SENTENCES: Final[Sequence[str]] = ()


class KindWords(Struct, frozen=True):
    """The sentences about a kind of game."""

    name: str
    """The name of the kind, as in `TableSettings.kind`."""
    host_leaves: Callable[[Lobby], str]
    """Returns the effect of the host's leaving on a game; "" for the usual text."""
    player_leaves: Callable[[Lobby], str]
    """Returns the effect of a player's leaving on a game."""
    bot_note: Callable[[Lobby], str]
    """Returns the note about a bot in the list of people."""
    latecomers: Callable[[Lobby], str]
    """Returns the reason why a latecomer cannot take a seat in a running game."""
    convictions: Callable[[Record], Iterable[str]]
    """Returns a sentence for each player whom a record convicts of cheating."""


def kind_words(lobby: Lobby) -> KindWords | None:
    """Return the sentences of a table's kind of game.

    Returns None for the ordinary kind, and for a kind whose wing is missing.
    """
    if lobby.settings.kind is None:
        return None
    found = wing_values("driflamme_tui", SEAM, KindWords)
    return next((_isolated(each) for each in found if each.name == lobby.settings.kind), None)


def convictions(record: Record) -> Iterator[str]:
    """Yield a sentence for each player whom a record convicts of cheating.

    A wing whose function fails adds none.
    """
    for kind in wing_values("driflamme_tui", SEAM, KindWords):
        yield from attempt(kind.convictions, partial(_convictions, kind, record), NO_SENTENCES)


def _convictions(kind: KindWords, record: Record) -> Sequence[str]:
    return [*kind.convictions(record)]


def _isolated(kind: KindWords) -> KindWords:
    """Return the sentences of a kind; "" instead of a sentence whose function fails."""

    def isolated(words: Callable[[Lobby], str]) -> Callable[[Lobby], str]:
        return lambda lobby: attempt(words, lambda: words(lobby), "")

    return replace(
        kind,
        host_leaves=isolated(kind.host_leaves),
        player_leaves=isolated(kind.player_leaves),
        bot_note=isolated(kind.bot_note),
        latecomers=isolated(kind.latecomers),
    )
