"""The seam `kind_words`: what a wing's kind of game means for the people at its table."""

from collections.abc import Callable
from typing import Final, NamedTuple

from netcode.protocol.messages import Lobby
from netcode.registry import brought

SEAM: Final = "kind_words"
"""The name of the seam, and of a wing's module that serves it."""


class KindWords(NamedTuple):
    """The sentences of a kind of game."""

    name: str
    """As `TableSettings.kind` has it."""
    host_leaves: Callable[[Lobby], str]
    """Returns what happens to a game when its host leaves; "" if that is as usual."""
    player_leaves: Callable[[Lobby], str]
    """Returns what happens to a game when a player leaves it."""
    bot_note: Callable[[Lobby], str]
    """Returns what the list of people says of a bot."""


def kind_words(lobby: Lobby) -> KindWords | None:
    """Return the sentences of a table's kind of game; None for the ordinary kind."""
    if lobby.settings.kind is None:
        return None
    found = brought("driflamme_tui", SEAM, KindWords)
    return next((each for each in found if each.name == lobby.settings.kind), None)
