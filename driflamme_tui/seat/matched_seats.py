"""Adapts even bots: they play as strongly as the player, also in later games."""

from collections.abc import Sequence

from driflamme_tui.preferences.matched_bots import EVEN_BOT, seat_bots
from netcode.protocol.fields import Message
from netcode.protocol.messages import AddBot, ChangeBot, Lobby, SetReady, Start


class MatchedSeats:
    """Remembers which bots are even, and changes their levels before each game."""

    def __init__(self, bots: Sequence[str]) -> None:
        """Begin at a table to which these bots will be added."""
        self.pending = list(bots)
        """The bots that have no seat yet, by the names that the player chose. The list is cleared
        after a refusal, and when the connection is lost.
        """
        self._bots: dict[str, str] = {}
        """For each bot at the table, by name, the bot that the player chose; "" if another player
        added it.
        """

    def see(self, lobby: Lobby) -> None:
        """Match each new bot in a lobby with the next pending bot; forget bots that have left."""
        names = [seat.name for seat in lobby.seats if seat.bot is not None]
        for name in names:
            if name not in self._bots:
                self._bots[name] = self.pending.pop(0) if self.pending else ""
        self._bots = {name: bot for name, bot in self._bots.items() if name in names}

    def is_about(self, message: Message, lobby: Lobby) -> bool:
        """Return True if `to_send` may replace a message, or send others before it.

        Only the host changes bots, so the result is False for other players.
        """
        return isinstance(message, AddBot | ChangeBot | SetReady | Start) and lobby.host

    async def to_send(self, message: Message, lobby: Lobby) -> list[Message]:
        """Return the messages to send in place of `message`; remember which bots are even.

        An even bot in the message becomes a bot of a certain level. Before a game, messages that
        change the levels of even bots come first.
        """
        match message:
            case AddBot(bot=bot):
                self.pending.append(bot)
                return [AddBot(bot=(await seat_bots((bot,)))[0])]
            case ChangeBot(family=family, bot=bot):
                self._bots |= {seat.name: bot for seat in lobby.seats if seat.family == family}
                return [ChangeBot(family=family, bot=(await seat_bots((bot,)))[0])]
            case SetReady(ready=True) | Start():
                even = [seat for seat in lobby.seats if self._bots.get(seat.name) == EVEN_BOT]
                levels = zip(even, await seat_bots((EVEN_BOT,) * len(even)), strict=True)
                changed = [(seat, bot) for seat, bot in levels if seat.bot != bot]
                return [*(ChangeBot(family=seat.family, bot=bot) for seat, bot in changed), message]
        return [message]
