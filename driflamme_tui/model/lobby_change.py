"""Computes the changes from one lobby of a table to the next."""

from typing import Any, NamedTuple

from netcode.protocol.messages import Lobby


class LobbyChange(NamedTuple):
    """The changes at a table from one lobby to the next."""

    settings: dict[str, Any]
    """The changed settings with their new values."""
    is_reordered: bool
    """True if the players of both lobbies sit in another order."""
    has_other_bots: bool
    unready: set[str]
    """The names of people who were ready and no longer are."""

    @property
    def is_other_game(self) -> bool:
        """True if settings, order or bots changed.

        People who were ready before the change had agreed to a different game.
        """
        return bool(self.settings) or self.is_reordered or self.has_other_bots


def change_between(before: Lobby, lobby: Lobby) -> LobbyChange:
    """Return the differences between two lobbies."""
    old = before.settings.by_name().items()
    were, are = [[seat.name for seat in table.seats] for table in (before, lobby)]
    bots = [[seat.bot for seat in table.seats] for table in (before, lobby)]
    were_ready = {seat.name for seat in before.seats if seat.ready and seat.bot is None}
    return LobbyChange(
        settings=dict(each for each in lobby.settings.by_name().items() if each not in old),
        is_reordered=[name for name in were if name in are]
        != [name for name in are if name in were],
        has_other_bots=bots[0] != bots[1],
        unready=were_ready & {seat.name for seat in lobby.seats if not seat.ready},
    )
