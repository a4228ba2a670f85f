"""The seam `kind_words`: a wing's sentences about its kind of game."""

from collections.abc import Callable
from typing import Final, NamedTuple

from netcode.protocol.messages import Lobby
from netcode.registry import brought

SEAM: Final = "kind_words"
"""The name of the seam, and of a wing's module that serves it."""


class KindWords(NamedTuple):
    """The sentences of a kind of game."""

    name: str
    """The name of the kind, as in `TableSettings.kind`."""
    host_leaves: Callable[[Lobby], str]
    """Returns the effect on a game when its host leaves; "" for the usual one."""
    player_leaves: Callable[[Lobby], str]
    """Returns the effect on a game when a player leaves it."""
    bot_note: Callable[[Lobby], str]
    """Returns the note about a bot in the list of people."""


def kind_words(lobby: Lobby) -> KindWords | None:
    """Return the sentences of a table's kind of game; None for the ordinary kind."""
    if lobby.settings.kind is None:
        return None
    found = brought("driflamme_tui", SEAM, KindWords)
    return next((each for each in found if each.name == lobby.settings.kind), None)
